#include "embedscope/session.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc.h"
#include "clock.h"
#include "cpu.h"
#include "session_internal.h"
#include "text.h"

/* ---- opening ---- */

static es_status open_store(es_session *s, const char *path, const es_session_options *options,
                            es_error *err) {
    if (options->no_store || es_pool_count(s->pool) == 0)
        return ES_OK;
    es_status st = es_store_open_saying(path, s->read_only, &options->waiting, &s->store, err);
    /* Nothing stored yet is no error for those who only look. */
    return s->read_only && st == ES_ENOTFOUND ? ES_OK : st;
}

static unsigned thread_count(unsigned asked) {
    es_cpu cpu;
    if (asked > 0)
        return asked;
    es_cpu_detect(&cpu);
    unsigned cores = cpu.cores > 0 ? (unsigned)cpu.cores : 1;
    return cores < ES_WORKERS_MOST ? cores : ES_WORKERS_MOST;
}

/* How many of so many threads a limit on the address space (ulimit -v) has room for. OpenBLAS maps
 * 128 MB for each that calls it, and where it cannot it tries for ever; malloc takes 64 MB for each
 * of them, and there is its stack. One more is for the thread that is here already. */
static unsigned threads_with_room(unsigned threads) {
    const size_t room = (size_t)208 << 20;
    int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return threads;
    for (; threads > 0; threads--) {
        size_t size = ((size_t)threads + 1) * room;
        void *place =
            size / room > threads ? mmap(NULL, size, PROT_NONE, MAP_PRIVATE, fd, 0) : MAP_FAILED;
        if (place != MAP_FAILED) {
            (void)munmap(place, size);
            break;
        }
    }
    (void)close(fd);
    return threads;
}

/* Those that only look need one as well: intervals are products of matrices. */
static es_status fit_threads(const es_session *s, unsigned *threads, es_error *err) {
    unsigned fit = threads_with_room(*threads);
    if (fit < *threads)
        es_log_write(s->log, ES_LOG_WARN, "the address space has room for %u of %u threads", fit,
                     *threads);
    if (fit == 0)
        return es_fail(err, ES_ENOMEM,
                       "too little address space to compute in; raise its limit (ulimit -v)");
    *threads = fit;
    return ES_OK;
}

static es_status read_scores(es_session *s, const char *path, es_error *err) {
    s->own_scores = es_alloc_zero(1, sizeof *s->own_scores);
    if (!s->own_scores)
        return es_no_memory(err);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    (void)es_text_clean_into(s->scores_name, sizeof s->scores_name, name, strlen(name));
    return es_scores_read(path, 0, s->own_scores, err);
}

es_status es_session_open_with(const char *path, const es_session_options *options,
                               const es_estimator *const *table, es_session **out, es_error *err) {
    es_pool_options pool = options->pool;
    es_session *s = es_alloc_zero(1, sizeof *s);
    if (!s)
        return es_no_memory(err);
    pthread_mutex_init(&s->lock, NULL);
    s->log = options->log;
    s->seed = options->seed;
    s->read_only = options->read_only;
    s->refresh = options->refresh && !options->read_only;
    s->strict = options->strict;
    s->with_pmi = options->with_pmi;
    s->with_null = options->with_null && !options->read_only;
    unsigned threads = thread_count(options->threads);
    es_status st = ES_OK;
    ES_TRY(fit_threads(s, &threads, err));
    ES_TRY(es_plan_new(options, table, &s->entries, &s->n_entries, &pool.all_binary, err));
    ES_TRY(es_pool_open(path, &pool, &s->pool, err));
    if (options->scores)
        ES_TRY(read_scores(s, options->scores, err));
    /* a folder that is no pool is left as it is */
    ES_TRY(open_store(s, path, options, err));
    ES_TRY(es_provenance_new(threads, &s->provenance, err));
    ES_TRY(es_workers_new(threads, &s->workers, err));
    ES_TRY(es_check_start(s, err));
    if (s->checks == 0) /* not an error: the explorer shows why each is excluded */
        es_error_set(&s->problem, ES_EEMPTY, "%s: no embedder can be used", es_pool_name(s->pool));
done:
    if (st == ES_OK)
        *out = s;
    else
        es_session_close(s);
    return st;
}

