/* How much topology a cloud of rows has: total persistence of the Vietoris-Rips filtration. What is
 * connected first and last, and which loops open and close in between. */
#ifndef ES_CORE_PERSISTENCE_H
#define ES_CORE_PERSISTENCE_H

#include <stdbool.h>

#include "matrix.h"
#include "run.h"

typedef struct es_persistence_rules {
    es_metric metric; /* distance of rows: Euclidean, or that of rows of length 1 */
    bool raw;         /* distances as they are; else over their root mean square: free of scale */
    size_t rows;      /* of H0; fewer where there are no more */
    size_t loop_rows; /* of H1; 0: none. At most ES_PERSISTENCE_LOOP_ROWS */
    uint64_t seed;    /* of both samples, the same for every embedder */
} es_persistence_rules;

enum { ES_PERSISTENCE_LOOP_ROWS = 300 };

typedef struct es_persistence {
    double h0;    /* sum of the lifetimes of components, but the last: the length of a minimum
                     spanning tree */
    double h1;    /* sum of death - birth of loops, over Z/2; NaN: not asked for */
    size_t rows;  /* behind h0 */
    size_t loops; /* that live at all */
} es_persistence;

/** Shestov et al., "Topological Metric for Unsupervised Embedding Quality Evaluation",
 *  arXiv:2512.15285 (total persistence); the sample and the scale are ours. NaN: all rows are
 * equal. ES_EEMPTY: fewer than 2 rows. H0 O(rows^2 d) and 8 rows^2 bytes (Prim); H1 by cohomology
 * with columns reduced only where they must be (Bauer, "Ripser", 2021), about O(loop_rows^3), and
 *  2 loop_rows^3 bytes. */
es_status es_persistence_of(const es_matrix *m, const es_persistence_rules *rules,
                            const es_run *run, es_persistence *out, es_error *err);

/** From all distances (n, n), symmetric: h0 alone, or h1 alone and *loops. ES_ENOMEM. */
es_status es_persistence_h0(const double *distance, size_t n, const es_run *run, double *out,
                            es_error *err);
/** n <= ES_PERSISTENCE_LOOP_ROWS, else ES_EINVAL. */
es_status es_persistence_h1(const double *distance, size_t n, const es_run *run, double *out,
                            size_t *loops, es_error *err);
/** Plain twin of es_persistence_h0 for tests: Kruskal, edge by edge. O(n^3). */
double es_persistence_h0_ref(const double *distance, size_t n);

#endif
