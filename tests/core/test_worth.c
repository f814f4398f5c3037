/* What a score is worth in tasks, and its combination with tasks: against NumPy and by hand. */
#include "downstream_cases.h"

#include "core_downstream.h"

static es_worth worth(const double *score, const double *task, size_t tasks, size_t n) {
    es_worth found;
    assert_ok(es_worth_of(score, task, tasks, n, &found, test_err()));
    return found;
}

TEST(worth__reference__equals_numpy) {
    downstream_case c = case_read();
    es_worth found = worth(c.lead, c.task, CASE_TASKS, CASE_N);
    assert_close(found.with_task, case_expected("worth_q"), 1e-6);
    assert_close(found.between, case_expected("worth_c"), 1e-6);
    assert_close(found.tasks, case_expected("worth_tasks"), 1e-6);
}

TEST(worth__extremes__are_none_and_all) {
    const double up[] = {1, 2, 3, 4, 5, 6, 7}, down[] = {7, 6, 5, 4, 3, 2, 1},
                 tasks[] = {1, 2, 3, 5, 4, 6, 7, 2, 1, 3, 4, 5, 6, 7}, flat[14] = {0};
    assert_true(isinf(worth(up, tasks, 2, 7).tasks));
    assert_true(worth(down, tasks, 2, 7).tasks == 0);
    assert_true(isnan(worth(up, flat, 2, 7).tasks));
    assert_true(isnan(worth(up, tasks, 1, 7).tasks)); /* no two tasks */
    const double few[] = {1, 2, 3, 4, 5, 6, (double)NAN};
    assert_true(isnan(worth(few, tasks, 2, 7).tasks)); /* six embedders say nothing */
}

/* Of tasks that are a common part and noise, a score like the mean of two such tasks is worth two.
 */
TEST(worth__mean_of_two_tasks__is_two) {
    enum { N = 400, T = 41 };
    static double task[T * N], score[N];
    es_rng rng = test_rng(3, 4);
    for (size_t i = 0; i < N; i++) {
        double common = es_rng_normal(&rng);
        for (size_t t = 0; t < T; t++)
            task[t * N + i] = common + es_rng_normal(&rng);
        score[i] = common + (es_rng_normal(&rng) + es_rng_normal(&rng)) / 2;
    }
    double tasks = worth(score, task, T, N).tasks;
    assert_true(tasks > 1.7 && tasks < 2.4);
}

TEST(combine__reference__equals_numpy) {
    downstream_case c = case_read();
    double out[CASE_N];
    assert_ok(es_combine_tasks(c.lead, ES_COMBINE_TASKS, c.task, 3, CASE_N, out, NULL));
    for (size_t i = 0; i < CASE_N; i++)
        assert_close(out[i], c.combined[i], 1e-6);
}

TEST(combine__missing__counts_as_the_middle) {
    const double score[] = {1, 2, 3, (double)NAN}, task[] = {3, (double)NAN, 1, 2};
    double out[4], normal[4];
    assert_ok(es_combine_tasks(score, 2, task, 1, 4, out, NULL));
    assert_ok(es_normal_scores(score, 4, normal, NULL));
    assert_close(normal[0], -0.967421566101701, 1e-12); /* the quantile of 1/6 */
    assert_true(isnan(normal[3]) && isnan(out[3]));
    assert_close(out[1], 0, 1e-12); /* in the middle, no task */
    assert_close(out[0], -out[2], 1e-12);
    assert_ok(es_combine_tasks(NULL, 2, task, 1, 4, out, NULL));
    assert_close(out[0], -normal[0], 1e-12);
    assert_close(out[1], 0, 1e-12);
}
