/* The downstream question: who counts, on what, what following the ranking costs, in words. */
#include "testing.h"
#include "report_answer.h"

static double regret_by_orders(const double *score, const double *percentile, size_t m,
                               size_t count) {
    enum { TRIED = 6 };
    size_t order[TRIED], known = 0, orders = 0;
    double most = -1, sum = 0;
    size_t total = 1;
    for (size_t i = 0; i < m; i++)
        if (!isnan(score[i]) && !isnan(percentile[i])) {
            order[known++] = i;
            most = fmax(most, percentile[i]);
        }
    for (size_t k = 2; k <= known; k++)
        total *= k;
    for (size_t code = 0; code < total; code++) {
        size_t left[TRIED], n = known, rest = code, taken[TRIED];
        memcpy(left, order, sizeof left);
        for (size_t k = 0; k < known; k++) {
            size_t at = rest % n;
            rest /= n;
            taken[k] = left[at];
            memmove(left + at, left + at + 1, (n - at - 1) * sizeof *left);
            n--;
        }
        bool sorted = true;
        double best = -1;
        for (size_t k = 0; k < known; k++) {
            sorted = sorted && (k == 0 || score[taken[k - 1]] >= score[taken[k]]);
            best = k < count ? fmax(best, percentile[taken[k]]) : best;
        }
        sum += sorted ? most - best : 0;
        orders += sorted;
    }
    return sum / (double)orders;
}

TEST(regret__equal_scores__is_the_mean_over_orders) {
    static const double score[][6] = {{1, 2, 3, 4, 5, 6},
                                      {1, 1, 1, 1, 1, 1},
                                      {3, 1, 3, 2, 2, 2},
                                      {1, 2, 2, 2, (double)NAN, 3},
                                      {2, 2, 1, 1, 1, 2}},
                        percentile[][6] = {{60, 20, 0, 100, 40, 80},
                                           {0, 0, 50, 50, 100, 100},
                                           {(double)NAN, 30, 70, 10, 100, 20}};
    for (size_t a = 0; a < sizeof score / sizeof *score; a++)
        for (size_t b = 0; b < sizeof percentile / sizeof *percentile; b++)
            for (size_t count = 1; count <= 6; count++) {
                double expected = regret_by_orders(score[a], percentile[b], 6, count),
                       found = es_downstream_regret(score[a], percentile[b], 6, count);
                if (fabs(found - expected) > 1e-9)
                    fail_msg("scores %zu, percentiles %zu, first %zu: %g, not %g", a, b, count,
                             found, expected);
            }
    static const double none[2] = {(double)NAN, 1}, known[2] = {1, (double)NAN};
    assert_true(isnan(es_downstream_regret(none, known, 2, 1)));
}

/* 22 of 22 points each, added up in three orders: equal, where sums of quotients differ by 1e-14.
 */
TEST(percentiles__of_equal_sums__are_equal) {
    enum { N = 12, T = 3 };
    static const int place[N][T] = {{11, 0, 7}, {7, 11, 0}, {0, 7, 11}, {1, 1, 1},
                                    {2, 2, 2},  {3, 3, 3},  {4, 4, 4},  {5, 5, 5},
                                    {6, 6, 6},  {8, 8, 8},  {9, 9, 9},  {10, 10, 10}};
    char names[N][8], *name[N],
        *task[T] = {(char *)(uintptr_t) "a", (char *)(uintptr_t) "b", (char *)(uintptr_t) "c"};
    double value[N * T], percentile[N];
    for (size_t i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "m%zu", i);
        name[i] = names[i];
        for (size_t t = 0; t < T; t++)
            value[i * T + t] = place[i][t];
    }
    const es_results r = {.m = N, .name = name};
    const es_scores scores = {.models = N, .tasks = T, .model = name, .task = task, .value = value};
    assert_ok(es_downstream_percentiles(&r, NULL, NULL, NULL, &scores, percentile, NULL));
    assert_true(percentile[0] == percentile[1] && percentile[1] == percentile[2]);
    assert_true(percentile[8] == percentile[0]); /* 18 of 33 as well */
    assert_true(fabs(percentile[0] - 600.0 / 11) < 1e-8);
    assert_true(percentile[9] > percentile[8]);
}

/* ---- a pool of embedders m0 .. m11 with two tasks, and a control ---- */

enum { N = 12, ALL = N + 1, T = 6 };

