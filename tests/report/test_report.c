/* What a session's ranking, communities and correlation are: of results that are not complete, and
 * the right way round for an estimator of errors. */
#include "testing.h"
#include "report.h"
#include "refuse.h"
#include "report_answer.h"

enum { M = 4 };

typedef struct small {
    double is[M * M];
    uint8_t state[M * M];
    size_t dim[M];
    char *name[M], *family[M];
    es_results results;
} small;

/* c knows most of the others, then a; of d's target a nothing will be known. */
static void small_init(small *s, const char *estimator) {
    static char *const names[M] = {"c", "a", "d", "b"};
    static const double is[M * M] = {9, 3, 3, 3, 2, 9, 2, 2, 1, NAN, 9, 1, 0, 0, 0, 9};
    memset(s, 0, sizeof *s);
    memcpy(s->name, names, sizeof names);
    memcpy(s->is, is, sizeof is);
    for (size_t cell = 0; cell < sizeof is / sizeof *is; cell++)
        s->state[cell] = isnan(is[cell]) ? ES_PAIR_FAILED : ES_PAIR_DONE;
    s->results = (es_results){.m = M,
                              .name = s->name,
                              .family = s->family,
                              .dim = s->dim,
                              .is = s->is,
                              .state = s->state,
                              .estimator = es_estimator_find(estimator)};
}

TEST(rank_report__missing_pair__is_left_out) {
    small s;
    es_rank_report *report = NULL;
    const es_rank_choices how = {.with_intervals = true, .seed = 1};
    small_init(&s, "linear");
    assert_ok(es_rank_report_new(&s.results, &how, &report, NULL));
    assert_int_equal(report->order[0], 0);
    assert_int_equal(report->order[1], 1);
    assert_int_equal(report->order[M - 1], 3);
    assert_true(fabs(report->ranking->score[2] - 1) < 1e-12);
    assert_int_equal(report->ranking->pairs[2], M - 2);
    assert_int_equal(report->ranking->of[2], M - 1);
    assert_true(report->has_community);
    assert_non_null(report->decision);
    es_rank_report_free(report);
    s.state[2 * M + 1] = ES_PAIR_PENDING; /* while it may still come, d is compared with nobody */
    assert_ok(es_rank_report_new(&s.results, &how, &report, NULL));
    assert_true(isnan(report->ranking->score[2]) && isfinite(report->ranking->score[3]));
    assert_int_equal(report->ranking->pairs[2], M - 2);
    es_rank_report_free(report);
}

TEST(rank_results__errors__turn_the_ranking) {
    small s;
    es_ranking *ranking = NULL;
    uint32_t order[M], group[M];
    bool known = true;
    small_init(&s, "l2");
    assert_true(es_rank_lower_is_better(&s.results));
    assert_ok(es_rank_results(&s.results, true, &ranking, NULL));
    assert_int_equal(ranking->rank[3], 1);
    assert_int_equal(ranking->rank[0], M);
    assert_ok(es_order_models(&s.results, ES_ORDER_RANK, ranking->rank, 0, 0, order, NULL));
    assert_int_equal(order[0], 3);
    /* an error is no weight of an edge */
    assert_ok(es_families_group(&s.results, 0, 0, group, &known, NULL));
    assert_false(known);
    es_ranking_free(ranking);
}

TEST(rank_by_name__any_file__is_one_order) {
    small s;
    uint32_t order[M];
    small_init(&s, "linear");
    assert_ok(es_rank_by_name(&s.results, order, NULL));
    const uint32_t expected[M] = {1, 3, 0, 2};
    assert_memory_equal(order, expected, sizeof order);
}

TEST(task_columns__who_lacks_a_task__has_no_sum) {
    const double x[M] = {1, 1, 1, (double)NAN};
    double y[4 * M] = {4, 3, 2, 1, 1, 2, (double)NAN, 4}, *rank = y + 2 * M, *mean = y + 3 * M;
    char *task[2] = {"acc", "mean"};
    es_scores scores = {.models = M, .tasks = 2, .task = task};
    size_t complete = 0;
    assert_int_equal(es_task_columns(&scores), 4);
    assert_int_equal(es_task_column_find(&scores, "mean"), 1); /* a task before a sum */
    assert_ok(es_task_columns_sum(&scores, M, NULL, y, &complete, NULL));
    assert_int_equal(complete, 3);
    assert_true(fabs(rank[0] - (-2)) < 1e-12); /* first and last of three */
    assert_true(fabs(rank[1] - (-2)) < 1e-12);
    assert_true(isnan(rank[2]) && isnan(mean[2]));
    assert_true(fabs(rank[3] - (-2)) < 1e-12);
    assert_true(fabs(mean[0] - 2.5) < 1e-12 && fabs(mean[3] - 2.5) < 1e-12);
    assert_ok(es_task_columns_sum(&scores, M, x, y, &complete, NULL));
    assert_int_equal(complete, 2);
    assert_true(isnan(rank[3]));
    assert_true(fabs(rank[0] - (-1.5)) < 1e-12);
    assert_true(fabs(mean[3] - 2.5) < 1e-12); /* a mean asks nobody else */
}

