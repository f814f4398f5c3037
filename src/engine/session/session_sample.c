/* Samples of rows. Which one is shown where that is left open: the largest of which the store knows
 * every pair of the plan's first entry, else the one of which it knows most. And what was found of
 * each, kept as values of a measure of the whole pool: since half the rows, expected with its
 * interval, and why it ended. */
#include <math.h>
#include <stdlib.h>

#include "engine_session_parts.h"

/* ---- which one ---- */

/* Contents that are in use, each once. */
typedef struct contents {
    es_digest *source, *target; /* (count) ascending */
    size_t count;
} contents;

static size_t sort_once(es_digest *digest, size_t count) {
    size_t kept = 0;
    qsort(digest, count, sizeof *digest, es_digest_compare);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || !es_digest_equal(digest[kept - 1], digest[i]))
            digest[kept++] = digest[i];
    return kept;
}

static es_status list_contents(const es_session *s, contents *out, es_error *err) {
    size_t n = es_pool_count(s->pool), count = 0;
    out->source = es_alloc(n, sizeof *out->source);
    out->target = es_alloc(n, sizeof *out->target);
    if (!out->source || !out->target)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const es_model *m = es_pool_model(s->pool, i);
        if (m->state != ES_MODEL_READY)
            continue;
        out->source[count] = m->digest;
        out->target[count++] = es_model_target_digest(m);
    }
    out->count = sort_once(out->source, count);
    (void)sort_once(out->target, count);
    return ES_OK;
}

typedef struct tally {
    const contents *of;
    size_t pairs;
} tally;

static es_status count_pair(void *context, es_store_pair *pair, es_error *err) {
    tally *t = context;
    (void)err;
    t->pairs += bsearch(&pair->source, t->of->source, t->of->count, sizeof pair->source,
                        es_digest_compare) != NULL &&
                bsearch(&pair->target, t->of->target, t->of->count, sizeof pair->target,
                        es_digest_compare) != NULL;
    return ES_OK;
}

enum { FAR = 64000 }; /* rows: larger samples take time to draw */

es_status es_session_choose_rows(es_session *s, es_error *err) {
    const es_config *config = &s->entries[0].config;
    contents of = {0};
    es_digest rowset;
    size_t rows = 0, best = 0, most = 0, last = 0;
    es_status st = list_contents(s, &of, err);
    while (((size_t)ES_ROWS_FIRST_SAMPLE << last) < es_pool_rows_available(s->pool))
        last++;
    for (size_t step = 0; st == ES_OK && s->store; step++) {
        st = es_pool_sample(s->pool, step, &rows, &rowset, err);
        if (st != ES_OK)
            break;
        const es_store_key key = {config->estimator->name, config->estimator->version, config->text,
                                  s->seed, rowset};
        tally t = {&of, 0};
        st = es_store_load(s->store, &key, false, count_pair, &t, err);
        if (t.pairs > 0 && (t.pairs > most || t.pairs >= of.count * of.count)) {
            most = t.pairs;
            best = rows;
        }
        if (t.pairs == 0 && rows >= FAR && step < last)
            step = last - 1; /* a large one that is not stored was not gone beyond; but all rows? */
    }
    es_free(of.source);
    es_free(of.target);
    if (best > 0)
        es_pool_use_sample(s->pool, best);
    /* A store that cannot be read is reported when it is loaded. */
    return st == ES_ENOMEM ? st : ES_OK;
}

/* ---- what was found ---- */

enum { SINCE, EXPECTED, END, FIELDS };

static const char name[] = "growth";

/* The embedders that are in use, whatever their order. */
static es_digest digest_embedders(const es_session *s) {
    es_hasher hasher;
    es_hasher_init(&hasher);
    es_hasher_add_text(&hasher, name);
    for (size_t i = 0; i < s->m; i++)
        es_hasher_add_digest(&hasher, s->targets.digest[s->targets.order[i]]);
    return es_hasher_result(&hasher);
}

