/* Shared dimensions of embedders: how many of an embedder's dimensions other kinds of embedders
 * predict. Beside the score it says whether a lead comes from information or from width. */
#ifndef ES_CORE_SHARED_DIMENSIONS_H
#define ES_CORE_SHARED_DIMENSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "embedscope/status.h"

/** An embedder as its principal components: variances of the fitting rows, and both parts of the
 *  rows in these coordinates. */
typedef struct es_width_side {
    size_t components;
    const double *variance;    /* (components) */
    const float *train, *test; /* (n_train, components), (n_test, components) */
} es_width_side;

typedef struct es_width_problem {
    size_t m, n_train, n_test;
    size_t pool;            /* embedders in the pool, of which the room for components depends */
    const uint32_t *kind;   /* (m) */
    const uint32_t *family; /* (m) named families; NULL: none is named */
    const bool *votes;      /* (m) */
    /** The components of an embedder, valid until the next call. Called twice for each. */
    es_status (*side)(void *context, size_t embedder, es_run *run, es_width_side *out,
                      es_error *err);
    void *context;
} es_width_problem;

/** out (m): the sum, over an embedder's whitened components, of the R^2 (>= 0, on the test rows) of
 *  predicting them from the leading components of all that vote and are of another kind and
 *  family: at most min(64, 1024 / pool), at least 4, of each, divided by the root of its total
 *  variance; ridge penalty 0.003 of the trace. Without such embedders: the number of components.
 *  Joined components are kept in single precision, (n_train + n_test) rows of at most 1,024 or 4 m
 *  columns. ES_ENOMEM, ES_ECANCELED, and what `side` returns. */
es_status es_width_shared(const es_width_problem *problem, es_run *run, double *out, es_error *err);

#endif
