/* Mean z-scores and ranks of rivals, and slopes on what was varied, against values worked out by
 * hand. */
#include "testing.h"
#include "core_downstream.h"

static void near(double a, double b) {
    if (!(fabs(a - b) < 1e-9))
        fail_msg("%.12g is not %.12g", a, b);
}

TEST(rivals__two_settings__are_summed_up) {
    const double score[2][4] = {{0.9, 0.8, 0.8, NAN}, {0.2, 0.4, 0.6, 0.8}};
    double z[2][4], mean[4], rank[4];
    assert_ok(es_rivals_summarise(score[0], 2, 4, z[0], mean, rank, NULL));
    /* 0.9, 0.8, 0.8: mean 5/6, variance 1/300; 0.2 ... 0.8: mean 0.5, variance 1/15 */
    near(z[0][0], (1.0 / 15) * sqrt(300));
    near(z[1][3], 0.3 * sqrt(15));
    assert_true(isnan(z[0][3]));
    near(mean[3], 0.3 * sqrt(15));
    near(mean[0], ((1.0 / 15) * sqrt(300) - 0.3 * sqrt(15)) / 2);
    near(rank[0], (1 + 4) / 2.0);
    near(rank[1], (2.5 + 3) / 2);
    near(rank[2], (2.5 + 2) / 2);
    near(rank[3], 1);
}

/* The mean of seven times 0.9 is not 0.9: all would be as far from it, by less than nothing. */
TEST(rivals__equal_scores__have_no_z) {
    double score[7], z[7], mean[7], rank[7];
    for (size_t i = 0; i < 7; i++)
        score[i] = 0.9;
    assert_ok(es_rivals_summarise(score, 1, 7, z, mean, rank, NULL));
    for (size_t i = 0; i < 7; i++) {
        assert_true(isnan(z[i]) && isnan(mean[i]));
        near(rank[i], 4);
    }
}

TEST(rivals__slopes__have_a_mean_and_an_interval) {
    /* rivals 0, 2, 3 at x 1, 2, 4; slopes 1, 2 and 3 */
    double z[3][4];
    const size_t rival[] = {0, 2, 3};
    const double x[] = {1, 2, 4};
    for (size_t s = 0; s < 3; s++)
        for (size_t i = 0; i < 3; i++)
            z[s][rival[i]] = (double)(s + 1) * x[i] - 5;
    for (size_t s = 0; s < 3; s++)
        z[s][1] = 1e9;
    es_rivals_slope slope = es_rivals_slope_of(z[0], 3, 4, rival, x, 3);
    const double quantile = 4.302652729911275; /* t(0.975, 2) */
    assert_int_equal(slope.settings, 3);
    near(slope.mean, 2);
    near(slope.high - slope.mean, quantile / sqrt(3));
    near(slope.mean - slope.low, quantile / sqrt(3));
    near(slope.t, 2 * sqrt(3));
    near(slope.p, 0.0741799002274);
    /* what cannot be known */
    slope = es_rivals_slope_of(z[0], 1, 4, rival, x, 3);
    near(slope.mean, 1);
    assert_true(isnan(slope.low) && isnan(slope.p));
    slope = es_rivals_slope_of(z[0], 3, 4, rival, x, 1);
    assert_true(slope.settings == 0 && isnan(slope.mean));
    /* not on a line: x - 7/3 is -4/3, -1/3, 5/3 and y 0, 3, 1 */
    const double bent[4] = {0, 1e9, 3, 1};
    near(es_rivals_slope_of(bent, 1, 4, rival, x, 3).mean, 1.0 / 7);
    z[1][0] = NAN;
    slope = es_rivals_slope_of(z[0], 3, 4, rival, x, 3);
    near(slope.mean, 2);
}
