/* Extremes and profiles of the matrix against a look at every cell, and when they are made anew. */
#include "app/bench.h"
#include "app_values.h"

static double cell(const es_app *app, size_t r, size_t c) {
    const es_list *list = &app->list[ES_LIST_HEAT];
    return es_metric_value(app, app->set.metric, list->item[r], list->item[c]);
}

static void check(const es_app *app) {
    const es_list *list = &app->list[ES_LIST_HEAT];
    const es_summary *sum = &app->summary;
    double most = -(double)INFINITY, least = (double)INFINITY, skew = 0;
    size_t all = 0;
    for (size_t r = 0; r < list->count; r++) {
        double as_source = 0, as_target = 0;
        size_t targets = 0, sources = 0;
        for (size_t c = 0; c < list->count; c++) {
            double out = cell(app, r, c), in = cell(app, c, r);
            double a = es_metric_value(app, ES_METRIC_ASYMMETRY, list->item[r], list->item[c]);
            most = fmax(most, out); /* fmax leaves NaN out */
            least = fmin(least, out);
            skew = fmax(skew, a);
            as_source += isfinite(out) ? out : 0;
            as_target += isfinite(in) ? in : 0;
            targets += isfinite(out) ? 1 : 0;
            sources += isfinite(in) ? 1 : 0;
        }
        const es_summary_item *item = &sum->item[list->item[r]];
        assert_int_equal(item->targets, targets);
        assert_int_equal(item->sources, sources);
        assert_true(fabs(item->as_source - as_source) < 1e-9);
        assert_true(fabs(item->as_target - as_target) < 1e-9);
        all += targets;
    }
    if (all == 0) {
        assert_int_equal(sum->most.source, ES_NONE);
        assert_int_equal(sum->least.source, ES_NONE);
        return;
    }
    assert_true(sum->most.value == most);
    assert_true(sum->least.value == least);
    assert_true(sum->skew.value == skew);
    assert_true(es_metric_value(app, app->set.metric, sum->most.source, sum->most.target) == most);
    assert_true(es_metric_value(app, ES_METRIC_ASYMMETRY, sum->skew.source, sum->skew.target) ==
                skew);
}

TEST(summary__metrics_filters_and_new_values__is_as_all_cells_say) {
    static const char *const steps[] = {":heatmap<Enter>",
                                        ":metric asymmetry<Enter>",
                                        "t",
                                        ":metric seconds<Enter>",
                                        "fe5<Enter>",
                                        "<Esc>",
                                        ":hide LaBSE<Enter>",
                                        ":order dim<Enter>",
                                        ":metric is<Enter>"};
    bench *b = bench_of(12, 0.7);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        mock_keys(b->app, steps[i], b->effects);
        check(b->app);
    }
    b->mock->results.is[12 + 5] = 7; /* a new value, the largest */
    b->mock->results.state[12 + 5] = ES_PAIR_DONE;
    b->mock->results.revision++;
    mock_keys(b->app, ":show LaBSE<Enter>", b->effects);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 200}, b->effects);
    check(b->app);
    assert_true(b->app->summary.most.value == 7);
}

TEST(summary__measures__are_counted_as_they_come) {
    bench *b = bench_of(6, 0.7);
    b->mock->measures = true;
    mock_keys(b->app, ":heatmap<Enter>:metric cka<Enter>", b->effects);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 300}, b->effects);
    check(b->app);
    assert_true(b->app->summary.most.source != ES_NONE);
}

TEST(summary__nothing_changed__is_not_made_anew) {
    bench *b = bench_of(8, 0.7);
    mock_keys(b->app, ":heatmap<Enter>", b->effects);
    b->app->summary.most.value = 99;         /* would be overwritten */
    mock_keys(b->app, "jjllto", b->effects); /* another order has the same cells */
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 200}, b->effects);
    assert_true(b->app->summary.most.value == 99);
    mock_keys(b->app, ":hide LaBSE<Enter>", b->effects);
    check(b->app);
}

TEST(summary__nothing_known__says_so) {
    bench *b = bench_of(5, 0.7);
    assert_int_equal(b->app->summary.most.source, ES_NONE); /* not looked at yet */
    memset(b->mock->results.state, 0, 25);
    b->mock->results.revision++;
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 101}, b->effects);
    mock_keys(b->app, ":heatmap<Enter>", b->effects);
    check(b->app);
}
