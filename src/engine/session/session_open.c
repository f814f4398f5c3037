/* Opening and closing a session, and steering it: each of these changes what is wanted, and then
 * has as many jobs queued as that takes. */
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine_session_parts.h"

/* ---- opening ---- */

static es_status open_store(es_session *s, const char *path, const es_session_options *options,
                            es_error *err) {
    if (options->no_store || !path || es_pool_count(s->pool) == 0)
        return ES_OK;
    es_status st =
        options->store
            ? es_store_open_file(options->store, s->read_only, &options->waiting, &s->store, err)
            : es_store_open_saying(path, s->read_only, &options->waiting, &s->store, err);
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

static es_status read_scores(es_session *s, const char *path, es_run *run, es_error *err) {
    s->own_scores = es_alloc_zero(1, sizeof *s->own_scores);
    if (!s->own_scores)
        return es_no_memory(err);
    const char *name = es_path_base(path);
    (void)es_text_clean_into(s->scores_name, sizeof s->scores_name, name, strlen(name));
    es_run_begin(run, s->scores_name, "reading it");
    ES_PASS(es_session_read_scores(s, path, run, s->own_scores, err));
    return es_scores_describe_beside(s->own_scores, path, err);
}

/* Over a folder, or, without a path, over matrices in memory. */
static es_status open_session(const char *path, const es_array_view *arrays, size_t count,
                              const es_session_options *options, const es_estimator *const *table,
                              es_session **out, es_error *err) {
    static const es_session_options standard;
    options = options ? options : &standard;
    es_pool_options pool = options->pool;
    pool.seed = options->seed;
    es_session *s = es_alloc_zero(1, sizeof *s);
    if (!s)
        return es_no_memory(err);
    pthread_mutex_init(&s->lock, NULL);
    s->log = options->log;
    s->seed = options->seed;
    s->passes = SIZE_MAX;
    s->read_only = options->read_only;
    s->as_stored = options->read_only || options->as_stored;
    s->refresh = options->refresh && !options->read_only;
    s->strict = options->strict;
    s->shard = options->shard;
    s->shards = options->shards;
    s->with_pmi = options->with_pmi;
    s->memory = es_memory_allowed(options->memory);
    s->with_shards = options->with_shards;
    s->deferred = options->deferred;
    s->with_derived = options->with_derived;
    s->with_null = options->with_null && !options->read_only;
    unsigned threads = thread_count(options->threads);
    es_status st = ES_OK;
    ES_FAIL_IF(
        s->shards > 0 && (s->shard < 1 || s->shard > s->shards),
        es_fail(err, ES_EINVAL, "shard %zu of %zu: they are numbered from 1", s->shard, s->shards));
    ES_TRY(fit_threads(s, &threads, err));
    ES_TRY(es_plan_new(options, table, &s->entries, &s->n_entries, &pool.all_binary, err));
    ES_TRY(path ? es_pool_open(path, &pool, &s->pool, err)
                : es_pool_open_arrays(arrays, count, &pool, &s->pool, err));
    if (options->scores)
        ES_TRY(read_scores(s, options->scores, options->pool.run, err));
    /* a folder that is no pool is left as it is */
    ES_TRY(open_store(s, path, options, err));
    ES_TRY(es_provenance_new(threads, &s->provenance, err));
    s->threads = threads;
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

es_status es_session_open_with(const char *path, const es_session_options *options,
                               const es_estimator *const *table, es_session **out, es_error *err) {
    if (!path)
        return es_fail(err, ES_EINVAL, "no folder");
    return open_session(path, NULL, 0, options, table, out, err);
}

es_status es_session_open(const char *path, const es_session_options *options, es_session **out,
                          es_error *err) {
    return es_session_open_with(path, options, es_estimators, out, err);
}

es_status es_session_open_arrays(const es_array_view *arrays, size_t count,
                                 const es_session_options *options, es_session **out,
                                 es_error *err) {
    return open_session(NULL, arrays, count, options, es_estimators, out, err);
}

es_status es_session_open_matrix(const es_matrix_files *files, es_session **out, es_error *err) {
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
    if (st == ES_OK && (files->matrix || !files->scores))
        st = es_matrix_files_read(files, &s->matrix, err);
    if (st == ES_OK && files->scores)
        st = read_scores(s, files->scores, files->run, err);
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
    es_item_free(event->data);
}

void es_session_keep(es_session *s) {
    s->kept++;
}

es_status es_session_task_start(es_session *s, es_session_tasks which,
                                const es_latest_task_kind *kind, void *data, uint64_t tag,
                                es_error *err) {
    return es_latest_task_start(&s->task[which], s->workers, s->log, kind, data, tag, err);
}

const es_latest_task *es_session_task(const es_session *s, es_session_tasks which) {
    return &s->task[which];
}

static void forget_latest_task(es_latest_task *latest) {
    latest->job = NULL; /* its end was dropped with the workers */
    es_latest_task_stop(latest, NULL);
}

void es_session_close(es_session *s) {
    if (!s)
        return;
    if (s->kept > 0) {
        s->kept--;
        return;
    }
    es_leases_stop(s);
    es_shards_stop(s);
    es_workers_free(s->workers, drop_event);
    es_leases_free(s);
    if (s->store)
        es_save_rest(s);
    es_save_drop(s);
    es_far_origins_free(s);
    es_free(s->tasks);
    es_structure_deinit(&s->structure);
    es_latest_task *const latests[] = {&s->width, &s->stored, &s->prepare,   &s->derive,
                                       &s->rate,  &s->runs,   &s->remeasured};
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    for (size_t i = 0; i < sizeof latests / sizeof *latests; i++)
        forget_latest_task(latests[i]);
    for (size_t i = 0; i < ES_SESSION_TASKS; i++)
        forget_latest_task(&s->task[i]);
    es_measuring_free(s->measuring);
    es_frontiers_free(s->frontiers);
    es_pair_queue_free(s->queue);
    es_cache_free(s->cache);
    es_room_free(s->room);
    es_plan_free(s->entries, s->n_entries);
    es_results_free(s->matrix);
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

/* ---- steering ---- */

es_status es_session_start_passes(es_session *s, size_t passes, es_error *err) {
    if (!s)
        return es_session_problem(s, err);
    if (s->read_only)
        return es_fail(err, ES_EINVAL, "this session only shows results; use 'estimate'");
    if (s->problem.code != ES_OK)
        return es_session_problem(s, err);
    s->stopped = (es_error){0};
    if (s->ready) {
        es_status fits = es_session_fits(s, err);
        if (fits != ES_OK)
            return fits;
    }
    s->wanted = true;
    s->passes = passes;
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

es_status es_session_start(es_session *s, es_error *err) {
    return es_session_start_passes(s, SIZE_MAX, err);
}

void es_session_pause(es_session *s, bool paused) {
    if (!s || s->read_only)
        return;
    if (s->paused != paused && es_work_active(s))
        es_log_write(s->log, ES_LOG_INFO, paused ? "paused" : "going on");
    s->paused = paused;
    if (s->ready)
        es_workers_pause(s->workers, paused);
    es_work_top_up(s, NULL);
    es_work_clock(s);
}

bool es_session_drain(es_session *s) {
    if (!s)
        return true;
    s->draining = true;
    es_workers_pause(s->workers, true);
    return s->tickets == 0;
}

void es_session_cancel(es_session *s) {
    if (!s)
        return;
    s->wanted = false;
    if (!s->queue || !s->ready)
        return;
    if (es_work_active(s))
        es_log_write(s->log, ES_LOG_INFO, "cancelled; finished pairs are kept");
    es_pair_queue_clear(s->queue);
    es_workers_cancel_all(s->workers);
    s->paused = false;
    es_workers_pause(s->workers, false);
    es_work_clock(s);
}

size_t es_session_retry(es_session *s) {
    size_t count = 0;
    if (!s || !s->queue || !s->ready)
        return 0;
    es_cache_clear(s->cache);
    s->retried = true;
    for (size_t e = 0; e < s->n_entries; e++)
        for (size_t i = 0; i < s->m * s->m + s->m; i++) {
            es_lease pair = {e, i < s->m * s->m ? i / s->m : s->m + i % s->m, i % s->m};
            if (es_pair_state_of(s, pair) != ES_PAIR_FAILED)
                continue;
            es_pair_reset(s, pair);
            es_pair_queue_want(s->queue, pair);
            count++;
        }
    if (count > 0)
        es_log_write(s->log, ES_LOG_INFO, "%zu failed pairs get another try", count);
    es_work_top_up(s, NULL);
    es_work_clock(s);
    return count;
}

void es_session_prioritise(es_session *s, const uint8_t *urgency) {
    if (s->queue)
        es_pair_queue_urge(s->queue, urgency);
}

es_status es_session_threads(es_session *s, unsigned threads, es_error *err) {
    if (!s || s->read_only || threads == 0)
        return es_fail(err, ES_EINVAL,
                       !s             ? "no session"
                       : s->read_only ? "this session only shows results"
                                      : "at least one thread");
    unsigned now = es_workers_threads(s->workers);
    if (threads > now)
        threads = now + threads_with_room(threads - now);
    es_status st = es_workers_resize(s->workers, threads, err);
    if (st == ES_OK)
        s->threads = threads;
    if (st == ES_OK)
        es_log_write(s->log, ES_LOG_INFO, "threads: %u", threads);
    es_work_top_up(s, NULL);
    return st;
}

size_t es_session_pump(es_session *s, double budget_ms) {
    if (!s)
        return 0;
    double until = es_clock_now() + budget_ms / 1000;
    size_t applied = 0;
    for (es_event event; es_workers_next(s->workers, &event); applied++) {
        es_item_apply(&event);
        if (budget_ms > 0 && es_clock_now() >= until) {
            applied++;
            break;
        }
    }
    es_work_top_up(s, NULL); /* for pairs that others have given up */
    es_work_clock(s);
    return applied;
}

static bool is_still(const es_session *s) {
    es_worker_view view;
    for (unsigned k = 0; es_workers_look(s->workers, k, &view); k++)
        if (view.busy)
            return false;
    return true;
}

bool es_session_settles(es_session *s, double seconds) {
    double until = es_clock_now() + seconds;
    if (s)
        es_workers_cancel_all(s->workers); /* those that only read, too */
    while (s && !is_still(s)) {
        if (es_clock_now() >= until)
            return false;
        (void)poll(NULL, 0, 5); /* what they deliver may take long to apply */
    }
    return true;
}

/* A process has one end, so this is counted for all sessions in it. */
static atomic_uint ending;

static void *close_late(void *data) {
    es_session_close(data);
    (void)atomic_fetch_sub(&ending, 1);
    return NULL;
}

void es_session_leave(es_session *s, double seconds) {
    pthread_t thread;
    if (!s || s->kept > 0 || es_session_settles(s, seconds)) {
        es_session_close(s);
        return;
    }
    (void)atomic_fetch_add(&ending, 1);
    if (es_workers_thread(&thread, close_late, s) == 0)
        (void)pthread_detach(thread);
    else
        (void)close_late(s);
}

unsigned es_sessions_ending(void) {
    return atomic_load(&ending);
}

/* Sleep until there is something to apply, or the time has come. */
static void sleep_until(const es_session *s, double until) {
    double left = until - es_clock_now();
    int ms = left > 60 ? 60000 : left > 0 ? (int)(1000 * left) + 1 : 0;
    (void)poll(&(struct pollfd){es_session_fd(s), POLLIN, 0}, 1, ms);
}

es_status es_session_wait(es_session *s, double seconds, es_error *err) {
    double until = seconds < 0 ? HUGE_VAL : es_clock_now() + seconds;
    for (;;) {
        es_session_pump(s, 0);
        es_status st = es_session_problem(s, err);
        if (st == ES_OK)
            st = es_session_stopped(s, err);
        es_phase phase = es_session_phase(s);
        if (st != ES_OK || phase == ES_PHASE_DONE || phase == ES_PHASE_IDLE)
            return st;
        if (phase == ES_PHASE_PAUSED)
            return es_fail(err, ES_EBUSY, "paused");
        if (es_clock_now() >= until)
            return es_fail(err, ES_EBUSY, "not done after %g s", seconds);
        sleep_until(s, until);
    }
}
