/* Every score against every task: the table by which measures are judged in papers (EvalRank's
 * Tables 3, 6 and 11, RetMMD's Table 1, EMIR's Tables 9 and 10). */
#ifndef ES_REPORT_TASK_TABLE_H
#define ES_REPORT_TASK_TABLE_H

#include "agree_scores.h"

typedef struct es_task_run {
    double mean, squares; /* of distances from the mean */
    size_t n;
} es_task_run;

typedef struct es_task_table {
    size_t k, columns;             /* scores; columns of task_columns.h */
    double *y;                     /* (columns, n) */
    es_correlation_report *report; /* (k, columns) over the same resamples of embedders */
    size_t runs;                   /* 1: no other seed was tried */
    es_task_run *run;              /* (k, columns, ES_CORRELATIONS) over the runs */
} es_task_table;

/** O(k columns (draws n log n + permutations n)) with 1,000 draws and 4,999 permutations. */
es_status es_task_table_new(const es_agree_scores *scores, const es_results *names,
                            const es_scores *tasks, uint64_t seed, es_task_table **out,
                            es_error *err);
/** Take up the scores that another seed gave the same embedders, joined by the columns' names. */
es_status es_task_table_add_run(es_task_table *table, const es_agree_scores *first,
                                const es_agree_scores *other, es_error *err);
/** Mean and standard deviation (n - 1) over runs; NaN: fewer than two. */
void es_task_table_spread(const es_task_table *table, size_t score, size_t column,
                          es_correlation kind, double *mean, double *sd);
void es_task_table_free(es_task_table *table); /* NULL is allowed */

#endif
