/* Sets: several data sets in the explorer, from the document of `embedscope rank`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/bench.h"
#include "facts.h"
#include "sets.h"

static const char document[] =
    "{\"pools\": [{\"name\": \"news\", \"rows\": 280, \"embedders\": 2, \"pairs\": 4, "
    "\"pairs_known\": 4}, {\"name\": \"stsb\", \"rows\": 300, \"embedders\": 3, \"pairs\": 9, "
    "\"pairs_known\": 7}], \"left_out\": [{\"name\": \"sick\", \"reason\": \"no results\"}], "
    "\"bottom_line\": {\"sentence\": \"LaBSE is first.\", \"said_of_others\": false}, "
    "\"ranking\": ["
    "{\"rank\": 1, \"model\": \"LaBSE\", \"share\": 0.75, \"ci_low\": 0.5, \"ci_high\": 1, \"in\": "
    "2, \"first_in\": 1, \"in_best_set\": true, \"data_sets\": [{\"rank\": 1, \"score\": 0.3, "
    "\"share\": 1}, {\"rank\": 2, \"score\": 0.2, \"share\": 0.5}]}, "
    "{\"rank\": 2, \"model\": \"elsewhere\", \"share\": 0.25, \"ci_low\": null, \"ci_high\": null, "
    "\"in\": 1, \"first_in\": 0, \"in_best_set\": true, \"data_sets\": [null, {\"rank\": 3, "
    "\"score\": -0.1, \"share\": 0}]}]}";
static const char *const names[] = {"news", "sick", "stsb"};

static bench open_sets(void) {
    bench b = bench_of(6, 1);
    es_app_sets(b.app, names, 3, 0);
    return b;
}

static size_t count_effects(const bench *b, es_effect_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < b->effects.count; i++)
        count += b->effects.items[i].kind == kind;
    return count;
}

static void document__is__read(void **state) {
    (void)state;
    bench b = open_sets();
    es_app_sets_known(b.app, document, sizeof document - 1);
    const es_sets *s = b.app->sets;
    assert_null(s->problem);
    assert_int_equal(s->rows, 2);
    assert_string_equal(s->sentence, "LaBSE is first.");
    assert_string_equal(s->row[0].name, "LaBSE");
    assert_string_equal(es_app_model(b.app, s->row[0].item)->name, "LaBSE");
    assert_int_equal(s->row[1].item, ES_NONE);
    assert_true(isnan(s->row[1].low));
    assert_true(es_sets_value(s, ES_WITHIN_SHARE, 0, 0) == 1);
    assert_true(es_sets_value(s, ES_WITHIN_SCORE, 1, 2) == -0.1);
    assert_true(es_sets_value(s, ES_WITHIN_RANK, 0, 2) == 2);
    assert_true(isnan(es_sets_value(s, ES_WITHIN_SHARE, 1, 0))); /* not in news */
    assert_true(isnan(es_sets_value(s, ES_WITHIN_SHARE, 0, 1))); /* nothing is known of sick */
    assert_string_equal(s->set[1].missing, "no results");
    assert_int_equal(s->set[2].known, 7);
    bench_stop(&b);
}

static void document__of_the_others__says_whose_folder_is_gone(void **state) {
    (void)state;
    static const char two[] = "{\"pools\": [{\"name\": \"news\"}, {\"name\": \"stsb\"}], "
                              "\"left_out\": [], \"ranking\": [], "
                              "\"bottom_line\": {\"sentence\": \"LaBSE is first.\"}}";
    bench b = open_sets();
    es_sets *s = b.app->sets;
    es_app_sets_known(b.app, two, sizeof two - 1);
    es_app_set_gone(b.app, 0); /* it was there to be read */
    es_app_set_gone(b.app, 1);
    assert_null(s->set[0].missing);
    assert_string_equal(s->set[1].missing, "sick: its folder is gone");
    assert_string_equal(s->sentence, "LaBSE is first. Without sick: its folder is gone.");
    bench_stop(&b);
}

static void document__that_is_none__is_said(void **state) {
    (void)state;
    bench b = open_sets();
    es_app_sets_known(b.app, "{\"pools\": 3}", 12);
    assert_non_null(b.app->sets->problem);
    es_app_sets_known(b.app, document, sizeof document - 1);
    assert_null(b.app->sets->problem);
    es_app_sets_known(b.app, "{", 1); /* what was known stays */
    assert_non_null(b.app->sets->problem);
    es_app_sets_failed(b.app, "no memory");
    assert_string_equal(b.app->sets->problem, "no memory");
    bench_stop(&b);
}

