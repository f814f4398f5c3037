/* The Mantel test (Mantel 1967) on ranks of distances: a shuffle of rows permutes both indices, so
 * only the sum of products has to be made again. */
#include <math.h>

#include "core_alike.h"

/* Distances i < j of n rows, row by row. */
static double sum_of_products(const es_side *a, const es_side *b, const uint32_t *order, size_t n,
                              double middle) {
    const float *x = a->distance_rank;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++, x++) {
            size_t r = order[i] < order[j] ? order[i] : order[j];
            size_t c = order[i] < order[j] ? order[j] : order[i];
            size_t at = r * (2 * n - r - 1) / 2 + c - r - 1;
            sum += ((double)*x - middle) * ((double)b->distance_rank[at] - middle);
        }
    return sum;
}

es_status es_mantel(const es_side *a, const es_side *b, size_t permutations, uint64_t seed,
                    es_stat *out, es_error *err) {
    es_stat r = {0};
    es_status st = es_rsa(a, b, &r, err);
    if (st != ES_OK || r.why) {
        *out = r;
        return st;
    }
    size_t n = (size_t)((1 + sqrt(1 + 8 * (double)a->distances)) / 2 + 0.5), as_far = 0;
    uint32_t *order = es_alloc(n, sizeof *order);
    if (!order)
        return es_no_memory_for(err, "%zu rows", n);
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_PERMUTE, n));
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    double middle = ((double)a->distances + 1) / 2;
    double found = fabs(sum_of_products(a, b, order, n, middle));
    for (size_t k = 0; k < permutations; k += 2) { /* both ways, so that sides can change places */
        es_rng_shuffle(&rng, order, n);
        as_far += fabs(sum_of_products(a, b, order, n, middle)) >= found * (1 - 1e-9);
        as_far += fabs(sum_of_products(b, a, order, n, middle)) >= found * (1 - 1e-9);
    }
    *out = es_stat_of((1 + (double)as_far) / (1 + (double)(permutations + permutations % 2)));
    es_free(order);
    return ES_OK;
}
