/* Verdicts on two and three embedders, differences by target and row. */
#include "table.h"

#include "embedscope/compare.h"
#include "base.h"

static const double NOISE = 1.2; /* of fitting */

static es_comparison *compare(const double *is, const double *se, size_t m, const size_t *models,
                              size_t count) {
    es_comparison *c = NULL;
    assert_ok(es_comparison_new(is, se, NULL, 0, m, models, count, &c, test_err()));
    return c;
}

/* Two embedders that know 1 nat of themselves. */
static es_verdict verdict(double ab, double ba, double error) {
    const double is[] = {1, ab, ba, 1}, se[] = {0.01, error, error, 0.01};
    const size_t models[] = {0, 1};
    es_comparison *c = compare(is, se, 2, models, 2);
    es_verdict v = c->pair[0].verdict;
    assert_int_equal(c->pairs, 1);
    if (v != ES_VERDICT_UNKNOWN) {
        assert_close(c->pair[0].gap, ba - ab, 1e-12);
        assert_close(c->pair[0].gap_error, NOISE * error * sqrt(2), 1e-12);
    }
    es_comparison_free(c);
    return v;
}

TEST(verdict__each_case__is_told_apart) {
    assert_int_equal(verdict(0.3, 0.8, 0.01), ES_VERDICT_B_CONTAINS_A);
    assert_int_equal(verdict(0.8, 0.3, 0.01), ES_VERDICT_A_CONTAINS_B);
    assert_int_equal(verdict(0.8, 0.81, 0.01), ES_VERDICT_EQUIVALENT);
    assert_int_equal(verdict(0.8, 0.81, 0.1), ES_VERDICT_NOT_SEPARABLE);
    assert_int_equal(verdict(0.6, 0.7, 0.1), ES_VERDICT_NOT_SEPARABLE);
    assert_int_equal(verdict(0.2, 0.4, 0.01), ES_VERDICT_NEITHER);
    assert_int_equal(verdict(0.2, 0.49, 0.01), ES_VERDICT_NOT_SEPARABLE);
    assert_int_equal(verdict(0.0, 0.1, 0.01), ES_VERDICT_NEITHER);
    /* one condition at a time */
    assert_int_equal(verdict(0.8, 0.84, 0.0001), ES_VERDICT_EQUIVALENT); /* too near to contain */
    assert_int_equal(verdict(0.49, 0.51, 0.001),
                     ES_VERDICT_NOT_SEPARABLE); /* one is half covered */
    assert_int_equal(verdict(0.8, 0.9, 0.04 / NOISE), ES_VERDICT_NOT_SEPARABLE); /* < 1.96 0.0566 */
    assert_int_equal(verdict(0.8, 0.9, 0.034 / NOISE), ES_VERDICT_B_CONTAINS_A); /* > 1.96 0.0481 */
    assert_int_equal(verdict(0.45, 0.45, 0.026 / NOISE), ES_VERDICT_NOT_SEPARABLE); /* 0.501 */
    assert_int_equal(verdict(0.45, 0.45, 0.025 / NOISE), ES_VERDICT_NEITHER);       /* 0.499 */
    assert_int_equal(verdict((double)NAN, 0.4, 0.01), ES_VERDICT_UNKNOWN);
    assert_int_equal(verdict(0.3, (double)INFINITY, 0.01), ES_VERDICT_UNKNOWN);
    assert_string_equal(es_verdict_text(ES_VERDICT_NEITHER), "neither contains the other");
    assert_string_equal(es_verdict_text(ES_VERDICT_EQUIVALENT), "equivalent");
    assert_string_equal(es_verdict_text(ES_VERDICT_NOT_SEPARABLE), "not settled");
    assert_string_equal(es_verdict_text(ES_VERDICT_B_CONTAINS_A), "contains");
}

/* An estimate of half is as often of less: most is said of what surely is. */
TEST(verdict__about_half__is_not_settled) {
    assert_int_equal(verdict(0.51, 0.1, 0.03), ES_VERDICT_NOT_SEPARABLE);
    assert_int_equal(verdict(0.58, 0.1, 0.03), ES_VERDICT_A_CONTAINS_B); /* 0.58 - 1.96 0.036 */
    assert_int_equal(verdict(0.1, 0.51, 0.03), ES_VERDICT_NOT_SEPARABLE);
    assert_int_equal(verdict(0.5, 0.5, 0.001), ES_VERDICT_NOT_SEPARABLE);
    assert_int_equal(verdict(0.51, 0.5, 0.001), ES_VERDICT_NOT_SEPARABLE);
    assert_int_equal(verdict(0.51, 0.51, 0.001), ES_VERDICT_EQUIVALENT);
    assert_int_equal(verdict(0.5, 0.1, 0), ES_VERDICT_A_CONTAINS_B); /* no error is known */
}

