/* Tasks by category, size and community: by hand, with weights, with what is not known. */
#include "io_scores.h"
#include "report.h"

#include "support.h"

enum { N = 5 };
static const char *const names[N] = {"a", "b", "c", "d", "e"};
static const double score[N] = {5, 4, 3, 2, 1};
static char root[SUPPORT_PATH];

static int set_up(void **state) {
    support_temp_dir(root);
    support_write_text(root, "scores.csv",
                       "model,STS12,up,BIOSSES,cost\na,5,1,5,1\nb,4,2,4,2\nc,3,3,3,3\nd,2,4,2,4\n"
                       "e,1,5,,5\n");
    return 0;
}

TEST_EACH(set_up, NULL);

static void with_kinds(const char *tasks, void (*check)(const es_task_kinds *)) {
    char path[2][SUPPORT_PATH];
    const es_correlate_options options = {.draws = 100, .permutations = 99, .level = 0.95};
    static const uint32_t community[N] = {0, 0, 0, 1, 1};
    static const size_t partner[N] = {0, 1, 2, 3, 4};
    es_scores scores = {0};
    es_scored scored = {0};
    es_correlation_set *set = NULL;
    es_task_kinds *kinds = NULL;
    support_path(path[0], root, "scores.csv");
    assert_ok(es_scores_read(path[0], 0, NULL, &scores, NULL));
    if (tasks) {
        support_write_text(root, "tasks.csv", tasks);
        assert_ok(es_scores_describe_beside(&scores, path[0], test_err()));
    }
    assert_ok(es_scored_new(names, N, &scored, NULL));
    memcpy(scored.score, score, sizeof score);
    assert_ok(es_correlation_set_new(&scored, &scores, partner, &options, &set, NULL));
    assert_ok(es_task_kinds_new(set, community, &options, &kinds, NULL));
    check(kinds);
    es_task_kinds_free(kinds);
    es_correlation_set_free(set);
    es_scored_deinit(&scored);
    es_scores_deinit(&scores);
}

static void check_mteb(const es_task_kinds *k) {
    assert_int_equal(k->count, 1);
    assert_string_equal(k->kind[0].category, "sts");
    assert_int_equal(k->kind[0].tasks, 2);
    assert_int_equal(k->kind[0].report.n, N); /* e has one of the two */
    assert_true(fabs(k->kind[0].report.value[ES_SPEARMAN].value - 1) < 1e-12);
    assert_int_equal(k->sized, 0);
    assert_true(isnan(k->size.value));
}

TEST(kinds__without_a_file__are_those_of_mteb) {
    with_kinds(NULL, check_mteb);
}

static void check_given(const es_task_kinds *k) {
    assert_int_equal(k->count, 2);
    assert_string_equal(k->kind[0].category, "mine");
    assert_int_equal(k->kind[0].tasks, 2); /* STS12 and cost, which is better when lower: alike */
    assert_true(fabs(k->kind[0].report.value[ES_SPEARMAN].value - 1) < 1e-12);
    assert_string_equal(k->kind[1].category, "sts");
    assert_int_equal(k->kind[1].tasks, 1);
    /* up turns the score round and is the smallest; the others agree wholly */
    assert_int_equal(k->sized, 3);
    assert_true(k->size.value > 0.8);
    assert_int_equal(k->communities, 2);
    assert_int_equal(k->community[0].n, 3);
    assert_int_equal(k->community[1].n, 2);
    /* of e: percentiles 0 (STS12), 100 (up, weight 3), 0 (cost); no BIOSSES */
    double d = (25 + 3 * 75 + 0 + 25) / 6.0, e = 300 / 5.0;
    assert_true(fabs(k->community[1].mean - (d + e) / 2) < 1e-9);
    assert_true(fabs(k->community[1].sd - fabs(d - e) / sqrt(2)) < 1e-9);
}

TEST(kinds__with_a_file__are_as_it_says) {
    with_kinds("weight,task,size,category,better\n,STS12,1000,mine,\n3,up,10,,higher\n"
               ",cost,500,mine,lower\n,elsewhere,7,other,\n",
               check_given);
}

TEST(tasks__bad__are_refused_by_line) {
    static const struct {
        const char *text, *part;
    } cases[] = {{"category\nx\n", "expected a column 'task'"},
                 {"task,colour\nup,red\n", "'colour' is not a column"},
                 {"task\nup\nup\n", "is in line 2 and again in line 3"},
                 {"task,size\nup,-1\n", "line 2: a size of -1"},
                 {"task,weight\nup,0\n", "a weight of 0"},
                 {"task,size\nup,many\n", "line 2"},
                 {"task,better\nup,sometimes\n", "expected higher or lower"}};
    char path[SUPPORT_PATH];
    support_path(path, root, "scores.csv");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_scores scores = {0};
        support_write_text(root, "tasks.csv", cases[i].text);
        assert_ok(es_scores_read(path, 0, NULL, &scores, NULL));
        assert_int_equal(es_scores_describe_beside(&scores, path, test_err()), ES_EFORMAT);
        if (!strstr(test_message(), cases[i].part))
            fail_msg("\"%s\" does not contain \"%s\"", test_message(), cases[i].part);
        es_scores_deinit(&scores);
    }
}

/* What stands beside a coefficient is of the same embedders: one without a score is of neither. */
TEST(baseline__is_of_those_with_a_score) {
    char path[SUPPORT_PATH];
    const es_correlate_options options = {.draws = 100, .permutations = 99, .level = 0.95};
    static const size_t partner[N] = {0, 1, 2, 3, 4};
    static const double dim[N] = {4, 8, 16, 2, 1}; /* of all of them it would be another order */
    es_scores scores = {0};
    es_scored scored = {0};
    es_correlation_set *set = NULL;
    support_path(path, root, "scores.csv");
    assert_ok(es_scores_read(path, 0, NULL, &scores, NULL));
    assert_ok(es_scored_new(names, N, &scored, NULL));
    memcpy(scored.score, score, sizeof score);
    memcpy(scored.dim, dim, sizeof dim);
    scored.score[3] = scored.score[4] = (double)NAN;
    assert_ok(es_correlation_set_new(&scored, &scores, partner, &options, &set, NULL));
    assert_int_equal(set->report[0].n, 3);
    assert_true(set->has[ES_BASELINE_DIM]);
    assert_int_equal(set->baseline[ES_BASELINE_DIM][0].n, 3);
    assert_true(fabs(set->baseline[ES_BASELINE_DIM][0].value[ES_SPEARMAN].value + 1) < 1e-12);
    es_correlation_set_free(set);
    es_scored_deinit(&scored);
    es_scores_deinit(&scores);
}
