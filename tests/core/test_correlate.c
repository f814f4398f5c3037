/* A score against downstream results: reports on the paper's tables, and on bad input. */
#include "table.h"

#include "embedscope/correlate.h"
#include "base.h"

static const es_correlate_options defaults = {0};

/* Tables 1 and 3 joined by name: score, dimension, average of MTEB. */
static size_t paper(double *is, double *dim, double *mteb) {
    table a = table_read("paper_table1_is.csv"), b = table_read("paper_table3_mteb.csv");
    size_t n = 0;
    for (size_t i = 0; i < a.rows; i++)
        for (size_t j = 0; j < b.rows; j++)
            if (strcmp(table_text(&a, i, 0), table_text(&b, j, 0)) == 0) {
                is[n] = table_number(&a, i, 3);
                dim[n] = log(table_number(&a, i, 1));
                mteb[n++] = table_number(&b, j, 1);
            }
    table_free(&a);
    table_free(&b);
    return n;
}

static es_correlation_report report(const double *x, const double *y, const double *covariate,
                                    size_t n, double *residual) {
    es_correlation_report r;
    assert_ok(es_correlate_task(x, y, covariate, n, &defaults, NULL, residual, &r, test_err()));
    return r;
}

TEST(report__paper_tables__is_sure_but_not_of_the_top) {
    double is[40], dim[40], mteb[40], residual[40];
    size_t n = paper(is, dim, mteb);
    es_correlation_report r = report(is, mteb, dim, n, residual);
    assert_int_equal(r.n, 30);
    assert_false(r.few);
    assert_close(r.value[ES_SPEARMAN].value, 0.8801, 0.5e-4);
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        assert_true(r.low[k] < r.value[k].value && r.value[k].value < r.high[k]);
        assert_true(r.high[k] - r.low[k] < 0.5);
    }
    assert_close(r.p.value, 1.0 / 5000, 1e-12);
    assert_true(r.partial.value > 0.5 && r.partial.value < r.value[ES_SPEARMAN].value + 0.1);
    assert_true(r.leave_one_low < r.value[ES_SPEARMAN].value);
    assert_true(r.leave_one_high > r.value[ES_SPEARMAN].value);
    assert_true(r.n_top >= 15 && r.top_half.value < r.value[ES_SPEARMAN].value);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        assert_close(residual[i], mteb[i] - r.intercept.value - r.slope.value * is[i], 1e-12);
        sum += isnan(residual[i]) ? 0 : residual[i];
    }
    assert_close(sum, 0, 1e-9);
    for (size_t i = 0; i < n; i++) { /* leave-one-out once by hand */
        if (i != r.leave_one_low_at)
            continue;
        double x[40], y[40];
        for (size_t k = 0, at = 0; k < n; k++)
            if (k != i) {
                x[at] = is[k];
                y[at++] = mteb[k];
            }
        es_stat s;
        assert_ok(es_correlate(ES_SPEARMAN, x, y, n - 1, &s, NULL));
        assert_close(s.value, r.leave_one_low, 1e-12);
    }
}

TEST(report__another_order__is_the_same) {
    double x[3][40], y[3][40];
    size_t n = paper(x[0], x[1], x[2]);
    uint32_t to[40];
    es_rng rng = test_rng(3, 3);
    for (uint32_t i = 0; i < n; i++)
        to[i] = i;
    es_rng_shuffle(&rng, to, n);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++)
            y[k][to[i]] = x[k][i];
    es_correlation_report a = report(x[0], x[2], x[1], n, NULL),
                          b = report(y[0], y[2], y[1], n, NULL);
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        assert_true(a.value[k].value == b.value[k].value);
        assert_true(a.low[k] == b.low[k] && a.high[k] == b.high[k]);
    }
    assert_true(a.p.value == b.p.value);
    assert_close(a.partial.value, b.partial.value, 1e-12);
}

TEST(report__independent_values__have_uniform_p) {
    es_rng rng = test_rng(8, 8);
    int small = 0;
    const int rounds = 400;
    es_correlate_options o = {.draws = 1, .permutations = 199};
    for (int k = 0; k < rounds; k++) {
        double x[12], y[12];
        for (size_t i = 0; i < 12; i++) {
            x[i] = es_rng_normal(&rng);
            y[i] = es_rng_normal(&rng);
        }
        es_correlation_report r;
        assert_ok(es_correlate_task(x, y, NULL, 12, &o, NULL, NULL, &r, NULL));
        small += r.p.value <= 0.1;
        assert_string_equal(r.partial.why, "no covariate");
    }
    assert_true(small > 20 && small < 62); /* 40 expected, sd 6 */
}

