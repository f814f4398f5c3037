/* A session: pool, store and workers tied together. */
#ifndef ES_ENGINE_SESSION_H
#define ES_ENGINE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "engine_training.h"
#include "core_derive.h"
#include "core_frontier.h"
#include "core_ranking.h"
#include "engine_jobs.h"
#include "engine_measures.h"
#include "engine_pool.h"
#include "engine_results.h"
#include "engine_store.h"
#include "io_scores.h"
#include "structure.h"
#include "embedscope/session.h"

/* What the program itself needs of a session beyond embedscope/session.h: the plan in full, what
 * workers are at, what comes next, and what is computed in the background beside the pairs. */

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
/** True if all pairs of embedders that are not derived are known. O(m^2). */
bool es_session_originals_known(const es_session *session, size_t entry);

/** Starts the first so many entries of the plan; the others wait for es_session_start. Errors as
 * es_session_start. */
es_status es_session_start_passes(es_session *session, size_t passes, es_error *err);

/** One call of es_session_close more is needed from now on. Owner's thread. */
void es_session_keep(es_session *session);

const es_config *es_session_config(const es_session *session, size_t entry);
uint64_t es_session_seed(const es_session *session);
/** The split that the plan entry's pmi refers to: value i is of row split->eval[i], all rows for an
 *  in-sample estimator. NULL until checking has finished. */
const es_split *es_session_split(const es_session *session, size_t entry);

/** Scores from any file, read as those of the session's embedders (io_scores.h). */
es_status es_session_read_scores(const es_session *session, const char *path, es_run *run,
                                 es_scores *out, es_error *err);
/** The scores that were given by name, or the pool's; *out NULL when there are none. run as
 *  es_pool_scores. */
es_status es_session_scores(es_session *session, es_run *run, const es_scores **out, es_error *err);
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
/** Fills what worker number `worker` is doing; false: there is no such worker. */
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

/** Latest-only tasks that a session's workers carry out for those who use it. */
typedef enum es_session_tasks {
    ES_TASK_RANKING,
    ES_TASK_CORRELATION,
    ES_TASK_DUEL_QUESTION,
    ES_TASK_DUEL_STANDING,
    ES_TASK_FULL_LOOK,
    ES_SESSION_TASKS
} es_session_tasks;
/** Starts es_latest_task_start of this task. */
es_status es_session_task_start(es_session *session, es_session_tasks which,
                                const es_latest_task_kind *kind, void *data, uint64_t tag,
                                es_error *err);
/** Returns the task as es_session_pump has left it: `job` is set while one is under way. If none is
 * and the tag is an older one, the last was cancelled or has failed (the log says why). */
const es_latest_task *es_session_task(const es_session *session, es_session_tasks which);

/** Contents that were taken to be as they were at an earlier look, because device, inode, size and
 *  times of their files are, are read again in a worker: the full look. */
typedef struct es_full_look {
    size_t files;    /* embedders known by earlier looks alone; 0: nothing is to be read */
    double seconds;  /* that it takes, by those looks; once it is over, that it took */
    bool busy, over; /* under way; done */
    size_t changed;  /* over: an embedder whose contents are others; SIZE_MAX: none is */
} es_full_look;
/** Starts it if the pool was checked, it was not begun before, and there is anything to read. */
es_status es_session_look_again(es_session *session, es_error *err);
es_full_look es_session_full_look(const es_session *session);

/** Shared dimensions of ranked embedders (core_ranking.h): whose they are, in an order that
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
/** Reads the baseline in the background; again: what has been stored since. ES_ENOTFOUND: there is
 * no store. */
es_status es_session_baseline_start(es_session *session, es_error *err);
/** Returns the newest that es_session_pump has delivered, valid until the next pump; NULL: none. */
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

/** Returns true after es_session_start, unless cancelled: a session in its place is to go on. */
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
/** Writes what results are computed by, with so many threads, as a line of JSON: es_free. */
es_status es_provenance_new(unsigned threads, char **out, es_error *err);
/** True if two provenances promise the same bits: same program, compiler, BLAS and processor. NULL
 * equals nothing. */
