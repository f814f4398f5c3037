/* Exact nearest neighbours of every row. */
#ifndef EMBEDSCOPE_NEAREST_H
#define EMBEDSCOPE_NEAREST_H

#include "matrix.h"
#include "run.h"
#include "space.h"

/** What is wanted of the k nearest other rows of each of n; each (n, k) or NULL. */
typedef struct es_neighbours {
    uint32_t *index;  /* nearest first; rows at the same distance (es_space_tied) by number */
    double *distance; /* Euclidean, ascending; for ES_COSINE of rows at length 1, sqrt(2 - 2 cos) */
    bool *tied;       /* whether the next one, beyond the last too, is at the same distance, so that
                         row numbers decided which came first */
} es_neighbours;

/** ES_EINVAL unless 1 <= k < n. O(n^2 d), memory a copy of the matrix and 256 n doubles. */
es_status es_nearest(const es_matrix *m, es_metric metric, size_t k, const es_run *run,
                     const es_neighbours *out, es_error *err);

/** Of one point: its approximate squared distances d2 (n, es_space_block) to all points, of which
 *  `allowed` (n; NULL: all but itself) may be found. *k is how many are wanted and becomes how many
 *  there are; list (n): the nearest first, equal ones by number, with exact distances. Returns how
 *  many are in the list: behind the k-th at least those that are as far. copy (n): scratch. */
size_t es_nearest_of(const es_space *space, size_t i, const bool *allowed, const double *d2,
                     size_t *k, es_near *list, double *copy);

#endif