es_status es_session_open(const char *path, const es_session_options *options, es_session **out,
                          es_error *err) {
    return es_session_open_with(path, options, es_estimators, out, err);
}

es_status es_session_open_matrix(const char *matrix_csv, const char *scores_csv, es_session **out,
                                 es_error *err) {
    es_session *s = es_alloc_zero(1, sizeof *s);
    if (!s)
        return es_no_memory(err);
    pthread_mutex_init(&s->lock, NULL);
    s->read_only = true;
    s->ready = true;
    unsigned threads = 1;
    es_status st = fit_threads(s, &threads, err);
    if (st == ES_OK)
        st = es_provenance_new(0, &s->provenance, err);
    if (st == ES_OK)
        st = es_results_read_csv(matrix_csv, &s->matrix, err);
    if (st == ES_OK && scores_csv)
        st = read_scores(s, scores_csv, err);
    if (st == ES_OK)
        st = es_workers_new(0, &s->workers, err); /* one comes for intervals */
    if (st == ES_OK)
        *out = s;
    else
        es_session_close(s);
    return st;
}

static void identities_deinit(es_identities *ids) {
    es_free(ids->digest);
    es_free(ids->order);
}

static void drop_event(es_event *event) {
    const es_item *item = event->data;
    if (item && item->kind == ES_ITEM_DERIVE)
        return; /* the session's */
    es_item_free(event->data);
}

void es_session_close(es_session *s) {
    if (!s)
        return;
    es_workers_free(s->workers, drop_event);
    if (s->store)
        es_work_save(s);
    for (es_unsaved *u = s->unsaved, *next; u; u = next) {
        next = u->next;
        es_free(u->pair.reason);
        es_free(u->pair.result.pmi);
        es_free(u);
    }
    es_measuring_free(s->measuring);
    if (s->derive)
        es_item_free(&s->derive->item);
    es_pair_queue_free(s->board);
    es_cache_free(s->cache);
    es_plan_free(s->entries, s->n_entries);
    es_results_free(s->matrix);
    es_intervals_free(s->sure);
    es_worst_list_free(&s->worst.list);
    es_l2_baseline_deinit(&s->baseline);
    if (s->own_scores)
        es_scores_deinit(s->own_scores);
    es_store_close(s->store);
    es_pool_close(s->pool);
    pthread_mutex_destroy(&s->lock);
    es_free(s->provenance);
    identities_deinit(&s->sources);
    identities_deinit(&s->targets);
    es_free(s->nulls);
    es_free(s->rows);
    es_free(s->own_scores);
    es_free(s);
}

/* ---- settling ---- */

static es_status refuse_exclusions(const es_session *s, es_error *err) {
    for (size_t i = 0; i < es_pool_count(s->pool); i++) {
        const es_model *m = es_pool_model(s->pool, i);
        if (m->state == ES_MODEL_EXCLUDED)
            return es_fail(err, ES_EFORMAT, "%s (and --strict is set)",
                           m->reason ? m->reason : m->name);
    }
    return ES_OK;
}

static es_status copy_text(const char *text, char **out, es_error *err) {
    if (text && !(*out = es_strdup(text)))
        return es_no_memory(err);
    return ES_OK;
}

static es_status describe(es_results *r, size_t at, const es_model *model, es_error *err) {
    r->dim[at] = model->dim;
    r->dim_used[at] = model->dim_used;
    r->dropped[at] = model->dropped_columns;
    es_status st = copy_text(model->name, &r->name[at], err);
    return st == ES_OK ? copy_text(model->family, &r->family[at], err) : st;
}

static es_status new_results(es_session *s, const es_entry *e, es_results **out, es_error *err) {
    es_results *r = NULL;
    es_status st = es_results_new(s->m, &r, err);
    size_t at = 0;
    for (size_t i = 0; i < es_pool_count(s->pool) && st == ES_OK; i++) {
        const es_model *model = es_pool_model(s->pool, i);
        if (model->state != ES_MODEL_READY)
            continue;
        r->model[at] = i;
        st = describe(r, at++, model, err);
    }
    if (st == ES_OK)
        st = copy_text(e->config.text, &r->settings, err);
    if (st != ES_OK) {
        es_results_free(r);
        return st;
    }
    r->estimator = e->config.estimator;
    r->preset = e->config.preset;
    r->seed = s->seed;
    *out = r;
    return ES_OK;
}

