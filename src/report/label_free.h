/* Every score that needs no labels against what is downstream: the table by which a new one is
 * judged, with the dimension, which costs nothing, as the line to beat. */
#ifndef ES_REPORT_LABEL_FREE_H
#define ES_REPORT_LABEL_FREE_H

#include <stddef.h>
#include <stdint.h>

#include "agree_scores.h"
#include "core_downstream.h"

/** One of them: column `column` of the scores. */
typedef struct es_label_free_row {
    size_t column;
    double regret_first, regret_five; /* points of mean percentile (downstream.h); NaN: not known */
    double each_task;                 /* mean Spearman with one task; NaN: undefined */
    double worth;                     /* labelled tasks that say as much of another one, at most all
                                         others; NaN: not known, or too few tasks */
    size_t place; /* from 1, by Spearman's rho, equal ones sharing the smaller; 0: undefined */
} es_label_free_row;

typedef struct es_label_free {
    /* Columns as they were added, the dimension first: `ahead` is of it. Downstream is the mean
     * rank over tasks, as a percentile; controls have none. Only `against` and `ahead` of the
     * agreement are drawn. */
    es_agree_scores scores;
    es_label_free_row *rival; /* (scores.k) by Spearman's rho, best first, undefined ones last */
    size_t tasks, compared;   /* `compared`: scores with a place, which the first is the best of */
    size_t ranking;           /* column that labelled tasks are combined with; SIZE_MAX: none */
    es_task_baseline baseline[ES_TASK_BASELINES]; /* what labelled tasks say of another one */
    size_t baselines;
} es_label_free;

/** Begun with the dimension; further columns by es_agree_scores_add_*. */
es_status es_label_free_init(es_label_free *rivals, es_session *session, const es_results *names,
                             es_error *err);
/** Downstream, and what becomes of it. *unknown: embedders that are not in the scores. O(k draws m
 *  log m) with 1,000 draws. */
es_status es_label_free_settle(es_label_free *rivals, const es_results *names,
                               const es_scores *scores, uint64_t seed, size_t *unknown,
                               es_error *err);
void es_label_free_deinit(es_label_free *rivals); /* all zero bytes is allowed */

/** True if the row is the dimension. */
bool es_label_free_is_line(const es_label_free *rivals, const es_label_free_row *rival);

#endif
