/* A session ties a pool, settings, the store and the workers together: it decides which pairs to
 * compute, in which order, and keeps the results. Headless commands and the explorer use the same
 * session, so they show the same numbers. All calls from one thread; none of them computes for long
 * or waits for a worker unless it says so. */
#ifndef EMBEDSCOPE_SESSION_H
#define EMBEDSCOPE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bootstrap.h"
#include "log.h"
#include "pair_queue.h"
#include "embedscope/pool.h"
#include "embedscope/results.h"
#include "scores.h"
#include "embedscope/status.h"
#include "store.h"
#include "workers.h"

/** One entry of the plan: an estimator with every setting in force. */
typedef struct es_config {
    const es_estimator *estimator;
    const char *preset;
    double *values; /* (n_settings) */
    char *text;     /* es_estimator_text */
} es_config;

typedef struct es_session_options {
    es_pool_options pool;
    const char *estimator;       /* NULL: the standard plan (linear, then knife default) */
    const char *preset;          /* NULL: default */
    const char *const *settings; /* NULL-terminated "key=value", or several with blanks between */
    uint64_t seed;
    unsigned threads;   /* 0: all cores */
    bool refresh;       /* ignore stored results (they are replaced) */
    bool strict;        /* any exclusion is an error */
    bool no_store;      /* keep results in memory only */
    bool read_only;     /* show what is stored; es_session_start is refused */
    bool with_pmi;      /* load per-row values (ranking intervals) */
    bool with_null;     /* the zero line too (es_null_line); it is shown wherever it is stored */
    const char *scores; /* CSV of downstream scores; NULL: the pool's scores.csv */
    es_store_waiting waiting; /* told when opening waits for another process */
    es_log *log;
} es_session_options;

/** The standard plan: these estimators, one after the other; NULL ends the list. */
extern const char *const es_session_standard[];

/** Can a pool be estimated with the estimator, preset, settings, rows and threads of these options?
 *  The messages are those of opening it; no file is looked at. */
es_status es_session_check(const es_session_options *options, es_error *err);

typedef struct es_session es_session;

/** Open pool and store and start the workers (none when read_only). Contents are checked by jobs in
 *  the background, so this returns after reading headers. */
es_status es_session_open(const char *path, const es_session_options *options, es_session **out,
                          es_error *err);
/** A session over a finished matrix from a file: results only, no pool, nothing to start. */
es_status es_session_open_matrix(const char *matrix_csv, const char *scores_csv, es_session **out,
                                 es_error *err);
/** Cancels running jobs (finished pairs are already stored) and frees everything. */
void es_session_close(es_session *session);

es_pool *es_session_pool(es_session *session); /* NULL for a matrix */
/** The scores that were given by name, or the pool's; *out NULL when there are none. */
es_status es_session_scores(es_session *session, const es_scores **out, es_error *err);
const char *es_session_scores_name(const es_session *session); /* of their file; for messages */
const char *es_session_store_path(const es_session *session);  /* NULL when in memory */

/** Descriptor that becomes readable when es_session_pump has something to do. */
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

/** Phase, and why the pool cannot be used (ES_OK otherwise): e.g. ES_EEMPTY after checking. */
es_phase es_session_phase(const es_session *session);
es_status es_session_problem(const es_session *session, es_error *err);

/** Why a run stopped with pairs left, when nobody cancelled it (ES_ENOMEM: no memory for a job);
 *  ES_OK otherwise. Another start may go on. */
es_status es_session_stopped(const es_session *session, es_error *err);

/** Ask for all missing pairs of the plan; takes effect once checking has finished. */
es_status es_session_start(es_session *session, es_error *err);
void es_session_pause(es_session *session, bool paused);
/** Stop: queued and running pairs are cancelled, finished ones kept. */
void es_session_cancel(es_session *session);
/** Give failed pairs another try. Returns how many. */
size_t es_session_retry(es_session *session);
/** How urgent each model (position in results) is as a source: urgency of 0 to ES_URGENCY_MOST for
 *  every model, the pairs of higher ones first; NULL: natural order. Counts from the next pair on;
 *  without effect before checking has finished. */
void es_session_prioritise(es_session *session, const uint8_t *urgency);
es_status es_session_threads(es_session *session, unsigned threads, es_error *err);

