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

/** What a factor is made for. */
typedef struct es_ridge_plan {
    bool chosen;    /* fits choose their penalty: the leverage of validation and test rows */
    bool residuals; /* leave-one-out residuals: the leverage of training rows */
    bool once;      /* columns that repeat each other count once (es_ridge_multiplicity) */
    double least;   /* directions with less than this share of the largest variance are dropped; 0:
                       rounding alone */
} es_ridge_plan;

/** Borrows nothing from a source whose rows are kept; a streamed one must outlive it: its
 *  coordinates are computed again for each fit. O(n d^2 + d^3), d = min(columns, n_train); with
 *  `once` O(n columns^2). */
es_status es_ridge_new(const es_fold_data *source, const es_ridge_plan *plan, es_run *run,
                       es_ridge **out, es_error *err);
void es_ridge_free(es_ridge *ridge);
size_t es_ridge_bytes(const es_ridge *ridge);
/** Rank kept: directions with an eigenvalue above rounding. */
size_t es_ridge_rank(const es_ridge *ridge);

/** The grid of penalties, in units of a standardised column's variance: 1e-3 ... 1e3. */
enum { ES_RIDGE_GRID = 10 };
extern const double es_ridge_grid[ES_RIDGE_GRID];

/** Returns the sum of the variances of all directions. */
double es_ridge_total(const es_ridge *ridge);

/** How to fit one target. */
typedef struct es_ridge_how {
    double lambda; /* NAN: chosen, and judged on the validation rows */
    double floor;  /* least variance of a residual */
    double
        clear;   /* gain of validation rows, in standard errors, that a slope must exceed; 0: 0.5 */
    double rest; /* least share of the residuals' degrees of freedom, 1 - df / n; 0: 1e-6 */
} es_ridge_how;

/** A fitted mean for one target; all arrays are in the arena given to es_ridge_fit. */
typedef struct es_ridge_result {
    double lambda;   /* INFINITY: the mean alone, the pair is silent */
    double *loo_var; /* (dv) generalised leave-one-out variance, not floored; of a silent pair the
                        marginal's */
    struct es_ridge_fitted *fitted; /* for es_ridge_predict; one thread each */
} es_ridge_result;

/** Predictions of all rows, for training on them. */
typedef struct es_ridge_rows {
    float *loo;       /* (n_train, dv) leave-one-out residuals of the training rows; predictions
                         are limited to the range of the column, if the target knows it */
    float *val_pred;  /* (n_val, dv) */
    float *test_pred; /* (n_test, dv) */
} es_ridge_rows;

/** Fits all columns of `target` (same fold) with one penalty.
 *
 *  lambda NAN: the penalty of the grid, or an infinite one, that minimises
 *    sum_j ln v_j + G_j / v_j,  v_j = max(G_j, floor),
 *  the Gaussian loss of the generalised leave-one-out residuals G_j (loo_var); ties take the
 * larger. A row's variance is then max(s2_j (1 + h), floor), s2_j = RSS_j / (n - df), h its
 * leverage. The pair is silent, which leaves the mean alone, if the penalty is infinite or if the
 * validation rows do not show that this density is better than the marginal and than that of
 * another row.
 *
 *  A number: that penalty, with G_j as the variance of all rows; nothing is judged.
 *  O(n rank dv); memory O(ES_FOLD_BLOCK (d + rank + dv) + rank dv). */
es_status es_ridge_fit(const es_ridge *ridge, const es_fold_data *target, const es_ridge_how *how,
                       es_arena *arena, es_run *run, es_ridge_result *out, es_error *err);

/** Fits again with another given penalty, from the same cross products; `fit` becomes that fit.
 *  O(rank dv). */
void es_ridge_refit(es_ridge_result *fit, const es_ridge_how *how);

/** A block of a part: the target's standardised rows and what the fit predicts for them, both
 *  (count, dv), count <= ES_FOLD_BLOCK, until the next call. */
es_status es_ridge_predict(const es_ridge_result *fit, es_part part, size_t start, size_t count,
                           es_run *run, const float **rows, const float **predicted, es_error *err);

/** Of a chosen penalty. out (count): sum over columns of e^2 / variance + ln variance for a block
 *  of validation or test rows as es_ridge_predict returns it. */
void es_ridge_misfit(const es_ridge_result *fit, es_part part, size_t start, size_t count,
                     const float *rows, const float *predicted, double *out);
/** Of a chosen penalty: the variance of column j of a row. Training rows (with residuals): that of
 *  the leave-one-out residual, with 1 / (1 - h) in place of 1 + h. Silent: the marginal's. */
double es_ridge_variance(const es_ridge_result *fit, es_part part, size_t row, size_t j);

/** All predictions, and the exact leave-one-out residuals e_i / (1 - h_ii), which cost as much as
 * all the rest. The ridge must be made for residuals, the penalty chosen. O(n rank dv). */
es_status es_ridge_whole(const es_ridge_result *fit, es_arena *arena, es_run *run,
                         es_ridge_rows *out, es_error *err);

#endif
