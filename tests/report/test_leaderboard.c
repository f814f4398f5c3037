/* A table of scores as a leaderboard: its sentences, what is left out, and real tasks left out. */
#include "testing.h"
#include "report.h"
#include "io_scores.h"

static void read_scores(const char *name, es_scores *out) {
    char path[512];
    snprintf(path, sizeof path, "%s/../sample_data/%s/scores.csv", ES_TEST_DATA, name);
    assert_ok(es_scores_read(path, 0, NULL, out, NULL));
}

static es_leaderboard *board_of(const es_scores *scores, const bool *counts) {
    es_leaderboard *board = NULL;
    assert_ok(es_leaderboard_new(scores, counts, 0, NULL, &board, NULL));
    return board;
}

static bool says(const es_leaderboard *board, const char *text) {
    es_buf *out = test_buf();
    es_leaderboard_put(board, out);
    assert_false(out->failed);
    bool found = strstr(out->data, text) != NULL;
    if (!found)
        print_message("%s\n", out->data);
    return found;
}

TEST(leaderboard__sample__sentences) {
    es_scores scores = {0};
    read_scores("molecules", &scores);
    bool *counts = test_alloc(scores.models, sizeof *counts);
    size_t noise = es_scores_find(&scores, "noise_gauss_64");
    for (size_t i = 0; i < scores.models; i++)
        counts[i] = i != noise;
    es_leaderboard *b = board_of(&scores, counts);
    assert_int_equal(b->board->m, scores.models - 1);
    assert_true(says(b, "Best of these: desc_all. On as many other tasks like these"));
    assert_true(says(b, "More tasks would narrow it (16 tasks now)."));
    assert_string_equal(es_leaderboard_settled_by(b), "kinds");
    assert_int_equal(b->group[b->board->order[0]], 1);
    es_leaderboard_free(b);
    es_scores_deinit(&scores);
}

/* The table of the paper has a column "average" beside its five categories: no task. */
TEST(leaderboard__column_of_means__no_task) {
    es_scores scores = {0};
    read_scores("paper-nlp", &scores);
    es_leaderboard *b = board_of(&scores, NULL);
    assert_int_equal(b->board->tasks, 5);
    assert_true(says(b, "Not settled"));
    es_leaderboard_free(b);
    es_scores_deinit(&scores);
}

/* Errors among the tasks: percentiles within tasks take the place of scores. */
TEST(leaderboard__lower_is_better__by_percentiles) {
    char *models[] = {"a", "b", "c"}, *tasks[] = {"acc", "rmse \xe2\x86\x93"};
    double value[] = {0.9, 10, 0.8, 2, 0.7, 30};
    es_scores scores = {.models = 3, .tasks = 2, .model = models, .task = tasks, .value = value};
    es_leaderboard *b = board_of(&scores, NULL);
    assert_true(b->percentiles);
    assert_float_equal(b->board->mean[0], 75, 1e-12);
    assert_float_equal(b->board->mean[1], 75, 1e-12);
    assert_int_equal(b->board->rank[1], 1);
    assert_true(says(b, "Too few tasks to generalise (2 tasks; 5 are needed)."));
    assert_null(es_leaderboard_settled_by(b));
    es_leaderboard_free(b);
}

TEST(leaderboard__one_model__is_refused) {
    char *models[] = {"a", "b"}, *tasks[] = {"acc"};
    double value[] = {0.9, (double)NAN};
    es_scores scores = {.models = 2, .tasks = 1, .model = models, .task = tasks, .value = value};
    es_leaderboard *b = NULL;
    assert_int_equal(es_leaderboard_new(&scores, NULL, 0, NULL, &b, test_err()), ES_EEMPTY);
}

/* Half of the tasks say what holds on the other half: the best of those is a candidate in .95 of
 * 100 splits, and of adjacent ranks that are separated at most .02 are in the other order. */
