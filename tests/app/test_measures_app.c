/* Measures in the explorer: columns, the heatmap's metric, Corr's score, and the commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/mock.h"
#include "corr.h"
#include "embedscope/alloc.h"

typedef struct bench {
    es_mock *mock;
    es_app *app;
    es_effects effects;
} bench;

static void post(bench *b, es_msg msg) {
    mock_send(b->app, msg, &b->effects);
}

static void command(bench *b, const char *line) {
    post(b, (es_msg){.kind = ES_MSG_COMMAND, .now = b->app->now, .text = line});
}

static void press(bench *b, uint32_t key) {
    post(b, (es_msg){.kind = ES_MSG_KEY, .now = b->app->now, .key = key});
}

static bench start(bool measures) {
    bench b = {.mock = mock_new(6, NULL, 0)};
    b.mock->phase = ES_PHASE_DONE;
    b.mock->measures = measures;
    mock_fill(b.mock, 1);
    b.app = es_app_new(&b.mock->source, NULL);
    assert_non_null(b.app);
    post(&b, (es_msg){.kind = ES_MSG_RESIZE, .now = 100, .w = 120, .h = 40});
    post(&b, (es_msg){.kind = ES_MSG_SESSION, .now = 100});
    return b;
}

static void stop(bench *b) {
    es_effects_clear(&b->effects);
    es_app_free(b->app);
    mock_free(b->mock);
}

static const es_effect *last_effect(const bench *b, es_effect_kind kind) {
    for (size_t i = b->effects.count; i-- > 0;)
        if (b->effects.items[i].kind == kind)
            return &b->effects.items[i];
    return NULL;
}

static void measures__computed__are_columns_behind_the_scores(void **state) {
    (void)state;
    bench plain = start(false), b = start(true);
    size_t before = es_columns_count(plain.app, ES_TABLE_RANK);
    assert_int_equal(es_columns_count(b.app, ES_TABLE_RANK), before + 2);
    assert_string_equal(es_columns_at(b.app, ES_TABLE_RANK, before).title, "evalrank");
    char text[64];
    es_columns_text(b.app, ES_TABLE_RANK, before, 3, text, sizeof text);
    assert_string_equal(text, "0.300");
    assert_int_equal(es_score_count(b.app), 4); /* two tasks, two measures */
    assert_true(es_score_value(b.app, 5, 2) == 0.5);
    stop(&plain);
    stop(&b);
}

static void metric__pairwise__is_one_more(void **state) {
    (void)state;
    bench plain = start(false), b = start(true);
    command(&plain, "heatmap");
    command(&plain, "metric cka");
    assert_int_equal(plain.app->set.metric, ES_METRIC_IS);
    command(&b, "heatmap");
    command(&b, "metric cka");
    assert_int_equal(b.app->set.metric, ES_METRIC_MEASURE);
    assert_string_equal(es_metric_title(b.app, ES_METRIC_MEASURE), "cka");
    assert_true(es_metric_value(b.app, ES_METRIC_MEASURE, 1, 3) == 1 / 3.0);
    assert_true(isnan(es_metric_value(b.app, ES_METRIC_MEASURE, 2, 2)));
    press(&b, 'm'); /* and round again */
    assert_int_equal(b.app->set.metric, ES_METRIC_IS);
    stop(&plain);
    stop(&b);
}

static void axis__measure__takes_the_place_of_the_score(void **state) {
    (void)state;
    bench b = start(true);
    command(&b, "corr");
    assert_string_equal(es_corr_axis(b.app), "IS");
    command(&b, "axis evalrank");
    assert_string_equal(es_corr_axis(b.app), "evalrank");
    for (size_t i = 0; i < 6; i++)
        assert_true(fabs(b.app->corr->x[i] - 0.1 * (double)i) < 1e-12);
    press(&b, 'm');
    assert_string_equal(es_corr_axis(b.app), "uniformity");
    press(&b, 'm');
    assert_string_equal(es_corr_axis(b.app), "IS");
    command(&b, "axis nothing");
    assert_string_equal(es_corr_axis(b.app), "IS");
    stop(&b);
}

static void agree__note__names_every_measure(void **state) {
    (void)state;
    bench b = start(true);
    command(&b, "agree");
    assert_int_equal(b.app->mode, ES_MODE_NOTE);
    assert_non_null(strstr(b.app->note.text, "evalrank"));
    assert_non_null(strstr(b.app->note.text, "uniformity"));
    stop(&b);
}

static void commands__measure_and_derive__ask_the_session(void **state) {
    (void)state;
    bench b = start(false);
    command(&b, "measure retmmd");
    assert_string_equal(last_effect(&b, ES_FX_MEASURE)->text, "retmmd");
    press(&b, 'g');
    press(&b, 'm');
    assert_int_equal(b.app->mode, ES_MODE_PICK);
    press(&b, '\r');
    assert_string_equal(last_effect(&b, ES_FX_MEASURE)->text, "evalrank");
    command(&b, "pool");
    command(&b, "derive abtt 3");
    assert_string_equal(last_effect(&b, ES_FX_DERIVE)->text, "abtt 3");
    press(&b, 'd');
    press(&b, 'j');
    press(&b, '\r');
    const es_effect *effect = last_effect(&b, ES_FX_DERIVE);
    assert_string_equal(effect->text, "whiten 64");
    assert_int_equal(effect->number, b.app->cursor);
    stop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures__computed__are_columns_behind_the_scores),
        cmocka_unit_test(metric__pairwise__is_one_more),
        cmocka_unit_test(axis__measure__takes_the_place_of_the_score),
        cmocka_unit_test(agree__note__names_every_measure),
        cmocka_unit_test(commands__measure_and_derive__ask_the_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