/* An in-sample estimator gives a value to every row; who reads them by the split must find that. */
static es_status evaluate_all_rows(es_split *split, es_error *err) {
    uint32_t *all = es_alloc(split->n, sizeof *all);
    if (!all)
        return es_no_memory_for(err, "%zu rows", split->n);
    for (size_t i = 0; i < split->n; i++)
        all[i] = (uint32_t)i;
    es_free(split->eval);
    split->eval = all;
    split->n_eval = split->n;
    return ES_OK;
}

static es_status settle_entry(es_session *s, es_entry *e, es_error *err) {
    const es_estimator *estimator = e->config.estimator;
    size_t setting = es_estimator_setting(estimator, "folds");
    double folds = setting < estimator->n_settings ? e->config.values[setting] : (double)NAN;
    es_status st = es_split_new(es_pool_rows(s->pool), s->seed, isnan(folds) ? 0 : (size_t)folds,
                                &e->split, err);
    if (st == ES_OK && estimator->in_sample && estimator->in_sample(e->config.values))
        st = evaluate_all_rows(e->split, err);
    if (st == ES_OK)
        st = new_results(s, e, &e->results, err);
    /* What would not stay in the cache anyhow is read again instead. */
    e->problem = (es_problem){e->split, e->config.values, s->seed, es_cache_default_budget() / 2};
    e->key = (es_store_key){estimator->name, estimator->version, e->config.text, s->seed,
                            es_pool_rowset(s->pool)};
    return st;
}

/* Insertion sort: a few hundred models, once. */
static void order_identities(es_identities *ids, size_t m) {
    for (size_t i = 0; i < m; i++) {
        size_t at = i;
        es_digest d = ids->digest[i];
        for (; at > 0; at--) {
            es_digest other = ids->digest[ids->order[at - 1]];
            if (other.hi < d.hi || (other.hi == d.hi && other.lo <= d.lo))
                break;
            ids->order[at] = ids->order[at - 1];
        }
        ids->order[at] = i;
    }
}

static es_status new_identities(const es_session *s, bool targets, es_identities *out,
                                es_error *err) {
    out->digest = es_alloc(s->m, sizeof *out->digest);
    out->order = es_alloc(s->m, sizeof *out->order);
    if (!out->digest || !out->order)
        return es_no_memory(err);
    for (size_t i = 0, at = 0; i < es_pool_count(s->pool); i++) {
        const es_model *model = es_pool_model(s->pool, i);
        if (model->state == ES_MODEL_READY)
            out->digest[at++] = targets ? es_model_target_digest(model) : model->digest;
    }
    order_identities(out, s->m);
    return ES_OK;
}

static es_status settle_models(es_session *s, es_error *err) {
    s->m = 0;
    for (size_t i = 0; i < es_pool_count(s->pool); i++)
        s->m += es_pool_model(s->pool, i)->state == ES_MODEL_READY;
    s->rows = es_alloc_zero(s->m, sizeof *s->rows);
    s->nulls = es_alloc_zero(s->m, sizeof *s->nulls);
    if (!s->rows || !s->nulls)
        return es_no_memory(err);
    es_status st = new_identities(s, false, &s->sources, err);
    if (st == ES_OK)
        st = new_identities(s, true, &s->targets, err);
    for (size_t i = 0; i < s->m && st == ES_OK; i++)
        s->nulls[i] = es_null_digest(s->targets.digest[i]);
    return st;
}

static es_status new_work(es_session *s, es_error *err) {
    es_cache_maker maker = es_work_maker;
    maker.context = s;
    es_status st =
        es_cache_new(s->n_entries, 2 * s->m, es_cache_default_budget(), &maker, &s->cache, err);
    if (st != ES_OK)
        return st;
    /* Two processes on one pool begin at different targets, so that each finds part of the work
     * done when it gets there. */
    return es_pair_queue_new(s->n_entries, s->m, s->entries[0].results->dim_used, (size_t)getpid(),
                             s->cache, &s->board, err);
}