bool es_provenance_same_bits(const char *a, const char *b);

/* Derived embedders: members of a pool that are made from others (whitened, without their strongest
 * directions, two side by side), kept as float32 .npy in POOL/.embedscope/derived, or beside the
 * results in the user's directory where the pool cannot be written, and found whenever the pool is
 * opened. Each lies beside a .json that says what it was made from; when that has changed it is
 * left out with this reason until it is made again. */

typedef struct es_derivation {
    size_t source; /* in the pool */
    size_t other;  /* put beside the source, `how` is not looked at; SIZE_MAX: none */
    es_derive how;
    const char *name; /* NULL: made of its sources and how it is derived */
} es_derivation;

typedef struct es_derived {
    char *name, *path; /* released by es_derived_deinit */
    size_t n, d;
    char remark[160]; /* such as that the rank is less than the dimension; "" */
} es_derived;

/** Computes and writes one, of all rows of the files and all columns. The pool must be settled with
 *  the source in use, and is not changed: open it again to see the new member. Any thread.
 * ES_EINVAL: the name belongs to an embedder that is not derived, a number of axes out of range, or
 * the pool is open with fewer rows than its files have. */
es_status es_derived_make(const es_pool *pool, const es_derivation *derivation, const es_run *run,
                          es_derived *out, es_error *err);
/** Bytes that it takes at most. */
double es_derived_bytes(const es_pool *pool, const es_derivation *derivation);
/** Checks that the derivation fits in the memory limit. ES_EUNSUPPORTED: the figure and the remedy.
 */
es_status es_session_derive_fits(const es_session *session, const es_derivation *derivation,
                                 es_error *err);
void es_derived_deinit(es_derived *derived); /* all zero bytes is allowed */

/** The same in the background of a session, one at a time (ES_EBUSY). derivation->name is not
 * looked at. */
es_status es_session_derive(es_session *session, const es_derivation *derivation, es_error *err);
/** Training in the background likewise; the order is copied. */
es_status es_session_train(es_session *session, const es_cmim_order *order, es_error *err);
/** One of the two is under way. */
bool es_session_deriving(const es_session *session);
/** How far training is; NULL: none has begun. */
const es_cmim_live *es_session_training(const es_session *session);
/** What training has made, once es_session_derived has said so; NULL: it was a linear map. Borrowed
 *  until the next start. */
const es_cmim_made *es_session_trained(const es_session *session);
/** Returns the outcome of the last derivation or training: ES_OK with its name, or the error;
 * ES_EBUSY: under way; ES_ENOTFOUND: none was asked for since the last answer. name is borrowed
 * until the next es_session_derive. */
es_status es_session_derived(es_session *session, const char **name, es_error *err);
/** "whiten", "abtt 2", "center" ... as the command line's options say it. ES_EINVAL names the ways.
 */
es_status es_derive_parse(const char *text, es_derive *out, es_error *err);

/* Pairs of a session that other processes compute for it, and pairs that it computes for another
 * session, whatever carries them from one to the other (engine/team).
 *
 * The session that owns the work lends pairs. A far thread is a lane: like a worker of its own it
 * stays with a source as long as there is something left of it, and takes the costliest one next.
 * A session over the same pool, without a store, is asked for these pairs and passes what comes of
 * them to its sink. Values do not depend on who computes them. */

/** A pair that has come to its end. */
typedef struct es_far_pair {
    es_lease pair;
    bool failed;
    bool lasting;          /* a failure that follows from the data */
    const char *reason;    /* of a failure */
    es_pair_result result; /* pmi of n_eval values, or NULL */
    double seconds;
} es_far_pair;

/** Returns the digest of all that results depend on: embedders in their order, rows, estimators,
 * settings, seed, version. All zero before the pool is checked. */
