/* The overview on a screen. */
#include "screens.h"

TEST(overview__draw__as_golden) {
    check_view(ES_VIEW_OVERVIEW, "overview");
}

/* With everything that is said of a ranking, at three sizes. */
TEST(overview__decided__as_golden) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    mock_predict(mock);
    mock_pmi(mock);
    es_app *app = open_app(mock);
    mock_keys(app, "0", effects);
    mock_compute(mock, app, app->intervals.tag);
    mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = 110}, effects);
    app->now += 10;
    settle(app);
    add_screen(&out, app, 200, 60, false, false);
    add_all_sizes(&out, app);
    check_golden("overview/decided", &out);
}

/* What a list leaves out is said where the first of it stand. */
TEST(overview__hidden_and_filtered__is_said) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    es_app *app = open_app(mock);
    mock_keys(app, "40", effects);
    settle(app);
    add_screen(&out, app, 120, 40, false, false);
    mock_keys(app, "4xfdim>100<Enter>0", effects);
    settle(app);
    add_screen(&out, app, 120, 40, false, false);
    add_screen(&out, app, 60, 20, false, false);
    check_golden("overview/hidden", &out);
}

/* Who is alone when little is known may only not have been looked at: no family of its own. */
TEST(overview__few_pairs__families_are_not_told) {
    es_mock *mock = make_scene(SCENE_EMPTY);
    es_app *app = open_app(mock);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    mock->source.phase = ES_PHASE_RUNNING;
    mock_put(mock, 1, 2);
    mock_put(mock, 4, 2);
    mock_count_progress(mock);
    mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = 110}, effects);
    mock_keys(app, "0", effects);
    settle(app);
    assert_non_null(app->tree.found);
    assert_true(2 * app->tree.found->groups > app->tree.found->m);
    add_all_sizes(&out, app);
    check_golden("overview/few", &out);
}

/* Marks in every cell would tell nothing apart; heatmap/preview has them beside refined ones. */
TEST(overview__all_previews__say_so_once) {
    check_refined(ES_VIEW_OVERVIEW, "overview/previews", "", 0);
}

TEST(overview__click__each_tile_leads_to_its_view) {
    static const es_view_id leads[ES_PANE_COUNT] = {
        [ES_TILE_FIRST] = ES_VIEW_RANK,    [ES_TILE_MATRIX] = ES_VIEW_HEATMAP,
        [ES_TILE_FAMILIES] = ES_VIEW_TREE, [ES_TILE_DOWNSTREAM] = ES_VIEW_CORR,
        [ES_TILE_RUN] = ES_VIEW_JOBS,      [ES_TILE_ANSWER] = ES_VIEW_RANK};
    es_mock *mock = make_scene(SCENE_DONE);
    es_app *app = open_app(mock);
    es_effects *effects = effects_kept();
    es_grid *grid = grid_kept();
    assert_true(es_grid_resize(grid, 120, 40));
    for (int tile = 0; tile < ES_PANE_COUNT; tile++) {
        app->now += 1;
        mock_keys(app, "0", effects);
        es_screen_draw(app, grid);
        es_layout l = es_layout_make(ES_VIEW_OVERVIEW, ES_PANE_MAIN, 120, 40, app->headline.lines);
        es_rect at = l.pane[tile];
        es_mouse mouse = es_grid_mouse(grid, ES_MOUSE_CLICK, at.x + at.w / 2, at.y + at.h / 2);
        mock_send(app, (es_msg){.kind = ES_MSG_MOUSE, .now = app->now + 1, .mouse = mouse},
                  effects);
        assert_int_equal(app->view, leads[tile]);
    }
}

TEST(overview__any_size__draws) {
    check_any_size(ES_VIEW_OVERVIEW);
}
