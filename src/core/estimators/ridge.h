/* Ridge regression with one factorisation per source: the ground on which the `linear` and `knife`
 * estimators stand. Float32 storage, float64 sums. */
#ifndef EMBEDSCOPE_RIDGE_H
#define EMBEDSCOPE_RIDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "fold_data.h"
#include "run.h"
#include "embedscope/status.h"

/** Factor of one source on one fold: eigenvectors of its training covariance (or of the Gram matrix
 *  when it has more columns than training rows), shared over all targets and penalties. */
typedef struct es_ridge es_ridge;

/** `residuals`: what leave-one-out residuals need is prepared as well. Borrows
 *  nothing from a source whose rows are kept; a streamed one must outlive it: its coordinates are
 *  made again for each fit. O(n d^2 + d^3), d = min(columns, n_train). */
es_status es_ridge_new(const es_fold_data *source, bool residuals, es_run *run, es_ridge **out,
                       es_error *err);
void es_ridge_free(es_ridge *ridge);
size_t es_ridge_bytes(const es_ridge *ridge);
/** Rank kept: directions with an eigenvalue above rounding. */
size_t es_ridge_rank(const es_ridge *ridge);

/** The grid of penalties, in units of a standardised column's variance: 1e-3 ... 1e3. */
enum { ES_RIDGE_GRID = 10 };
extern const double es_ridge_grid[ES_RIDGE_GRID];

/** A fitted mean for one target; all arrays are in the arena given to es_ridge_fit. */
typedef struct es_ridge_result {
    double *lambda; /* (dv) penalty per target column; INFINITY: the mean alone */
    double
        *loo_var; /* (dv) generalised leave-one-out variance, not floored; 1 for the mean alone */
    struct es_ridge_fitted *fitted; /* for es_ridge_predict; one thread each */
} es_ridge_result;

/** Predictions of all rows, for training on them. */
typedef struct es_ridge_rows {
    float *loo;       /* (n_train, dv) leave-one-out residuals of the training rows */
    float *val_pred;  /* (n_val, dv) */
    float *test_pred; /* (n_test, dv) */
} es_ridge_rows;

/** Fit every column of `target` (same fold). lambda NAN: chosen per column from the grid, or no
 * slope at all, by generalised cross-validation; and when the validation rows show no evidence that
 * the source predicts the target, the mean alone is kept for all columns. A number: that penalty.
 *
 *  loo_var is the mean squared leave-one-out residual with every row given the mean leverage (the
 *  value that generalised cross-validation minimises): within 0.001 nats per dimension of the exact
 *  one in held-out likelihood on three real pools, and it needs no prediction of the training rows.
 *  O(n rank dv); memory O(ES_FOLD_BLOCK (d + rank + dv) + rank dv). */
es_status es_ridge_fit(const es_ridge *ridge, const es_fold_data *target, double lambda,
                       es_arena *arena, es_run *run, es_ridge_result *out, es_error *err);

/** A block of a part: the target's standardised rows and what the fit predicts for them, both
 *  (count, dv), count <= ES_FOLD_BLOCK, until the next call. */
es_status es_ridge_predict(const es_ridge_result *fit, es_part part, size_t start, size_t count,
                           es_run *run, const float **rows, const float **predicted, es_error *err);

/** All predictions, and the exact leave-one-out residuals e_i / (1 - h_ii), which cost as much as
 * all the rest. The ridge must be made for residuals. O(n rank dv). */
es_status es_ridge_whole(const es_ridge_result *fit, es_arena *arena, es_run *run,
                         es_ridge_rows *out, es_error *err);

#endif
