/* The job that computes pairs. It leases one after the other, stays with a source as long as it
 * may, holds prepared states through the cache, has each finished pair committed and tells the
 * owner. */
#include <math.h>
#include <stdio.h>

#include "engine_session_parts.h"

/* ---- prepared states ---- */

/* The rows of a model, asked of the pool once. */
static es_status rows_of(es_session *s, size_t model, const es_rows **out, es_error *err) {
    es_status st = ES_OK;
    pthread_mutex_lock(&s->lock);
    bool known = s->rows[model].d > 0;
    pthread_mutex_unlock(&s->lock);
    if (!known) {
        es_rows rows = {0};
        st = es_pool_rows_of(s->pool, s->entries[0].results->model[model], &rows, err);
        pthread_mutex_lock(&s->lock);
        if (st == ES_OK && s->rows[model].d == 0)
            s->rows[model] = rows;
        pthread_mutex_unlock(&s->lock);
    }
    *out = &s->rows[model];
    return st;
}

/* Rows that count how often they are read: an estimator may read some again for every pair. */
typedef struct counted_rows {
    const es_rows *rows;
    atomic_size_t reads;
} counted_rows;

static es_status read_counted(const void *context, const uint32_t *rows, size_t count, double *out,
                              es_error *err) {
    counted_rows *c = (counted_rows *)(uintptr_t)context;
    atomic_fetch_add(&c->reads, 1u);
    return c->rows->read(c->rows->context, rows, count, out, err);
}

/* An estimator's state, and what its rows go through if it reads them again. */
typedef struct prepared {
    void *state;
    size_t model;     /* of the pool */
    size_t reads;     /* that it took to prepare it; all of them are known to be good */
    atomic_bool kept; /* a pair has come and gone without reading rows again */
    counted_rows counted;
    es_rows rows;        /* through `counted` */
    es_null_source null; /* of a stand-in */
} prepared;

static const es_estimator *estimator_of(void *context, size_t entry) {
    return ((es_session *)context)->entries[entry].config.estimator;
}

/* One state in the making. */
typedef struct making {
    const es_estimator *estimator;
    const es_problem *problem;
    es_cache_kind kind;
    const es_rows *rows;
    es_run *run;
    prepared *prepared;
} making;

/* Prepares a source or target for an estimator, for the cache. */
static es_status prepare_side(void *context, es_error *err) {
    making *m = context;
    return (m->kind == ES_CACHE_SOURCE ? m->estimator->source_new : m->estimator->target_new)(
        m->problem, m->rows, m->run, &m->prepared->state, err);
}

static void undo_prepare(void *context) {
    making *m = context;
    (m->kind == ES_CACHE_SOURCE ? m->estimator->source_free
                                : m->estimator->target_free)(m->prepared->state);
    m->prepared->state = NULL;
}

/* Fills p, all zero bytes except what it frees by itself. */
static es_status make_prepared(es_session *s, size_t entry, es_cache_kind kind, size_t model,
                               es_run *run, prepared *p, es_error *err) {
    making m = {.estimator = estimator_of(s, entry),
                .problem = &s->entries[entry].problem,
                .kind = kind,
                .rows = &p->rows,
                .run = run,
                .prepared = p};
    es_rows permuted;
    bool stand_in = model >= s->m; /* only ever a source */
    size_t from = stand_in ? model - s->m : model;
    es_status st = rows_of(s, from, &p->counted.rows, err);
    if (st != ES_OK)
        return st;
    p->model = s->entries[0].results->model[from];
    p->rows = *p->counted.rows;
    p->rows.context = &p->counted;
    p->rows.read = read_counted;
    if (stand_in) {
        ES_PASS(es_null_rows(&p->rows, s->seed, s->targets.digest[from], &p->null, err));
        permuted = es_null_reader(&p->null);
        m.rows = &permuted;
    }
    st = es_pool_read_watched(s->pool, p->model, run, prepare_side, undo_prepare, &m, err);
    es_pool_rest(s->pool, p->model);
    p->reads = atomic_load(&p->counted.reads);
    return st;
}

