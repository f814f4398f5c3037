/* A session estimates information sufficiency between all embedders of a pool: it checks the pool,
 * takes from the store what is known, has worker threads compute the rest, and keeps the results.
 * The program's commands and its explorer use the same sessions, so they show the same numbers.
 *
 *     es_session_options options = {0};
 *     es_session *session = NULL;
 *     es_error err;
 *     es_status st = es_session_open("POOL", &options, &session, &err);
 *     if (st == ES_OK)
 *         st = es_session_start(session, &err);
 *     if (st == ES_OK)
 *         st = es_session_wait(session, -1, &err);
 *     const es_results *results = es_session_results(session, 0);
 *
 * All calls from one thread, the owner's; none waits for a worker but es_session_wait and
 * es_session_close. A NULL session is answered with ES_EINVAL, NULL or 0. Results do not depend on
 * the number of threads, on the order of computation or on what was stored before. */
#ifndef EMBEDSCOPE_SESSION_H
#define EMBEDSCOPE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/pool.h"
#include "embedscope/results.h"
#include "embedscope/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ES_THREADS_MOST = 256 };

/** All zero bytes: the standard plan on all cores, stored beside the pool. */
typedef struct es_session_options {
    es_pool_options pool;
    const char *estimator;       /* NULL: the standard plan, "linear" and then "knife" */
    const char *preset;          /* NULL: "default" */
    const char *const *settings; /* NULL-terminated "key=value", or several with blanks between;
                                    NULL: none */
    uint64_t seed;
    unsigned threads;  /* 0: all cores; at most ES_THREADS_MOST */
    size_t memory;     /* bytes that may be used; 0: half of what this process may have */
    bool refresh;      /* ignore stored results (they are replaced) */
    bool strict;       /* any exclusion is an error */
    bool no_store;     /* keep results in memory only: nothing is written */
    bool read_only;    /* show what is stored; es_session_start is refused */
    bool as_stored;    /* show pairs as they are stored, also those that a run would make again */
    bool with_pmi;     /* load and keep per-row values (es_results_pmi) */
    bool with_null;    /* the zero line too (es_results_null) */
    bool with_derived; /* derived embedders are members of the pool for measures of one among all */
    bool with_shards; /* show what others find, too, whenever they do: other processes at the store,
                         a cluster's tasks so far (es_session_shards) */
    bool deferred;    /* once checked, wait for es_session_proceed before reading what is stored */
    size_t shard, shards; /* estimate but a share: that of number shard, of 1 to shards; 0, 0: all
                             pairs. Shares are as costly as one another, and follow from the pool */
    const char *store;    /* file to keep results in; NULL: the pool's */
    const char *scores;   /* CSV of downstream scores; NULL: the pool's scores.csv */
    es_store_waiting waiting;
    struct es_log *log; /* the program's own; NULL */
} es_session_options;

typedef struct es_session es_session;

/** Can a pool be estimated with the estimator, preset, settings, rows and threads of these options?
 *  The messages are those of opening it; no file is looked at. */
es_status es_session_check(const es_session_options *options, es_error *err);

/** Open a folder and its store and start the workers. Contents are checked in the background, so
 *  this returns after reading headers. options NULL: all zero. ES_ENOTFOUND: no such folder;
 *  ES_EEMPTY: nothing in it that looks like an embedder; ES_EINVAL: options; ES_EFORMAT: pool.json,
 *  or a damaged store; ES_EBUSY: a store that others hold for more than 10 s; ES_ENOMEM. */
es_status es_session_open(const char *path, const es_session_options *options, es_session **out,
                          es_error *err);
/** The same over matrices in memory: they are checked in the same way and give the same values as
 *  from files, to the bit. Nothing is stored, whatever the options say, and there is no scores.csv.
 *  The values are borrowed until the session is closed.
 *  ES_EINVAL: no array, one without a name, values, rows or columns, or two of one name. */
es_status es_session_open_arrays(const es_array_view *arrays, size_t count,
                                 const es_session_options *options, es_session **out,
                                 es_error *err);
/** A finished matrix and what belongs to it; NULL: not given. Only `matrix` must be, or `scores`: a
 *  table of scores alone. */
typedef struct es_matrix_files {
    const char *matrix; /* CSV, or with semicolons: targets in its first line, sources in its first
                           column; empty cells are not known */
    const char *blocks; /* .npy (blocks, m, m), sources and targets in the order of the CSV: each
                          value's mean over every one of equal parts of the evaluated rows, or its
                          value at each row; also (m, m, blocks) */
    const char *families; /* CSV with a header: model, family */
    const char *scores;   /* scores.csv */
    es_run *run;          /* is told how far reading is, and asked whether to go on */
} es_matrix_files;