es_status es_session_settle(es_session *s, es_error *err) {
    es_status st = es_pool_settle(s->pool, err);
    if (st == ES_OK && s->strict)
        st = refuse_exclusions(s, err);
    if (st == ES_OK)
        st = settle_models(s, err);
    for (size_t e = 0; e < s->n_entries && st == ES_OK; e++)
        st = settle_entry(s, &s->entries[e], err);
    if (st == ES_OK && !s->read_only)
        st = new_work(s, err);
    return st;
}

/* ---- steering ---- */

es_phase es_session_phase(const es_session *s) {
    if (s->problem.code != ES_OK)
        return ES_PHASE_IDLE;
    if (!s->ready)
        return ES_PHASE_CHECKING;
    if (s->matrix)
        return ES_PHASE_DONE;
    if (es_work_active(s))
        return s->paused ? ES_PHASE_PAUSED : ES_PHASE_RUNNING;
    for (size_t e = 0; e < s->n_entries; e++)
        if (!es_entry_complete(s, &s->entries[e]))
            return ES_PHASE_IDLE;
    return ES_PHASE_DONE;
}

es_status es_session_problem(const es_session *s, es_error *err) {
    if (s->problem.code != ES_OK && err)
        *err = s->problem;
    return s->problem.code;
}

es_status es_session_stopped(const es_session *s, es_error *err) {
    if (s->stopped.code != ES_OK && err)
        *err = s->stopped;
    return s->stopped.code;
}

es_status es_session_start(es_session *s, es_error *err) {
    if (s->read_only)
        return es_fail(err, ES_EINVAL, "this session only shows results; use 'estimate'");
    if (s->problem.code != ES_OK)
        return es_session_problem(s, err);
    s->wanted = true;
    s->stopped = (es_error){0};
    if (s->paused)
        es_session_pause(s, false);
    if (!s->ready)
        return ES_OK;
    for (size_t e = 0; e < s->n_entries; e++)
        s->entries[e].logged = 0;
    es_session_log_start(s, es_work_want(s));
    es_status st = es_work_top_up(s, err);
    es_work_clock(s);
    return st;
}

void es_session_pause(es_session *s, bool paused) {
    if (s->read_only)
        return;
    if (s->paused != paused && es_work_active(s))
        es_log_write(s->log, ES_LOG_INFO, paused ? "paused" : "going on");
    s->paused = paused;
    if (s->ready)
        es_workers_pause(s->workers, paused);
    es_work_top_up(s, NULL);
    es_work_clock(s);
}

void es_session_cancel(es_session *s) {
    s->wanted = false;
    if (!s->board || !s->ready)
        return;
    if (es_work_active(s))
        es_log_write(s->log, ES_LOG_INFO, "cancelled; finished pairs are kept");
    es_pair_queue_clear(s->board);
    es_workers_cancel_all(s->workers);
    s->paused = false;
    es_workers_pause(s->workers, false);
    es_work_clock(s);
}

size_t es_session_retry(es_session *s) {
    size_t count = 0;
    if (!s->board || !s->ready)
        return 0;
    es_cache_clear(s->cache);
    for (size_t e = 0; e < s->n_entries; e++)
        for (size_t i = 0; i < s->m * s->m + s->m; i++) {
            es_claim pair = {e, i < s->m * s->m ? i / s->m : s->m + i % s->m, i % s->m};
            if (es_pair_state_of(s, pair) != ES_PAIR_FAILED)
                continue;
            es_pair_reset(s, pair);
            es_pair_queue_want(s->board, pair);
            count++;
        }
    if (count > 0)
        es_log_write(s->log, ES_LOG_INFO, "%zu failed pairs get another try", count);
    es_work_top_up(s, NULL);
    es_work_clock(s);
    return count;
}

void es_session_prioritise(es_session *s, const uint8_t *urgency) {
    if (s->board)
        es_pair_queue_urge(s->board, urgency);
}

es_status es_session_threads(es_session *s, unsigned threads, es_error *err) {
    if (s->read_only || threads == 0)
        return es_fail(err, ES_EINVAL,
                       s->read_only ? "this session only shows results" : "at least one thread");
    unsigned now = es_workers_threads(s->workers);
    if (threads > now)
        threads = now + threads_with_room(threads - now);
    es_status st = es_workers_resize(s->workers, threads, err);
    if (st == ES_OK)
        es_log_write(s->log, ES_LOG_INFO, "threads: %u", threads);
    es_work_top_up(s, NULL);
    return st;
}