es_digest es_session_identity(const es_session *session);
/** It is checked, and what is stored was read. */
bool es_session_ready(const es_session *session);

/* ---- the session that owns the work; one thread at a time, which need not be the owner's ---- */

/** Around all that follows: as long as it lends, the session leases pairs in its store. */
void es_session_far_enter(es_session *session);
void es_session_far_leave(es_session *session);
/** Pairs that nobody is at. */
size_t es_session_far_left(const es_session *session);
/** Lend the next pair to a lane, whose last pair (source SIZE_MAX: none) is *lane; false: there is
 *  none now. */
bool es_session_lend(es_session *session, es_lease *lane);
/** The lane ends. */
void es_session_lane_end(es_session *session, es_lease lane);
/** Pairs that were lent are done: they are stored and shown. `provenance` is of who computed them.
 *  Values are copied or taken: pmi becomes NULL where it was taken. */
void es_session_returned(es_session *session, es_far_pair *pairs, size_t count,
                         const char *provenance);
/** Pairs that were lent will not come back: `again`, they are put up once more. */
void es_session_far_lost(es_session *session, const es_lease *pairs, size_t count, bool again);

/* ---- the session that computes for another; owner's thread ---- */

/** Called by workers with pairs that have ended; what it is given it must not keep. */
typedef void (*es_far_sink)(void *context, const es_far_pair *pairs, size_t count);
/** Before the first es_session_ask. */
void es_session_far_sink(es_session *session, es_far_sink sink, void *context);
/** Compute these pairs. ES_EINVAL: the pool has not been checked, or has no such pair. */
es_status es_session_ask(es_session *session, const es_lease *pairs, size_t count, es_error *err);

/* Samples of rows that grow until a ranking has settled (es_row_request, ES_ROWS_AUTO): what was
 * found at each size is kept in the store, so that whoever shows the results can say it. */

/** Why no larger sample was taken. */
typedef enum es_growth_end {
    ES_GROWTH_ON,      /* one is taken, or the run was interrupted */
    ES_GROWTH_SETTLED, /* it is expected to agree with all rows (ES_GROWTH_ENOUGH) */
    ES_GROWTH_SETS,    /* who may be the best, and who is worse, was the same three times */
    ES_GROWTH_ALL,     /* these are all rows */
    ES_GROWTH_TIME     /* time was up */
} es_growth_end;

#define ES_GROWTH_ENOUGH 0.95

/** Of one sample. */
typedef struct es_growth_record {
    size_t rows, of;
    es_growth growth;
    es_growth_end end;
} es_growth_record;

/** Of the sample in use, by the plan's first entry. Nothing without a store. Errors as
 *  es_store_put; ES_EINVAL: the session is not checked. */
es_status es_session_growth_put(es_session *session, const es_growth_record *record, es_error *err);
/** Of all samples up to the one in use, smallest first, es_free: of the same embedders. Empty where
 *  all rows are in use or nothing was kept. */
es_status es_session_growth_list(es_session *session, es_growth_record **out, size_t *count,
                                 es_error *err);

/* Measures of a session's embedders: asked for by name, taken from the store where they are known,
 * computed by the session's workers where not, and kept in the store. Owner's thread; results
 * arrive with es_session_pump. */

/** Set up a measure with settings "key=value" (NULL-terminated list, or NULL), once a label column
 *  where it needs labels, and load what is stored; asked again with the same settings, it is the
 * same. Entries *first to *first + *count - 1 of es_session_measured. ES_ENOTFOUND: the pool lacks
 * what it needs; ES_EINVAL: no such setting; errors of the pool's files; ES_EEMPTY before the
 * session is checked. Settings that only other measures know are skipped when `lenient`. */
es_status es_session_measure(es_session *session, const es_measure *measure,
                             const char *const *settings, bool lenient, size_t *first,
                             size_t *count, es_error *err);

/** The same under a name that says its settings, "retmmd[power=2]": label "power=2", or "" for
 * none. What is known already keeps its name. */
