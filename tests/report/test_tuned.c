/* Base and tuned: which names are pairs, who rose, and the exact sign test. */
#include "testing.h"
#include "base.h"
#include "report.h"

/* 2 P(X >= most) of n tosses, counted out over all of their outcomes. */
static double counted(unsigned up, unsigned down) {
    unsigned n = up + down, most = up > down ? up : down, outcomes = 0;
    for (unsigned toss = 0; toss < 1u << n; toss++)
        outcomes += (unsigned)__builtin_popcount(toss) >= most;
    return fmin(1, 2.0 * outcomes / (double)(1u << n));
}

TEST(sign_test__every_split__is_as_counted_out) {
    for (unsigned up = 0; up <= 9; up++)
        for (unsigned down = 0; down <= 9; down++)
            if (up + down > 0)
                assert_true(fabs(es_sign_test(up, down) - counted(up, down)) < 1e-12);
    assert_true(fabs(es_sign_test(6, 0) - 0.03125) < 1e-15);
    assert_true(isnan(es_sign_test(0, 0)));
}

TEST(stem__ends_of_tuned_embedders__are_taken_off) {
    assert_int_equal(es_tuned_stem("e5-tuned"), 2);
    assert_int_equal(es_tuned_stem("bert_FT"), 4);
    assert_int_equal(es_tuned_stem("a.fine-tuned"), 1);
    assert_int_equal(es_tuned_stem("a+finetuned"), 1);
    assert_int_equal(es_tuned_stem("tuned"), 0);
    assert_int_equal(es_tuned_stem("-tuned"), 0);
    assert_int_equal(es_tuned_stem("untuned"), 0);
    assert_int_equal(es_tuned_stem("left"), 0);
}

enum { M = 7 };

TEST(tuned__pairs_of_a_ranking__are_counted) {
    char *name[M] = {"b", "A-tuned", "a", "b-tuned", "c", "d-tuned", "c-ft"}, *family[M] = {NULL};
    double is[M * M], se[M * M];
    uint8_t done[M * M];
    size_t dim[M] = {0};
    for (size_t i = 0; i < (size_t)M * M; i++) { /* who predicts how much of all */
        static const double level[M] = {0.3, 0.9, 0.4, 0.5, 0.6, 0.1, 0.2};
        is[i] = i / M == i % M ? 1.4 : level[i / M];
        se[i] = 0.01;
        done[i] = ES_PAIR_DONE;
    }
    const es_results results = {.m = M,
                                .name = name,
                                .family = family,
                                .dim = dim,
                                .is = is,
                                .se = se,
                                .state = done,
                                .estimator = es_estimator_find("linear")};
    const es_rank_choices how = {.score = ES_SCORE_PUBLISHED, .with_intervals = true};
    es_rank_report *report = NULL;
    es_tuned tuned;
    es_buf *words = test_buf();
    assert_ok(es_rank_report_new(&results, &how, &report, NULL));
    assert_ok(es_tuned_new(report, NULL, NULL, &tuned, NULL));
    assert_int_equal(tuned.count, 3); /* d is not here */
    assert_int_equal(tuned.pair[0].base, 2);
    assert_int_equal(tuned.pair[0].tuned, 1);
    assert_true(fabs(tuned.pair[0].change - 0.5) < 1e-12);
    assert_int_equal(tuned.pair[1].base, 0);
    assert_int_equal(tuned.pair[2].base, 4);
    assert_true(fabs(tuned.pair[2].change + 0.4) < 1e-12);
    assert_int_equal(tuned.pair[0].rank_after, 1);
    assert_int_equal(tuned.score.rose, 2);
    assert_int_equal(tuned.score.fell, 1);
    assert_true(fabs(tuned.score.p - 1) < 1e-12);
    assert_true(isnan(tuned.downstream.p));
    es_tuned_put(&tuned, words);
    assert_contains(words->data, "The score rose in 2 of 3 (sign test: p 1.000).");
    es_tuned_deinit(&tuned);
    /* a column says more than a name; one that says nothing leaves it to the name */
    es_family_line line[] = {
        {"d-tuned", "B", 2}, {"c-ft", "A", 3}, {"b-tuned", "", 4}, {"c", "gone", 5}, {"a", "a", 6}};
    const es_family_file bases = {.item = line, .count = sizeof line / sizeof *line};
    assert_ok(es_tuned_new(report, &bases, NULL, &tuned, NULL));
    const size_t pairs[][2] = {{2, 1}, {2, 6}, {0, 3}, {0, 5}};
    assert_int_equal(tuned.count, sizeof pairs / sizeof *pairs);
    for (size_t i = 0; i < tuned.count; i++) {
        assert_int_equal(tuned.pair[i].base, pairs[i][0]);
        assert_int_equal(tuned.pair[i].tuned, pairs[i][1]);
    }
    assert_int_equal(tuned.absent, 1);
    es_tuned_deinit(&tuned);
    es_rank_report_free(report);
}
