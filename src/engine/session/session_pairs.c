/* The owner's side of a pair. Workers and the loading of the store post items; applying them is the
 * only way in which results change. An item's own function says what it means: a pair was begun,
 * given up, or has ended. When a whole entry of the plan is known, it decides in which order the
 * pairs of the next one are taken. */
#include <math.h>
#include <stdio.h>

#include "engine_session_parts.h"

static es_results *results_of(es_session *s, es_lease pair) {
    return s->entries[pair.entry].results;
}

static uint8_t *state_of(es_session *s, es_lease pair) {
    es_results *r = results_of(s, pair);
    return es_is_null(s, pair) ? &r->null[pair.target].state
                               : &r->state[pair.source * r->m + pair.target];
}

/* The zero line is of no row. */
static void touch(es_session *s, es_lease pair) {
    es_results *r = results_of(s, pair);
    if (es_is_null(s, pair))
        r->revision++;
    else
        es_results_touch(r, pair.source);
}

es_pair_state es_pair_state_of(es_session *s, es_lease pair) {
    return (es_pair_state)*state_of(s, pair);
}

void es_pair_reset(es_session *s, es_lease pair) {
    es_results *r = results_of(s, pair);
    bool null = es_is_null(s, pair);
    uint8_t *state = state_of(s, pair);
    char **reason =
        null ? &r->null[pair.target].reason : &r->reason[pair.source * r->m + pair.target];
    if (*state == ES_PAIR_RUNNING)
        s->running--;
    if (*state == ES_PAIR_FAILED) {
        *(null ? &r->null_failed : &r->failed) -= 1;
        es_free(*reason);
        *reason = NULL;
    }
    if (*state == ES_PAIR_DONE)
        return;
    *state = ES_PAIR_PENDING;
    touch(s, pair);
}

void es_pair_fail(es_session *s, es_lease pair, const char *reason) {
    es_results *r = results_of(s, pair);
    bool null = es_is_null(s, pair);
    es_status st = null ? es_results_fail_null(r, pair.target, reason, NULL)
                        : es_results_fail(r, pair.source, pair.target, reason, NULL);
    if (st == ES_OK)
        es_log_write(s->log, ES_LOG_WARN, "%s: %s -> %s: %s", r->estimator->name,
                     null ? "zero line" : r->name[pair.source], r->name[pair.target], reason);
}

void es_pair_undo(es_session *s, es_lease pair) {
    es_pair_reset(s, pair);
    es_pair_queue_ended(s->queue, pair);
    if (s->wanted)
        es_pair_queue_want(s->queue, pair);
}

/* ---- which pairs first ---- */

/* The known values of a source's row without itself. */
static size_t row_values(const es_results *r, const double *from, size_t source, double *out) {
    size_t n = 0;
    for (size_t t = 0; t < r->m; t++)
        if (t != source && isfinite(from[source * r->m + t])) /* NaN until done */
            out[n++] = from[source * r->m + t];
    return n;
}

/* The preview says where the ranking is blurred: sources whose medians lie within two standard
 * errors of others come first, the most crowded ahead, and of each source the pairs nearest its
 * median, which decide its place. */
static void rank_by_preview(es_session *s, size_t entry, const es_results *preview) {
    size_t m = s->m;
    double *block = es_alloc(m * m + 4 * m, sizeof *block);
    if (!block)
        return; /* the order by cost does as well */
    double *targets = block, *sources = targets + m * m, *score = sources + m, *se = score + m,
           *row = se + m;
    for (size_t i = 0; i < m; i++) {
        score[i] = es_stat_median(row, row_values(preview, preview->is, i, row));
        se[i] = es_stat_median(row, row_values(preview, preview->se, i, row));
        for (size_t t = 0; t < m; t++) {
            double distance = fabs(preview->is[i * m + t] - score[i]);
            targets[i * m + t] = isfinite(distance) && t != i ? -distance : -HUGE_VAL;
        }
    }
    for (size_t i = 0; i < m; i++) {
        sources[i] = 0;
        for (size_t j = 0; j < m; j++)
            sources[i] += fabs(score[i] - score[j]) < 2 * (se[i] + se[j]);
    }
    if (es_pair_queue_rank(s->queue, entry, sources, targets, NULL) == ES_OK)
        s->entries[entry].ranked = true;
    es_free(block);
}

