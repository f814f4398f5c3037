/* The linear estimator against known answers, and ridge against its definition. */
#include "testing.h"
#include "estimating.h"
#include "estimator_rows.h"
#include "core_estimators.h"
#include "synthetic.h"

static synthetic make(size_t n, size_t d) {
    synthetic s = {n, d, test_alloc(n * d, sizeof(double))};
    return s;
}

/* keep_bytes: of es_problem. pmi (n_eval) is handed over unless NULL. */
static es_pair_result estimate_keeping(const synthetic *u, const synthetic *v, const char *preset,
                                       const char *set, uint64_t seed, size_t keep_bytes,
                                       float **pmi) {
    const es_estimator *e = &es_estimator_linear;
    double values[16];
    es_split *split = NULL;
    void *source = NULL, *target = NULL;
    es_arena *arena = es_arena_new();
    es_rows ru = synthetic_rows(u), rv = synthetic_rows(v);
    es_pair_result out = {0};
    assert_ok(es_estimator_preset(e, preset, values, test_err()));
    for (const char *at = set ? set : ""; *at;) {
        char word[64];
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        assert_ok(es_estimator_set(e, word, values, test_err()));
        at += length + strspn(at + length, " ");
    }
    double folds = values[es_estimator_setting(e, "folds")];
    assert_ok(es_split_new(u->n, seed, isnan(folds) ? 0 : (size_t)folds, &split, test_err()));
    es_problem problem = {split, values, seed, keep_bytes};
    assert_ok(e->source_new(&problem, &ru, NULL, &source, test_err()));
    assert_ok(e->target_new(&problem, &rv, NULL, &target, test_err()));
    es_status st = e->pair(&problem, source, target, 1, arena, NULL, &out, test_err());
    if (st != ES_OK)
        fail_msg("%s", test_message());
    assert_int_equal(out.n_eval, split->n_eval);
    double sum = 0;
    for (size_t i = 0; i < out.n_eval; i++)
        sum += (double)out.pmi[i];
    assert_true(fabs(sum / (double)out.n_eval - out.is) < 1e-6 * (1 + out.h + fabs(out.h_cond)));
    assert_true(fabs(out.h - out.h_cond - out.is) < 1e-12 * (1 + out.h + fabs(out.h_cond)));
    if (pmi)
        *pmi = out.pmi;
    else
        es_free(out.pmi);
    out.pmi = NULL;
    e->source_free(source);
    e->target_free(target);
    es_split_free(split);
    es_arena_free(arena);
    return out;
}

static es_pair_result estimate(const synthetic *u, const synthetic *v, const char *preset,
                               const char *set, uint64_t seed) {
    return estimate_keeping(u, v, preset, set, seed, 0, NULL);
}

/* V_j = sqrt(1 - v) U_j + sqrt(v) noise: each target dimension has residual variance v. */
static void linear_target(const synthetic *u, double v, uint64_t seed, synthetic *out) {
    es_rng rng = test_rng(seed, 11);
    for (size_t i = 0; i < out->n * out->d; i++)
        out->x[i] = sqrt(1 - v) * u->x[i] + sqrt(v) * es_rng_normal(&rng);
}

TEST(linear__pair__gaussian_residual_variance_has_known_information) {
    synthetic u = make(6000, 32), v = make(6000, 32);
    synthetic_normal(&u, 1);
    const double variance[] = {0.9, 0.5, 0.3, 0.2};
    for (size_t k = 0; k < 4; k++) {
        linear_target(&u, variance[k], 2 + k, &v);
        es_pair_result r = estimate(&u, &v, NULL, NULL, 0);
        double truth = -0.5 * log(variance[k]);
        if (fabs(r.is - truth) > 0.02)
            fail_msg("variance %g: %g instead of %g", variance[k], r.is, truth);
        assert_true(r.se > 0 && r.se < 0.02);
    }
    /* Below exp(-2) the residual scale is floored: 3/2 - e^2 v / 2. */
    linear_target(&u, 0.05, 9, &v);
    es_pair_result r = estimate(&u, &v, NULL, NULL, 0);
    assert_true(fabs(r.is - (1.5 - exp(2) / 2 * 0.05)) < 0.02);
}

/* Over many independent data sets, IS is 0 within its own error: the mean over data sets stays
 * near 0, and at most a few are outside 2 standard errors. */
