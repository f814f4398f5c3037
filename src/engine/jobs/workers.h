/* A pool of worker threads with a priority queue, and one event queue back to the owner.
 *
 * Jobs run unlocked; each carries an es_run for cancel and progress. The owner sleeps on
 * es_workers_fd (an eventfd or pipe that becomes readable when the event queue turns non-empty) and
 * drains with es_workers_next. Workers take no signals but those of their own crash, run with
 * denormals flushed and at a lower priority than the drawing thread. Only the owner's thread calls
 * these functions, unless they say "from inside a job". */
#ifndef EMBEDSCOPE_WORKERS_H
#define EMBEDSCOPE_WORKERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "run.h"
#include "embedscope/status.h"

typedef struct es_workers es_workers;
typedef struct es_job es_job;

/** What a worker gives to a job while it runs. */
typedef struct es_job_context {
    es_workers *workers;
    es_run *run;
    es_arena *arena; /* the worker's own; reset before every job */
    unsigned worker;
} es_job_context;

/** The computation. May call es_workers_post any number of times. Its status goes into the job's
 *  final event. */
typedef es_status (*es_job_run)(void *data, es_job_context *context, es_error *err);

typedef struct es_event {
    es_job *job;  /* identity only; invalid after its final event was taken; NULL: of none */
    uint64_t tag; /* of the job */
    bool final;   /* the job ended; status and error say how */
    es_status status;
    es_error error;
    void *data; /* of es_workers_post, ownership handed over; job's data when final */
} es_event;

enum { ES_WORKERS_MOST = 256 };

/** `threads` may be 0: jobs then wait for es_workers_resize. ES_EINVAL: above ES_WORKERS_MOST. */
es_status es_workers_new(unsigned threads, es_workers **out, es_error *err);
/** Cancels everything, joins the threads, drops undelivered events by `drop` (may be NULL). */
void es_workers_free(es_workers *workers, void (*drop)(es_event *event));
int es_workers_fd(const es_workers *workers);

/** Queue a job; higher priority first, then first come. `data` stays the caller's until the final
 *  event. */
es_status es_workers_add(es_workers *workers, es_job_run run, void *data, uint64_t tag,
                         double priority, es_job **out, es_error *err);
/** A queued job ends with ES_ECANCELED without running; a running one at its next check. */
void es_workers_cancel(es_workers *workers, es_job *job);
void es_workers_cancel_all(es_workers *workers);
/** Paused workers start only jobs of a priority above 0; running jobs go on to their end. */
void es_workers_pause(es_workers *workers, bool paused);
/** Grow or shrink; surplus threads leave after their current job. */
es_status es_workers_resize(es_workers *workers, unsigned threads, es_error *err);
unsigned es_workers_threads(const es_workers *workers);

/** Take the next event; false when there is none (the descriptor is then quiet). */
bool es_workers_next(es_workers *workers, es_event *out);
/** From inside a job that consists of many parts: false when the workers are paused, this thread is
 *  surplus or a job of higher priority waits, so that the job ends between two parts (and the owner
 *  queues the rest again). */
bool es_workers_wanted(const es_job_context *context);
/** From inside a job: hand data to the owner. The queue is unbounded in items but jobs post one
 *  item per finished pair. */
es_status es_workers_post(es_job_context *context, void *data, es_error *err);

/** Several at once, for which the owner wakes once. Returns how many were handed over, in their
 * order: fewer than `count` when memory does not suffice. */
size_t es_workers_post_all(es_job_context *context, void *const *data, size_t count);

/** The same as es_workers_post from any other thread: an event of no job. */
es_status es_workers_tell(es_workers *workers, void *data, es_error *err);

/** A thread of one's own that takes no signals, as workers do; pthread_create's result. */
int es_workers_thread(pthread_t *out, void *(*run)(void *), void *data);

typedef struct es_worker_view {
    bool busy;
    uint64_t tag;
    double since;         /* es_clock_now when the job began */
    unsigned done, total; /* of its es_run */
    unsigned traced;
    float trace[ES_RUN_TRACE];
} es_worker_view;

/** How far the job is that has most to do of those that say what they are at; false: none is. */
bool es_workers_reading(const es_workers *workers, es_run_view *out);

/** A snapshot for display; false when there is no such worker. */
bool es_workers_look(const es_workers *workers, unsigned worker, es_worker_view *out);

#endif