/* ---- looking ---- */

es_pool *es_session_pool(es_session *s) {
    return s->pool;
}

es_status es_session_scores(es_session *s, const es_scores **out, es_error *err) {
    if (s->pool && !s->own_scores)
        return es_pool_scores(s->pool, out, err);
    *out = s->own_scores;
    return ES_OK;
}

const char *es_session_scores_name(const es_session *s) {
    return s->scores_name[0] ? s->scores_name : "scores.csv";
}

const char *es_session_store_path(const es_session *s) {
    return s->store ? es_store_path(s->store) : NULL;
}

int es_session_fd(const es_session *s) {
    return s->workers ? es_workers_fd(s->workers) : -1;
}

size_t es_session_plan(const es_session *s) {
    return s->matrix ? 1 : s->n_entries;
}

const es_config *es_session_config(const es_session *s, size_t entry) {
    static char no_text[1];
    static const es_config none = {NULL, "", NULL, no_text};
    if (entry >= s->n_entries)
        return &none;
    return &s->entries[entry].config;
}

const es_results *es_session_results(const es_session *s, size_t entry) {
    if (s->matrix)
        return entry == 0 ? s->matrix : NULL;
    return entry < s->n_entries ? s->entries[entry].results : NULL;
}

const es_split *es_session_split(const es_session *s, size_t entry) {
    return entry < s->n_entries ? s->entries[entry].split : NULL;
}

size_t es_session_best(const es_session *s) {
    if (s->matrix)
        return 0;
    for (size_t e = s->n_entries; e-- > 0;)
        if (es_entry_known(&s->entries[e]))
            return e;
    for (size_t e = 0; e < s->n_entries; e++)
        if (s->entries[e].results && s->entries[e].results->done > 0)
            return e;
    return SIZE_MAX;
}

unsigned es_session_thread_count(const es_session *s) {
    return s->read_only ? 0 : es_workers_threads(s->workers);
}

bool es_session_read_only(const es_session *s) {
    return s->read_only;
}

/* The lock is not part of what `const` promises. */
static pthread_mutex_t *lock_of(const es_session *s) {
    return (pthread_mutex_t *)(uintptr_t)&s->lock;
}

bool es_session_activity(const es_session *s, unsigned worker, es_activity *out) {
    es_worker_view view;
    if (s->read_only || !es_workers_look(s->workers, worker, &view))
        return false;
    pthread_mutex_lock(lock_of(s));
    es_at at = s->at[worker];
    pthread_mutex_unlock(lock_of(s));
    bool null = at.busy && at.source >= s->m;
    *out = (es_activity){.busy = at.busy,
                         .null = null,
                         .entry = at.entry,
                         .source = null ? at.source - s->m : at.source,
                         .target = at.target,
                         .done = view.done,
                         .total = view.total,
                         .traced = view.traced};
    if (at.busy)
        out->seconds = es_clock_now() - at.since;
    memcpy(out->trace, view.trace, sizeof out->trace);
    return true;
}

size_t es_session_queue(const es_session *s, es_queued *out, size_t capacity) {
    es_claim next[ES_PAIR_QUEUE_LOOK];
    if (s->read_only || !s->board)
        return 0;
    size_t count = es_pair_queue_next(s->board, next, capacity);
    for (size_t k = 0; k < count; k++) {
        bool null = next[k].source >= s->m;
        out[k] = (es_queued){next[k].entry, null ? next[k].source - s->m : next[k].source,
                             next[k].target, null};
    }
    return count;
}

es_status es_session_store_problem(const es_session *s, es_error *err) {
    pthread_mutex_lock(lock_of(s));
    es_error problem = s->store_problem;
    pthread_mutex_unlock(lock_of(s));
    if (problem.code != ES_OK && err)
        *err = problem;
    return problem.code;
}

es_status es_session_save(es_session *s, es_error *err) {
    if (s->store && !s->read_only)
        es_work_save(s);
    return es_session_store_problem(s, err);
}

const char *es_session_provenance(const es_session *s) {
    return s->provenance;
}
