/* The ranking combined with tasks: who takes part, ranks by each part, its name. */
#include "testing.h"
#include "report.h"
#include "core_downstream.h"

enum { M = 6, T = 3 };

static char *name[M] = {(char *)(uintptr_t) "f", (char *)(uintptr_t) "e", (char *)(uintptr_t) "d",
                        (char *)(uintptr_t) "c", (char *)(uintptr_t) "b", (char *)(uintptr_t) "a"};
static char *family[M] = {[5] = (char *)(uintptr_t) "control"};
static char *task[T] = {(char *)(uintptr_t) "up", (char *)(uintptr_t) "rmse ↓",
                        (char *)(uintptr_t) "other"};
/* f e d c b a; lower is better in the second */
static double value[M * T] = {1, 9, 5, 2, 8, 4, 3, 5, 3, 4, 6, 2, (double)NAN, 7, 1, 99, 0, 99};
static const double lead[M] = {5, 4, 3, (double)NAN, 2, 100};

static const es_results results = {.m = M, .name = name, .family = family};
static const es_scores scores = {
    .models = M, .tasks = T, .model = name, .task = task, .value = value};

static es_with_tasks *combine(const bool *chosen) {
    es_with_tasks *w = NULL;
    assert_ok(es_with_tasks_new(&results, NULL, lead, &scores, chosen, &w, test_err()));
    return w;
}

/* f, e, d and b take part: a is a control, c is not ranked. */
TEST(with_tasks__two_of_three__are_combined) {
    es_with_tasks *w = combine((const bool[]){true, true, false});
    const double own[M] = {5, 4, 3, (double)NAN, 2, (double)NAN},
                 y[2 * M] = {1,  2,  3,  (double)NAN, (double)NAN, (double)NAN,
                             -9, -8, -5, (double)NAN, -7,          (double)NAN};
    double expected[M];
    assert_ok(es_combine_tasks(own, 2, y, 2, M, expected, NULL));
    assert_string_equal(w->title, "your 2 tasks + ranking");
    assert_int_equal(w->tasks, 2);
    assert_int_equal(w->ranked, 4);
    for (size_t i = 0; i < M; i++)
        assert_true(isnan(expected[i]) ? isnan(w->score[i]) && w->rank[i] == 0
                                       : fabs(w->score[i] - expected[i]) < 1e-12);
    static const uint32_t by_ranking[M] = {1, 2, 3, 0, 4, 0}, by_tasks[M] = {4, 2, 1, 0, 2, 0},
                          known[M] = {2, 2, 2, 0, 1, 0};
    for (size_t i = 0; i < M; i++) {
        assert_int_equal(w->by_ranking[i], by_ranking[i]);
        assert_int_equal(w->known[i], known[i]);
        if (i != 1 && i != 4) /* between them it is close */
            assert_int_equal(w->by_tasks[i], by_tasks[i]);
    }
    for (size_t k = 1; k < w->ranked; k++)
        assert_true(w->score[w->order[k - 1]] >= w->score[w->order[k]]);
    assert_int_equal(w->order[4], 5); /* without a rank by name */
    assert_int_equal(w->order[5], 3);
    es_with_tasks_free(w);
}

TEST(with_tasks__one__is_named_so) {
    es_with_tasks *w = combine((const bool[]){false, false, true});
    assert_string_equal(w->title, "your task + ranking");
    assert_int_equal(w->by_tasks[0], 1);
    assert_int_equal(w->rank[0], 1); /* the first by both */
    es_with_tasks_free(w);
}
