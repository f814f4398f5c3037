#include <math.h>
#include <stdlib.h>

#include "alloc.h"
#include "clock.h"
#include "session_internal.h"

/* Seconds of running time over which the rate is taken. */
enum { RATE_WINDOW = 20 };

static es_results *results_of(es_session *s, es_claim pair) {
    return s->entries[pair.entry].results;
}

static uint8_t *state_of(es_session *s, es_claim pair) {
    es_results *r = results_of(s, pair);
    return es_is_null(s, pair) ? &r->null[pair.target].state
                               : &r->state[pair.source * r->m + pair.target];
}

es_pair_state es_pair_state_of(es_session *s, es_claim pair) {
    return (es_pair_state)*state_of(s, pair);
}

bool es_entry_known(const es_entry *entry) {
    const es_results *r = entry->results;
    return r && r->done + r->failed == r->m * r->m;
}

bool es_entry_complete(const es_session *s, const es_entry *entry) {
    const es_results *r = entry->results;
    return es_entry_known(entry) && (!s->with_null || r->null_done + r->null_failed == r->m);
}

/* ---- queueing ---- */

bool es_work_active(const es_session *s) {
    return s->board && (s->tickets > 0 || es_pair_queue_left(s->board) > 0);
}

void es_work_clock(es_session *s) {
    bool on = es_work_active(s) && !s->paused;
    double now = es_clock_now();
    if (on && s->since == 0)
        s->since = now;
    if (!on && s->since != 0) {
        s->elapsed += now - s->since;
        s->since = 0;
    }
}

double es_session_running_time(const es_session *s) {
    return s->elapsed + (s->since != 0 ? es_clock_now() - s->since : 0);
}

static es_status add_ticket(es_session *s, es_error *err) {
    es_ticket *ticket = es_alloc_zero(1, sizeof *ticket);
    if (!ticket)
        return es_no_memory(err);
    ticket->item = (es_item){ES_ITEM_TICKET, s};
    ticket->pair.source = SIZE_MAX;
    es_status st = es_workers_add(s->workers, es_work_run, ticket, 0, 0, NULL, err);
    if (st == ES_OK)
        s->tickets++;
    else
        es_item_free(&ticket->item);
    return st;
}

es_status es_work_top_up(es_session *s, es_error *err) {
    if (!s->board || !s->ready || s->paused)
        return ES_OK;
    es_error error = {0};
    es_status st = ES_OK;
    size_t left = es_pair_queue_left(s->board), threads = es_workers_threads(s->workers);
    for (; s->tickets < threads && left > 0 && st == ES_OK; left--)
        st = add_ticket(s, &error);
    if (st == ES_OK || s->tickets > 0)
        return ES_OK; /* those under way do the rest */
    es_pair_queue_clear(s->board);
    s->wanted = false;
    s->stopped = error;
    s->stopped.code = st;
    es_log_write(s->log, ES_LOG_ERROR, "stopped: %s", error.message);
    return es_fail(err, st, "%s", error.message);
}

size_t es_work_want(es_session *s) {
    size_t wanted = 0;
    for (size_t e = 0; e < s->n_entries; e++) {
        for (size_t i = 0; i < s->m * s->m; i++)
            if (s->entries[e].results->state[i] == ES_PAIR_PENDING)
                wanted += es_pair_queue_want(s->board, (es_claim){e, i / s->m, i % s->m});
        for (size_t t = 0; t < s->m && s->with_null; t++)
            if (s->entries[e].results->null[t].state == ES_PAIR_PENDING)
                wanted += es_pair_queue_want(s->board, (es_claim){e, s->m + t, t});
    }
    return wanted;
}

void es_pair_reset(es_session *s, es_claim pair) {
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
    r->revision++;
}

/* Record a failure, with a word in the log. Without memory the pair stays pending. */
static void fail_pair(es_session *s, es_claim pair, const char *reason) {
    es_results *r = results_of(s, pair);
    bool null = es_is_null(s, pair);
    es_status st = null ? es_results_fail_null(r, pair.target, reason, NULL)
                        : es_results_fail(r, pair.source, pair.target, reason, NULL);
    if (st == ES_OK)
        es_log_write(s->log, ES_LOG_WARN, "%s: %s -> %s: %s", r->estimator->name,
                     null ? "zero line" : r->name[pair.source], r->name[pair.target], reason);
}