TEST(linear__pair__independent_data_has_none) {
    const size_t rows[] = {60, 200, 1000};
    for (size_t k = 0; k < 3; k++) {
        synthetic u = make(rows[k], 16), v = make(rows[k], 12);
        int outside = 0, trials = 40;
        double worst = 0;
        for (int t = 0; t < trials; t++) {
            synthetic_normal(&u, 100 + (uint64_t)t);
            synthetic_normal(&v, 900 + (uint64_t)t);
            es_pair_result r = estimate(&u, &v, NULL, NULL, (uint64_t)t);
            outside += fabs(r.is) > 2 * r.se;
            worst = fmax(worst, fabs(r.is));
        }
        if (outside > 6)
            fail_msg("%zu rows: %d of %d outside two standard errors, worst %g", rows[k], outside,
                     trials, worst);
    }
}

TEST(linear__pair__rotated_source_gives_the_same_value) {
    size_t n = 2000, d = 8;
    synthetic u = make(n, d), v = make(n, d), rotated = make(n, d);
    synthetic_normal(&u, 3);
    linear_target(&u, 0.4, 4, &v);
    /* Householder reflection with a random vector. */
    double w[8], norm = 0;
    es_rng rng = test_rng(5, 5);
    for (size_t j = 0; j < d; j++) {
        w[j] = es_rng_normal(&rng);
        norm += w[j] * w[j];
    }
    for (size_t i = 0; i < n; i++) {
        double dot = 0;
        for (size_t j = 0; j < d; j++)
            dot += w[j] * u.x[i * d + j];
        for (size_t j = 0; j < d; j++)
            rotated.x[i * d + j] = u.x[i * d + j] - 2 * dot / norm * w[j];
    }
    es_pair_result a = estimate(&u, &v, NULL, NULL, 0);
    es_pair_result b = estimate(&rotated, &v, NULL, NULL, 0);
    assert_true(fabs(a.is - b.is) < 0.005);
}

TEST(linear__pair__odd_shapes_work) {
    /* more columns than rows, duplicate columns, one dimension, a constant column */
    synthetic wide = make(300, 700), twin = make(300, 6), one = make(300, 1);
    synthetic_normal(&wide, 1);
    for (size_t i = 0; i < 300; i++) /* columns after the third repeat them, with noise */
        for (size_t j = 3; j < 700; j++)
            wide.x[i * 700 + j] = wide.x[i * 700 + j % 3] + 0.5 * wide.x[i * 700 + j];
    for (size_t i = 0; i < 300; i++) {
        for (size_t j = 0; j < 6; j++)
            twin.x[i * 6 + j] = j == 5 ? 42 : wide.x[i * 700 + j / 2];
        one.x[i] = wide.x[i * 700];
    }
    es_pair_result self = estimate(&one, &one, NULL, NULL, 0);
    if (!(self.is > 1.1 && self.is < 1.7))
        fail_msg("self %g", self.is);
    es_pair_result copy = estimate(&twin, &one, NULL, NULL, 0);
    assert_true(copy.is > 1.1 && copy.is < 1.7);
    es_pair_result back = estimate(&one, &twin, NULL, NULL, 0);
    assert_true(back.is > 0.3 && back.is < 0.7); /* two of five varying columns */
    es_pair_result from_wide = estimate(&wide, &twin, NULL, NULL, 0);
    assert_true(from_wide.is > 0.9 && from_wide.is < 1.6); /* more columns than rows */
}

TEST(linear__pair__extreme_values_stay_finite) {
    synthetic u = make(500, 5), v = make(500, 5);
    synthetic_normal(&u, 1);
    linear_target(&u, 1e-12, 2, &v);
    assert_true(isfinite(estimate(&u, &v, NULL, NULL, 0).is));
    v.x[77 * 5 + 2] = 1e6;
    assert_true(isfinite(estimate(&u, &v, NULL, NULL, 0).is));
    assert_true(isfinite(estimate(&v, &u, NULL, NULL, 0).is));
    for (size_t i = 0; i < 500; i++)
        for (size_t j = 0; j < 5; j++)
            v.x[i * 5 + j] = u.x[i * 5 + j] * 1e-7 + 1e9; /* far from the origin */
    es_pair_result far = estimate(&u, &v, NULL, NULL, 0);
    assert_true(far.is > 0.2);
}

