/* The two-dimensional toy of cMIM's paper: points of the first quadrant, moved by the contrastive
 * term alone until their directions are spread over the circle, their lengths being free. Shared by
 * the test and by the figure of docs/derive.md. */
#ifndef ES_BENCH_TOY_CMIM_H
#define ES_BENCH_TOY_CMIM_H

#include <math.h>
#include <stdlib.h>

#include "cmim_net.h"
#include "base.h"

/* Of points (n, 2). */
typedef struct toy_facts {
    double ks;        /* Kolmogorov-Smirnov distance of the angles to the uniform distribution */
    double rayleigh;  /* length of the mean direction */
    double radius_cv; /* standard deviation over mean of the lengths */
} toy_facts;

static int toy_by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline toy_facts toy_facts_of(const float *z, size_t n) {
    static const double turn = 6.283185307179586;
    double *angle = malloc(n * sizeof *angle), x = 0, y = 0, sum = 0, square = 0;
    toy_facts f = {0, 0, 0};
    for (size_t i = 0; angle && i < n; i++) {
        double a = (double)z[2 * i], b = (double)z[2 * i + 1], r = sqrt(a * a + b * b);
        angle[i] = fmod(atan2(b, a) + turn, turn) / turn;
        x += a / r;
        y += b / r;
        sum += r;
        square += r * r;
    }
    if (!angle)
        return f;
    qsort(angle, n, sizeof *angle, toy_by_value);
    double count = (double)n, mean = sum / count;
    for (size_t i = 0; i < n; i++)
        f.ks = fmax(f.ks, fmax(fabs(angle[i] - (double)i / count),
                               fabs((double)(i + 1) / count - angle[i])));
    f.rayleigh = sqrt(x * x + y * y) / count;
    f.radius_cv = sqrt(fmax(0, square / count - mean * mean)) / mean;
    free(angle);
    return f;
}

/* n points by the seed; then 1,500 steps of Adam at 1e-2, tau 1. False: out of memory. */
static inline bool toy_run(uint64_t seed, size_t n, float *before, float *after) {
    const es_cmim_shape shape = {.d = 2, .h = 2, .k = 2, .layers = 1};
    const es_cmim_goal goal = {.mode = ES_CMIM, .tau = 1, .weight = 1};
    const es_simd *simd = es_simd_get(es_isa_level());
    es_cmim_net *net = NULL;
    float *moment = calloc(4 * n, sizeof *moment), *slope = calloc(2 * n, sizeof *slope);
    es_rng rng;
    bool ok = moment && slope && es_cmim_net_new(&shape, n, simd, &net, NULL) == ES_OK;
    es_rng_init(&rng, seed, 1);
    for (size_t i = 0; i < 2 * n; i++)
        before[i] = after[i] = (float)fabs(es_rng_normal(&rng));
    for (unsigned t = 1; ok && t <= 1500; t++) {
        const es_adam_step step = es_adam_at(t, 1e-2);
        const es_adam_row row = {.p = after, .m = moment, .v = moment + 2 * n, .g = slope};
        (void)es_cmim_net_contrast(net, &goal, after, n, slope);
        simd->adam(&row, 2 * n, &step);
    }
    es_cmim_net_free(net);
    free(moment);
    free(slope);
    return ok;
}

#endif