TEST(task_columns__weights__are_those_of_tasks_csv) {
    double y[4 * M] = {4, 3, 2, 1, 1, 2, 3, 4};
    char *task[2] = {"acc", "rmse"};
    es_task_about about[2] = {{.weight = 3, .lower = -1}, {.weight = 1, .lower = 1}};
    es_scores scores = {.models = M, .tasks = 2, .task = task, .about = about};
    assert_ok(es_task_columns_sum(&scores, M, NULL, y, NULL, NULL));
    assert_true(fabs(y[2 * M] - (-1.75)) < 1e-12); /* (3 * 1 + 1 * 4) / 4 */
    assert_true(fabs(y[3 * M] - 3.25) < 1e-12);    /* (3 * 4 + 1 * 1) / 4 */
    assert_true(es_task_column_is_turned(&scores, 1) && es_task_column_is_turned(&scores, 2));
    assert_false(es_task_column_is_turned(&scores, 0) || es_task_column_is_turned(&scores, 3));
}

TEST(correlation_set__joined__is_best_first) {
    double score[M] = {1, 4, 2, 3}, none[M] = {NAN, NAN, NAN, NAN}, value[M] = {10, 40, 20, 30};
    char *models[M] = {"c", "a", "d", "b"}, *tasks[1] = {"one"};
    const size_t partner[M] = {0, 1, SIZE_MAX, 3};
    bool counts[M];
    uint32_t family[M];
    for (uint32_t i = 0; i < M; i++) {
        counts[i] = true;
        family[i] = i;
    }
    const es_scored scored = {.n = M,
                              .name = (const char *const *)models,
                              .score = score,
                              .dim = none,
                              .l2 = none,
                              .counts = counts,
                              .family = family};
    const es_scores scores = {
        .models = M, .tasks = 1, .model = models, .task = tasks, .value = value};
    const es_correlate_options options = {.draws = 20, .permutations = 19, .level = 0.95};
    es_correlation_set *set = NULL;
    assert_ok(es_correlation_set_new(&scored, &scores, partner, &options, &set, NULL));
    assert_int_equal(set->n, 3);
    assert_int_equal(set->columns, 1);
    assert_int_equal(set->at[0], 1);
    assert_int_equal(set->at[2], 0);
    assert_true(fabs(set->report[0].value[ES_SPEARMAN].value - 1) < 1e-12);
    assert_false(set->has[ES_BASELINE_DIM]);
    es_correlation_set_free(set);
}

/* The same for workers: it owns the table, draws for the columns that are chosen, and can be
 * cancelled. */
TEST(correlation_work__chosen_columns__are_drawn) {
    enum { N = 8 };
    char *models[N] = {"a", "b", "c", "d", "e", "f", "g", "h"}, *tasks[2] = {"one", "two"};
    double value[2 * N];
    for (size_t i = 0; i < 2 * N; i++)
        value[i] = (double)((i * 7) % 11);
    const es_scores scores = {
        .models = N, .tasks = 2, .model = models, .task = tasks, .value = value};
    bool met = true;
    for (long k = 0; met; k++) {
        es_correlation_work *work = NULL;
        refuse_one(k);
        es_status st = es_correlation_work_new(N, &scores, &work, NULL);
        for (size_t i = 0; st == ES_OK && i < N; i++) {
            work->name[i] = models[i];
            work->partner[i] = i;
            work->scored.score[i] = (double)((i * 3) % 8);
            work->draw[1] = true;
        }
        if (st == ES_OK)
            st = es_correlation_work_run(work, NULL, NULL);
        met = refuse_end();
        assert_true(st == ES_OK || (met && st == ES_ENOMEM));
        assert_true(met || (work->set->drawn[1] && !work->set->drawn[0]));
        assert_true(met || isfinite(work->set->report[1].low[ES_KENDALL]));
        assert_true(met || (isnan(work->set->report[0].low[ES_KENDALL]) &&
                            isfinite(work->set->report[0].low[ES_SPEARMAN])));
        if (!met) {
            es_run canceled;
            es_run_init(&canceled);
            es_run_cancel(&canceled);
            es_correlation_set_free(work->set);
            work->set = NULL;
            assert_int_equal(es_correlation_work_run(work, &canceled, NULL), ES_ECANCELED);
            assert_null(work->set);
        }
        es_correlation_work_free(work);
    }
}
