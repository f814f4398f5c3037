/* Families of embedders: communities of the directed graph whose weights are information
 * sufficiency.
 *
 * Louvain (Blondel et al., "Fast unfolding of communities in large networks", 2008) for directed
 * modularity (Leicht and Newman 2008; Dugue and Perez 2015) with resolution gamma:
 *     Q = sum over communities of  W_c / W - gamma Kout_c Kin_c / W^2
 * with W the weight of all edges, W_c inside c, K the sums of its members' outgoing and incoming
 * weights. The graph is complete with nearly equal weights, so Q is small and families are weak:
 * show Q, stability and `elsewhere` beside them. */
#ifndef EMBEDSCOPE_COMMUNITIES_H
#define EMBEDSCOPE_COMMUNITIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/stat.h"
#include "embedscope/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum es_weights {
    ES_WEIGHTS_RAW,   /* IS as it is */
    ES_WEIGHTS_MINMAX /* (IS - min) / (max - min) over the kept edges; where they are equal, 1,
                         except 0 */
} es_weights;

/** The resolution unless one is given: of the Tree, `tree`, `rank` and figures. The paper took 1.1
 *  for text and 1.0 for molecules. */
#define ES_LOUVAIN_RESOLUTION 1.0

/** Standard errors within which a value may as well be 0: of many pairs some are off by two. */
#define ES_EDGE_ERRORS 3.0

enum { ES_LOUVAIN_STARTS = 20, ES_LOUVAIN_RUNS = 200 };

typedef struct es_louvain {
    const double *is; /* (m, m); NaN: no edge. The diagonal is not used */
    const double *se; /* (m, m) standard errors: what is within ES_EDGE_ERRORS of them of 0 is no
                         edge, since any edge at all ties those who have no other; NaN: not known.
                         NULL: none is */
    size_t m;
    const uint32_t *order; /* (m) embedders in an order that does not depend on files, such as by
                              name; NULL: as numbered */
    double resolution;     /* 0: ES_LOUVAIN_RESOLUTION */
    es_weights weights;
    double threshold; /* edges with IS below it (nats per dimension) are left out; 0: none */
    unsigned starts;  /* seeded node orders of which the best Q counts; 0: 20 */
    unsigned runs;    /* single starts for stability; 0: 200; fewer than `starts`: no stability */
    uint64_t seed;
} es_louvain;

/** One community of the tree, or a part of one found at a lower level. */
typedef struct es_community {
    size_t parent;     /* position in the list; SIZE_MAX at level 0 */
    unsigned level;    /* 0: the communities; 1 ...: the finer ones they were merged from */
    uint32_t *members; /* (size) in canonical order */
    size_t size;
    double stability; /* share of runs in which exactly these were a community (at level 0: of the
                         final ones, below: of any level); NaN without runs */
} es_community;

typedef struct es_communities {
    size_t m;
    uint32_t *group; /* (m) community 0, 1, ...: largest first, then by first member */
    size_t groups;
    es_stat modularity; /* of `group`; "no edges" */
    double *elsewhere; /* (m) share of runs that put the embedder into another community, matched by
                      overlap; NaN without runs */
    double agreement;  /* share of runs with exactly this partition */
    es_community *list; /* (listed) level 0 in the order of `group`, then their parts */
    size_t listed;
    unsigned levels;       /* of the tree */
    size_t edges, missing; /* off-diagonal pairs used, not known (infinities included) */
    size_t negative, weak; /* clipped to 0 (no edge); below the threshold */
    size_t within;         /* above 0, but within their errors of it (no edge) */
} es_communities;

/** The best of `starts` seeded runs. A move needs a gain of more than 1e-12, so that ties cannot go
 *  round for ever; own weight of a merged node is no neighbour (the rule as NetworkX has it since
 *  its change 6630). Without any edge everyone is alone. O(runs * passes * m^2).
 *  ES_EINVAL: resolution negative or not finite, order not a permutation. */
es_status es_communities_new(const es_louvain *problem, const es_run *run, es_communities **out,
                             es_error *err);
void es_communities_free(es_communities *communities);

/** The same in portions, for a caller that has to answer in between: begin, step until nothing is
 *  left, finish, free. `is` and `order` are only read by begin. */
typedef struct es_communities_search es_communities_search;
es_status es_communities_begin(const es_louvain *problem, es_communities_search **out,
                               es_error *err);
/** At most `runs` more; *left: how many are still to do. One run: O(passes * m^2). */
es_status es_communities_step(es_communities_search *search, unsigned runs, const es_run *run,
                              unsigned *left, es_error *err);
/** Once, after the last step. ES_EINVAL: runs are left. */
es_status es_communities_finish(es_communities_search *search, es_communities **out, es_error *err);
void es_communities_search_free(es_communities_search *search);

/** Q of any partition under the problem's weights: group (m) below m. NaN without edges. */
es_status es_modularity(const es_louvain *problem, const uint32_t *group, double *out,
                        es_error *err);

/** The centre of a community, and how the community relates to the rest. */
typedef struct es_community_facts {
    size_t centre;   /* the member that covers most of the others on average; cover of a target: its
                        IS   over the target's IS with itself. SIZE_MAX: unknown, if members' own IS
                        is   missing or not above 0 */
    double covers;   /* that average */
    size_t cheapest; /* the member of fewest dimensions that covers at least 95 % of that; SIZE_MAX:
                        several do, and not all their dimensions are known */
    double cheapest_covers;
    double inside; /* mean IS between members, without self; NaN where nothing is known */
    double outgoing, incoming; /* mean IS from members to others, from others to members */
} es_community_facts;

/** members (size) indices below m; dim (m), 0 where unknown, or NULL; rank (m) breaks ties, 0 comes
 *  last. O(m size). */
void es_community_describe(const double *is, size_t m, const uint32_t *members, size_t size,
                           const size_t *dim, const uint32_t *rank, es_community_facts *out);

#ifdef __cplusplus
}
#endif
#endif
