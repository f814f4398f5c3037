/* How fast cMIM trains: time per step, GFLOP/s and share of sgemm peak on one thread, and how long
 * 5,000 steps take. Not a test: run it alone. GFLOP/s count products alone. */
#include <stdio.h>
#include <stdlib.h>

#include "core_numerics.h"
#include "cmim_train.h"
#include "base.h"
#include "peak.h"
#include "report.h"

static double peak;

/* Products of a step, forward and backward; the input needs no gradient. */
static double work_of(double d, double h, double k, double b) {
    double wide = 2 * b * d * h, narrow = 2 * b * h * k, pairs = 2 * b * b * k;
    return 5 * wide + 9 * narrow + 3 * pairs;
}

static void bench_step(size_t d, size_t h, size_t k, size_t batch) {
    enum { STEPS = 300 };
    size_t n = 4000;
    double values[ES_CMIM_SETTINGS_MOST];
    char what[64];
    es_cmim_trainer *t = NULL;
    es_cmim_parts parts = {0};
    es_error err = {0};
    es_rng rng;
    float *x = es_alloc_aligned(n * d, sizeof *x);
    es_cmim_defaults(values);
    es_cmim_recipe r = es_cmim_recipe_of(values, 0);
    r.h = h;
    r.k = k;
    r.batch = batch;
    es_rng_init(&rng, 1, 1);
    for (size_t i = 0; x && i < n * d; i++)
        x[i] = (float)es_rng_normal(&rng);
    if (!x || es_cmim_trainer_new(&r, x, n, d, es_simd_get(es_isa_level()), &t, &err) != ES_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    double start = now();
    while (t->step < STEPS && es_cmim_trainer_step(t, NULL, &parts, &err) == ES_OK) {
    }
    double seconds = (now() - start) / STEPS;
    double rate = 1e-9 * work_of((double)d, (double)h, (double)k, (double)batch) / seconds;
    (void)snprintf(what, sizeof what, "step d=%zu h=%zu k=%zu B=%zu", d, h, k, batch);
    report("cmim", what, seconds, rate, rate / peak, "steps5000_s=%.1f loss=%.3f", 5000 * seconds,
           parts.loss);
    es_cmim_trainer_free(t);
    es_free(x);
}

int main(int argc, char **argv) {
    static const size_t batches[] = {10, 100, 200, 500};
    (void)report_begin(argc, argv);
    peak = measure_peak();
    report("cmim", "sgemm 1024", 2e-9 * 1024 * 1024 * 1024 / peak, peak, 1,
           "blas_core=%s kernels=%s", openblas_get_corename(), es_isa_name(es_isa_level()));
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++)
        bench_step(768, 256, 64, batches[i]);
    bench_step(64, 128, 16, 100);
    return 0;
}
