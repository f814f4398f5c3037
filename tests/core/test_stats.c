/* Statistics against SciPy's numbers, against direct definitions, and on bad input. */
#include "table.h"

#include "core_numerics.h"

enum { MOST = 64 };

static size_t numbers(const char *text, double *out) {
    size_t n = 0;
    for (char *end = NULL; *text; text = *end ? end + 1 : end) {
        out[n++] = strtod(text, &end);
        assert_true(n < MOST);
    }
    return n;
}

TEST(correlate__cases__equal_scipy) {
    table t = table_read("stats.csv");
    assert_true(t.rows >= 14);
    double x[MOST], y[MOST];
    for (size_t r = 0; r < t.rows; r++) {
        size_t n = numbers(table_text(&t, r, 1), x);
        assert_int_equal(numbers(table_text(&t, r, 2), y), n);
        for (size_t k = 0; k < ES_CORRELATIONS; k++) {
            es_stat s;
            assert_ok(es_correlate((es_correlation)k, x, y, n, &s, NULL));
            assert_close(s.value, table_number(&t, r, 3 + k), 1e-12);
            if (isnan(s.value))
                assert_string_equal(s.why, "constant");
            else
                assert_null(s.why);
        }
    }
    table_free(&t);
}

/* Tau by its definition over all pairs. weight NULL: tau-b. */
static double tau_direct(const double *x, const double *y, size_t n, const double *weight) {
    double xy = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double w = weight ? weight[i] + weight[j] : 1;
            double a = (x[i] > x[j]) - (x[i] < x[j]), b = (y[i] > y[j]) - (y[i] < y[j]);
            xy += w * a * b;
            xx += w * a * a;
            yy += w * b * b;
        }
    return xy / sqrt(xx * yy);
}

/* 1 / (rank + 1), rank 0 = largest by (x, y); exact duplicates: the later one first. */
static void tau_weights(const double *x, const double *y, size_t n, double *weight) {
    for (size_t i = 0; i < n; i++) {
        size_t before = 0;
        for (size_t j = 0; j < n; j++)
            before += x[j] > x[i] || (x[j] == x[i] && (y[j] > y[i] || (y[j] == y[i] && j > i)));
        weight[i] = 1 / (double)(before + 1);
    }
}

TEST(correlate__random_ties__equal_definitions) {
    es_rng rng = test_rng(1, 1);
    double x[MOST], y[MOST], weight[MOST];
    for (int round = 0; round < 300; round++) {
        size_t n = 3 + es_rng_below(&rng, 40), values = 2 + es_rng_below(&rng, 12);
        for (size_t i = 0; i < n; i++) {
            x[i] = i < 2 ? (double)i : (double)es_rng_below(&rng, values);
            y[i] = i < 2 ? (double)i : (double)es_rng_below(&rng, values);
        }
        es_stat s;
        assert_ok(es_correlate(ES_KENDALL, x, y, n, &s, NULL));
        assert_close(s.value, tau_direct(x, y, n, NULL), 1e-12);
        tau_weights(x, y, n, weight);
        double by_x = tau_direct(x, y, n, weight);
        tau_weights(y, x, n, weight);
        assert_ok(es_correlate(ES_WEIGHTED_TAU, x, y, n, &s, NULL));
        assert_close(s.value, 0.5 * (by_x + tau_direct(x, y, n, weight)), 1e-12);
        double rx[MOST], ry[MOST];
        es_stat ranks;
        assert_ok(es_stat_midranks(x, n, rx, NULL));
        assert_ok(es_stat_midranks(y, n, ry, NULL));
        assert_ok(es_correlate(ES_PEARSON, rx, ry, n, &ranks, NULL));
        assert_ok(es_correlate(ES_SPEARMAN, x, y, n, &s, NULL));
        assert_close(s.value, ranks.value, 1e-12);
    }
}

TEST(correlate__paper_tables__equal_published_18_values) {
    static const double expected[6][3] = {{0.9319, 0.8801, 0.7281}, {0.9137, 0.8540, 0.7233},
                                          {0.8517, 0.8287, 0.6583}, {0.8323, 0.7652, 0.6203},
                                          {0.8805, 0.8683, 0.6916}, {0.9169, 0.7881, 0.6067}};
    table is = table_read("paper_table1_is.csv"), mteb = table_read("paper_table3_mteb.csv");
    for (size_t task = 0; task < 6; task++) {
        double x[MOST], y[MOST];
        size_t n = 0;
        for (size_t a = 0; a < is.rows; a++)
            for (size_t b = 0; b < mteb.rows; b++)
                if (strcmp(table_text(&is, a, 0), table_text(&mteb, b, 0)) == 0) {
                    x[n] = table_number(&is, a, 3);
                    y[n++] = table_number(&mteb, b, 1 + task);
                }
        for (size_t k = 0; k < 3; k++) {
            es_stat s;
            assert_ok(es_correlate((es_correlation)k, x, y, n, &s, NULL));
            assert_close(s.value, expected[task][k], 0.5e-4);
        }
    }
    table_free(&is);
    table_free(&mteb);
}

