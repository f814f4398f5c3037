/* Intervals of errors, where the lowest score is the best. */
#include "testing.h"
#include "embedscope/ranking.h"
#include "base.h"

enum { M = 10, ROWS = 50 };

/* The median of errors is minus the median of minus the errors, and so is everything else. */
TEST(intervals__lower_is_better__mirrors_the_negative) {
    static double is[2][M * M];
    static float values[2][M * M][ROWS];
    float *pmi[2][M * M];
    es_rng rng = test_rng(3, 4);
    for (size_t i = 0; i < (size_t)M * M; i++) {
        double sum = 0;
        for (size_t k = 0; k < ROWS; k++) {
            values[0][i][k] = (float)(0.1 * (double)(i / M) + es_rng_normal(&rng));
            values[1][i][k] = -values[0][i][k];
            sum += (double)values[0][i][k];
        }
        is[0][i] = sum / ROWS;
        is[1][i] = -is[0][i];
        pmi[0][i] = values[0][i];
        pmi[1][i] = values[1][i];
    }
    es_intervals *x[2];
    for (int k = 0; k < 2; k++) {
        es_bootstrap problem = {.is = is[k],
                                .pmi = pmi[k],
                                .m = M,
                                .n_eval = ROWS,
                                .lower_is_better = k == 0,
                                .draws = 400};
        assert_ok(es_intervals_new(&problem, NULL, &x[k], NULL));
    }
    for (size_t i = 0; i < M; i++) {
        assert_true(x[0]->low[i] <= x[0]->high[i]);
        assert_true(fabs(x[0]->low[i] + x[1]->high[i]) < 1e-6);
        assert_int_equal(x[0]->rank_low[i], x[1]->rank_low[i]);
        assert_int_equal(x[0]->rank_high[i], x[1]->rank_high[i]);
        /* Draws are added up in single precision, in an order that the machine chooses. */
        assert_true(fabs(x[0]->se[i] - x[1]->se[i]) < 1e-7 * x[0]->se[i]);
    }
    assert_int_equal(x[0]->resample, ES_RESAMPLE_BOTH);
    assert_true(x[0]->rank_high[0] < x[0]->rank_low[M - 1]); /* the smallest errors are first */
    es_intervals_free(x[0]);
    es_intervals_free(x[1]);
}