TEST(linear__pair__shrunk_is_lower) {
    synthetic u = make(1500, 10), v = make(1500, 10);
    synthetic_normal(&u, 1);
    linear_target(&u, 0.3, 2, &v);
    es_pair_result full = estimate(&u, &v, "default", NULL, 0);
    es_pair_result shrunk = estimate(&u, &v, "shrunk", NULL, 0);
    assert_true(isnan(full.information) && isnan(full.information_se));
    assert_true(shrunk.is < full.is - 0.1 && shrunk.is > 0);
    assert_true(shrunk.information > shrunk.is + 0.1 && shrunk.information < full.is);
    assert_true(shrunk.information_se > 0 && shrunk.information_se < 0.02);
}

TEST(linear__pair__folds_cover_every_row_once) {
    synthetic u = make(400, 6), v = make(400, 6);
    synthetic_normal(&u, 1);
    linear_target(&u, 0.5, 2, &v);
    es_pair_result r = estimate(&u, &v, NULL, "folds=4", 0);
    assert_int_equal(r.n_eval, 400);
    assert_true(fabs(r.is + 0.5 * log(0.5)) < 0.05);
}

TEST(linear__out_of_memory__is_reported) {
    synthetic u = make(60, 3), v = make(60, 3);
    synthetic_normal(&u, 1);
    linear_target(&u, 0.5, 2, &v);
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    const estimating how = {"linear", "default", "folds=2", 0, 7, NULL};
    estimate_refused(&how, 0, &ru, &rv);
    estimate_refused(&how, 100, &ru, &rv); /* streamed */
    synthetic wide = make(60, 90);
    synthetic_normal(&wide, 3);
    es_rows rw = synthetic_rows(&wide);
    estimate_refused(&how, 0, &rw, &rv); /* by products of rows */
    estimate_refused(&how, 100, &rw, &rv);
}

/* The residual of a training row in one column of the target by a fit to all the others: normal
 * equations with an intercept, unpenalised, solved by elimination. */
enum { LEFT_D = 5 };
static double left_out(const es_fold_data *u, const es_fold_data *v, double lambda, size_t left,
                       size_t column) {
    double a[LEFT_D + 1][LEFT_D + 2] = {{0}};
    size_t n = u->n_train;
    for (size_t i = 0; i < n; i++) {
        if (i == left)
            continue;
        double row[LEFT_D + 2] = {1};
        for (size_t j = 0; j < LEFT_D; j++)
            row[1 + j] = (double)u->train[i * LEFT_D + j];
        row[LEFT_D + 1] = (double)v->train[i * v->d + column];
        for (size_t p = 0; p <= LEFT_D; p++)
            for (size_t q = 0; q < LEFT_D + 2; q++)
                a[p][q] += row[p] * row[q];
    }
    for (size_t p = 1; p <= LEFT_D; p++)
        a[p][p] += fmin(lambda, 1e12) * (double)n; /* infinite: the mean alone */
    for (size_t p = 0; p <= LEFT_D; p++)
        for (size_t q = 0; q <= LEFT_D; q++)
            if (q != p) {
                double factor = a[q][p] / a[p][p];
                for (size_t c = 0; c < LEFT_D + 2; c++)
                    a[q][c] -= factor * a[p][c];
            }
    double predicted = a[0][LEFT_D + 1] / a[0][0];
    for (size_t j = 0; j < LEFT_D; j++)
        predicted += a[1 + j][LEFT_D + 1] / a[1 + j][1 + j] * (double)u->train[left * LEFT_D + j];
    return (double)v->train[left * v->d + column] - predicted;
}

