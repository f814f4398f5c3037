/* Properties: one mutex guards the queue, the events and the slots; jobs run without it. Nothing
 * that a job ends with can be lost: its final event lies in the job itself, so that no allocation
 * is needed to deliver it. The descriptor is readable exactly while the event queue is not empty:
 * both change together under the mutex, and a burst of events costs one write.
 *
 * Operation: queued jobs are a binary heap by (priority, age) in which every job knows its place,
 * so that reprioritising and cancelling one of 40,000 takes microseconds. A thread belongs to a
 * slot and stays while its number is below the wanted count; a slot is reused once its thread has
 * left.
 *
 * Lock order: this mutex is innermost. Jobs may hold locks of their own while they post. */
#include "engine_jobs.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { NICE = 5, REST_SECONDS = 1 };
enum { STACK_BYTES = 8 << 20 }; /* of address space; what is not used takes no memory */

/* An event on its way. Messages are kept apart: most events have none and es_error is large. */
typedef struct node {
    struct node *next;
    es_job *job;
    bool final;
    es_status status;
    es_error *error;
    void *data;
} node;

struct es_job {
    node end; /* the final event */
    es_job_run run;
    uint64_t tag, age;
    double priority;
    size_t place;             /* in the heap */
    struct worker_slot *slot; /* NULL while queued */
};

typedef struct worker_slot {
    es_workers *workers;
    unsigned number;
    pthread_t thread;
    bool alive;   /* the thread has not left yet */
    bool started; /* the thread is still to be joined */
    es_job *job;
    double since;
    es_run run;
    es_arena *arena;
} worker_slot;

struct es_workers {
    pthread_mutex_t lock;
    pthread_cond_t work;
    worker_slot *slots[ES_WORKERS_MOST]; /* made on first need */
    es_job **heap;
    size_t queued, capacity;
    uint64_t ages;
    node *first, **last;
    int wake[2]; /* never more than one write without a read */
    /* Written under the lock; atomic because jobs ask without it. */
    atomic_uint threads;
    atomic_bool paused;
};

/* ---- the heap ---- */

static bool before(const es_job *a, const es_job *b) {
    return a->priority > b->priority || (a->priority == b->priority && a->age < b->age);
}

static void place(es_workers *w, es_job *job, size_t at) {
    w->heap[at] = job;
    job->place = at;
}

/* Move a job up or down to where its priority belongs. */
static void settle(es_workers *w, es_job *job) {
    size_t at = job->place;
    while (at > 0 && before(job, w->heap[(at - 1) / 2])) {
        place(w, w->heap[(at - 1) / 2], at);
        at = (at - 1) / 2;
    }
    for (size_t child; (child = 2 * at + 1) < w->queued; at = child) {
        if (child + 1 < w->queued && before(w->heap[child + 1], w->heap[child]))
            child++;
        if (!before(w->heap[child], job))
            break;
        place(w, w->heap[child], at);
    }
    place(w, job, at);
}

/* Takes a job out of the heap. */
static void take_out(es_workers *w, es_job *job) {
    es_job *moved = w->heap[--w->queued];
    if (moved != job) {
        place(w, moved, job->place);
        settle(w, moved);
    }
}

/* Makes room in the heap for one more queued job. */
static es_status reserve_queue_place(es_workers *w, es_error *err) {
    es_job **heap = es_grow(w->heap, w->queued, &w->capacity, sizeof(es_job *));
    if (!heap)
        return es_no_memory_for(err, "%zu jobs", w->queued + 1);
    w->heap = heap;
    return ES_OK;
}

/* ---- events ---- */

/* Appends an event to the queue of the owner's thread and wakes it. The lock is held. */
static void append_event(es_workers *w, node *event) {
    event->next = NULL;
    bool empty = !w->first;
    *w->last = event;
    w->last = &event->next;
    if (empty)
        es_pipe_wake(w->wake, 0);
}

/* Posts that a job has ended, with its status and error. The lock is held. */
static void post_job_end(es_workers *w, es_job *job, es_status status, const es_error *error) {
    job->end.status = status;
    if (status != ES_OK && (job->end.error = es_alloc(1, sizeof *error)) != NULL)
        *job->end.error = *error; /* without memory the status has to do */
    append_event(w, &job->end);
}

static void finish_canceled(es_workers *w, es_job *job) {
    es_error error;
    es_error_set(&error, ES_ECANCELED, "canceled");
    post_job_end(w, job, ES_ECANCELED, &error);
}