/* Prepares a source or target for the cache. */
static es_status make_state(void *context, size_t entry, es_cache_kind kind, size_t model,
                            es_run *run, void **out, es_error *err) {
    prepared *p = es_alloc_zero(1, sizeof *p);
    if (!p)
        return es_no_memory(err);
    es_status st = make_prepared(context, entry, kind, model, run, p, err);
    if (st == ES_OK) {
        *out = p;
        return ES_OK;
    }
    es_free(p->null.from);
    es_free(p);
    return st;
}

static size_t state_bytes(void *context, size_t entry, es_cache_kind kind, const void *state) {
    const es_estimator *estimator = estimator_of(context, entry);
    const prepared *p = state;
    size_t order = p->null.from ? p->null.rows->n * sizeof *p->null.from : 0;
    return order +
           (kind == ES_CACHE_SOURCE ? estimator->source_bytes : estimator->target_bytes)(p->state);
}

static void drop_state(void *context, size_t entry, es_cache_kind kind, void *state) {
    const es_estimator *estimator = estimator_of(context, entry);
    prepared *p = state;
    (kind == ES_CACHE_SOURCE ? estimator->source_free : estimator->target_free)(p->state);
    es_free(p->null.from);
    es_free(p);
}

es_status es_work_state_new(es_session *s, size_t entry, size_t model, es_run *run, void **out,
                            es_error *err) {
    return make_state(s, entry, ES_CACHE_SOURCE, model, run, out, err);
}

void es_work_state_drop(es_session *s, size_t entry, void *state) {
    if (state)
        drop_state(s, entry, ES_CACHE_SOURCE, state);
}

const void *es_work_state_of(const void *held) {
    return ((const prepared *)held)->state;
}

const es_cache_maker es_work_maker = {NULL, make_state, state_bytes, drop_state};

/* ---- one pair ---- */

static void set_at(es_session *s, unsigned worker, es_at at) {
    pthread_mutex_lock(&s->lock);
    s->at[worker] = at;
    pthread_mutex_unlock(&s->lock);
}

/* The run is the job's; each pair counts its own steps. */
static void restart_progress(es_run *run) {
    atomic_store(&run->done, 0u);
    atomic_store(&run->total, 0u);
    atomic_store(&run->traced, 0u);
}

/* A worker's hold on the source that it walks. */
typedef struct walk {
    es_session *session;
    es_job_context *context;
    es_ticket *ticket;
    size_t held_entry, held; /* SIZE_MAX: none */
    size_t room;             /* bytes taken of the session's */
    prepared *source;
    size_t n_done;
    double since; /* the first of them ended */
    es_pair_item *done[ES_SAVE_MOST];
} walk;

/* After the queue was told that this worker is no longer at the source. */
static void let_go(walk *w) {
    if (w->held == SIZE_MAX)
        return;
    bool spent = es_pair_queue_spent(w->session->queue, w->held_entry, w->held);
    es_cache_release(w->session->cache, w->held_entry, ES_CACHE_SOURCE, w->held, !spent);
    w->held = SIZE_MAX;
}

static const char *name_of(const es_session *s, size_t position) {
    return s->entries[0].results->name[position % s->m];
}

/* States are the cache's to read; what is counted beside them is not part of that. */
static prepared *prepared_of(const void *held) {
    return (prepared *)(uintptr_t)held;
}

/* Holds the source's prepared state until another source comes. */
static es_status hold_source(walk *w, es_lease pair, es_error *err) {
    if (w->source && w->held == pair.source && w->held_entry == pair.entry)
        return ES_OK;
    let_go(w);
    const void *held = NULL;
    es_status st = es_cache_hold(w->session->cache, pair.entry, ES_CACHE_SOURCE, pair.source,
                                 w->context->run, &held, err);
    if (st == ES_OK) {
        w->source = prepared_of(held);
        w->held = pair.source;
        w->held_entry = pair.entry;
    } else {
        char prefix[160];
        snprintf(prefix, sizeof prefix, "source %s%s", name_of(w->session, pair.source),
                 es_is_null(w->session, pair) ? ", rows shuffled" : "");
        es_error_prefix(err, prefix);
    }
    return st;
}

/* Holds the target's prepared state for one pair. */
static es_status hold_target(walk *w, es_lease pair, prepared **target, es_error *err) {
    const void *held = NULL;
    es_status st = es_cache_hold(w->session->cache, pair.entry, ES_CACHE_TARGET, pair.target,
                                 w->context->run, &held, err);
    if (st == ES_OK) {
        *target = prepared_of(held);
    } else {
        char prefix[160];
        snprintf(prefix, sizeof prefix, "target %s", name_of(w->session, pair.target));
        es_error_prefix(err, prefix);
    }
    return st;
}