/* Leave-one-out residuals must equal those of n fits that each leave one row out. */
static void check_left_out(size_t columns) {
    enum { TRAIN = 32, VAL = 24, N = TRAIN + VAL + 4 };
    synthetic u = make(N, LEFT_D), v = make(N, columns);
    synthetic_normal(&u, 1);
    synthetic_normal(&v, 2);
    for (size_t i = 0; i < N; i++) { /* the last is noise */
        v.x[i * columns] = 4 * u.x[i * LEFT_D] + 0.2 * v.x[i * columns];
        if (columns > 1)
            v.x[i * columns + 1] += 0.7 * u.x[i * LEFT_D + 1];
    }
    uint32_t row[N];
    for (uint32_t i = 0; i < N; i++)
        row[i] = i;
    es_fold fold = {row, row + TRAIN, row + TRAIN + VAL, TRAIN, VAL, 4};
    es_fold_data *du = NULL, *dv = NULL;
    es_ridge *ridge = NULL;
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    es_arena *arena = es_arena_new();
    assert_ok(es_fold_data_new(&ru, &fold, 3, NULL, &du, test_err()));
    assert_ok(es_fold_data_new(&rv, &fold, 0, NULL, &dv, test_err()));
    const es_ridge_plan plan = {.chosen = true, .residuals = true};
    const es_ridge_how how = {.lambda = NAN, .floor = exp(-2)};
    assert_ok(es_ridge_new(du, &plan, NULL, &ridge, test_err()));
    for (int bounded = 0; bounded < 2; bounded++) {
        es_ridge_result fitted;
        es_ridge_rows fit;
        size_t ends = 0;
        if (bounded)
            assert_ok(es_fold_data_limits(dv, NULL, test_err()));
        assert_ok(es_ridge_fit(ridge, dv, &how, arena, NULL, &fitted, test_err()));
        assert_ok(es_ridge_whole(&fitted, arena, NULL, &fit, test_err()));
        assert_true(isfinite(fitted.lambda));
        for (size_t left = 0; left < TRAIN; left++)
            for (size_t c = 0; c < columns; c++) {
                double y = (double)dv->train[left * columns + c];
                double expect = left_out(du, dv, fitted.lambda, left, c);
                if (bounded) {
                    double predicted = fmin(y - expect, (double)dv->high[c]);
                    ends += predicted < y - expect;
                    expect = y - fmax(predicted, (double)dv->low[c]);
                }
                double got = (double)fit.loo[left * columns + c];
                if (fabs(got - expect) > 2e-5)
                    fail_msg("penalty %g, row %zu column %zu: %g instead of %g", fitted.lambda,
                             left, c, got, expect);
            }
        assert_true(!bounded || ends > 0);
    }
    es_fold_data_free(du);
    es_fold_data_free(dv);
    es_ridge_free(ridge);
    es_arena_free(arena);
}

TEST(ridge__fit__leave_one_out_equals_refitting) {
    check_left_out(3);
    check_left_out(1);
}

/* Of more columns than rows the products of rows are factored, which have to be there. */
TEST(ridge__wide_source__is_not_streamed) {
    enum { N = 20, D = 30 };
    synthetic u = make(N, D);
    synthetic_normal(&u, 1);
    uint32_t row[N];
    for (uint32_t i = 0; i < N; i++)
        row[i] = i;
    const es_fold fold = {row, row + 12, row + 16, 12, 4, 4};
    es_rows rows = synthetic_rows(&u);
    es_fold_data *data = NULL;
    es_ridge *ridge = NULL;
    assert_ok(es_fold_data_stream(&rows, &fold, 0, NULL, &data, NULL));
    assert_error_is(es_ridge_new(data, &(es_ridge_plan){0}, NULL, &ridge, test_err()), ES_EINVAL,
                    "12 x 30 values must be kept in memory");
    assert_null(ridge);
    es_fold_data_free(data);
}

/* Several blocks of training rows, and a part of one; and folds of other sizes. */
TEST(linear__pair__streamed_rows_give_the_same_bits) {
    static const char *const sets[] = {NULL, "folds=3", "lambda=0.5"};
    synthetic u = make(25000, 7), v = make(25000, 5);
    synthetic_normal(&u, 1);
    synthetic_normal(&v, 2);
    for (size_t i = 0; i < v.n; i++)
        for (size_t j = 0; j < v.d; j++)
            v.x[i * v.d + j] += u.x[i * u.d + j] * (double)j;
    for (size_t k = 0; k < 3; k++) {
        float *kept = NULL, *streamed = NULL;
        es_pair_result a = estimate_keeping(&u, &v, NULL, sets[k], 3, 0, &kept);
        es_pair_result b = estimate_keeping(&u, &v, NULL, sets[k], 3, 1000, &streamed);
        assert_true(a.is > 0.3);
        assert_true(a.is == b.is && a.se == b.se && a.h == b.h && a.h_cond == b.h_cond);
        assert_memory_equal(kept, streamed, a.n_eval * sizeof *kept);
        es_free(kept);
        es_free(streamed);
    }
}

