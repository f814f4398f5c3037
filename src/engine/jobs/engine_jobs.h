/* Threads, and what passes between them and their owner. */
#ifndef ES_ENGINE_JOBS_H
#define ES_ENGINE_JOBS_H

#include <pthread.h>

#include "base.h"

/* Prepared states (a standardised target, a factored source) shared by the workers of one session.
 *
 * A state is made once by whoever asks first, while others who want the same one wait; it stays as
 * long as somebody holds it, and after that while it fits the budget, the least recently used going
 * first. So memory is bounded by the budget and what the threads hold. All functions may be called
 * from any thread; the cache's lock is taken for moments only and is innermost. */

typedef enum es_cache_kind { ES_CACHE_SOURCE, ES_CACHE_TARGET, ES_CACHE_KINDS } es_cache_kind;

/** What the makers need to know; called without the cache's lock. */
typedef struct es_cache_maker {
    void *context;
    es_status (*make)(void *context, size_t entry, es_cache_kind kind, size_t model, es_run *run,
                      void **out, es_error *err);
    size_t (*bytes)(void *context, size_t entry, es_cache_kind kind, const void *state);
    void (*drop)(void *context, size_t entry, es_cache_kind kind, void *state);
} es_cache_maker;

typedef enum es_cache_presence {
    ES_CACHE_ABSENT,
    ES_CACHE_MAKING,
    ES_CACHE_READY
} es_cache_presence;

typedef struct es_cache es_cache;

/** For `entries` plan entries over `models` models. */
es_status es_cache_new(size_t entries, size_t models, size_t budget, const es_cache_maker *maker,
                       es_cache **out, es_error *err);
void es_cache_free(es_cache *cache); /* nothing may be held any more */

/** Hold a state, making it or waiting for its maker where need be. A failure that is not for want
 * of memory and not a cancel is remembered and returned again. Pair with es_cache_release. */
es_status es_cache_hold(es_cache *cache, size_t entry, es_cache_kind kind, size_t model,
                        es_run *run, const void **out, es_error *err);
/** keep false: nobody will want it again; it goes with its last holder. */
void es_cache_release(es_cache *cache, size_t entry, es_cache_kind kind, size_t model, bool keep);

/** Returns whether a state is there now. */
es_cache_presence es_cache_look(es_cache *cache, size_t entry, es_cache_kind kind, size_t model);

/** What states that nobody holds may take from now on, within the budget. */
void es_cache_spare(es_cache *cache, size_t bytes);

/** Let go of everything that nobody holds, and forget failures. */
void es_cache_clear(es_cache *cache);
/** Bytes of all states, held or not. */
size_t es_cache_bytes(es_cache *cache);

/** The budget where so much memory may be used: half of it. The rest is for what is held while it
 * is worked with. */
size_t es_cache_budget(size_t memory);
/** What a state may keep of an embedder's rows: half of the budget, but 256 MB at most. Larger ones
 *  are read again for each pair. That costs little beside what a pair of such rows computes; the
 *  cache is for what is dear to make, such as factors. */
size_t es_cache_rows(size_t budget);

/* A pool of worker threads with a priority queue, and one event queue back to the owner.
 *
 * Jobs run unlocked; each carries an es_run for cancel and progress. The owner sleeps on
 * es_workers_fd (an eventfd or pipe that becomes readable when the event queue turns non-empty) and
 * drains with es_workers_next. Workers take no signals but those of their own crash, run with
 * denormals flushed and at a lower priority than the drawing thread. Only the owner's thread calls
 * these functions, unless they say "from inside a job". */

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

/* Latest-only task: background work in which a new request cancels the one in flight. Owner's
 * thread. */

/** Kind of a latest-only task. Its data hold the inputs and take the results. */
typedef struct es_latest_task_kind {
    es_status (*run)(void *data, es_run *run, es_error *err); /* in a worker */
    void (*deinit)(void *data); /* releases what they hold, found or not; NULL: nothing */
    double priority;
    const char *name; /* before an error in the log; NULL: the caller gets it, not the log */
} es_latest_task_kind;