/* ---- which pairs first ---- */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Median of n values, which are sorted on the way; NAN for none. */
static double median(double *values, size_t n) {
    if (n == 0)
        return (double)NAN;
    qsort(values, n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

/* The known values of a source's row without itself. */
static size_t row_values(const es_results *r, const double *from, size_t source, double *out) {
    size_t n = 0;
    for (size_t t = 0; t < r->m; t++)
        if (t != source && r->state[source * r->m + t] == ES_PAIR_DONE)
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
        score[i] = median(row, row_values(preview, preview->is, i, row));
        se[i] = median(row, row_values(preview, preview->se, i, row));
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
    if (es_pair_queue_rank(s->board, entry, sources, targets, NULL) == ES_OK)
        s->entries[entry].ranked = true;
    es_free(block);
}

static void rank_entries(es_session *s) {
    for (size_t e = 1; e < s->n_entries; e++)
        if (!s->entries[e].ranked && es_entry_known(&s->entries[e - 1]))
            rank_by_preview(s, e, s->entries[e - 1].results);
}

/* ---- events ---- */

void es_item_free(es_item *item) {
    if (!item)
        return;
    if (item->kind == ES_ITEM_CHECK) {
        es_model_check_deinit(&((es_check_item *)item)->check);
    } else if (item->kind == ES_ITEM_STORED) {
        es_stored_item *batch = (es_stored_item *)item;
        for (size_t i = 0; i < batch->count; i++) {
            es_free(batch->pairs[i].reason);
            es_free(batch->pairs[i].result.pmi);
        }
    } else if (item->kind == ES_ITEM_INTERVALS) {
        es_free(((es_intervals_item *)item)->is);
        es_free(((es_intervals_item *)item)->order);
        es_free(((es_intervals_item *)item)->pmi);
        es_intervals_free(((es_intervals_item *)item)->out);
    } else if (item->kind == ES_ITEM_PAIR || item->kind == ES_ITEM_UNDONE) {
        es_free(((es_pair_item *)item)->reason);
        es_free(((es_pair_item *)item)->result.pmi);
    }
    if (item->kind == ES_ITEM_MEASURE || item->kind == ES_ITEM_MEASURED_PAIR)
        es_free(((es_measured_item *)item)->reason);
    if (item->kind == ES_ITEM_WORST)
        es_worst_item_deinit((es_worst_item *)item);
    if (item->kind == ES_ITEM_BASELINE)
        es_l2_baseline_deinit(&((es_baseline_item *)item)->out);
    if (item->kind == ES_ITEM_DERIVE)
        es_derived_deinit(&((es_derive_item *)item)->out);
    es_free(item);
}

static void set_problem(es_session *s, es_status st, const es_error *error) {
    if (s->problem.code != ES_OK)
        return;
    s->problem = *error;
    s->problem.code = st;
    es_log_write(s->log, ES_LOG_ERROR, "%s", error->message);
}

static void get_ready(es_session *s) {
    s->ready = true;
    if (s->read_only) {
        es_workers_resize(s->workers, 0, NULL);
        return;
    }
    es_workers_pause(s->workers, s->paused);
    rank_entries(s);
    es_session_log_ready(s);
    if (s->wanted)
        es_session_log_start(s, es_work_want(s));
    es_work_top_up(s, NULL);
}

static void end_checks(es_session *s) {
    es_error error = {0};
    es_status st = es_session_settle(s, &error);
    if (st == ES_OK && s->store && !s->refresh)
        st = es_load_start(s, &error);
    if (st != ES_OK)
        set_problem(s, st, &error);
    else if (s->loads == 0)
        get_ready(s);
}

static void apply_check(es_session *s, const es_check_item *c, es_status st, es_error *error) {
    if (st == ES_OK)
        st = es_pool_apply(s->pool, c->model, &c->check, error);
    if (st != ES_OK)
        set_problem(s, st, error);
    if (++s->checked == s->checks && s->problem.code == ES_OK)
        end_checks(s);
}

static void apply_load(es_session *s, es_status st, const es_error *error) {
    if (st != ES_OK && st != ES_ECANCELED) {
        es_log_write(s->log, ES_LOG_ERROR, "%s", error->message);
        pthread_mutex_lock(&s->lock);
        s->store_problem = *error;
        s->store_problem.code = st;
        pthread_mutex_unlock(&s->lock);
    }
    if (--s->loads == 0)
        get_ready(s);
}

static void add_lap(es_session *s, const es_pair_item *item) {
    double cost = es_pair_queue_cost(s->board, item->pair.source, item->pair.target);
    es_entry *e = &s->entries[item->pair.entry];
    e->cost_done += cost;
    e->seconds_done += item->seconds;
    s->laps[s->n_laps++ % ES_LAPS] = (es_lap){es_session_running_time(s), cost, item->pair.entry};
}

/* Takes the item's pmi where it is kept. */
static void apply_pair(es_session *s, es_pair_item *item) {
    es_results *r = results_of(s, item->pair);
    es_error error = {0};
    if (*state_of(s, item->pair) == ES_PAIR_RUNNING)
        es_pair_reset(s, item->pair);
    es_status st = ES_OK;
    bool null = es_is_null(s, item->pair);
    if (!item->failed)
        st = null ? es_results_put_null(r, item->pair.target, &item->result, &error)
                  : es_results_put(r, item->pair.source, item->pair.target, &item->result,
                                   item->seconds, &error);
    if (item->failed || st != ES_OK) {
        fail_pair(s, item->pair, item->failed ? item->reason : error.message);
        es_session_log_pair(s, item->pair.entry);
        return;
    }
    if (!null) /* of the zero line the mean is enough */
        item->result.pmi = NULL;
    s->reused += item->reused;
    if (!item->reused)
        es_session_log_pair(s, item->pair.entry);
}

static void apply_begun(es_session *s, es_claim pair) {
    uint8_t *state = state_of(s, pair);
    if (*state != ES_PAIR_PENDING)
        return;
    *state = ES_PAIR_RUNNING;
    s->running++;
    results_of(s, pair)->revision++;
}

/* Cancelled; wanted again when a start came after the cancel. */
static void apply_undone(es_session *s, es_claim pair) {
    es_pair_reset(s, pair);
    if (s->wanted)
        es_pair_queue_want(s->board, pair);
}

static void apply_ticket(es_session *s, const es_ticket *ticket, es_status st,
                         const es_error *error) {
    s->tickets--;
    if (ticket->open && st != ES_ECANCELED) {
        es_pair_reset(s, ticket->pair);
        fail_pair(s, ticket->pair, error->message);
    } else if (ticket->open) {
        apply_undone(s, ticket->pair);
    }
    if (s->tickets == 0 && es_pair_queue_left(s->board) == 0)
        es_cache_clear(s->cache);
    es_work_top_up(s, NULL);
}

static void apply(es_session *s, es_event *event) {
    es_item *item = event->data;
    switch (item->kind) {
    case ES_ITEM_CHECK:
        apply_check(s, (es_check_item *)item, event->status, &event->error);
        break;
    case ES_ITEM_LOAD:
        apply_load(s, event->status, &event->error);
        break;
    case ES_ITEM_TICKET:
        apply_ticket(s, (es_ticket *)item, event->status, &event->error);
        break;
    case ES_ITEM_STORED:
        for (size_t i = 0; i < ((es_stored_item *)item)->count; i++)
            apply_pair(s, &((es_stored_item *)item)->pairs[i]);
        break;
    case ES_ITEM_BEGUN:
        apply_begun(s, ((es_pair_item *)item)->pair);
        break;
    case ES_ITEM_UNDONE:
        apply_undone(s, ((es_pair_item *)item)->pair);
        break;
    case ES_ITEM_PAIR:
        apply_pair(s, (es_pair_item *)item);
        if (!((es_pair_item *)item)->failed && !((es_pair_item *)item)->reused)
            add_lap(s, (es_pair_item *)item);
        rank_entries(s);
        break;
    case ES_ITEM_INTERVALS:
        es_sure_apply(s, (es_intervals_item *)item, event->job, event->status, &event->error);
        break;
    case ES_ITEM_WORST:
        es_worst_apply(s, (es_worst_item *)item, event->job, event->status, &event->error);
        break;
    case ES_ITEM_PREPARE:
        es_prepare_apply(s, event->status, &event->error);
        break;
    case ES_ITEM_BASELINE:
        es_baseline_apply(s, (es_baseline_item *)item, event->status, &event->error);
        break;
    case ES_ITEM_DERIVE: /* kept until it was told */
        s->derive_over = true;
        s->derive_error = event->error;
        s->derive_error.code = event->status;
        return;
    case ES_ITEM_MEASURE:
        es_measure_apply(s, (es_measured_item *)item, event->status, &event->error);
        break;
    case ES_ITEM_MEASURED_PAIR:
        es_measure_apply(s, (es_measured_item *)item, ES_OK, NULL);
        break;
    case ES_ITEM_MEASURE_TICKET:
        es_measure_ticket_apply(s, (es_measure_ticket *)item, event->status, &event->error);
        break;
    }
    es_item_free(item);
}

size_t es_session_pump(es_session *s, double budget_ms) {
    if (!s->workers)
        return 0;
    double until = es_clock_now() + budget_ms / 1000;
    size_t applied = 0;
    for (es_event event; es_workers_next(s->workers, &event); applied++) {
        apply(s, &event);
        if (budget_ms > 0 && es_clock_now() >= until) {
            applied++;
            break;
        }
    }
    es_work_clock(s);
    return applied;
}

/* ---- progress ---- */

/* Pairs and cost per second of running time, of late: of all entries, or of the stretch in which
 * `entry` was worked at last. */
static void recent(const es_session *s, size_t entry, double *pairs, double *cost) {
    double now = es_session_running_time(s), from = now > RATE_WINDOW ? now - RATE_WINDOW : 0;
    size_t kept = s->n_laps < ES_LAPS ? s->n_laps : ES_LAPS, n = 0;
    double sum = 0;
    for (size_t k = 1; k <= kept; k++) {
        const es_lap *lap = &s->laps[(s->n_laps - k) % ES_LAPS];
        if (lap->time < from)
            break;
        if (entry != SIZE_MAX && lap->entry != entry) {
            from = lap->time;
            break;
        }
        if (k == ES_LAPS)
            from = lap->time;
        sum += lap->cost;
        n++;
    }
    bool enough = n > 0 && now - from > 0;
    *pairs = enough ? (double)n / (now - from) : 0;
    *cost = enough ? sum / (now - from) : 0;
}

/* Seconds for what is left; NAN while an entry's speed is not known. */
static double remaining_time(const es_session *s) {
    double sum = 0;
    unsigned threads = es_workers_threads(s->workers);
    for (size_t e = 0; e < s->n_entries; e++) {
        double left = es_pair_queue_cost_left(s->board, e);
        if (left <= 0)
            continue;
        double pairs, rate;
        recent(s, e, &pairs, &rate);
        const es_entry *entry = &s->entries[e];
        if (rate > 0)
            sum += left / rate;
        else if (entry->cost_done > 0 && threads > 0)
            sum += left * entry->seconds_done / entry->cost_done / threads;
        else
            return (double)NAN;
    }
    return sum;
}

void es_session_progress(const es_session *s, es_progress *out) {
    es_progress p = {.checked = s->checked, .to_check = s->checks, .eta = (double)NAN};
    p.running = s->running;
    p.reused = s->reused;
    for (size_t e = 0; e < s->n_entries; e++) {
        const es_results *r = s->entries[e].results;
        if (!r)
            continue;
        size_t nulls = s->with_null ? r->m : r->null_done + r->null_failed;
        p.nulls += nulls;
        p.total += r->m * r->m + nulls;
        p.done += r->done + r->null_done;
        p.failed += r->failed + r->null_failed;
    }
    if (s->matrix) {
        p.total = s->matrix->m * s->matrix->m;
        p.done = s->matrix->done;
    }
    if (s->board) {
        double cost;
        p.queued = es_pair_queue_left(s->board);
        p.elapsed = es_session_running_time(s);
        recent(s, SIZE_MAX, &p.rate, &cost);
        if (es_work_active(s))
            p.eta = remaining_time(s);
    }
    *out = p;
}
