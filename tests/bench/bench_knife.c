/* How fast the density network trains. Not a test: run it alone.
 *
 *   bench_knife [--json]                            time per step and pair, GFLOP/s and share of
 *                                                   sgemm peak; one thread
 *   bench_knife [--json] PRESET SOURCE.npy TARGET.npy   one pair of files, its phases apart
 *
 * GFLOP/s count all of a step's products, also those of modes that are skipped in rows of which
 * they have no share: with several modes the share of the peak may pass 100 %. */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../core/synthetic.h"
#include "base.h"
#include "core_numerics.h"
#include "io_readers.h"
#include "peak.h"
#include "report.h"
#include "core_estimators_parts.h"

static double peak; /* GFLOP/s of a large sgemm */

/* ---- one training step: forward, head, backward, Adam ---- */

static void bench_step(const char *name, size_t d, size_t modes, size_t hidden, size_t depth,
                       size_t batch) {
    const size_t n = 4 * batch;
    es_arena *arena = es_arena_new();
    es_head head = {ES_HEAD_GAUSS, modes, d, 1, es_simd_get(es_isa_level())};
    es_layer layers[ES_NET_LAYERS];
    for (size_t i = 0; i <= depth; i++)
        layers[i] = (es_layer){i ? hidden : d, hidden, i < depth || depth == 1, i < depth};
    es_trainable model;
    es_rng rng;
    es_rng_init(&rng, 1, 1);
    float *x = es_arena_alloc(arena, 2 * n * d, sizeof *x);
    if (!x ||
        es_model_init(&model, &head, layers, depth + 1, false, batch, n, arena, NULL) != ES_OK)
        exit(1);
    es_net_random(&model.net, &rng, 1);
    for (size_t i = 0; i < 2 * n * d; i++)
        x[i] = (float)es_rng_normal(&rng);
    es_sample sample = {.n = n, .x = x, .y = x + n * d};
    double best = INFINITY, spent = 0;
    for (int i = 0; i < 100 && (i < 3 || spent < 0.5); i++) {
        double start = now();
        (void)es_model_epoch(&model, &sample, 1e-3, &rng, NULL, NULL, NULL);
        double took = now() - start;
        spent += took;
        best = took < best ? took : best;
    }
    double rate = es_net_flops(&model.net) * (double)n / best * 1e-9;
    char what[64];
    (void)snprintf(what, sizeof what, "step %s d=%zu modes=%zu", name, d, modes);
    report("knife", what, best / 4, rate, rate / peak, "batch=%zu hidden=%zu", batch, hidden);
    es_arena_free(arena);
}

/* ---- whole pairs ---- */

/* Two views of one latent, as embedders are: mixed linearly in the source, mixed and squared in the
 * target, both with noise. */
static void make_pair(size_t n, size_t d, synthetic *u, synthetic *v) {
    enum { LATENT = 32 };
    double *mix = es_alloc(2 * d * LATENT, sizeof(double)), z[LATENT];
    *u = (synthetic){n, d, es_alloc(n * d, sizeof(double))};
    *v = (synthetic){n, d, es_alloc(n * d, sizeof(double))};
    if (!mix || !u->x || !v->x)
        exit(1);
    es_rng rng;
    es_rng_init(&rng, 1, 2);
    for (size_t i = 0; i < 2 * d * LATENT; i++)
        mix[i] = es_rng_normal(&rng) / sqrt(LATENT);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < LATENT; k++)
            z[k] = es_rng_normal(&rng);
        for (size_t j = 0; j < d; j++) {
            double a = 0, b = 0;
            for (size_t k = 0; k < LATENT; k++) {
                a += mix[j * LATENT + k] * z[k];
                b += mix[(d + j) * LATENT + k] * z[k];
            }
            u->x[i * d + j] = a + 0.3 * es_rng_normal(&rng);
            v->x[i * d + j] = b + 0.5 * b * b + 0.5 * es_rng_normal(&rng);
        }
    }
    es_free(mix);
}

