/* Every measure of a pool side by side: columns of embedders, what is downstream, and how they
 * agree. */
#ifndef ES_REPORT_AGREE_SCORES_H
#define ES_REPORT_AGREE_SCORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core_downstream.h"
#include "engine_session.h"
#include "rank_report.h"
#include "io_scores.h"

typedef struct es_agree_scores {
    char **name;         /* (k) "is", "evalrank", ..., "dimension" */
    char **about;        /* (k) a few words */
    char **remark;       /* (k) what to mind of its values here; NULL: nothing */
    double *column;      /* (k, n) higher is better; NaN: none */
    bool *negated;       /* (k) lower was better */
    double *seconds;     /* (k) of one processor for all values; NaN: not known */
    size_t k, n;         /* columns; embedders, in the order of the session's results */
    double *downstream;  /* (n) a column of task_columns.h; NULL: no scores */
    size_t scored;       /* embedders with a downstream value */
    char *task;          /* "mean of 15 tasks", "mean rank over 15 tasks", or a task */
    bool turned;         /* `downstream` has its sign turned: lower is better */
    size_t ranked_tasks; /* of a mean percentile: those that tell any two apart */
    bool *counts;        /* (n) downstream; the others have no value there */
    uint32_t *family;    /* (n) as es_downstream_groups says */
    bool *control;       /* (n) of the family "control" of pool.json: noise, shuffled rows */
    size_t controls;
    es_agreement *agreement;
} es_agree_scores;

/** True if column k ranks every control below all other embedders; false without controls. */
bool es_agree_scores_controls_last(const es_agree_scores *s, size_t k);

void es_agree_scores_deinit(es_agree_scores *s); /* all zero bytes is allowed */

/* Begun for the embedders of `names`, which later calls take again; then columns in their order,
 * downstream where there is any, and settled. */
es_status es_agree_scores_init(es_agree_scores *s, es_session *session, const es_results *names,
                               es_error *err);
/** name NULL: "is" or "predictive", or the estimator's where lower is better. */
es_status es_agree_scores_add_ranking(es_agree_scores *s, const char *name,
                                      const es_results *results, const es_rank_choices *how,
                                      es_error *err);
/** Adds a score that another plan has stored. */
es_status es_agree_scores_add_stored(es_agree_scores *s, const es_stored_score *stored,
                                     es_error *err);
es_status es_agree_scores_add_measure(es_agree_scores *s, const char *name,
                                      const es_measured *measured, size_t field, es_error *err);
es_status es_agree_scores_add_dimension(es_agree_scores *s, const es_results *names, es_error *err);
/** A column for each task of `known`, numbers by equal names. */
es_status es_agree_scores_add_known(es_agree_scores *s, const es_results *names,
                                    const es_scores *known, const char *about, es_error *err);
/** Columns of task_columns.h for the embedders that count: (columns, n), the caller's. */
es_status es_agree_scores_tasks(const es_agree_scores *s, const es_results *names,
                                const es_scores *scores, double **out, size_t *unknown,
                                es_error *err);
/** column: as in task_columns.h. *unknown: embedders that are not in the scores. */
es_status es_agree_scores_against(es_agree_scores *s, const es_results *names,
                                  const es_scores *scores, size_t column, size_t *unknown,
                                  es_error *err);
/** The mean rank over tasks as a percentile (downstream.h). */
es_status es_agree_scores_against_ranks(es_agree_scores *s, const es_results *names,
                                        const es_scores *scores, size_t *unknown, es_error *err);
/** Takes the downstream column of `other`, of the same embedders. */
es_status es_agree_scores_against_same(es_agree_scores *s, const es_agree_scores *other,
                                       es_error *err);
es_status es_agree_scores_settle(es_agree_scores *s, uint64_t seed, es_error *err);
/** The same without intervals of the columns among each other. */
es_status es_agree_scores_settle_against(es_agree_scores *s, uint64_t seed, es_error *err);

#endif
