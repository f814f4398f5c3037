/* What the files of a session share: its state. */
#ifndef ES_ENGINE_SESSION_PARTS_H
#define ES_ENGINE_SESSION_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base.h"
#include "engine_training.h"
#include "core_frontier.h"
#include "core_measures.h"
#include "engine_jobs.h"
#include "engine_measures.h"
#include "engine_session.h"
#include "engine_store.h"
#include "io_scores.h"
#include "structure.h"

/* The inside of a session: its state, and what its files do for each other.
 *
 *   session_state.c      what is read off the state: phases, names, results, times; the log
 *   session_plan.c       estimators and settings into plan entries; provenance
 *   session_cost.c       what pairs and measures take: work and memory
 *   session_pairs.c      the owner's side of a pair, the order of pairs, the zero line
 *   session_stored.c     pairs into the store and out of it
 *   session_queue.c      which pairs are wanted, how many jobs are at them, how far they are
 *   session_leases.c     several processes at one store
 *   session_shards.c     stores of a cluster's tasks, looked at while they grow
 *   session_work.c       the job that computes pairs
 *   session_far.c        pairs that other processes compute, or that are computed for one
 *   session_sample.c     samples of rows: which is shown, what was found of each
 *   session_settle.c     from opening to ready: checks, the row set, results, keys, stored pairs
 *   session_width.c      shared dimensions of embedders; as the next two, the newest request alone
 *   session_derive.c     derived embedders
 *   measure_jobs.c       what workers do of measures
 *   measure_stored.c     measures in the store
 *   session_frontier.c   what compressions keep of embedders
 *   session_measure.c    measures that were asked for; the ranking's baseline
 *   session_open.c       opening, closing, steering, applying events
 *
 * Each points only to those above it. What the jobs touch: fields under "shared" with their lock;
 * the pair queue and the cache, which lock for themselves; everything under "fixed", which does not
 * change once jobs run. The rest belongs to the owner's thread. Locks of a session are never held
 * together. */

/** One entry of the plan. */
typedef struct es_entry {
    es_config config;
    es_split *split;
    es_problem problem;
    es_store_key key;
    es_results *results;
    uint8_t *only;   // (m, m), then (m) of the zero line: to be estimated are not 0; NULL: all
    uint32_t *shape; // (m) numbers of embedders that cost the same, from 0; NULL: too many differ
    double *work;    // (shapes, shapes) operations of a pair
    size_t shapes;
    es_pace pace;    /* of pairs done */
    unsigned logged; /* tenths of its pairs that the log knows of */
    int64_t newest;  /* row of the store that was read last: the loading job's, then the keeper's */
    bool ranked;     /* its order follows the results of the entry before it */
} es_entry;

/** A pair whose commit did not succeed. Owns its texts and values. */
typedef struct es_unsaved {
    struct es_unsaved *next;
    size_t entry;
    const char *provenance; /* the session's */
    es_store_pair pair;
} es_unsaved;

/** What one worker is at. target SIZE_MAX: preparing. */
typedef struct es_at {
    bool busy;
    size_t entry, source, target;
    double since;
} es_at;

typedef struct es_measuring es_measuring;
typedef struct es_frontiers es_frontiers;
typedef struct es_leases es_leases;
typedef struct es_far_origin es_far_origin;
typedef struct es_shard_watch es_shard_watch;

/** What the models are in one role, for keys and streams: a binary target is another one than the
 *  same contents taken as continuous. */
typedef struct es_identities {
    es_digest *digest; // (m)
    size_t *order;     // (m) positions, ordered by digest
} es_identities;

struct es_session {
    /* fixed */
    es_pool *pool;
    es_store *store; /* NULL: none */
    es_workers *workers;
    es_pair_queue *queue; /* NULL until the contents are known; and in read-only sessions */
    es_cache *cache;
    es_room *room;         /* what workers take of `memory`; as the queue */
    size_t memory;         /* bytes that may be used */
    unsigned threads;      /* asked for, though there may be none yet */
    es_leases *leases;     /* NULL: nothing is shared */
    es_shard_watch *watch; /* NULL: no tasks of a cluster */
    es_log *log;
    char *provenance;
    es_entry *entries; // (n_entries)
    size_t n_entries;
    uint64_t seed;
    size_t shard, shards; /* of 1 to shards; shards below 2: all pairs */
    bool refresh, strict, read_only, as_stored, with_pmi, with_null, with_shards, with_derived;
    size_t m;
    es_identities sources, targets;
    es_digest *nulls; // (m) of the stand-ins for the zero line
    bool twins;       /* two embedders are of equal contents */
    es_far_sink sink; /* who gets what is computed, of a session that does it for another */
    void *sink_context;
    atomic_bool retried; /* failed pairs were given another try */

