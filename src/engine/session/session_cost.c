/* What pairs take, by the one model of it (core_estimators.h): work, for the queue, shares and the
 * time that is left; memory, of which every worker takes what its pair needs before it begins. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core_estimators.h"
#include "engine_session_parts.h"

static es_cost cost_of(const es_session *s, es_lease pair) {
    const es_entry *e = &s->entries[pair.entry];
    const es_results *r = e->results;
    const es_model *target = es_pool_model(s->pool, r->model[pair.target]);
    size_t source = pair.source < s->m ? pair.source : pair.source - s->m; /* a stand-in's target */
    es_pair_shape shape = {r->dim_used[source], r->dim_used[pair.target], target->kind};
    return es_estimator_cost(e->config.estimator, &e->problem, shape);
}

/* ---- work ---- */

/* Each pair bears its part of what is prepared once. Whole numbers, whose sums are exact. */
static double work_of(const es_session *s, es_lease pair) {
    es_cost c = cost_of(s, pair);
    return floor(c.pair_operations + (c.source_operations + c.target_operations) / (double)s->m) +
           1;
}

/* Thousands of embedders have millions of pairs and few widths: each is looked up. */
double es_pair_work(const void *session, es_lease pair) {
    const es_session *s = session;
    const es_entry *e = &s->entries[pair.entry];
    if (!e->work)
        return work_of(s, pair);
    size_t source = pair.source < s->m ? pair.source : pair.source - s->m;
    return e->work[e->shape[source] * e->shapes + e->shape[pair.target]];
}

static bool is_alike(const es_session *s, const es_results *r, size_t a, size_t b) {
    return r->dim_used[a] == r->dim_used[b] &&
           es_pool_model(s->pool, r->model[a])->kind == es_pool_model(s->pool, r->model[b])->kind;
}

static es_status table_costs(const es_session *s, size_t entry, es_error *err) {
    enum { SHAPES_MOST = 512 };
    es_entry *e = &s->entries[entry];
    const es_results *r = e->results;
    size_t example[SHAPES_MOST], count = 0;
    uint32_t *shape = es_alloc(s->m, sizeof *shape);
    if (!shape)
        return es_no_memory(err);
    for (size_t i = 0; i < s->m; i++) {
        size_t k = 0;
        while (k < count && !is_alike(s, r, example[k], i))
            k++;
        if (k == SHAPES_MOST) {
            es_free(shape);
            return ES_OK;
        }
        if (k == count)
            example[count++] = i;
        shape[i] = (uint32_t)k;
    }
    double *work = es_alloc(count * count, sizeof *work);
    if (!work) {
        es_free(shape);
        return es_no_memory(err);
    }
    for (size_t i = 0; i < count * count; i++)
        work[i] = work_of(s, (es_lease){entry, example[i / count], example[i % count]});
    e->shape = shape;
    e->work = work;
    e->shapes = count;
    return ES_OK;
}

es_status es_costs_settle(es_session *s, es_error *err) {
    es_status st = ES_OK;
    for (size_t e = 0; e < s->n_entries && st == ES_OK; e++)
        if (!s->entries[e].shape)
            st = table_costs(s, e, err);
    return st;
}

/* ---- a share of the pairs ----
 *
 * For machines that have nothing in common but the pool. All pairs are put in one row, source after
 * source, and the row is cut where equal parts of the work end. So a share is whole sources, except
 * its first and last, and every machine finds the same cuts by itself. */

static double row_work(const es_session *s, size_t entry, size_t i) {
    size_t t = i % s->m, source = i < s->m * s->m ? i / s->m : t;
    return es_pair_work(s, (es_lease){entry, source, t});
}

