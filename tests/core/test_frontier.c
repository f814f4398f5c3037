/* What compressions keep: the grid, levels by hand, the front, and all of it against NumPy
 * (tests/reference/frontier). */
#include "testing.h"
#include "core_frontier.h"
#include "matrices.h"

enum { N = 240, D = 32 };

/* ---- the grid ---- */

TEST(frontier__grid__halves_down_to_16) {
    es_derive grid[ES_FRONTIER_MOST];
    assert_int_equal(es_frontier_grid(16, grid), 5);
    assert_int_equal(es_frontier_grid(31, grid), 5); /* 15 columns are too few */
    assert_int_equal(es_frontier_grid(128, grid), 5 + 3 * 5);
    assert_int_equal(grid[19].kind, ES_DERIVE_PCA);
    assert_int_equal(grid[19].k, 16);
    assert_int_equal(grid[19].bits, 4);
    assert_int_equal(es_frontier_grid(1024, grid), 5 + 6 * 4);
    assert_true(es_frontier_grid((size_t)1 << 40, grid) <= ES_FRONTIER_MOST);
}

TEST(frontier__sizes__are_whole_bytes) {
    const es_derive bits = {.kind = ES_DERIVE_FIRST, .k = 50, .bits = 1}, half = {.bits = 4},
                    whole = {0};
    assert_int_equal(es_frontier_bytes(&bits, 100), 7);
    assert_int_equal(es_frontier_bytes(&half, 25), 13);
    assert_int_equal(es_frontier_bytes(&whole, 25), 100);
    es_buf *out = test_buf();
    es_frontier_put(&bits, out);
    es_buf_putc(out, ';');
    es_frontier_put(&half, out);
    es_buf_putc(out, ';');
    es_frontier_put(&whole, out);
    assert_string_equal(out->data, "first 50, binary;int4;full");
}

TEST(frontier__front__is_of_points_that_none_beats) {
    const double cost[] = {4, 2, 2, 1, 1, (double)NAN, 3}, value[] = {9, 5, 6, 3, 3, 9, 6};
    const bool expected[] = {true, false, true, true, true, false, false};
    bool front[7];
    es_frontier_front(7, cost, value, front);
    assert_memory_equal(front, expected, sizeof front);
}

/* ---- levels ---- */

static es_quantiser levels_of(unsigned bits, const double *x, size_t n) {
    es_quantiser q;
    assert_ok(es_quantiser_new(bits, 1, &q, NULL));
    es_quantiser_take(&q, x, n);
    es_quantiser_settle(&q);
    return q;
}

static double stored(const es_quantiser *q, double x) {
    es_quantiser_apply(q, &x, 1);
    return x;
}

TEST(quantiser__known_levels__by_hand) {
    const double x[] = {0, 1, 2, 256};
    es_quantiser q = levels_of(8, x, 4);
    assert_float_equal(stored(&q, 0.3), 0.5, 1e-12);
    assert_float_equal(stored(&q, 256), 255.5, 1e-12);
    assert_float_equal(stored(&q, 1e9), 255.5, 1e-12); /* beyond the levels */
    assert_float_equal(stored(&q, -7), 0.5, 1e-12);
    es_quantiser_free(&q);
    q = levels_of(4, x, 4); /* the range over 16 is narrower than .3352 sd */
    assert_float_equal(stored(&q, 17), 24, 1e-12);
    es_quantiser_free(&q);
    q = levels_of(1, x, 4);
    assert_float_equal(stored(&q, 65), 1, 0); /* the mean is 64.75 */
    assert_float_equal(stored(&q, 64), -1, 0);
    es_quantiser_free(&q);
    assert_error(es_quantiser_new(7, 1, &q, test_err()), ES_EINVAL, "not 7");
}

TEST(quantiser__half__as_ieee) {
    es_quantiser q = levels_of(16, (const double[]){1}, 1);
    assert_float_equal(stored(&q, 0.1), 0.0999755859375, 0);
    assert_float_equal(stored(&q, -2049), -2048, 0); /* a tie goes to even */
    assert_float_equal(stored(&q, 1e-7), 0x1p-23, 0);
    assert_float_equal(stored(&q, 2e-8), 0, 0);
    assert_float_equal(stored(&q, 1e6), 65504, 0);
    assert_float_equal(stored(&q, 0), 0, 0);
    es_quantiser_free(&q);
}

TEST(quantiser__constant_column__stays) {
    const double x[] = {0.25, 0.25};
    for (size_t i = 0; i < 2; i++) {
        es_quantiser q = levels_of(i ? 4 : 8, x, 2);
        assert_float_equal(stored(&q, 0.25), 0.25, 0);
        es_quantiser_free(&q);
    }
}

/* ---- an embedder ---- */

static es_matrix cosines(void) {
    es_matrix m = matrix_kept(N, D);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++) {
            double row = (double)i + 1, column = (double)j + 1, sum = 0;
            for (double k = 1; k < 24; k++)
                sum += cos(0.37 * k * k * row) * cos(1.3 * k * column) / k;
            m.x[i * D + j] = sum + 0.05 * cos(7.1 * row * column + 0.3 * column * column);
        }
    return m;
}

typedef struct one_fold {
    uint32_t train[N], val[N], test[N];
    es_fold fold;
    es_split split;
} one_fold;

