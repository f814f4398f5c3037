/* Gaussian information against reference values, determinants and the truth. */
#include "methods.h"

#include "core_alike.h"

static es_cca_side *side_of(const es_matrix *m, const es_cca_rules *rules) {
    es_cca_side *side = NULL;
    assert_ok(es_cca_side_new(m, rules, NULL, &side, test_err()));
    return side;
}

static es_cca_information of(const es_matrix *u, const es_matrix *v, const es_cca_rules *rules) {
    es_cca_side *a = side_of(u, rules), *b = side_of(v, rules);
    es_cca_information out = {0};
    assert_ok(es_cca_information_of(a, b, &out, NULL));
    es_cca_side_free(a);
    es_cca_side_free(b);
    return out;
}

/* d pairs of normal columns of correlation rho. */
static void gauss(size_t n, size_t d, double rho, uint64_t seed, es_matrix *u, es_matrix *v) {
    es_rng rng = test_rng(seed, 5);
    *u = matrix_kept(n, d);
    *v = matrix_kept(n, d);
    for (size_t i = 0; i < n * d; i++) {
        u->x[i] = es_rng_normal(&rng);
        v->x[i] = rho * u->x[i] + sqrt(1 - rho * rho) * es_rng_normal(&rng);
    }
}

TEST(cca_information__of_the_reference__is_its_values) {
    static const char *const key[] = {"r0.5_d4", "r0.9_d4", "r0.99_d8"};
    const es_cca_rules rules = {.axes = 64}, raw = {.axes = 64, .raw = true};
    for (size_t k = 0; k < 3; k++) {
        char file[80];
        snprintf(file, sizeof file, "../contrastive/gauss_%s_U.npy", key[k]);
        es_matrix u = methods_npy(file);
        snprintf(file, sizeof file, "../contrastive/gauss_%s_V.npy", key[k]);
        es_matrix v = methods_npy(file);
        double truth = methods_value("../contrastive/expected.csv",
                                     "gauss_rho%s/cca_gaussian_mi_lam0", key[k] + 1);
        double first = methods_value("../contrastive/expected.csv", "gauss_rho%s/canonical_corr/0",
                                     key[k] + 1);
        es_cca_information there = of(&u, &v, &rules), back = of(&v, &u, &rules);
        assert_near(there.value.value, truth, 1e-9);
        assert_near(back.value.value, truth, 1e-9);
        assert_near(of(&u, &v, &raw).value.value, truth, 1e-9);
        assert_near(there.strongest, first, 1e-9);
        assert_near(there.chance, (double)(u.d * v.d) / 512, 1e-12);
        assert_false(there.linear_image);
    }
}

/* log |C| of a positive definite C (n, n), by elimination. */
static double log_determinant(double *c, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        sum += log(c[k * n + k]);
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = n; j-- > k;)
                c[i * n + j] -= c[i * n + k] / c[k * n + k] * c[k * n + j];
    }
    return sum;
}

enum { D = 5, BOTH = 2 * D };

/* The shrunk covariance of columns from..to-1 of two embedders side by side. */
static double part_of(const double *all, const double *shrink, size_t from, size_t to) {
    double c[BOTH * BOTH];
    size_t n = to - from;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            c[i * n + j] = all[(from + i) * BOTH + from + j] + (i == j ? shrink[from + i] : 0);
    return log_determinant(c, n);
}

/* 1/2 log (|Ca| |Cb| / |C|), covariances shrunk, by plain loops. */
static double by_determinants(const es_matrix *u, const es_matrix *v, double lambda) {
    double mean[BOTH] = {0}, all[BOTH * BOTH] = {0}, shrink[BOTH] = {0};
    const double *x[2] = {u->x, v->x};
    for (size_t i = 0; i < u->n; i++)
        for (size_t j = 0; j < BOTH; j++)
            mean[j] += x[j / D][i * D + j % D] / (double)u->n;
    for (size_t i = 0; i < u->n; i++)
        for (size_t j = 0; j < BOTH; j++)
            for (size_t k = 0; k < BOTH; k++)
                all[j * BOTH + k] += (x[j / D][i * D + j % D] - mean[j]) *
                                     (x[k / D][i * D + k % D] - mean[k]) / (double)(u->n - 1);
    for (size_t j = 0; j < BOTH; j++)
        for (size_t k = 0; k < D; k++)
            shrink[j] += lambda * all[(j / D * D + k) * (BOTH + 1)] / D;
    return (part_of(all, shrink, 0, D) + part_of(all, shrink, D, BOTH) -
            part_of(all, shrink, 0, BOTH)) /
           2;
}

