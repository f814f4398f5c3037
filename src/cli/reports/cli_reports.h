/* Documents of a pool's results. */
#ifndef ES_CLI_REPORTS_H
#define ES_CLI_REPORTS_H

#include "cli_context.h"
#include "cli_measures.h"
#include "report.h"

/* Pictures that several documents draw; each appends a whole picture to the sketch's `out` and
 * leaves out what --show and --hide leave out. */

/* What the colours of a picture's embedders are: communities, families, or nothing (--colour-by).
 */

typedef struct es_picture_groups {
    unsigned *group;   /* (m) from 1; 0: none */
    bool drawn;        /* any is */
    const char *title; /* "communities"; NULL: none is drawn */
} es_picture_groups;

/** As --colour-by says; without it communities. Of these only those that hold: whose members are,
 *  on average, in theirs in at least ES_PICTURE_HOLDS of the runs. A sentence on what the colours
 *  are, how far the communities hold and which do not is appended to `note`. found: communities
 *  that are known already, or NULL. ES_EINVAL (usage): another word, or families that nobody has
 *  said. */
#define ES_PICTURE_HOLDS 0.75
es_status es_picture_groups_of(es_sketch *sketch, const es_results *results,
                               const es_communities *found, es_picture_groups *out, es_error *err);

/** Lines of the embedders that are written over the columns, scores or ranks, without a title. */
es_status es_agree_strands(es_sketch *sketch, const es_results *names,
                           const es_agree_scores *scores, bool ranks, es_strands *out,
                           es_error *err);
/** The score against --task, else the mean rank; with --tasks the heat map of all. An unknown task
 *  is a usage error. d->what: an es_correlation_view. */
es_status es_picture_correlation(const es_document *d, es_sketch *sketch, es_error *err);

/** The main table of a sheet (d->what) as its plot says. ES_EEMPTY: the sheet has no plot. */
es_status es_picture_sheet(const es_document *d, es_sketch *sketch, es_error *err);

/** The coefficients of a panel in a line. */
const char *es_sketch_fact(es_sketch *sketch, const es_correlation_report *r);

/* What a correlation was computed from, for its document and its picture. */

/** What was computed, from what. session NULL: a ranking from a file. */
typedef struct es_correlation_view {
    es_session *session;
    size_t entry;
    const es_scored *scored;
    const es_choice *measure;     /* the score in place of information sufficiency; or NULL */
    const es_rank_report *report; /* NULL: a measure, or a ranking from a file */
    const es_join *join;
    const es_correlation_set *set;
    const es_task_kinds *kinds;
    es_correlate_options options; /* in force */
} es_correlation_view;

/* `agree` as a document: ranks by every score, how far they agree, and with downstream. */

es_status es_agree_write(es_cli *cli, es_session *session, const es_agree_scores *scores,
                         es_error *err);

/** Embedders (n) by downstream where there is any, else by the first column; unknown ones last. */
void es_agree_order(const es_agree_scores *scores, uint32_t *order);
/** Adds two tables: ranks by every column, and Kendall's tau-b of every two with intervals. */
es_status es_agree_take_ranks(es_sheet *sheet, const es_agree_scores *scores,
                              const es_results *names, es_error *err);

/** How far the score that the others are compared with is ahead of itself: NaN. */
extern const es_agreement_cell es_agree_no_lead;

/* Coefficients with their intervals, as documents of several commands write them. */

/** Fills them; NULL: nothing is known. */
void es_coefficient_put(es_table_out *table, const es_correlation_report *report,
                        es_correlation kind);
/** "spearman": 0.8, "spearman_ci": [0.5, 0.9]. */
void es_coefficient_json(es_json *json, const es_correlation_report *report, es_correlation kind);
/** "; 95 % each; of 37 about 2 are wrong by chance": of so many comparisons with an interval;
 * nothing of a single one. */
void es_comparisons_put(size_t count, es_buf *out);
/** How many columns have an interval of how far they are ahead. */
size_t es_comparisons_of(const es_agree_scores *scores);
/** A line for every measure or estimator whose values here have something to be minded. */
void es_agree_remarks(const es_agree_scores *scores, es_buf *out);
/** "agreement": Kendall's tau-b of every two columns. */
void es_agreement_json(es_json *json, const es_agree_scores *scores);

