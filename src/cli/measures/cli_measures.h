/* Measures: which are asked for, and their documents. */
#ifndef ES_CLI_MEASURES_H
#define ES_CLI_MEASURES_H

#include "report.h"
#include "cli_out.h"

/* Measures that the user names: found, computed, waited for. */

/** One measure that was asked for, for one label column. */
typedef struct es_choice {
    size_t entry;
    const es_measured *measured;
    size_t field;   /* SIZE_MAX: all of them */
    char label[96]; /* of a sweep: "preprocess=none"; "": of none */
} es_choice;

typedef struct es_choices {
    es_choice *item;
    size_t count, pairwise;
} es_choices;

/** Opens the pool with workers and waits until it is checked; with_pmi: per-row values of stored
 * pairs too. --set is left to the measures. */
es_status es_measure_open(es_cli *cli, bool with_pmi, es_session **out, es_error *err);

/** "evalrank,smoothness.loss-1": each name once a label column (only that of --task, where it is
 *  given), and once every combination of --sweep; "all": every embedder measure that the pool has
 * data for. What is missing is computed, unless the command only shows. A setting that no measure
 * knows is a usage error. */
es_status es_measure_choose(es_cli *cli, es_session *session, const char *names, es_choices *out,
                            es_error *err);
void es_choices_deinit(es_choices *choices); /* all zero bytes is allowed */

/** Computes what is missing of the choices; ES_ECANCELED after Ctrl-C, with what is done kept. Sets
 * the exit code when some failed. For a sheet nothing is computed: choices without a stored value
 * are taken out, with a note. */
es_status es_measure_compute(es_cli *cli, es_session *session, es_choices *choices, es_error *err);

/** "evalrank", "evalrank.hits1", "smoothness:topic.loss-1", "evalrank[preprocess=none]"; written to
 *  out. */
const char *es_choice_name(const es_choice *choice, size_t field, char *out, size_t capacity);

/* What `agree` sets side by side. */

/** The columns of information sufficiency where it is stored, of the choices, of the dimension and
 *  of models.csv, without downstream and not settled. Notes embedders that hold the same values,
 *  which count more than once. */
es_status es_agree_columns(es_cli *cli, es_session *session, const es_choices *choices,
                           es_agree_scores *out, es_error *err);
/** The same with downstream: scores of --scores or of the pool, --against TASK or the mean of all;
 *  settled. */
es_status es_agree_inputs(es_cli *cli, es_session *session, const es_choices *choices,
                          es_agree_scores *out, es_error *err);

/** What is downstream of columns that are there: scores of --scores or of the pool, --against TASK
 *  or the mean of all; nothing where there are none. Not settled. */
es_status es_agree_downstream(es_cli *cli, es_session *session, es_agree_scores *scores,
                              es_error *err);

/** The choices alone, every field that ranks where none was named, against downstream; settled,
 *  without intervals of the columns among each other. */
es_status es_agree_fields(es_cli *cli, es_session *session, const es_choices *choices,
                          es_agree_scores *out, es_error *err);

/** The columns of `rivals`: the dimension, the predictive score, the published one by every
 * estimator that is stored, every field of the choices that ranks, models.csv; settled against the
 * scores. */
es_status es_rivals_inputs(es_cli *cli, es_session *session, const es_choices *choices,
                           const es_scores *scores, es_label_free *out, es_error *err);
/** es_cli_scores; ES_ENOTFOUND: there are none, which is reported before anything is computed. */
es_status es_rivals_scores(es_cli *cli, es_session *session, const es_scores **out, es_error *err);

/* Every two columns are compared over a thousand resamples, so a file may not bring any number. */
enum { ES_AGREE_MODELS = 64 };

/** A column for each of a file of numbers known about embedders, models.csv; NaN for embedders that
 *  it does not name. es_scores_read's errors; ES_EINVAL for more than ES_AGREE_MODELS. */
es_status es_agree_read_models(const char *path, const es_results *names, es_agree_scores *out,
                               es_error *err);

/* Measures as tables and documents. */

/** The chosen measures in the format asked for: embedder measures side by side, best first by the
 *  first; pairwise ones a matrix each (several of them as csv: one line a pair). */
es_status es_measure_write(es_cli *cli, es_session *session, const es_choices *choices,
                           es_error *err);