TEST(correlate__missing_and_infinite__are_left_out_in_pairs) {
    const double x[] = {1, (double)NAN, 2, 3, (double)INFINITY, 4, 9};
    const double y[] = {2, 7, 1, 5, 1, 4, (double)NAN};
    const double kept_x[] = {1, 2, 3, 4}, kept_y[] = {2, 1, 5, 4};
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        es_stat a, b;
        assert_ok(es_correlate((es_correlation)k, x, y, 7, &a, NULL));
        assert_ok(es_correlate((es_correlation)k, kept_x, kept_y, 4, &b, NULL));
        assert_true(a.value == b.value);
    }
}

TEST(correlate__too_little__says_why) {
    const double x[] = {1, 2}, same[] = {5, 5}, nothing[] = {(double)NAN, (double)NAN};
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        es_stat s;
        for (size_t n = 0; n < 2; n++) {
            assert_ok(es_correlate((es_correlation)k, x, x, n, &s, NULL));
            assert_string_equal(s.why, "no values");
            assert_true(isnan(s.value));
        }
        assert_ok(es_correlate((es_correlation)k, x, nothing, 2, &s, NULL));
        assert_string_equal(s.why, "no values");
        assert_ok(es_correlate((es_correlation)k, x, same, 2, &s, NULL));
        assert_string_equal(s.why, "constant");
    }
}

TEST(correlate__extreme_magnitudes__keep_their_digits) {
    const double huge[] = {1e308, -1e308, 5e307, 2e307},
                 tiny[] = {3e-300, -3e-300, 1.5e-300, 6e-301};
    const double offset[] = {1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4}, plain[] = {1, 2, 3, 4};
    es_stat s;
    assert_ok(es_correlate(ES_PEARSON, huge, tiny, 4, &s, NULL));
    assert_close(s.value, 1, 1e-12);
    assert_ok(es_correlate(ES_PEARSON, offset, plain, 4, &s, NULL));
    assert_close(s.value, 1, 1e-7);
}