/** A session over a finished matrix: results only, nothing to start. ES_EFORMAT: a file is not what
 *  it should be, or not of this matrix; ES_ECANCELED by its run. */
es_status es_session_open_matrix(const es_matrix_files *files, es_session **out, es_error *err);
/** Cancels running jobs (finished pairs are already stored) and frees everything. */
void es_session_close(es_session *session);

es_pool *es_session_pool(es_session *session); /* NULL for a matrix */

/** Of a session that is deferred: it is checked, and waits. */
bool es_session_deferred(const es_session *session);
void es_session_proceed(es_session *session);
/** Finish the pairs that are being computed and begin no others, until the session is closed:
 * another one takes its place. True once there are none. */
bool es_session_drain(es_session *session);

/** Ask for all missing pairs of the plan; takes effect once checking has finished. ES_EINVAL: the
 *  session only shows; the problem of a pool that cannot be used; ES_ENOMEM. */
es_status es_session_start(es_session *session, es_error *err);
/** Pump until nothing is under way any more (ES_OK; es_session_phase says whether all is done, and
 *  pairs may have failed), but at most `seconds`; below 0: however long it takes. ES_EBUSY: time is
 *  up, or the session is paused; es_session_problem's and es_session_stopped's errors. Without a
 *  start it waits for the check of the pool. */
es_status es_session_wait(es_session *session, double seconds, es_error *err);
void es_session_pause(es_session *session, bool paused);
/** Stop: queued and running pairs are cancelled, finished ones kept. */
void es_session_cancel(es_session *session);
/** Give failed pairs another try. Returns how many. */
size_t es_session_retry(es_session *session);
/** ES_EINVAL: 0, more than 256, or a session that only shows. */
es_status es_session_threads(es_session *session, unsigned threads, es_error *err);

/** For an event loop: a descriptor that becomes readable when es_session_pump has something to do;
 *  -1 for none. */
int es_session_fd(const es_session *session);
/** Apply what the workers delivered, for at most budget_ms (0: all there is). Returns how many
 *  changes were applied. */
size_t es_session_pump(es_session *session, double budget_ms);

typedef enum es_phase {
    ES_PHASE_CHECKING, /* contents of the pool are being read */
    ES_PHASE_IDLE,     /* checked; nothing asked for, or stopped */
    ES_PHASE_RUNNING,
    ES_PHASE_PAUSED,
    ES_PHASE_DONE /* every pair of the plan is done or failed */
} es_phase;
es_phase es_session_phase(const es_session *session);
/** Why the pool cannot be used, e.g. ES_EEMPTY after checking; ES_OK otherwise. */
es_status es_session_problem(const es_session *session, es_error *err);
/** Why a run stopped with pairs left, when nobody cancelled it (ES_ENOMEM: no memory for a job);
 *  ES_OK otherwise. Another start may go on. */
es_status es_session_stopped(const es_session *session, es_error *err);

typedef struct es_progress {
    size_t total, done, failed, running, queued; /* pairs over the whole plan */
    size_t elsewhere;                            /* another process is at them */
    size_t nulls;                                /* of total: estimates of the zero line */
    size_t reused;                               /* of done: came from the store */
    size_t checked, to_check;                    /* models */
    double elapsed; /* seconds of running time since start, pauses left out */
    double rate;    /* pairs per second, recent */
    double eta;     /* seconds; NaN while not known */
    double waits;   /* seconds that another process has held the store which is to be written; 0 */
    size_t entries; /* of the plan, which total counts: the first alone while samples grow */
    size_t pass;    /* the first plan entry with pairs left, else the last one */
    size_t pass_total, pass_ended; /* its pairs; done or failed */
} es_progress;
void es_session_progress(const es_session *session, es_progress *out);

/** Entries of the plan: one, or the two of the standard plan. */
size_t es_session_plan(const es_session *session);
/** Results of an entry; NULL until checking has finished. */
const es_results *es_session_results(const es_session *session, size_t entry);
/** The entry to show: the last one whose pairs are all known, else the first with any. SIZE_MAX
 * when nothing is known. */
size_t es_session_best(const es_session *session);
/** Rows (*count) that per-row values of an entry are of, as numbers among the rows in use
 *  (es_pool_file_row). NULL until checking has finished. */
const uint32_t *es_session_evaluated(const es_session *session, size_t entry, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
