/* A stable merge sort of indices, and Hoare's selection of the k-th smallest (Hoare 1961). */
#include "sorting.h"

#include <string.h>

/* Merges the sorted runs from[0..middle) and from[middle..n) into to. */
static void merge(const double *key, const uint32_t *from, size_t middle, size_t n, uint32_t *to) {
    size_t a = 0, b = middle, k = 0;
    while (a < middle && b < n)
        to[k++] = key[from[b]] < key[from[a]] ? from[b++] : from[a++];
    while (a < middle)
        to[k++] = from[a++];
    while (b < n)
        to[k++] = from[b++];
}

void es_sort_index(const double *key, uint32_t *index, uint32_t *scratch, size_t n) {
    uint32_t *from = index, *to = scratch;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t size = n - i < 2 * width ? n - i : 2 * width;
            merge(key, from + i, size < width ? size : width, size, to + i);
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != index)
        memcpy(index, from, n * sizeof *index);
}

void es_sort_order(const double *key, uint32_t *index, uint32_t *scratch, size_t n) {
    for (size_t i = 0; i < n; i++)
        index[i] = (uint32_t)i;
    es_sort_index(key, index, scratch, n);
}

double es_select(double *v, size_t n, size_t k) {
    size_t low = 0, high = n - 1;
    while (low < high) {
        double pivot = v[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i >= j)
                break;
            double swap = v[i];
            v[i++] = v[j];
            v[j--] = swap;
        }
        /* v[low..j] <= pivot <= v[j+1..high], and j < high: both parts are smaller. */
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
    return v[k];
}
