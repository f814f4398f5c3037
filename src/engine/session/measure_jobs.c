/* Jobs of measures.
 *
 * Embedder measures are a job an embedder. Pairwise ones go through a list of pairs that is worked
 * by one job a thread, in blocks of embedders whose prepared sides fit the cache. Each finished
 * value is committed to the store by the worker, then posted to the owner. Jobs read what `fixed`
 * says; the rest is the owner's. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "engine_session_parts.h"

/* Above the work on pairs of estimators, which gives way: a measure was asked for by name and takes
 * seconds. */
#define PRIORITY 0.5

#define NO_MEMBER "derived: included only by --with-derived"

/* A list of pairs that the tickets of all threads work through. */
typedef struct es_pairing {
    es_session *session;
    struct measure_entry *entry;
    uint32_t (*pair)[2]; /* (count) */
    size_t count;
    atomic_size_t next;
    es_cache *cache;
    size_t tickets; /* the owner's */
    bool stopped;
    bool rereads; /* sides may read their rows again for a pair */
} pairing;

/* What embedders are measured against; made by whichever job needs it first. */
typedef struct es_pooling {
    es_session *session;
    struct measure_entry *entry;
    es_cache *cache; /* of one state */
} pooling;

/** Values of a measure, for an embedder (source and target are the same) or a pair. */
typedef struct measured_item {
    es_item item;
    es_session *session;
    measure_entry *entry;
    size_t source, target;
    char *reason;                                  /* of a failure of this pair alone; NULL: none */
    es_measure_value value[ES_MEASURE_FIELDS + 1]; /* behind the fields: the seconds it took */
} measured_item;

typedef struct measure_ticket {
    es_item item;
    size_t number;
    pairing *pairing;
} measure_ticket;

static void pairing_free(pairing *p) {
    if (!p)
        return;
    es_cache_free(p->cache);
    es_free(p->pair);
    es_free(p);
}

/* ---- what workers tell ---- */

/* What was shared goes with the last job. */
static void pooling_end(const measure_entry *e) {
    for (size_t i = 0; i < e->shown.m; i++)
        if (e->job[i])
            return;
    if (e->pooling)
        es_cache_clear(e->pooling->cache);
}

/* An embedder's job has ended, or one pair of a ticket's. */
static void end_values(es_item *base, const es_event *event) {
    const measured_item *item = (measured_item *)base;
    measure_entry *e = item->entry;
    es_measured *r = &e->shown;
    if (event->final) {
        e->job[item->source] = NULL;
        r->state[item->source] = ES_PAIR_PENDING;
        r->revision++;
        pooling_end(e);
    }
    if (event->status == ES_ECANCELED)
        return;
    const char *reason = event->status != ES_OK ? event->error.message : item->reason;
    if (reason) {
        es_measured_fail(r, item->source, item->target, reason);
        const es_results *names = es_session_results(item->session, 0);
        es_log_write(item->session->log, ES_LOG_WARN, "%s: %s: %s", r->name,
                     names->name[item->source], reason);
    } else {
        es_measured_put(r, item->source, item->target, item->value);
        es_measured_took(r, item->value[r->measure->n_fields].value);
    }
}

static void values_deinit(es_item *base) {
    es_free(((measured_item *)base)->reason);
}

static measured_item *new_item(es_session *s, measure_entry *e, size_t source, size_t target) {
    measured_item *item = es_alloc_zero(1, sizeof *item);
    if (item)
        *item = (measured_item){.item = {end_values, values_deinit},
                                .session = s,
                                .entry = e,
                                .source = source,
                                .target = target};
    return item;
}

/* ---- jobs ---- */

/* All columns of an embedder, constant ones too, as the definitions have it. */
es_status es_session_matrix(es_session *s, size_t model, es_matrix *out, es_error *err) {
    return es_pool_matrix(s->pool, es_session_results(s, 0)->model[model], NULL, out, err);
}

