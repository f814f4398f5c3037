/* What other tasks say of a task that is left out: against NumPy, by the seed, of few and of many.
 */
#include "downstream_cases.h"

#include "core_downstream.h"

static size_t baselines(const double *score, const double *task, size_t tasks, size_t n,
                        uint64_t seed, es_task_baseline *out) {
    size_t count = 0;
    assert_ok(es_task_baselines_of(score, task, tasks, n, seed, out, &count, test_err()));
    return count;
}

TEST(baselines__reference__equal_numpy) {
    static const char *const expected[ES_TASK_BASELINES] = {
        "baseline_all_0", "baseline_all_1", "baseline_1_0", "baseline_1_1",
        "baseline_2_0",   "baseline_2_1",   "baseline_4_0", "baseline_4_1"};
    static const char *const names[ES_TASK_BASELINES] = {
        "leaderboard", "leaderboard + ranking", "1 task",  "1 task + ranking",
        "2 tasks",     "2 tasks + ranking",     "4 tasks", "4 tasks + ranking"};
    downstream_case c = case_read();
    es_task_baseline out[ES_TASK_BASELINES];
    assert_int_equal(baselines(c.lead, c.task, CASE_TASKS, CASE_N, 7, out), ES_TASK_BASELINES);
    for (size_t k = 0; k < ES_TASK_BASELINES; k++) {
        assert_string_equal(out[k].name, names[k]);
        assert_close(out[k].spearman, case_expected(expected[k]), 1e-9);
    }
    assert_int_equal(out[0].tasks, CASE_TASKS - 1);
    assert_true(out[1].combined && !out[2].combined && out[2].tasks == 1);
}

TEST(baselines__few_tasks__have_few_rows) {
    downstream_case c = case_read();
    es_task_baseline out[ES_TASK_BASELINES];
    assert_int_equal(baselines(c.lead, c.task, 1, CASE_N, 7, out), 0);
    assert_int_equal(baselines(c.lead, c.task, 2, CASE_N, 7, out), 2); /* one other is all others */
    assert_int_equal(baselines(NULL, c.task, 2, CASE_N, 7, out), 1);
    assert_int_equal(baselines(c.lead, c.task, 5, CASE_N, 7, out), 6);
    const double flat[2 * CASE_N] = {0};
    assert_int_equal(baselines(NULL, flat, 2, CASE_N, 7, out), 1);
    assert_true(isnan(out[0].spearman));
}

/* Of tasks that are a common part and noise: more tasks say more, and a good ranking adds to few.
 */
TEST(baselines__more_tasks__say_more) {
    enum { N = 60, MANY = 30 };
    static double task[MANY * N], score[N];
    es_task_baseline a[ES_TASK_BASELINES], b[ES_TASK_BASELINES];
    es_rng rng = test_rng(9, 9);
    for (size_t i = 0; i < N; i++) {
        double common = es_rng_normal(&rng);
        score[i] = common + 0.7 * es_rng_normal(&rng);
        for (size_t t = 0; t < MANY; t++)
            task[t * N + i] = common + es_rng_normal(&rng);
    }
    assert_int_equal(baselines(score, task, MANY, N, 3, a), ES_TASK_BASELINES);
    assert_int_equal(baselines(score, task, MANY, N, 3, b), ES_TASK_BASELINES);
    for (size_t k = 0; k < ES_TASK_BASELINES; k++)
        assert_true(a[k].spearman == b[k].spearman);
    assert_true(a[2].spearman < a[4].spearman && a[4].spearman < a[6].spearman);
    assert_true(a[6].spearman < a[0].spearman);
    assert_true(a[3].spearman > a[2].spearman + 0.05 && a[5].spearman > a[4].spearman);
    (void)baselines(score, task, MANY, N, 4, b);
    assert_true(a[4].spearman != b[4].spearman); /* of 406 pairs of tasks 50 are drawn */
    assert_close(a[4].spearman, b[4].spearman, 0.02);
    assert_true(a[0].spearman == b[0].spearman);
}
