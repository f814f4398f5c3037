/* The orders in which matrices and lists show embedders. */
#ifndef EMBEDSCOPE_ORDER_H
#define EMBEDSCOPE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

typedef enum es_order_kind {
    ES_ORDER_NAME,      /* natural: e5-2 before e5-10 */
    ES_ORDER_RANK,      /* best first */
    ES_ORDER_DIM,       /* fewest dimensions first, then by rank */
    ES_ORDER_COMMUNITY, /* largest community first (then the one with the best member), by rank
                           inside */
    ES_ORDER_CLUSTER    /* leaves of a dendrogram from left to right */
} es_order_kind;

/** What the kinds need; the others may be NULL. Without `name`, ties keep the numbering. */
typedef struct es_order_keys {
    size_t m;
    const char *const *name;
    const uint32_t *rank; /* as es_ranking: 0 (no score) comes last */
    const size_t *dim;
    const uint32_t *group;  /* community of each, below m */
    const uint32_t *leaves; /* es_linkage.order */
} es_order_keys;

/** order (m): position -> embedder. What is missing for the kind is left out of the comparison;
 * ties fall to the rank, then to the natural order of names, then to the number. O(m^2). */
es_status es_order_make(es_order_kind kind, const es_order_keys *keys, uint32_t *order,
                        es_error *err);

#endif
