/* Opening a pool, estimating it, and the messages meanwhile. */
#ifndef ES_CLI_SESSION_H
#define ES_CLI_SESSION_H

#include "cli_context.h"

/* Stored pairs estimated again, to see whether they are what the store says. */

typedef enum es_check_outcome {
    ES_CHECK_OPEN,   /* not estimated again */
    ES_CHECK_SAME,   /* to the last bit */
    ES_CHECK_NEAR,   /* of another build or processor, and within its standard error */
    ES_CHECK_OTHER,  /* not what the store says */
    ES_CHECK_FAILED, /* could not be estimated again: nothing can be said */
    ES_CHECK_OUTCOMES
} es_check_outcome;

/** A stored pair of the pool as it is now. */
typedef struct es_checked_pair {
    double stored, again;         /* of what is otherwise; again: NaN until estimated */
    const char *what;             /* is otherwise; NULL: nothing */
    uint32_t run, source, target; /* place in runs; indices in the pool */
    uint8_t outcome;              /* es_check_outcome */
    bool wanted;
} es_checked_pair;

/** What pairs have in common. The key's texts are owned. */
typedef struct es_checked_run {
    es_store_key key;
    size_t begin, end; /* its pairs */
} es_checked_run;

typedef struct es_checked_pairs {
    es_checked_run *run;
    size_t runs;
    es_checked_pair *pair;
    size_t pairs;
    size_t count[ES_CHECK_OUTCOMES];
    double farthest; /* between stored and again, of those that are near */
} es_checked_pairs;

/** Lists the pairs that are stored of the pool's contents and rows by this version's estimators
 *  (those of --estimator, --preset and --set where they are given), and estimates `sample` of them
 *  again (0: all), drawn by --seed, and as many more as it takes to have each embedder as source
 * and as target in every run; then, of every embedder of a pair that comes out otherwise, all the
 * others. `shown` is a checked session of the pool. ES_ECANCELED with exit code 130. */
es_status es_check_pairs(es_cli *cli, es_session *shown, es_store *store, size_t sample,
                         es_checked_pairs *out, es_error *err);
void es_checked_pairs_deinit(es_checked_pairs *checked); /* all zero bytes is allowed */

/** The digests that a pair is stored under. */
void es_checked_digests(const es_pool *pool, const es_checked_pair *pair, es_digest *source,
                        es_digest *target);

/* `derive --cmim`: embedders trained on others, one or a sweep of them. */

/** Trains what the options ask for on the sources of the second argument and writes the document.
 *  Settings are those of es_cmim_settings: --cmim K, --mode, --set, and every combination of
 *  --sweep. ES_ECANCELED: what was under way goes on with the same command. */
es_status es_cli_train(es_cli *cli, es_error *err);

/* Estimating in the foreground, for `estimate` and `embedscope --start` without a terminal. */

/** Start, wait with progress, and report what was excluded and what failed on stderr. Sets
 *  cli->exit_code to 1 when pairs failed. */
es_status es_estimate_all(es_cli *cli, es_session *session, es_error *err);

/* `estimate` with a sample of rows that grows until the ranking has settled. */

/** Opens the pool and estimates the whole plan, as es_cli_open and es_estimate_all do. Where the
 *  choice of rows is left open, the plan's first estimator is run on samples that double, each with
 * a note, until the ranking has settled or --budget is up; then the plan on the last of them. */
es_status es_estimate_pool(es_cli *cli, es_session **out, es_error *err);

/* Do the names of --models and --exclude mean anybody? One that matches no embedder is misspelt,
 * and would change who is ranked without a word. */

/** After a pool was opened. A usage error says which name or pattern matches nobody; a pattern of
 *  --exclude, and what the configuration file alone says, is noted. Once in a process: an explorer
 * opens its pool again, and in other pools others may be meant. */
es_status es_named_models_check(es_cli *cli, const es_pool *pool, es_error *err);

/** Of several pools a name need be in one: begin before the first is opened, end when all have been
 *  looked at. */
void es_named_models_begin(es_cli *cli);
es_status es_named_models_end(es_cli *cli, es_error *err);
void es_named_models_deinit(es_named_models *named); /* all zero bytes is allowed */
/** All embedders of the pool, in its order: last until the command ends; NULL when out of memory.
 */
const es_model **es_cli_models(const es_cli *cli, const es_pool *pool);

/* Opening a session as the options ask, and waiting for it in the presence of Ctrl-C. */

typedef enum es_access {
    ES_ACCESS_SHOW,     /* what is stored; nothing is estimated or written */
    ES_ACCESS_ESTIMATE, /* with workers, for es_session_start */
    ES_ACCESS_MEASURE,  /* with workers for measures; pairs are shown as they are stored */
    ES_ACCESS_EXPLORE   /* the same; a folder without embedders opens, too: the explorer says so */
} es_access;

/** Opens the pool of the first argument, or the file of --matrix. ES_EINVAL: an estimator, a
 *  preset or a setting that does not exist. */
es_status es_cli_open(es_cli *cli, es_access access, bool with_pmi, es_session **out,
                      es_error *err);

/** A note, unless --quiet, when opening a store waits for another process. */
es_store_waiting es_cli_waiting(es_cli *cli);

/** Until the session is checked (ES_ACCESS_SHOW) or idle again after es_session_start, with
 *  progress. ES_ECANCELED after SIGINT, SIGTERM or SIGHUP (then cli->exit_code is 130, and finished
 *  pairs are kept); else the session's problem with its pool. */