    /* shared */
    atomic_size_t lent;     /* pairs that other processes are at for this session */
    es_far_origin *origins; /* of their values; who returns them adds to it */
    pthread_mutex_t lock;
    es_rows *rows; // (m) d == 0 until first used
    es_at at[ES_WORKERS_MOST];
    es_unsaved *unsaved;
    size_t lost;            /* finished pairs that could be neither stored nor kept for it */
    es_error store_problem; /* code ES_OK: none */
    double store_again;     /* when to try it again */

    /* the owner's */
    unsigned kept;             /* closes to come that only count */
    es_error problem, stopped; /* for good; the run, until the next start */
    bool ready;                /* checked, settled and loaded */
    bool wanted;               /* start was asked for and not cancelled */
    bool paused, draining;
    bool looked_again;             /* the full look was begun */
    bool first_only;               /* of the plan */
    bool busy_elsewhere;           /* another process was at work when this was opened */
    bool deferred, waiting;        /* before what is stored is read: asked for; being done */
    size_t checked, checks, loads; /* done and queued; loads under way */
    size_t tickets;                /* work jobs under way */
    size_t running, reused;        /* pairs */
    size_t passes;                 /* plan entries that the last start asked for */
    double elapsed, since;         /* running time so far; start of the stretch under way or 0 */
    es_laps laps;
    es_latest_task width, stored, prepare, derive, rate, runs, remeasured;
    es_latest_task task[ES_SESSION_TASKS]; /* of those who use it */
    uint64_t elsewhere;     /* how often the store was found to be written by others */
    es_structure structure; /* of what is shown */
    es_cmim_live training;  /* of `derive`, where it trains */
    es_shard *tasks;        // (n_tasks) of a cluster, as they were last
    size_t n_tasks;
    es_measuring *measuring; /* NULL: no measure was asked for */
    es_frontiers *frontiers; /* NULL: no compressions were */
    es_results *matrix;      /* read from a file, without a pool; NULL: none */
    char scores_name[64];    /* of their file, cleaned; empty: the pool's */
    es_scores *own_scores;   /* of a file of their own; NULL: the pool's, or none */
};

/* ---- session_state.c, beside what engine_session.h says ---- */

/** True if the source stands for the zero line (engine_jobs.h). Its number is m + target. */
bool es_is_null(const es_session *session, es_lease pair);
/** What a source is known by in keys and streams. */
es_digest es_source_digest(const es_session *session, es_lease pair);
/** Returns the first place in the order whose digest is not below `digest`; equal ones follow. */
size_t es_identities_first(const es_identities *ids, size_t m, es_digest digest);
bool es_identities_at(const es_identities *ids, size_t m, size_t place, es_digest digest);
/** All pairs of an entry are done or failed. */
bool es_entry_known(const es_entry *entry);
double es_session_running_time(const es_session *session); /* seconds, pauses left out */
/** Pairs are wanted, or jobs at them. */
bool es_work_active(const es_session *session);

/* ---- session_plan.c ---- */

/** Fills entries from the options; sets *all_binary when a setting asks for it. */
es_status es_plan_new(const es_session_options *options, const es_estimator *const *table,
                      es_entry **out, size_t *count, bool *all_binary, es_error *err);
void es_plan_free(es_entry *entries, size_t count);

/* ---- session_state.c: the log ---- */

void es_session_log_ready(const es_session *session);
void es_session_log_start(const es_session *session, size_t wanted);
void es_session_log_pair(es_session *session, size_t entry); /* after each */

/* ---- session_cost.c; any thread ---- */

/** Numbers the embedders of each entry by width and kind, and tables what their pairs cost.
 *  O(m shapes + shapes^2) an entry. ES_ENOMEM. */