TEST(verdict__without_shares__is_unknown) {
    const double is[] = {4, 1, 2, 4, 0.5, 0.1}, se[] = {0.1, 0.1, 0.1, 0.1};
    const size_t models[] = {0, 1};
    es_comparison *c = compare(is, se, 2, models, 2);
    assert_int_equal(c->pair[0].verdict, ES_VERDICT_NOT_SEPARABLE);
    es_comparison_without_shares(c);
    assert_int_equal(c->pair[0].verdict, ES_VERDICT_UNKNOWN);
    assert_true(isnan(c->pair[0].gap) && isnan(c->cover[0][1]) && isnan(c->cover[1][0]));
    assert_int_equal(es_compared_half(c, 0, 1), 0);
    assert_close(c->is[1][0], 2, 0);
    assert_true(c->targets[0].clear);
    es_comparison_free(c);
}

/* Of three the two that differ most are seen from the values: 2.2 errors are clear of two named
 * beforehand, and not of three. */
TEST(target__of_three__is_clear_beyond_that_of_all_pairs) {
    const size_t models[] = {0, 1, 2};
    double is[16], se[16];
    for (size_t k = 0; k < 16; k++) {
        is[k] = 0.5;
        se[k] = 0.01;
    }
    is[3] = 0.5 + 2.2 * NOISE * 0.01 * sqrt(2);
    es_comparison *c = compare(is, se, 4, models, 2);
    assert_int_equal(c->targets[0].target, 3);
    assert_true(c->targets[0].clear);
    es_comparison_free(c);
    c = compare(is, se, 4, models, 3);
    assert_int_equal(c->targets[0].target, 3);
    assert_false(c->targets[0].clear);
    es_comparison_free(c);
    is[3] = 0.5 + 2.45 * NOISE * 0.01 * sqrt(2); /* 1 - 0.05 / 6 of a normal: 2.394 */
    c = compare(is, se, 4, models, 3);
    assert_true(c->targets[0].clear);
    es_comparison_free(c);
}

/* The best other source is no whole of which to take a share: it would hold the target entirely. */
TEST(verdict__own_value_missing_or_below_0__is_unknown) {
    const size_t models[] = {0, 1};
    const double own[] = {(double)NAN, 0, -0.2};
    for (size_t k = 0; k < 3; k++) {
        const double is[] = {own[k], 0.95, 0.9, 1};
        es_comparison *c = compare(is, NULL, 2, models, 2);
        assert_int_equal(c->pair[0].verdict, ES_VERDICT_UNKNOWN);
        assert_true(isnan(c->pair[0].gap) && isnan(c->cover[1][0]));
        assert_close(c->cover[0][1], 0.95, 1e-12);
        es_comparison_free(c);
    }
}

TEST(comparison__text_matrix__sorts_targets) {
    double is[NLP * NLP];
    table_matrix(is);
    is[8 * NLP + 5] = (double)NAN;
    const size_t models[] = {8, 0, 2};
    es_comparison *c = compare(is, NULL, NLP, models, 3);
    assert_int_equal(c->pairs, 3);
    assert_int_equal(c->pair[0].verdict, ES_VERDICT_EQUIVALENT); /* GIST is a tuned bge-base */
    assert_int_equal(c->pair[2].verdict, ES_VERDICT_NEITHER);
    assert_true(c->pair[0].without_errors);
    assert_int_equal(c->n_targets, NLP - 1);
    for (size_t k = 0; k < c->n_targets; k++) {
        const es_compared_target *t = c->targets + k;
        assert_true(t->target != 5 && t->difference >= 0);
        assert_true(isnan(t->error) && !t->clear);
        if (k > 0)
            assert_true(t->difference <= t[-1].difference);
    }
    assert_int_equal(c->targets[0].target, 8); /* GIST against the random model, on itself */
    es_comparison_free(c);
}