/* Five in the same order are [1, 1] in every resample, which says nothing of a sixth. */
TEST(report__few__has_no_interval) {
    const double x[] = {1, 2, 3, 4, 5, 6, 8}, y[] = {1, 2, 3, 4, 5, 7, 6};
    for (size_t n = 5; n <= 7; n++) {
        es_correlation_report r = report(x, y, NULL, n, NULL);
        assert_int_equal(r.few, n < 7);
        for (size_t k = 0; k < ES_CORRELATIONS; k++) {
            assert_true(isfinite(r.value[k].value));
            assert_int_equal(isfinite(r.low[k]) && isfinite(r.high[k]), n >= 7);
        }
        assert_true(isfinite(r.p.value));
    }
}

TEST(report__too_little__says_why) {
    const double nan = (double)NAN;
    const double x[] = {1, 2, 3, nan}, y[] = {2, 4, nan, 1}, same[] = {1, 1, 1, 1};
    double residual[4];
    es_correlation_report r = report(x, y, x, 4, residual);
    assert_int_equal(r.n, 2);
    assert_true(r.few);
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        assert_string_equal(r.value[k].why, "n < 3");
        assert_true(isnan(r.value[k].value) && isnan(r.low[k]));
    }
    assert_string_equal(r.p.why, "n < 3");
    assert_true(isnan(residual[0]) && r.leave_one_low_at == SIZE_MAX);
    r = report(x, same, x, 4, NULL);
    assert_int_equal(r.n, 3);
    for (size_t k = 0; k < ES_CORRELATIONS; k++)
        assert_string_equal(r.value[k].why, "constant");
    assert_string_equal(r.p.why, "constant");
    r = report(same, x, NULL, 4, residual);
    assert_string_equal(r.slope.why, "constant");
    assert_true(isnan(residual[1]));
    r = report(x, x, x, 0, NULL);
    assert_string_equal(r.value[0].why, "n < 3");
}

TEST(partial__degenerate_covariates__say_why) {
    const double x[] = {1, 2, 3, 5, 4}, y[] = {2, 1, 3, 4, 5}, same[] = {7, 7, 7, 7, 7};
    const double z[] = {3, 1, 2, 5, 4};
    assert_string_equal(report(x, y, same, 5, NULL).partial.why, "constant covariate");
    assert_string_equal(report(x, y, x, 5, NULL).partial.why, "covariate decides");
    assert_string_equal(report(x, y, z, 3, NULL).partial.why, "n < 4");
    assert_null(report(x, y, z, 4, NULL).partial.why); /* four are enough */
    /* by the formula: r_xy 0.8, r_xz 0.7, r_yz 0.6 */
    es_stat xy, xz, yz;
    es_correlate(ES_SPEARMAN, x, y, 5, &xy, NULL);
    es_correlate(ES_SPEARMAN, x, z, 5, &xz, NULL);
    es_correlate(ES_SPEARMAN, y, z, 5, &yz, NULL);
    double expected = (xy.value - xz.value * yz.value) /
                      sqrt((1 - xz.value * xz.value) * (1 - yz.value * yz.value));
    assert_close(report(x, y, z, 5, NULL).partial.value, expected, 1e-12);
}

TEST(mean_rank__incomplete_rows__are_left_out) {
    const double nan = (double)NAN;
    const double scores[] = {0.9, 10, /* */ 0.5, 30, /* */ 0.5, 20, /* */ 1.0, nan};
    const bool lower[] = {false, true};
    double out[4];
    size_t complete = 0;
    assert_ok(es_mean_rank(scores, 4, 2, lower, out, &complete, NULL));
    assert_int_equal(complete, 3);
    assert_close(out[0], 1, 0);
    assert_close(out[1], 2.75, 0);
    assert_close(out[2], 2.25, 0);
    assert_true(isnan(out[3]));
    const double rounded[] = {0.1 + 0.2, 0.3, 0.3, 0.1}; /* what rounding parts is a tie */
    assert_ok(es_mean_rank(rounded, 4, 1, NULL, out, NULL, NULL));
    assert_true(out[0] == 2 && out[1] == 2 && out[2] == 2 && out[3] == 4);
    assert_ok(es_mean_rank(scores, 4, 0, NULL, out, &complete, NULL));
    assert_int_equal(complete, 0);
}

TEST(report__without_draws__is_the_same_without_intervals) {
    double is[40], dim[40], mteb[40];
    size_t n = paper(is, dim, mteb);
    const es_correlate_options quick = {.without_draws = true};
    es_correlation_report whole = report(is, mteb, dim, n, NULL), r;
    assert_ok(es_correlate_task(is, mteb, dim, n, &quick, NULL, NULL, &r, NULL));
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        assert_true(r.value[k].value == whole.value[k].value);
        assert_true(k == ES_SPEARMAN ? r.low[k] == whole.low[k] : isnan(r.low[k]));
    }
    assert_non_null(r.p.why);
    assert_true(r.partial.value == whole.partial.value && r.p_effective == whole.p_effective);
}
