/* What a table of scores settles: known answers, missing cells, coverage on simulated boards. */
#include "testing.h"
#include "core_downstream.h"

static es_board *board_of(const double *value, size_t m, size_t tasks, const uint32_t *category) {
    const es_board_problem problem = {
        .value = value, .m = m, .tasks = tasks, .category = category, .seed = 1};
    es_board *board = NULL;
    assert_ok(es_board_new(&problem, NULL, &board, NULL));
    return board;
}

/* Means, mean ranks and Borda shares by hand, with a tie and a hole. */
TEST(board__small_table__means_and_ranks) {
    const double value[] = {3, 1, 5, 2, 1, (double)NAN, 1, 0, 4};
    es_board *b = board_of(value, 3, 3, NULL);
    assert_false(b->said); /* three tasks */
    assert_int_equal(b->count[1], 2);
    assert_float_equal(b->mean[0], 3, 1e-12);
    assert_float_equal(b->mean[1], 1.5, 1e-12);
    assert_float_equal(b->mean_rank[0], (1 + 1.5 + 1) / 3, 1e-12);
    assert_float_equal(b->borda[1], (0.5 + 0.75) / 2, 1e-12);
    /* delta(0, 1) = (1 + 0) / 2, delta(0, 2) = (2 + 1 + 1) / 3 */
    assert_float_equal(b->lead[0], (0.5 + 4.0 / 3) / 2, 1e-12);
    assert_int_equal(b->order[0], 0);
    assert_int_equal(b->rank_low[2], 1);
    assert_int_equal(b->rank_high[0], 3);
    assert_false(b->best[0]);
    es_board_free(b);
}

/* A model that is better by a constant has no error; equal models share a rank, whatever their
 * number. */
TEST(board__constant_difference__is_ahead) {
    double value[4 * 8];
    es_rng rng = test_rng(1, 1);
    for (size_t t = 0; t < 8; t++) {
        double task = es_rng_normal(&rng);
        for (size_t i = 0; i < 4; i++)
            value[i * 8 + t] = task + (i == 2 ? 1 : 0);
    }
    es_board *b = board_of(value, 4, 8, NULL);
    assert_true(b->said && b->best[2] && b->ahead[2 * 4 + 0]);
    assert_false(b->best[0] || b->best[1] || b->best[3]);
    assert_int_equal(b->rank[0], 2);
    assert_int_equal(b->rank[3], 2);
    assert_int_equal(b->rank_low[3], 2);
    es_board_free(b);
}

/* Outside the set exactly who has somebody ahead; lows of members are 1, of others 2 or more. */
static void check_consistent(const es_board *b) {
    for (size_t i = 0; i < b->m; i++) {
        bool behind = false;
        for (size_t j = 0; j < b->m; j++) {
            behind |= b->ahead[j * b->m + i];
            assert_false(b->ahead[i * b->m + j] && b->ahead[j * b->m + i]);
        }
        assert_int_equal(b->best[i], !behind);
        assert_true(b->best[i] ? b->rank_low[i] == 1 : b->rank_low[i] >= 2);
        assert_true(b->rank_low[i] <= b->rank_high[i] && b->rank_high[i] <= b->m);
    }
    assert_true(b->best[b->order[0]]);
}

/* Scores of models with known means on tasks that differ. */
static void simulate(es_rng *rng, double *value, size_t m, size_t tasks, double spread,
                     double holes) {
    for (size_t i = 0; i < m; i++)
        for (size_t t = 0; t < tasks; t++) {
            double x = spread * (double)(m - i) / (double)m + es_rng_normal(rng);
            value[i * tasks + t] = es_rng_uniform(rng) < holes ? (double)NAN : x;
        }
}

/* Of 200 boards, the best on as many other tasks is a candidate in .95; what is shown ahead is
 * contradicted in .02 of the neighbours at most. */