/* Of two that simulate a target equally well, or badly, the first gives the error. */
TEST(comparison__equal_values__take_the_first) {
    const size_t models[] = {0, 1, 2};
    double is[16], se[16];
    for (size_t k = 0; k < 16; k++) {
        is[k] = k % 4 == 3 ? 0.3 : 0.5;
        se[k] = 0.01 * (double)(1 + k / 4);
    }
    is[3] = 0.9;
    es_comparison *c = compare(is, se, 4, models, 3);
    assert_int_equal(c->targets[0].target, 3);
    assert_close(c->targets[0].difference, 0.6, 1e-12);
    assert_close(c->targets[0].error, NOISE * sqrt(0.01 * 0.01 + 0.02 * 0.02), 1e-12);
    assert_close(c->targets[3].difference, 0, 0); /* all three */
    assert_close(c->targets[3].error, NOISE * sqrt(0.01 * 0.01 + 0.02 * 0.02), 1e-12);
    es_comparison_free(c);
    is[3] = 0.3;
    is[11] = 0.1;
    c = compare(is, se, 4, models, 3);
    assert_int_equal(c->targets[0].target, 3);
    assert_close(c->targets[0].error, NOISE * sqrt(0.01 * 0.01 + 0.03 * 0.03), 1e-12);
    es_comparison_free(c);
}

TEST(comparison__paired_rows__sharpen_the_error) {
    enum { ROWS = 400 };
    float a[ROWS], b[ROWS], *pmi[4] = {a, a, b, b};
    es_rng rng = test_rng(2, 2);
    double sum_a = 0, sum_b = 0;
    for (size_t r = 0; r < ROWS; r++) {
        double common = es_rng_normal(&rng);
        a[r] = (float)(0.5 + common + 0.1 * es_rng_normal(&rng));
        b[r] = (float)(0.4 + common + 0.1 * es_rng_normal(&rng));
        sum_a += (double)a[r] / ROWS;
        sum_b += (double)b[r] / ROWS;
    }
    const double is[] = {sum_a, sum_a, sum_b, sum_b}, se[] = {0.05, 0.05, 0.05, 0.05};
    const size_t models[] = {0, 1};
    es_comparison *c = NULL;
    assert_ok(es_comparison_new(is, se, pmi, ROWS, 2, models, 2, &c, NULL));
    assert_true(c->targets[0].clear);
    assert_close(c->targets[0].error, NOISE * 0.1 * sqrt(2.0 / ROWS), 0.001);
    es_comparison_free(c);
    assert_ok(es_comparison_new(is, se, NULL, 0, 2, models, 2, &c, NULL));
    assert_false(c->targets[0].clear);
    es_comparison_free(c);
}

/* Two that are the same in nearly all rows: their errors are the same rows' errors. */
TEST(verdict__paired_rows__sharpen_the_gap) {
    enum { ROWS = 400 };
    float own[ROWS], ab[ROWS], ba[ROWS], *pmi[4] = {own, ab, ba, own};
    double is[4] = {1, 0, 0, 2};
    const double se[] = {0.05, 0.05, 0.05, 0.05};
    es_rng rng = test_rng(2, 2);
    for (size_t r = 0; r < ROWS; r++) {
        double common = es_rng_normal(&rng);
        own[r] = 0;
        ab[r] = (float)(2 * (0.9 + common));
        ba[r] = (float)(0.9 + common + 0.01 * es_rng_normal(&rng));
        is[1] += (double)ab[r] / ROWS;
        is[2] += (double)ba[r] / ROWS;
    }
    const size_t models[] = {0, 1};
    es_comparison *c = NULL;
    assert_ok(es_comparison_new(is, se, pmi, ROWS, 2, models, 2, &c, NULL));
    assert_close(c->pair[0].gap, is[2] - is[1] / 2, 1e-12);
    assert_close(c->pair[0].gap_error, NOISE * 0.01 / sqrt(ROWS), 0.0001);
    assert_int_equal(c->pair[0].verdict, ES_VERDICT_EQUIVALENT);
    es_comparison_free(c);
    assert_ok(es_comparison_new(is, se, NULL, 0, 2, models, 2, &c, NULL));
    assert_int_equal(c->pair[0].verdict, ES_VERDICT_NOT_SEPARABLE);
    es_comparison_free(c);
    ba[7] = NAN; /* what one row lacks says nothing of the error */
    assert_ok(es_comparison_new(is, se, pmi, ROWS, 2, models, 2, &c, NULL));
    assert_close(c->pair[0].gap_error, NOISE * hypot(0.05, 0.025), 1e-12);
    es_comparison_free(c);
}

