/* What the program itself needs of a session beyond embedscope/session.h: the plan in full, what
 * workers are at, what comes next, and what is computed in the background beside the pairs. */
#ifndef ES_ENGINE_SESSION_H
#define ES_ENGINE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decision.h"
#include "structure.h"
#include "embedscope/session.h"
#include "log.h"
#include "pair_queue.h"
#include "pool.h"
#include "results.h"
#include "scores.h"
#include "store.h"
#include "workers.h"

/** One entry of the plan: an estimator with every setting in force. */
typedef struct es_config {
    const es_estimator *estimator;
    const char *preset;
    double *values; /* (n_settings) */
    char *text;     /* es_estimator_text */
    char *said;     /* the preset, and the settings that are not as it has them */
    bool changed;   /* there are such */
} es_config;

/** The standard plan: these estimators, one after the other, with a preset that is fixed or, where
 *  it is NULL, the one that was asked for. An estimator that is NULL ends the list. */
typedef struct es_plan_step {
    const char *estimator, *preset;
} es_plan_step;
extern const es_plan_step es_session_standard[];

/** The plan entry that the predictive score stands on; SIZE_MAX: none of the plan does. */
size_t es_session_predictive(const es_session *session);
/** All pairs of a plan entry are known or have failed. A matrix from a file is. */
bool es_session_entry_known(const es_session *session, size_t entry);
/** Are the pairs of those that are not derived, which may be all that vote? O(m^2). */
bool es_session_originals_known(const es_session *session, size_t entry);

/** One call of es_session_close more is needed from now on. Owner's thread. */
void es_session_keep(es_session *session);

const es_config *es_session_config(const es_session *session, size_t entry);
uint64_t es_session_seed(const es_session *session);
/** The split that the plan entry's pmi refers to: value i is of row split->eval[i], all rows for an
 *  in-sample estimator. NULL until checking has finished. */
const es_split *es_session_split(const es_session *session, size_t entry);

/** Scores from any file, read as those of the session's embedders (scores_read.h). */
es_status es_session_read_scores(const es_session *session, const char *path, es_run *run,
                                 es_scores *out, es_error *err);
/** The scores that were given by name, or the pool's; *out NULL when there are none. run as
 *  es_pool_scores. */
es_status es_session_scores(es_session *session, es_run *run, const es_scores **out, es_error *err);
/** Facts about the embedders, a column each: those of models.csv, then those of the scores. *out
 * NULL when there are none. Owner's thread. */
es_status es_session_models(es_session *session, const es_scores **out, es_error *err);
const char *es_session_scores_name(const es_session *session); /* of their file; for messages */
const char *es_session_store_path(const es_session *session);  /* NULL when in memory */

/** Estimate only some pairs of a plan entry: those where wanted (m, m), which is copied, is not 0;
 *  NULL: all again. Counts from the next start on; ES_EINVAL before checking has finished. */
es_status es_session_only(es_session *session, size_t entry, const uint8_t *wanted, es_error *err);

/** How urgent each model (position in results) is as a source: urgency of 0 to ES_URGENCY_MOST for
 *  every model, the pairs of higher ones first; NULL: natural order. Counts from the next pair on;
 *  without effect before checking has finished. */
void es_session_prioritise(es_session *session, const uint8_t *urgency);

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

/** Compute what a ranking decides in the background, under the caller's tag; a computation under
 * way is cancelled. Matrix, families and clusters are copied; per-row values (problem->pmi) are
 * those of this session's results; without an `order` it is that of names. Two such calls a second
 * are plenty. */
es_status es_session_decision_start(es_session *session, const es_decision_problem *problem,
                                    uint64_t tag, es_error *err);
/** The newest that es_session_pump has delivered, with its tag; NULL: none yet. Valid until the
 * next pump. *busy: a computation is under way; once it is not and the tag is an older one, the
 * last was cancelled or has failed (the log says why). */
const es_decision *es_session_decision(const es_session *session, uint64_t *tag, bool *busy);
/** What the newest took of a worker, in seconds; 0: none yet. */
double es_session_decision_seconds(const es_session *session);

/** Shared dimensions of ranked embedders (shared_dimensions.h): whose they are, in an order that
 * depends on names alone. */
typedef struct es_width_ask {
    size_t m;
    const uint32_t *position; /* (m) in the results */
    const uint32_t *kind, *family;
    const bool *votes;
} es_width_ask;
/** out (m), from the store or computed, which reads all embedders, and then stored. ES_EEMPTY: the
 *  plan lacks the default score; ES_ENOMEM; ES_ECANCELED; errors of reading. */
