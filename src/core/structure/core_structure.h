/* What a matrix looks like: communities, dendrograms, orders, cover, layout, maps. */
#ifndef ES_CORE_STRUCTURE_H
#define ES_CORE_STRUCTURE_H

#include "core_numerics.h"
#include "embedscope/communities.h"

/* The cheapest one-to-one match of two sets of the same size. */

/** match (n): the column of each row of cost (n, n), so that the sum is smallest. Exact, by
 * shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987), O(n^3). */
es_status es_assign(const double *cost, size_t n, const es_run *run, uint32_t *match,
                    es_error *err);

/* How much the members of communities simulate of each other, on average. */

/** Means over the known is(i, j), i a member of one and j of the other, without self; NaN where
 *  nothing is known. is (m, m); inside (listed) of each with itself, between (groups, groups) from
 *  row to column at level 0. O(levels m^2). ES_ENOMEM. */
es_status es_communities_means(const double *is, const es_communities *found, double *inside,
                               double *between, es_error *err);
/** From the members of `group` to those of every listed one, and back: to, from (listed). Only what
 *  shares no member with it makes sense. O(m size). ES_ENOMEM. */
es_status es_community_means_of(const double *is, const es_communities *found, size_t group,
                                double *to, double *from, es_error *err);

/* How much of a target a source can simulate, as a share of what can be had. */

/** Returns the IS of target j with itself, of which others can predict a share. NaN where that is
 * missing or not above 0: then no share of j is known. */
double es_cover_ceiling(const double *is, size_t m, size_t j);

/** is(i, j) over that ceiling, held between 0 and 1; an embedder covers itself entirely. NaN when
 * either is not known. */
double es_cover(const double *is, size_t m, size_t i, size_t j);
/** The same for two different embedders whose IS and ceiling are at hand. */
double es_cover_under(double is, double ceiling);

/* Where to draw the embedders as a graph: those that simulate each other well come close.
 *
 * A force layout (Fruchterman and Reingold, "Graph drawing by force-directed placement", 1991):
 * all nodes repel each other, each pair attracts by its affinity. In portions, so that a program
 * can draw in between; the result depends on affinities and seed only, never on the portions. */

/** Strength of each pair of embedders as the share of known pairs that are weaker or equal, in
 *  (0, 1]: is (m, m) as in engine_results.h, strength (m, m) symmetric. A pair's value is the mean
 * of its known directions; NaN where neither is known and on the diagonal. *pairs: how many are
 * known. Equal values share the mean of their places. run (or NULL) is asked: ES_ECANCELED. O(m^2
 * log m).
 */
es_status es_pair_strength(const double *is, size_t m, const es_run *run, double *strength,
                           size_t *pairs, es_error *err);

enum { ES_FORCE_STEPS = 240 };

typedef struct es_force {
    size_t m;
    unsigned step;   /* of ES_FORCE_STEPS */
    double *x, *y;   /* (m) about 0; any scale */
    double *pull;    /* (m, m) */
    double *dx, *dy; /* (m) scratch */
    /* of es_force_of: */
    size_t pairs; /* that are known */
    struct es_force_edge {
        uint32_t a, b; /* a < b */
    } * edge;          /* (edges) to be drawn, by a, then b */
    size_t edges;
} es_force;

/** Nodes on seeded places. strength (m, m) as above, copied; NaN does not attract. */
es_status es_force_new(const double *strength, size_t m, uint64_t seed, es_force **out,
                       es_error *err);
/** The same of a matrix is (m, m) by es_pair_strength, with the pairs to be drawn: the strongest,
 *  two a node or, of more than 60 nodes, one. Of those that are tied at the end either all are
 * drawn or none. */
es_status es_force_of(const double *is, size_t m, uint64_t seed, const es_run *run, es_force **out,
                      es_error *err);
/** Continues from these places (m), half cooled, so that nodes do not move far. */
void es_force_go_on(es_force *force, const double *x, const double *y);
void es_force_free(es_force *force);
/** Up to `steps` more; returns how many are left of ES_FORCE_STEPS. O(steps m^2). */
unsigned es_force_move(es_force *force, unsigned steps);

/* A tree of embedders as the list of its merges. */

/** One merge: clusters below m are embedders, m + k is the k-th merge; a < b. */
typedef struct es_merge {
    uint32_t a, b;
    double height;
    uint32_t size;
} es_merge;

/* Dendrograms of embedders: agglomerative clustering of the matrix's rows or columns, as SciPy's
 * linkage numbers and computes it, and the leaf order that puts neighbours together. */

typedef enum es_linkage_method {
    ES_LINKAGE_WARD,
    ES_LINKAGE_AVERAGE,
    ES_LINKAGE_COMPLETE,
    ES_LINKAGE_SINGLE,
    ES_LINKAGE_MEDIAN /* heights may go down again (inversions), as in SciPy */
} es_linkage_method;