typedef struct failing {
    synthetic data;
    size_t left; /* reads that succeed */
} failing;

static es_status failing_read(const void *context, const uint32_t *rows, size_t count, double *out,
                              es_error *err) {
    failing *f = (failing *)(uintptr_t)context;
    if (f->left == 0)
        return es_fail(err, ES_EIO, "gone");
    f->left--;
    return synthetic_read(&f->data, rows, count, out, err);
}

/* A file that goes away while it is streamed fails the source, the target or the pair, and never
 * gives a value. */
TEST(linear__pair__says_that_streamed_rows_are_gone) {
    failing f = {make(3000, 40), 0};
    es_rows rows = {f.data.n, f.data.d, ES_KIND_CONTINUOUS, 0, &f, failing_read};
    const es_estimator *e = &es_estimator_linear;
    double values[16];
    es_split *split = NULL;
    synthetic_normal(&f.data, 1);
    assert_ok(es_estimator_preset(e, NULL, values, test_err()));
    assert_ok(es_split_new(f.data.n, 0, 0, &split, test_err()));
    es_problem problem = {split, values, 0, 1000};
    size_t failed[3] = {0}, whole = 0;
    for (size_t reads = 0; whole == 0; reads++) {
        void *source = NULL, *target = NULL;
        es_arena *arena = es_arena_new();
        es_pair_result out = {0};
        f.left = reads;
        es_status st = e->source_new(&problem, &rows, NULL, &source, test_err());
        size_t at = 0;
        if (st == ES_OK && ++at)
            st = e->target_new(&problem, &rows, NULL, &target, test_err());
        if (st == ES_OK && ++at)
            st = e->pair(&problem, source, target, 1, arena, NULL, &out, test_err());
        if (st == ES_OK) {
            whole++;
        } else {
            failed[at]++;
            assert_int_equal(st, ES_EIO);
            assert_string_equal(test_message(), "gone");
            assert_null(out.pmi);
        }
        es_free(out.pmi);
        e->source_free(source);
        e->target_free(target);
        es_arena_free(arena);
    }
    assert_true(failed[0] > 2 && failed[1] > 2 && failed[2] > 2);
    es_split_free(split);
}

TEST(linalg__products__equal_their_twins) {
    enum { M = 37, N = 29, K = 53 };
    static float a[M * K], b[K * N], c[M * N], ref[M * N];
    es_rng rng = test_rng(1, 1);
    for (size_t i = 0; i < M * K; i++)
        a[i] = (float)es_rng_normal(&rng);
    for (size_t i = 0; i < K * N; i++)
        b[i] = (float)es_rng_normal(&rng);
    for (int transpose = 0; transpose < 2; transpose++) {
        es_sgemm(transpose, M, N, K, 0.5F, a, b, c);
        es_sgemm_ref(transpose, M, N, K, 0.5F, a, b, ref);
        for (size_t i = 0; i < M * N; i++)
            assert_true(fabs((double)(c[i] - ref[i])) < 1e-4);
        es_sgemm_add(transpose, M, N, K, -2, a, b, c);
        es_sgemm_add_ref(transpose, M, N, K, -2, a, b, ref);
        for (size_t i = 0; i < M * N; i++)
            assert_true(fabs((double)(c[i] - ref[i])) < 1e-4);
    }
    static const size_t shape[][3] = {{M, N, K}, {1, N, K}, {M, 1, K}, {M, N, 0}, {3, 3, 1}};
    for (size_t s = 0; s < 2 * sizeof shape / sizeof *shape; s++) {
        bool transpose = s % 2 == 1;
        size_t m = shape[s / 2][0], n = shape[s / 2][1], k = shape[s / 2][2];
        es_sgemm_narrow(transpose, m, n, k, a, b, c);
        es_sgemm_ref(transpose, m, n, k, 1, a, b, ref);
        for (size_t i = 0; i < m * n; i++)
            assert_true(fabs((double)(c[i] - ref[i])) < 1e-4);
    }
    es_sgemm_turned(M, N, K, a, b, c); /* b as (N, K) */
    es_sgemm_turned_ref(M, N, K, a, b, ref);
    for (size_t i = 0; i < M * N; i++)
        assert_true(fabs((double)(c[i] - ref[i])) < 1e-4);
    static double p[M * K], q[K * N], pq[M * N], pq_ref[M * N];
    for (size_t i = 0; i < M * K; i++)
        p[i] = es_rng_normal(&rng);
    for (size_t i = 0; i < K * N; i++)
        q[i] = es_rng_normal(&rng);
    pq[5] = pq_ref[5] = 3;
    es_dgemm_add(M, N, K, p, q, pq);
    es_dgemm_add_ref(M, N, K, p, q, pq_ref);
    for (size_t i = 0; i < M * N; i++)
        assert_true(fabs(pq[i] - pq_ref[i]) < 1e-11);
    static double x[M * N], s[N * N], t[N * N];
    for (size_t i = 0; i < M * N; i++)
        x[i] = es_rng_normal(&rng);
    es_dsyrk_add(M, N, x, s);
    es_dsyrk_add_ref(M, N, x, t);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            assert_true(fabs(s[i * N + j] - t[i * N + j]) < 1e-10);
    static double rows[M * M], rows_ref[M * M];
    es_dsyrk_rows(M, N, x, rows);
    es_dsyrk_rows_ref(M, N, x, rows_ref);
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j <= i; j++)
            assert_true(fabs(rows[i * M + j] - rows_ref[i * M + j]) < 1e-10);
}