/* With the seconds since `began`, as one more field. */
static void keep(es_session *s, const measure_entry *e, double began, measured_item *item) {
    size_t fields = e->shown.measure->n_fields;
    const es_store_measured m = {s->sources.digest[item->source], s->sources.digest[item->target],
                                 fields + 1, item->value};
    es_error error = {0};
    item->value[fields] = (es_measure_value){es_clock_thread() - began, NAN, NAN, NULL, NULL};
    if (!s->store || s->read_only)
        return;
    es_status st = es_store_measured_put(s->store, &e->key, &m, s->provenance, &error);
    if (st != ES_OK)
        es_save_note_lost(s, st, &error);
}

bool es_measure_is_member(const es_session *s, size_t model) {
    return s->with_derived || !es_results_is_derived(es_session_results(s, 0), model);
}

/* Member number k. */
static es_status read_one(void *context, size_t k, es_matrix *out, es_error *err) {
    es_session *s = context;
    size_t model = 0;
    for (size_t before = 0; model < s->m; model++)
        if (es_measure_is_member(s, model) && before++ == k)
            break;
    return es_session_matrix(s, model, out, err);
}

/* Prepares, for the cache, what a measure of one among all needs of all embedders. */
static es_status make_pool(void *context, size_t entry, es_cache_kind kind, size_t model,
                           es_run *run, void **out, es_error *err) {
    const pooling *p = context;
    es_embedders all = {0, p->session, read_one};
    for (size_t i = 0; i < p->session->m; i++)
        all.count += es_measure_is_member(p->session, i);
    (void)entry;
    (void)kind;
    (void)model;
    return p->entry->shown.measure->pool_new(&all, &p->entry->given, p->entry->values, run, out,
                                             err);
}

static size_t pool_bytes(void *context, size_t entry, es_cache_kind kind, const void *pool) {
    (void)entry;
    (void)kind;
    return ((const pooling *)context)->entry->shown.measure->pool_bytes(pool);
}

static void drop_pool(void *context, size_t entry, es_cache_kind kind, void *pool) {
    (void)entry;
    (void)kind;
    ((const pooling *)context)->entry->shown.measure->pool_free(pool);
}

static es_status pooling_begin(es_session *s, measure_entry *e, es_error *err) {
    if (e->pooling || !e->shown.measure->among)
        return ES_OK;
    pooling *p = es_alloc_zero(1, sizeof *p);
    if (!p)
        return es_no_memory(err);
    *p = (pooling){.session = s, .entry = e};
    const es_cache_maker maker = {p, make_pool, pool_bytes, drop_pool};
    es_status st = es_cache_new(1, 1, es_measure_room_budget(s), &maker, &p->cache, err);
    if (st == ES_OK)
        e->pooling = p;
    else
        es_free(p);
    return st;
}

/* Of one embedder, by itself or among all. */
static es_status measure_one(const measured_item *item, const es_measure_data *given,
                             const es_matrix *m, es_run *run, es_measure_value *out,
                             es_error *err) {
    const measure_entry *e = item->entry;
    const es_measure *measure = e->shown.measure;
    const void *pool = NULL;
    if (!measure->among)
        return es_measure_embedder(measure, m, given, e->values, run, out, err);
    if (!es_measure_is_member(item->session, item->source)) {
        for (size_t f = 0; f < measure->n_fields; f++)
            out[f] = es_measure_value_of(es_stat_undefined(NO_MEMBER));
        return ES_OK;
    }
    es_status st = es_cache_hold(e->pooling->cache, 0, ES_CACHE_SOURCE, 0, run, &pool, err);
    if (st != ES_OK)
        return st;
    es_measure_undefined(measure, out);
    st = measure->among(pool, m, run, out, err);
    es_cache_release(e->pooling->cache, 0, ES_CACHE_SOURCE, 0, true);
    return st;
}

es_status es_session_measure_queries(es_session *s, size_t model, es_measure_data *data,
                                     es_matrix *queries, es_error *err) {
    *queries = (es_matrix){0};
    if (!data->own_queries)
        return ES_OK;
    es_status st = es_pool_queries(s->pool, es_session_results(s, 0)->model[model], queries, err);
    data->query_vectors = queries;
    return st;
}