es_status es_costs_settle(es_session *s, es_error *err);
/** es_pair_costs of a session: operations of a pair, its part of what is prepared included. */
double es_pair_work(const void *session, es_lease pair);
/** Bytes that computing a pair takes at most, its prepared states included; *source: of these what
 * a worker that stays with the source goes on holding. */
size_t es_pair_need(const es_session *session, es_lease pair, size_t *source);
/** number (m m, then m of the zero line): which of so many shares each pair of an entry is in, from
 * 0.
 */
void es_share_cut(const es_session *session, size_t entry, size_t shares, uint32_t *number);
/** Sets session->room: what of the memory is left for pairs. */
es_status es_room_settle(es_session *session, es_error *err);
/** ES_EUNSUPPORTED where a job of so many bytes has no room even alone: "WHAT needs ...", with the
 *  figure and the remedy, of which fewer rows are one or not. */
es_status es_room_refuses(const es_session *session, const char *what, double bytes, bool by_rows,
                          es_error *err);
/** Returns the bytes that are taken whatever is computed. */
double es_room_standing(const es_session *session);

/* ---- session_stored.c; any thread ---- */

enum { ES_SAVE_MOST = 64 }; /* at a time */
typedef struct es_finished {
    size_t entry;
    const char *provenance; /* lives as long as the session; NULL: its own. One for all of a call */
    es_store_pair pair;
} es_finished;

/** Commit pairs, at most ES_SAVE_MOST, in one transaction, or keep them for a later try. */
void es_save_pairs(es_session *session, const es_finished *pairs, size_t count);
/** Try to commit what could not be committed before. */
void es_save_rest(es_session *session);
/** The store could not be read. */
void es_save_note(es_session *session, es_status st, const es_error *error);
/** Something could not be stored, and will have to be computed again by the next session. */
void es_save_note_lost(es_session *session, es_status st, const es_error *error);
/** Forget what could not be committed: at the end. */
void es_save_drop(es_session *session);

/* ---- session_pairs.c ---- */

/** A pair on its way to the owner. */
typedef struct es_pair_item {
    es_item item;
    es_session *session;
    es_lease pair;
    bool failed, reused;
    bool ended; /* computed, with a value or a failure */
    bool fresh; /* so it was, and it is to be stored before the owner hears of it */
    bool lent;  /* another process computed it */
    char *reason;
    es_pair_result result;
    es_values *values; /* the block that result.pmi is in; NULL: it is the item's own */
    double seconds;    /* of a processor, with what was prepared for it; stored */
    double took;       /* on the wall, what was prepared left out; to tell what is left */
} es_pair_item;

enum { ES_BATCH = 512 };

typedef struct es_stored_item {
    es_item item;
    bool live; /* others have finished them while the session was open */
    size_t count;
    es_pair_item pairs[ES_BATCH];
} es_stored_item;

/** NULL when out of memory. What it tells unless es_pair_item_undone follows: the pair's end. */
es_pair_item *es_pair_item_new(es_session *session, es_lease pair);
/** It was cancelled. */
void es_pair_item_undone(es_pair_item *item);
/** Tell that a pair is being computed. */
void es_pair_say_begun(es_session *session, es_job_context *context, es_lease pair);
/** An empty batch of stored pairs; NULL when out of memory. */
es_stored_item *es_stored_item_new(bool live);

es_pair_state es_pair_state_of(es_session *session, es_lease pair);
/** Set a pair that is not known to pending. */
void es_pair_reset(es_session *session, es_lease pair);
/** Record a failure, with a word in the log. Without memory the pair stays pending. */
void es_pair_fail(es_session *session, es_lease pair, const char *reason);
/** Cancelled; wanted again when a start came after the cancel. */
void es_pair_undo(es_session *session, es_lease pair);
/** Order entries by the results of those before them, once these are known. */
void es_entries_rank(es_session *session);

/* ---- session_stored.c ---- */

/** Hand the owner what is stored of an entry and was not read yet. `context`: of the job, NULL: of
 *  another thread, and then others have finished them. *found: how many there were. */
es_status es_stored_load(es_session *session, size_t entry, es_job_context *context, size_t *found,
                         es_error *err);
/** The same from another store, after its row *after, by another thread. */
es_status es_stored_load_from(es_session *session, es_store *store, size_t entry, int64_t *after,
                              size_t *found, es_error *err);
