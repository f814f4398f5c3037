/* How an embedder fills its space: alignment and uniformity (Wang and Isola, ICML 2020), and how
 * many directions it uses. */
#ifndef EMBEDSCOPE_GEOMETRY_H
#define EMBEDSCOPE_GEOMETRY_H

#include "matrix.h"
#include "positives.h"
#include "run.h"

/** How many directions are used, from the covariance's eigenvalues w: 1..d, NaN when all rows are
 *  equal. */
typedef struct es_spread {
    double effective_rank; /* exp of the entropy of w / sum w (Roy and Vetterli 2007) */
    double participation;  /* (sum w)^2 / sum w^2 */
} es_spread;

es_status es_spread_of(const es_matrix *m, es_spread *out, es_error *err);

/** RankMe (Garrido et al., ICML 2023, eq. 3): exp of the entropy of p = s / sum s + 1e-7 for the
 *  singular values s of the rows as they are, neither centred nor cut at a rank. NaN when all are
 *  zero. O(n d min(n, d)), memory a copy of the matrix. */
es_status es_rankme_of(const es_matrix *m, double *out, es_error *err);

/** Mean squared distance of pairs, rows at length 1: 0..4, lower is better; NaN without pairs.
 * The cosine with a zero row is 0, its squared distance 2: *zeros is how many pairs have one. */
es_status es_alignment_of(const es_matrix *m, const es_positives *positives, double *out,
                          size_t *zeros, es_error *err);

typedef struct es_uniformity {
    double uniformity;  /* log mean exp(-2 |x - y|^2) over all pairs of rows at length 1, -8..0,
                           lower is better; 0: collapsed. With a zero row |x - y|^2 is 2 */
    double mean_cosine; /* of the same pairs, 0 with a zero row */
    size_t zero_rows;
    size_t sampled; /* pairs of rows behind uniformity, 0: all. More than 20,000 rows are sampled */
} es_uniformity;

/** ES_EEMPTY below two rows that are not zero. O(n^2 d), memory a copy of the matrix and 256 n
 *  doubles; beyond 20,000 rows O(n d), and 3 n doubles beside the matrix. */
es_status es_uniformity_of(const es_matrix *m, uint64_t seed, const es_run *run, es_uniformity *out,
                           es_error *err);

typedef struct es_geometry {
    double alignment; /* as above; NaN without pairs */
    size_t zero_pairs;
    es_uniformity pairs;
    es_spread spread;
} es_geometry;

/** All of these; positives NULL or empty: no alignment. */
es_status es_geometry_of(const es_matrix *m, const es_positives *positives, uint64_t seed,
                         const es_run *run, es_geometry *out, es_error *err);

#endif
