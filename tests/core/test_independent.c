/* The number of independent embedders: against NumPy, against traces of whole matrices, and how
 * often unrelated scores are called related. */
#include "downstream_cases.h"

#include "core_downstream.h"
#include "core_numerics.h"

static es_independent spearman(const double *x, const double *y, const uint32_t *family, size_t n) {
    es_independent found;
    assert_ok(es_independent_spearman(x, y, family, n, 0.95, &found, test_err()));
    return found;
}

TEST(independent__reference__equals_numpy) {
    downstream_case c = case_read();
    es_independent found = spearman(c.lead, c.task, c.family, CASE_N);
    assert_int_equal(found.n, CASE_N);
    assert_int_equal(found.families, 10);
    assert_close(found.rho.value, case_expected("correlate_rho"), 1e-6);
    assert_close(found.effective, case_expected("correlate_n"), 1e-6);
    assert_close(found.p, case_expected("correlate_p"), 1e-6);
    assert_close(found.low, case_expected("correlate_low"), 1e-6);
    assert_close(found.high, case_expected("correlate_high"), 1e-6);
    /* Each its own family: the classical numbers of 14. */
    found = spearman(c.lead, c.task, NULL, CASE_N);
    assert_close(found.effective, CASE_N, 1e-12);
    assert_close(found.p, 0.3105263203858819, 1e-9);
    assert_close(found.low, -0.2934662268024496, 1e-7);
    assert_close(found.high, 0.7184966240394579, 1e-7);
}

/* One that lacks a value is as if it were not there. */
TEST(independent__missing__takes_no_part) {
    downstream_case c = case_read();
    const double *task = c.task + 2 * CASE_N; /* has a gap */
    double x[CASE_N], y[CASE_N];
    uint32_t family[CASE_N];
    size_t n = 0;
    for (size_t i = 0; i < CASE_N; i++)
        if (isfinite(task[i])) {
            x[n] = c.lead[i];
            y[n] = task[i];
            family[n++] = 7 * c.family[i]; /* only equality counts */
        }
    assert_int_equal(n, CASE_N - 1);
    es_independent all = spearman(c.lead, task, c.family, CASE_N), rest = spearman(x, y, family, n);
    assert_true(all.n == n && all.effective == rest.effective && all.p == rest.p);
    assert_true(all.low == rest.low && all.high == rest.high && all.families == rest.families);
}

/* Few embedders in the same order, or in the opposite one, leave doubt: less of it the more there
 * are. exact: the share of all orders. */
TEST(independent__same_order__is_not_certain) {
    static const struct {
        size_t n;
        double exact, low; /* 95 % */
    } cases[] = {{4, 0.0833, -0.7}, {5, 0.0167, 0.1}, {6, 0.0028, 0.6}, {12, 0, 0.98}};
    double x[12], turned[12];
    for (size_t i = 0; i < 12; i++) {
        x[i] = (double)(i * i);
        turned[i] = -x[i];
    }
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        es_independent same = spearman(x, x, NULL, cases[c].n);
        es_independent other = spearman(x, turned, NULL, cases[c].n);
        assert_true(same.rho.value == 1 && other.rho.value == -1);
        assert_true(same.p > cases[c].exact / 3 && same.p < 1.5 * cases[c].exact + 1e-6);
        assert_true(same.low < 1 && same.high == 1);
        assert_close(same.low, cases[c].low, 0.2);
        assert_true(other.p == same.p && other.high == -same.low);
    }
}

TEST(independent__too_little__is_undefined) {
    const double x[] = {1, 2, 3, 4}, flat[] = {5, 5, 5, 5};
    es_independent found = spearman(x, x, NULL, 2);
    assert_string_equal(found.rho.why, ES_WHY_FEW);
    assert_true(isnan(found.p) && isnan(found.low) && isnan(found.effective));
    found = spearman(x, flat, NULL, 4);
    assert_string_equal(found.rho.why, ES_WHY_CONSTANT);
    assert_true(isnan(found.p));
}

/* ---- the plain twin ---- */

enum { N = 24, F = 8 };