/** The same with one pair, by another thread. */
es_status es_stored_take(es_session *session, es_lease pair, es_error *err);
/** True if another process, or an embedder of equal contents, has finished this pair; fills the
 * item. */
bool es_stored_find(es_session *session, es_pair_item *item);

/* ---- session_pairs.c: the zero line ---- */

typedef struct es_null_source {
    const es_rows *rows; /* of the target; borrowed */
    uint32_t *from;      // (n) owned; es_free
} es_null_source;

/** Key of a pair's random stream: its contents and direction, never positions. */
uint64_t es_pair_stream(es_digest source, es_digest target);
/** Digest of a target's stand-in, under which its results are stored. */
es_digest es_null_digest(es_digest target);
/** Shuffles the rows of a target, for its zero line: one cycle, by (seed, target, number of rows).
 */
es_status es_null_rows(const es_rows *rows, uint64_t seed, es_digest target, es_null_source *out,
                       es_error *err);
/** The stand-in as rows; borrows `source`. */
es_rows es_null_reader(const es_null_source *source);

/* ---- session_leases.c ---- */

es_status es_leases_new(es_session *session, es_error *err);
/** End the keeper: before the workers are. */
void es_leases_stop(es_session *session);
void es_leases_free(es_session *session);
/** True if another process works on this store. Called in a worker. */
bool es_leases_others(es_session *session);
/** Look at what it does until it has gone, though nothing is wanted here. */
void es_leases_watch(es_session *session);
/** Starts to take up pairs that other processes finish; for an explorer. */
void es_leases_follow(es_session *session);

typedef enum es_pair_taken {
    ES_TAKEN_MINE, /* leased: nobody else computes it, and it is not stored */
    ES_TAKEN_LOOK, /* it may be stored; where it is not, it is to be computed */
    ES_TAKEN_OTHER /* others are at it: another pair */
} es_pair_taken;

/** Enters the leases in a work job, before all that follows; the last to leave returns pairs not
 * computed. */
void es_leases_enter(es_session *session);
void es_leases_leave(es_session *session);
/** Lease from the other processes a pair that was leased from the queue, and some that come next.
 *  `arrived`: the worker does not hold its source yet. ES_TAKEN_OTHER: pair->source may be
 * SIZE_MAX.
 */
es_pair_taken es_leases_take(es_session *session, es_lease *pair, bool arrived);
/** A pair was computed, and took so long. */
void es_leases_took(es_session *session, size_t entry, double seconds);
/** Returns the lease of a pair that was not computed; another process may try. */
void es_leases_give_back(es_session *session, es_lease pair);

/* ---- session_work.c ---- */

/** A work job: takes pairs from the queue until there are none. `pair` is what it was at when it
 *  ended, if `open`; `late` are ends of pairs that there was no memory to post. */
typedef struct es_ticket {
    es_item item;
    es_session *session;
    es_lease pair;
    bool open;
    size_t n_late;
    es_pair_item *late[ES_SAVE_MOST];
} es_ticket;

es_status es_work_run(void *ticket, es_job_context *context, es_error *err);
extern const es_cache_maker es_work_maker;
/** A source's state by itself, for sessions without a cache, and to be dropped; and the estimator's
 *  own state in one, or in what the cache holds. */
es_status es_work_state_new(es_session *session, size_t entry, size_t model, es_run *run,
                            void **out, es_error *err);
void es_work_state_drop(es_session *session, size_t entry, void *state); /* NULL is allowed */
const void *es_work_state_of(const void *held);

/* ---- measure_jobs.c ---- */

/** True if the embedder belongs to those that measures of one among all compare with. */
bool es_measure_is_member(const es_session *session, size_t model);

/* ---- session_cost.c: measures ---- */

/** Bytes at most of a measure of the embedder at position `source`, or of a pair; target SIZE_MAX:
 *  of one embedder. What is prepared is counted. */
double es_measure_room_of(const es_session *session, const es_measure *measure,
                          const double *values, size_t source, size_t target);
/** The largest of all embedders or pairs. */
double es_measure_room_most(const es_session *session, const es_measure *measure,
                            const double *values);
