/* What communities and orders are found with. */
#ifndef ES_CORE_STRUCTURE_PARTS_H
#define ES_CORE_STRUCTURE_PARTS_H

#include "core_structure.h"

/* In which order to draw the leaves of a tree. */

/** order (m): an optimal leaf order of the tree for the distances (m, m); see core_structure.h.
 * ES_ECANCELED by `run`. */
es_status es_leaf_order(const es_merge *merge, const double *distance, size_t m, const es_run *run,
                        uint32_t *order, es_error *err);

/* One run of directed Louvain on a dense weighted graph. */

/** A directed graph without loops: all that modularity needs of it. */
typedef struct es_louvain_graph {
    size_t m;
    double *weight;   /* (m, m) >= 0, zero diagonal */
    double *both;     /* (m, m) weight plus its transpose */
    double *out, *in; /* (m) sums of rows, of columns */
    double total;     /* of all weights */
} es_louvain_graph;

/** Fills both, out, in and total from weight. */
void es_louvain_graph_finish(es_louvain_graph *graph);

/** Scratch and result of runs on graphs of m nodes; reused from run to run. */
typedef struct es_louvain_run {
    size_t m;
    unsigned levels;
    uint32_t *level; /* (m, m): row l: community of each node after level l, 0 = finest */
    double *block;
    double *both, *next;      /* (m, m) graphs of merged nodes, as above */
    double *out, *in;         /* (m) strengths of merged nodes */
    double *sum_out, *sum_in; /* (m) of communities */
    double *links;            /* (m) weight between a node and each community, both directions */
    uint32_t *community, *visit, *number;
} es_louvain_run;

es_status es_louvain_run_init(es_louvain_run *run, size_t m, es_error *err);
void es_louvain_run_deinit(es_louvain_run *run);

/** graph->total > 0. ES_ECANCELED, by `cancel`, which is looked at within a millisecond. */
es_status es_louvain_run_once(es_louvain_run *run, const es_louvain_graph *graph, double resolution,
                              es_rng *rng, const es_run *cancel, es_error *err);

/** Directed modularity of group (m), numbers below m. scratch (2 m). */
double es_louvain_quality(const es_louvain_graph *graph, double resolution, const uint32_t *group,
                          double *scratch);

/* Hierarchies of partitions, as Louvain leaves them: their tree, and how often runs agree. All
 * nodes are numbered in canonical order here. */

/** level (levels, m): community of each node, finest first; owned. */
typedef struct es_partition {
    size_t m;
    unsigned levels;
    uint32_t *level;
} es_partition;

/** Fills out->group, groups, list, listed and levels, all in canonical numbers: members[] are
 * places, group is by place. */
es_status es_partition_tree(const es_partition *partition, es_communities *out, es_error *err);

/** Fills stability, elsewhere (by place) and agreement from runs (n). */
es_status es_partition_stability(const es_partition *runs, size_t n, es_communities *out,
                                 es_error *err);

#endif