/* Two or three embedders side by side, as a document. */

/** models (count, 2 or 3): positions in plan entry `entry`'s results. An estimator of errors is
 *  refused (exit code 2): only information can be contained. */
es_status es_compare_write(es_cli *cli, es_session *session, size_t entry, const size_t *models,
                           size_t count, es_error *err);

/* A correlation as a document. */

es_status es_correlation_write(es_cli *cli, const es_correlation_view *view, es_error *err);

/** By category of tasks, and every task with its size (`correlate --by-category`). ES_ENOTFOUND: no
 *  task has a category. */
es_status es_categories_write(es_cli *cli, const es_correlation_view *view, es_error *err);

/** The object of one column of a set, a task or what sums them up; name: of the embedders as they
 *  were scored. */
void es_correlation_task_json(es_json *json, const char *key, const es_correlation_set *set,
                              const char *const *name, size_t column);
/** "unmatched", and "proposals" of whom they may be. */
void es_correlation_unmatched_json(es_json *json, const es_join *join);

/* How many embedders are enough: to trust the ranking, and to cover the pool. */

/** `rank --curve`: the ranking by fewer targets. An unknown --against TASK is a usage error. */
es_status es_curve_write(es_cli *cli, es_session *session, es_error *err);

/** `rank --coverage SHARE`: a small set of embedders that covers all. An estimator of errors is
 *  refused (exit code 2). */
es_status es_coverage_write(es_cli *cli, es_session *session, es_error *err);

/* `rank --explain A [B]` as a document. */

/** Why A stands before B, or before the next in the ranking; names as they are given. */
es_status es_explain_write(es_cli *cli, es_session *session, const char *a, const char *b,
                           es_error *err);

/* The matrix as a document, for `matrix` and `estimate`. */

/** Write plan entry `entry` in a format, ordered and with the value that the options ask for. */
es_status es_matrix_write(es_cli *cli, es_session *session, size_t entry, es_output_format format,
                          es_error *err);

/* A measure of two embedders as a matrix, in every format and as a picture. */

/** The first of the choices, which is of two embedders; tables as es_measure_write's. */
es_status es_measure_write_matrix(es_cli *cli, es_session *session, const es_choices *choices,
                                  es_error *err);

/* `embedscope estimate --dry-run`: what a run would take. */

es_status es_outlook_write(es_cli *cli, es_error *err);

/* The ranking as a document, and the bottom line for others to say. */

/** What the options ask for, with downstream scores if there are any; with_width: and with shared
 *  dimensions, which may take seconds unless they are stored. */
es_status es_cli_answer(es_cli *cli, es_session *session, bool with_width, es_answer *out,
                        es_error *err);

es_status es_rank_write(es_cli *cli, es_session *session, es_error *err);

/** As lines of at most es_caption_width columns. */
void es_bottom_line_put(const es_cli *cli, const es_answer *answer, es_buf *out);

/* A ranking from a file: made elsewhere, or by `embedscope rank --csv` or `--json`. */

typedef struct es_ranking_file {
    size_t n;
    char **name;        /* (n) cleaned, unique, in the file's order */
    double *score;      /* (n) NaN where the cell is empty */
    double *dim;        /* (n) NaN where not said */
    bool lower;         /* lower is better: "lower_is_better" of a document */
    char *score_column; /* its heading */
} es_ranking_file;

/** NAME.json: a document with "ranking": [{"model", "score"}]. Else CSV: columns are found by their
 * headings: "model" (else the first), "score" (else the only other one but "rank" and "dim"), "dim"
 * where there is one; the rest is not looked at. ES_EFORMAT names the line: no such columns, an
 * empty or repeated name, text in place of a score, an infinity. */
es_status es_ranking_file_read(const char *path, es_ranking_file *out, es_error *err);
void es_ranking_file_deinit(es_ranking_file *file); /* all zero bytes is allowed */

/* What a table of scores settles, as a document and a picture. */

es_status es_board_tasks_write(es_cli *cli, const es_board_tasks *tasks, es_error *err);
es_status es_board_tree_write(es_cli *cli, const es_board_tree *tree, es_error *err);
es_status es_board_versus_write(es_cli *cli, const es_board_versus *versus, es_error *err);

