/* Downstream tasks by category and size, and what communities of embedders reach (Darrin et al.
 * 2024, Figures 3, 9 and 21, Tables 4 and 6). */
#ifndef ES_REPORT_TASK_KINDS_H
#define ES_REPORT_TASK_KINDS_H

#include "correlation_set.h"

/** Tasks of one category against the score. */
typedef struct es_task_kind {
    const char *category; /* borrowed */
    size_t tasks;
    es_correlation_report
        report; /* of the mean percentile over its tasks; weights as in tasks.csv */
} es_task_kind;

/** Embedders of one community. */
typedef struct es_community_reach {
    uint32_t community; /* as in the ranking's report */
    size_t n;           /* with downstream scores */
    double mean, sd;    /* of the mean percentile over all tasks; sd NaN for one */
} es_community_reach;

typedef struct es_task_kinds {
    size_t count;
    es_task_kind *kind; /* (count) in the order in which tasks name them */
    double *y;          /* (count, set->n) mean percentile over a category's tasks */
    size_t sized;       /* tasks whose size is known */
    es_stat size;       /* Spearman of log size and the task's own Spearman */
    size_t communities;
    es_community_reach *community; /* (communities) */
} es_task_kinds;

/** community (results' m, by set->at), or NULL. */
es_status es_task_kinds_new(const es_correlation_set *set, const uint32_t *community,
                            const es_correlate_options *options, es_task_kinds **out,
                            es_error *err);
void es_task_kinds_free(es_task_kinds *kinds);

#endif