void es_share_cut(const es_session *s, size_t entry, size_t shares, uint32_t *number) {
    size_t count = s->m * s->m + (s->with_null ? s->m : 0);
    double all = 0, before = 0;
    for (size_t i = 0; i < count; i++)
        all += row_work(s, entry, i);
    for (size_t i = 0; i < count; i++) {
        double work = row_work(s, entry, i), share = (before + work / 2) / all * (double)shares;
        number[i] = (uint32_t)(share < (double)shares - 1 ? share : (double)shares - 1);
        before += work;
    }
}

/* ---- memory ---- */

/* What the program takes whatever the pairs: itself with its libraries, a thread with the buffers
 * of OpenBLAS, what is known of a pair. Measured (tests/bench/memory.py). */
static const double ITSELF = 48e6, A_THREAD = 24e6, A_PAIR = 160;

static double entry_bytes(const es_session *s, size_t entry) {
    double rows = s->with_pmi ? (double)s->entries[entry].split->n_eval : 0;
    return (double)s->m * (double)s->m * (A_PAIR + rows * sizeof(float));
}

static double standing_bytes(const es_session *s) {
    double bytes = ITSELF + A_THREAD * s->threads;
    for (size_t e = 0; e < s->n_entries; e++)
        bytes += entry_bytes(s, e);
    return bytes;
}

size_t es_pair_need(const es_session *s, es_lease pair, size_t *source) {
    es_cost c = cost_of(s, pair);
    bool null = es_is_null(s, pair); /* with its rows in another order */
    double order = null ? (double)es_pool_rows(s->pool) * sizeof(uint32_t) : 0;
    *source = (size_t)(c.source_bytes + order);
    double most = fmax(c.making_bytes, c.pair_bytes); /* never both at a time */
    return (size_t)(c.source_bytes + order + c.target_bytes + most);
}

size_t es_memory_allowed(size_t asked) {
    return asked > 0 ? asked : es_machine_memory() / 2;
}

es_status es_room_settle(es_session *s, es_error *err) {
    double left = (double)s->memory - standing_bytes(s);
    return es_room_new(left > 0 ? (size_t)left : 0, &s->room, err);
}

/* ---- pairs that cost the same ----
 *
 * Thousands of embedders have millions of pairs and few widths. Pairs of one source whose targets
 * have one width and kind are visited at once. */

typedef enum which_pairs { MISSING, MEASURED, ALL } which_pairs;

/* One of `count` pairs that cost the same. */
typedef void pair_visitor(void *context, const es_session *s, es_lease pair, size_t count);

static bool is_among(const es_entry *e, which_pairs which, size_t i) {
    const es_results *r = e->results;
    bool done = r->state[i] == ES_PAIR_DONE;
    return which == ALL ||
           (which == MISSING ? !done && (!e->only || e->only[i]) : done && isfinite(r->seconds[i]));
}

static es_status visit_pairs(const es_session *s, size_t entry, which_pairs which,
                             pair_visitor *visitor, void *context, es_error *err) {
    const es_entry *e = &s->entries[entry];
    size_t m = s->m, shapes = e->shape ? e->shapes : m;
    size_t *count = es_alloc_zero(2 * shapes + 1, sizeof *count);
    if (count == NULL)
        return es_no_memory(err);
    size_t *first = count + shapes;
    for (size_t source = 0; source < m; source++) {
        for (size_t t = 0; t < m; t++) {
            size_t k = e->shape ? e->shape[t] : t;
            if (is_among(e, which, source * m + t) && count[k]++ == 0)
                first[k] = t;
        }
        for (size_t k = 0; k < shapes; k++)
            if (count[k] > 0)
                visitor(context, s, (es_lease){entry, source, first[k]}, count[k]);
        memset(count, 0, shapes * sizeof *count);
    }
    es_free(count);
    return ES_OK;
}