/* From the eigenvalues of the product where that costs no digits, and by a decomposition where half
 * of them are 0 or nearly so. */
TEST(linalg__singular_values__of_a_large_matrix_equal_those_of_its_decomposition) {
    enum { N = ES_SINGULAR_FEW, D = N + 8 };
    double *a = test_alloc(N * D, sizeof *a), *copy = test_alloc(N * D, sizeof *copy);
    double *s = test_alloc(N, sizeof *s), *plain = test_alloc(N, sizeof *plain);
    es_rng rng;
    assert_true(a && copy && s && plain);
    for (size_t poor = 0; poor < 2; poor++) {
        es_rng_init(&rng, 3, poor);
        for (size_t i = 0; i < N * D; i++)
            a[i] = es_rng_normal(&rng) * (poor && i / D >= N / 2 ? 1e-9 : 1);
        memcpy(copy, a, N * D * sizeof *a);
        assert_ok(es_singular_values(poor ? N : D, poor ? D : N, a, 1e-9, s, NULL));
        assert_ok(es_svd(poor ? N : D, poor ? D : N, copy, NULL, plain, NULL, NULL));
        for (size_t i = 0; i < N; i++)
            assert_true(fabs(s[i] - plain[i]) < 1e-11 * plain[0]);
        size_t differ = 0;
        for (size_t i = 0; i < N; i++)
            differ += s[i] != plain[i];
        assert_true(poor ? differ == 0 : differ > 0);
    }
}

TEST(linalg__is_definite__is_false_of_one_eigenvalue_below_0) {
    double a[] = {2, 0, 0, 1, 2, 0, 0, 1, 2}, b[] = {2, 0, 0, 1, 2, 0, 0, 1, 0.6};
    bool definite = false;
    assert_ok(es_is_definite(3, a, &definite, NULL));
    assert_true(definite);
    assert_ok(es_is_definite(3, b, &definite, NULL));
    assert_false(definite);
}

TEST(linalg__eigen__rebuilds_the_matrix) {
    enum { N = 23 };
    static double a[N * N], full[N * N], value[N];
    es_rng rng = test_rng(2, 2);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            full[i * N + j] = full[j * N + i] = es_rng_normal(&rng);
    memcpy(a, full, sizeof a);
    assert_ok(es_eigen(N, a, value, test_err()));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t k = 0; k < N; k++)
                sum += value[k] * a[k * N + i] * a[k * N + j];
            assert_true(fabs(sum - full[i * N + j]) < 1e-12);
        }
    static double alone[N];
    assert_ok(es_eigenvalues(N, full, alone, test_err()));
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(alone[i] - value[i]) < 1e-12);
}

/* Residual variance and degrees of freedom of ridge regression with penalty n lambda, by normal
 * equations on centred rows. x (n, D), y (n). */