static void deal(one_fold *f) {
    *f = (one_fold){0};
    f->fold = (es_fold){.train = f->train, .val = f->val, .test = f->test};
    for (uint32_t i = 0; i < N; i++) {
        if (i % 10 < 7)
            f->train[f->fold.n_train++] = i;
        else if (i % 10 == 7)
            f->val[f->fold.n_val++] = i;
        else
            f->test[f->fold.n_test++] = i;
    }
    f->split = (es_split){
        .n = N, .n_folds = 1, .folds = &f->fold, .eval = f->test, .n_eval = f->fold.n_test};
}

TEST(frontier__cosines__as_numpy_has_them) {
    static const double expected[][2] = {
        {1.000000, 1.000000}, {1.000001, 0.997917}, {0.999318, 0.985417}, {0.982271, 0.935417},
        {0.728466, 0.524473}, {0.976206, 0.877083}, {0.975171, 0.879167}, {0.720744, 0.465727},
        {0.985726, 0.987500}, {0.981631, 0.943750},
    };
    es_matrix m = cosines();
    const es_rows rows = es_matrix_as_rows(&m);
    one_fold f;
    deal(&f);
    double label[N];
    for (size_t i = 0; i < N; i++)
        label[i] = m.x[i * D] > 0;
    const es_task task = {N, label, true};
    const es_frontier_problem problem = {
        .rows = &rows, .split = &f.split, .task = &task, .tasks = 1, .seed = 3};
    es_kept kept[ES_FRONTIER_MOST];
    es_run run;
    es_run_init(&run);
    assert_ok(es_frontier_measure(&problem, &run, kept, NULL));
    for (size_t c = 0; c < sizeof expected / sizeof *expected; c++) {
        assert_float_equal(kept[c].kept, expected[c][0], 2e-5);
        assert_float_equal(kept[c].neighbours, expected[c][1], 2.5e-3); /* one place: ties */
        assert_true(kept[c].low <= kept[c].kept && kept[c].kept <= kept[c].high);
    }
    assert_true(kept[4].high - kept[4].low > 0.01);
    es_probe p;
    const es_probe_rules rules = {.kind = ES_PROBE_RIDGE, .seed = 3};
    assert_ok(es_probe_of(&m, &task, &rules, &run, &p, NULL));
    assert_float_equal(kept[0].probe, p.score, 1e-12);
    es_run_cancel(&run);
    assert_int_equal(es_frontier_measure(&problem, &run, kept, NULL), ES_ECANCELED);
}

/* What follows from seeds alone is the same each time; without labels there is no probe, and a
 * column that is constant takes no part. */
TEST(frontier__five_folds__kept_falls_with_width) {
    es_matrix m = cosines();
    for (size_t i = 0; i < N; i++)
        m.x[i * D + D - 1] = 4;
    const es_rows rows = es_matrix_as_rows(&m);
    es_split *split = NULL;
    assert_ok(es_split_new(N, 0, 0, &split, NULL));
    assert_int_equal(split->n_folds, ES_SPLIT_CROSS_FOLDS);
    const es_frontier_problem problem = {.rows = &rows, .split = split};
    es_kept kept[ES_FRONTIER_MOST], again[ES_FRONTIER_MOST];
    assert_ok(es_frontier_measure(&problem, NULL, kept, NULL));
    assert_ok(es_frontier_measure(&problem, NULL, again, NULL));
    for (size_t c = 0; c < 10; c++) {
        assert_true(kept[c].kept == again[c].kept && kept[c].low == again[c].low);
        assert_true(isnan(kept[c].probe));
    }
    assert_float_equal(kept[0].kept, 1, 1e-12);
    assert_true(kept[1].kept > kept[3].kept && kept[3].kept > kept[4].kept);
    assert_true(kept[8].kept >= kept[6].kept); /* principal components beat the first columns */
    es_split_free(split);
}

TEST(frontier__constant_embedder__is_refused) {
    es_matrix m = matrix_kept(N, 3);
    for (size_t i = 0; i < N * 3; i++)
        m.x[i] = 1;
    const es_rows rows = es_matrix_as_rows(&m);
    one_fold f;
    deal(&f);
    const es_frontier_problem problem = {.rows = &rows, .split = &f.split};
    es_kept kept[ES_FRONTIER_MOST];
    assert_int_not_equal(es_frontier_measure(&problem, NULL, kept, test_err()), ES_OK);
    assert_true(test_message()[0] != '\0');
}

/* ---- as a derived embedder ---- */

/* The map that works in blocks agrees with the plain one. */
TEST(derive__first_and_levels__map_as_matrix) {
    es_matrix m = cosines(), plain = {0};
    const es_rows rows = es_matrix_as_rows(&m);
    const es_derive ways[] = {{.kind = ES_DERIVE_FIRST, .k = 7},
                              {.kind = ES_DERIVE_FIRST, .k = 7, .bits = 8},
                              {.kind = ES_DERIVE_NONE, .bits = 4},
                              {.kind = ES_DERIVE_FIRST, .k = D, .bits = 1}};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        es_derive_map map = {0};
        double x[N * D], y[N * D];
        assert_ok(es_derive_matrix(&m, &ways[w], &plain, NULL));
        assert_ok(es_derive_map_new(&rows, &ways[w], NULL, &map, NULL));
        assert_int_equal(map.out, plain.d);
        memcpy(x, m.x, sizeof x);
        assert_ok(es_derive_map_apply(&map, x, N, y, NULL));
        assert_memory_equal(y, plain.x, N * plain.d * sizeof *y);
        es_derive_map_free(&map);
        es_matrix_free(&plain);
    }
    const es_derive wide = {.kind = ES_DERIVE_FIRST, .k = D + 1};
    assert_error(es_derive_matrix(&m, &wide, &plain, test_err()), ES_EINVAL, "first: 33");
}
