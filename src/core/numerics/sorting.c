/* Stable sorts of indices, by digits (Knuth 5.2.5) or by merging, and Hoare's selection of the k-th
 * smallest (Hoare 1961). */
#include "core_numerics.h"

#include <math.h>
#include <string.h>

enum { FEW = 512, BITS = 11, DIGITS = 1 << BITS, PASSES = 6 /* of 64 bits */ };

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

void es_sort_index_ref(const double *key, uint32_t *index, uint32_t *scratch, size_t n) {
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

/* Whole numbers in the order of the doubles; both zeros are one. */
static uint64_t rank_bits(double key) {
    uint64_t bits = 0, sign = (uint64_t)1 << 63;
    double value = key + 0.0; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static size_t digit(uint64_t bits, int pass) {
    return (size_t)(bits >> (BITS * pass)) & (DIGITS - 1);
}

/* How many keys have each digit, at each of its places. */
static void count_digits(const double *key, const uint32_t *index, size_t n,
                         uint32_t count[PASSES][DIGITS]) {
    memset(count, 0, PASSES * sizeof *count);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = rank_bits(key[index[i]]);
        for (int pass = 0; pass < PASSES; pass++)
            count[pass][digit(bits, pass)]++;
    }
}

/* By one digit after the other, the last first: as stable as merging, and nothing to foretell. A
 * digit that all keys share is skipped. */
void es_sort_index(const double *key, uint32_t *index, uint32_t *scratch, size_t n) {
    uint32_t *from = index, *to = scratch, counts[PASSES][DIGITS];
    if (n < FEW || n > UINT32_MAX) {
        es_sort_index_ref(key, index, scratch, n);
        return;
    }
    count_digits(key, index, n, counts);
    for (int pass = 0; pass < PASSES; pass++) {
        uint32_t before = 0, *count = counts[pass];
        if (count[digit(rank_bits(key[from[0]]), pass)] == n)
            continue;
        for (size_t d = 0; d < DIGITS; d++) {
            uint32_t own = count[d];
            count[d] = before;
            before += own;
        }
        for (size_t i = 0; i < n; i++)
            to[count[digit(rank_bits(key[from[i]]), pass)]++] = from[i];
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

static void swap_values(double *a, double *b) {
    double held = *a;
    *a = *b;
    *b = held;
}

/* A value close to the one that belongs to place k, from a sample, so that nearly all values are
 * skipped once (Floyd and Rivest, "Algorithm 489: SELECT", CACM 1975); the middle one of a few.
 * The sample is taken at even steps, since neighbours may be alike, to where the algorithm has it:
 * around k. */
static double choose_pivot(double *v, size_t low, size_t high, size_t k) {
    size_t count = high - low + 1;
    if (count <= FEW)
        return v[low + count / 2];
    double n = (double)count, at = (double)(k - low + 1), z = log(n), size = 0.5 * exp(2 * z / 3);
    double spread = 0.5 * sqrt(z * size * (n - size) / n) * (at < n / 2 ? -1 : 1);
    double from = fmax((double)k - at * size / n + spread, (double)low);
    double to = fmin((double)k + (n - at) * size / n + spread, (double)high);
    size_t first = from < (double)k ? (size_t)from : k, last = to > (double)k ? (size_t)to : k;
    size_t step = count / (last - first + 1);
    for (size_t i = first; i <= last; i++)
        swap_values(&v[i], &v[low + (i - first) * step]);
    return es_select(v + first, last - first + 1, k - first);
}

/* Values below the pivot come first; returns how many. Without a branch on the values, which nobody
 * could foretell. */
static size_t gather_below(double *v, size_t n, double pivot) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double x = v[i];
        v[i] = v[count];
        v[count] = x;
        count += x < pivot;
    }
    return count;
}

/* The same of those that are not above it. */
static size_t gather_up_to(double *v, size_t n, double pivot) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double x = v[i];
        v[i] = v[count];
        v[count] = x;
        count += x <= pivot;
    }
    return count;
}

double es_select(double *v, size_t n, size_t k) {
    size_t low = 0, end = n;
    while (end - low > 1) {
        double pivot = choose_pivot(v, low, end - 1, k);
        size_t equal = low + gather_below(v + low, end - low, pivot);
        if (k < equal) {
            end = equal;
            continue;
        }
        low = equal + gather_up_to(v + equal, end - equal, pivot);
        if (k < low || low == equal) /* among values like it; of NaN there is no order */
            break;
    }
    return v[k];
}