enum { TWIN_D = 5 };
static double gcv_twin(const float *x, const float *y, size_t n, double lambda) {
    double mean[TWIN_D] = {0}, a[TWIN_D][2 * TWIN_D + 1] = {{0}}, cov[TWIN_D][TWIN_D] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < TWIN_D; j++)
            mean[j] += (double)x[i * TWIN_D + j] / (double)n;
    for (size_t i = 0; i < n; i++)
        for (size_t p = 0; p < TWIN_D; p++) {
            double u = (double)x[i * TWIN_D + p] - mean[p];
            for (size_t q = 0; q < TWIN_D; q++)
                cov[p][q] += u * ((double)x[i * TWIN_D + q] - mean[q]) / (double)n;
            a[p][2 * TWIN_D] += u * (double)y[i] / (double)n;
        }
    for (size_t p = 0; p < TWIN_D; p++) { /* [C + lambda | C | c] */
        for (size_t q = 0; q < TWIN_D; q++)
            a[p][q] = a[p][TWIN_D + q] = cov[p][q];
        a[p][p] += lambda;
    }
    for (size_t p = 0; p < TWIN_D; p++)
        for (size_t q = 0; q < TWIN_D; q++) {
            double factor = a[q][p] / a[p][p];
            for (size_t c = 0; q != p && c <= 2 * TWIN_D; c++)
                a[q][c] -= factor * a[p][c];
        }
    double rss = 0, df = 1;
    for (size_t p = 0; p < TWIN_D; p++)
        df += a[p][TWIN_D + p] / a[p][p];
    for (size_t i = 0; i < n; i++) {
        double e = (double)y[i];
        for (size_t p = 0; p < TWIN_D; p++)
            e -= a[p][2 * TWIN_D] / a[p][p] * ((double)x[i * TWIN_D + p] - mean[p]);
        rss += e * e;
    }
    double rest = 1 - df / (double)n;
    return rss / (double)n / (rest * rest);
}

/* Few rows, so that degrees of freedom count; the last three target columns are noise. The pair has
 * one penalty, whose Gaussians lose least. */
TEST(ridge__fit__generalised_cross_validation_equals_its_definition) {
    enum { N = 112, TRAIN = 40, VAL = 60, DV = 6 };
    synthetic u = make(N, TWIN_D), v = make(N, DV);
    synthetic_normal(&u, 21);
    synthetic_normal(&v, 22);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < 3; j++)
            v.x[i * DV + j] = v.x[i * DV + j] * (0.2 + (double)j) + u.x[i * TWIN_D + j];
    uint32_t row[N];
    for (uint32_t i = 0; i < N; i++)
        row[i] = i;
    es_fold fold = {row, row + TRAIN, row + TRAIN + VAL, TRAIN, VAL, N - TRAIN - VAL};
    es_fold_data *du = NULL, *dv = NULL;
    es_ridge *ridge = NULL;
    es_ridge_result fit;
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    es_arena *arena = es_arena_new();
    assert_ok(es_fold_data_new(&ru, &fold, 0, NULL, &du, NULL));
    assert_ok(es_fold_data_new(&rv, &fold, 0, NULL, &dv, NULL));
    const es_ridge_plan plan = {.chosen = true};
    const es_ridge_how chosen = {.lambda = NAN, .floor = 0.5}, given = {.lambda = 0.3};
    assert_ok(es_ridge_new(du, &plan, NULL, &ridge, NULL));
    assert_ok(es_ridge_fit(ridge, dv, &chosen, arena, NULL, &fit, NULL));
    double loss[ES_RIDGE_GRID] = {0}, variance[ES_RIDGE_GRID][DV];
    for (size_t l = 0; l < ES_RIDGE_GRID; l++)
        for (size_t j = 0; j < DV; j++) {
            float y[TRAIN];
            for (size_t i = 0; i < TRAIN; i++)
                y[i] = dv->train[i * DV + j];
            double gcv = gcv_twin(du->train, y, TRAIN, es_ridge_grid[l]), floored = fmax(gcv, 0.5);
            variance[l][j] = gcv;
            loss[l] += log(floored) + gcv / floored;
        }
    size_t best = ES_RIDGE_GRID - 1;
    for (size_t l = ES_RIDGE_GRID; l-- > 0;)
        best = loss[l] < loss[best] ? l : best;
    assert_true(fit.lambda == es_ridge_grid[best]);
    for (size_t j = 0; j < DV; j++)
        assert_true(fabs(fit.loo_var[j] - variance[best][j]) < 1e-6);
    assert_ok(es_ridge_fit(ridge, dv, &given, arena, NULL, &fit, NULL));
    for (size_t j = 0; j < DV; j++) {
        float y[TRAIN];
        for (size_t i = 0; i < TRAIN; i++)
            y[i] = dv->train[i * DV + j];
        assert_true(fabs(fit.loo_var[j] - gcv_twin(du->train, y, TRAIN, 0.3)) < 1e-6);
    }
    es_fold_data_free(du);
    es_fold_data_free(dv);
    es_ridge_free(ridge);
    es_arena_free(arena);
}

