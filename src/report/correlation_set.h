/* A ranking against downstream scores, with everything that is said about it. */
#ifndef ES_REPORT_CORRELATION_SET_H
#define ES_REPORT_CORRELATION_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/correlate.h"
#include "scored.h"
#include "io_scores.h"
#include "task_columns.h"
#include "core_downstream.h"

typedef enum es_baseline { ES_BASELINE_DIM, ES_BASELINE_L2, ES_BASELINES } es_baseline;
extern const char *const es_baseline_names[ES_BASELINES]; /* "dimension", "l2" */

/** A baseline against one task, over the embedders that have both and a score. */
typedef struct es_baseline_report {
    size_t n;
    es_stat value[ES_CORRELATIONS];
} es_baseline_report;

/** Of the joined embedders that count, best score first; columns as in task_columns.h. */
typedef struct es_correlation_set es_correlation_set;
struct es_correlation_set {
    size_t n, tasks, columns;      /* columns: tasks, then what sums them up */
    size_t left_out;               /* joined embedders that do not count downstream */
    const es_scores *scores;       /* borrowed */
    size_t *at, *at_scores;        /* (n) positions in the ranking and in the scores */
    double *score;                 /* (n) */
    uint32_t *family;              /* (n) */
    es_worth worth;                /* of the score in tasks; NaN: not known, or too few tasks */
    double *y;                     /* (columns, n) higher is better: ranks are negated */
    double *residual;              /* (columns, n) */
    es_correlation_report *report; /* (columns) */
    bool *drawn;                   /* (columns) intervals and p of these are drawn */
    size_t complete;               /* embedders with a score and every task: the mean rank's */
    bool has[ES_BASELINES];
    es_baseline_report *baseline[ES_BASELINES]; /* (columns), NULL where not known */
};

/** Every coefficient of x and y (n). */
es_status es_correlation_all(const double *x, const double *y, size_t n,
                             es_stat out[ES_CORRELATIONS], es_error *err);

/** partner (scored->n): each embedder's place in the scores; SIZE_MAX: none. */
es_status es_correlation_set_new(const es_scored *scored, const es_scores *scores,
                                 const size_t *partner, const es_correlate_options *options,
                                 es_correlation_set **out, es_error *err);
void es_correlation_set_free(es_correlation_set *set);

/** A correlation for a session's workers; owns everything except the names themselves. */
typedef struct es_correlation_work {
    es_scored scored; /* to be filled in; NaN, counted, each its own family at first */
    const char **name;
    size_t *partner; /* (n) to be filled in */
    bool *draw;      /* (columns) whose intervals and p are drawn; none at first */
    es_scores scores;
    uint64_t seed;
    es_correlation_set *set; /* what was found; NULL: not run yet */
} es_correlation_work;

/** Copies the table of scores. ES_ENOMEM. */
es_status es_correlation_work_new(size_t n, const es_scores *scores, es_correlation_work **out,
                                  es_error *err);
/** Computes work->set. ES_ECANCELED. */
es_status es_correlation_work_run(void *work, const es_run *run, es_error *err);
void es_correlation_work_deinit(void *work);
void es_correlation_work_free(es_correlation_work *work);
/** Runs it in the background under the caller's tag, and frees it; one under way is cancelled. */
es_status es_correlation_take_start(es_session *session, es_correlation_work *work, uint64_t tag,
                                    es_error *err);
/** Returns the newest that es_session_pump has delivered, valid until the next pump; NULL: none. */
const es_correlation_set *es_correlation_newest(const es_session *session);

/** True if lower is better in this column; `y` then holds it with its sign turned. */
bool es_correlation_is_turned(const es_correlation_set *set, size_t column);
/** "average"; "mean rank", "mean". */
const char *es_correlation_task(const es_correlation_set *set, size_t column);
/** The column that says most: the mean rank, or the only task. */
size_t es_correlation_overall(const es_correlation_set *set);

#endif