static es_status measure_embedder(void *data, es_job_context *context, es_error *err) {
    measured_item *item = data;
    es_session *s = item->session;
    const measure_entry *e = item->entry;
    es_matrix m = {0}, queries = {0};
    es_measure_data given = e->given;
    size_t held = 0;
    double room = es_measure_room_of(s, e->shown.measure, e->values, item->source, SIZE_MAX);
    double began = es_clock_thread();
    es_status st = es_measure_room_enter(s, room, context->run, &held, err);
    if (st == ES_OK)
        st = es_run_check(context->run, err);
    if (st == ES_OK)
        st = es_session_matrix(s, item->source, &m, err);
    if (st == ES_OK)
        st = es_session_measure_queries(s, item->source, &given, &queries, err);
    if (st == ES_OK)
        st = measure_one(item, &given, &m, context->run, item->value, err);
    es_matrix_free(&queries);
    es_matrix_free(&m);
    es_measure_room_leave(s, &held);
    if (st == ES_OK)
        keep(s, e, began, item);
    return st;
}

/* A side that reads rows in blocks. */
typedef struct reading {
    const pairing *pairing;
    const es_rows *rows;
    es_run *run;
    void *side;
} reading;

static es_status read_side(void *context, es_error *err) {
    reading *r = context;
    const es_measure *measure = r->pairing->entry->shown.measure;
    return measure->side_of_rows(r->rows, es_measure_room_keeps(r->pairing->session), r->run,
                                 &r->side, err);
}

static void undo_side(void *context) {
    reading *r = context;
    r->pairing->entry->shown.measure->side_free(r->side);
    r->side = NULL;
}

static es_status make_side_of_rows(const pairing *p, size_t model, es_run *run, void **out,
                                   es_error *err) {
    const es_pool *pool = p->session->pool;
    size_t index = es_session_results(p->session, 0)->model[model];
    es_rows rows;
    reading r = {p, &rows, run, NULL};
    es_status st = es_pool_whole_rows_of(pool, index, &rows, err);
    if (st != ES_OK)
        return st;
    st = es_pool_read_watched(pool, index, run, read_side, undo_side, &r, err);
    es_pool_rest(pool, index);
    *out = r.side;
    return st;
}

/* Prepares, for the cache, an embedder's side of a measure of pairs. */
static es_status make_side(void *context, size_t entry, es_cache_kind kind, size_t model,
                           es_run *run, void **out, es_error *err) {
    const pairing *p = context;
    const measure_entry *e = p->entry;
    es_matrix m = {0};
    (void)entry;
    (void)kind;
    if (e->shown.measure->side_of_rows)
        return make_side_of_rows(p, model, run, out, err);
    es_status st = es_session_matrix(p->session, model, &m, err);
    if (st == ES_OK)
        st = e->shown.measure->side_new(&m, &e->given, e->values, run, out, err);
    es_matrix_free(&m);
    return st;
}

static size_t side_bytes(void *context, size_t entry, es_cache_kind kind, const void *side) {
    const pairing *p = context;
    (void)entry;
    (void)kind;
    return p->entry->shown.measure->side_bytes(side);
}

static void drop_side(void *context, size_t entry, es_cache_kind kind, void *side) {
    const pairing *p = context;
    (void)entry;
    (void)kind;
    p->entry->shown.measure->side_free(side);
}

/* A pair at work. */
typedef struct computing {
    const pairing *pairing;
    const void *a, *b;
    es_run *run;
    measured_item *out;
} computing;

static es_status compute_pair(void *context, es_error *err) {
    const computing *c = context;
    memset(c->out->value, 0, sizeof c->out->value);
    return c->pairing->entry->shown.measure->pair(c->a, c->b, c->run, c->out->value, err);
}

static es_status compute_beside(void *context, es_error *err) {
    const computing *c = context;
    const es_session *s = c->pairing->session;
    size_t target = es_session_results(s, 0)->model[c->out->target];
    return es_pool_read_watched(s->pool, target, c->run, compute_pair, NULL, context, err);
}

/* Where sides read their rows again both files are watched, one around the other. */
static es_status compute_watched(computing *c, es_error *err) {
    const es_session *s = c->pairing->session;
    const size_t *model = es_session_results(s, 0)->model;
    if (!c->pairing->rereads)
        return compute_pair(c, err);
    es_status st =
        es_pool_read_watched(s->pool, model[c->out->source], c->run, compute_beside, NULL, c, err);
    es_pool_rest(s->pool, model[c->out->source]);
    es_pool_rest(s->pool, model[c->out->target]);
    return st;
}