es_status es_cli_wait(es_cli *cli, es_session *session, es_error *err);
/** The same where one embedder is enough. */
es_status es_cli_wait_checked(es_cli *cli, es_session *session, es_error *err);

/** ES_ACCESS_SHOW and es_cli_wait; *entry is the plan entry to show. ES_EEMPTY, with the command to
 *  run, when nothing is stored. */
es_status es_cli_open_stored(es_cli *cli, bool with_pmi, es_session **out, size_t *entry,
                             es_error *err);

/** The plan entry to show by default; ES_EEMPTY, with the command to run, when nothing is known. */
es_status es_cli_best(const es_cli *cli, const es_session *session, size_t *entry, es_error *err);

/** A note on stderr for each embedder that is left out. */
void es_cli_note_excluded(const es_cli *cli, es_session *session);

/** A note where an estimator takes binary embedders as continuous ones: that of the plan entry, or
 *  any of the plan for SIZE_MAX. */
void es_cli_note_kinds(const es_cli *cli, es_session *session, size_t entry);

/* Opening a pool without silence: text files are gone through once to know their rows, which takes
 * long where they are large. */

/** What is opened: a pool's folder, or a finished matrix. */
typedef struct es_opening {
    const char *path;
    const es_session_options *options; /* of a pool; NULL: a matrix */
    const es_matrix_files *matrix;
    bool screen; /* the explorer shows how far it is */
} es_opening;

/** es_session_open, or es_session_open_matrix, in a thread of its own. Meanwhile the explorer shows
 *  how far it is and can be left (screen), a terminal has a line about it, and a program around us
 *  is asked whether to stop: then ES_ECANCELED. */
es_status es_opening_run(es_cli *cli, es_opening *what, es_session **out, es_error *err);

/* The progress of an estimation on stderr: on a terminal one line that is redrawn, else one line
 * every 5 %. */

typedef struct es_progress_line {
    bool quiet, terminal;
    double drawn;   /* es_clock_now of the last redraw */
    unsigned shown; /* percent of the last line, where it is no terminal */
    bool waited;    /* the last look found the store locked, where it is no terminal */
    bool on_screen; /* a line without its end is there */
} es_progress_line;

/** quiet: says nothing. */
void es_progress_line_init(es_progress_line *line, bool quiet);
/** Show the state of `session` if it is time to; `now` is es_clock_now(). */
void es_progress_line_update(es_progress_line *line, const es_session *session, double now);
/** The same while a pool is opened, on a terminal. */
void es_progress_line_reading(es_progress_line *line, const es_run_view *view, double now);
/** Remove the redrawn line, so that what is printed next stands alone. */
void es_progress_line_clear(es_progress_line *line);

/** What a line says, for tests: "linear 10/196 pairs, 5 %, 12.3 pairs/s, ETA 0:15". */
size_t es_progress_text(char *out, size_t capacity, const es_progress *progress);
/** "0:05", "12:34", "3:25:45"; "-" for what is not known. */
size_t es_duration_text(char *out, size_t capacity, double seconds);

/* `mpirun -n N embedscope estimate`: rank 0 is the command, the others compute for it. */

/** Joins the others where a launcher started several. Rank 0 gets cli->team, and in *options, its
 *  own copy of the options, its share of the machine's threads. Any other rank computes in here;
 *  *served: it has, and its part is done. */
es_status es_ranks_join(es_cli *cli, es_options *options, bool *served, es_error *err);
/** Ends them: the last thing that `estimate` does, which is `whole` unless it was interrupted. */
void es_ranks_leave(es_cli *cli, bool whole);

/** Have the others open what cli has opened: at once where its rows are known. All of these do
 *  nothing without a team. */
es_status es_ranks_open_early(es_cli *cli, es_session *session, es_error *err);
/** Once it is checked; then they get its pairs. */
es_status es_ranks_begin(es_cli *cli, es_session *session, es_error *err);
void es_ranks_end(es_cli *cli);
/** Appends a line that says what the others did. */
void es_ranks_put(const es_cli *cli, es_buf *out);

/* The plan of a run as text, lines "option=value" with the names of the command line: what the
 * explorer's run dialog begins with, and what it asks for. */

/** Appends what is open: estimator, preset, rows, seed, threads and every --set, where it is not
 * the default. */
es_status es_plan_text(const es_options *options, const es_session *session, es_buf *out,
                       es_error *err);

/** In the place of what `options` say, which keep pointing into `text`: its line ends are
 * overwritten. ES_EINVAL as from the command line; options may then be changed in part. The old
 * list of settings is left alone. */
es_status es_plan_use(es_options *options, char *text, es_error *err);

/** Checks whether the plan can be opened, with the message of the command line. */
es_status es_plan_check(const char *text, es_error *err);

/** How the command line that estimates this pool begins: "embedscope", "estimate", POOL and all
 *  options of the open one that are not in the plan. Empty for a matrix from a file. */
es_status es_plan_begin(const es_cli *cli, es_words *out, es_error *err);

/* What a pool's store holds, in a few words, for those who asked for something else. */

/** Appends "linear default, knife with other settings": estimators and presets that the store has
 *  pairs of, and whether over other rows. Nothing where there are none or the store is not to be
 *  read. */
void es_stored_runs_put(const es_session *session, es_buf *out);

/** Appends the command line that estimates what was asked for, whole: with pool, estimator, preset,
 *  settings, rows. */
es_status es_stored_runs_remedy(const es_cli *cli, const es_session *session, es_buf *out,
                                es_error *err);

#endif
