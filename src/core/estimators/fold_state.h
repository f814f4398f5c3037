/* Both sides of a pair as estimators hold them: what is prepared once of an embedder, fold by fold,
 * and then shared by all its pairs. */
#ifndef ES_CORE_FOLD_STATE_H
#define ES_CORE_FOLD_STATE_H

#include "fold_data.h"
#include "ridge.h"

/** One fold. What an estimator does not need of a side is NULL. */
typedef struct es_fold_state {
    es_fold_data *data;
    es_ridge *ridge;      /* of a source */
    float *bits;          /* of a binary target: (all rows, d) 0 and 1 in the order of data */
    es_fold_data *normal; /* of a target: its rows as a model of p(v) makes them standard normal */
    double *marginal;     /* of a target: log p(v) of rows, as the estimator has it */
    size_t marginals;     /* count */
} es_fold_state;

typedef struct es_fold_states {
    size_t folds;
    es_fold_state fold[];
} es_fold_states;

/** Fills fold k; what it leaves in *out on failure is released by the caller. */
typedef es_status es_fold_prepare(const es_problem *problem, const es_rows *rows, size_t k,
                                  es_run *run, es_fold_state *out, es_error *err);

/** *out: an es_fold_states, the `void *` of es_estimator's functions. */
es_status es_fold_states_new(const es_problem *problem, const es_rows *rows, size_t folds,
                             es_fold_prepare *prepare, es_run *run, void **out, es_error *err);
void es_fold_states_free(void *states);
size_t es_fold_states_bytes(const void *states);

/** Means, standard error and per-row differences of n evaluated rows, h (n) before and h_cond (n)
 *  after the source is known. ES_ENONFINITE when a value is not finite; then *out is unchanged. */
es_status es_pair_summarise(size_t n, const double *h, const double *h_cond, es_pair_result *out,
                            es_error *err);

/* Settings of estimators that fit ridge regression on clipped rows. */
#define ES_CLIP_SETTING                                                                            \
    {                                                                                              \
        .key = "clip", .help = "standardised source values are limited to +-clip; 0: not limited", \
        .value = 3, .low = 0, .high = 1e9                                                          \
    }
#define ES_FOLDS_SETTING                                                                           \
    {                                                                                              \
        .key = "folds",                                                                            \
        .help = "cross-fit with K folds, so that every row is held out once; 1: one 70/10/20 "     \
                "split; auto: 5 below 200 rows, else 1",                                           \
        .value = NAN, .low = 1, .high = 100, .whole = true, .automatic = true                      \
    }

#endif
