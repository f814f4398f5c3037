/* Worker threads: order, wake-ups, cancel, pause, resize, loss of nothing. */
#include "engine_jobs.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "testing.h"

typedef struct fixture {
    es_workers *workers;
    atomic_uint ran;
    atomic_bool hold; /* `wait_job` runs until it is cleared or canceled */
    unsigned order[64];
} fixture;

typedef struct task {
    fixture *owner;
    unsigned number;
} task;

static void nap(void) {
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void setup(fixture *f, unsigned threads) {
    atomic_init(&f->ran, 0);
    atomic_init(&f->hold, true);
    assert_ok(es_workers_new(threads, &f->workers, NULL));
}

static es_status note_job(void *data, es_job_context *context, es_error *err) {
    (void)context;
    (void)err;
    task *t = data;
    unsigned at = atomic_fetch_add(&t->owner->ran, 1);
    if (at < 64)
        t->owner->order[at] = t->number;
    return ES_OK;
}

static es_status wait_job(void *data, es_job_context *context, es_error *err) {
    task *t = data;
    es_run_progress(context->run, 3, 10);
    es_run_trace(context->run, 1.5);
    while (atomic_load(&t->owner->hold)) {
        es_status st = es_run_check(context->run, err);
        if (st != ES_OK)
            return st;
        nap();
    }
    return note_job(data, context, err);
}

static es_job *add(fixture *f, es_job_run run, task *t, double priority) {
    es_job *job = NULL;
    assert_ok(es_workers_add(f->workers, run, t, t->number, priority, &job, NULL));
    return job;
}

static bool readable(const es_workers *w, int milliseconds) {
    struct pollfd p = {es_workers_fd(w), POLLIN, 0};
    return poll(&p, 1, milliseconds) == 1;
}

/* The next event, waiting for it at most ten seconds. */
static es_event take(fixture *f) {
    es_event event;
    while (!es_workers_next(f->workers, &event))
        assert_true(readable(f->workers, 10000));
    return event;
}

TEST(workers__run__by_priority_then_age) {
    fixture f;
    setup(&f, 0);
    task tasks[6];
    static const double priority[6] = {1, 2, 1, 3, 5, 9};
    for (unsigned i = 0; i < 6; i++) {
        tasks[i] = (task){&f, i};
        add(&f, note_job, &tasks[i], priority[i]);
    }
    assert_false(readable(f.workers, 0));
    assert_ok(es_workers_resize(f.workers, 1, NULL));
    for (unsigned i = 0; i < 6; i++) {
        es_event event = take(&f);
        assert_true(event.final);
        assert_int_equal(event.status, ES_OK);
        assert_int_equal(event.error.code, ES_OK);
        assert_string_equal(event.error.message, "");
    }
    static const unsigned expected[6] = {5, 4, 3, 1, 0, 2};
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(f.order[i], expected[i]);
    assert_false(readable(f.workers, 0));
    es_workers_free(f.workers, NULL);
}

TEST(workers__cancel__queued_job_never_runs) {
    fixture f;
    setup(&f, 0);
    task a = {&f, 1}, b = {&f, 2};
    es_job *first = add(&f, note_job, &a, 0);
    add(&f, note_job, &b, 0);
    es_workers_cancel(f.workers, first);
    es_workers_cancel(f.workers, first); /* nobody knows yet that it has ended */
    es_event event = take(&f);
    assert_ptr_equal(event.job, first);
    assert_ptr_equal(event.data, &a);
    assert_int_equal(event.status, ES_ECANCELED);
    assert_string_equal(event.error.message, "canceled");
    assert_ok(es_workers_resize(f.workers, 1, NULL));
    assert_int_equal(take(&f).tag, 2);
    assert_int_equal(atomic_load(&f.ran), 1);
    es_workers_free(f.workers, NULL);
}

TEST(workers__cancel__running_job_ends_soon) {
    fixture f;
    setup(&f, 1);
    task a = {&f, 1};
    es_job *job = add(&f, wait_job, &a, 0);
    es_worker_view view = {0};
    while (!view.busy || view.traced == 0)
        assert_true(es_workers_look(f.workers, 0, &view));
    assert_int_equal(view.tag, 1);
    assert_int_equal(view.done, 3);
    assert_int_equal(view.total, 10);
    assert_true(view.trace[0] == 1.5f);
    double begin = es_clock_now();
    es_workers_cancel(f.workers, job);
    assert_int_equal(take(&f).status, ES_ECANCELED);
    assert_true(es_clock_now() - begin < 60);
    assert_int_equal(atomic_load(&f.ran), 0);
    assert_false(es_workers_look(f.workers, 1, &view));
    es_workers_free(f.workers, NULL);
}

TEST(workers__pause__starts_nothing_until_resumed) {
    fixture f;
    setup(&f, 2);
    task a = {&f, 1};
    es_workers_pause(f.workers, true);
    add(&f, note_job, &a, 0);
    assert_false(readable(f.workers, 50));
    es_workers_pause(f.workers, false);
    assert_int_equal(take(&f).status, ES_OK);
    es_workers_free(f.workers, NULL);
}

/* A job of endless parts, as the session's are. */
static es_status parts_job(void *data, es_job_context *context, es_error *err) {
    task *t = data;
    atomic_fetch_add(&t->owner->ran, 1);
    while (es_workers_wanted(context)) {
        es_status st = es_run_check(context->run, err);
        if (st != ES_OK)
            return st;
        nap();
    }
    return ES_OK;
}

TEST(workers__resize__surplus_threads_leave_and_come_back) {
    fixture f;
    setup(&f, 3);
    task t = {&f, 1};
    for (int i = 0; i < 3; i++)
        add(&f, parts_job, &t, 0);
    while (atomic_load(&f.ran) < 3)
        nap();
    assert_ok(es_workers_resize(f.workers, 1, NULL));
    assert_int_equal(take(&f).status, ES_OK);
    assert_int_equal(take(&f).status, ES_OK);
    assert_false(readable(f.workers, 20));
    es_worker_view view;
    assert_true(es_workers_look(f.workers, 0, &view));
    assert_true(view.busy);
    for (int i = 0; i < 50; i++) /* growing while threads are still on their way out */
        assert_ok(es_workers_resize(f.workers, i % 2 ? 1 : 3, NULL));
    assert_ok(es_workers_resize(f.workers, 3, NULL));
    add(&f, parts_job, &t, 0);
    add(&f, parts_job, &t, 0);
    while (atomic_load(&f.ran) < 5)
        nap();
    assert_int_equal(es_workers_resize(f.workers, 10000, test_err()), ES_EINVAL);
    es_workers_free(f.workers, NULL);
}

enum { BURST = 1000 };

static es_status burst_job(void *data, es_job_context *context, es_error *err) {
    for (int i = 0; i < BURST; i++) {
        es_status st = es_workers_post(context, data, err);
        if (st != ES_OK)
            return st;
    }
    return ES_OK;
}

TEST(workers__post__one_wake_for_a_burst) {
    fixture f;
    setup(&f, 1);
    task t = {&f, 1};
    add(&f, burst_job, &t, 0);
    es_worker_view view = {.busy = true};
    assert_true(readable(f.workers, 10000));
    while (view.busy) {
        assert_true(es_workers_look(f.workers, 0, &view));
        nap();
    }
    char wakes[8];
    assert_int_equal(read(es_workers_fd(f.workers), wakes, sizeof wakes), 1);
    for (int i = 0; i < BURST; i++)
        assert_false(take(&f).final);
    assert_true(take(&f).final);
    es_workers_free(f.workers, NULL);
}

TEST(workers__add__forty_thousand_jobs_stay_cheap) {
    enum { JOBS = 40000 };
    fixture f;
    setup(&f, 0);
    task t = {&f, 1};
    es_job **jobs = test_keep(malloc(JOBS * sizeof(es_job *)), free);
    double begin = es_clock_now();
    for (int i = 0; i < JOBS; i++)
        jobs[i] = add(&f, note_job, &t, (i * 7919) % 1009);
    for (int i = 0; i < JOBS; i += 2)
        es_workers_cancel(f.workers, jobs[i]);
    assert_ok(es_workers_resize(f.workers, 2, NULL));
    unsigned canceled = 0;
    for (int i = 0; i < JOBS; i++)
        canceled += take(&f).status == ES_ECANCELED;
    assert_int_equal(canceled, JOBS / 2);
    assert_int_equal(atomic_load(&f.ran), JOBS / 2);
    assert_true(es_clock_now() - begin < 120); /* a second; quadratic would be minutes */
    es_workers_free(f.workers, NULL);
}

static unsigned dropped;

static void count_drop(es_event *event) {
    assert_non_null(event->data);
    dropped++;
}

TEST(workers__free__drops_every_event) {
    fixture f;
    setup(&f, 2);
    task t = {&f, 1};
    for (int i = 0; i < 10; i++)
        add(&f, wait_job, &t, 0);
    dropped = 0;
    es_workers_free(f.workers, count_drop);
    assert_int_equal(dropped, 10);
    assert_int_equal(atomic_load(&f.ran), 0);
    es_workers_free(NULL, NULL);
}

TEST(workers__reading__nothing_is_said_of_nothing) {
    fixture f;
    es_run_view view = {.total = 7};
    setup(&f, 2);
    assert_false(es_workers_reading(f.workers, &view));
    assert_true(view.doing == NULL && view.total == 0);
    es_workers_free(f.workers, NULL);
}

static es_status mask_job(void *data, es_job_context *context, es_error *err) {
    (void)context;
    (void)err;
    pthread_sigmask(SIG_SETMASK, NULL, data);
    volatile double tiny = 2.3e-308;
    atomic_uint *flushed = (atomic_uint *)((char *)data + sizeof(sigset_t));
    atomic_store(flushed, tiny / 4 == 0);
    return ES_OK;
}

TEST(workers__run__takes_no_signals_and_flushes_denormals) {
    struct {
        sigset_t mask;
        atomic_uint flushed;
    } seen;
    fixture f;
    setup(&f, 1);
    assert_ok(es_workers_add(f.workers, mask_job, &seen, 0, 0, NULL, NULL));
    take(&f);
    assert_int_equal(sigismember(&seen.mask, SIGINT), 1);
    assert_int_equal(sigismember(&seen.mask, SIGWINCH), 1);
    assert_int_equal(sigismember(&seen.mask, SIGSEGV), 0);
#ifdef __x86_64__
    assert_int_equal(atomic_load(&seen.flushed), 1);
#endif
    es_workers_free(f.workers, NULL);
}

TEST(workers__new__survives_every_failed_allocation) {
    bool finished = false;
    for (long k = 0; !finished; k++) {
        es_workers *w = NULL;
        es_alloc_fail_after(k);
        es_status st = es_workers_new(2, &w, NULL);
        es_alloc_fail_after(-1);
        finished = st == ES_OK;
        assert_true(finished || (st == ES_ENOMEM && !w));
        es_workers_free(w, NULL);
    }
}

/* Stands before the C library's: what a thread cannot be had for. 0: it can, of the usual size. */
static int refused;

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes) {
    (void)attributes;
    (void)bytes;
    return refused;
}

