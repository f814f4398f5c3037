/* The inside of a session.
 *
 *   session.c        opening, closing, what views read
 *   session_plan.c   estimators and settings into plan entries; provenance
 *   session_check.c  jobs that read the pool's contents and load stored results
 *   session_work.c   the job that computes pairs and commits them
 *   session_null.c   the zero line: a target's rows in another order
 *   session_sure.c   the job that computes intervals of the ranking
 *   session_baseline.c  the job that reads the ranking's baseline
 *   session_measure.c  jobs that compute measures
 *   session_prepare.c  the job that reads what they need of the pool's files
 *   session_pump.c   the owner's side: applies events, keeps phase, times and order
 *
 * What the jobs touch: fields under "shared" with their lock; the board and the cache, which lock
 * for themselves; everything under "fixed", which does not change once jobs run. The rest belongs
 * to the owner's thread. Locks of a session are never held together. */
#ifndef ES_ENGINE_SESSION_INTERNAL_H
#define ES_ENGINE_SESSION_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "bootstrap.h"
#include "cache.h"
#include "derived.h"
#include "embedscope/measure.h"
#include "measuring.h"
#include "pair_queue.h"
#include "scores.h"
#include "embedscope/session.h"
#include "store.h"

typedef struct es_entry {
    es_config config;
    es_split *split;
    es_problem problem;
    es_store_key key;
    es_results *results;
    /* of pairs done, to tell seconds from cost */
    double cost_done, seconds_done;
    unsigned logged; /* tenths of its pairs that the log knows of */
    bool ranked;     /* its order follows the results of the entry before it */
} es_entry;

/** A pair whose commit did not succeed. Owns its texts and values. */
typedef struct es_unsaved {
    struct es_unsaved *next;
    size_t entry;
    es_store_pair pair;
} es_unsaved;

/** What one worker is at. target SIZE_MAX: preparing. */
typedef struct es_at {
    bool busy;
    size_t entry, source, target;
    double since;
} es_at;

typedef struct es_measuring es_measuring;

/** A finished pair for the rate. */
typedef struct es_lap {
    double time; /* of running time */
    double cost;
    size_t entry;
} es_lap;

/** What the models are in one role, for keys and streams: a binary target is another one than the
 *  same contents taken as continuous. */
typedef struct es_identities {
    es_digest *digest; // (m)
    size_t *order;     // (m) positions, ordered by digest
} es_identities;

enum { ES_LAPS = 2048 };

struct es_session {
    /* fixed */
    es_pool *pool;
    es_store *store; /* NULL: none */
    es_workers *workers;
    es_pair_queue *board; /* NULL until the contents are known; and in read-only sessions */
    es_cache *cache;
    es_log *log;
    char *provenance;
    es_entry *entries; // (n_entries)
    size_t n_entries;
    uint64_t seed;
    bool refresh, strict, read_only, with_pmi, with_null;
    size_t m;
    es_identities sources, targets;
    es_digest *nulls; // (m) of the stand-ins for the zero line

    /* shared */
    pthread_mutex_t lock;
    es_rows *rows; // (m) d == 0 until first used
    es_at at[ES_WORKERS_MOST];
    es_unsaved *unsaved;
    size_t lost;            /* finished pairs that could be neither stored nor kept for it */
    es_error store_problem; /* code ES_OK: none */
    double store_again;     /* when to try it again */

    /* the owner's */
    es_error problem, stopped; /* for good; the run, until the next start */
    bool ready;                /* checked, settled and loaded */
    bool wanted;               /* start was asked for and not cancelled */
    bool paused;
    size_t checked, checks, loads; /* done and queued; loads under way */
    size_t tickets;                /* work jobs under way */
    size_t running, reused;        /* pairs */
    double elapsed, since;         /* running time so far; start of the stretch under way or 0 */
    es_lap laps[ES_LAPS];
    size_t n_laps;
    es_job *sure_job;   /* computing intervals; NULL: none */
    es_intervals *sure; /* the newest; NULL: none yet */
    uint64_t sure_tag;
    double sure_seconds; /* what it took of a worker */
    es_job *worst_job;   /* ranking pairs; NULL: none */
    es_worst worst;      /* line NULL: not there */
    es_error worst_error;
    es_job *prepare_job; /* reading files for a measure; NULL: none */
    bool prepare_over;   /* it is done and was not told yet */
    es_error prepare_error;
    es_job *baseline_job; /* reading it; NULL: none */
    es_l2_baseline baseline;
    es_measuring *measuring;       /* NULL: no measure was asked for */
    struct es_derive_item *derive; /* under way, or with its outcome; NULL: none */
    bool derive_over, derive_told;
    es_error derive_error;
    es_config matrix_config; /* of a matrix from a file */
    es_results *matrix;
    char scores_name[64];  /* of their file, cleaned; empty: the pool's */
    es_scores *own_scores; /* of a file of their own; NULL: the pool's, or none */
};