bool es_workers_next(es_workers *w, es_event *out) {
    pthread_mutex_lock(&w->lock);
    node *event = w->first;
    if (event) {
        w->first = event->next;
        if (!w->first) {
            w->last = &w->first;
            (void)es_fd_drain(w->wake[0]);
        }
    }
    pthread_mutex_unlock(&w->lock);
    if (!event)
        return false;
    out->job = event->job;
    out->tag = event->job ? event->job->tag : 0;
    out->final = event->final;
    out->status = event->status;
    out->data = event->data;
    if (event->error)
        out->error = *event->error;
    else if (event->status != ES_OK)
        es_error_set(&out->error, event->status, "%s", es_status_name(event->status));
    else
        out->error = (es_error){0};
    es_free(event->error);
    es_free(event->final ? (void *)event->job : (void *)event);
    return true;
}

/* Posts data to the owner's thread; job: the one at work, or NULL. */
static es_status post_data(es_workers *w, es_job *job, void *data, es_error *err) {
    node *event = es_alloc(1, sizeof *event);
    if (!event)
        return es_no_memory(err);
    *event = (node){.job = job, .data = data};
    pthread_mutex_lock(&w->lock);
    append_event(w, event);
    pthread_mutex_unlock(&w->lock);
    return ES_OK;
}

es_status es_workers_post(es_job_context *context, void *data, es_error *err) {
    es_workers *w = context->workers;
    return post_data(w, w->slots[context->worker]->job, data, err);
}

size_t es_workers_post_all(es_job_context *context, void *const *data, size_t count) {
    es_workers *w = context->workers;
    node *made = NULL, **end = &made;
    size_t posted = 0;
    for (; posted < count; posted++) {
        node *event = es_alloc(1, sizeof *event);
        if (!event)
            break;
        *event = (node){.data = data[posted]};
        *end = event;
        end = &event->next;
    }
    pthread_mutex_lock(&w->lock);
    for (node *event = made, *next; event; event = next) {
        next = event->next;
        event->job = w->slots[context->worker]->job;
        append_event(w, event);
    }
    pthread_mutex_unlock(&w->lock);
    return posted;
}

es_status es_workers_tell(es_workers *w, void *data, es_error *err) {
    return post_data(w, NULL, data, err);
}

/* ---- threads ---- */

static void run_job(worker_slot *slot, es_job *job) {
    es_workers *w = slot->workers;
    es_job_context context = {w, &slot->run, slot->arena, slot->number};
    es_error error = {0};
    job->slot = slot;
    slot->job = job;
    slot->since = es_clock_now();
    es_run_init(&slot->run);
    pthread_mutex_unlock(&w->lock);
    es_arena_reset(slot->arena);
    es_status status = job->run(job->end.data, &context, &error);
    pthread_mutex_lock(&w->lock);
    slot->job = NULL;
    post_job_end(w, job, status, &error);
}

/* Of a thread that has no work: days may go by until the next run. */
static void give_back(worker_slot *slot) {
    es_workers *w = slot->workers;
    pthread_mutex_unlock(&w->lock);
    es_arena_clear(slot->arena);
    es_alloc_trim();
    pthread_mutex_lock(&w->lock);
}

/* Until there is work. A thread that has worked, and then rests for a while, first gives memory
 * back to the system. */