/* One pair; its failure is its own, except a cancel. */
static es_status of_sides(pairing *p, es_run *run, measured_item *out, es_error *err) {
    const void *a = NULL, *b = NULL;
    es_status st = es_cache_hold(p->cache, 0, ES_CACHE_SOURCE, out->source, run, &a, err);
    if (st != ES_OK)
        return st;
    st = es_cache_hold(p->cache, 0, ES_CACHE_SOURCE, out->target, run, &b, err);
    if (st == ES_OK) {
        st = compute_watched(&(computing){p, a, b, run, out}, err);
        es_cache_release(p->cache, 0, ES_CACHE_SOURCE, out->target, true);
    }
    es_cache_release(p->cache, 0, ES_CACHE_SOURCE, out->source, true);
    return st;
}

static es_status measure_pair(pairing *p, es_run *run, measured_item *out, es_error *err) {
    const measure_entry *e = p->entry;
    es_session *s = p->session;
    size_t held = 0;
    double room = es_measure_room_of(s, e->shown.measure, e->values, out->source, out->target);
    double began = es_clock_thread();
    es_status st = es_measure_room_enter(s, room, run, &held, err);
    if (st != ES_OK)
        return st;
    if (s->room)
        es_cache_spare(p->cache, es_room_left(s->room) / 2);
    st = of_sides(p, run, out, err);
    es_measure_room_leave(s, &held);
    if (st == ES_OK)
        keep(s, e, began, out);
    return st;
}

static es_status post_pair(pairing *p, size_t at, es_job_context *context, es_error *err) {
    es_error why = {0};
    measured_item *item = new_item(p->session, p->entry, p->pair[at][0], p->pair[at][1]);
    if (!item)
        return es_no_memory(err);
    es_status st = es_run_check(context->run, &why);
    if (st == ES_OK)
        st = measure_pair(p, context->run, item, &why);
    if (st == ES_ECANCELED || (st != ES_OK && !(item->reason = es_strdup(why.message)))) {
        es_item_free(&item->item);
        return es_fail(err, st, "%s", why.message);
    }
    return es_item_post(context, &item->item, err);
}

static es_status work_pairs(void *data, es_job_context *context, es_error *err) {
    pairing *p = ((measure_ticket *)data)->pairing;
    es_status st = ES_OK;
    while (st == ES_OK && es_workers_wanted(context)) {
        size_t at = atomic_fetch_add(&p->next, 1);
        if (at >= p->count)
            break;
        st = post_pair(p, at, context, err);
    }
    return st;
}

/* ---- starting ---- */

/* Queues the measure of one embedder. */
static es_status add_embedder(es_session *s, measure_entry *e, size_t model, es_error *err) {
    measured_item *item = new_item(s, e, model, model);
    if (!item)
        return es_no_memory(err);
    es_status st =
        es_item_add(s->workers, &item->item, measure_embedder, PRIORITY, &e->job[model], err);
    if (st != ES_OK)
        return st;
    if (e->shown.state[model] == ES_PAIR_FAILED)
        e->shown.failed--;
    e->shown.state[model] = ES_PAIR_RUNNING;
    e->shown.revision++;
    return ES_OK;
}

static void end_ticket(es_item *base, const es_event *event);

/* Queues a job that measures the next pairs. */
static es_status add_ticket(es_session *s, measure_entry *e, size_t number, es_error *err) {
    measure_ticket *ticket = es_alloc(1, sizeof *ticket);
    if (!ticket)
        return es_no_memory(err);
    *ticket = (measure_ticket){{.apply = end_ticket}, number, e->pairing};
    es_status st =
        es_item_add(s->workers, &ticket->item, work_pairs, PRIORITY, &e->job[number], err);
    e->pairing->tickets += st == ES_OK;
    return st;
}

