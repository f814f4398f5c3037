/* Penalties and residual variances of ridge regression against an independent implementation
 * (tests/reference/ridge), from few rows, many, and more columns than rows. */
#include "testing.h"
#include "core_estimators.h"
#include "synthetic.h"

enum { WIDTH = 32 };

/* As in make.py. */
static double value(uint64_t row, uint64_t column, uint64_t stream) {
    uint64_t x = (row * 7919 + column * 104729 + stream * 1299709 + 1) * 2654435761u % (1ull << 32);
    x = (x ^ (x >> 15)) * 2246822519u % (1ull << 32);
    x = (x ^ (x >> 13)) * 3266489917u % (1ull << 32);
    return (double)(x ^ (x >> 16)) / 4294967296.0 - 0.5;
}

typedef struct fitted {
    size_t dv;
    double lambda, variance[WIDTH], at_fixed[WIDTH];
} fitted;

/* Validation rows come after the training rows; two test rows, since there must be some. */
static fitted fit_case(size_t train, size_t val, size_t d, size_t dv, double noise) {
    fitted out = {.dv = dv};
    size_t n = train + val + 2, directions = d < 5 ? d : 5;
    synthetic u = {n, d, test_alloc(n * d, sizeof(double))};
    synthetic v = {n, dv, test_alloc(n * dv, sizeof(double))};
    uint32_t *row = calloc(n, sizeof *row);
    assert_non_null(row);
    for (size_t i = 0; i < n; i++) {
        row[i] = (uint32_t)i;
        for (size_t j = 0; j < d; j++)
            u.x[i * d + j] = value(i, j % directions, 1) + noise * value(i, j, 3);
        for (size_t j = 0; j < dv; j++)
            v.x[i * dv + j] = 4 / (1 + (double)j) * value(i, j % directions, 1) + value(i, j, 2);
    }
    es_fold fold = {row, row + train, row + train + val, train, val, 2};
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    es_fold_data *du = NULL, *dt = NULL;
    es_ridge *ridge = NULL;
    es_ridge_result fit;
    const es_ridge_plan plan = {.chosen = true};
    const es_ridge_how chosen = {.lambda = NAN, .floor = exp(-2)}, given = {.lambda = 0.3};
    es_arena *arena = es_arena_new();
    assert_ok(es_fold_data_new(&ru, &fold, 0, NULL, &du, NULL));
    assert_ok(es_fold_data_new(&rv, &fold, 0, NULL, &dt, NULL));
    assert_ok(es_ridge_new(du, &plan, NULL, &ridge, NULL));
    assert_int_equal(dt->d, dv);
    assert_ok(es_ridge_fit(ridge, dt, &chosen, arena, NULL, &fit, NULL));
    out.lambda = fit.lambda;
    memcpy(out.variance, fit.loo_var, dv * sizeof *out.variance);
    assert_ok(es_ridge_fit(ridge, dt, &given, arena, NULL, &fit, NULL));
    memcpy(out.at_fixed, fit.loo_var, dv * sizeof *out.at_fixed);
    es_fold_data_free(du);
    es_fold_data_free(dt);
    es_ridge_free(ridge);
    es_arena_free(arena);
    free(row);
    return out;
}

typedef struct golden {
    char name[32];
    size_t column, chosen;
    double variance, rest, fixed;
} golden;

/* To 1e-6, but where there are about as many directions as rows: the smallest eigenvalues, in
 * single precision, then count as much as the penalty. */
static void check(const fitted *f, const golden *g) {
    assert_true(g->column < f->dv);
    assert_true(g->chosen < ES_RIDGE_GRID);
    double lambda = es_ridge_grid[g->chosen];
    double got = f->variance[g->column], fixed = f->at_fixed[g->column];
    if (f->lambda != lambda)
        fail_msg("%s: penalty %g, expected %g", g->name, f->lambda, lambda);
    if (!(fabs(got - g->variance) < (g->rest > 0.2 ? 1e-6 : 3e-4)))
        fail_msg("%s, column %zu: variance %.9f, expected %.9f", g->name, g->column, got,
                 g->variance);
    if (!(fabs(fixed - g->fixed) < (strcmp(g->name, "wide") == 0 ? 1e-5 : 1e-6)))
        fail_msg("%s, column %zu: variance %.9f at 0.3, expected %.9f", g->name, g->column, fixed,
                 g->fixed);
}

TEST(ridge__golden_cases__equal_the_reference) {
    static const char *const names[] = {"few_rows", "tall", "wide", "collinear"};
    const fitted fits[] = {fit_case(14, 80, 3, 24, 0.1), fit_case(90, 60, 7, 12, 0.1),
                           fit_case(20, 60, 30, 12, 0.1), fit_case(40, 60, 80, 12, 0.01)};
    char line[256];
    size_t lines = 0;
    golden g;
    FILE *file = fopen(ES_TEST_DATA "/reference/ridge/ridge.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        assert_int_equal(sscanf(line, "%31[^,],%zu,%zu,%lf,%lf,%lf", g.name, &g.column, &g.chosen,
                                &g.variance, &g.rest, &g.fixed),
                         6);
        for (size_t k = 0; k < 4; k++)
            if (strcmp(names[k], g.name) == 0) {
                check(&fits[k], &g);
                lines++;
            }
    }
    fclose(file);
    assert_int_equal(lines, 60);
}