/* Calls the visitor for all pairs and each zero line that are to be estimated and not done. */
static es_status visit_missing(const es_session *s, pair_visitor *visitor, void *context,
                               es_error *err) {
    es_status st = ES_OK;
    for (size_t e = 0; e < es_entries_wanted(s) && st == ES_OK; e++) {
        const es_results *r = s->entries[e].results;
        const uint8_t *only = s->entries[e].only;
        if (r == NULL) /* there was no memory for them */
            continue;
        st = visit_pairs(s, e, MISSING, visitor, context, err);
        for (size_t t = 0; s->with_null && t < s->m; t++)
            if (r->null[t].state != ES_PAIR_DONE && (!only || only[s->m * s->m + t]))
                visitor(context, s, (es_lease){e, s->m + t, t}, 1);
    }
    return st;
}

typedef struct heaviest {
    size_t bytes;
    es_lease pair;
} heaviest;

static void find_largest(void *context, const es_session *s, es_lease pair, size_t count) {
    heaviest *most = context;
    (void)count;
    size_t source, bytes = es_pair_need(s, pair, &source);
    if (bytes > most->bytes)
        *most = (heaviest){bytes, pair};
}

size_t es_bytes_text(char *out, size_t capacity, double bytes) {
    static const double mega = 1048576, giga = 1073741824; /* as --memory has them */
    bool large = bytes >= giga;
    int length = snprintf(out, capacity, "%.*f %s", large ? 1 : 0, bytes / (large ? giga : mega),
                          large ? "GB" : "MB");
    return length < 0 ? 0 : (size_t)length;
}

/* Two digits, rounded down: of rows that fit, in words for people. */
static size_t round_down(double rows) {
    double unit = rows < 100 ? 1 : pow(10, floor(log10(rows)) - 1);
    return (size_t)(floor(rows / unit) * unit);
}

es_status es_room_refuses(const es_session *s, const char *what, double bytes, bool by_rows,
                          es_error *err) {
    char need[32], allowed[32], rows[64] = "";
    double all = bytes + standing_bytes(s);
    if (!s->room || bytes <= (double)es_room_size(s->room))
        return ES_OK;
    size_t fit =
        round_down(0.9 * (double)es_pool_rows(s->pool) * (double)es_room_size(s->room) / bytes);
    (void)es_bytes_text(need, sizeof need, all);
    (void)es_bytes_text(allowed, sizeof allowed, (double)s->memory);
    if (by_rows && fit >= ES_SPLIT_MIN_ROWS)
        (void)snprintf(rows, sizeof rows, ", or fewer rows: --rows %zu", fit);
    return es_fail(err, ES_EUNSUPPORTED,
                   "%s needs %s of memory, but the limit is %s: use --memory %.0fM%s", what, need,
                   allowed, ceil(all * 1.02 / 1048576), rows);
}

/* Adds the estimator of the first entries to a refusal, if a plan of it alone fits. */
static void add_cheaper(const es_session *s, es_error *err) {
    const es_estimator *last = s->entries[s->n_entries - 1].config.estimator, *of = NULL;
    for (size_t e = 0; e < s->n_entries && !of; e++) {
        heaviest most = {0, {0, 0, 0}};
        if (s->entries[e].config.estimator == last ||
            visit_pairs(s, e, ALL, find_largest, &most, NULL) != ES_OK)
            continue;
        double bytes = ITSELF + A_THREAD * s->threads + entry_bytes(s, e) + (double)most.bytes;
        of = bytes <= (double)s->memory ? s->entries[e].config.estimator : NULL;
    }
    if (of && err) {
        const es_error why = *err;
        es_error_set(err, why.code, "%s, or --estimator %s", why.message, of->name);
    }
}

es_status es_session_fits(const es_session *s, es_error *err) {
    heaviest most = {0, {0, 0, 0}};
    char what[256];
    if (!s->room) /* it is known once all embedders are read */
        return ES_OK;
    es_status st = visit_missing(s, find_largest, &most, err);
    if (st != ES_OK || most.bytes == 0)
        return st;
    const es_results *r = s->entries[most.pair.entry].results;
    (void)snprintf(what, sizeof what, "%s of %s from %s", r->estimator->name,
                   r->name[most.pair.target], r->name[most.pair.source % s->m]);
    st = es_room_refuses(s, what, (double)most.bytes, true, err);
    if (st == ES_EUNSUPPORTED)
        add_cheaper(s, err);
    return st;
}