TEST(workers__resize__says_why_there_is_no_thread) {
    static const struct {
        int code;
        es_status status;
    } refusals[] = {{EAGAIN, ES_ENOMEM}, {EPERM, ES_EIO}};
    fixture f;
    setup(&f, 0);
    for (size_t i = 0; i < 2; i++) {
        refused = refusals[i].code;
        assert_int_equal(es_workers_resize(f.workers, 1, test_err()), refusals[i].status);
        refused = 0;
        assert_contains(test_message(), "cannot start a thread: ");
        assert_contains(test_message(), strerror(refusals[i].code));
        assert_int_equal(es_workers_threads(f.workers), 0);
    }
    task t = {&f, 1};
    assert_ok(es_workers_resize(f.workers, 1, NULL));
    add(&f, note_job, &t, 0);
    assert_int_equal(take(&f).status, ES_OK);
    es_workers_free(f.workers, NULL);
}

/* Threads of this process; 0: not known. */
static size_t count_threads(void) {
    size_t count = 0;
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;)
        count += e->d_name[0] != '.';
    if (folder)
        (void)closedir(folder);
    return count;
}

/* Of address space, in bytes. */
static size_t count_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    (void)fclose(file);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* A thread that has left leaves its stack to whoever waits for it. */
TEST(workers__resize__again_and_again_takes_no_more_space) {
    enum { TIMES = 20, STACK = 1 << 20 }; /* or more */
    fixture f;
    setup(&f, 0);
    size_t threads = count_threads(), space = 0;
    if (threads == 0)
        skip();
    for (int i = 0; i <= TIMES; i++) {
        assert_ok(es_workers_resize(f.workers, 1, NULL));
        assert_ok(es_workers_resize(f.workers, 0, NULL));
        for (double until = es_clock_now() + 200; count_threads() > threads; nap())
            assert_true(es_clock_now() < until);
        space = i == 0 ? count_space() : space;
    }
    assert_true(count_space() < space + (size_t)TIMES * STACK);
    es_workers_free(f.workers, NULL);
}
