/* CKA in single precision, as `measure cka` computes it, against its plain twin in double, in
 * turns.
 *
 *   bench_cka [--json]
 *
 * Processor time of a pair, and of both its sides; the best of 5. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../core/synthetic.h"
#include "core_numerics.h"
#include "core_alike.h"
#include "peak.h"
#include "report.h"

static void check(es_status st, const es_error *err) {
    if (st == ES_OK)
        return;
    (void)fprintf(stderr, "bench_cka: %s\n", err->message);
    exit(1);
}

/* What one way took, for both sides and for their pair, and needed. */
typedef struct way {
    double sides, pair, bytes, value;
} way;

static void keep_best(way *best, double start, double made, double bytes, double value) {
    double sides = made - start, pair = now() - made;
    *best = (way){sides < best->sides ? sides : best->sides, pair < best->pair ? pair : best->pair,
                  bytes, value};
}

static void in_single(const synthetic *x, way *best) {
    es_error err = {0};
    es_cka_side *side[2] = {NULL, NULL};
    es_stat value;
    double start = now();
    for (int i = 0; i < 2; i++) {
        es_rows rows = synthetic_rows(x + i);
        check(es_cka_side_new(&rows, 0, NULL, &side[i], &err), &err);
    }
    double made = now();
    check(es_cka_of(side[0], side[1], true, NULL, &value, &err), &err);
    keep_best(best, start, made, (double)(es_cka_side_bytes(side[0]) + es_cka_side_bytes(side[1])),
              value.value);
    for (int i = 0; i < 2; i++)
        es_cka_side_free(side[i]);
}

static void in_double(const synthetic *x, way *best) {
    static const es_side_rules rules = {.parts = ES_SIDE_CENTRED};
    es_error err = {0};
    es_side *side[2] = {NULL, NULL};
    es_stat value;
    double start = now();
    for (int i = 0; i < 2; i++) {
        es_matrix m = {.n = x[i].n, .d = x[i].d, .x = x[i].x};
        check(es_side_new(&m, &rules, NULL, &side[i], &err), &err);
    }
    double made = now();
    check(es_cka(side[0], side[1], true, &value, &err), &err);
    keep_best(best, start, made, (double)(es_side_bytes(side[0]) + es_side_bytes(side[1])),
              value.value);
    for (int i = 0; i < 2; i++)
        es_side_free(side[i]);
}

static void compare(size_t n, size_t d) {
    synthetic x[2];
    for (size_t i = 0; i < 2; i++) {
        x[i] = (synthetic){n, d, es_alloc(n * d, sizeof(double))};
        if (!x[i].x)
            exit(1);
        synthetic_normal(x + i, 1 + i);
    }
    for (size_t i = 0; i < n * d; i++) /* they share half of their variance */
        x[1].x[i] = (x[0].x[i] + x[1].x[i]) * sqrt(0.5);
    way single = {.sides = INFINITY, .pair = INFINITY}, twin = single;
    for (int round = 0; round < 5; round++) {
        in_single(x, &single);
        in_double(x, &twin);
    }
    char what[64];
    (void)snprintf(what, sizeof what, "cka %zux%zu, a pair", n, d);
    report("cka", what, single.pair, NAN, NAN,
           "double_ms=%.3f times=%.2f sides_ms=%.3f double_sides_ms=%.3f sides_times=%.2f mb=%.1f "
           "double_mb=%.1f apart=%.1e",
           1e3 * twin.pair, twin.pair / single.pair, 1e3 * single.sides, 1e3 * twin.sides,
           twin.sides / single.sides, single.bytes / 1e6, twin.bytes / 1e6,
           fabs(single.value - twin.value));
    for (int i = 0; i < 2; i++)
        es_free(x[i].x);
}

int main(int argc, char **argv) {
    static const size_t dims[] = {64, 256, 768};
    es_blas_guard(argv);
    (void)report_begin(argc, argv);
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
        compare(6000, dims[i]);
    compare(1500, 2048);
    return 0;
}