double es_room_standing(const es_session *s) {
    return standing_bytes(s);
}

/* ---- a plan ---- */

static const double SHARE = 0.4; /* of the peak of one thread */

static void add_work(void *sum, const es_session *s, es_lease pair, size_t count) {
    *(double *)sum += (double)count * es_pair_work(s, pair);
}

/* One thread's operations in a second: of this entry's pairs that are known; else of the entry
 * before it, and of the first by a share of the processor's peak, since narrow products and what is
 * no product are slower than that. */
static es_status rate_of(const es_session *s, size_t entry, double before, bool *measured,
                         double *rate, es_error *err) {
    const es_entry *e = &s->entries[entry];
    double work = 0, seconds = 0;
    es_status st = visit_pairs(s, entry, MEASURED, add_work, &work, err);
    for (size_t i = 0; i < s->m * s->m; i++)
        if (is_among(e, MEASURED, i))
            seconds += e->results->seconds[i];
    *measured = seconds > 0;
    *rate = *measured ? work / seconds : before;
    return st;
}

/* Adds the work and memory of pairs to the sums. */
static void add_pairs(void *outlook, const es_session *s, es_lease pair, size_t count) {
    size_t source, need = es_pair_need(s, pair, &source);
    es_outlook_part *part = &((es_outlook *)outlook)->part[pair.entry % ES_OUTLOOK_PARTS];
    part->pairs += count;
    part->operations += (double)count * es_pair_work(s, pair);
    part->largest = fmax(part->largest, (double)need);
}

/* Returns how many of the largest pairs fit in memory at a time. */
static double threads_that_fit(const es_session *s, double largest) {
    double threads = s->threads, room = (double)es_room_size(s->room);
    double fit = largest > 0 ? floor(room / largest) : threads;
    return fit < 1 ? 1 : fit < threads ? fit : threads;
}

/* The seconds of one thread for the costliest share of so many, with what it has to prepare: its
 * own sources, and every target that it meets. */
static es_status largest_share(const es_session *s, size_t nodes, const double *rate, double *out,
                               es_error *err) {
    size_t m = s->m;
    uint32_t *number = es_alloc(m * m + m, sizeof *number);
    double *sum = es_alloc_zero(nodes, sizeof *sum);
    size_t *seen = es_alloc_zero(nodes, sizeof *seen); /* the source or target counted last, + 1 */
    es_status st = ES_OK;
    ES_FAIL_IF(!number || !sum || !seen, es_no_memory(err));
    for (size_t e = 0; e < es_entries_wanted(s); e++) {
        es_share_cut(s, e, nodes, number);
        for (size_t side = 0; side < 2; side++)
            for (size_t i = 0; i < m * m; i++) {
                size_t source = side ? i % m : i / m, target = side ? i / m : i % m;
                size_t k = number[source * m + target], which = (2 * e + side) * m + i / m + 1;
                es_cost c = cost_of(s, (es_lease){e, source, target});
                double once = side ? c.target_operations : c.source_operations;
                sum[k] +=
                    ((seen[k] != which ? once : 0) + (side ? 0 : c.pair_operations)) / rate[e];
                seen[k] = which;
            }
    }
    *out = 0;
    for (size_t k = 0; k < nodes; k++)
        *out = fmax(*out, sum[k]);
done:
    es_free(number);
    es_free(sum);
    es_free(seen);
    return st;
}

/* Returns the bytes of all prepared states together. */
static double state_bytes(const es_session *s) {
    double sum = 0;
    for (size_t e = 0; e < es_entries_wanted(s); e++)
        for (size_t i = 0; i < s->m; i++) {
            es_cost c = cost_of(s, (es_lease){e, i, i});
            sum += c.source_bytes + c.target_bytes;
        }
    return sum;
}