es_status es_session_measure_as(es_session *session, const es_measure *measure,
                                const char *const *settings, bool lenient, const char *label,
                                size_t *first, size_t *count, es_error *err);

/** Have a worker read what this measure with these settings (as es_session_measure's) needs of the
 *  pool's files, so that es_session_measure does not wait for a disk; until it has, that one gives
 *  ES_EBUSY. One at a time (ES_EBUSY); otherwise errors as es_session_measure's before it reads. */
es_status es_session_measure_prepare(es_session *session, const es_measure *measure,
                                     const char *const *settings, es_error *err);
/** What has become of it: ES_OK, or the error of es_session_measure; ES_EBUSY: under way;
 *  ES_ENOTFOUND without a message: none was asked for since the last answer. */
es_status es_session_measure_prepared(es_session *session, es_error *err);

/** Adds the measures whose values the store has for this session's rows, seed and embedders, as
 *  es_measure_call_parse takes them: "cka", "knn-overlap[k=5]"; each once. Errors as es_store_runs,
 *  ES_EEMPTY before the session is checked. */
es_status es_session_measures_stored(es_session *session, es_words *out, es_error *err);

/** How often other processes were found to have written to the store; changes with a pump. */
uint64_t es_session_elsewhere(const es_session *session);
/** Looks in the background for values that other processes have stored meanwhile. ES_EBUSY: the
 *  last look has not ended; ES_EEMPTY: there is nothing to look for. */
es_status es_session_measures_look(es_session *session, es_error *err);
/** Takes in the values that the last look found for entries, and adds the names of all stored
 *  measures to out, as es_session_measures_stored does. Else as es_session_measure_prepared. */
es_status es_session_measures_looked(es_session *session, es_words *out, es_error *err);
/** Changes with every value of a measure, and with every entry. */
uint64_t es_session_measures_revision(const es_session *session);

/** Compute what is not known of an entry. */
es_status es_session_measure_start(es_session *session, size_t entry, es_error *err);

size_t es_session_measured_count(const es_session *session);
const es_measured *es_session_measured(const es_session *session, size_t entry);
/** Fills the data that an entry's values are computed from; borrowed. */
void es_session_measure_inputs(const es_session *session, size_t entry, es_measure_data *data,
                               const double **values);
/** Its data for one embedder: where queries have vectors of their own, those of `model`, in
 * *queries (released with es_matrix_free in any case). */
es_status es_session_measure_queries(es_session *session, size_t model, es_measure_data *data,
                                     es_matrix *queries, es_error *err);
/** All rows and columns of embedder `model` (position in the results). Release with es_matrix_free.
 */
es_status es_session_matrix(es_session *session, size_t model, es_matrix *out, es_error *err);

/** Returns the counts of annotations read and skipped; NULL before the first measure. */
const es_annotations *es_session_annotations(const es_session *session);

/** Bytes that what is left of the measures asked for takes at most, one at a time; 0: nothing is.
 */
double es_session_measure_memory(const es_session *session);

typedef struct es_measure_progress {
    size_t total, done, failed; /* over the entries that were started */
    bool running;
} es_measure_progress;
void es_session_measure_progress(const es_session *session, es_measure_progress *out);

/* What compressions keep of embedders (core_frontier.h), by the session's workers. Owner's thread;
 * results arrive with es_session_pump, and count among the progress of measures. */

/** Starts the embedders in `model` (count positions in the results) whose compressions are not
 *  known; stored ones are taken at once. seconds > 0: embedders that were not begun by then are
 * left out, until they are started again. The probe is of all columns of labels.csv. ES_EEMPTY
 * before the session is checked; ES_EUNSUPPORTED: memory; errors of the pool's labels. */
es_status es_session_frontier_start(es_session *session, const size_t *model, size_t count,
                                    double seconds, es_error *err);
/** Returns what is kept by the compressions of es_frontier_grid, which are `count`; NULL: not
 * known. *problem: why it cannot be, NULL: it can. Borrowed from the session. */
