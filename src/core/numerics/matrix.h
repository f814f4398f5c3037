/* A dense matrix in double, row-major: an embedder as the measures take it, one row an item.
 * Values are finite. */
#ifndef EMBEDSCOPE_MATRIX_H
#define EMBEDSCOPE_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "estimator.h"
#include "embedscope/status.h"

typedef struct es_matrix {
    size_t n, d;
    double *x; /* (n, d) */
} es_matrix;

/** How rows are compared: by the cosine of their angle, or by Euclidean distance. */
typedef enum es_metric { ES_COSINE, ES_L2, ES_METRICS } es_metric;

/** Uninitialised (n, d); `free` with es_matrix_free. ES_ENOMEM. */
es_status es_matrix_new(size_t n, size_t d, es_matrix *out, es_error *err);
void es_matrix_free(es_matrix *m); /* leaves an empty matrix */

/** The listed rows (count) of an embedder; rows NULL: its first `count` rows. */
es_status es_matrix_read(const es_rows *from, const uint32_t *rows, size_t count, es_matrix *out,
                         es_error *err);
/** The listed rows (count, each below m->n) of a matrix. */
es_status es_matrix_rows(const es_matrix *m, const uint32_t *rows, size_t count, es_matrix *out,
                         es_error *err);
/** A matrix as the rows of an embedder; it is borrowed. */
es_rows es_matrix_as_rows(const es_matrix *m);
/** A copy with the mean of every column taken off. mean (d) or NULL receives the means. */
es_status es_matrix_centred(const es_matrix *m, es_matrix *out, double *mean, es_error *err);

/** How many rows are all zero: their cosine with anything is 0 by definition. */
size_t es_matrix_zero_rows(const es_matrix *m);

/** `count` of n row numbers, ascending, drawn without replacement from the stream of (seed, n): the
 *  same sample for every embedder. count >= n gives all. rows (min(count, n)); ES_ENOMEM. */
es_status es_sample_rows(size_t n, size_t count, uint64_t seed, uint32_t *rows, es_error *err);

#endif
