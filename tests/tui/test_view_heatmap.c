/* Heatmap on a screen. Its cells one by one are in test_heatmap.c. */
#include "screens.h"
#include "app_values.h"

TEST(heatmap__draw__as_golden) {
    check_view(ES_VIEW_HEATMAP, "heatmap");
}

static const es_picture_case pictures[] = {
    {"heatmap/digits", "]i", SCENE_DONE},
    {"heatmap/overview", "]0", SCENE_200},
    {"heatmap/asymmetry", "]:metric asymmetry<Enter>", SCENE_DONE},
    {"heatmap/measure", ":heatmap<Enter>:metric cka<Enter>jjllll", SCENE_MEASURED},
    {"heatmap/transposed", "]t", SCENE_PARTIAL},
    {"heatmap/scrolled", "]GR", SCENE_200},
    {"heatmap/filtered", "]fe5<Enter>", SCENE_DONE},
    {"heatmap/cell-focused", "]<Tab>", SCENE_DONE},
    {"heatmap/community", "2:order community<Enter>", SCENE_DONE},
    {"heatmap/cluster", "2:order cluster<Enter>", SCENE_DONE},
};

TEST(heatmap__keys__as_golden) {
    check_pictures(pictures, sizeof pictures / sizeof *pictures);
}

/* While knife refines what linear has shown; and with intervals and a zero line. */
TEST(heatmap__preview__as_golden) {
    check_preview(ES_VIEW_HEATMAP, "heatmap/preview", "jj l");
    check_preview(ES_VIEW_HEATMAP, "heatmap/preview-digits", "jj ld");
}

/* A cell of a measure waits for no pair of the run. */
TEST(inspect__measure__promises_nothing_of_the_run) {
    es_mock *mock = make_scene(SCENE_MEASURED);
    es_app *app = open_app(mock);
    es_effects *effects = effects_kept();
    es_grid *grid = grid_kept();
    mock_keys(app, "2:metric cka<Enter>", effects);
    for (size_t i = 0;
         i < app->n && es_app_pair_state(app, app->cursor, app->column) != ES_PAIR_PENDING; i++)
        app->column = i != app->cursor ? i : app->column;
    assert_int_equal(es_app_pair_state(app, app->cursor, app->column), ES_PAIR_PENDING);
    assert_true(es_grid_resize(grid, 120, 40));
    es_screen_draw(app, grid);
    char *text = test_keep(es_grid_dump_text(grid), es_free);
    assert_lacks(text, "puts this row first");
    assert_lacks(text, "% known");
    assert_contains(text, "IS/d       not known yet");
}

TEST(inspect__no_asymmetry__points_nowhere) {
    static const int sizes[][2] = {{120, 40}, {80, 24}};
    for (int i = 0; i < 4; i++) {
        es_mock *mock = make_scene(SCENE_DONE);
        size_t m = mock->results.m;
        for (size_t k = 0; k < m * m && i < 2; k++)
            mock->results.is[k] = 0.25;
        es_app *app = open_app(mock);
        es_grid *grid = grid_kept();
        app->view = ES_VIEW_HEATMAP;
        assert_true(es_grid_resize(grid, sizes[i % 2][0], sizes[i % 2][1]));
        es_screen_draw(app, grid);
        char *text = test_keep(es_grid_dump_text(grid), es_free), *at = strstr(text, "asym");
        assert_non_null(at);
        size_t line = strcspn(at, "\n");
        at[line] = '\0';
        bool points = strstr(at, "▶") != NULL || strstr(at, "◀") != NULL;
        assert_int_equal(points, i >= 2);
    }
}

/* A preview has not been refined, and does not go with a refined value of the way back. */
TEST(legend__preview__says_why_there_is_no_value) {
    es_mock *mock = make_scene(SCENE_DONE);
    mock->source.phase = ES_PHASE_RUNNING;
    mock_refine(mock, 0.5);
    es_app *app = open_app(mock);
    app->view = ES_VIEW_HEATMAP;
    size_t said[2] = {0, 0}, other = 0;
    for (size_t at = 0; at + 1 < app->n; at++) {
        es_buf *out = test_buf();
        if (es_app_pair_state(app, at, at + 1) != ES_PAIR_DONE) /* one is excluded */
            continue;
        app->cursor = at;
        app->column = at + 1;
        app->set.metric = ES_METRIC_REFINED;
        add_screen(out, app, 120, 40, false, false);
        bool preview = es_refine_preview(app, at, at + 1);
        assert_int_equal(strstr(out->data, "a preview, not refined yet") != NULL, preview);
        assert_lacks(out->data, "reverse not known");
        said[preview]++;
        es_buf_clear(out);
        app->set.metric = ES_METRIC_ASYMMETRY;
        add_screen(out, app, 120, 40, false, false);
        bool alike = es_refine_preview(app, at + 1, at) == preview;
        assert_int_equal(strstr(out->data, "the reverse is by another estimator") != NULL, !alike);
        assert_int_equal(strstr(out->data, "   asymmetry ") != NULL, alike);
        other += !alike;
    }
    assert_true(said[0] > 0 && said[1] > 0 && other > 0);
}

TEST(heatmap__any_size__draws) {
    check_any_size(ES_VIEW_HEATMAP);
}