static void bench_pair(const char *name, const char *preset, const synthetic *u,
                       const synthetic *v) {
    const es_estimator *e = es_estimator_find(name);
    const size_t n = u->n, d = v->d;
    es_rows ru = synthetic_rows(u), rv = synthetic_rows(v);
    double values[32];
    es_split *split = NULL;
    void *source = NULL, *target = NULL;
    es_arena *arena = es_arena_new();
    es_error err = {0};
    es_pair_result out;
    if (es_estimator_preset(e, preset, values, &err) != ES_OK ||
        es_split_new(n, 0, 0, &split, &err) != ES_OK)
        exit(1);
    es_problem problem = {split, values, 0, 0};
    double start = now();
    if (e->source_new(&problem, &ru, NULL, &source, &err) != ES_OK)
        exit(1);
    double for_source = now() - start;
    start = now();
    if (e->target_new(&problem, &rv, NULL, &target, &err) != ES_OK)
        exit(1);
    double for_target = now() - start, best = INFINITY, spent = 0;
    for (int i = 0; i < 5 && (i < 1 || spent < 1); i++) {
        es_arena_reset(arena);
        start = now();
        if (e->pair(&problem, source, target, 7, arena, NULL, &out, &err) != ES_OK)
            exit(1);
        double took = now() - start;
        spent += took;
        best = took < best ? took : best;
        es_free(out.pmi);
    }
    char what[64];
    (void)snprintf(what, sizeof what, "pair %s %s %zux%zu", name, preset, n, d);
    report("knife", what, best, NAN, NAN,
           "source_s=%.3f target_s=%.3f is=%.3f h_cond=%.4f epochs=%u", for_source, for_target,
           out.is, out.h_cond, out.epochs);
    e->source_free(source);
    e->target_free(target);
    es_split_free(split);
    es_arena_free(arena);
}

static void bench_made(const char *name, const char *preset, size_t n, size_t d) {
    synthetic u, v;
    make_pair(n, d, &u, &v);
    bench_pair(name, preset, &u, &v);
    es_free(u.x);
    es_free(v.x);
}

static void read_file(const char *path, synthetic *out) {
    es_error err = {0};
    es_loaded file = {0};
    if (es_loaded_open(path, 0, NULL, &file, &err) != ES_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    const es_array *a = &file.tensors.items[0].array;
    *out = (synthetic){a->n, a->d, es_alloc(a->n * a->d, sizeof *out->x)};
    if (!out->x)
        exit(1);
    es_array_read(a, NULL, a->n, out->x);
    es_loaded_close(&file);
}

static int bench_files(char **argv) {
    synthetic u, v;
    read_file(argv[2], &u);
    read_file(argv[3], &v);
    if (u.n != v.n) {
        (void)fprintf(stderr, "%s and %s differ in rows\n", argv[2], argv[3]);
        return 1;
    }
    bench_pair("knife", argv[1], &u, &v);
    es_free(u.x);
    es_free(v.x);
    return 0;
}

int main(int argc, char **argv) {
    static const size_t dims[] = {64, 256, 768, 1024}, rows[] = {2000, 6000, 20000, 50000};
    es_blas_guard(argv); /* the right core, one thread */
    int kept = report_begin(argc, argv);
    es_cpu_flush_denormals();
    if (kept == 4)
        return bench_files(argv);
    peak = measure_peak();
    report("knife", "sgemm 1024", 2e-9 * 1024 * 1024 * 1024 / peak, peak, 1,
           "blas_core=%s kernels=%s", openblas_get_corename(), es_isa_name(es_isa_level()));
    for (size_t i = 0; i < 4; i++) {
        bench_step("default", dims[i], 1, 128, 1, 128);
        bench_step("paper-nlp", dims[i], 8, dims[i], 2, 128);
        bench_step("paper-mol", dims[i], 2, 512, 2, 1024);
    }
    for (size_t modes = 1; modes <= 8; modes *= 2)
        bench_step("modes", 256, modes, 128, 1, 128);
    for (size_t i = 0; i < 4; i++) {
        bench_made("linear", "default", 6000, dims[i]);
        bench_made("knife", "default", 6000, dims[i]);
    }
    for (size_t i = 0; i < 4; i++)
        bench_made("knife", "default", rows[i], 256);
    bench_made("knife", "paper-nlp", 6000, 256);
    bench_made("knife", "paper-mol", 6000, 256);
    return 0;
}
