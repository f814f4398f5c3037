/* Exact nearest neighbours of every row. */
#ifndef EMBEDSCOPE_NEAREST_H
#define EMBEDSCOPE_NEAREST_H

#include "matrix.h"
#include "run.h"

/** index (n, k): the k nearest other rows of each row, nearest first; rows at the same distance
 *  (within 1e-12, relative) by number, the lower first. distance (n, k) or NULL: Euclidean
 * distance, ascending; for ES_COSINE that of the rows at length 1, sqrt(2 - 2 cos). ES_EINVAL
 * unless 1 <= k < n. O(n^2 d), memory a copy of the matrix and 256 n doubles. */
es_status es_nearest(const es_matrix *m, es_metric metric, size_t k, const es_run *run,
                     uint32_t *index, double *distance, es_error *err);

#endif