/* ---- events to the owner ---- */

typedef enum es_item_kind {
    ES_ITEM_CHECK,         /* the end of a checking job */
    ES_ITEM_LOAD,          /* the end of a loading job */
    ES_ITEM_TICKET,        /* the end of a work job */
    ES_ITEM_STORED,        /* a batch of stored pairs */
    ES_ITEM_BEGUN,         /* a pair is being computed */
    ES_ITEM_UNDONE,        /* it was cancelled */
    ES_ITEM_PAIR,          /* it is finished or failed */
    ES_ITEM_INTERVALS,     /* the end of a job that computes intervals */
    ES_ITEM_MEASURE,       /* the end of a job that measures an embedder */
    ES_ITEM_MEASURED_PAIR, /* a pair is measured */
    ES_ITEM_WORST,         /* the end of a job that ranks pairs */
    ES_ITEM_PREPARE,       /* the end of a job that reads files for a measure */
    ES_ITEM_BASELINE,      /* the end of a job that reads the baseline */
    ES_ITEM_DERIVE,        /* the end of a job that derives an embedder */
    ES_ITEM_MEASURE_TICKET /* the end of a job that measures pairs */
} es_item_kind;

/** First member of every job's and event's data. */
typedef struct es_item {
    es_item_kind kind;
    es_session *session;
} es_item;

typedef struct es_check_item {
    es_item item;
    size_t model;
    es_model_check check;
} es_check_item;

typedef struct es_load_item {
    es_item item;
    size_t entry;
} es_load_item;

/** A work job: takes pairs from the board until there are none. `pair` is what it was at when it
 *  ended, if `open`. */
typedef struct es_ticket {
    es_item item;
    es_claim pair;
    bool open;
} es_ticket;

typedef struct es_pair_item {
    es_item item;
    es_claim pair;
    bool failed, reused;
    char *reason;
    es_pair_result result;
    double seconds;
} es_pair_item;

enum { ES_BATCH = 512 };

typedef struct es_stored_item {
    es_item item;
    size_t count;
    es_pair_item pairs[ES_BATCH];
} es_stored_item;

/** Intervals of a copied matrix. */
typedef struct es_intervals_item {
    es_item item;
    uint64_t tag;
    double seconds; // of the computation
    es_bootstrap problem;
    double *is;      // (m, m)
    uint32_t *order; // (m) by name, as documents draw too
    float **pmi;     // (m, m) of the results; NULL: not known
    es_intervals *out;
} es_intervals_item;

/** Values of a measure, for an embedder (source and target are the same) or a pair. */
typedef struct es_measured_item {
    es_item item;
    struct measure_entry *entry;
    size_t source, target;
    bool failed;
    char *reason;
    es_measure_value value[ES_MEASURE_FIELDS];
} es_measured_item;

typedef struct es_measure_ticket {
    es_item item;
    struct measure_entry *entry;
    size_t number;
    struct pairing *pairing;
} es_measure_ticket;

/** What is worst by a measure. */
typedef struct es_worst_item {
    es_item item;
    const es_measure *measure;
    es_measure_data data;
    const double *values; /* of the measure's settings; both are borrowed from an entry */
    es_worst out;
} es_worst_item;

typedef struct es_prepare_item {
    es_item item;
    const es_measure *measure;
    struct es_annotations *evidence; /* the session's, the job's alone while it is under way */
} es_prepare_item;

typedef struct es_baseline_item {
    es_item item;
    es_l2_baseline out;
} es_baseline_item;

/** An embedder being derived; owned by the session. */
typedef struct es_derive_item {
    es_item item;
    es_derivation derivation;
    es_derived out;
} es_derive_item;

void es_item_free(es_item *item);

/** Is the source a stand-in for the zero line (board.h)? Its number is m + target. */
static inline bool es_is_null(const es_session *session, es_claim pair) {
    return pair.source >= session->m;
}
/** What a source is known by in keys and streams. */
static inline es_digest es_source_digest(const es_session *session, es_claim pair) {
    return es_is_null(session, pair) ? session->nulls[pair.target]
                                     : session->sources.digest[pair.source];
}