/** The pairs (evalrank), queries (retmmd) or rows (knn-overlap, with --other) that the embedder of
 * --worst-of does worst on, with their texts; --top N of them. Usage error: another measure, an
 * unknown embedder. */
es_status es_measure_write_worst(es_cli *cli, es_session *session, const es_choices *choices,
                                 es_error *err);

/** The name that stands for es_measure_write_sets in `measure POOL NAME`. */
#define ES_DATASET_DISTANCE "dataset-distance"
/** How far the pool of --other lies from the first, to each embedder of that name in both. Usage
 *  errors: no --other, a setting that it does not have. ES_EEMPTY: no embedder in common. */
es_status es_measure_write_sets(es_cli *cli, es_error *err);

/** What there is to measure. session NULL: without a word on data and store. `only` NULL: all;
 *  otherwise that measure with its fields and settings. */
es_status es_measure_list(es_cli *cli, es_session *session, const char *only, es_error *err);

/* `embedscope rows POOL A B --by pmi`. */

/** The rows on which two embedders agree least and most, by a critic that has not seen them. */
es_status es_pmi_rows(es_cli *cli, es_error *err);

/* Queries of a pool for distances of data sets. */

typedef struct es_measure_queries {
    es_annotations *evidence;
    es_measure_data data;
    const char *task; /* label column that they come from; NULL: none */
} es_measure_queries;
void es_measure_queries_deinit(es_measure_queries *queries); /* all zero bytes is allowed */

/** One setting "key=value" of queries into settings (ES_ANNOTATIONS_SETTINGS). ES_ENOTFOUND: it is
 *  none of theirs; ES_EINVAL. */
es_status es_measure_queries_set(const char *assignment, double *settings, es_error *err);
/** The defaults, and all that --set says; what is not of queries is a usage error. */
es_status es_measure_queries_settings(es_cli *cli, double *settings, es_error *err);

/** The queries of a pool, called `name`: of --task, else of its first label column, with a note.
 *  ES_ENOTFOUND: it has none; a column that is not there is a usage error. */
es_status es_measure_queries_take(es_cli *cli, es_session *session, const char *name,
                                  const double *settings, es_measure_queries *out, es_error *err);

/* Over label columns or sets of pairs: where does a measure rank an embedder on average? */

/** One measure that was computed for two label columns or sets of pairs, or more. */
typedef struct es_mean_ranks {
    const es_measure *measure;
    const char *label;           /* of a sweep, borrowed of the choices; "": none */
    size_t field, tasks, ranked; /* embedders with a value in every column */
    double *rank;                /* (m) mean over tasks, 1 is best; NaN: lacks a value */
} es_mean_ranks;

/** The mean ranks of every measure of the choices for which there are any: *out (*count), of
 *  es_cli_room. ES_ENOMEM. */
es_status es_mean_ranks_new(const es_cli *cli, const es_choices *choices, es_mean_ranks **out,
                            size_t *count, es_error *err);

/* A measure in place of information sufficiency: --score NAME[.FIELD] of rank and correlate. */

/** Opens the pool and computes what is missing of the one measure that --score names; release the
 *  choices with es_choices_deinit and close the session, also after an error. Usage errors: a
 *  matrix or a ranking from a file, several measures, several label columns without --task. */
es_status es_score_open(es_cli *cli, es_session **session, es_choices *choices, es_error *err);

/** Field of the score that a choice stands for. */
size_t es_score_field(const es_choice *choice);

/** "measure": what the score is, for a document. */
void es_score_document(es_json *json, const es_choice *choice);
/** The same in a line below a table. */
void es_score_caption(const es_choice *choice, es_buf *out);

/** `rank --score`: best first, with the measure's own intervals. */
es_status es_score_rank(es_cli *cli, es_error *err);

/* `measure POOL probe --sweep NAME`: what a sweep of trained embedders comes to. */

/** Probes the members that `derive --cmim --sweep` made under NAME, and what they were trained on,
 *  on every label column with three classifiers (nearest neighbours by cosine and by Euclid, one
 *  hidden layer), and writes for each objective and part the mean z-score, the mean rank, how often
 *  the sources are beaten, and the slope of z on the size of a batch. */
es_status es_measure_write_sweep(es_cli *cli, es_error *err);

#endif
