/* Families of embedders: communities of the graph of what can be simulated. */
#ifndef ES_REPORT_FAMILIES_H
#define ES_REPORT_FAMILIES_H

#include <stdbool.h>
#include <stdint.h>

#include "embedscope/communities.h"
#include "engine_results.h"

/** How communities are looked for; all zero bytes are the defaults (es_louvain). */
typedef struct es_family_choices {
    double resolution; /* 0: 1 */
    es_weights weights;
    double threshold;
    unsigned runs; /* of stability; 0: the usual number */
    uint64_t seed;
} es_family_choices;

/** The problem that core solves, for who solves it piece by piece; order (m) by name, or NULL where
 *  results are in that order. */
es_louvain es_families_problem(const es_results *results, const es_family_choices *how,
                               const uint32_t *order);

/** es_communities_new over results, in the order of names. */
es_status es_families_new(const es_results *results, const es_family_choices *how,
                          es_communities **out, es_error *err);

/** Communities of one run at this resolution (0: 1): group (m) gets 0, 1, ... largest first. *known
 * is false where lower values are better, which is no weight of an edge. */
es_status es_families_group(const es_results *results, double resolution, uint64_t seed,
                            uint32_t *group, bool *known, es_error *err);

#endif