TEST(leaderboard__tasks_left_out__hold_the_best) {
    enum { SPLITS = 100 };
    es_scores s = {0};
    size_t held = 0, separated = 0, wrong = 0;
    read_scores("molecules", &s);
    size_t m = s.models, tasks = s.tasks, half = tasks / 2;
    double *value = test_keep(malloc(m * half * sizeof *value), free),
           *mean = test_keep(malloc(m * sizeof *mean), free);
    size_t *order = test_keep(malloc(tasks * sizeof *order), free);
    es_rng rng = test_rng(11, 1);
    for (size_t t = 0; t < tasks; t++)
        order[t] = t;
    for (size_t k = 0; k < SPLITS; k++) {
        size_t best = 0;
        for (size_t t = tasks; t-- > 1;) {
            size_t with = (size_t)(es_rng_uniform(&rng) * (double)(t + 1)), old = order[t];
            order[t] = order[with];
            order[with] = old;
        }
        for (size_t i = 0; i < m; i++) {
            mean[i] = 0;
            for (size_t t = 0; t < half; t++)
                value[i * half + t] = s.value[i * tasks + order[t]];
            for (size_t t = half; t < tasks; t++)
                mean[i] += s.value[i * tasks + order[t]];
            best = mean[i] > mean[best] ? i : best;
        }
        const es_board_problem problem = {.value = value, .m = m, .tasks = half};
        es_board *b = NULL;
        assert_ok(es_board_new(&problem, NULL, &b, NULL));
        held += b->best[best];
        for (size_t i = 1; i < m; i++) {
            size_t above = b->order[i - 1], below = b->order[i];
            separated += b->ahead[above * m + below];
            wrong += b->ahead[above * m + below] && mean[above] < mean[below];
        }
        es_board_free(b);
    }
    assert_true(held >= 95);
    assert_true(separated > 0 && (double)wrong <= 0.02 * (double)separated);
    es_scores_deinit(&s);
}

/* Eight models in the same order by two tasks; the third exchanges the last two: Spearman with it
 * is 1 - 12 / 504. */
TEST(tasks__of_three__correlations_and_tree) {
    enum { MODELS = 8, TASKS = 3 };
    static char name[MODELS][4];
    char *models[MODELS], *tasks[TASKS] = {"one", "two", "odd"};
    double value[MODELS * TASKS], other = 1 - 12.0 / 504;
    for (size_t i = 0; i < MODELS; i++) {
        snprintf(name[i], sizeof name[i], "m%zu", i);
        models[i] = name[i];
        for (size_t t = 0; t < TASKS; t++)
            value[i * TASKS + t] = (double)(t == 2 && i < 2 ? 1 - i : i);
    }
    es_scores scores = {
        .models = MODELS, .tasks = TASKS, .model = models, .task = tasks, .value = value};
    es_leaderboard *b = board_of(&scores, NULL);
    es_board_tasks *all = NULL, *one = NULL;
    es_board_tree *tree = NULL;
    assert_ok(es_board_tasks_new(b, SIZE_MAX, NULL, &all, NULL));
    assert_int_equal(all->known, 3);
    assert_int_equal(all->order[2], 2);
    assert_int_equal(all->task[2].models, MODELS);
    assert_float_equal(all->task[2].rho, other, 1e-12);
    assert_true(all->task[2].low < other && all->task[2].high > other);
    assert_ok(es_board_tasks_new(b, 2, NULL, &one, NULL));
    assert_true(isnan(one->task[2].rho));
    assert_float_equal(one->task[0].rho, other, 1e-12);
    assert_ok(es_board_tree_new(b, ES_LINKAGE_AVERAGE, NULL, &tree, NULL));
    assert_float_equal(es_board_tree_joined(tree, 0), 0, 1e-12);
    assert_float_equal(es_board_tree_joined(tree, 2), (1 - other), 1e-12);
    assert_int_equal(es_board_tree_nearest(tree, 0), 1);
    es_board_tree_free(tree);
    es_board_tasks_free(one);
    es_board_tasks_free(all);
    es_leaderboard_free(b);
}

/* Of the sample the first leads the last clearly, and the sentence has the numbers. */
TEST(versus__sample__lead_and_wins) {
    es_scores scores = {0};
    es_board_versus *v = NULL;
    es_buf *out = test_buf();
    read_scores("molecules", &scores);
    es_leaderboard *b = board_of(&scores, NULL);
    size_t first = b->board->order[0], last = b->board->order[b->board->m - 1];
    assert_ok(es_board_versus_new(b, last, first, &v, NULL));
    assert_int_equal(v->wins[0] + v->wins[1] + v->equal, scores.tasks);
    assert_float_equal(v->pair.lead, (b->board->mean[last] - b->board->mean[first]), 1e-12);
    assert_true(v->pair.high < 0);
    es_board_versus_put(v, out);
    assert_contains(out->data, "desc_all leads noise_gauss_64 by 0.");
    assert_contains(out->data, "desc_all is shown ahead");
    es_board_versus_free(v);
    es_leaderboard_free(b);
    es_scores_deinit(&scores);
}