/** One latest-only task. All zero bytes: nothing was requested yet. */
typedef struct es_latest_task {
    es_job *job; /* the one that counts; NULL: none under way */
    const es_latest_task_kind *kind;
    void *newest;   /* data of the newest that succeeded; NULL: none */
    uint64_t tag;   /* of these */
    double seconds; /* that they took of a worker */
    bool over;      /* one has ended, and nobody was told */
    es_error error; /* how the last one ended; code ES_OK: well, or none has */
} es_latest_task;

/** Starts the task with `data` (by es_alloc), which it takes, and frees on failure. Cancels the
 *  one in flight. The newest data stay until these have succeeded. */
es_status es_latest_task_start(es_latest_task *latest, es_workers *workers, es_log *log,
                               const es_latest_task_kind *kind, void *data, uint64_t tag,
                               es_error *err);
/** Cancels the task in flight (workers may be NULL if there is none), and frees its data. */
void es_latest_task_stop(es_latest_task *latest, es_workers *workers);
/** Returns the outcome of the last task, once. ES_EBUSY: in flight; ES_ENOTFOUND, without a
 *  message: none has ended since the last answer. */
es_status es_latest_task_outcome(es_latest_task *latest, es_error *err);

/* What an owner and its workers pass to each other. Owner's thread, unless it says otherwise. */

/** First member of the data of every job and of every event (es_workers_post). It knows itself what
 *  is to be done with it, so that whoever empties the queue needs to know no kinds. */
typedef struct es_item {
    /** By the owner: the job has ended (event->final), or this was posted. */
    void (*apply)(struct es_item *item, const es_event *event);
    /** Releases what the item holds, not the item; NULL: nothing. Any thread. */
    void (*deinit)(struct es_item *item);
} es_item;

void es_item_free(es_item *item); /* NULL is allowed; any thread */
/** Apply an event and free its item. */
void es_item_apply(const es_event *event);
/** Queue a job over `item`, which is the workers' from now on, and freed should this fail. Workers
 *  without a thread (of a session that only shows) get one. out as es_workers_add. */
es_status es_item_add(es_workers *workers, es_item *item, es_job_run run, double priority,
                      es_job **out, es_error *err);
/** From inside a job: hand `item` to the owner; freed should this fail. */
es_status es_item_post(es_job_context *context, es_item *item, es_error *err);
/** The same from any other thread. */
es_status es_item_tell(es_workers *workers, es_item *item, es_error *err);
/** An item that does nothing, for the owner to look again; none when out of memory. */
void es_item_wake(es_workers *workers);

/* Expiry of leases: heartbeats of other processes are timed by this process's clock alone, so that
 * wrong clocks make no difference. One thread. */

enum {
    ES_LEASE_SECONDS = 30, /* a lease expires without a heartbeat */
    ES_BEAT_SECONDS = 5,   /* between two heartbeats */
    ES_EXPIRY_MOST = 512   /* processes watched at a time */
};

typedef struct es_watched {
    int64_t id; /* 0: free */
    uint64_t beat;
    double since, seen; /* of this heartbeat; of the last look */
} es_watched;

/** All zero bytes: no process is watched yet. */
typedef struct es_expiry {
    es_watched watched[ES_EXPIRY_MOST];
} es_expiry;

/** Notes the heartbeat of process `id` (above 0) at the time `now` of es_clock_now. Returns true if
 *  it has not changed for ES_LEASE_SECONDS, all of which the process was watched. */
bool es_expiry_note(es_expiry *expiry, int64_t id, uint64_t beat, double now);

/* How long the rest of a run takes, by the work that is left of each of its parts and the seconds
 * that work of that part has taken. A pair counts by its work, not as one of so many: those of wide
 * embedders take a hundred times those of narrow ones. */