/* A score at every value of a setting: `estimate --sweep`, `rank --sweep`. */

/** The published score by one estimator, or by --score a measure, once for every combination of
 *  --sweep, and how far the rankings agree. estimate: what is missing of the pairs; else they are
 *  shown as they are stored (measures are computed). ES_EEMPTY: nothing is stored. */
es_status es_sweep_write(es_cli *cli, bool estimate, es_error *err);

/* Families of embedders as documents: communities, or a dendrogram. */

/** The two kinds of tree. es_communities_write refuses an estimator of errors (exit code 2). */
es_status es_communities_write(es_cli *cli, es_session *session, size_t entry, es_error *err);
/** Draws a tree with lines, `width` columns wide: *out (m) a line for each leaf, in their order.
 *  The lines and *out are the caller's to free (NULL: out of memory, as where it returns false). */
bool es_dendrogram_lines(const es_linkage *linkage, size_t width, char ***out);
/** "linkage": merges in SciPy's numbering. */
void es_linkage_json(es_json *json, const es_linkage *linkage);
es_status es_dendrogram_write(es_cli *cli, es_session *session, size_t entry, es_error *err);

/* Documents of several data sets. */

/* How far several data sets are apart, and whether near ones rank embedders alike. */

/** Every two data sets of the command line: the distance of their queries' answers and that of
 *  their plain rows (core_methods.h), each the mean over the embedders that all data sets hold,
 *  beside Kendall's tau of their rankings, and the correlation of the two over all pairs of data
 *  sets (RetMMD, Figure 6). Without queries, of rows alone. */
es_status es_sets_distance(es_cli *cli, es_error *err);

/* Several data sets, open together: each was estimated by itself. */

typedef struct es_open_set {
    size_t entry; /* of the list */
    es_session *session;
    es_rank_report *report;
} es_open_set;

typedef struct es_open_sets {
    es_data_list list;
    size_t count;                  /* with results */
    es_open_set *set;              /* (count) */
    const es_rank_report **report; /* (count) */
    const char **name;             /* (count) of the list */
    es_words missing, why;         /* names of those without results, and what is to be done */
    es_data_sets *all;             /* put together */
} es_open_sets;

/** Opens what the command line names, and puts it together; an export borrows *out until it is
 *  written. A data set of which nothing is stored
 *  is left out with a note, and the exit code is 1; with --strict it is an error. */
es_status es_open_sets_new(es_cli *cli, es_open_sets *out, es_error *err);
/** Closes the data sets and frees what was put together. */
void es_open_sets_deinit(es_open_sets *sets);

/** The array "pools": each with what its numbers depend on, its ranking and who is left out of it;
 *  and "left_out", the pools without results. */
void es_open_sets_json(const es_cli *cli, const es_open_sets *sets, es_json *json);
/** Writes which data sets are missing, as a sentence; nothing if none is. */
void es_open_sets_say_missing(const es_open_sets *sets, es_buf *out);

/* `rank POOL1 POOL2 ...` and `correlate POOL1 POOL2 ...`: several data sets at once. */

/** Writes one ranking over the named pools, from what each has stored. */
es_status es_sets_rank(es_cli *cli, es_error *err);
/** Which data set's ranking goes with which task of --scores. */
es_status es_sets_correlate(es_cli *cli, es_error *err);

/** The array "ranking": of the combination, with each embedder's place in every data set. */
void es_sets_ranking_json(const es_open_sets *sets, es_json *json);

/* Documents of tasks. */

/* `agree --by-task`: every score against every task. */

/** Writes the table of `scores`, which stand on `session`; with --runs the measures are computed
 *  with further seeds. ES_ENOTFOUND: there are no downstream scores. */
es_status es_agree_by_task(es_cli *cli, es_session *session, const char *names,
                           const es_agree_scores *scores, es_error *err);

/* The ranking combined with tasks that a user has, as a document. */

/** `rank --tasks GLOB[,GLOB]`. A glob that no task matches is a usage error; ES_ENOTFOUND: there
 * are no downstream scores. */
es_status es_with_tasks_write(es_cli *cli, es_session *session, es_error *err);

#endif