es_status es_session_width(es_session *session, const es_width_ask *ask, es_run *run, double *out,
                           es_error *err);
/** The same in the background, under the caller's tag; one under way is cancelled. */
es_status es_session_width_start(es_session *session, const es_width_ask *ask, uint64_t tag,
                                 es_error *err);
/** The newest (*m) that es_session_pump has delivered, with its tag; NULL: none yet. */
const double *es_session_width_known(const es_session *session, size_t *m, uint64_t *tag);
/** Communities and the dendrogram of what is shown, by the session's workers. */
es_structure *es_session_structure(es_session *session);

/** The published score by an estimator at its defaults, as far as the pool's store holds it. */
typedef struct es_stored_score {
    const es_estimator *estimator;
    size_t m;
    double *score;      /* (m) by position in the results: the median over targets without self, of
                           errors with the sign turned so that higher is better; NaN: not known */
    size_t known, of;   /* pairs of two embedders */
    double seconds;     /* that those took */
    const char *remark; /* es_estimator_remark; NULL: none */
} es_stored_score;

/** Reads the baseline, "l2", from the store. *out is empty (score NULL) where that holds nothing of
 * it, where there is no store, and where the plan is l2 itself. Release with
 * es_stored_score_deinit. */
es_status es_session_baseline_read(const es_session *session, es_stored_score *out, es_error *err);
void es_stored_score_deinit(es_stored_score *baseline);
/** The same of any estimator that the plan does not hold at its defaults. */
es_status es_session_stored_read(const es_session *session, const char *estimator,
                                 es_stored_score *out, es_error *err);
/** The same in the background, of all estimators that the store holds something of; again: what has
 *  been stored since. ES_ENOTFOUND: there is no store. */
es_status es_session_stored_start(es_session *session, es_error *err);
/** The newest (*count) that es_session_pump has delivered, in the order of es_estimators; NULL:
 * none yet. Valid until the next pump. */
const es_stored_score *es_session_stored(const es_session *session, size_t *count, bool *busy);
/** The baseline among them, as es_session_baseline_read; NULL: none. */
const es_stored_score *es_session_baseline(const es_session *session, bool *busy);
/** Estimators and presets that the store has pairs of, as es_store_runs_put: found in the
 *  background after the first call; NULL: not known yet, or none. */
const char *es_session_other_runs(es_session *session);

/** Of the plan only the first entry is estimated, as while a sample of rows grows. Counts from the
 *  next start on, and before the pool is checked. */
void es_session_first_only(es_session *session, bool on);

/** Cancels all that workers are at, and waits until they have stopped, but at most so many seconds.
 * False: one still is, in a step that cannot be broken off (a factorisation of many thousand
 * columns). All that was finished is stored; who is in a hurry ends the process. */
/** While the pool is checked: what a thread is reading that takes long, of 16 MB or more. */
bool es_session_reading(const es_session *session, es_run_view *out);
bool es_session_settles(es_session *session, double seconds);
/** es_session_close, which nobody is kept waiting for: a worker that has not stopped after so many
 * seconds, in such a step, is waited for by a thread of its own. Until then the log stays in use.
 */
void es_session_leave(es_session *session, double seconds);
/** How many sessions are still being waited for so. A program that ends meanwhile does so by _exit.
 */
unsigned es_sessions_ending(void);

/** Was a start asked for, and not taken back? Then another session in its place is to go on. */
bool es_session_wanted(const es_session *session);

/** All digests under which results of this pool's usable embedders may be stored, by
 *  es_digest_order; for the caller to es_free. Once the pool is checked. */
es_status es_session_contents(const es_session *session, es_digest **out, size_t *count,
                              es_error *err);

/** A problem of the store while running (full disk, locked): results in memory are kept and this is
 *  shown. ES_OK when all is well. */
es_status es_session_store_problem(const es_session *session, es_error *err);
/** Tries once more to store what could not be; then as es_session_store_problem. Owner's thread. */
es_status es_session_save(es_session *session, es_error *err);

/** One line of JSON for the store and the documents: version, BLAS core, CPU, threads. */
const char *es_session_provenance(const es_session *session);
/** Do two of these, of a pair each, promise the same bits: the same program, compiler, BLAS and
 *  processor? NULL is like nothing. */
bool es_provenance_same_bits(const char *a, const char *b);

#endif