/* A matrix of a file has values by blocks of rows and no errors: the blocks make them, as in a
 * ranking. */
TEST(verdict__blocks_alone__make_the_errors) {
    const double is[] = {1, 0.8, 0.3, 2}, error = sqrt(0.02 / (4 * 3)), student = 3.182446305;
    float own[] = {1, 1, 1, 1}, two[] = {2, 2, 2, 2}, ab[] = {0.7F, 0.9F, 0.8F, 0.8F};
    float ba[] = {0.3F, 0.3F, 0.4F, 0.2F}, *pmi[4] = {own, ab, ba, two};
    const size_t models[] = {0, 1};
    es_comparison *c = NULL;
    assert_ok(es_comparison_new(is, NULL, pmi, 4, 2, models, 2, &c, NULL));
    assert_false(c->pair[0].without_errors);
    assert_close(c->z, student, 1e-6);
    assert_close(c->se[0][1], error, 1e-7);
    assert_close(c->se[1][0], error, 1e-7);
    assert_close(c->targets[0].error, NOISE * error, 1e-7);
    assert_int_equal(es_compared_half(c, 0, 1), -1); /* 0.4 +- 0.078 */
    es_comparison_free(c);
    const double nearly[] = {1, 1.2, 0.3, 2};
    float more[] = {1.0F, 1.4F, 1.1F, 1.3F};
    pmi[1] = more;
    assert_ok(es_comparison_new(nearly, NULL, pmi, 4, 2, models, 2, &c, NULL));
    assert_int_equal(es_compared_half(c, 0, 1), 0); /* 0.6 +- 0.174 */
    assert_int_equal(c->pair[0].verdict, ES_VERDICT_NOT_SEPARABLE);
    es_comparison_free(c);
    more[2] = (float)NAN; /* one hand is lacking, and with it the error */
    assert_ok(es_comparison_new(nearly, NULL, pmi, 4, 2, models, 2, &c, NULL));
    assert_true(c->pair[0].without_errors && isnan(c->se[0][1]));
    assert_int_equal(c->pair[0].verdict, ES_VERDICT_A_CONTAINS_B);
    es_comparison_free(c);
    const double se[] = {0.1, 0.1, 0.1, 0.1}; /* those that are given go before */
    assert_ok(es_comparison_new(nearly, se, pmi, 4, 2, models, 2, &c, NULL));
    assert_close(c->se[1][0], 0.1, 0);
    assert_close(c->z, 1.959963985, 1e-6);
    es_comparison_free(c);
}

/* Whether errors are known does not hang on whether there is a verdict; of a value that is not
 * known, nobody asks. */
TEST(comparison__unknown_verdict__says_whether_errors_are_known) {
    const double nan = (double)NAN, is[] = {nan, 0.95, 0.9, 1}, half[] = {1, 0.4, nan, 1};
    const double se[] = {nan, 0.1, 0.1, 0.1}, none[] = {nan, 0.1, nan, 0.1};
    const size_t models[] = {0, 1};
    const struct {
        const double *is, *se;
        bool without;
    } cases[] = {{is, NULL, true}, {is, se, false}, {half, NULL, true}, {half, none, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        es_comparison *c = compare(cases[k].is, cases[k].se, 2, models, 2);
        assert_int_equal(c->pair[0].verdict, ES_VERDICT_UNKNOWN);
        assert_int_equal(c->pair[0].without_errors, cases[k].without);
        es_comparison_without_shares(c);
        assert_int_equal(c->pair[0].without_errors, cases[k].without);
        es_comparison_free(c);
    }
}

/* Surely near: the gap and its width are below 0.05 together. */
TEST(comparison__near__is_said_of_what_is_sure) {
    const struct {
        double ab, ba, error;
        bool near;
    } cases[] = {{0.52, 0.48, 0, true},     {0.52, 0.48, 0.005, false},
                 {0.52, 0.48, 0.002, true}, {0.48, 0.52, 0.002, true},
                 {0.52, 0.46, 0, false},    {0.52, (double)NAN, 0.001, false}};
    const size_t models[] = {0, 1};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double is[] = {1, cases[k].ab, cases[k].ba, 1};
        const double se[] = {0.01, cases[k].error, cases[k].error, 0.01};
        es_comparison *c = compare(is, se, 2, models, 2);
        assert_int_equal(es_compared_near(c, 0), cases[k].near);
        es_comparison_free(c);
    }
}

