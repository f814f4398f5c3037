/* Spearman's correlation of two rankings whose embedders come in families. */
#ifndef ES_CORE_INDEPENDENT_H
#define ES_CORE_INDEPENDENT_H

#include <stdbool.h>
#include <stdint.h>

#include "embedscope/stat.h"

/** Everything is NaN if rho is undefined. */
typedef struct es_independent {
    es_stat rho;        /* undefined: "n < 3", "constant" */
    size_t n, families; /* embedders with both values, and families among them */
    double effective;   /* number of independent embedders that these count as; 1 .. n */
    double p;           /* two-sided: that rho is 0 */
    double low, high;   /* interval of rho */
} es_independent;

/** Computes Spearman's rho of x and y (n), NaN missing, and how sure it is. family (n): equal
 *  numbers belong together; NULL: each embedder is its own family. level: of the interval, such as
 *  0.95.
 *
 *  Let P and Q be the centred correlation matrices of the embedders in the two rankings: 1 on the
 *  diagonal, the intraclass correlation of the ranks (one-way analysis of variance, within 0 .. 1)
 *  inside a family. Then effective = min(n, 1 + tr(P) tr(Q) / tr(PQ)) (Clifford, Richardson and
 *  Hemon 1989). p is of Student's t with effective - 2 degrees of freedom (at least 1), the
 *  interval Fisher's, with the standard error sqrt((1 + rho^2 / 2) / (effective - 3)) of Bonett and
 *  Wright (2000); effective - 3 is at least 1. O(n log n). ES_ENOMEM. */
es_status es_independent_spearman(const double *x, const double *y, const uint32_t *family,
                                  size_t n, double level, es_independent *out, es_error *err);

/** Numbers the families of the embedders with keep[i] (NULL: all) from 0 in `out` (n; others
 *  UINT32_MAX), in the order of their first embedder. Returns how many there are. O(n^2). */
size_t es_independent_families(const uint32_t *family, const bool *keep, size_t n, uint32_t *out);

#endif
