/* What is prepared once for an embedder; see similarity.h. */
#ifndef ES_CORE_SIDE_H
#define ES_CORE_SIDE_H

#include "similarity.h"

struct es_side {
    size_t n, d;
    es_side_rules rules;
    es_matrix x;            /* (n, d) centred; kept for CENTRED */
    double *norm2, length2; /* (n) squared lengths of the rows, and their sum */
    double self[2];         /* HSIC with itself: biased, debiased */
    size_t rank, kept;      /* singular values above 1e-5 of the largest; with 99 % of variance */
    size_t factors;         /* min(n, d): width of u */
    double *u, *s, *vt;     /* (n, factors), (factors), (factors, d) */
    size_t distances;       /* count */
    float *distance_rank;   /* (distances) mid-ranks: halves below 2^23 are exact */
    size_t kernels;         /* count: rows (rows + 1) / 2 */
    double *kernel;         /* (kernels) j <= i, row by row */
    double kernel2;         /* sum of squares over the whole square */
    size_t k;
    uint32_t *neighbour; /* (n, k), ascending in each row */
};

#endif