static void take_room(walk *w, size_t bytes, bool *taken) {
    es_session *s = w->session;
    *taken = es_room_take(s->room, &w->room, bytes);
    if (*taken)
        es_cache_spare(s->cache, es_room_left(s->room));
}

/* Before a pair, its states included. Who has to wait holds nothing meanwhile. ES_ECANCELED, too,
 * when something more urgent wants the thread: the pair is put up again. */
static es_status enter_room(walk *w, es_lease pair, es_error *err) {
    size_t source, need = es_pair_need(w->session, pair, &source);
    bool taken;
    for (take_room(w, need, &taken); !taken; take_room(w, need, &taken)) {
        es_status st = es_run_check(w->context->run, err);
        if (st != ES_OK || !es_workers_wanted(w->context))
            return es_fail(err, ES_ECANCELED, "waited for memory");
        let_go(w);
        w->source = NULL;
        take_room(w, 0, &taken);
        es_room_wait(w->session->room);
    }
    return ES_OK;
}

/* After a pair: its source stays. Scratch that is much to keep goes back at once. */
static void leave_room(walk *w, es_lease pair) {
    enum { MUCH = 32 << 20 };
    size_t source;
    bool taken;
    (void)es_pair_need(w->session, pair, &source);
    if (es_arena_bytes(w->context->arena) > MUCH)
        es_arena_clear(w->context->arena);
    take_room(w, w->held == SIZE_MAX ? 0 : source < w->room ? source : w->room, &taken);
}

/* NaN where there is no such number is an estimator's right, but not for the value itself. */
static bool is_usable(const es_pair_result *r) {
    return isfinite(r->is) && !isinf(r->se) && !isinf(r->h) && !isinf(r->h_cond);
}

/* What one computation of a pair works with. */
typedef struct pair_work {
    es_session *session;
    es_job_context *context;
    es_pair_item *item;
    prepared *source, *target;
} pair_work;

static es_status compute_once(const pair_work *p, es_error *err) {
    es_session *s = p->session;
    es_pair_item *item = p->item;
    const es_entry *e = &s->entries[item->pair.entry];
    restart_progress(p->context->run);
    es_arena_reset(p->context->arena);
    uint64_t stream =
        es_pair_stream(es_source_digest(s, item->pair), s->targets.digest[item->pair.target]);
    double began = es_clock_now();
    es_status st =
        e->config.estimator->pair(&e->problem, p->source->state, p->target->state, stream,
                                  p->context->arena, p->context->run, &item->result, err);
    item->took = es_clock_now() - began;
    if (st == ES_OK && !is_usable(&item->result)) {
        es_free(item->result.pmi);
        item->result = (es_pair_result){0};
        st = es_fail(err, ES_ENONFINITE, "gave a non-finite value");
    }
    return st;
}

/* A look at a file takes as long as a narrow pair's arithmetic, so it is left out where the first
 * pair has shown that a state keeps its rows. */
static bool begin_watch(const pair_work *p, const prepared *of, es_pool_watch *watch) {
    if (atomic_load(&of->kept))
        return false;
    es_pool_watch_begin(p->session->pool, of->model, watch);
    return true;
}

/* Checks that rows read again for the pair had not changed. As es_pool_watch_end; ES_EBUSY also if
 * the file was not watched. */
static es_status end_watch(const pair_work *p, prepared *of, bool watched,
                           const es_pool_watch *watch, es_error *err) {
    bool kept = atomic_load(&of->counted.reads) == of->reads;
    atomic_store(&of->kept, kept);
    if (kept)
        return ES_OK;
    if (!watched)
        return es_fail(err, ES_EBUSY, "read rows again");
    return es_pool_watch_end(p->session->pool, of->model, watch, p->context->run, err);
}

