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
    es_fold_data *normal; /* of a target: its leading components as a model of p(v) makes them
                             standard normal */
    double *marginal;     /* of a target: log p(v) of rows, as the estimator has it */
    size_t marginals;     /* count */
    size_t rare;          /* of a target: columns whose spread is below the least variance */
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

/** What one fold of a pair fills, in nats per target dimension. */
typedef struct es_fold_values {
    double *h, *h_cond; /* (n_test) -log p(v) and -log p(v|u) of the fold's test rows */
    double *beside;     /* (n_test) -log p(v|u) of the companion (information); NaN on entry */
    unsigned epochs;    /* of training; 0 on entry */
    double lambda;      /* penalty, INFINITY: silent; NaN on entry */
} es_fold_values;

/** Computes one fold of a pair. `stream` keys the fold's random draws. */
typedef es_status es_fold_pair(const es_problem *problem, const es_fold_state *source,
                               const es_fold_state *target, uint64_t stream, es_arena *arena,
                               es_run *run, es_fold_values *out, es_error *err);

/** A pair of es_fold_states, fold by fold: the values of all evaluated rows in their places, summed
 *  up; the most epochs, rare and limited columns of a fold; the penalty if all folds have the same.
 *  On failure *out is unchanged. */
es_status es_fold_states_pair(const es_problem *problem, const void *source, const void *target,
                              uint64_t stream, es_arena *arena, es_run *run, es_fold_pair *pair,
                              es_pair_result *out, es_error *err);

/** Means, standard error and per-row differences of n evaluated rows, h (n) before and h_cond (n)
 *  after the source is known. ES_ENONFINITE when a value is not finite; then *out is unchanged. */
es_status es_pair_summarise(size_t n, const double *h, const double *h_cond, es_pair_result *out,
                            es_error *err);

/* What an estimator is made of whose states are es_fold_states. */

/** Defines `name`, a source_new or target_new, from an es_fold_prepare. */
#define ES_FOLD_STATES_NEW(name, folds, prepare)                                                   \
    static es_status name(const es_problem *problem, const es_rows *rows, es_run *run, void **out, \
                          es_error *err) {                                                         \
        return es_fold_states_new(problem, rows, folds, prepare, run, out, err);                   \
    }
/** Defines `pair` from an es_fold_pair. */
#define ES_FOLD_STATES_PAIR(fold_pair)                                                             \
    static es_status pair(const es_problem *problem, const void *source, const void *target,       \
                          uint64_t stream, es_arena *arena, es_run *run, es_pair_result *out,      \
                          es_error *err) {                                                         \
        return es_fold_states_pair(problem, source, target, stream, arena, run, fold_pair, out,    \
                                   err);                                                           \
    }
/** Of its row: source_new, target_new and pair are the file's own. */
#define ES_FOLD_STATES                                                                             \
    .source_new = source_new, .source_free = es_fold_states_free,                                  \
    .source_bytes = es_fold_states_bytes, .target_new = target_new,                                \
    .target_free = es_fold_states_free, .target_bytes = es_fold_states_bytes, .pair = pair

/** Targets are limited to so many standard deviations, so that no single row decides. */
#define ES_TARGET_BOUND 5.0

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
                "split; auto: 5 below 1,000 rows, else 1",                                         \
        .value = NAN, .low = 1, .high = 100, .whole = true, .automatic = true                      \
    }

#endif