void es_entries_rank(es_session *s) {
    for (size_t e = 1; e < s->n_entries; e++)
        if (!s->entries[e].ranked && es_entry_known(&s->entries[e - 1]))
            rank_by_preview(s, e, s->entries[e - 1].results);
}

/* ---- items ---- */

static void add_lap(es_session *s, const es_pair_item *item) {
    double now = es_session_running_time(s);
    es_pace_add(&s->entries[item->pair.entry].pace, now, es_pair_queue_cost(s->queue, item->pair),
                item->took);
    es_laps_add(&s->laps, now, item->pair.entry);
}

/* Takes the item's pmi where it is kept. */
static void apply_pair(es_session *s, es_pair_item *item) {
    es_results *r = results_of(s, item->pair);
    es_error error = {0};
    if (*state_of(s, item->pair) == ES_PAIR_RUNNING)
        es_pair_reset(s, item->pair);
    bool null = es_is_null(s, item->pair);
    es_status st = item->values && !null ? es_results_keep_values(r, item->values, &error) : ES_OK;
    if (!item->failed && st == ES_OK)
        st = null ? es_results_put_null(r, item->pair.target, &item->result, &error)
                  : es_results_put(r, item->pair.source, item->pair.target, &item->result,
                                   item->seconds, &error);
    if (item->failed || st != ES_OK) {
        es_pair_fail(s, item->pair, item->failed ? item->reason : error.message);
        es_session_log_pair(s, item->pair.entry);
        return;
    }
    if (!null) /* of the zero line the mean is enough */
        item->result.pmi = NULL;
    s->reused += item->reused;
    if (!item->reused)
        es_session_log_pair(s, item->pair.entry);
}

static void pair_deinit(es_item *base) {
    es_pair_item *item = (es_pair_item *)base;
    es_free(item->reason);
    if (item->values)
        es_values_free(item->values);
    else
        es_free(item->result.pmi);
}

/* On the session's thread: a pair is finished; puts it into the results. */
static void end_pair(es_item *base, const es_event *event) {
    es_pair_item *item = (es_pair_item *)base;
    bool known = *state_of(item->session, item->pair) == ES_PAIR_DONE;
    (void)event;
    if (!known)
        apply_pair(item->session, item);
    else if (!item->reused && item->session->reused > 0)
        item->session->reused--; /* read back from the store before its worker was heard of */
    es_pair_queue_ended(item->session->queue, item->pair);
    if (item->lent)
        (void)atomic_fetch_sub(&item->session->lent, 1u);
    if (!item->failed && !item->reused && !known)
        add_lap(item->session, item);
    es_entries_rank(item->session);
}

static void undo_pair(es_item *base, const es_event *event) {
    const es_pair_item *item = (es_pair_item *)base;
    (void)event;
    es_pair_undo(item->session, item->pair);
}

/* On the session's thread: marks a pair as running. */
static void begin_pair(es_item *base, const es_event *event) {
    const es_pair_item *item = (es_pair_item *)base;
    uint8_t *state = state_of(item->session, item->pair);
    (void)event;
    if (*state != ES_PAIR_PENDING)
        return;
    *state = ES_PAIR_RUNNING;
    item->session->running++;
    touch(item->session, item->pair);
}

/* Finished by another process. Its time counts for the rate like that of one's own pairs: they are
 * as many fewer to do. */
static void take_up(es_pair_item *item) {
    es_session *s = item->session;
    if (item->failed && s->retried) { /* perhaps before it was asked for again */
        es_pair_queue_back(s->queue, item->pair);
        return;
    }
    es_pair_queue_drop(s->queue, item->pair);
    if (*state_of(s, item->pair) != ES_PAIR_PENDING)
        return;
    apply_pair(s, item);
    es_session_log_pair(s, item->pair.entry);
    if (!item->failed)
        add_lap(s, item);
}

/* On the session's thread: puts a batch of stored pairs into the results. */
static void end_stored(es_item *base, const es_event *event) {
    es_stored_item *batch = (es_stored_item *)base;
    (void)event;
    for (size_t i = 0; i < batch->count; i++) {
        es_pair_item *item = &batch->pairs[i];
        if (batch->live)
            take_up(item);
        else
            apply_pair(item->session, item);
    }
    if (batch->live && batch->count > 0)
        es_entries_rank(batch->pairs[0].session);
}