typedef enum es_linkage_of {
    ES_LINKAGE_SOURCES, /* observations are rows */
    ES_LINKAGE_TARGETS  /* observations are columns */
} es_linkage_of;

/** The diagonal is far larger than the rest and decides much; the paper's figures differ in it. */
typedef enum es_diagonal {
    ES_DIAGONAL_KEEP,   /* text figure */
    ES_DIAGONAL_MAX,    /* replaced by the largest known entry of the matrix: molecule figure */
    ES_DIAGONAL_MISSING /* left out of the distances */
} es_diagonal;

typedef struct es_linkage {
    size_t m;
    es_merge *merge; /* (m - 1), none for m < 2 */
    uint32_t *order; /* (m) leaves from left to right, optimal: see below */
    size_t filled; /* distances that had no coordinate in common and were set to the largest one */
} es_linkage;

/** Euclidean distances between observations. Missing entries (and infinities): the squared distance
 *  over the coordinates that both have is scaled up by m / their number; without any, the distance
 * is the largest known one and counted (1 when none is known).
 *
 *  Methods update distances by Lance and Williams' formulas: the nearest-neighbour chain for ward,
 *  average, complete; the minimum spanning tree for single; for median the closest pair of all
 *  (Muellner, "Modern hierarchical, agglomerative clustering algorithms", 2011). Equal heights may
 * be merged in another order than SciPy's for median.
 *
 *  Leaf order: of all 2^(m-1) that the tree allows, one with the least sum of distances between
 *  neighbours (Bar-Joseph et al., "Fast optimal leaf ordering", 2001), turned so that the smaller
 * of the two end leaves comes first. O(m^3) time, O(m^2) memory. Results follow the embedders'
 * numbering only in ties. ES_ENONFINITE: values so large that distances have no square.
 *  ES_ECANCELED by `run`, or NULL. */
es_status es_linkage_new(const double *is, size_t m, es_linkage_method method, es_linkage_of of,
                         es_diagonal diagonal, const es_run *run, es_linkage **out, es_error *err);
/** The same for observations of any kind: rows (m, length), NaN where missing. */
es_status es_linkage_of_rows(const double *rows, size_t m, size_t length, es_linkage_method method,
                             const es_run *run, es_linkage **out, es_error *err);
/** The same from distances (m, m), symmetric and 0 on the diagonal; NaN where not known, which
 *  counts as the largest one. */
es_status es_linkage_of_distances(const double *distance, size_t m, es_linkage_method method,
                                  const es_run *run, es_linkage **out, es_error *err);
/** Computes the dendrogram of the order `cluster`, for every surface: average linkage of the rows
 * of is (m, m) without the diagonal, which is so much larger than the rest that it alone would
 *  decide. Errors as above. */
es_status es_linkage_cluster(const double *is, size_t m, const es_run *run, es_linkage **out,
                             es_error *err);
void es_linkage_free(es_linkage *linkage);

/* The orders in which matrices and lists show embedders. */

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
    const uint32_t *group;  /* community of each, by any numbers */
    const uint32_t *leaves; /* es_linkage.order */
} es_order_keys;

/** order (m): position -> embedder. What is missing for the kind is left out of the comparison;
 * ties fall to the rank, then to the natural order of names, then to the number. O(m), and O(m^2)
 * for names in no order. */
es_status es_order_make(es_order_kind kind, const es_order_keys *keys, uint32_t *order,
                        es_error *err);

/* Checks shared by the analyses. */

/** ES_EINVAL unless order (m) is NULL or a permutation of 0..m-1. */
es_status es_order_check(const uint32_t *order, size_t m, es_error *err);

/* The rows of an embedder on a plane: their first two principal components (Darrin et al. 2024,
 * Figures 18 and 19, colour rows in such pictures by what captures them). */

typedef struct es_row_map {
    size_t n;
    double *x, *y;   /* (n) along the first and the second axis; 0 where there is none */
    double share[2]; /* of the variance; NaN: there is none */
} es_row_map;

/** Of the rows, centred. The largest entry of each axis is positive, so that the same rows give the
 *  same picture. ES_EINVAL: fewer than 2 rows; es_pca_new's errors. */
es_status es_row_map_new(const es_matrix *rows, es_row_map *out, es_error *err);
void es_row_map_free(es_row_map *map);

/* The cheapest way to carry equal masses from one set of points to another of another size. */

/** *mean: the smallest sum of share_ij cost_ij where every row of cost (n, m) gives 1/n and every
 *  column takes 1/m: Wasserstein's distance of two samples, whatever their sizes. Exact, by
 * shortest augmenting paths over whole numbers (Hitchcock 1941; Edmonds and Karp 1972): O((n + m) n
 * m) a path over some n + m paths. Costs are finite and not negative. */
es_status es_transport(const double *cost, size_t n, size_t m, const es_run *run, double *mean,
                       es_error *err);

#endif