TEST(board__other_tasks__hold_the_best) {
    enum { M = 12, TASKS = 16, BOARDS = 200 };
    double value[M * TASKS], other[M * TASKS];
    size_t held = 0, told = 0, wrong = 0, size = 0;
    es_rng rng = test_rng(7, 1);
    for (size_t k = 0; k < BOARDS; k++) {
        simulate(&rng, value, M, TASKS, 3, k % 2 ? 0.1 : 0);
        simulate(&rng, other, M, TASKS, 3, 0);
        es_board *b = board_of(value, M, TASKS, NULL);
        double mean[M] = {0};
        size_t best = 0;
        check_consistent(b);
        for (size_t i = 0; i < M; i++) {
            for (size_t t = 0; t < TASKS; t++)
                mean[i] += other[i * TASKS + t];
            best = mean[i] > mean[best] ? i : best;
            size += b->best[i];
        }
        held += b->best[best];
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < M; j++)
                if (b->ahead[i * M + j]) {
                    told++;
                    wrong += mean[i] < mean[j];
                }
        es_board_free(b);
    }
    assert_true((double)held >= 0.95 * BOARDS);
    assert_true(told > BOARDS && (double)wrong <= 0.02 * (double)told);
    assert_true(size < M * BOARDS / 2); /* and it does say something */
}

/* Five categories carry the errors: tasks that repeat each other count once. */
TEST(board__categories__repeated_tasks_settle_nothing) {
    enum { M = 6, KINDS = 6, EACH = 20 };
    double value[M * KINDS * EACH];
    uint32_t category[KINDS * EACH];
    es_rng rng = test_rng(3, 1);
    for (size_t i = 0; i < M; i++)
        for (size_t k = 0; k < KINDS; k++) {
            double x = es_rng_normal(&rng);
            for (size_t e = 0; e < EACH; e++) {
                value[i * KINDS * EACH + k * EACH + e] = x + 0.01 * es_rng_normal(&rng);
                category[k * EACH + e] = (uint32_t)k;
            }
        }
    es_board *alone = board_of(value, M, KINDS * EACH, NULL);
    es_board *kinds = board_of(value, M, KINDS * EACH, category);
    size_t few = 0, many = 0;
    for (size_t i = 0; i < M; i++) {
        few += alone->best[i];
        many += kinds->best[i];
    }
    check_consistent(kinds);
    assert_true(kinds->by_category && kinds->clusters == KINDS);
    assert_true(many > few);
    es_board_free(alone);
    es_board_free(kinds);
}

/* Models that share fewer than five tasks are not distinguished. */
TEST(board__few_tasks_in_common__not_told_apart) {
    enum { TASKS = 10 };
    double value[3 * TASKS];
    for (size_t t = 0; t < TASKS; t++) {
        value[t] = t < 4 ? 100 : (double)NAN;
        value[TASKS + t] = (double)t;
        value[2 * TASKS + t] = (double)t - 1 - 0.01 * (double)(t % 3);
    }
    es_board *b = board_of(value, 3, TASKS, NULL);
    assert_int_equal(b->count[0], 4);
    assert_int_equal(b->rank[0], 1);
    assert_false(b->ahead[0 * 3 + 1] || b->ahead[0 * 3 + 2]);
    assert_true(b->ahead[1 * 3 + 2]);
    es_board_free(b);
}

/* Differences 1 to 6: mean 3.5, standard error sqrt(17.5 / 30), t(.975; 5) = 2.5706. */
TEST(board__two_models__paired_interval) {
    const double value[] = {1, 2, 3, 4, 5, 6, (double)NAN, 0, 0, 0, 0, 0, 0, 9};
    const es_board_problem problem = {.value = value, .m = 2, .tasks = 7};
    es_board_pair pair;
    assert_ok(es_board_pair_of(&problem, 0, 1, &pair, NULL));
    assert_int_equal(pair.tasks, 6);
    assert_int_equal(pair.clusters, 6);
    assert_float_equal(pair.lead, 3.5, 1e-12);
    assert_float_equal(pair.low, (3.5 - 2.570582 * sqrt(17.5 / 30)), 1e-5);
    assert_float_equal(pair.high, (3.5 + 2.570582 * sqrt(17.5 / 30)), 1e-5);
    const es_board_problem few = {.value = value + 4, .m = 2, .tasks = 2};
    assert_ok(es_board_pair_of(&few, 0, 1, &pair, NULL));
    assert_true(isnan(pair.low) && isnan(pair.high));
}
