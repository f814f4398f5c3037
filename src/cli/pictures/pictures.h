/* From what the commands compute to the plain numbers of figure.h. */
#ifndef ES_CLI_PICTURES_H
#define ES_CLI_PICTURES_H

#include "cli_measures.h"

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

/* From what the commands compute to the plain numbers of figure.h. Each appends a whole picture to
 * `out` and leaves out what --show and --hide leave out. */

es_status es_picture_ranking(es_sketch *sketch, const es_results *results,
                             const es_rank_report *report, es_error *err);

/** order (m): positions of the results. Without --order they are clustered, with dendrograms. */
es_status es_picture_matrix(es_sketch *sketch, const es_results *results, const uint32_t *order,
                            size_t m, es_error *err);

/** Agreement and reliability over the number of targets. against: a task, or NULL. */
es_status es_picture_curve(es_sketch *sketch, const es_pool_curve *curve, const char *against,
                           es_error *err);

/** The graph of communities: fill is the median of what an embedder simulates, ring of what is
 *  simulated of it, as in the paper's Figure 5a. */
es_status es_picture_communities(es_sketch *sketch, const es_results *results,
                                 const es_communities *found, const es_ranking *ranking,
                                 es_error *err);

es_status es_picture_dendrogram(es_sketch *sketch, const es_results *results,
                                const es_linkage *linkage, es_error *err);

/** The score against --task, else the mean rank; with --tasks the heat map of all. An unknown task
 *  is a usage error. */
es_status es_picture_correlation(es_sketch *sketch, const es_correlation_view *view, es_error *err);

/** The score against each category of tasks, a panel each; of the view `sizes`: the size of every
 *  task against its Spearman. ES_ENOTFOUND: no task has a size. */
es_status es_picture_categories(es_sketch *sketch, const es_correlation_view *view, es_error *err);

/** Spearman's rho of each score with its interval, the dimension's as a line. */
es_status es_picture_rivals(es_sketch *sketch, const es_label_free *rivals, es_error *err);

/** Every score against every task as a heat map of --kind. */
es_status es_picture_task_table(es_sketch *sketch, const es_agree_scores *scores,
                                const es_scores *tasks, const es_task_table *table,
                                es_correlation kind, es_error *err);
/** Ranks by each score as a bump chart. */
es_status es_picture_agreement(es_sketch *sketch, const es_results *names,
                               const es_agree_scores *scores, es_error *err);
/** Each score against downstream, a panel each; ES_ENOTFOUND without it. */
es_status es_picture_panels(es_sketch *sketch, const es_results *names,
                            const es_agree_scores *scores, es_error *err);
/** A field of what is swept: its own columns, one a value. */
typedef struct es_sweep_field {
    char *name;
    es_agree_scores scores;
} es_sweep_field;
/** Each embedder's score over the columns, how far these agree with the first and downstream, and a
 *  line a field: with downstream, or, without any, with the first column, with intervals. */
es_status es_picture_sweep(es_sketch *sketch, const es_results *names,
                           const es_agree_scores *scores, const es_sweep_field *field,
                           size_t fields, es_error *err);
/** A panel a column, a line a series, and a flat one for the best embedder of no series. */
es_status es_picture_series(es_sketch *sketch, const es_series *series, const es_series_of *of,
                            es_error *err);

/** A line a model from its embedder to what was tuned from it, a panel for score, rank and
 *  downstream. */
es_status es_picture_tuned(es_sketch *sketch, const es_rank_report *report, const es_tuned *tuned,
                           es_error *err);

/** name (sets): of each data set. Data sets are rows, embedders columns, and --within says what
 *  stands in the cells. */
es_status es_picture_data_sets(es_sketch *sketch, const es_data_sets *sets, const char *const *name,
                               es_error *err);
/** The ranking over all data sets with its intervals. */
es_status es_picture_combined(es_sketch *sketch, const es_data_sets *sets, const char *const *name,
                              es_error *err);
/** set, name (rows): of each data set, all over the same tasks. */
es_status es_picture_sets_tasks(es_sketch *sketch, const es_correlation_set *const *set,
                                const char *const *name, size_t rows, es_error *err);

/** A distance of every two data sets. */
typedef struct es_set_distances {
    const char *title;
    const double *value; /* (pairs) */
    const es_correlation_report *with_tau;
} es_set_distances;
/** Each (count) against how alike the data sets rank, tau (pairs); name (pairs). */
es_status es_picture_distances(es_sketch *sketch, const es_set_distances *distance, size_t count,
                               const double *tau, const char *const *name, size_t pairs,
                               es_error *err);

/** The rows of one or two embedders. */
es_status es_picture_map(es_sketch *sketch, const es_results *results, const es_row_places *places,
                         es_error *err);

/** Fields of measures of two embedders (count), a panel each, clustered by the rows of the first.
 */
es_status es_picture_measure(es_sketch *sketch, es_session *session, const es_choice *choice,
                             size_t count, es_error *err);

/** The compared over all other targets. */
es_status es_picture_comparison(es_sketch *sketch, const es_compare_report *report, es_error *err);

/** The main table of a sheet as its plot says. ES_EEMPTY: the sheet has no plot. */
es_status es_picture_sheet(es_sketch *sketch, const es_sheet *sheet, es_error *err);

#endif
