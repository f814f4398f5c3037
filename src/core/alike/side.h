/* A side of a comparison: what the measures of similarity.h need of one embedder, prepared once and
 * shared by all its pairs. */
#ifndef ES_CORE_SIDE_H
#define ES_CORE_SIDE_H

#include "matrix.h"
#include "run.h"

/** What a side holds; the functions below say which they need. */
typedef enum es_side_part {
    ES_SIDE_CENTRED = 1,    /* n min(n, d) doubles */
    ES_SIDE_FACTORS = 2,    /* left singular vectors, n min(n, d) doubles */
    ES_SIDE_DISTANCES = 4,  /* ranks of all distances, n^2 / 2 floats, of at most 3,000 rows */
    ES_SIDE_NEIGHBOURS = 8, /* the nearest rows */
    ES_SIDE_KERNEL = 16,    /* centred RBF kernel, n^2 / 2 doubles, of at most 3,000 rows */
    ES_SIDE_LOADINGS = 32,  /* with FACTORS: min(n, d) d doubles */
    /* Cheaper forms where columns are as many as rows; what they stand for otherwise. */
    ES_SIDE_GRAM = 64,  /* products of all rows in place of CENTRED, n^2 / 2 doubles */
    ES_SIDE_SPAN = 128, /* with FACTORS: none where the rows span all they can, n - 1 directions */
    ES_SIDE_LEADING = 256 /* in place of FACTORS: those with 99 % of the variance alone */
} es_side_part;

typedef enum es_distance_kind { ES_DISTANCE_L2, ES_DISTANCE_PEARSON } es_distance_kind;

typedef struct es_side_rules {
    unsigned parts;
    es_distance_kind distance; /* of DISTANCES: Euclidean, or 1 - Pearson's r of two raw rows */
    es_metric metric;          /* of NEIGHBOURS */
    size_t k;                  /* of NEIGHBOURS; 0: 10 */
    uint64_t seed;             /* of the sample of DISTANCES and KERNEL */
} es_side_rules;

typedef struct es_side {
    size_t n, d;
    es_side_rules rules;
    es_matrix x;            /* (n, min(n, d)) centred rows, up to a rotation; for CENTRED */
    double *gram;           /* products of centred rows, j <= i, row by row; for GRAM, else NULL */
    double *norm2, length2; /* (n) squared lengths of the rows, and their sum */
    double self[2];         /* HSIC with itself: biased, debiased */
    size_t rank, kept;      /* singular values above 1e-5 of the largest; with 99 % of variance */
    size_t factors;         /* width of u: min(n, d), or kept, or 0 (see SPAN) */
    double *u, *s;          /* (n, factors), (factors) */
    double *loadings;       /* (factors, d) U^T A = diag(s) V^T; for LOADINGS */
    size_t distances;       /* count */
    float *distance_rank;   /* (distances) mid-ranks: halves below 2^23 are exact */
    size_t kernels;         /* count: rows (rows + 1) / 2 */
    double *kernel;         /* (kernels) j <= i, row by row */
    double kernel2;         /* sum of squares over the whole square */
    size_t k;
    uint32_t *neighbour; /* (n, k), ascending in each row */
    size_t by_number;    /* rows of which another is as far as the last of them */
} es_side;

/** ES_EINVAL: fewer than 4 rows, or no more rows than neighbours. */
es_status es_side_new(const es_matrix *m, const es_side_rules *rules, const es_run *run,
                      es_side **out, es_error *err);
void es_side_free(es_side *side);
/** out (n, n): the products of a side that has them. */
void es_side_products(const es_side *side, double *out);
size_t es_side_bytes(const es_side *side);

#endif
