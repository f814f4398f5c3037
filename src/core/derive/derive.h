/* Embedders made from embedders by a linear map: what is done to vectors before they are compared
 * ("post-processing"), and derived members of a pool. Signs of axes are not fixed: no measure here
 * depends on them. */
#ifndef EMBEDSCOPE_DERIVE_H
#define EMBEDSCOPE_DERIVE_H

#include <stdint.h>

#include "matrix.h"

typedef enum es_derive_kind {
    ES_DERIVE_NONE,
    ES_DERIVE_CENTRE,    /* take the mean off */
    ES_DERIVE_NORMALISE, /* rows of length 1; zero rows stay */
    ES_DERIVE_ABTT,      /* centre, then take the k directions of most variance out ("all but the
                            top": Mu and Viswanath, ICLR 2018) */
    ES_DERIVE_PCR,       /* as ABTT without centring */
    ES_DERIVE_WHITEN,    /* centre, rotate to principal axes, divide by their standard deviation (Su
                            et al., "Whitening sentence representations", 2021); k = 0: all axes */
    ES_DERIVE_PCA,       /* centre, keep the k axes of most variance */
    ES_DERIVE_RANDOM,    /* k Gaussian projections, scaled to keep lengths on average */
    ES_DERIVE_KINDS
} es_derive_kind;

typedef struct es_derive {
    es_derive_kind kind;
    size_t k;
    uint64_t seed; /* of ES_DERIVE_RANDOM */
} es_derive;

/** "none", "centre", ... */
const char *es_derive_name(es_derive_kind kind);

/** What ES_DERIVE_ABTT and PCR ask of a matrix of so many directions with variance. ES_EINVAL: only
 *  rounding would be left. */
es_status es_derive_leaves(const es_derive *how, size_t rank, es_error *err);

/** `out` (n, d') from m (n, d): d' = d, or the axes kept. Whitening keeps axes with more than 1e-10
 *  of the largest variance, at most k, so no more than n - 1. ES_EINVAL: k is 0 where it is needed,
 * or above d, or not less than the directions with variance of which k are taken out. ES_EEMPTY: no
 * rows, or all rows are equal and nothing is left. O(n d min(n, d)). */
es_status es_derive_matrix(const es_matrix *m, const es_derive *how, es_matrix *out, es_error *err);

/** The columns of a, then those of b; same number of rows, else ES_EINVAL. */
es_status es_derive_concat(const es_matrix *a, const es_matrix *b, es_matrix *out, es_error *err);

#endif
