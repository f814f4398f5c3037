/* Series on a screen. */
#include "screens.h"
#include "series_state.h"

/* Embedders 2 to 7 are a run, 8 to 10 another; names are the mock's. */
static es_mock *make_runs(es_scene scene) {
    static char first[] = "e5-tuned", second[] = "gte@lora";
    es_mock *mock = make_scene(scene);
    for (size_t i = 2; i < 11; i++) {
        mock->model[i].series = i < 8 ? first : second;
        mock->model[i].step = (double)(i < 8 ? 500 * (i - 1) : 1000 * (i - 7));
    }
    return mock;
}

static void forget_runs(es_mock *mock) {
    for (size_t i = 2; i < 11; i++)
        mock->model[i].series = NULL;
    mock_free(mock);
}

static void series__draw__as_golden(void **state) {
    (void)state;
    static const struct {
        const char *golden, *keys;
        es_scene scene;
    } cases[] = {{"series/partial", ":series<Enter>", SCENE_PARTIAL},
                 {"series/done", ":series<Enter>jjj", SCENE_DONE},
                 {"series/kept", ":series<Enter>mG", SCENE_DONE},
                 {"series/errors", ":series<Enter>jjj", SCENE_DONE},
                 {"series/empty", ":series<Enter>", SCENE_EMPTY}};
    static const es_estimator errors = {.name = "errors", .lower_is_better = true};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        es_mock *mock = make_runs(cases[k].scene);
        if (strcmp(cases[k].golden, "series/errors") == 0) {
            mock->lower[0] = mock->lower[1] = true;
            mock->results.estimator = &errors;
        }
        es_app *app = open_app(mock);
        es_effects effects = {0};
        es_buf out = {0};
        mock_keys(app, cases[k].keys, &effects);
        settle(app);
        add_screen(&out, app, 120, 40, false, false);
        add_screen(&out, app, 80, 24, false, false);
        add_screen(&out, app, 60, 16, true, false);
        es_effects_clear(&effects);
        es_app_free(app);
        forget_runs(mock);
        check_golden(cases[k].golden, &out);
    }
}

/* Enter compares a step with the one before; the tab is there only where there are runs. */
static void series__keys__do_what_they_say(void **state) {
    (void)state;
    es_mock *mock = make_runs(SCENE_DONE);
    es_app *app = open_app(mock);
    es_effects effects = {0};
    mock_keys(app, ":series<Enter>gg", &effects);
    size_t first = app->cursor;
    assert_true(es_series_line(app) == 0);
    mock_keys(app, "j", &effects);
    size_t second = app->cursor;
    assert_int_not_equal(first, second);
    mock_keys(app, "<Enter>", &effects);
    assert_int_equal(app->view, ES_VIEW_COMPARE);
    assert_true(app->set.compare.count == 2 && app->set.compare.item[0] == first &&
                app->set.compare.item[1] == second);
    mock_keys(app, ":series<Enter>:over-steps of_first<Enter>", &effects);
    assert_string_equal(es_series_shown(app)->name, "of_first");
    mock_keys(app, "u", &effects);
    assert_string_equal(es_series_shown(app)->name, "score");
    mock_keys(app, ":jobs<Enter>]", &effects);
    assert_int_equal(app->view, ES_VIEW_SERIES);
    es_effects_clear(&effects);
    es_app_free(app);
    forget_runs(mock);
    mock = make_scene(SCENE_DONE);
    app = open_app(mock);
    mock_keys(app, ":jobs<Enter>]", &effects);
    assert_int_equal(app->view, ES_VIEW_OVERVIEW);
    es_effects_clear(&effects);
    es_app_free(app);
    mock_free(mock);
}

static void series__any_size__draws(void **state) {
    (void)state;
    check_any_size(ES_VIEW_SERIES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series__draw__as_golden),
        cmocka_unit_test(series__keys__do_what_they_say),
        cmocka_unit_test(series__any_size__draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
