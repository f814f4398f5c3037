/* What benchmarks measure against: processor time, and the peaks of sgemm and dgemm. */
#ifndef ES_BENCH_PEAK_H
#define ES_BENCH_PEAK_H

#include <cblas.h>
#include <math.h>
#include <time.h>

#include "base.h"

/* Seconds of processor time: one thread works, and a busy machine should not count. */
static inline double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* GFLOP/s of a large sgemm, the best of 12. */
static inline double measure_peak(void) {
    enum { SIZE = 1024 };
    const size_t count = (size_t)SIZE * SIZE;
    float *a = es_alloc_aligned(3 * count, sizeof *a);
    double best = 0;
    if (!a)
        return NAN;
    for (size_t i = 0; i < 3 * count; i++)
        a[i] = (float)(i % 7);
    for (int i = 0; i < 12; i++) {
        double start = now();
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1, a, SIZE,
                    a + count, SIZE, 0, a + 2 * count, SIZE);
        double rate = 2e-9 * SIZE * SIZE * SIZE / (now() - start);
        best = rate > best ? rate : best;
    }
    es_free(a);
    return best;
}

/* GFLOP/s of a large dgemm, the best of 12. */
static inline double measure_peak_double(void) {
    enum { SIZE = 768 };
    const size_t count = (size_t)SIZE * SIZE;
    double *a = es_alloc_aligned(3 * count, sizeof *a);
    double best = 0;
    if (!a)
        return NAN;
    for (size_t i = 0; i < 3 * count; i++)
        a[i] = (double)(i % 7);
    for (int i = 0; i < 12; i++) {
        double start = now();
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1, a, SIZE,
                    a + count, SIZE, 0, a + 2 * count, SIZE);
        double rate = 2e-9 * SIZE * SIZE * SIZE / (now() - start);
        best = rate > best ? rate : best;
    }
    es_free(a);
    return best;
}

#endif
