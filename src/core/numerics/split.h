/* How rows are divided into training, validation and test, once per pool by seed. */
#ifndef EMBEDSCOPE_SPLIT_H
#define EMBEDSCOPE_SPLIT_H

#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

/** One fold: three disjoint sorted lists of row indices. */
typedef struct es_fold {
    uint32_t *train, *val, *test;
    size_t n_train, n_val, n_test;
} es_fold;

typedef struct es_split {
    size_t n;       /* rows */
    size_t n_folds; /* 1: one held-out fifth; K: every row is held out once */
    es_fold *folds; /* (n_folds) */
    uint32_t *eval; /* (n_eval) rows that get a held-out value, ascending */
    size_t n_eval;
} es_split;

enum { ES_SPLIT_CROSS_BELOW = 1000, ES_SPLIT_CROSS_FOLDS = 5, ES_SPLIT_MIN_ROWS = 20 };

/** Split n rows. folds 0: automatic (5-fold cross-fitting below 1,000 rows, else one 70/10/20
 * split); folds 1: one 70/10/20 split; folds K >= 2: each fold tests 1/K of the rows, validates on
 * 1/8 of the others and trains on the rest. Depends on (n, seed, folds) only. ES_EINVAL: fewer than
 * ES_SPLIT_MIN_ROWS rows, or more folds than a tenth of the rows. */
es_status es_split_new(size_t n, uint64_t seed, size_t folds, es_split **out, es_error *err);
/** Place among the evaluated rows of test row i of a fold. */
size_t es_split_place(const es_split *split, size_t fold, size_t i);
void es_split_free(es_split *split);

#endif
