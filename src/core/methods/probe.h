/* Probes: how well does a plain model on top of an embedder predict what people said about the
 * rows? Cross-validated, so that every labelled row is predicted by a model that has not seen it.
 */
#ifndef EMBEDSCOPE_PROBE_H
#define EMBEDSCOPE_PROBE_H

#include "matrix.h"
#include "run.h"
#include "smoothness.h"

typedef enum es_probe_kind {
    ES_PROBE_LINEAR, /* classes: multinomial logistic regression; numbers: ridge regression */
    ES_PROBE_RIDGE,  /* ridge regression; of classes, on one column a class, the largest wins */
    ES_PROBE_KNN,    /* majority (ties: the smallest class number) or mean of the nearest rows */
    ES_PROBE_MLP,    /* one hidden layer (probe_mlp.h) */
    ES_PROBE_KINDS
} es_probe_kind;

typedef struct es_probe_rules {
    es_probe_kind kind;
    size_t folds;     /* 0: 5 */
    double penalty;   /* of squared weights, a row of the training part; 0: 1e-3 */
    size_t k;         /* neighbours; 0: 5 */
    es_metric metric; /* of neighbours */
    uint64_t seed;    /* of the folds: the same rows for every embedder */
} es_probe_rules;

typedef struct es_probe {
    size_t labelled, folds;
    double score;     /* classes: share of right answers; numbers: 1 - squared error / variance */
    double low, high; /* 95 % interval over rows: Wilson's, or of the mean squared error */
    double chance;    /* share of the most frequent class; 0 for numbers */
    double fold_sd;   /* standard deviation of the folds' scores */
} es_probe;

/** Columns are standardised on each training part. Folds are stratified by class. ES_EEMPTY: fewer
 *  than 2 labels a fold. ES_EINVAL: one class only; rows of task and matrix differ. Logistic: at
 *  most 200 steps of L-BFGS, each 4 rows * columns * classes operations. */
es_status es_probe_of(const es_matrix *m, const es_task *task, const es_probe_rules *rules,
                      const es_run *run, es_probe *out, es_error *err);

/** One split by hand: models of the rows in train (n_train) predict those in test (n_test). */
es_status es_probe_predict(const es_matrix *m, const es_task *task, const es_probe_rules *rules,
                           const uint32_t *train, size_t n_train, const uint32_t *test,
                           size_t n_test, const es_run *run, double *predicted, es_error *err);

#endif