static void rest(worker_slot *slot, bool *worked) {
    es_workers *w = slot->workers;
    struct timespec until;
    if (!*worked) {
        pthread_cond_wait(&w->work, &w->lock);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += REST_SECONDS;
    if (pthread_cond_timedwait(&w->work, &w->lock, &until) != ETIMEDOUT)
        return;
    *worked = false;
    give_back(slot);
}

/* A worker thread: takes the most urgent job, runs it, until the pool closes. */
static void *worker_main(void *argument) {
    worker_slot *slot = argument;
    es_workers *w = slot->workers;
    bool worked = false;
    es_cpu_flush_denormals();
#ifdef __linux__
    /* There, 0 is the calling thread and not the process; the drawing thread keeps its priority. */
    (void)setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICE);
#endif
    pthread_mutex_lock(&w->lock);
    for (;;) {
        if (slot->number >= atomic_load(&w->threads)) {
            if (!worked)
                break;
            worked = false;
            give_back(slot); /* and look again: it may be wanted by now */
            continue;
        }
        if (w->queued == 0 || (atomic_load(&w->paused) && w->heap[0]->priority <= 0)) {
            rest(slot, &worked);
            continue;
        }
        worked = true;
        es_job *job = w->heap[0];
        take_out(w, job);
        run_job(slot, job);
    }
    slot->alive = false;
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* The signals of a crash stay open: blocked, they would kill without running the handler that gives
 * the terminal back. */
int es_workers_thread(pthread_t *out, void *(*serve_it)(void *), void *data) {
    static const int crash[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t blocked, previous;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof crash / sizeof *crash; i++)
        sigdelset(&blocked, crash[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &previous);
    pthread_attr_t attributes;
    int code = pthread_attr_init(&attributes);
    if (code == 0) { /* the user's `ulimit -s` may be less than linear algebra takes */
        code = pthread_attr_setstacksize(&attributes, STACK_BYTES);
        if (code == 0)
            code = pthread_create(out, &attributes, serve_it, data);
        (void)pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    return code;
}

static es_status make_slot(es_workers *w, unsigned number, es_error *err) {
    if (w->slots[number])
        return ES_OK;
    worker_slot *slot = es_alloc_zero(1, sizeof *slot);
    if (slot)
        slot->arena = es_arena_new();
    if (!slot || !slot->arena) {
        es_free(slot);
        return es_no_memory(err);
    }
    slot->workers = w;
    slot->number = number;
    es_run_init(&slot->run);
    pthread_mutex_lock(&w->lock);
    w->slots[number] = slot;
    pthread_mutex_unlock(&w->lock);
    return ES_OK;
}

/* Make sure that a thread serves slot `number`. One that was surplus and has not left yet simply
 * stays. Call with threads > number already set. */
static es_status man_slot(es_workers *w, unsigned number, es_error *err) {
    ES_PASS(make_slot(w, number, err));
    worker_slot *slot = w->slots[number];
    pthread_mutex_lock(&w->lock);
    bool alive = slot->alive;
    slot->alive = true;
    pthread_mutex_unlock(&w->lock);
    if (alive)
        return ES_OK;
    if (slot->started)
        pthread_join(slot->thread, NULL);
    int code = es_workers_thread(&slot->thread, worker_main, slot);
    slot->started = code == 0;
    if (code == 0)
        return ES_OK;
    pthread_mutex_lock(&w->lock);
    slot->alive = false;
    pthread_mutex_unlock(&w->lock);
    return es_fail(err, code == EAGAIN ? ES_ENOMEM : ES_EIO, "cannot start a thread: %s",
                   strerror(code));
}

static void set_threads(es_workers *w, unsigned threads) {
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->threads, threads);
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->lock);
}

es_status es_workers_resize(es_workers *w, unsigned threads, es_error *err) {
    if (threads > ES_WORKERS_MOST)
        return es_fail(err, ES_EINVAL, "%u threads: at most %d", threads, (int)ES_WORKERS_MOST);
    unsigned previous = atomic_load(&w->threads);
    set_threads(w, threads);
    es_status st = ES_OK;
    for (unsigned i = previous; i < threads && st == ES_OK; i++) {
        st = man_slot(w, i, err);
        if (st != ES_OK)
            set_threads(w, previous);
    }
    return st;
}

es_status es_workers_new(unsigned threads, es_workers **out, es_error *err) {
    es_workers *w = es_alloc_zero(1, sizeof *w);
    if (!w)
        return es_no_memory_for(err, "%u threads", threads);
    es_status st = es_pipe_open(w->wake, err);
    if (st != ES_OK) {
        es_free(w);
        return st;
    }
    pthread_mutex_init(&w->lock, NULL);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&w->work, &clock);
    pthread_condattr_destroy(&clock);
    w->last = &w->first;
    atomic_init(&w->threads, 0);
    atomic_init(&w->paused, false);
    st = es_workers_resize(w, threads, err);
    if (st == ES_OK)
        *out = w;
    else
        es_workers_free(w, NULL);
    return st;
}

void es_workers_free(es_workers *w, void (*drop)(es_event *event)) {
    if (!w)
        return;
    es_workers_cancel_all(w);
    set_threads(w, 0);
    for (unsigned i = 0; i < ES_WORKERS_MOST && w->slots[i]; i++)
        if (w->slots[i]->started)
            pthread_join(w->slots[i]->thread, NULL);
    for (es_event event; es_workers_next(w, &event);)
        if (drop)
            drop(&event);
    for (unsigned i = 0; i < ES_WORKERS_MOST && w->slots[i]; i++) {
        es_arena_free(w->slots[i]->arena);
        es_free(w->slots[i]);
    }
    es_pipe_close(w->wake);
    pthread_cond_destroy(&w->work);
    pthread_mutex_destroy(&w->lock);
    es_free(w->heap);
    es_free(w);
}