/* Again when a file was touched while rows were read again: a few times, then it is an error. */
static es_status compute_watched(const pair_work *p, es_error *err) {
    enum { TRIES = 4 };
    es_status seen = ES_EBUSY;
    for (int i = 0; i < TRIES && seen == ES_EBUSY; i++) {
        es_pool_watch source, target;
        es_error why = {0};
        bool source_watched = begin_watch(p, p->source, &source);
        bool target_watched = begin_watch(p, p->target, &target);
        es_status st = compute_once(p, err);
        if (st == ES_ENOMEM || st == ES_ECANCELED)
            return st;
        seen = end_watch(p, p->source, source_watched, &source, &why);
        if (seen == ES_OK)
            seen = end_watch(p, p->target, target_watched, &target, &why);
        if (seen == ES_OK)
            return st;
        es_free(p->item->result.pmi);
        p->item->result = (es_pair_result){0};
        (void)es_fail(err, seen, "%s", why.message);
    }
    return seen == ES_EBUSY ? ES_EIO : seen;
}

/* Estimates one pair: waits for memory, then for source and target from the cache. */
static es_status compute_pair(walk *w, es_pair_item *item, es_error *err) {
    es_session *s = w->session;
    pair_work p = {.session = s, .context = w->context, .item = item};
    double began = es_clock_thread();
    set_at(s, w->context->worker,
           (es_at){true, item->pair.entry, item->pair.source, SIZE_MAX, es_clock_now()});
    es_status st = enter_room(w, item->pair, err);
    if (st == ES_OK)
        st = hold_source(w, item->pair, err);
    if (st == ES_OK)
        st = hold_target(w, item->pair, &p.target, err);
    if (st != ES_OK) {
        leave_room(w, item->pair);
        return st;
    }
    p.source = w->source;
    set_at(s, w->context->worker,
           (es_at){true, item->pair.entry, item->pair.source, item->pair.target, es_clock_now()});
    st = compute_watched(&p, err);
    item->seconds = es_clock_thread() - began;
    es_cache_release(s->cache, item->pair.entry, ES_CACHE_TARGET, item->pair.target, true);
    leave_room(w, item->pair);
    return st;
}

/* Failures that follow from the data are worth keeping; others may pass another time. */
static bool is_lasting(es_status st) {
    return st != ES_ENOMEM && st != ES_EIO && st != ES_EBUSY && st != ES_ENOTFOUND;
}

/* True if the outcome of a pair is stored; otherwise another process may try. */
static bool is_kept(es_session *s, const es_pair_item *item, es_status st) {
    if (s->store && st != ES_OK && !is_lasting(st))
        es_leases_give_back(s, item->pair);
    return st == ES_OK || is_lasting(st);
}

/* Fills the item with whatever came out. ES_OK unless the worker itself cannot go on. */
static es_status fill(walk *w, es_pair_item *item, bool look, es_error *err) {
    es_session *s = w->session;
    if (look && es_stored_find(s, item))
        return ES_OK;
    if (w->n_done == 0)
        es_pair_say_begun(s, w->context, item->pair);
    es_error error = {0};
    es_status st = compute_pair(w, item, &error);
    if (st == ES_ECANCELED) {
        es_pair_item_undone(item);
        return ES_OK;
    }
    if (st != ES_OK) {
        item->failed = true;
        item->reason = es_strdup(error.message[0] ? error.message : es_status_name(st));
        if (!item->reason)
            return es_no_memory(err);
    }
    item->ended = true;
    item->fresh = is_kept(s, item, st);
    es_leases_took(s, item->pair.entry, item->took);
    return ES_OK;
}

/* ---- finished pairs ----
 *
 * A transaction costs as much as a pair of narrow embedders, so those that end within a moment are
 * committed together; the owner hears of a pair once it is stored. */

/* True if the batch is to be stored after this pair. Embedders of equal contents wait for each
 * other's results. */
static bool is_due(const walk *w, const es_pair_item *item) {
    static const double long_pair = 0.001, moment = 0.025; /* seconds */
    return w->session->twins || item->took > long_pair || w->n_done == ES_SAVE_MOST ||
           es_clock_now() - w->since > moment;
}

/* Gives the finished pairs to the process that this session computes for. */
static void hand_over_done(const walk *w) {
    es_far_pair pairs[ES_SAVE_MOST];
    size_t count = 0;
    for (size_t i = 0; i < w->n_done; i++) {
        const es_pair_item *item = w->done[i];
        if (item->ended)
            pairs[count++] = (es_far_pair){.pair = item->pair,
                                           .failed = item->failed,
                                           .lasting = item->fresh,
                                           .reason = item->reason,
                                           .result = item->result,
                                           .seconds = item->seconds};
    }
    w->session->sink(w->session->sink_context, pairs, count);
}