/* settings is kept in `text`. */
static es_status make_key(const es_session *s, es_digest rowset, es_buf *text, es_store_key *out,
                          es_error *err) {
    const es_config *config = &s->entries[0].config;
    es_buf_clear(text);
    es_buf_printf(text, "%s %s", config->estimator->name, config->text);
    *out = (es_store_key){name, config->estimator->version, text->data, s->seed, rowset};
    return es_buf_check(text, err);
}

es_status es_session_growth_put(es_session *s, const es_growth_record *record, es_error *err) {
    static const char unknown[] = "half of these rows were not estimated";
    const es_growth *g = &record->growth;
    const es_measure_value value[FIELDS] = {
        [SINCE] = {.value = g->since,
                   .low = (double)NAN,
                   .high = (double)NAN,
                   .why = isfinite(g->since) ? NULL : unknown},
        [EXPECTED] = {.value = g->expected,
                      .low = g->low,
                      .high = g->high,
                      .why = isfinite(g->expected) ? NULL : unknown},
        [END] = {.value = record->end, .low = (double)NAN, .high = (double)NAN}};
    es_store_measured measured = {.fields = FIELDS, .value = value};
    es_store_key key;
    es_buf text = {0};
    es_status st = ES_OK;
    if (!s->store || s->read_only)
        return ES_OK;
    if (!s->ready)
        return es_fail(err, ES_EINVAL, "the pool is not checked yet");
    measured.source = measured.target = digest_embedders(s);
    ES_TRY(make_key(s, es_pool_rowset(s->pool), &text, &key, err));
    ES_TRY(es_store_measured_put(s->store, &key, &measured, s->provenance, err));
done:
    es_buf_free(&text);
    return st;
}

typedef struct finding {
    es_digest embedders;
    es_growth_record *record;
    unsigned found; /* a bit a field */
} finding;

/* Takes one stored field of the growth of the sample, if it belongs to these embedders. */
static es_status read_sample_field(void *context, es_digest source, es_digest target, size_t field,
                                   const es_measure_value *value, es_error *err) {
    finding *f = context;
    (void)err;
    if (field >= FIELDS || !es_digest_equal(source, f->embedders) ||
        !es_digest_equal(target, f->embedders))
        return ES_OK;
    f->found |= 1U << field;
    if (field == SINCE)
        f->record->growth.since = value->value;
    else if (field == EXPECTED) {
        f->record->growth.expected = value->value;
        f->record->growth.low = value->low;
        f->record->growth.high = value->high;
    } else if (value->value >= ES_GROWTH_ON && value->value <= ES_GROWTH_TIME)
        f->record->end = (es_growth_end)value->value;
    return ES_OK;
}

es_status es_session_growth_list(es_session *s, es_growth_record **out, size_t *count,
                                 es_error *err) {
    enum { MOST = 64 }; /* sizes that double */
    es_growth_record *list = NULL;
    es_buf text = {0};
    size_t n = 0, rows = 0, used = s->pool && s->ready ? es_pool_rows(s->pool) : 0;
    finding f = {0};
    es_status st = ES_OK;
    *out = NULL;
    *count = 0;
    if (!s->store || used == 0 || s->m == 0 || used >= es_pool_rows_available(s->pool))
        return ES_OK;
    list = es_alloc(MOST, sizeof *list);
    ES_FAIL_IF(!list, es_no_memory(err));
    f.embedders = digest_embedders(s);
    for (size_t step = 0; step < MOST && rows < used; step++) {
        es_digest rowset;
        es_store_key key;
        if (es_pool_sample(s->pool, step, &rows, &rowset, NULL) != ES_OK || rows > used)
            break;
        list[n] = (es_growth_record){.rows = rows, .of = es_pool_rows_available(s->pool)};
        f.record = &list[n];
        f.found = 0;
        ES_TRY(make_key(s, rowset, &text, &key, err));
        ES_TRY(es_store_measured_load(s->store, &key, read_sample_field, &f, err));
        n += f.found == (1U << FIELDS) - 1;
    }
done:
    es_buf_free(&text);
    if (st == ES_OK && n > 0) {
        *out = list;
        *count = n;
    } else
        es_free(list);
    return st;
}