/* ---- what the owner asks for ---- */

int es_workers_fd(const es_workers *w) {
    return w->wake[0];
}

es_status es_workers_add(es_workers *w, es_job_run run, void *data, uint64_t tag, double priority,
                         es_job **out, es_error *err) {
    es_job *job = es_alloc_zero(1, sizeof *job);
    if (!job)
        return es_no_memory(err);
    job->end = (node){.job = job, .final = true, .data = data};
    job->run = run;
    job->tag = tag;
    job->priority = priority;
    pthread_mutex_lock(&w->lock);
    es_status st = reserve_queue_place(w, err);
    if (st == ES_OK) {
        job->age = w->ages++;
        job->place = w->queued++;
        settle(w, job);
        pthread_cond_signal(&w->work);
        if (out)
            *out = job;
    }
    pthread_mutex_unlock(&w->lock);
    if (st != ES_OK)
        es_free(job);
    return st;
}

/* A job is in the heap exactly when no slot has taken it and its final event is not under way. */
static bool is_queued(const es_workers *w, const es_job *job) {
    return !job->slot && job->place < w->queued && w->heap[job->place] == job;
}

void es_workers_cancel(es_workers *w, es_job *job) {
    pthread_mutex_lock(&w->lock);
    if (is_queued(w, job)) {
        take_out(w, job);
        finish_canceled(w, job);
    } else if (job->slot && job->slot->job == job) {
        es_run_cancel(&job->slot->run);
    }
    pthread_mutex_unlock(&w->lock);
}

void es_workers_cancel_all(es_workers *w) {
    pthread_mutex_lock(&w->lock);
    while (w->queued > 0)
        finish_canceled(w, w->heap[--w->queued]);
    for (unsigned i = 0; i < ES_WORKERS_MOST && w->slots[i]; i++)
        if (w->slots[i]->job)
            es_run_cancel(&w->slots[i]->run);
    pthread_mutex_unlock(&w->lock);
}

void es_workers_pause(es_workers *w, bool paused) {
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->paused, paused);
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->lock);
}

unsigned es_workers_threads(const es_workers *w) {
    return atomic_load(&w->threads);
}

/* Snapshots take the lock, which is not part of what `const` promises the caller. */
static pthread_mutex_t *lock_of(const es_workers *w) {
    return (pthread_mutex_t *)(uintptr_t)&w->lock;
}

bool es_workers_wanted(const es_job_context *context) {
    const es_workers *w = context->workers;
    if (atomic_load(&w->paused) || context->worker >= atomic_load(&w->threads))
        return false;
    pthread_mutex_lock(lock_of(w));
    bool urgent = w->queued > 0 && w->heap[0]->priority > w->slots[context->worker]->job->priority;
    pthread_mutex_unlock(lock_of(w));
    return !urgent;
}

bool es_workers_reading(const es_workers *w, es_run_view *out) {
    es_run_view view = {.total = 0};
    *out = view;
    pthread_mutex_lock(lock_of(w));
    for (unsigned k = 0; k < ES_WORKERS_MOST; k++) {
        worker_slot *slot = w->slots[k];
        if (!slot || !slot->alive || !slot->job)
            continue;
        es_run_look(&slot->run, &view);
        if (view.doing && (!out->doing || view.total > out->total))
            *out = view;
    }
    pthread_mutex_unlock(lock_of(w));
    return out->doing != NULL;
}

bool es_workers_look(const es_workers *w, unsigned worker, es_worker_view *out) {
    if (worker >= ES_WORKERS_MOST)
        return false;
    pthread_mutex_lock(lock_of(w));
    const worker_slot *slot = w->slots[worker];
    bool exists = slot && slot->alive;
    if (exists) {
        *out = (es_worker_view){.busy = slot->job != NULL};
        if (slot->job) {
            out->tag = slot->job->tag;
            out->since = slot->since;
            out->done = atomic_load(&slot->run.done);
            out->total = atomic_load(&slot->run.total);
            out->traced = atomic_load(&slot->run.traced);
            for (int i = 0; i < ES_RUN_TRACE; i++)
                out->trace[i] = atomic_load(&slot->run.trace[i]);
        }
    }
    pthread_mutex_unlock(lock_of(w));
    return exists;
}
