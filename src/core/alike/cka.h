/* Linear CKA of embedders whose rows are taken a block at a time: products in single precision,
 * block by block, and their sums in double; all in double if a few rows are far longer than the
 * rest. What es_cka of similarity.h is in double from matrices held whole; that is the plain twin
 * of this. */
#ifndef ES_CORE_CKA_H
#define ES_CORE_CKA_H

#include <stdbool.h>
#include <stddef.h>

#include "estimator.h"
#include "stats.h"

typedef struct es_cka_side es_cka_side;

/** What one embedder gives to all its pairs. Its centred rows are kept as floats where they take no
 *  more than keep_bytes (0: no limit), and are read again for every pair where they take more,
 * which changes no bit of the values: the side has a copy of *rows. With as many columns as rows or
 * more it is the products of all rows that are kept. A side whose longest rows hide the others
 * keeps none: its pairs read it again and compute in double. ES_EINVAL: fewer than 4 rows. O(n d
 * min(n, d)). */
es_status es_cka_side_new(const es_rows *rows, size_t keep_bytes, const es_run *run,
                          es_cka_side **out, es_error *err);
void es_cka_side_free(es_cka_side *side); /* NULL is allowed */
size_t es_cka_side_bytes(const es_cka_side *side);

/** Kornblith et al., ICML 2019; debiased: with the unbiased estimate of HSIC of Song et al. 2012.
 *  Within 1e-6 of es_cka, mostly 1e-8. Undefined as there. ES_EINVAL: other numbers of rows. */
es_status es_cka_of(const es_cka_side *a, const es_cka_side *b, bool debiased, const es_run *run,
                    es_stat *out, es_error *err);

/** Bytes at most, of n rows and d columns: of a side, while one is made besides, and of a pair. */
typedef struct es_cka_need {
    double side, making, pair;
} es_cka_need;
es_cka_need es_cka_needs(size_t n, size_t d, size_t other_d, size_t keep_bytes);

#endif