/** ES_EUNSUPPORTED where that does not fit even alone: the figure and the remedy. */
es_status es_measure_room_fits(const es_session *session, const es_measure *measure,
                               const double *values, const char *name, es_error *err);
/** Bytes of a prepared side of the embedder at this position. */
double es_measure_room_side(const es_session *session, const es_measure *measure,
                            const double *values, size_t model);
/** What prepared sides may take that nobody holds. */
size_t es_measure_room_budget(const es_session *session);
/** What a prepared side may keep of its rows. */
size_t es_measure_room_keeps(const es_session *session);

/** Wait until so many bytes are free, and take them: *held, which es_measure_room_leave takes.
 *  Who waits holds nothing. ES_ECANCELED. */
es_status es_measure_room_enter(es_session *session, double bytes, const es_run *run, size_t *held,
                                es_error *err);
void es_measure_room_leave(es_session *session, size_t *held);

/* ---- session_frontier.c ---- */

void es_frontiers_free(es_frontiers *frontiers); /* NULL is allowed */
/** Adds its embedders to the progress of measures. */
void es_frontiers_progress(const es_session *session, es_measure_progress *out);

/* ---- session_shards.c, beside what engine_session.h says ---- */

/** Begin to look, where there is something to look at; end it before the workers are. */
void es_shards_start(es_session *session);
void es_shards_stop(es_session *session);

/* ---- session_far.c, beside what engine_session.h says ---- */

void es_far_origins_free(es_session *session);

/* ---- session_queue.c ---- */

/** Queue as many work jobs as there are threads and pairs. When not even one could be, the queue is
 *  cleared and the session stops: nobody would ever come back to it. */
es_status es_work_top_up(es_session *session, es_error *err);
/** Put up the pairs that are pending; returns how many. */
/** Entries of the plan that are estimated. */
size_t es_entries_wanted(const es_session *session);
size_t es_work_want(es_session *session);
/** Count running time: call after everything that may start or stop it. */
void es_work_clock(es_session *session);

/* ---- session_settle.c ---- */

/** Before that: which sample of rows it is to be. */
es_status es_session_choose_rows(es_session *session, es_error *err);

/* ---- session_settle.c: checks ---- */

/** Queue a checking job for every model that is not excluded yet. */
es_status es_check_start(es_session *session, es_error *err);

/* ---- session_measure.c ---- */

void es_measuring_free(es_measuring *measuring);

/* ---- session_open.c ---- */

/** es_session_open with a table of estimators of one's own (tests). */
es_status es_session_open_with(const char *path, const es_session_options *options,
                               const es_estimator *const *table, es_session **out, es_error *err);

/* A measure that was asked for, as its jobs see it. */

typedef struct measure_entry {
    es_measured shown;
    es_digest data; /* of what people said */
    bool started;
    struct es_pairing *pairing; /* NULL: none under way */
    es_job **job;               /* (m) of embedder measures under way; tickets of pairwise ones */
    struct es_pooling *pooling; /* of measures of one embedder among all; NULL: not needed yet */
    /* fixed once jobs run */
    es_measure_data given;
    double values[ES_MEASURE_FIELDS];
    char estimator[80]; /* of the key */
    es_store_key key;
} measure_entry;

struct es_measuring {
    struct es_annotated {
        es_annotations *annotations;
        double values[ES_ANNOTATIONS_SETTINGS];
    } * annotated; /* (n_annotated) one for each set of their settings */
    size_t n_annotated, annotated_room;
    measure_entry **entry; /* (count) */
    size_t count, room;
    es_words texts; /* what values refer to */
};

/** Measures can be asked for; ES_EEMPTY, ES_EBUSY: not now. */
es_status es_measure_begin(es_session *session, es_error *err);
/** Fills an es_measured that has no values with what is stored of it. Any thread. */
es_status es_measure_load_stored(const es_session *session, const es_store_key *key,
                                 es_words *texts, es_measured *shown, es_error *err);
/** Digest of the contents of all embedders that others are measured among, in their order. */
es_digest es_measure_pool_digest(const es_session *session);

/** Queue what is not known of an entry that has room for its jobs and none under way. */
es_status es_measure_jobs_start(es_session *session, measure_entry *entry, es_error *err);
void es_measure_jobs_free(measure_entry *entry);

#endif