/* Stores the finished pairs of this walk in one transaction, then posts them. */
static es_status save_done(walk *w, es_error *err) {
    es_session *s = w->session;
    es_finished fresh[ES_SAVE_MOST];
    size_t count = 0;
    es_status st = ES_OK;
    for (size_t i = 0; i < w->n_done; i++) {
        const es_pair_item *item = w->done[i];
        if (item->fresh && s->store)
            fresh[count++] = (es_finished){.entry = item->pair.entry,
                                           .pair = {.source = es_source_digest(s, item->pair),
                                                    .target = s->targets.digest[item->pair.target],
                                                    .failed = item->failed,
                                                    .reason = item->reason,
                                                    .result = item->result,
                                                    .seconds = item->seconds}};
    }
    es_save_pairs(s, fresh, count);
    if (s->sink)
        hand_over_done(w);
    void *items[ES_SAVE_MOST];
    for (size_t i = 0; i < w->n_done; i++) {
        es_pair_item *item = w->done[i];
        if (!s->with_pmi) {
            es_free(item->result.pmi);
            item->result.pmi = NULL;
        }
        items[i] = &item->item;
    }
    size_t posted = es_workers_post_all(w->context, items, w->n_done);
    if (posted < w->n_done)
        st = es_no_memory_for(err, "%zu finished pairs", w->n_done);
    for (size_t i = posted; i < w->n_done; i++)
        w->ticket->late[w->ticket->n_late++] = w->done[i];
    w->n_done = 0;
    return st;
}

/* Of a pair that may take long the owner hears when it begins, and what has ended does not wait for
 * it; of the others, one in a batch, since waking the owner would take as long as they do. */
static bool may_take_long(const walk *w, es_lease pair) {
    static const double operations = 1e8;
    return es_pair_queue_cost(w->session->queue, pair) > operations;
}

/* ticket->open tells the owner which pair got lost if memory does not suffice to say more. `look`:
 * the pair may be stored. */
static es_status do_pair(walk *w, bool look, es_error *err) {
    es_status st = ES_OK;
    w->ticket->open = true;
    if (w->n_done > 0 && may_take_long(w, w->ticket->pair))
        st = save_done(w, err);
    if (st != ES_OK)
        return st;
    es_pair_item *item = es_pair_item_new(w->session, w->ticket->pair);
    if (!item)
        return es_no_memory(err);
    st = fill(w, item, look, err);
    if (st != ES_OK) {
        es_item_free(&item->item);
        return st;
    }
    w->ticket->open = false;
    if (w->n_done == 0)
        w->since = es_clock_now();
    w->done[w->n_done++] = item;
    return is_due(w, item) ? save_done(w, err) : ES_OK;
}

/* True if this worker holds the source of its pair. */
static bool is_at(const walk *w) {
    const es_lease *pair = &w->ticket->pair;
    return w->source && w->held == pair->source && w->held_entry == pair->entry;
}

es_status es_work_run(void *data, es_job_context *context, es_error *err) {
    es_ticket *ticket = data;
    es_session *s = ticket->session;
    walk w = {.session = s, .context = context, .ticket = ticket, .held = SIZE_MAX};
    es_status st = ES_OK;
    es_leases_enter(s);
    while (st == ES_OK && es_workers_wanted(context)) {
        st = es_run_check(context->run, err);
        if (st == ES_OK && !es_pair_queue_lease(s->queue, &ticket->pair))
            break;
        es_pair_taken taken =
            st == ES_OK ? es_leases_take(s, &ticket->pair, !is_at(&w)) : ES_TAKEN_OTHER;
        if (taken != ES_TAKEN_OTHER)
            st = do_pair(&w, taken == ES_TAKEN_LOOK || s->twins, err);
    }
    es_error late;
    if (w.n_done > 0 && save_done(&w, &late) != ES_OK && st == ES_OK)
        st = es_fail(err, ES_ENOMEM, "%s", late.message);
    es_pair_queue_leave(s->queue, ticket->pair);
    let_go(&w);
    bool none;
    take_room(&w, 0, &none);
    set_at(s, context->worker, (es_at){0});
    if (st == ES_OK)
        es_save_rest(s);
    es_leases_leave(s);
    return st;
}