typedef struct fixture {
    char names[ALL][8], *name[ALL], *family[ALL], *task[T];
    size_t dim[ALL];
    double score[ALL], value[N * T];
    es_results results;
    es_scores scores;
    es_decision decision;
    bool best[ALL];
    es_buf text;
} fixture;

/* m10 is the best of all tasks, then m11; the score has m11 first. */
static void make(fixture *f, size_t tasks) {
    static char *const names[T] = {(char *)(uintptr_t) "a", (char *)(uintptr_t) "b",
                                   (char *)(uintptr_t) "c", (char *)(uintptr_t) "d",
                                   (char *)(uintptr_t) "e", (char *)(uintptr_t) "f"};
    *f = (fixture){.results = {.m = ALL}};
    for (size_t i = 0; i < ALL; i++) {
        snprintf(f->names[i], sizeof f->names[i], "m%zu", i);
        f->name[i] = f->names[i];
        f->family[i] = i == N ? (char *)(uintptr_t) "control" : NULL;
        f->score[i] = (double)i;
        f->dim[i] = 64;
        for (size_t t = 0; t < tasks && i < N; t++)
            f->value[tasks * i + t] = (double)(i == N - 2 ? 20 : i);
    }
    memcpy(f->task, names, sizeof names);
    f->results = (es_results){.m = ALL, .name = f->name, .family = f->family, .dim = f->dim};
    f->scores = (es_scores){
        .models = N, .tasks = tasks, .model = f->name, .task = f->task, .value = f->value};
    f->best[N - 2] = f->best[N - 1] = true;
    f->decision = (es_decision){.m = ALL, .said = true, .best = f->best};
}

static es_downstream *ask(fixture *f) {
    es_downstream *x = NULL;
    assert_ok(es_downstream_new(&f->results, NULL, f->score, &f->scores, &x, test_err()));
    es_buf_clear(&f->text);
    if (x != NULL)
        es_downstream_put(x, f->name[x->best], &f->decision, &f->text);
    return x;
}

TEST(downstream__scores__follow_the_line) {
    fixture f;
    make(&f, 2);
    es_downstream_free(ask(&f));
    assert_string_equal(
        f.text.data, "Downstream (2 tasks, without controls): rho .99 [.97, 1.00]; 12 embedders. "
                     "On your tasks the best is m10: in the set. Picking the first would have "
                     "cost 9 percentile points downstream (by dimension alone: 50). The best of "
                     "those to try would have cost 0.");
    f.best[N - 2] = false;
    es_downstream_free(ask(&f));
    assert_contains(f.text.data, "the best is m10: not in the set.");
    assert_contains(f.text.data, "The best of those to try would have cost 9.");
    f.decision.said = false; /* then there is no set */
    es_downstream_free(ask(&f));
    assert_contains(f.text.data, "the best is m10. Picking");
    assert_lacks(f.text.data, "those to try");
    es_buf_free(&f.text);
}

/* Of two that are as good it is the one that the ranking has first. */
TEST(downstream__equal_ones__are_counted) {
    fixture f;
    make(&f, 2);
    f.value[2 * (N - 1)] = f.value[2 * (N - 1) + 1] = 20;
    es_downstream_free(ask(&f));
    assert_contains(f.text.data, "the best is m11 (1 more is as good): in the set. Picking "
                                 "the first would have cost 0 percentile points");
    es_buf_free(&f.text);
}

/* Only who has every task takes part; the first here has none. */
TEST(downstream__gaps__leave_embedders_out) {
    fixture f;
    make(&f, 2);
    f.value[2 * (N - 1)] = f.value[2 * (N - 1) + 1] = (double)NAN;
    f.value[2 * 3] = (double)NAN;
    es_downstream *x = ask(&f);
    assert_int_equal(x->n, N - 2);
    assert_int_equal(x->unscored, 1);
    assert_true(isnan(x->percentile[3]) && isnan(x->percentile[N - 1]));
    assert_float_equal(x->percentile[N - 2], 100, 1e-9);
    assert_float_equal(x->percentile[0], 0, 1e-9);
    assert_contains(f.text.data, "Of those with scores, picking the first would");
    es_downstream_free(x);
    /* A task on which all are equal compares nobody, and excludes nobody. */
    for (size_t i = 0; i < N; i++) {
        f.value[2 * i] = i % 2 ? (double)NAN : 0;
        f.value[2 * i + 1] = (double)i;
    }
    x = ask(&f);
    assert_int_equal(x->tasks, 1);
    assert_int_equal(x->n, N);
    assert_int_equal(x->best, N - 1);
    es_downstream_free(x);
    for (size_t i = 2; i < N; i++)
        f.value[2 * i + 1] = (double)NAN;
    assert_null(ask(&f));
    es_buf_free(&f.text);
}