/* Once when it is shown, and again when the results are others; never in other views. */
static void document__is_asked_for__while_it_is_shown(void **state) {
    (void)state;
    bench b = open_sets();
    bench_keys(&b, "4");
    assert_int_equal(count_effects(&b, ES_FX_SETS), 0);
    bench_keys(&b, "8");
    assert_int_equal(b.app->view, ES_VIEW_SETS);
    assert_int_equal(count_effects(&b, ES_FX_SETS), 1);
    bench_keys(&b, "j");
    assert_int_equal(count_effects(&b, ES_FX_SETS), 1);
    assert_false(es_app_settled(b.app));
    es_app_sets_known(b.app, document, sizeof document - 1);
    bench_keys(&b, "j");
    assert_int_equal(count_effects(&b, ES_FX_SETS), 1);
    b.mock->results.revision++;
    b.app->now += 10;
    mock_send(b.app, (es_msg){.kind = ES_MSG_SESSION, .now = b.app->now}, &b.effects);
    assert_int_equal(count_effects(&b, ES_FX_SETS), 2);
    bench_stop(&b);
}

/* What is shown stays until the answer is there; in other views nobody asks. */
static void document__of_changes_elsewhere__is_asked_for_in_silence(void **state) {
    (void)state;
    bench b = open_sets();
    bench_keys(&b, "8");
    assert_true(es_sets_soon(b.app));
    es_app_sets_failed(b.app, "only news has results");
    b.app->now += 10;
    bench_keys(&b, "j");
    assert_int_equal(count_effects(&b, ES_FX_SETS), 1);
    assert_true(isinf(es_sets_deadline(b.app)));
    es_app_sets_elsewhere(b.app);
    assert_true(isfinite(es_sets_deadline(b.app)));
    bench_keys(&b, "4");
    assert_int_equal(count_effects(&b, ES_FX_SETS), 1);
    bench_keys(&b, "8");
    assert_int_equal(count_effects(&b, ES_FX_SETS), 2);
    assert_false(es_sets_soon(b.app));
    es_app_sets_known(b.app, document, sizeof document - 1);
    b.app->now += 10;
    bench_keys(&b, "j");
    assert_int_equal(count_effects(&b, ES_FX_SETS), 2);
    bench_stop(&b);
}

static void keys__open__another_data_set(void **state) {
    (void)state;
    bench b = open_sets();
    es_app_sets_known(b.app, document, sizeof document - 1);
    bench_keys(&b, "4");
    bench_keys(&b, "8");
    bench_keys(&b, "<Enter>"); /* it is open */
    assert_int_equal(b.app->view, ES_VIEW_RANK);
    assert_int_equal(count_effects(&b, ES_FX_OPEN_SET), 0);
    bench_keys(&b, "8");
    bench_keys(&b, "ll");
    bench_keys(&b, "<Enter>");
    assert_int_equal(count_effects(&b, ES_FX_OPEN_SET), 1);
    for (size_t i = 0; i < b.effects.count; i++)
        if (b.effects.items[i].kind == ES_FX_OPEN_SET)
            assert_int_equal(b.effects.items[i].number, 2);
    assert_int_equal(b.app->view, ES_VIEW_RANK); /* where it goes on */
    bench_keys(&b, "8");
    bench_keys(&b, "m");
    assert_int_equal(b.app->set.within, ES_WITHIN_SCORE);
    bench_command(&b, "within rank");
    assert_int_equal(b.app->set.within, ES_WITHIN_RANK);
    bench_keys(&b, "u");
    assert_int_equal(b.app->set.within, ES_WITHIN_SCORE);
    bench_keys(&b, "<Esc>");
    assert_int_equal(b.app->view, ES_VIEW_RANK);
    bench_stop(&b);
}

static void send_phase(bench *b, es_phase phase) {
    b->mock->source.phase = phase;
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now}, &b->effects);
}

/* One after the other, once the open one is over; none twice, and not the open one. */
static void others__are_estimated__one_after_the_other(void **state) {
    (void)state;
    bench b = bench_of(6, 1);
    es_app_sets(b.app, names, 3, 1);
    b.mock->source.store_path = "store";
    send_phase(&b, ES_PHASE_DONE);
    assert_int_equal(count_effects(&b, ES_FX_SET_ESTIMATE), 0); /* nobody has asked */
    es_app_sets_start(b.app);
    send_phase(&b, ES_PHASE_RUNNING);
    assert_int_equal(count_effects(&b, ES_FX_SET_ESTIMATE), 0);
    assert_false(es_sets_estimating(b.app));
    send_phase(&b, ES_PHASE_DONE);
    bench_keys(&b, "j");
    assert_int_equal(count_effects(&b, ES_FX_SET_ESTIMATE), 1);
    assert_int_equal(b.app->sets->at_work, 0);
    assert_true(es_sets_estimating(b.app));
    assert_false(es_app_settled(b.app));
    assert_non_null(strstr(b.app->toast, "news (1 of 3)"));
    es_app_set_progress(b.app, "embedscope: linear 1/9 pairs\n");
    assert_string_equal(b.app->sets->work, "linear 1/9 pairs");
    es_app_set_progress(b.app, "linear 2"); /* not a whole line yet */
    assert_string_equal(b.app->sets->work, "linear 1/9 pairs");
    es_app_set_estimated(b.app, ES_EIO, "its disk is full");
    bench_keys(&b, "j");
    assert_int_equal(count_effects(&b, ES_FX_SET_ESTIMATE), 2);
    assert_int_equal(b.app->sets->at_work, 2); /* 1 is open */
    es_app_set_estimated(b.app, ES_OK, "");
    bench_keys(&b, "j");
    assert_int_equal(count_effects(&b, ES_FX_SET_ESTIMATE), 2);
    assert_false(es_sets_estimating(b.app));
    assert_non_null(strstr(b.app->toast, "1 of 3 data sets could not"));
    bench_stop(&b);
}