/* Where clipping has moved the mean of a column it is taken off again, and what is left of its
 * variance is noted; a column of which nothing is clipped has mean 0 and variance 1. */
TEST(fold_data__centre__takes_off_what_clipping_moved) {
    enum { N = 60, D = 2, TRAIN = 40 };
    synthetic u = make(N, D);
    uint32_t row[N];
    for (uint32_t i = 0; i < N; i++) {
        row[i] = i;
        u.x[i * D] = i % 2;
        u.x[i * D + 1] = i == 7 ? 1000 : i % 2;
    }
    const es_fold fold = {row, row + TRAIN, row + 50, TRAIN, 10, 10};
    const es_rows rows = synthetic_rows(&u);
    for (int streamed = 0; streamed < 2; streamed++) {
        es_fold_data *data = NULL;
        es_fold_reader reader;
        es_arena *arena = es_arena_new();
        const float *x = NULL;
        double mean[D] = {0}, square[D] = {0};
        es_status st = streamed ? es_fold_data_stream(&rows, &fold, 3, NULL, &data, NULL)
                                : es_fold_data_new(&rows, &fold, 3, NULL, &data, NULL);
        assert_ok(st);
        assert_ok(es_fold_data_centre(data, NULL, NULL));
        assert_ok(es_fold_reader_init(&reader, data, arena, NULL));
        assert_ok(es_fold_reader_read(&reader, ES_PART_TRAIN, 0, TRAIN, NULL, &x, NULL));
        for (size_t i = 0; i < (size_t)TRAIN * D; i++) {
            mean[i % D] += (double)x[i] / TRAIN;
            square[i % D] += (double)x[i] * (double)x[i] / TRAIN;
        }
        for (size_t j = 0; j < D; j++) {
            assert_true(fabs(mean[j]) < 1e-6);
            assert_true(fabs(data->spread[j] - square[j]) < 1e-6);
        }
        assert_true(fabs(data->centre[0]) < 1e-6 && fabs(data->spread[0] - 1) < 1e-6);
        assert_true(data->centre[1] < -0.05 && data->spread[1] < 0.3); /* 1 of 40 is at 3 of 6 */
        es_arena_free(arena);
        es_fold_data_free(data);
    }
}

/* Wherever it is: in the last row and column of a part as in the first. */
TEST(fold_data__not_finite__names_row_and_column) {
    enum { N = 30, D = 3 };
    synthetic u = make(N, D);
    synthetic_normal(&u, 31);
    uint32_t row[N];
    for (uint32_t i = 0; i < N; i++)
        row[i] = i;
    const es_fold fold = {row, row + 20, row + 25, 20, 5, 5};
    const es_rows rows = synthetic_rows(&u);
    static const size_t places[][2] = {{0, 0}, {19, 2}, {20, 1}, {24, 2}, {25, 0}, {29, 2}};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        double *at = u.x + places[k][0] * D + places[k][1], kept = *at;
        char place[64];
        snprintf(place, sizeof place, "row %zu, column %zu ", places[k][0], places[k][1]);
        es_fold_data *data = NULL;
        *at = k % 2 ? (double)INFINITY : (double)NAN;
        assert_error(es_fold_data_new(&rows, &fold, 3, NULL, &data, test_err()), ES_ENONFINITE,
                     place);
        *at = kept;
        assert_ok(es_fold_data_new(&rows, &fold, 3, NULL, &data, test_err()));
        es_fold_data_free(data);
    }
}
