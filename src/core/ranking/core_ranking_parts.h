/* What the files of the ranking share: draws and kinds. */
#ifndef ES_CORE_RANKING_PARTS_H
#define ES_CORE_RANKING_PARTS_H

#include "base.h"
#include "embedscope/ranking.h"

/* The resampled scores behind the intervals of bootstrap.c. */

typedef struct es_draws {
    size_t m, n;   /* embedders, draws */
    double *score; /* (n, m) NaN where no voting target was drawn */
    es_resample resample;
    size_t
        *sample; /* (m) what was drawn for a source: families of its targets, targets or blocks */
    size_t without_rows;
} es_draws;

/** problem checked, its defaults filled in. */
es_status es_draws_new(const es_bootstrap *problem, const es_run *run, es_draws *out,
                       es_error *err);
void es_draws_free(es_draws *draws);

/* Who is compared in a ranking: embedders that share something with the others, copies, and kinds
 * of embedders. All three are read off the information matrix: is (m, m), rows are sources, nats
 * per target dimension, NaN for pairs that are not known. */

/** Connected components of the graph whose edges are pairs with IS > max(0.01, 4 standard errors),
 *  in either direction. se (m, m) or NULL: 0. component (m): numbered from 0, the largest first,
 *  equal ones by their first member. Returns the number of components; *largest (may be NULL): the
 *  size of component 0. O(m^2). */
size_t es_kinship_components(const double *is, const double *se, size_t m, uint32_t *component,
                             size_t *largest);

/** Linear copies: A and B predict each other, both ways, at least 0.95 times as well as themselves.
 *  first (m): the first embedder that i is a copy of, directly or through others; i if there is
 *  none. O(m^2). */
void es_kinship_copies(const double *is, size_t m, uint32_t *first);

/** The number of kinds that n embedders are sorted into: n below 6, else 5 to 16 by n. */
size_t es_kinship_number(size_t n);

/** Average linkage down to es_kinship_number kinds, of the distance
 *    d(A, B) = half (1 - mean of IS(A->B) / max_k IS(k->B) and the reverse, each within 0..1)
 *            + half (1 - correlation of the columns A and B, row and column means removed).
 *  Equal distances: the lowest numbers first. together (m) or NULL: embedders of the same number
 *  below m begin as one cluster, which counts as one embedder. kind (m): numbered from 0 by first
 *  member; *count: how many. ES_ENOMEM, ES_ECANCELED. O(m^3). */
es_status es_kinship_kinds(const double *is, size_t m, const uint32_t *together, const es_run *run,
                           uint32_t *kind, size_t *count, es_error *err);

#endif