/* Controls and derived embedders are out; families are those of pool.json, else each is alone. */
TEST(downstream__groups__are_families) {
    fixture f;
    bool counts[ALL];
    uint32_t family[ALL];
    char *label[ALL] = {[4] = (char *)(uintptr_t) "*m4"};
    make(&f, 2);
    for (size_t i = 0; i < 6; i++)
        f.family[i] = (char *)(uintptr_t)(i % 2 ? "odd" : "even");
    f.results.label = label;
    es_downstream_groups(&f.results, NULL, NULL, counts, family);
    assert_false(counts[N] || counts[4]);
    assert_true(counts[0] && counts[11]);
    assert_true(family[0] == family[2] && family[1] == family[5] && family[0] != family[1]);
    assert_true(family[10] != family[11] && family[10] != family[0]);
    /* Kinds stand in only if no family is named; who is not ranked does not count. */
    uint32_t kind[ALL] = {[10] = 3, [11] = 3}, by_kind[ALL];
    es_rank_standing standing[ALL] = {ES_STANDING_RANKED};
    uint32_t first[ALL];
    for (uint32_t i = 0; i < ALL; i++)
        first[i] = i;
    const es_decision decision = {
        .m = ALL, .kinds = 4, .kind = kind, .standing = standing, .first = first};
    for (size_t i = 0; i < ALL; i++)
        standing[i] = i == 10 || i == 4 || i == N ? ES_STANDING_RANKED : ES_STANDING_UNKNOWN;
    es_downstream_groups(&f.results, &f.results, &decision, counts, by_kind);
    assert_memory_equal(by_kind, family, sizeof family);
    assert_true(counts[10] && !counts[11] && !counts[4] && !counts[N]);
    char *only_control[ALL] = {[N] = f.family[N]};
    es_results unnamed = f.results;
    unnamed.family = only_control;
    memset(standing, 0, sizeof standing); /* all are ranked */
    es_downstream_groups(&unnamed, &unnamed, &decision, counts, by_kind);
    assert_true(by_kind[10] == by_kind[11] && by_kind[0] == by_kind[5] &&
                by_kind[0] != by_kind[10]);
    assert_true(counts[11] && !counts[N]);
    first[11] = 10; /* a copy is no evidence of its own */
    es_downstream_groups(&unnamed, &unnamed, &decision, counts, by_kind);
    assert_true(counts[10] && !counts[11]);
    es_downstream *x = ask(&f);
    assert_int_equal(x->n, N - 1);
    assert_int_equal(x->families, 2 + 6);
    assert_contains(f.text.data, "; 11 embedders of 8 families count as ");
    assert_true(x->ranking.n_effective <= 11 && x->ranking.n_effective > 3);
    es_downstream_free(x);
    es_buf_free(&f.text);
}

TEST(downstream__worth__takes_five_tasks) {
    fixture f;
    make(&f, 4);
    es_downstream *x = ask(&f);
    assert_true(isnan(x->worth.tasks));
    es_downstream_free(x);
    es_buf_free(&f.text);
    make(&f, T);
    x = ask(&f);
    assert_float_equal(x->worth.between, 1, 1e-9); /* the tasks are all alike */
    assert_float_equal(x->worth.tasks, 0, 1e-9);
    assert_contains(f.text.data, " The ranking says less of a task than one labelled");
    es_downstream_free(x);
    es_buf_clear(&f.text);
    es_downstream_put_worth(&(es_worth){.with_task = 1, .tasks = INFINITY}, &f.text);
    assert_string_equal(f.text.data,
                        "The ranking says more of a task than all other tasks together.");
    es_buf_clear(&f.text);
    es_downstream_put_worth(&(es_worth){.with_task = 1, .tasks = 2.4}, &f.text);
    assert_string_equal(f.text.data,
                        "The ranking says of a task what about 2 labelled tasks would.");
    es_buf_clear(&f.text);
    es_downstream_put_worth(&(es_worth){.tasks = 0}, &f.text);
    assert_string_equal(f.text.data, "The ranking says nothing of a task.");
    es_buf_free(&f.text);
}
