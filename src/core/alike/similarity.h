/* How alike two embedders of the same rows are, without labels: the measures that people know from
 * the literature on representations. What belongs to one embedder alone is prepared once (a
 * "side"), so that a pair costs little. Columns have their mean taken off, save where noted. */
#ifndef EMBEDSCOPE_SIMILARITY_H
#define EMBEDSCOPE_SIMILARITY_H

#include <stdbool.h>

#include "side.h"
#include "stats.h"

/* In all of these both sides have the same rows and rules, else ES_EINVAL; undefined values have a
 * reason ("constant": all rows of an embedder are equal). */

extern const char ES_WHY_NO_SPREAD[]; /* "no spread beyond chance", of an unbiased estimate */

/** Linear CKA (Kornblith et al., ICML 2019), 0..1. debiased: with the unbiased estimate of HSIC in
 *  feature space (Song et al. 2012), about 0 for unrelated embedders also when they have more
 *  columns than rows; may be negative. Needs CENTRED. The plain twin of cka.h. */
es_status es_cka(const es_side *a, const es_side *b, bool debiased, es_stat *out, es_error *err);

/** CKA (biased) with the kernel exp(-|x - y|^2 / (2 s^2)), s^2 the median of all squared distances,
 * a row's with itself included. Needs KERNEL. */
es_status es_cka_rbf(const es_side *a, const es_side *b, es_stat *out, es_error *err);

/** 2 - 2 |A^T B|_* with both scaled to length 1: squared distance after the best rotation (Williams
 *  et al., NeurIPS 2021), 0..2, lower is more alike. Needs CENTRED. */
es_status es_procrustes(const es_side *a, const es_side *b, es_stat *out, es_error *err);

/** Share of b's variance that a linear map of a explains, 0..1, not symmetric. Of unrelated
 * embedders it is about rank(a) / (n - 1). Needs FACTORS of a and CENTRED of b. */
es_status es_linear_r2(const es_side *a, const es_side *b, es_stat *out, es_error *err);

/** What is asked of canonical correlations. PWCCA needs LOADINGS of a. */
typedef enum es_cca_part { ES_CCA_MEAN = 1, ES_CCA_SVCCA = 2, ES_CCA_PWCCA = 4 } es_cca_part;

typedef struct es_cca {
    es_stat mean;        /* mean canonical correlation */
    es_stat mean_square; /* of the squared ones */
    es_stat
        svcca; /* the same inside the directions with 99 % of the variance (Raghu et al. 2017) */
    es_stat
        pwcca; /* weighted by what the directions mean for a (Morcos et al. 2018): not symmetric */
    size_t rank[2];  /* directions with more than 1e-5 of the largest singular value */
    size_t kept[2];  /* of which svcca uses these */
    bool unreliable; /* n <= d1 + d2: near 1 whatever the embedders are */
} es_cca;

/** `parts`: es_cca_part bits; the other values are undefined ("not asked for"). Where one side's
 *  directions are all that centred rows have (n - 1), every correlation is exactly 1 and none is
 *  computed. Needs FACTORS. O(rank^3). */
es_status es_cca_of(const es_side *a, const es_side *b, unsigned parts, es_cca *out, es_error *err);

/** Representational similarity: Spearman's correlation of all distances between rows (Kriegeskorte
 * et al. 2008). Needs DISTANCES. */
es_status es_rsa(const es_side *a, const es_side *b, es_stat *out, es_error *err);

/** Two-sided p of a Mantel test (Mantel 1967): how often es_rsa is as far from 0 when the rows of
 * one side are shuffled, (1 + that) / (1 + permutations). The same shuffles for all pairs, by seed;
 * their number is made even, as each is used for either side. Needs DISTANCES. O(permutations n^2).
 */
es_status es_mantel(const es_side *a, const es_side *b, size_t permutations, uint64_t seed,
                    es_stat *out, es_error *err);

typedef struct es_overlap {
    double mutual, jaccard; /* means over rows of |A n B| / k and |A n B| / |A u B| */
    double chance;          /* k / (n - 1), what mutual is for unrelated embedders */
} es_overlap;

/** Shared nearest neighbours. per_row (n) or NULL: shared neighbours of each row, 0..k. Needs
 *  NEIGHBOURS. */
es_status es_neighbour_overlap(const es_side *a, const es_side *b, uint32_t *per_row,
                               es_overlap *out, es_error *err);

#endif