/* A ticket that gave way to something more urgent is followed by another one. */
static void end_ticket(es_item *base, const es_event *event) {
    const measure_ticket *ticket = (measure_ticket *)base;
    pairing *p = ticket->pairing;
    measure_entry *e = p->entry;
    e->job[ticket->number] = NULL;
    p->tickets--;
    if (event->status == ES_ECANCELED)
        p->stopped = true;
    else if (event->status != ES_OK)
        es_log_write(p->session->log, ES_LOG_ERROR, "%s: %s", e->shown.name, event->error.message);
    bool left = atomic_load(&p->next) < p->count;
    if (left && !p->stopped && (event->status == ES_OK || p->tickets == 0) &&
        add_ticket(p->session, e, ticket->number, NULL) == ES_OK)
        return;
    if (p->tickets == 0) {
        e->pairing = NULL;
        pairing_free(p);
        e->shown.revision++;
    }
}

/* How many embedders of a block: two blocks of sides fit the cache. */
static size_t block_size(const es_session *s, const measure_entry *e, size_t budget) {
    double most = 1;
    for (size_t i = 0; i < s->m; i++)
        most = fmax(most, es_measure_room_side(s, e->shown.measure, e->values, i));
    double block = floor((double)budget / 2 / most);
    return block < 1 ? 1 : block > (double)s->m ? s->m : (size_t)block;
}

/* Missing pairs, block by block, so that a side is made about as often as there are blocks. */
static void list_pairs(const es_measured *r, size_t block, pairing *p) {
    for (size_t a = 0; a < r->m; a += block)
        for (size_t b = r->symmetric ? a : 0; b < r->m; b += block)
            for (size_t i = a; i < a + block && i < r->m; i++)
                for (size_t j = b; j < b + block && j < r->m; j++) {
                    bool twin = r->symmetric && j < i;
                    if (twin || r->state[i * r->m + j] == ES_PAIR_DONE)
                        continue;
                    p->pair[p->count][0] = (uint32_t)i;
                    p->pair[p->count++][1] = (uint32_t)j;
                }
}

/* True if some embedder's floats exceed what a prepared side may keep. */
static bool rows_are_large(const es_session *s) {
    for (size_t i = 0; i < s->m; i++) {
        const es_model *m = es_pool_model(s->pool, es_session_results(s, 0)->model[i]);
        if (es_pool_rows(s->pool) > es_measure_room_keeps(s) / sizeof(float) / m->dim)
            return true;
    }
    return false;
}

static es_status start_pairs(es_session *s, measure_entry *e, es_error *err) {
    const es_cache_maker maker = {NULL, make_side, side_bytes, drop_side};
    size_t budget = es_measure_room_budget(s), threads = es_workers_threads(s->workers);
    es_status st = ES_OK;
    pairing *p = es_alloc_zero(1, sizeof *p);
    if (!p)
        return es_no_memory(err);
    p->session = s;
    p->entry = e;
    p->rereads = e->shown.measure->side_of_rows && rows_are_large(s);
    p->pair = es_alloc(e->shown.of, sizeof *p->pair);
    ES_FAIL_IF(!p->pair, es_no_memory(err));
    list_pairs(&e->shown, block_size(s, e, budget), p);
    es_cache_maker own = maker;
    own.context = p;
    ES_TRY(es_cache_new(1, s->m, budget, &own, &p->cache, err));
    e->pairing = p;
    for (size_t t = 0; t < threads && t < p->count && t < s->m && st == ES_OK; t++)
        st = add_ticket(s, e, t, err);
    if (p->tickets > 0)
        return ES_OK; /* those under way do it all */
    e->pairing = NULL;
done:
    pairing_free(p);
    return st;
}

es_status es_measure_jobs_start(es_session *s, measure_entry *e, es_error *err) {
    if (es_measured_is_pairwise(&e->shown))
        return start_pairs(s, e, err);
    es_status st = pooling_begin(s, e, err);
    for (size_t i = 0; i < s->m && st == ES_OK; i++)
        if (e->shown.state[i] != ES_PAIR_DONE && e->shown.state[i] != ES_PAIR_RUNNING)
            st = add_embedder(s, e, i, err);
    return st;
}

void es_measure_jobs_free(measure_entry *e) {
    if (e->pooling)
        es_cache_free(e->pooling->cache);
    es_free(e->pooling);
    pairing_free(e->pairing);
}