TEST(quantile__known_lists__interpolates) {
    double v[] = {4, 1, 3, 2};
    assert_close(es_stat_median(v, 4), 2.5, 0);
    assert_close(es_stat_quantile(v, 4, 0.75), 3.25, 1e-15);
    assert_close(es_stat_quantile(v, 4, 0), 1, 0);
    assert_close(es_stat_quantile(v, 4, 1), 4, 0);
    double w[] = {100, 2, 3, 4, -50, 5, 1, 2, 3, 4};
    assert_true(isnan(es_stat_median(w, 0)));
    assert_true(isnan(es_stat_mean(w, 0)));
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(select__random_lists__equals_sorting) {
    es_rng rng = test_rng(2, 1);
    for (int round = 0; round < 500; round++) {
        double v[MOST], sorted[MOST];
        size_t n = 1 + es_rng_below(&rng, MOST), k = es_rng_below(&rng, n);
        for (size_t i = 0; i < n; i++)
            v[i] = sorted[i] = (double)es_rng_below(&rng, 1 + es_rng_below(&rng, 30));
        qsort(sorted, n, sizeof *sorted, ascending);
        assert_true(es_select(v, n, k) == sorted[k]);
        for (size_t i = 0; i < n; i++)
            assert_true(i < k ? v[i] <= v[k] : v[i] >= v[k]);
    }
}

/* Long enough for pivots from a sample: in no order, in order, all equal but few, in saw teeth. */
TEST(select__long_lists__equals_sorting) {
    enum { LONG = 20011 };
    static double v[LONG], sorted[LONG];
    es_rng rng = test_rng(2, 2);
    for (int form = 0; form < 5; form++)
        for (size_t part = 0; part <= 10; part++) {
            size_t k = part * (LONG - 1) / 10;
            for (size_t i = 0; i < LONG; i++)
                v[i] = sorted[i] = form == 0   ? es_rng_normal(&rng)
                                   : form == 1 ? (double)i
                                   : form == 2 ? -(double)i
                                   : form == 3 ? (double)(i % 997 == 0)
                                               : (double)(i % 101);
            qsort(sorted, LONG, sizeof *sorted, ascending);
            assert_true(es_select(v, LONG, k) == sorted[k]);
            for (size_t i = 0; i < LONG; i++)
                assert_true(i < k ? v[i] <= v[k] : v[i] >= v[k]);
            qsort(v, LONG, sizeof *v, ascending);
            assert_memory_equal(v, sorted, sizeof v); /* none lost, none twice */
        }
}

TEST(distributions__tables__equal_known_values) {
    assert_close(es_normal_quantile(0.975), 1.959963984540054, 1e-12);
    assert_close(es_normal_cdf(-1.959963984540054), 0.025, 1e-15);
    assert_close(es_student_quantile(0.975, 1), 12.706204736174696, 1e-10);
    assert_close(es_student_quantile(0.975, 2), 0.95 * sqrt(2 / (1 - 0.95 * 0.95)), 1e-12);
    assert_close(es_student_quantile(0.975, 9), 2.262157163, 1e-8);
    assert_close(es_student_quantile(0.95, 30), 1.697260887, 1e-8);
    assert_close(es_student_cdf(es_student_quantile(0.2, 7), 7), 0.2, 1e-15);
}

/* The finite sum of Abramowitz and Stegun, 26.7.4, for even df. */
static double student_sum(double t, size_t df) {
    long double n = df, square = n / (n + (long double)t * t), term = 1, sum = 0;
    for (size_t k = 2; k <= df; k += 2) {
        sum += term;
        term *= square * (long double)(k - 1) / (long double)k;
    }
    return (double)(0.5L + 0.5L * t / sqrtl(n + (long double)t * t) * sum);
}

TEST(student__many_degrees__equals_the_sum) {
    static const double at[] = {-9, -3.1, -1.7, -0.4, -1e-6, 0, 1e-9, 0.8, 1.72, 1.74, 2, 7};
    static const size_t dfs[] = {402, 1000, 20000, 300000};
    for (size_t i = 0; i < sizeof dfs / sizeof *dfs; i++)
        for (size_t k = 0; k < sizeof at / sizeof *at; k++)
            assert_close(es_student_cdf(at[k], dfs[i]), student_sum(at[k], dfs[i]), 2e-12);
    assert_close(es_student_cdf(-2, 400), es_student_cdf(-2, 401), 1e-5);
    assert_close(es_student_quantile(0.975, 1000000000), 1.959963984540054, 1e-8);
}

/* SciPy 1.10.1: 2 t.sf(t, df). */
TEST(student_tail__fractional_degrees__equal_scipy) {
    static const double known[][3] = {
        {0.5, 1.3, 0.6885078164339734},     {2, 7.77, 0.08157313852244436},
        {3.3, 40.5, 0.0020227570549721146}, {1.96, 130.25, 0.052130768394858404},
        {2.5, 900.5, 0.012596209942210494}, {0, 3.3, 1},
        {-12, 2.5, 0.0028362150300783226}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_close(es_student_tail(known[i][0], known[i][1]), known[i][2], 1e-10);
    assert_close(es_student_tail(1.7, 12), 2 * es_student_cdf(-1.7, 12), 1e-12);
}

/* Ties keep their order, both zeros are equal, infinities have their places. */
TEST(sort_index__digits__equal_the_plain_twin) {
    enum { N = 3000 };
    static double key[N];
    static uint32_t index[N], plain[N], scratch[N];
    es_rng rng = test_rng(4, 2);
    for (int kind = 0; kind < 4; kind++)
        for (size_t n = 1; n <= N; n = n < 400 ? 400 : 2 * n - n / 2 + 7) {
            for (size_t i = 0; i < n; i++) {
                double x = es_rng_normal(&rng);
                key[i] = kind == 0   ? x
                         : kind == 1 ? floor(3 * x) * 0.0 + floor(2 * x)
                         : kind == 2 ? exp(200 * x) * (i % 2 ? -1 : 1)
                                     : (i % 3 ? 0.0 : -0.0);
                index[i] = plain[i] = (uint32_t)(n - 1 - i);
            }
            key[n / 2] = kind == 2 ? -(double)INFINITY : key[n / 2];
            key[n / 3] = kind == 2 ? (double)INFINITY : key[n / 3];
            es_sort_index(key, index, scratch, n);
            es_sort_index_ref(key, plain, scratch, n);
            assert_memory_equal(index, plain, n * sizeof *index);
        }
}

/* Few values are counted, more are put in order, as they all are with a tolerance. */
TEST(midranks__few__are_those_in_order) {
    double x[20], rank[20], expected[20];
    for (size_t n = 1; n <= 20; n++) {
        for (size_t i = 0; i < n; i++)
            x[i] = (double)(i * i * 7 % 5) - 2;
        assert_ok(es_stat_midranks(x, n, rank, NULL));
        assert_ok(es_stat_midranks_within(x, n, 0.5, expected, NULL));
        assert_memory_equal(rank, expected, n * sizeof *rank);
    }
}
