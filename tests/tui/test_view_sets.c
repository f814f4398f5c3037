/* Sets on a screen. */
#include "screens.h"
#include "sets.h"
#include "shapes.h"

enum { SETS = 7, ROWS = 9 };
static const char *const names[SETS] = {
    "stsb", "sick", "news", "a-long-name-of-a-data-set", "qa", "tickets-de", "molecules"};

/* Two data sets of which nothing is known, embedders that some of them lack. */
static void put_document(es_buf *out) {
    es_buf_puts(out, "{\"pools\": [");
    for (size_t s = 0; s + 2 < SETS; s++)
        es_buf_printf(out,
                      "%s{\"name\": \"%s\", \"rows\": %zu, \"embedders\": 9, \"pairs\": 81, "
                      "\"pairs_known\": %zu}",
                      s ? ", " : "", names[s], 300 + s, 81 - s);
    es_buf_printf(out,
                  "], \"left_out\": [{\"name\": \"%s\", \"reason\": \"tickets-de: no results are "
                  "stored; run `embedscope estimate tickets-de`\"}], ",
                  names[SETS - 2]);
    es_buf_puts(out,
                "\"bottom_line\": {\"sentence\": \"Over 5 data sets the first is LaBSE: it "
                "comes before 97 % of the others, and no other is shown ahead of it in 4 of 5.\", "
                "\"said_of_others\": true}, \"ranking\": [");
    for (size_t k = 0; k < ROWS; k++) {
        double share = 1 - (double)k / ROWS;
        es_buf_printf(out,
                      "%s{\"rank\": %zu, \"model\": \"%s\", \"share\": %.3f, \"ci_low\": %.3f, "
                      "\"ci_high\": %.3f, \"in\": 5, \"first_in\": %d, \"in_best_set\": %s, "
                      "\"data_sets\": [",
                      k ? ", " : "", k + 1, mock_names[k], share, share * 0.9, share, k == 0,
                      k < 3 ? "true" : "false");
        for (size_t s = 0; s + 2 < SETS; s++) {
            double own = mock_noise(k, s);
            if ((k + s) % 4 == 3)
                es_buf_puts(out, s ? ", null" : "null");
            else
                es_buf_printf(out, "%s{\"rank\": %zu, \"score\": %.3f, \"share\": %.3f}",
                              s ? ", " : "", k + 1, own / 3, own);
        }
        es_buf_puts(out, "]}");
    }
    es_buf_puts(out, "]}");
}

static es_app *open_sets(es_mock *mock, bool known) {
    es_buf text = {0};
    es_app *app = open_app(mock);
    es_app_sets(app, names, SETS, 1);
    if (known) {
        put_document(&text);
        es_app_sets_known(app, text.data, text.length);
        assert_null(app->sets->problem);
        es_buf_free(&text);
    }
    app->view = ES_VIEW_SETS;
    return app;
}

/* Before anything is known of all data sets, and where nothing is said of others, there are no
 * signs to explain. */
static void sets__help__opens_whatever_is_known(void **state) {
    (void)state;
    for (int known = 0; known < 2; known++) {
        es_mock *mock = make_scene(SCENE_DONE);
        es_app *app = open_sets(mock, known);
        es_effects effects = {0};
        es_buf out = {0};
        if (known)
            app->sets->said = false;
        mock_keys(app, "?", &effects);
        add_screen(&out, app, 120, 40, false, false);
        assert_non_null(strstr(out.data, "Help: Sets"));
        es_buf_free(&out);
        es_effects_clear(&effects);
        es_app_free(app);
        mock_free(mock);
    }
}

/* Where the document cannot be made they were all looked at. */
static void sets__problem__is_not_called_not_looked_at(void **state) {
    (void)state;
    es_mock *mock = make_scene(SCENE_DONE);
    es_app *app = open_sets(mock, false);
    es_buf out = {0};
    es_effects effects = {0};
    for (int anew = 0; anew < 2;
         anew++) { /* 1: another document is due: that is no news any more */
        app->now += 10;
        app->sets->asked = false;
        es_sets_ask(app, &effects);
        es_app_sets_failed(app, "no embedder is in two of the data sets: they are matched by name");
        app->sets->revision += (uint64_t)anew;
        add_screen(&out, app, 120, 40, false, false);
        assert_int_equal(strstr(out.data, "no embedder is in two") == NULL, anew);
        assert_int_equal(strstr(out.data, "being put together") != NULL, anew);
        assert_null(strstr(out.data, "not looked at"));
        assert_non_null(strstr(out.data, "it is open"));
        es_buf_clear(&out);
    }
    es_buf_free(&out);
    es_effects_clear(&effects);
    es_app_free(app);
    mock_free(mock);
}

