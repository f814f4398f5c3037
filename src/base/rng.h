/* Philox 4x64-10, a counter-based random generator (Salmon et al., "Parallel random numbers: as
 * easy as 1, 2, 3", SC 2011). Keyed by (seed, stream), so that every job draws from a stream of its
 * own and results do not depend on the order of jobs or the number of threads. The raw words equal
 * NumPy's np.random.Philox(key=[seed, stream]). */
#ifndef EMBEDSCOPE_RNG_H
#define EMBEDSCOPE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct es_rng {
    uint64_t key[2], counter[4], block[4];
    unsigned used; /* words of block already handed out; 4 = none left */
    double spare;  /* second normal of a pair */
    int has_spare;
} es_rng;

/** Purposes keep streams apart: es_rng_stream(ES_STREAM_SPLIT, n). */
typedef enum es_stream {
    ES_STREAM_SPLIT = 1,
    ES_STREAM_BOOTSTRAP,
    ES_STREAM_LOUVAIN,
    ES_STREAM_PERMUTE,
    ES_STREAM_INIT,
    ES_STREAM_SHUFFLE,
    ES_STREAM_SAMPLE,
    ES_STREAM_LAYOUT,
    ES_STREAM_ROWS
} es_stream;

/** Mixes a purpose and an identifier (a digest, a count) into a stream number (SplitMix64). */
uint64_t es_rng_stream(es_stream purpose, uint64_t id);

void es_rng_init(es_rng *rng, uint64_t seed, uint64_t stream);
uint64_t es_rng_u64(es_rng *rng);
/** As if es_rng_u64 had been called so many times, at the cost of one. */
void es_rng_skip(es_rng *rng, uint64_t count);
/** Uniform on [0, 1) with 53 bits. */
double es_rng_uniform(es_rng *rng);
/** Standard normal (Box-Muller). */
double es_rng_normal(es_rng *rng);
/** Uniform on 0..bound-1 without bias (Lemire 2019); bound > 0. */
uint64_t es_rng_below(es_rng *rng, uint64_t bound);
/** Fisher-Yates on items[0..count). */
void es_rng_shuffle(es_rng *rng, uint32_t *items, size_t count);

#endif
