/* What a session's ranking, communities and correlation are: of results that are not complete, and
 * the right way round for an estimator of errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "correlation_set.h"
#include "families.h"
#include "model_order.h"
#include "rank_report.h"
#include "results_rank.h"

#include "estimator.h"

enum { M = 4 };

typedef struct small {
    double is[M * M];
    size_t dim[M];
    char *name[M], *family[M];
    es_results results;
} small;

/* c knows most of the others, then a; nothing is known of d's target a. */
static void small_init(small *s, const char *estimator) {
    static char *const names[M] = {"c", "a", "d", "b"};
    static const double is[M * M] = {9, 3, 3, 3, 2, 9, 2, 2, 1, NAN, 9, 1, 0, 0, 0, 9};
    memset(s, 0, sizeof *s);
    memcpy(s->name, names, sizeof names);
    memcpy(s->is, is, sizeof is);
    s->results = (es_results){.m = M,
                              .name = s->name,
                              .family = s->family,
                              .dim = s->dim,
                              .is = s->is,
                              .estimator = es_estimator_find(estimator)};
}

static void rank_report__missing_pair__is_left_out(void **state) {
    (void)state;
    small s;
    es_rank_report *report = NULL;
    const es_rank_choices how = {.with_intervals = true, .seed = 1};
    small_init(&s, "linear");
    assert_int_equal(es_rank_report_new(&s.results, &how, &report, NULL), ES_OK);
    assert_int_equal(report->order[0], 0);
    assert_int_equal(report->order[1], 1);
    assert_int_equal(report->order[M - 1], 3);
    assert_true(fabs(report->ranking->score[2] - 1) < 1e-12);
    assert_int_equal(report->ranking->pairs[2], M - 2);
    assert_int_equal(report->ranking->of[2], M - 1);
    assert_true(report->has_community);
    assert_non_null(report->decision);
    es_rank_report_free(report);
}

static void rank_results__errors__turn_the_ranking(void **state) {
    (void)state;
    small s;
    es_ranking *ranking = NULL;
    uint32_t order[M], group[M];
    bool known = true;
    small_init(&s, "l2");
    assert_true(es_rank_lower_is_better(&s.results));
    assert_int_equal(es_rank_results(&s.results, true, &ranking, NULL), ES_OK);
    assert_int_equal(ranking->rank[3], 1);
    assert_int_equal(ranking->rank[0], M);
    assert_int_equal(es_order_models(&s.results, ES_ORDER_RANK, ranking, 0, order, NULL), ES_OK);
    assert_int_equal(order[0], 3);
    /* an error is no weight of an edge */
    assert_int_equal(es_families_group(&s.results, 0, group, &known, NULL), ES_OK);
    assert_false(known);
    es_ranking_free(ranking);
}

static void rank_by_name__any_file__is_one_order(void **state) {
    (void)state;
    small s;
    uint32_t order[M];
    small_init(&s, "linear");
    assert_int_equal(es_rank_by_name(&s.results, order, NULL), ES_OK);
    const uint32_t expected[M] = {1, 3, 0, 2};
    assert_memory_equal(order, expected, sizeof order);
}

static void mean_rank__who_lacks_a_task__has_none(void **state) {
    (void)state;
    const double y[2 * M] = {4, 3, 2, 1, 1, 2, (double)NAN, 4}, x[M] = {1, 1, 1, (double)NAN};
    double out[M];
    size_t complete = 0;
    assert_int_equal(es_correlation_mean_rank(y, M, 2, NULL, out, &complete, NULL), ES_OK);
    assert_int_equal(complete, 3);
    assert_true(fabs(out[0] - (-2)) < 1e-12); /* first and last of three */
    assert_true(fabs(out[1] - (-2)) < 1e-12);
    assert_true(isnan(out[2]));
    assert_true(fabs(out[3] - (-2)) < 1e-12);
    assert_int_equal(es_correlation_mean_rank(y, M, 2, x, out, &complete, NULL), ES_OK);
    assert_int_equal(complete, 2);
    assert_true(isnan(out[3]));
    assert_true(fabs(out[0] - (-1.5)) < 1e-12);
}

static void correlation_set__joined__is_best_first(void **state) {
    (void)state;
    double score[M] = {1, 4, 2, 3}, none[M] = {NAN, NAN, NAN, NAN}, value[M] = {10, 40, 20, 30};
    char *models[M] = {"c", "a", "d", "b"}, *tasks[1] = {"one"};
    const size_t partner[M] = {0, 1, SIZE_MAX, 3};
    const es_scored scored = {
        .n = M, .name = (const char *const *)models, .score = score, .dim = none, .l2 = none};
    const es_scores scores = {
        .models = M, .tasks = 1, .model = models, .task = tasks, .value = value};
    const es_correlate_options options = {.draws = 20, .permutations = 19, .level = 0.95};
    es_correlation_set *set = NULL;
    assert_int_equal(es_correlation_set_new(&scored, &scores, partner, &options, &set, NULL),
                     ES_OK);
    assert_int_equal(set->n, 3);
    assert_int_equal(set->columns, 1);
    assert_int_equal(set->at[0], 1);
    assert_int_equal(set->at[2], 0);
    assert_true(fabs(set->report[0].value[ES_SPEARMAN].value - 1) < 1e-12);
    assert_false(set->has[ES_BASELINE_DIM]);
    es_correlation_set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_report__missing_pair__is_left_out),
        cmocka_unit_test(rank_results__errors__turn_the_ranking),
        cmocka_unit_test(rank_by_name__any_file__is_one_order),
        cmocka_unit_test(mean_rank__who_lacks_a_task__has_none),
        cmocka_unit_test(correlation_set__joined__is_best_first),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
