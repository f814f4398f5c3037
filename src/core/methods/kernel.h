/* The kernels of retmmd.h on documents whose dot products are known. */
#ifndef ES_CORE_KERNEL_H
#define ES_CORE_KERNEL_H

#include "retmmd.h"

/** From dot = x.y, xx = x.x and yy = y.y of vectors with `axes` numbers. sigma2 0: the RBF kernel
 * is
 *  1. power: of ES_KERNEL_POLY3. */
double es_kernel_of(es_kernel kind, double dot, double xx, double yy, double axes, double sigma2,
                    unsigned power);

/** s^2 of the RBF kernel from the different documents of all queries (at most 2,000, by seed);
 *  *documents is how many. 0: they are one point. */
es_status es_kernel_width(const es_matrix *reduced, const es_query_set *queries, uint64_t seed,
                          const es_run *run, double *sigma2, size_t *documents, es_error *err);

#endif
