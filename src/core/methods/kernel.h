/* Kernels on documents whose dot products are known. */
#ifndef ES_CORE_KERNEL_H
#define ES_CORE_KERNEL_H

#include "matrix.h"
#include "queries.h"
#include "run.h"

/** On reduced vectors of k dimensions. Values of linear and polynomial kernels depend on the
 * embedder's scale: compare embedders by cosine or RBF. */
typedef enum es_kernel {
    ES_KERNEL_LINEAR,
    ES_KERNEL_COSINE, /* a zero vector has 0 with all */
    ES_KERNEL_POLY2,  /* (x.y / k + 1)^2 */
    ES_KERNEL_POLY3,  /* another power by the rules */
    ES_KERNEL_RBF,    /* exp(-|x - y|^2 / (2 s^2)), s the median distance of the documents */
    ES_KERNELS
} es_kernel;

const char *es_kernel_name(es_kernel kernel); /* "linear", "cosine", "poly2", "poly3", "rbf" */

/** From dot = x.y, xx = x.x and yy = y.y of vectors with `axes` numbers. sigma2 0: the RBF kernel
 * is
 *  1. power: of ES_KERNEL_POLY3. */
double es_kernel_of(es_kernel kind, double dot, double xx, double yy, double axes, double sigma2,
                    unsigned power);

/** s^2 of the RBF kernel from the squared distances d2 (count) of points: the squared median of the
 *  distances that are not 0; 0 without any. scratch (count) may be d2. */
double es_kernel_width_of(const double *d2, size_t count, double *scratch);

/** s^2 of the RBF kernel from the different documents of all queries (at most 2,000, by seed);
 *  *documents is how many. 0: they are one point. */
es_status es_kernel_width(const es_matrix *reduced, const es_query_set *queries, uint64_t seed,
                          const es_run *run, double *sigma2, size_t *documents, es_error *err);

#endif
