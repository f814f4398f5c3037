/* Hierarchies of partitions, as Louvain leaves them: their tree, and how often runs agree. All
 * nodes are numbered in canonical order here. */
#ifndef ES_CORE_PARTITION_H
#define ES_CORE_PARTITION_H

#include <stddef.h>
#include <stdint.h>

#include "embedscope/communities.h"

/** level (levels, m): community of each node, finest first; owned. */
typedef struct es_partition {
    size_t m;
    unsigned levels;
    uint32_t *level;
} es_partition;

/** Fills out->group, groups, list, listed and levels, all in canonical numbers: members[] are
 * places, group is by place. */
es_status es_partition_tree(const es_partition *partition, es_communities *out, es_error *err);

/** Fills stability, doubt (by place) and agreement from runs (n). */
es_status es_partition_stability(const es_partition *runs, size_t n, es_communities *out,
                                 es_error *err);

#endif
