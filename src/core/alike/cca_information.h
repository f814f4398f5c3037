/* Mutual information of two embedders of the same rows as if they were jointly Gaussian: -1/2 sum
 * log(1 - rho_i^2) over their canonical correlations, in nats. Exact for Gaussians, symmetric,
 * without a ceiling; sees linear relations only. */
#ifndef ES_CORE_CCA_INFORMATION_H
#define ES_CORE_CCA_INFORMATION_H

#include <stdbool.h>

#include "matrix.h"
#include "run.h"
#include "stats.h"

typedef struct es_cca_rules {
    size_t axes;   /* at most so many principal axes of a side, and a tenth of the rows */
    double shrink; /* so much of the mean variance is added to each axis; >= 0 */
    bool raw;      /* columns keep their scales; otherwise their standard deviation is 1 */
} es_cca_rules;

/** What belongs to one embedder: its rows along its axes, every axis of length 1 after shrinking.
 *  Read-only once made. */
typedef struct es_cca_side {
    size_t n, axes; /* axes 0: all rows are equal */
    double shrink;
    double *x;       /* (n, axes) */
    double *stretch; /* (axes) standard deviation with shrinking over that without, >= 1 */
} es_cca_side;

typedef struct es_cca_information {
    es_stat value;    /* nats; undefined: one side is constant */
    double chance;    /* about what unrelated embedders get: axes times axes / (2 n) */
    double strongest; /* the first canonical correlation */
    size_t axes[2];
    bool linear_image; /* before shrinking one side is a linear map of the other; with shrink 0
                        * its correlations of 1 count as 1 - 1e-12 */
} es_cca_information;

/** ES_EINVAL: fewer than 20 rows. O(n d^2 + d^3). */
es_status es_cca_side_new(const es_matrix *m, const es_cca_rules *rules, const es_run *run,
                          es_cca_side **out, es_error *err);
void es_cca_side_free(es_cca_side *side);
size_t es_cca_side_bytes(const es_cca_side *side);

/** ES_EINVAL: sides of other rows, or shrunk otherwise. O(n axes^2). */
es_status es_cca_information_of(const es_cca_side *a, const es_cca_side *b, es_cca_information *out,
                                es_error *err);

#endif
