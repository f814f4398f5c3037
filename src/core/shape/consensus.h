/* What an embedder tells of that which all the others share. */
#ifndef ES_CORE_CONSENSUS_H
#define ES_CORE_CONSENSUS_H

#include <stdint.h>

#include "matrix.h"
#include "run.h"
#include "stats.h"

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

/** How well ridge regression from m, one of the embedders, predicts the leading principal
 * components of all others joined. Each embedder's columns are standardised (constant ones dropped)
 * and its block scaled to total variance 1, so that wide ones have no more say; m is left out. R2
 * is leave-one-out, in closed form; one penalty for all components, the best of seven from 1e-3 to
 *  1e3. Undefined without others. O(rows^2 (d + 500) + rows d^2). */
es_status es_consensus_of(const es_consensus *consensus, const es_matrix *m, const es_run *run,
                          es_consensus_value *out, es_error *err);

#endif
