/* Exact nearest neighbours of every row. */
#ifndef EMBEDSCOPE_NEAREST_H
#define EMBEDSCOPE_NEAREST_H

#include "matrix.h"
#include "run.h"
#include "space.h"

/** index (n, k): the k nearest other rows of each row, nearest first; rows at the same distance
 *  (within 1e-12, relative) by number, the lower first. distance (n, k) or NULL: Euclidean
 * distance, ascending; for ES_COSINE that of the rows at length 1, sqrt(2 - 2 cos). ES_EINVAL
 * unless 1 <= k < n. O(n^2 d), memory a copy of the matrix and 256 n doubles. */
es_status es_nearest(const es_matrix *m, es_metric metric, size_t k, const es_run *run,
                     uint32_t *index, double *distance, es_error *err);

/** Of one point: its approximate squared distances d2 (n, es_space_block) to all points, of which
 *  `allowed` (n; NULL: all but itself) may be found. *k is how many are wanted and becomes how many
 *  there are; list (n): the nearest first, equal ones by number, with exact distances. copy (n):
 *  scratch. */
void es_nearest_of(const es_space *space, size_t i, const bool *allowed, const double *d2,
                   size_t *k, es_near *list, double *copy);

#endif