static void stored_deinit(es_item *base) {
    es_stored_item *batch = (es_stored_item *)base;
    for (size_t i = 0; i < batch->count; i++)
        pair_deinit(&batch->pairs[i].item);
}

es_pair_item *es_pair_item_new(es_session *s, es_lease pair) {
    es_pair_item *item = es_alloc_zero(1, sizeof *item);
    if (item)
        *item = (es_pair_item){.item = {end_pair, pair_deinit}, .session = s, .pair = pair};
    return item;
}

void es_pair_item_undone(es_pair_item *item) {
    item->item.apply = undo_pair;
}

void es_pair_say_begun(es_session *s, es_job_context *context, es_lease pair) {
    es_pair_item *item = es_pair_item_new(s, pair);
    if (!item)
        return; /* the cell shows as pending a little longer */
    item->item.apply = begin_pair;
    (void)es_item_post(context, &item->item, NULL);
}

es_stored_item *es_stored_item_new(bool live) {
    es_stored_item *batch = es_alloc(1, sizeof *batch);
    if (batch) {
        batch->item = (es_item){end_stored, stored_deinit};
        batch->live = live;
        batch->count = 0;
    }
    return batch;
}

/* ---- the zero line ---- */

/* The zero line: what an estimator gives when there is nothing to be known.
 *
 * The source is the target itself with its rows in another order. So it has the target's dimension,
 * scales and outliers, everything that a flexible estimator might mistake for information, and of
 * any one row it knows nothing. Rows are permuted by Sattolo's algorithm (1986), which gives one
 * cycle: no row is its own source, not even by chance. The draws depend on the seed and the
 * target's contents only, so that all estimators of a plan get the same permutation. */

uint64_t es_pair_stream(es_digest source, es_digest target) {
    uint64_t words[] = {source.hi, source.lo, target.hi, target.lo}, mixed = 0;
    for (size_t i = 0; i < 4; i++)
        mixed = es_rng_stream(ES_STREAM_SAMPLE, mixed + words[i]);
    return mixed;
}

es_digest es_null_digest(es_digest target) {
    char hex[ES_DIGEST_HEX], text[ES_DIGEST_HEX + 8];
    int length = snprintf(text, sizeof text, "%s null", es_digest_hex(target, hex));
    return es_digest_bytes(text, (size_t)length);
}

es_status es_null_rows(const es_rows *rows, uint64_t seed, es_digest target, es_null_source *out,
                       es_error *err) {
    es_rng rng;
    out->rows = rows;
    out->from = es_alloc(rows->n, sizeof *out->from);
    if (!out->from)
        return es_no_memory_for(err, "the order of %zu rows", rows->n);
    uint64_t stream = es_pair_stream(es_null_digest(target), target);
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_PERMUTE, stream));
    for (size_t i = 0; i < rows->n; i++)
        out->from[i] = (uint32_t)i;
    for (size_t i = rows->n; i-- > 1;) {
        size_t j = es_rng_below(&rng, i);
        uint32_t swap = out->from[i];
        out->from[i] = out->from[j];
        out->from[j] = swap;
    }
    return ES_OK;
}

/* es_rows.read through the permutation, a few rows at a time. */
static es_status read_permuted(const void *context, const uint32_t *rows, size_t count, double *out,
                               es_error *err) {
    enum { STEP = 256 };
    const es_null_source *s = context;
    uint32_t from[STEP];
    es_status st = ES_OK;
    for (size_t i = 0; i < count && st == ES_OK; i += STEP) {
        size_t n = count - i < STEP ? count - i : STEP;
        for (size_t k = 0; k < n; k++)
            from[k] = s->from[rows[i + k]];
        st = s->rows->read(s->rows->context, from, n, out + i * s->rows->d, err);
    }
    return st;
}

es_rows es_null_reader(const es_null_source *source) {
    es_rows rows = *source->rows;
    rows.id = es_rng_stream(ES_STREAM_PERMUTE, rows.id);
    rows.context = source;
    rows.read = read_permuted;
    return rows;
}