const es_kept *es_session_frontier(const es_session *session, size_t model, size_t *count,
                                   const char **problem);
/** Returns how many columns of labels the probe is of. */
size_t es_session_frontier_tasks(const es_session *session);
/** Returns how many rows are held out. */
size_t es_session_frontier_rows(const es_session *session);

/* What a run would take, told before it starts. */

enum { ES_OUTLOOK_PARTS = 8 };

/** Of one entry of the plan. */
typedef struct es_outlook_part {
    size_t pairs;
    double operations, seconds; /* of one thread */
    double whole;               /* seconds of one thread for all pairs, known or not */
    double largest;             /* bytes of its largest pair */
} es_outlook_part;

/** Of all pairs that are wanted and not known. */
typedef struct es_outlook {
    size_t parts; /* entries of the plan, at most so many */
    es_outlook_part part[ES_OUTLOOK_PARTS];
    size_t pairs;
    double operations; /* of floating point */
    double seconds;    /* with as many threads as memory lets work at once */
    double rate;       /* operations a second of one thread */
    bool measured;     /* the rate is that of pairs known; else of this machine's products */
    unsigned threads, at_once;
    double memory;            /* bytes that may be used */
    double standing, largest; /* whatever the pairs; the largest pair */
    double peak;              /* of all that is at work at once, prepared states included */
    size_t nodes; /* machines like this one that share the pairs (--shard); 0: not asked */
    double node_seconds, speed_up; /* until the last of them is done */
} es_outlook;

/** About 0.2 s of one core: the machine's rate is measured. ES_EINVAL before the pool is checked,
 * or where nothing can be estimated. nodes 0: without. */
es_status es_session_outlook(const es_session *session, size_t nodes, es_outlook *out,
                             es_error *err);

/** The same without nodes and without waiting: where the machine's rate is needed, the first call
 * has a worker measure it, and there is nothing to tell (false) until it has. O(plan m^2). Owner's
 *  thread. */
bool es_session_told(es_session *session, es_outlook *out);

/** Bytes that may be used, and what the whole plan takes at most, by its widest embedders; cheap.
 * False before the pool is checked. */
bool es_session_memory(const es_session *session, double *allowed, double *peak);
/** Checks that each pair of the plan fits in the memory limit. ES_EUNSUPPORTED names the pair that
 * does not, what it needs and what to do. */
es_status es_session_fits(const es_session *session, es_error *err);
/** Bytes that may be used where so many were asked for; 0: half of what there is. */
size_t es_memory_allowed(size_t asked);
/** "1.5 GB"; returns the length. */
size_t es_bytes_text(char *out, size_t capacity, double bytes);

/* Tasks of a cluster that estimate shares of a pool (estimate --shard), each into a store of its
 * own beside the pool's: how far they are. What they have found is shown as if this session had it;
 * `embedscope merge` alone stores it. Their stores are looked at, never written. */

typedef enum es_shard_state {
    ES_SHARD_WAITING, /* it has no store yet */
    ES_SHARD_RUNNING, /* its heart beats, or has not been watched for long enough */
    ES_SHARD_STOPPED, /* nobody is at it, and pairs are left */
    ES_SHARD_SILENT,  /* somebody was, and has not been heard of for half a minute */
    ES_SHARD_BROKEN,  /* its store cannot be read now; sent again, the task mends it */
    ES_SHARD_DONE
} es_shard_state;

typedef struct es_shard {
    size_t number, of;
    es_shard_state state;
    size_t pairs, total; /* of the estimators that it has begun, by this session's plan */
    char host[72];       /* that is at it; empty: nobody */
    double heard;        /* es_clock_now when its heartbeat was last seen to change; 0: never */
} es_shard;

/** By number, as they were at the last look; NULL: there are none. Valid until the next pump.
 * Clocks of machines are not compared: a heartbeat is judged by how long it has not changed here.
 */
const es_shard *es_session_shards(const es_session *session, size_t *count);

#endif