/* Returns the peak memory with as many of the largest pairs at a time as there are threads. */
static double peak_of(const es_session *s, double largest) {
    double room = (double)es_room_size(s->room), at_once = threads_that_fit(s, largest);
    double cache = fmin((double)es_cache_budget(es_room_size(s->room)), state_bytes(s));
    return standing_bytes(s) + fmin(at_once * largest + cache, fmax(room, largest));
}

bool es_session_memory(const es_session *s, double *allowed, double *peak) {
    if (!s || !s->room || s->m == 0)
        return false;
    double largest = 0;
    for (size_t e = 0; e < es_entries_wanted(s); e++) {
        size_t from = 0, to = 0, held;
        for (size_t i = 1; i < s->m; i++) {
            const es_cost best = cost_of(s, (es_lease){e, from, from});
            const es_cost other = cost_of(s, (es_lease){e, i, i});
            from = other.source_bytes > best.source_bytes ? i : from;
            const es_cost target = cost_of(s, (es_lease){e, to, to});
            to = other.target_bytes + other.pair_bytes > target.target_bytes + target.pair_bytes
                     ? i
                     : to;
        }
        largest = fmax(largest, (double)es_pair_need(s, (es_lease){e, from, to}, &held));
    }
    *allowed = (double)s->memory;
    *peak = peak_of(s, largest);
    return true;
}

/* Estimates seconds and peak memory of what is missing on so many nodes. */
static es_status estimate_outlook(const es_session *s, double peak, size_t nodes, es_outlook *out,
                                  es_error *err) {
    es_outlook o = {.memory = (double)s->memory};
    es_status st = ES_OK;
    double *rate = es_alloc(s->n_entries, sizeof *rate);
    if (!rate)
        return es_no_memory(err);
    o.measured = true;
    for (size_t e = 0; e < s->n_entries; e++) {
        bool measured = false;
        ES_TRY(rate_of(s, e, e > 0 ? rate[e - 1] : SHARE * peak, &measured, &rate[e], err));
        o.measured = o.measured && (measured || e >= es_entries_wanted(s));
    }
    o.parts = s->n_entries < ES_OUTLOOK_PARTS ? s->n_entries : ES_OUTLOOK_PARTS;
    ES_TRY(visit_missing(s, add_pairs, &o, err));
    for (size_t e = 0; e < o.parts; e++) {
        ES_TRY(visit_pairs(s, e, ALL, add_work, &o.part[e].whole, err));
        o.part[e].whole /= rate[e];
        if (o.part[e].pairs > 0) /* else 0, whatever the rate */
            o.part[e].seconds = o.part[e].operations / rate[e];
        o.pairs += o.part[e].pairs;
        o.operations += o.part[e].operations;
        o.seconds += o.part[e].seconds;
        o.largest = fmax(o.largest, o.part[e].largest);
    }
    o.threads = s->threads;
    double at_once = threads_that_fit(s, o.largest);
    o.at_once = (unsigned)at_once;
    o.rate = o.seconds > 0 ? o.operations / o.seconds : peak;
    o.seconds /= at_once;
    o.standing = standing_bytes(s);
    o.peak = o.pairs == 0 ? 0 : peak_of(s, o.largest);
    o.nodes = nodes;
    if (nodes > 0) {
        double alone = 0;
        ES_TRY(largest_share(s, 1, rate, &alone, err));
        ES_TRY(largest_share(s, nodes, rate, &o.node_seconds, err));
        o.speed_up = alone / o.node_seconds;
        o.node_seconds /= at_once;
    }
    *out = o;
done:
    es_free(rate);
    return st;
}

es_status es_session_outlook(const es_session *s, size_t nodes, es_outlook *out, es_error *err) {
    if (!s || !s->room || s->m == 0)
        return es_fail(err, ES_EINVAL, "the pool has not been checked yet");
    return estimate_outlook(s, 1e9 * es_blas_measure(), nodes, out, err);
}

