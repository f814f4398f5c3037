/* Paired values, sorted once so that any resample of them has its correlations in O(n log n)
 * without sorting again. */
#ifndef ES_CORE_PAIRS_H
#define ES_CORE_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "stats.h"

typedef struct es_pairs {
    size_t n;       /* pairs with both values finite */
    double *x, *y;  /* (n) sorted by x, then y: the order given by the caller does not matter */
    uint32_t *from; /* (n) position in the caller's arrays */
    uint32_t *x_class, *y_class; /* (n) 0, 1 ... for each different value, ascending */
    size_t x_classes, y_classes;
    /* scratch of es_pairs_stat */
    size_t capacity; /* largest resample */
    uint32_t *item, *by_y, *tally;
    double *weight, *tree;
} es_pairs;

/** Keeps the pairs of x, y (n) where both are finite. */
es_status es_pairs_init(es_pairs *pairs, const double *x, const double *y, size_t n, es_error *err);
void es_pairs_deinit(es_pairs *pairs);

/** The correlation of a resample with count[i] copies of pair i, n copies in all at most; count
 * NULL: each once. "no values" below two copies. */
es_stat es_pairs_stat(es_pairs *pairs, es_correlation kind, const uint32_t *count);

/** Mid-ranks of both sides in the pairs' order: rx, ry (n). */
void es_pairs_midranks(es_pairs *pairs, double *rx, double *ry);

#endif
