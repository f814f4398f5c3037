/* Standardised folds and ridge regression with one factorisation per source: the ground on which
 * the `linear` and `knife` estimators stand. Float32 storage, float64 sums. */
#ifndef EMBEDSCOPE_RIDGE_H
#define EMBEDSCOPE_RIDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "embedscope/estimator.h"
#include "run.h"
#include "split.h"
#include "embedscope/status.h"

/** One embedder's rows for one fold, standardised by the training rows' mean and (population)
 *  standard deviation; columns that are constant on the training rows are left out. */
typedef struct es_fold_data {
    size_t n_train, n_val, n_test;
    size_t d;          /* columns kept */
    float *train;      /* (n_train, d); val and test follow in the same block; NULL: streamed */
    float *val, *test; /* (n_val, d), (n_test, d) */
    uint32_t *column;  /* (d) index of each kept column in the embedder */
    double *mean, *sd; /* (d) of the training rows, in the embedder's units */
    es_rows rows;      /* where they come from */
    double clip;
    const es_fold *fold; /* which rows; NULL unless streamed */
} es_fold_data;

/** clip > 0 limits standardised values to [-clip, clip] (sources); 0 leaves them (targets).
 *  ES_ENONFINITE names row and column; ES_EINVAL when every column is constant. O(n d). */
es_status es_fold_data_new(const es_rows *rows, const es_fold *fold, double clip, es_run *run,
                           es_fold_data **out, es_error *err);
/** The same without keeping the rows, for those that memory has no room for: they are read and
 *  standardised anew each time, which gives the same bits. `fold` and what `rows` refers to must
 *  outlive it. */
es_status es_fold_data_stream(const es_rows *rows, const es_fold *fold, double clip, es_run *run,
                              es_fold_data **out, es_error *err);
void es_fold_data_free(es_fold_data *data);
size_t es_fold_data_bytes(const es_fold_data *data);

typedef enum es_part { ES_PART_TRAIN, ES_PART_VAL, ES_PART_TEST } es_part;
size_t es_fold_data_count(const es_fold_data *data, es_part part);

/** Rows are worked through in blocks of so many, kept or streamed: sums over them are the same, and
 *  a pool of at most so many training rows is summed in one go. */
enum { ES_FOLD_BLOCK = 8192 };

/** Reads blocks of standardised rows, of either kind. One thread each. */
typedef struct es_fold_reader {
    const es_fold_data *data;
    double *buffer; /* for conversion; NULL when rows are kept */
    float *block;   /* (ES_FOLD_BLOCK, d) */
} es_fold_reader;

es_status es_fold_reader_init(es_fold_reader *reader, const es_fold_data *data, es_arena *arena,
                              es_error *err);
/** *out (count, d), count <= ES_FOLD_BLOCK: standardised rows from `start` of a part, until the
 * next call. */
es_status es_fold_reader_read(es_fold_reader *reader, es_part part, size_t start, size_t count,
                              es_run *run, const float **out, es_error *err);

/** Factor of one source on one fold: eigenvectors of its training covariance (or of the Gram matrix
 *  when it has more columns than training rows), shared over all targets and penalties. */
typedef struct es_ridge es_ridge;

/** `residuals`: what leave-one-out residuals need is prepared as well (kept rows only). Borrows
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
 * all the rest. Rows of both sides must be kept and the ridge be made for residuals. O(n rank dv).
 */
es_status es_ridge_whole(const es_ridge_result *fit, es_arena *arena, es_run *run,
                         es_ridge_rows *out, es_error *err);

#endif