/** The plan and its results. results is NULL until checking has finished. */
size_t es_session_plan(const es_session *session);
const es_config *es_session_config(const es_session *session, size_t entry);
const es_results *es_session_results(const es_session *session, size_t entry);
/** The plan entry to show by default: the last one whose pairs are all known, else the first with
 *  any, as PRODUCT's rule says for the commands that only show. SIZE_MAX when nothing is known. */
size_t es_session_best(const es_session *session);
/** The split that the plan entry's pmi refers to: value i is of row split->eval[i], all rows for an
 *  in-sample estimator. NULL until checking has finished. */
const es_split *es_session_split(const es_session *session, size_t entry);

typedef struct es_progress {
    size_t total, done, failed, running, queued; /* pairs over the whole plan */
    size_t nulls;                                /* of total: estimates of the zero line */
    size_t reused;                               /* of done: came from the store */
    size_t checked, to_check;                    /* models */
    double elapsed; /* seconds of running time since start, pauses left out */
    double rate;    /* pairs per second, recent */
    double eta;     /* seconds; NAN while not known */
} es_progress;
void es_session_progress(const es_session *session, es_progress *out);

typedef struct es_activity {
    bool busy;
    bool null;                    /* at the zero line of `target`; source is the same */
    size_t entry, source, target; /* plan, positions in results; target SIZE_MAX: preparing */
    double seconds;
    unsigned done, total, traced;
    float trace[ES_RUN_TRACE];
} es_activity;
/** What worker number `worker` is at; false when there is no such worker. */
bool es_session_activity(const es_session *session, unsigned worker, es_activity *out);
/** What comes next, as things stand: the first pairs of the queue; returns how many. */
typedef struct es_queued {
    size_t entry, source, target; /* plan, positions in results */
    bool null;                    /* the zero line of `target`; source is the same */
} es_queued;
size_t es_session_queue(const es_session *session, es_queued *out, size_t capacity);
/** 0 when the session only shows. */
unsigned es_session_thread_count(const es_session *session);
bool es_session_read_only(const es_session *session);

/** Compute intervals of a ranking in the background, under the caller's tag; a computation under
 * way is cancelled. The matrix is copied; per-row values (problem->pmi) are those of this session's
 *  results, `order` is that of names, families are refused. Two such calls a second are plenty. */
es_status es_session_intervals_start(es_session *session, const es_bootstrap *problem, uint64_t tag,
                                     es_error *err);
/** The newest that es_session_pump has delivered, with its tag; NULL: none yet. Valid until the
 * next pump. *busy: a computation is under way; once it is not and the tag is an older one, the
 * last was cancelled or has failed (the log says why). */
const es_intervals *es_session_intervals(const es_session *session, uint64_t *tag, bool *busy);
/** What the newest took of a worker, in seconds; 0: none yet. */
double es_session_intervals_seconds(const es_session *session);

/** The baseline of a ranking: "l2" at its defaults, as far as the pool's store holds it. */
typedef struct es_l2_baseline {
    size_t m;
    double *score;    /* (m) by position in the results: the median error over targets without self,
                         its sign turned so that higher is better; NaN: not known */
    size_t known, of; /* pairs of two embedders */
} es_l2_baseline;

/** Reads the store. *out is empty (score NULL) where that holds nothing of it, where there is no
 *  store, and where the plan is l2 itself. Release with es_l2_baseline_deinit. */
es_status es_session_baseline_read(const es_session *session, es_l2_baseline *out, es_error *err);
void es_l2_baseline_deinit(es_l2_baseline *baseline);
/** The same in the background; again: what has been stored since. ES_ENOTFOUND: there is no store,
 *  or the plan is l2 itself. */
es_status es_session_baseline_start(es_session *session, es_error *err);
/** The newest that es_session_pump has delivered; NULL: none. Valid until the next pump. */
const es_l2_baseline *es_session_baseline(const es_session *session, bool *busy);

/** A problem of the store while running (full disk, locked): results in memory are kept and this is
 *  shown. ES_OK when all is well. */
es_status es_session_store_problem(const es_session *session, es_error *err);
/** Tries once more to store what could not be; then as es_session_store_problem. Owner's thread. */
es_status es_session_save(es_session *session, es_error *err);

/** One line of JSON for the store and the documents: version, BLAS core, CPU, threads. */
const char *es_session_provenance(const es_session *session);

#endif