/* ---- session.c ---- */

/** es_session_open with a table of estimators of one's own (tests). */
es_status es_session_open_with(const char *path, const es_session_options *options,
                               const es_estimator *const *table, es_session **out, es_error *err);

/** After all checks: the row set, results, splits, keys, and what workers need. */
es_status es_session_settle(es_session *session, es_error *err);

/* ---- session_plan.c ---- */

/** Fills entries from the options; sets *all_binary when a setting asks for it. */
es_status es_plan_new(const es_session_options *options, const es_estimator *const *table,
                      es_entry **out, size_t *count, bool *all_binary, es_error *err);
void es_plan_free(es_entry *entries, size_t count);
es_status es_provenance_new(unsigned threads, char **out, es_error *err);

/* ---- session_check.c ---- */

/** Queue a checking job for every model that is not excluded yet. */
es_status es_check_start(es_session *session, es_error *err);
/** Queue the loading of stored pairs. */
es_status es_load_start(es_session *session, es_error *err);
/** First place in the order whose digest is not below `digest`; is it there? Equal ones follow. */
size_t es_identities_first(const es_identities *ids, size_t m, es_digest digest);
bool es_identities_at(const es_identities *ids, size_t m, size_t place, es_digest digest);

/* ---- session_work.c ---- */

es_status es_work_run(void *data, es_job_context *context, es_error *err);
extern const es_cache_maker es_work_maker;
/** Try to commit what could not be committed before. */
void es_work_save(es_session *session);
/** Key of a pair's random stream: its contents and direction, never positions. */
uint64_t es_work_stream(es_digest source, es_digest target);

/* ---- session_null.c ---- */

typedef struct es_null_source {
    const es_rows *rows; /* of the target; borrowed */
    uint32_t *from;      // (n) owned; es_free
} es_null_source;

/** Digest of a target's stand-in, under which its results are stored. */
es_digest es_null_digest(es_digest target);
/** Draw the order of rows: one cycle, by (seed, target, number of rows). */
es_status es_null_rows(const es_rows *rows, uint64_t seed, es_digest target, es_null_source *out,
                       es_error *err);
/** The stand-in as rows; borrows `source`. */
es_rows es_null_reader(const es_null_source *source);

/* ---- session_sure.c ---- */

void es_sure_apply(es_session *session, es_intervals_item *item, const es_job *job, es_status st,
                   const es_error *error);

/* ---- session_prepare.c ---- */

void es_prepare_apply(es_session *session, es_status st, const es_error *error);

/* ---- session_baseline.c ---- */

void es_baseline_apply(es_session *session, es_baseline_item *item, es_status st,
                       const es_error *error);

/* ---- session_worst.c ---- */

void es_worst_item_deinit(es_worst_item *item);
void es_worst_apply(es_session *session, es_worst_item *item, const es_job *job, es_status st,
                    const es_error *error);

/* ---- session_measure.c ---- */

void es_measuring_free(es_measuring *measuring);
/** What people said about the rows, for a measure with its default settings; borrowed. */
es_status es_measure_annotations(es_session *session, const es_measure *measure,
                                 struct es_annotations **out, es_error *err);
void es_measure_apply(es_session *session, es_measured_item *item, es_status st,
                      const es_error *error);
void es_measure_ticket_apply(es_session *session, const es_measure_ticket *ticket, es_status st,
                             const es_error *error);

/* ---- session_pump.c ---- */

/** Queue as many work jobs as there are threads and pairs. When not even one could be, the board is
 *  cleared and the session stops: nobody would ever come back to it. */
es_status es_work_top_up(es_session *session, es_error *err);
/** Put up the pairs that are pending; returns how many. */
size_t es_work_want(es_session *session);
/** Count running time: call after everything that may start or stop it. */
void es_work_clock(es_session *session);
bool es_work_active(const es_session *session);
/** Set a pair that is not known to pending. */
void es_pair_reset(es_session *session, es_claim pair);
es_pair_state es_pair_state_of(es_session *session, es_claim pair);
/** All pairs of an entry are done or failed. */
bool es_entry_known(const es_entry *entry);
/** And the zero line too, where it is asked for. */
bool es_entry_complete(const es_session *session, const es_entry *entry);
double es_session_running_time(const es_session *s); // seconds, pauses left out

// session_log.c
void es_session_log_ready(const es_session *s);
void es_session_log_start(const es_session *s, size_t wanted);
void es_session_log_pair(es_session *s, size_t entry); // after each

#endif