/** What was done of one part, the older the less it counts. All zero bytes: nothing yet. */
typedef struct es_pace {
    double work, seconds; /* of one thread */
    double pairs;
    double elapsed; /* running time since the first pair, and between pairs */
    double at;      /* running time when they were brought up to date */
} es_pace;

/** A pair has ended at `now` (running time). */
void es_pace_add(es_pace *pace, double now, double work, double seconds);

/** Seconds until all parts are done, with so many threads, where left[i] work of part i is left
 *  (exactly 0: none). A part of which nothing has been done goes like the last before it that has,
 *  else like the first behind it. Time between short pairs counts, in which threads lease, prepare
 *  and store. NAN: nothing has been done of any. */
double es_pace_left(const es_pace *pace, const double *left, size_t parts, double threads);

enum { ES_LAPS = 256 };

/** How many pairs have ended of late, in steps of a tenth of a second: those that come in one batch
 *  have taken longer than the batch. Only those of one part count, since the next one's may take a
 *  hundred times as long. All zero bytes: none yet. */
typedef struct es_laps {
    size_t part;
    double since, last;   /* when the part began; when its last pair ended */
    double time[ES_LAPS]; /* running time when a step began */
    size_t pairs[ES_LAPS];
    size_t n; /* steps so far; step k is at k % ES_LAPS */
} es_laps;

/** A pair has ended. The first of a later part begins anew, and so does one of an earlier part once
 *  the later one's have ceased. */
void es_laps_add(es_laps *laps, double now, size_t part);
/** Pairs a second over the last 20 seconds, or since the part began; 0: none. */
double es_laps_rate(const es_laps *laps, double now);

/* Which pairs are still to be computed, and which one a worker takes next.
 *
 * Workers lease one pair at a time, so that no thread is idle while a pair is left, and a new
 * priority counts from the next pair on. The order: plan entries one after the other; the more
 * urgent sources before others; a worker stays with its source, whose state it holds; a new source
 * is the costliest that nobody is at, and when somebody is at all of them, the one with most left.
 * Of a source's targets, those come first whose states are prepared. None of this shows in the
 * results.
 *
 * Any thread may call any function. Lock order: the queue's before the cache's. */

typedef struct es_pair_queue es_pair_queue;

/** A pair of one plan entry. Sources from `models` on are stand-ins for the zero line: models + t
 * has one pair, with target t, and comes after all others of its entry. */
typedef struct es_lease {
    size_t entry, source, target;
} es_lease;

/** Expected work of a pair; of a stand-in's, source and target are the target. */
typedef struct es_pair_costs {
    double (*of)(const void *context, es_lease pair);
    const void *context;
} es_pair_costs;

/** `costs` is copied, what it points to borrowed. `offset` (a process's
 *  own number; 0: natural order) turns the order of targets, differently for each source, so that
 * two processes on one pool are rarely at the same pair. `cache` (for twice as
 *  many models, as stand-ins are prepared too) may be NULL. */
es_status es_pair_queue_new(size_t entries, size_t models, const es_pair_costs *costs,
                            size_t offset, es_cache *cache, es_pair_queue **out, es_error *err);
void es_pair_queue_free(es_pair_queue *queue);

/** Expected work of a pair. */
double es_pair_queue_cost(const es_pair_queue *queue, es_lease pair);

/** Put a pair up; false when it already was, or is leased. */
bool es_pair_queue_want(es_pair_queue *queue, es_lease pair);
/** A leased pair has come to its end, whichever: it may be put up again. */
void es_pair_queue_ended(es_pair_queue *queue, es_lease pair);
/** A pair has become known elsewhere: it is taken down, unless somebody here is at it. */
void es_pair_queue_drop(es_pair_queue *queue, es_lease pair);
/** Take down all that nobody has leased. */
void es_pair_queue_clear(es_pair_queue *queue);
/** Pairs that are up and not leased. */
size_t es_pair_queue_left(es_pair_queue *queue);
/** Nothing of a source is left and nobody is at it: its state is of no more use. */
bool es_pair_queue_spent(es_pair_queue *queue, size_t entry, size_t source);
/** Their cost, of one entry. */
double es_pair_queue_cost_left(es_pair_queue *queue, size_t entry);