TEST(cca_information__shrunk__is_a_ratio_of_determinants) {
    es_matrix u, v;
    gauss(300, D, 0.8, 3, &u, &v);
    for (size_t i = 0; i < u.n; i++) /* columns of unequal spread, one a mixture */
        for (size_t j = 0; j < D; j++) {
            u.x[i * D + j] *= 1 + (double)j;
            v.x[i * D + j] += j > 0 ? v.x[i * D] : 3;
        }
    for (int k = 0; k < 3; k++) {
        const es_cca_rules rules = {.axes = D, .shrink = k * 0.05, .raw = true};
        assert_near(of(&u, &v, &rules).value.value, by_determinants(&u, &v, rules.shrink), 1e-10);
    }
}

TEST(cca_information__of_gaussians__is_near_the_truth) {
    static const double rho[] = {0.5, 0.9};
    const es_cca_rules rules = {.axes = 64, .shrink = 0.001};
    for (size_t k = 0; k < 2; k++) {
        double truth = -2 * log(1 - rho[k] * rho[k]), mean = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            es_matrix u, v;
            gauss(4000, 4, rho[k], seed, &u, &v);
            double value = of(&u, &v, &rules).value.value;
            assert_true(fabs(value - truth) < 0.12 * truth); /* 4 standard errors of rho 0.5 */
            mean += value / 20;
        }
        assert_true(fabs(mean - truth) < 0.05 * truth);
    }
}

TEST(cca_information__of_a_linear_image__says_so) {
    es_matrix u, v, noise;
    const es_cca_rules shrunk = {.axes = 64, .shrink = 0.001}, plain = {.axes = 64};
    gauss(200, 4, 0, 1, &u, &noise);
    v = matrix_kept(200, 4);
    for (size_t i = 0; i < 200; i++)
        for (size_t j = 0; j < 4; j++)
            v.x[4 * i + j] = 3 * u.x[4 * i + (j + 1) % 4] - u.x[4 * i + j] + 7;
    es_cca_information finite = of(&u, &v, &shrunk), most = of(&u, &v, &plain);
    assert_true(finite.linear_image && most.linear_image);
    assert_true(finite.value.value > 8 && finite.value.value < 14);
    assert_true(most.value.value > 4 * 12 && most.value.value < 4 * 13.6); /* 1 - 1e-12 each */
    assert_false(of(&u, &noise, &shrunk).linear_image);
}

TEST(cca_information__of_unrelated__is_about_chance) {
    const es_cca_rules rules = {.axes = 64, .shrink = 0.001};
    double value = 0, chance = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        es_matrix u, v;
        gauss(2000, 20, 0, seed, &u, &v);
        es_cca_information x = of(&u, &v, &rules);
        value += x.value.value;
        chance += x.chance;
    }
    assert_true(fabs(value / chance - 1) < 0.05);
}

TEST(cca_information__of_odd_columns__is_defined_or_says_why) {
    es_matrix u, v, wide, still;
    const es_cca_rules rules = {.axes = 64, .shrink = 0.001}, few = {.axes = 2, .shrink = 0.001};
    gauss(100, 4, 0.9, 1, &u, &v);
    wide = matrix_kept(100, 6);
    still = matrix_kept(100, 3);
    for (size_t i = 0; i < 300; i++)
        still.x[i] = 5;
    for (size_t i = 0; i < 100; i++)
        for (size_t j = 0; j < 6; j++) /* a constant column, one of rounding alone, a huge one */
            wide.x[6 * i + j] = j == 4   ? 3
                                : j == 5 ? 1e6 * (1 + 1e-9 * u.x[4 * i])
                                         : u.x[4 * i + j] * (j == 1 ? 1e5 : 1);
    es_cca_information plain = of(&u, &v, &rules), odd = of(&wide, &v, &rules);
    assert_int_equal(odd.axes[0], 4);
    assert_near(odd.value.value, plain.value.value, 1e-6);
    assert_int_equal(of(&u, &v, &few).axes[0], 2);
    es_cca_information none = of(&still, &v, &rules);
    assert_string_equal(none.value.why, "constant");
    es_cca_side *a = NULL, *b = NULL;
    u.n = 19;
    assert_error(es_cca_side_new(&u, &rules, NULL, &a, test_err()), ES_EINVAL,
                 "19 rows are too few");
    assert_null(a);
    u.n = 60;
    a = side_of(&u, &rules);
    b = side_of(&v, &rules);
    es_cca_information out;
    assert_int_equal(es_cca_information_of(a, b, &out, test_err()), ES_EINVAL);
    es_cca_side_free(a);
    es_cca_side_free(b);
    u.n = 100;
}
