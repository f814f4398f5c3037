/* Sorting and selecting, for statistics. Values are never NaN here. */
#ifndef ES_CORE_SORTING_H
#define ES_CORE_SORTING_H

#include <stddef.h>
#include <stdint.h>

/** Sorts index (n) stably by ascending key[index[.]]: equal keys keep the order in which they come.
 *  scratch (n). O(n). */
void es_sort_index(const double *key, uint32_t *index, uint32_t *scratch, size_t n);
/** The plain twin. */
void es_sort_index_ref(const double *key, uint32_t *index, uint32_t *scratch, size_t n);

/** index (n): 0 to n - 1 by ascending key, equal keys in order. scratch (n). */
void es_sort_order(const double *key, uint32_t *index, uint32_t *scratch, size_t n);

/** The k-th smallest (from 0) moves to v[k], values before it are <= v[k], those behind >= v[k].
 *  Returns v[k]. O(n) expected. */
double es_select(double *v, size_t n, size_t k);

#endif
