/* What a run of training steps comes to, from a decision that is made by hand. */
#include "testing.h"
#include "report.h"

enum { N = 3 };

/* Told apart as a pair, a step may still be the best of all at once: it is not "surely" behind. */
TEST(series__last_step__may_be_the_best_as_in_the_ranking) {
    static const struct {
        bool best, apart, said;
        size_t blocks;
        const char *words;
    } cases[] = {
        {true, false, true, 32, "run@2, which the last step does not clearly differ from."},
        {true, true, true, 32,
         "run@2, and the last step is below it, but of all embedders at once may be the best."},
        {false, true, true, 32, "run@2, and the last step is surely below it."},
        {false, true, false, 32, "run@2, and the last step is surely below it."}, /* few kinds */
        {false, true, true, 0, "to 0.200. The highest is run@2."}};               /* no rows */
    char *name[N] = {(char *)(uintptr_t) "run@1", (char *)(uintptr_t) "run@2",
                     (char *)(uintptr_t) "run@3"};
    static es_model model[N];
    const es_model *models[N];
    size_t position[N] = {0, 1, 2};
    double is[N * N] = {0}, score[N] = {0.1, 0.3, 0.2}, bound[N] = {0}, difference[N * N] = {0},
                  variance[N * N];
    for (size_t i = 0; i < N; i++) {
        model[i].name = name[i];
        model[i].series = (char *)(uintptr_t) "run";
        model[i].step = (double)i + 1;
        models[i] = &model[i];
    }
    const es_results results = {.m = N, .name = name, .model = position, .is = is};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bool best[N] = {false, true, cases[c].best};
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
                bool apart = i == 0 || j == 0 || cases[c].apart;
                difference[i * N + j] = score[i] - score[j];
                variance[i * N + j] = apart ? 1e-6 : 1;
            }
        const es_decision decision = {.m = N,
                                      .level = 0.95,
                                      .by_lead = true,
                                      .said = cases[c].said,
                                      .blocks = cases[c].blocks,
                                      .low = bound,
                                      .high = bound,
                                      .best = best,
                                      .delta = difference,
                                      .var_rows = variance};
        const es_series_of of = {.results = &results,
                                 .model = models,
                                 .score_kind = ES_SCORE_PREDICTIVE,
                                 .score = score,
                                 .decision = &decision};
        es_series series = {0};
        es_buf *out = test_buf();
        assert_ok(es_series_new(&of, &series, NULL));
        assert_int_equal(series.runs, 1);
        assert_int_equal(series.run[0].best_is_last, cases[c].best || cases[c].blocks == 0);
        assert_int_equal(series.run[0].last_unknown, !cases[c].said);
        assert_int_equal(series.run[0].change, cases[c].blocks == 0 ? SIZE_MAX
                                               : cases[c].apart     ? 2
                                                                    : 1);
        es_series_put(&series, &of, 0, out);
        if (strstr(out->data, cases[c].words) == NULL)
            fail_msg("%s", out->data);
        es_series_deinit(&series);
    }
}