TEST(rows__differences__come_largest_first) {
    const float a[] = {1, 5, NAN, 2}, b[] = {1.5F, -1, 0, 4};
    uint32_t row[4];
    assert_ok(es_compare_rows(a, b, 4, row, NULL));
    assert_int_equal(row[0], 1);
    assert_int_equal(row[1], 3);
    assert_int_equal(row[2], 0);
    assert_int_equal(row[3], 2);
}

TEST(comparison__bad_arguments__are_refused) {
    const double is[] = {1, 1, 1, 1};
    const size_t same[] = {1, 1}, far[] = {0, 2}, fine[] = {0, 1};
    es_comparison *c = NULL;
    assert_int_equal(es_comparison_new(is, NULL, NULL, 0, 2, same, 2, &c, test_err()), ES_EINVAL);
    assert_int_equal(es_comparison_new(is, NULL, NULL, 0, 2, far, 2, &c, test_err()), ES_EINVAL);
    assert_int_equal(es_comparison_new(is, NULL, NULL, 0, 2, fine, 1, &c, test_err()), ES_EINVAL);
    assert_int_equal(es_comparison_new(is, NULL, NULL, 0, 2, fine, 4, &c, test_err()), ES_EINVAL);
    assert_null(c);
}

/* Three models, two rows; model 2 is the target of both others. */
TEST(compared_rows__mean__over_the_other_targets) {
    const double is[] = {1, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1};
    const size_t models[] = {0, 1};
    float a2[] = {1, 4, (float)NAN}, b2[] = {3, 1, 0}, a0[] = {5, 0, 1}, b0[] = {0, 0, 2};
    float *pmi[9] = {[2] = a2, [5] = b2, [0] = a0, [3] = b0};
    es_comparison *c = compare(is, NULL, 3, models, 2);
    es_compared_rows *rows = NULL;
    assert_ok(es_compared_rows_new(pmi, 3, 3, c, 0, SIZE_MAX, &rows, NULL));
    assert_int_equal(rows->targets, 1); /* the compared do not count */
    assert_close(rows->difference[0], -2, 1e-12);
    assert_close(rows->difference[1], 3, 1e-12);
    assert_int_equal(rows->row[0], 1);
    assert_int_equal(rows->row[1], 0);
    assert_int_equal(rows->row[2], 2); /* not known: last */
    es_compared_rows_free(rows);
    assert_ok(es_compared_rows_new(pmi, 3, 3, c, 0, 0, &rows, NULL));
    assert_close(rows->difference[0], 5, 1e-12); /* one that is asked for counts */
    es_compared_rows_free(rows);
    rows = NULL;
    const bool out[] = {false, true, true}; /* the second is compared, and stays */
    es_comparison *without = compare(is, NULL, 3, models, 2);
    assert_ok(es_comparison_leave_out(without, out, 3, NULL));
    for (size_t t = 0; t < without->n_targets; t++)
        assert_int_not_equal(without->targets[t].target, 2);
    assert_int_equal(without->n_targets + 1, c->n_targets);
    assert_ok(es_compared_rows_new(pmi, 3, 3, without, 0, SIZE_MAX, &rows, NULL));
    assert_int_equal(rows->targets, 1); /* the compared, as no other one is left */
    assert_close(rows->difference[0], 5, 1e-12);
    es_compared_rows_free(rows);
    rows = NULL;
    es_comparison_free(without);
    pmi[5] = NULL;
    assert_ok(es_compared_rows_new(pmi, 3, 3, c, 0, SIZE_MAX, &rows, NULL));
    assert_int_equal(rows->targets, 1); /* no other target is left */
    assert_close(rows->difference[0], 5, 1e-12);
    es_compared_rows_free(rows);
    rows = NULL;
    assert_int_equal(es_compared_rows_new(pmi, 3, 3, c, 0, 2, &rows, NULL), ES_EEMPTY);
    assert_int_equal(es_compared_rows_new(NULL, 3, 3, c, 0, SIZE_MAX, &rows, NULL), ES_EEMPTY);
    assert_null(rows);
    es_comparison_free(c);
}