static double share_of(const double *v, const uint32_t *family) {
    double mean[F] = {0}, size[F] = {0}, between = 0, within = 0, squares = 0;
    for (size_t i = 0; i < N; i++)
        size[family[i]]++;
    for (size_t i = 0; i < N; i++)
        mean[family[i]] += v[i] / size[family[i]];
    for (size_t k = 0; k < F; k++) {
        between += size[k] * mean[k] * mean[k] / (F - 1);
        squares += size[k] * size[k];
    }
    for (size_t i = 0; i < N; i++)
        within += pow(v[i] - mean[family[i]], 2) / (N - F);
    double usual = (N - squares / N) / (F - 1);
    return fmin(fmax((between - within) / (between + (usual - 1) * within), 0), 1);
}

/* B R B with B = I - 1/N. */
static void centred(double share, const uint32_t *family, double out[N][N]) {
    double half[N][N];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            half[i][j] = 0;
            for (size_t k = 0; k < N; k++)
                half[i][j] += ((i == k) - 1.0 / N) * (k == j                   ? 1
                                                      : family[k] == family[j] ? share
                                                                               : 0);
        }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            out[i][j] = 0;
            for (size_t k = 0; k < N; k++)
                out[i][j] += half[i][k] * ((k == j) - 1.0 / N);
        }
}

static void draw(es_rng *rng, double share, const uint32_t *family, double *v) {
    double of[F];
    for (size_t k = 0; k < F; k++)
        of[k] = es_rng_normal(rng);
    for (size_t i = 0; i < N; i++)
        v[i] = sqrt(share) * of[family[i]] + sqrt(1 - share) * es_rng_normal(rng);
}

TEST(independent__blocks__equal_the_plain_twin) {
    static double p[N][N], q[N][N];
    uint32_t family[N];
    es_rng rng = test_rng(1, 2);
    for (size_t round = 0; round < 20; round++) {
        double v[2][N], rank[2][N], tp = 0, tq = 0, tpq = 0;
        for (uint32_t i = 0; i < N; i++) /* of unequal sizes */
            family[i] = i < F ? i : (uint32_t)es_rng_below(&rng, F / 2);
        for (size_t k = 0; k < 2; k++) {
            draw(&rng, 0.6, family, v[k]);
            assert_ok(es_stat_midranks(v[k], N, rank[k], NULL));
            for (size_t i = 0; i < N; i++)
                rank[k][i] -= 0.5 * (N + 1);
        }
        centred(share_of(rank[0], family), family, p);
        centred(share_of(rank[1], family), family, q);
        for (size_t i = 0; i < N; i++) {
            tp += p[i][i];
            tq += q[i][i];
            for (size_t j = 0; j < N; j++)
                tpq += p[i][j] * q[j][i];
        }
        es_independent found = spearman(v[0], v[1], family, N);
        assert_close(found.effective, fmin(N, 1 + tp * tq / tpq), 1e-9);
    }
}

/* Unrelated scores of families: p below .05 in at most 7 % of them, where counting each embedder
 * finds many more. */
TEST(independent__unrelated_families__are_rarely_called_related) {
    enum { ROUNDS = 250 };
    uint32_t family[N];
    size_t found = 0, alone = 0, held = 0;
    es_rng rng = test_rng(5, 6);
    for (uint32_t i = 0; i < N; i++)
        family[i] = i % F;
    for (size_t round = 0; round < ROUNDS; round++) {
        double x[N], y[N];
        draw(&rng, 0.7, family, x);
        draw(&rng, 0.7, family, y);
        es_independent by_family = spearman(x, y, family, N);
        found += by_family.p < 0.05;
        held += by_family.low <= 0 && 0 <= by_family.high;
        alone += spearman(x, y, NULL, N).p < 0.05;
    }
    print_message("below .05: %zu of %d by families, %zu by embedders; interval holds 0: %zu\n",
                  found, ROUNDS, alone, held);
    assert_true((double)found <= 0.07 * ROUNDS);
    assert_true((double)alone > 0.15 * ROUNDS);
    assert_true((double)held >= 0.91 * ROUNDS);
}
