/* One body for all families: what the compiler makes of it is all that differs, except half
 * floats, which x86 widens by an instruction. */
#include "io_files_parts.h"

#include <string.h>

enum { LANES = 16 }; /* sums side by side, so that none waits for the one before it */

#define BODY static inline __attribute__((always_inline))

BODY double total(const double *lane) {
    double sum = 0;
    for (size_t k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

/* 0 * x is 0 for every finite x and NaN for the rest. */
BODY bool finite(const double *x, size_t d) {
    double lane[LANES] = {0};
    size_t j = 0;
    for (; j + LANES <= d; j += LANES)
        for (size_t k = 0; k < LANES; k++)
            lane[k] += x[j + k] * 0.0;
    for (; j < d; j++)
        lane[0] += x[j] * 0.0;
    return total(lane) == 0.0;
}

BODY void update(double x, double weight, double *mean, double *m2) {
    double delta = x - *mean;
    *mean += delta * weight;
    *m2 += delta * (x - *mean);
}

BODY double add(const double *restrict x, size_t d, double weight, double *restrict mean,
                double *restrict m2) {
    double lane[LANES] = {0};
    size_t j = 0;
    for (; j + LANES <= d; j += LANES)
        for (size_t k = 0; k < LANES; k++) {
            update(x[j + k], weight, &mean[j + k], &m2[j + k]);
            lane[k] += x[j + k] * x[j + k];
        }
    for (; j < d; j++) {
        update(x[j], weight, &mean[j], &m2[j]);
        lane[0] += x[j] * x[j];
    }
    return total(lane);
}

static bool finite_ref(const double *x, size_t d) {
    return finite(x, d);
}

static double add_ref(const double *x, size_t d, double weight, double *mean, double *m2) {
    return add(x, d, weight, mean, m2);
}

static void widen_ref(const unsigned char *half, size_t count, double *out) {
    for (size_t i = 0; i < count; i++) {
        uint16_t bits;
        memcpy(&bits, half + i * sizeof bits, sizeof bits);
        out[i] = es_f16_to_double(bits);
    }
}

static const es_scan_kernels plain = {finite_ref, add_ref, widen_ref};

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,f16c")))

AVX2 static bool finite_avx2(const double *x, size_t d) {
    return finite(x, d);
}

AVX2 static double add_avx2(const double *x, size_t d, double weight, double *mean, double *m2) {
    return add(x, d, weight, mean, m2);
}

/* By way of float, where each of them is a normal number: no flushing of small ones touches them.
 */
AVX2 static void widen_avx2(const unsigned char *half, size_t count, double *out) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m128i bits;
        memcpy(&bits, half + 2 * i, sizeof bits);
        __m256 value = _mm256_cvtph_ps(bits);
        _mm256_storeu_pd(out + i, _mm256_cvtps_pd(_mm256_castps256_ps128(value)));
        _mm256_storeu_pd(out + i + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(value, 1)));
    }
    widen_ref(half + 2 * i, count - i, out + i);
}

static const es_scan_kernels avx2 = {finite_avx2, add_avx2, widen_avx2};

/* Processors have had F16C since before AVX2, all of them. */
const es_scan_kernels *es_scan_kernels_get(es_isa level) {
    return level >= ES_ISA_AVX2 ? &avx2 : &plain;
}
#else
const es_scan_kernels *es_scan_kernels_get(es_isa level) {
    (void)level;
    return &plain;
}
#endif
