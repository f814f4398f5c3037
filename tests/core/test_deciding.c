/* A mean over rows that is the doing of one of them. */
#include "table.h"

#include "embedscope/compare.h"
#include "base.h"

enum { MOST = 400 };

static void fill(es_rng *rng, float *values, size_t n, double mean) {
    for (size_t i = 0; i < n; i++)
        values[i] = (float)(mean + es_rng_normal(rng));
}

/* The mean of all but one, as one would write it down. */
static double mean_without(const float *values, size_t n, size_t row) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += i == row ? 0 : (double)values[i];
    return sum / (double)(n - 1);
}

TEST(row__ordinary_values__decides_nothing) {
    static const double means[] = {0, 0.02, 1};
    float values[MOST];
    size_t marked = 0, all = 0;
    es_rng rng = test_rng(1, 1);
    for (size_t k = 0; k < 3000; k++) {
        double without = 0;
        size_t n = 20 + k % (MOST - 20);
        fill(&rng, values, n, means[k % 3]);
        marked += es_row_decides(values, n, &without) != SIZE_MAX;
        all++;
    }
    print_message("%zu of %zu\n", marked, all);
    assert_true(marked * 200 < all);
}

TEST(row__planted__is_found_wherever_it_is) {
    float values[MOST];
    es_rng rng = test_rng(2, 1);
    for (size_t k = 0; k < 200; k++) {
        double without = 0;
        size_t n = 3 + es_rng_below(&rng, MOST - 3), at = es_rng_below(&rng, n);
        fill(&rng, values, n, 0.3);
        values[at] = (float)((k % 2 ? -115.0 : 115.0) * (double)n);
        assert_int_equal(es_row_decides(values, n, &without), at);
        assert_close(without, mean_without(values, n, at), 1e-9);
    }
}

/* By how much its absence moves the mean against what is left of it, and against its error. */
TEST(row__near_the_thresholds__is_judged_by_both) {
    float values[100];
    double without = 0;
    for (size_t i = 0; i < 100; i++)
        values[i] = i % 2 ? 1.1F : 0.9F;
    values[7] = 1 + 0.24F * 100; /* 24 errors, but a fifth of the mean and a bit */
    assert_true(es_row_decides(values, 100, &without) == SIZE_MAX);
    values[7] = 1 + 0.26F * 100;
    assert_int_equal(es_row_decides(values, 100, &without), 7);
    for (size_t i = 0; i < 100; i++)
        values[i] = i % 2 ? 1 : -1; /* a mean of 0: any change is large beside it */
    values[8] = 15;                 /* 1.6 errors of about 0.1 */
    assert_true(es_row_decides(values, 100, &without) == SIZE_MAX);
    values[8] = 25;
    assert_int_equal(es_row_decides(values, 100, &without), 8);
}

/* As far below 0 as the others are above: it is the mean that it is far from. */
TEST(row__of_the_other_sign__is_found) {
    const float values[] = {10, 9.9F, -10, 10.1F, 10};
    double without = 0;
    assert_int_equal(es_row_decides(values, 5, &without), 2);
    assert_close(without, mean_without(values, 5, 2), 1e-9);
}

TEST(row__not_alone_or_not_known__is_none) {
    float values[100] = {0};
    double without = 0;
    assert_true(es_row_decides(values, 100, &without) == SIZE_MAX);
    values[3] = values[60] = 1000; /* two rows */
    assert_true(es_row_decides(values, 100, &without) == SIZE_MAX);
    values[60] = 0;
    assert_int_equal(es_row_decides(values, 100, &without), 3);
    assert_true(without == 0.0);
    assert_true(es_row_decides(values, 2, &without) == SIZE_MAX);
    values[9] = (float)NAN;
    assert_true(es_row_decides(values, 100, &without) == SIZE_MAX);
    values[9] = (float)INFINITY;
    assert_true(es_row_decides(values, 100, &without) == SIZE_MAX);
}