/* ---- several processes (session_leases.c) ----
 *
 * A pair may be away: another process is at it. It is neither up nor leased, and comes back or is
 * dropped. And it may be held: leased from the others, though perhaps not begun here. */

/** `pair`, which the caller has leased, and those that are up and not held at the same source, in
 *  the order in which they would be taken; returns how many, at most `capacity`, at least 1. */
size_t es_pair_queue_ahead(es_pair_queue *queue, es_lease pair, es_lease *out, size_t capacity);
void es_pair_queue_hold(es_pair_queue *queue, es_lease pair);
bool es_pair_queue_is_held(es_pair_queue *queue, es_lease pair);
/** No pair is held any more. */
void es_pair_queue_forget_held(es_pair_queue *queue);
/** Another process is at a pair that the caller has leased here, or that is up: nothing happens if
 *  it is neither. */
void es_pair_queue_away(es_pair_queue *queue, es_lease pair, bool leased);
/** It is not any more: up again, if it still was away. */
void es_pair_queue_back(es_pair_queue *queue, es_lease pair);
/** How many are away, and the first of them. */
size_t es_pair_queue_count_away(es_pair_queue *queue);
size_t es_pair_queue_list_away(es_pair_queue *queue, es_lease *out, size_t capacity);
/** Others are at the source of a pair that the caller has just leased. If there is a source as
 *  urgent that nobody is known to be at, the pair goes back up, the source comes after those, and
 *  pair->source is SIZE_MAX; else false, and nothing changes. */
bool es_pair_queue_yield(es_pair_queue *queue, es_lease *pair);
/** Would es_pair_queue_yield? */
bool es_pair_queue_may_yield(es_pair_queue *queue, es_lease pair);

enum { ES_URGENCY_MOST = 3 };
/** How urgent the pairs of each source are: urgency (models) of 0 to ES_URGENCY_MOST, higher first;
 *  NULL: all alike. Copied. */
void es_pair_queue_urge(es_pair_queue *queue, const uint8_t *urgency);
/** Natural order among sources and targets of an entry: higher first, replacing cost for sources
 *  (models values) and turning for targets (models x models values). Both are copied; NULL: back to
 *  cost. ES_ENOMEM leaves the order as it was. */
es_status es_pair_queue_rank(es_pair_queue *queue, size_t entry, const double *sources,
                             const double *targets, es_error *err);

/** Lease the next pair for a worker whose last lease (or SIZE_MAX source) is *pair. False: nothing
 *  is left. */
bool es_pair_queue_lease(es_pair_queue *queue, es_lease *pair);
/** The pairs that would be leased next, as things stand, by the workers that are at their sources
 *  now, in turns. Nothing is leased. Returns how many; at most ES_PAIR_QUEUE_LOOK. */
enum { ES_PAIR_QUEUE_LOOK = 16 };
size_t es_pair_queue_next(es_pair_queue *queue, es_lease *out, size_t capacity);
/** The worker no longer holds this source. Each change of source in es_pair_queue_lease does the
 * same.
 */
void es_pair_queue_leave(es_pair_queue *queue, es_lease pair);

/* Room in memory, of which jobs take what they need for as long as they need it: one whose need
 * does not fit beside that of the others waits. All functions may be called from any thread. */

typedef struct es_room es_room;

es_status es_room_new(size_t bytes, es_room **out, es_error *err);
void es_room_free(es_room *room);

/** What a job holds, *held, becomes `bytes`: always where that is no more, or where nobody else
 * holds anything, else when it fits. */
bool es_room_take(es_room *room, size_t *held, size_t bytes);
/** Sleep until somebody holds less, but a fiftieth of a second at most. Who holds something while
 * he waits may wait for ever. */
void es_room_wait(es_room *room);

size_t es_room_size(const es_room *room);
/** What nobody holds. */
size_t es_room_left(es_room *room);

#endif