/* Statements that have no room are left out whole; only the first may be cut. */
static void statements__few_lines__end_with_a_full_stop(void **state) {
    (void)state;
    static const char text[] = "The best is A: it comes before 98 % of the others. Then B (90 %), "
                               "C. D. (88 %). Of another data set nothing can be said.";
    es_grid grid = {0};
    for (int w = 1; w < 140; w++)
        for (int h = 0; h < 8; h++) {
            assert_true(es_grid_resize(&grid, w, 12));
            es_grid_clear(&grid);
            int used = es_draw_statements(&grid, (es_rect){0, 0, w, h}, ES_ROLE_TEXT, text);
            assert_in_range(used, 0, h);
            char *dump = es_grid_dump_text(&grid), joined[2000] = "";
            size_t length = 0, ends = 0;
            for (const char *c = dump; *c != '\0'; c++)
                if (*c != '\n' && *c != ' ')
                    joined[length++] = *c;
            joined[length] = '\0';
            es_free(dump);
            for (size_t at = 0; text[at] != '\0' && ends < length; at++) { /* but for blanks */
                if (text[at] != ' ')
                    assert_int_equal(text[at], joined[ends++]);
            }
            bool first = length < strlen("ThebestisA:itcomesbefore98%oftheothers.");
            assert_true(first || joined[length - 1] == '.');
        }
    es_grid_free(&grid);
}

static void sets__draw__as_golden(void **state) {
    (void)state;
    es_buf out = {0};
    es_mock *mock = make_scene(SCENE_DONE);
    es_app *app = open_sets(mock, true);
    add_all_sizes(&out, app);
    es_app_free(app);
    mock_free(mock);
    check_golden("sets/known", &out);
}

static void sets__cursor__as_golden(void **state) {
    (void)state;
    es_effects effects = {0};
    es_buf out = {0};
    es_mock *mock = make_scene(SCENE_DONE);
    es_app *app = open_sets(mock, true);
    mock_keys(app, "jjllll", &effects);
    add_screen(&out, app, 80, 24, false, false);
    app->set.within = 2;
    add_screen(&out, app, 120, 40, false, false);
    es_effects_clear(&effects);
    es_app_free(app);
    mock_free(mock);
    check_golden("sets/cursor", &out);
}

static void sets__nothing_known__as_golden(void **state) {
    (void)state;
    es_buf out = {0};
    es_mock *mock = make_scene(SCENE_DONE);
    es_app *app = open_sets(mock, false);
    add_screen(&out, app, 80, 24, false, false);
    es_app_sets_failed(app, "stsb: no results are stored; run `embedscope estimate stsb`");
    add_screen(&out, app, 80, 24, false, false);
    es_app_free(app);
    mock_free(mock);
    check_golden("sets/nothing", &out);
}

static void sets__any_size__draws(void **state) {
    (void)state;
    es_grid grid = {0};
    es_mock *mock = make_scene(SCENE_DONE);
    es_app *app = open_sets(mock, true);
    for (int w = 1; w < 140; w += 3)
        for (int h = 1; h < 45; h += 2) {
            assert_true(es_grid_resize(&grid, w, h));
            es_screen_draw(app, &grid);
        }
    es_grid_free(&grid);
    es_app_free(app);
    mock_free(mock);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets__help__opens_whatever_is_known),
        cmocka_unit_test(sets__problem__is_not_called_not_looked_at),
        cmocka_unit_test(statements__few_lines__end_with_a_full_stop),
        cmocka_unit_test(sets__draw__as_golden),
        cmocka_unit_test(sets__cursor__as_golden),
        cmocka_unit_test(sets__nothing_known__as_golden),
        cmocka_unit_test(sets__any_size__draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
