/* Tree on a screen, as a tree and as a graph. */
#include "screens.h"

TEST(tree__draw__as_golden) {
    check_view(ES_VIEW_TREE, "tree");
}

static const es_picture_case pictures[] = {
    {"tree/block", ":tree<Enter>ggj<Enter>", SCENE_DONE},
    {"tree/folded", ":tree<Enter>ggjhj ", SCENE_DONE},
    {"tree/details", ":tree<Enter>kki", SCENE_DONE},
    {"tree/filtered", "3fe5<Enter>", SCENE_DONE},
};

TEST(tree__keys__as_golden) {
    check_pictures(pictures, sizeof pictures / sizeof *pictures);
}

TEST(tree__graph__as_golden) {
    for (int scene = 0; scene < SCENE_COUNT; scene++) {
        es_mock *mock = make_scene((es_scene)scene);
        es_app *app = open_app(mock);
        es_effects *effects = effects_kept();
        char golden[64];
        es_buf out = {0};
        mock_keys(app, "3g", effects);
        settle(app);
        snprintf(golden, sizeof golden, "tree/graph-%s", scene_names[scene]);
        add_all_sizes(&out, app);
        check_golden(golden, &out);
    }
}

/* On a wide screen numbers stand beside the names, not a hand's breadth away. */
TEST(tree__wide__as_golden) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_app *app = open_app(mock);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    mock_keys(app, "3", effects);
    settle(app);
    add_screen(&out, app, 200, 60, false, false);
    check_golden("tree/wide", &out);
}

/* Values that tie nobody are counted: two within three errors of 0, one below it. */
TEST(tree__no_edges__are_counted) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_buf *out = test_buf();
    size_t m = mock->results.m;
    for (size_t t = 1; t < 4; t++) {
        mock->results.is[t] = t == 3 ? -0.2 : 0.02;
        mock->results.se[t] = 0.01;
    }
    assert_true(m > 4);
    es_app *app = open_app(mock);
    mock_keys(app, "3", effects);
    settle(app);
    add_screen(out, app, 120, 40, true, false);
    assert_int_equal(app->tree.found->within, 2);
    assert_int_equal(app->tree.found->negative, 1);
    assert_contains(out->data, "3 values within three errors of 0, or below: no edges");
}

/* One legend, one estimator: that of the list, whatever the ranking stands on. */
TEST(tree__graph__fill_is_of_what_the_list_calls_out) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_app *app = open_app(mock);
    es_effects *effects = effects_kept();
    es_buf *out = test_buf();
    double low = INFINITY, high = -INFINITY;
    char legend[64];
    mock_keys(app, "3g", effects);
    settle(app);
    add_screen(out, app, 120, 40, false, false);
    es_buf_clear(out);
    for (size_t i = 0; i < app->list[ES_LIST_TREE].count; i++) /* as by another measure */
        app->live[app->list[ES_LIST_TREE].item[i]].score = 7 + (double)i;
    es_grid *grid = grid_kept();
    assert_true(es_grid_resize(grid, 120, 40));
    es_screen_draw(app, grid);
    char *text = test_keep(es_grid_dump_text(grid), es_free);
    es_buf_puts(out, text);
    for (size_t i = 0; i < app->list[ES_LIST_TREE].count; i++) {
        const es_live_rank *s = &app->live[app->list[ES_LIST_TREE].item[i]];
        low = fmin(low, s->published);
        high = fmax(high, s->published);
    }
    snprintf(legend, sizeof legend, "simulates ○◔◑◕● %.2f–%.2f ", low, high);
    assert_contains(out->data, legend);
}

TEST(tree__negative_medians__are_whole) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_buf *out = test_buf();
    size_t m = mock->results.m;
    for (size_t t = 1; t < m; t++)
        mock->results.is[t] = mock->results.is[t * m] = -0.25;
    es_app *app = open_app(mock);
    mock_keys(app, "3", effects);
    settle(app);
    add_screen(out, app, 80, 24, true, false);
    add_screen(out, app, 120, 40, true, false);
    assert_contains(out->data, "out -0.25 in -0.25 ");
}

TEST(tree__any_size__draws) {
    check_any_size(ES_VIEW_TREE);
}
