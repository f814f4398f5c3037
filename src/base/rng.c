/* Philox 4x64-10 (Salmon et al., SC 2011): ten rounds of multiplication turn a counter and a key
 * into random words. There is no state to share, so any stream can be drawn at any time. */
#include "base.h"

#include <math.h>
#include <string.h>

/* High and low words of a * b in plain C: four 32-bit products. */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low) {
    uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32, b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t cross = a0 * b1 + (middle & 0xFFFFFFFFu);
    *low = a * b;
    return a1 * b1 + (middle >> 32) + (cross >> 32);
}

static uint64_t splitmix(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

uint64_t es_rng_stream(es_stream purpose, uint64_t id) {
    return splitmix(splitmix((uint64_t)purpose) ^ id);
}

void es_rng_init(es_rng *rng, uint64_t seed, uint64_t stream) {
    memset(rng, 0, sizeof *rng);
    rng->key[0] = seed;
    rng->key[1] = stream;
    rng->used = 4;
}

/* One block of four words: ten rounds over the counter, with the constants of Salmon et al.,
 * section 3.3. As in NumPy the counter steps before it is used. */
static void refill(es_rng *rng) {
    for (int i = 0; i < 4 && ++rng->counter[i] == 0; i++)
        ;
    uint64_t x0 = rng->counter[0], x1 = rng->counter[1], x2 = rng->counter[2], x3 = rng->counter[3],
             k0 = rng->key[0], k1 = rng->key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t low0 = 0, low2 = 0;
        uint64_t high0 = multiply(0xD2E7470EE14C6C93u, x0, &low0);
        uint64_t high2 = multiply(0xCA5A826395121157u, x2, &low2);
        x0 = high2 ^ x1 ^ k0;
        x1 = low2;
        x2 = high0 ^ x3 ^ k1;
        x3 = low0;
        k0 += 0x9E3779B97F4A7C15u;
        k1 += 0xBB67AE8584CAA73Bu;
    }
    rng->block[0] = x0;
    rng->block[1] = x1;
    rng->block[2] = x2;
    rng->block[3] = x3;
    rng->used = 0;
}

uint64_t es_rng_u64(es_rng *rng) {
    if (rng->used >= 4)
        refill(rng);
    return rng->block[rng->used++];
}

void es_rng_skip(es_rng *rng, uint64_t count) {
    uint64_t left = 4 - rng->used;
    if (count < left) {
        rng->used += (unsigned)count;
        return;
    }
    count -= left;
    rng->used = 4;
    if (count == 0)
        return;
    uint64_t blocks = (count - 1) / 4; /* skipped whole */
    rng->counter[0] += blocks;
    for (int i = 1; i < 4 && rng->counter[0] < blocks && ++rng->counter[i] == 0; i++)
        ;
    refill(rng);
    rng->used = (unsigned)(count - 4 * blocks);
}

double es_rng_uniform(es_rng *rng) {
    return (double)(es_rng_u64(rng) >> 11) * 0x1p-53;
}

double es_rng_normal(es_rng *rng) {
    if (rng->has_spare) {
        rng->has_spare = 0;
        return rng->spare;
    }
    const double two_pi = 6.283185307179586476925;
    double radius = sqrt(-2.0 * log(1.0 - es_rng_uniform(rng))); /* 1 - u is never 0 */
    double angle = two_pi * es_rng_uniform(rng);
    rng->spare = radius * sin(angle);
    rng->has_spare = 1;
    return radius * cos(angle);
}

uint64_t es_rng_below(es_rng *rng, uint64_t bound) {
    uint64_t low = 0;
    uint64_t high = multiply(es_rng_u64(rng), bound, &low);
    if (low < bound) { /* only then can the draw fall into the part that would be unfair */
        uint64_t unfair = (0 - bound) % bound;
        while (low < unfair)
            high = multiply(es_rng_u64(rng), bound, &low);
    }
    return high;
}

void es_rng_shuffle(es_rng *rng, uint32_t *items, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)es_rng_below(rng, i);
        uint32_t item = items[i - 1];
        items[i - 1] = items[j];
        items[j] = item;
    }
}