static es_status measure_rate(void *data, es_run *run, es_error *err) {
    (void)run;
    (void)err;
    *(double *)data = 1e9 * es_blas_measure();
    return ES_OK;
}

bool es_session_told(es_session *s, es_outlook *out) {
    static const es_latest_task_kind kind = {measure_rate, NULL, 1.0, "the machine's rate"};
    const double *rate = s ? s->rate.newest : NULL;
    es_outlook o;
    if (s && !rate && s->rate.job) /* being measured, which takes a second */
        return false;
    if (!s || !s->room || s->m == 0 ||
        estimate_outlook(s, rate ? *rate : (double)NAN, 0, &o, NULL) != ES_OK)
        return false;
    if (rate || o.measured || o.pairs == 0) {
        *out = o;
        return true;
    }
    double *place = s->rate.job ? NULL : es_alloc(1, sizeof *place);
    if (place)
        (void)es_latest_task_start(&s->rate, s->workers, s->log, &kind, place, 0, NULL);
    return false;
}

/* ---- measures ---- */

/* Measures in the room that pairs of estimators are in, too. */

/* All columns, as measures read them. */
static size_t columns_of(const es_session *s, size_t position) {
    return es_pool_model(s->pool, es_session_results(s, 0)->model[position])->dim;
}

size_t es_measure_room_budget(const es_session *s) {
    return es_cache_budget(s->room ? es_room_size(s->room) : s->memory / 2);
}

size_t es_measure_room_keeps(const es_session *s) {
    size_t bytes = es_cache_rows(es_measure_room_budget(s));
    return bytes > 0 ? bytes : 1;
}

double es_measure_room_side(const es_session *s, const es_measure *measure, const double *values,
                            size_t model) {
    size_t d = columns_of(s, model);
    return es_measure_memory_of(measure, es_pool_rows(s->pool), d, d, es_measure_room_keeps(s),
                                values)
        .side;
}

double es_measure_room_of(const es_session *s, const es_measure *measure, const double *values,
                          size_t source, size_t target) {
    size_t n = es_pool_rows(s->pool), d = columns_of(s, source), keep = es_measure_room_keeps(s);
    size_t other = target == SIZE_MAX ? d : columns_of(s, target);
    es_measure_memory a = es_measure_memory_of(measure, n, d, other, keep, values);
    if (target == SIZE_MAX)
        return a.making;
    es_measure_memory b = es_measure_memory_of(measure, n, other, d, keep, values);
    return a.side + b.side + fmax(fmax(a.making, b.making), fmax(a.pair, b.pair));
}

/* More columns never take less, but by a little where rows cease to be more than they. */
double es_measure_room_most(const es_session *s, const es_measure *measure, const double *values) {
    double most = 0;
    size_t widest = 0;
    for (size_t i = 0; i < s->m; i++)
        widest = columns_of(s, i) > columns_of(s, widest) ? i : widest;
    for (size_t i = 0; i < s->m; i++)
        most = fmax(most,
                    es_measure_room_of(s, measure, values, i, measure->pair ? widest : SIZE_MAX));
    return most;
}

es_status es_measure_room_fits(const es_session *s, const es_measure *measure, const double *values,
                               const char *name, es_error *err) {
    return es_room_refuses(s, name, es_measure_room_most(s, measure, values), true, err);
}

es_status es_measure_room_enter(es_session *s, double bytes, const es_run *run, size_t *held,
                                es_error *err) {
    while (s->room && !es_room_take(s->room, held, (size_t)bytes)) {
        es_status st = es_run_check(run, err);
        if (st != ES_OK)
            return st;
        es_room_wait(s->room);
    }
    if (s->cache) /* prepared states that nobody holds make way */
        es_cache_spare(s->cache, es_room_left(s->room) / 2);
    return ES_OK;
}

void es_measure_room_leave(es_session *s, size_t *held) {
    if (s->room)
        (void)es_room_take(s->room, held, 0);
}
