/* Series: checkpoints of a training run, or a model and what was tuned from it, in the order of
 * their steps (EMIR, Figures 4c and 7; RetMMD, Figure 5). For every step its score, and how much
 * neighbours in time hold of each other. */
#ifndef ES_REPORT_SERIES_H
#define ES_REPORT_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base.h"
#include "engine_pool.h"
#include "rank_report.h"
#include "io_scores.h"

/** What is known of a step beside its number. Of information sufficiency, in nats per dimension of
 *  the target: how much this step holds of the one before and that one of this, of the first, and
 *  of the last. By an estimator of errors it is the error, the lower the better. */
typedef enum es_series_known {
    ES_SERIES_SCORE,
    ES_SERIES_OF_BEFORE, /* this -> the one before */
    ES_SERIES_BY_BEFORE, /* the one before -> this */
    ES_SERIES_OF_FIRST,
    ES_SERIES_OF_LAST,
    ES_SERIES_DOWNSTREAM, /* mean percentile over tasks, 100 = best (downstream.h) */
    ES_SERIES_RANK,       /* in the whole pool, 1 = best (Darrin et al. 2024, Figures 4b and 5b) */
    ES_SERIES_KNOWN       /* measures follow */
} es_series_known;

/** A number for every point. */
typedef struct es_series_column {
    char *name, *title; /* "score"; "information sufficiency for the step before" */
    double *value;      /* (points) NaN: not known, or there is no step before */
    double *low, *high; /* (points) 95 %, of the score; else NULL */
} es_series_column;

typedef struct es_series_point {
    size_t series, model; /* model: position in the results */
    double step;
} es_series_point;

typedef struct es_series_run {
    const char *name; /* of the model's; borrowed */
    size_t first, count;
    size_t best;   /* point of the best score; SIZE_MAX: none has one */
    size_t change; /* the step from which on no two are distinguished; SIZE_MAX: none are at all */
    size_t later;  /* the last step that the one before `change` is distinguished from */
    bool up;       /* which way the score went there */
    bool best_is_last; /* or may be, as in the ranking, or not distinguished from it */
    bool last_unknown; /* it has no score, or of two scores nothing can be said */
} es_series_run;

typedef struct es_series {
    es_series_run *run; /* (runs) by name */
    size_t runs;
    es_series_point *point; /* (points) run after run, by step */
    size_t points;
    size_t baseline;          /* the best embedder of no run, by position in the results, which runs
                                 are seen beside; SIZE_MAX: none has a rank */
    bool repeats;             /* a run has a step twice: names tell them apart */
    es_series_column *column; /* (columns) */
    size_t columns, capacity;
} es_series;

/** What series are of; arrays are by position in the results. */
typedef struct es_series_of {
    const es_results *results;
    const es_model *const *model; /* by es_results.model */
    es_score_kind score_kind;
    const double *score;         /* (m) NaN: none */
    const es_decision *decision; /* of these scores; NULL: not known yet */
    const es_scores *scores;     /* downstream; NULL: none */
} es_series_of;

/** True if the scores are errors, lower being better. False without results. */
bool es_series_of_errors(const es_series_of *of);

/** Lists the training runs and their checkpoints; none is no error. ES_ENOMEM. */
es_status es_series_new(const es_series_of *of, es_series *out, es_error *err);
/** Value number `column` of embedder `model`, or of the pair (before, model); before SIZE_MAX: of
 * one embedder. Positions in the results; NaN: not known. */
typedef double (*es_series_value)(const void *context, size_t column, size_t before, size_t model);
/** A further column: of an embedder its value at each step, of a pair that of (the one before,
 * this).
 */
es_status es_series_add(es_series *series, const char *name, bool pairwise, es_series_value value,
                        const void *context, size_t column, es_error *err);
void es_series_deinit(es_series *series); /* all zero bytes is allowed */

/** The other point of a pair that is told of point i; SIZE_MAX: it has none. */
size_t es_series_partner(const es_series *series, size_t i, es_series_known which);

/** What a run comes to, in sentences. */
void es_series_put(const es_series *series, const es_series_of *of, size_t run, es_buf *out);

#endif
