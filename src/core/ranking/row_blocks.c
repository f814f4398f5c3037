/* Dealing rows into blocks: a shuffled deck, dealt round. With no more rows than blocks each row is
 * a hand of its own, in order. */
#include "core_ranking.h"

#include <math.h>
#include <string.h>

enum { STREAM_DEAL = 1 };

es_status es_row_blocks_init(es_row_blocks *h, size_t rows, size_t most, uint64_t seed,
                             es_error *err) {
    size_t count = rows < most ? rows : most;
    uint32_t *of = es_alloc(rows + count, sizeof *of);
    uint32_t *deck = es_alloc(rows, sizeof *deck);
    if (!of || !deck) {
        es_free(of);
        es_free(deck);
        return es_no_memory_for(err, "%zu rows", rows);
    }
    *h = (es_row_blocks){count, rows, of, of + rows};
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_BOOTSTRAP, STREAM_DEAL));
    for (size_t r = 0; r < rows; r++)
        deck[r] = (uint32_t)r;
    if (count < rows)
        es_rng_shuffle(&rng, deck, rows);
    memset(h->size, 0, count * sizeof *h->size);
    for (size_t r = 0, block = 0; r < rows; r++, block = block + 1 < count ? block + 1 : 0) {
        h->of[deck[r]] = (uint32_t)block;
        h->size[block]++;
    }
    es_free(deck);
    return ES_OK;
}

void es_row_blocks_deinit(es_row_blocks *h) {
    es_free(h->of);
    *h = (es_row_blocks){0};
}

bool es_row_blocks_sum(const es_row_blocks *h, const float *values, double *sum) {
    double mean = 0;
    if (!values)
        return false;
    for (size_t r = 0; r < h->rows; r++)
        mean += (double)values[r];
    mean /= (double)h->rows;
    if (!isfinite(mean))
        return false;
    memset(sum, 0, h->count * sizeof *sum);
    for (size_t r = 0; r < h->rows; r++)
        sum[h->of[r]] += (double)values[r];
    for (size_t g = 0; g < h->count; g++)
        sum[g] -= mean * h->size[g];
    return true;
}
