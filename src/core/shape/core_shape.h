/* What the rows of an embedder say by themselves, or among all of a pool. */
#ifndef ES_CORE_SHAPE_H
#define ES_CORE_SHAPE_H

#include "core_numerics.h"

/* What an embedder tells of that which all the others share. */

/** The embedders of a pool over the same rows, read one at a time. */
typedef struct es_embedders {
    size_t count;
    void *context;
    /** All rows of embedder k; release with es_matrix_free. From any thread. */
    es_status (*read)(void *context, size_t k, es_matrix *out, es_error *err);
} es_embedders;

enum { ES_CONSENSUS_ROWS = 2000 };

typedef struct es_consensus_rules {
    size_t rows;       /* of the sample, at most ES_CONSENSUS_ROWS */
    size_t components; /* of the others joined; fewer where they have no more */
    uint64_t seed;     /* of the sample */
} es_consensus_rules;

/** What all embedders of a pool have in common, prepared once. Immutable: any thread. */
typedef struct es_consensus es_consensus;

/** Reads every embedder once. Memory: rows^2 doubles, one embedder at a time beside it. O(rows^2 d)
 *  an embedder. ES_EEMPTY: fewer than 4 rows. */
es_status es_consensus_new(const es_embedders *all, const es_consensus_rules *rules,
                           const es_run *run, es_consensus **out, es_error *err);
void es_consensus_free(es_consensus *consensus); /* NULL is allowed */
size_t es_consensus_bytes(const es_consensus *consensus);

typedef struct es_consensus_value {
    es_stat r2;        /* of the components, weighted by their variance; at most 1 */
    double penalty;    /* that was chosen, in units of a column's variance */
    double share;      /* of the others' variance that the components hold */
    size_t components; /* that there are */
} es_consensus_value;

/** Computes how well ridge regression from m, one of the embedders, predicts the leading principal
 * components of all others joined. Each embedder's columns are standardised (constant ones dropped)
 * and its block scaled to total variance 1, so that wide ones have no more say; m is left out. R2
 * is leave-one-out, in closed form; one penalty for all components, the best of seven from 1e-3 to
 * 1e3. Undefined without others. O(rows^2 (d + 500) + rows d^2). */
es_status es_consensus_of(const es_consensus *consensus, const es_matrix *m, const es_run *run,
                          es_consensus_value *out, es_error *err);

/* How much topology a cloud of rows has: total persistence of the Vietoris-Rips filtration. What is
 * connected first and last, and which loops open and close in between. */

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