/* X stops it for good, q asks first; without a store there would be nothing to show for it. */
static void others__being_estimated__can_be_stopped(void **state) {
    (void)state;
    bench b = open_sets();
    b.mock->source.store_path = "store";
    es_app_sets_start(b.app);
    send_phase(&b, ES_PHASE_DONE);
    bench_keys(&b, "q");
    assert_int_equal(b.app->ask, ES_ASK_QUIT);
    bench_keys(&b, "n");
    assert_int_equal(count_effects(&b, ES_FX_QUIT), 0);
    bench_keys(&b, "X");
    assert_int_equal(count_effects(&b, ES_FX_SET_STOP), 1);
    es_app_set_estimated(b.app, ES_EIO, "signal 15");
    bench_keys(&b, "j");
    assert_null(strstr(b.app->toast, "signal"));
    assert_int_equal(count_effects(&b, ES_FX_SET_ESTIMATE), 1);
    es_app_sets(b.app, names, 3, 0);
    b.mock->source.store_path = NULL;
    es_app_sets_start(b.app);
    send_phase(&b, ES_PHASE_DONE);
    assert_int_equal(count_effects(&b, ES_FX_SET_ESTIMATE), 1);
    bench_stop(&b);
}

static void one_pool__has__no_such_view(void **state) {
    (void)state;
    bench b = bench_of(6, 1);
    bench_keys(&b, "9");
    bench_keys(&b, "]");
    assert_int_equal(b.app->view, ES_VIEW_OVERVIEW);
    bench_keys(&b, "8");
    assert_int_equal(b.app->view, ES_VIEW_OVERVIEW);
    assert_non_null(strstr(b.app->toast, "one pool is open"));
    bench_stop(&b);
}

static void folders__are_asked_about__once(void **state) {
    (void)state;
    bench b = bench_of(6, 1);
    es_app_ask_folders(b.app);
    assert_int_equal(b.app->mode, ES_MODE_NORMAL);
    b.mock->source.folders_question = "one, two: 2 folders";
    es_app_ask_folders(b.app);
    assert_int_equal(b.app->mode, ES_MODE_ASK);
    b.app->may_start = true;
    bench_keys(&b, "<Esc>"); /* left open: nothing begins by itself */
    assert_false(b.app->set.same_rows);
    assert_false(b.app->may_start);
    assert_non_null(strstr(b.app->toast, "r estimates"));
    es_app_ask_folders(b.app);
    bench_keys(&b, "n");
    assert_int_equal(count_effects(&b, ES_FX_FOLDERS), 1);
    es_app_ask_folders(b.app);
    bench_keys(&b, "y");
    assert_true(b.app->set.same_rows);
    es_app_ask_folders(b.app);
    assert_int_equal(b.app->mode, ES_MODE_NORMAL);
    bench_stop(&b);
}

static void copy__is__the_table(void **state) {
    (void)state;
    bench b = open_sets();
    es_app_sets_known(b.app, document, sizeof document - 1);
    bench_keys(&b, "8");
    bench_keys(&b, "ym");
    const char *text = NULL;
    for (size_t i = 0; i < b.effects.count; i++)
        if (b.effects.items[i].kind == ES_FX_COPY)
            text = b.effects.items[i].text;
    assert_non_null(text);
    assert_string_equal(text, "| rank | embedder | share | low | high | in | news | sick | stsb |\n"
                              "|---:|---|---:|---:|---:|---:|---:|---:|---:|\n"
                              "| 1 | LaBSE | 0.75 | 0.5 | 1 | 2 | 1 |  | 0.5 |\n"
                              "| 2 | elsewhere | 0.25 |  |  | 1 |  |  | 0 |\n");
    bench_stop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(document__is__read),
        cmocka_unit_test(document__of_the_others__says_whose_folder_is_gone),
        cmocka_unit_test(document__that_is_none__is_said),
        cmocka_unit_test(document__is_asked_for__while_it_is_shown),
        cmocka_unit_test(document__of_changes_elsewhere__is_asked_for_in_silence),
        cmocka_unit_test(keys__open__another_data_set),
        cmocka_unit_test(others__are_estimated__one_after_the_other),
        cmocka_unit_test(others__being_estimated__can_be_stopped),
        cmocka_unit_test(one_pool__has__no_such_view),
        cmocka_unit_test(folders__are_asked_about__once),
        cmocka_unit_test(copy__is__the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
