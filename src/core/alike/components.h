/* Independent components of an embedder, and how far those of two embedders are apart. */
#ifndef ES_CORE_COMPONENTS_H
#define ES_CORE_COMPONENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix.h"
#include "run.h"
#include "stats.h"

typedef struct es_ica_rules {
    size_t components; /* at most; fewer where the embedder has a lower rank */
    unsigned steps;    /* at most */
    uint64_t seed;     /* of how the starts of repeated searches are moved */
} es_ica_rules;

/** An embedder's components. */
typedef struct es_ica_side {
    size_t n, k;
    double *s; /* (k, n) mean 0, variance 1, uncorrelated */
    unsigned steps;
    bool converged;
    double repeat; /* mean |correlation| with the components found from starts 1e-9 apart, least */
    double halves; /* the same of those found in the even rows alone and in the odd ones */
} es_ica_side;

/** FastICA (Hyvarinen 1999, symmetric, contrast log cosh) of the centred rows along their leading
 *  principal axes, in half steps. Starts at the components of fourth-order blind identification
 *  (Cardoso 1989: eigenvectors of the mean of |x|^2 x x^T, x whitened), so that nothing is drawn
 * and turning an embedder turns the start along; ends when every direction has a cosine above 1 -
 * 1e-8 with the one before. k is 0 where all rows are equal. It is searched three more times from
 *  starts 1e-9 apart: on heavy tails FastICA has several places to rest, and rounding may decide
 *  for one; and in the even and the odd rows alone, which tell whether there are components beyond
 *  those of these rows. ES_EINVAL: fewer than 4 rows. O(n d min(n, d) + steps n k^2). */
es_status es_ica_side_new(const es_matrix *m, const es_ica_rules *rules, const es_run *run,
                          es_ica_side **out, es_error *err);
void es_ica_side_free(es_ica_side *side); /* NULL is allowed */
size_t es_ica_side_bytes(const es_ica_side *side);

typedef struct es_ica_gap {
    es_stat gap;       /* mean |a - b| over rows and matched components, in standard deviations: 0
                          alike, 2 / sqrt(pi) for unrelated normal ones */
    es_stat retention; /* mean |correlation| of matched components, 0 to 1 */
    size_t matched;
    bool converged; /* on both sides */
    double repeat;  /* the lower of the two sides'; 1: the components are determined */
    double halves;  /* the lower of the two sides' */
} es_ica_gap;

/** Components are matched one to one so that their absolute correlations add up to the most, and
 *  turned to agree in sign; of the side that has more, those that are left over do not count.
 *  O(n k^2 + k^3). ES_EINVAL: other rows. */
es_status es_ica_gap_of(const es_ica_side *a, const es_ica_side *b, const es_run *run,
                        es_ica_gap *out, es_error *err);

#endif
