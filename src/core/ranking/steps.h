/* Rows of an embedder that are out of step: from some row on, or in a stretch, they belong to other
 * items than those of the other embedders, as if an answer of a batch had been lost or two parts
 * exchanged. There its values of rows fall to nothing, while the others go on predicting each
 * other. */
#ifndef ES_CORE_STEPS_H
#define ES_CORE_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/status.h"

/** A stretch of evaluated rows. */
typedef struct es_stretch {
    size_t embedder;
    size_t from, to;        /* evaluated rows from..to - 1 */
    double inside, outside; /* mean share of each other that is predicted, both ways */
} es_stretch;

typedef struct es_steps_problem {
    const double *is;  /* (m, m) nats per target dimension, diagonal included */
    float *const *pmi; /* (m, m) values of rows (rows), in the order of the file; NULL: not known */
    size_t m, rows;
    const bool *use; /* (m) embedders that are looked at */
} es_steps_problem;

/** *out (*count; es_free): the clearest stretches, at most two an embedder. A stretch is reported
 * if what is predicted there is at most a tenth of what is outside it, by seven standard errors,
 * and the other embedders predict each other there at least half as well as elsewhere; it holds at
 *  least 8 rows and a twentieth of them. Of five pools without such rows the largest difference was
 *  3.6 standard errors. O(m^2 rows). ES_ENOMEM. */
es_status es_steps_find(const es_steps_problem *problem, es_stretch **out, size_t *count,
                        es_error *err);

#endif
