/* Dendrograms of embedders: agglomerative clustering of the matrix's rows or columns, as SciPy's
 * linkage numbers and computes it, and the leaf order that puts neighbours together. */
#ifndef EMBEDSCOPE_LINKAGE_H
#define EMBEDSCOPE_LINKAGE_H

#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"
#include "merge.h"
#include "run.h"

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
/** Computes the dendrogram of the order `cluster`, for every surface: average linkage of the rows
 * of is (m, m) without the diagonal, which is so much larger than the rest that it alone would
 *  decide. Errors as above. */
es_status es_linkage_cluster(const double *is, size_t m, const es_run *run, es_linkage **out,
                             es_error *err);
void es_linkage_free(es_linkage *linkage);

#endif
