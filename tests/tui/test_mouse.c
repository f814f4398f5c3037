/* Clicks and the wheel, from a place on a drawn screen to what the app does about it. */
#include "app/bench.h"
#include "tui/grids.h"
#include "tui_screen.h"
#include "app_state.h"
#include "app_lists.h"

typedef struct es_stage {
    es_mock *mock;
    es_app *app;
    es_grid *grid;
    es_effects *effects;
} es_stage;

static void draw(es_stage *stage) {
    es_grid_clear(stage->grid);
    es_screen_draw(stage->app, stage->grid);
    es_app_drawn(stage->app);
}

static es_stage *open_stage(size_t n, int w, int h) {
    es_stage *stage = test_alloc(1, sizeof *stage);
    *stage = (es_stage){mock_kept(n, NULL, 2), NULL, grid_kept(), effects_kept()};
    stage->mock->source.phase = ES_PHASE_DONE;
    mock_fill(stage->mock, 1);
    mock_count_progress(stage->mock);
    stage->app = app_over(stage->mock);
    assert_true(es_grid_resize(stage->grid, w, h));
    mock_send(stage->app, (es_msg){.kind = ES_MSG_RESIZE, .now = 100, .w = w, .h = h},
              stage->effects);
    mock_send(stage->app, (es_msg){.kind = ES_MSG_SESSION, .now = 100}, stage->effects);
    draw(stage);
    return stage;
}

static void keys(es_stage *stage, const char *text) {
    mock_keys(stage->app, text, stage->effects);
    draw(stage);
}

static void act(es_stage *stage, es_mouse_kind kind, int x, int y, double after) {
    mock_send(stage->app,
              (es_msg){.kind = ES_MSG_MOUSE,
                       .now = stage->app->now + after,
                       .mouse = es_grid_mouse(stage->grid, kind, x, y)},
              stage->effects);
    draw(stage);
}

static void click(es_stage *stage, int x, int y) {
    act(stage, ES_MOUSE_CLICK, x, y, 1);
}

/* Where the grid noted this, at its middle. */
static void place_of(const es_stage *stage, es_click means, size_t value, int *x, int *y) {
    *x = *y = -1;
    for (size_t i = 0; i < stage->grid->n_click_areas; i++) {
        const es_click_area *place = &stage->grid->click_areas[i];
        if (place->means == means && place->value == value && place->rect.w > 0) {
            *x = place->rect.x + place->rect.w / 2;
            *y = place->rect.y + place->rect.h / 2;
            return;
        }
    }
    fail_msg("no place for %d with %zu", (int)means, value);
}

TEST(mouse__tabs_and_footer__run_commands) {
    int x, y;
    es_stage *stage = open_stage(13, 120, 40);
    for (int view = ES_VIEW_JOBS; view > ES_VIEW_OVERVIEW;
         view--) { /* Sets has a tab where there are several */
        static const es_command command[] = {ES_COMMAND_VIEW_POOL, ES_COMMAND_VIEW_HEATMAP,
                                             ES_COMMAND_VIEW_TREE, ES_COMMAND_VIEW_RANK,
                                             ES_COMMAND_VIEW_CORR, ES_COMMAND_VIEW_COMPARE,
                                             ES_COMMAND_VIEW_JOBS};
        place_of(stage, ES_CLICK_COMMAND, command[view - ES_VIEW_POOL], &x, &y);
        assert_int_equal(y, 0);
        click(stage, x, y);
        assert_int_equal(stage->app->view, view);
    }
    size_t item = stage->app->cursor;
    assert_false(stage->app->marked[item]);
    place_of(stage, ES_CLICK_COMMAND, ES_COMMAND_MARK, &x, &y);
    assert_int_equal(y, 39);
    click(stage, x, y);
    assert_true(stage->app->marked[item]);
    place_of(stage, ES_CLICK_COMMAND, ES_COMMAND_HELP, &x, &y);
    click(stage, x, y);
    assert_int_equal(stage->app->mode, ES_MODE_HELP);
}

TEST(mouse__every_footer_entry__is_where_it_is_shown) {
    es_stage *stage = open_stage(13, 160, 40);
    for (int view = 0; view < ES_VIEW_COUNT; view++) {
        char key[2] = {(char)('0' + view), '\0'};
        size_t entries = 0;
        keys(stage, key);
        for (size_t i = 0; i < stage->grid->n_click_areas; i++) {
            const es_click_area *place = &stage->grid->click_areas[i];
            if (place->means != ES_CLICK_COMMAND || place->rect.y != 39)
                continue;
            const char *label = es_commands[place->value].footer;
            int end = place->rect.x + place->rect.w;
            entries++;
            assert_non_null(label);
            assert_true(place->rect.x >= 0 && end <= 160);
            assert_int_equal(es_grid_at(stage->grid, end - 1, 39)->code[0],
                             (unsigned char)label[strlen(label) - 1]);
        }
        assert_true(entries >= 5);
    }
}

TEST(mouse__a_row__moves_the_cursor_and_a_title_sorts) {
    int x, y, unused;
    es_stage *stage = open_stage(13, 120, 40);
    keys(stage, "4");
    size_t third = stage->app->list[ES_LIST_RANK].item[2];
    place_of(stage, ES_CLICK_ITEM, third, &unused, &y);
    place_of(stage, ES_CLICK_COLUMN, ES_RANK_DIM, &x, &unused);
    click(stage, x, y);
    assert_int_equal(stage->app->cursor, third);
    assert_int_equal(stage->app->set.table[ES_TABLE_RANK].column, ES_RANK_DIM);
    assert_int_equal(stage->app->set.table[ES_TABLE_RANK].sort, ES_RANK_SCORE);
    click(stage, x, 2 + stage->app->headline.lines); /* the line of the titles */
    assert_int_equal(stage->app->set.table[ES_TABLE_RANK].sort, ES_RANK_DIM);
    assert_int_equal(stage->app->cursor, third);
    keys(stage, "u");
    assert_int_equal(stage->app->set.table[ES_TABLE_RANK].sort, ES_RANK_SCORE);
}

TEST(mouse__two_quick_clicks__are_enter) {
    int x, y;
    es_stage *stage = open_stage(13, 120, 40);
    keys(stage, "4");
    place_of(stage, ES_CLICK_ITEM, stage->app->list[ES_LIST_RANK].item[4], &x, &y);
    click(stage, x, y);
    click(stage, x, y); /* a second later: only a click */
    assert_int_equal(stage->app->view, ES_VIEW_RANK);
    act(stage, ES_MOUSE_CLICK, x, y, 0.2);
    assert_int_equal(stage->app->mode, ES_MODE_NOTE);
}

/* In half blocks a place holds two rows: the second click takes the lower one. */
TEST(mouse__a_cell_of_the_matrix__is_selected) {
    int x, y, unused;
    es_stage *stage = open_stage(60, 120, 40);
    keys(stage, "2");
    const es_list *list = &stage->app->list[ES_LIST_HEAT];
    place_of(stage, ES_CLICK_ITEM, list->item[6], &unused, &y);
    place_of(stage, ES_CLICK_TARGET, list->item[9], &x, &unused);
    click(stage, x, y);
    assert_int_equal(stage->app->cursor, list->item[6]);
    assert_int_equal(stage->app->column, list->item[9]);
    click(stage, x, y);
    assert_int_equal(stage->app->cursor, list->item[7]);
    assert_int_equal(stage->app->column, list->item[9]);
    click(stage, x, y);
    assert_int_equal(stage->app->cursor, list->item[6]);
}

/* Rows that change places between frame and click must not send it to another embedder. */
TEST(mouse__a_click_after_a_change__means_what_was_seen) {
    int x, y;
    es_stage *stage = open_stage(13, 120, 40);
    keys(stage, "4");
    size_t seen = stage->app->list[ES_LIST_RANK].item[0];
    place_of(stage, ES_CLICK_ITEM, seen, &x, &y);
    es_mouse mouse = es_grid_mouse(stage->grid, ES_MOUSE_CLICK, x, y);
    keys(stage, "S"); /* what is drawn now is not what was clicked */
    assert_int_not_equal(stage->app->list[ES_LIST_RANK].item[0], seen);
    mock_send(stage->app,
              (es_msg){.kind = ES_MSG_MOUSE, .now = stage->app->now + 1, .mouse = mouse},
              stage->effects);
    assert_int_equal(stage->app->cursor, seen);
}

TEST(mouse__the_wheel__moves_in_its_pane_only) {
    int x, y;
    es_stage *stage = open_stage(13, 120, 40);
    keys(stage, "1gg");
    size_t first = stage->app->cursor;
    place_of(stage, ES_CLICK_PANE, ES_PANE_SIDE, &x, &y);
    act(stage, ES_MOUSE_WHEEL_DOWN, x, y, 1);
    assert_int_equal(stage->app->cursor, first);
    assert_int_equal(stage->app->pane_top[ES_VIEW_POOL][ES_PANE_SIDE], 3);
    assert_int_equal(stage->app->focus[ES_VIEW_POOL], ES_PANE_MAIN);
    place_of(stage, ES_CLICK_PANE, ES_PANE_MAIN, &x, &y);
    act(stage, ES_MOUSE_WHEEL_DOWN, x, y, 1);
    assert_int_equal(es_select_index(stage->app, ES_LIST_POOL, stage->app->cursor), 3);
}

TEST(mouse__overlays__cover_what_lies_below) {
    int x, y;
    es_stage *stage = open_stage(13, 120, 40);
    keys(stage, "2O");
    assert_int_equal(stage->app->mode, ES_MODE_PICK);
    place_of(stage, ES_CLICK_LINE, ES_ORDER_DIM, &x, &y);
    es_mouse mouse = es_grid_mouse(stage->grid, ES_MOUSE_CLICK, x, y);
    assert_true(mouse.at[ES_CLICK_ITEM] == SIZE_MAX && mouse.at[ES_CLICK_PANE] == SIZE_MAX);
    click(stage, x, y);
    assert_int_equal(stage->app->pick.at, ES_ORDER_DIM);
    assert_int_equal(stage->app->set.order, ES_ORDER_RANK);
    click(stage, x, y);
    assert_int_equal(stage->app->set.order, ES_ORDER_DIM);
    assert_int_equal(stage->app->mode, ES_MODE_NORMAL);
    keys(stage, "O");
    click(stage, 1, 3); /* beside it */
    assert_int_equal(stage->app->mode, ES_MODE_NORMAL);
}

TEST(mouse__a_question__is_answered_by_its_answers_only) {
    int x, y;
    es_stage *stage = open_stage(13, 120, 40);
    stage->mock->source.phase = ES_PHASE_RUNNING;
    mock_send(stage->app, (es_msg){.kind = ES_MSG_SESSION, .now = 200}, stage->effects);
    keys(stage, "q");
    assert_int_equal(stage->app->mode, ES_MODE_ASK);
    click(stage, 1, 3);
    assert_int_equal(stage->app->mode, ES_MODE_ASK);
    place_of(stage, ES_CLICK_KEY, 'y', &x, &y);
    assert_int_equal(es_grid_at(stage->grid, x - 2, y)->code[0], 'y'); /* the middle of "y yes" */
    click(stage, x, y);
    assert_int_equal(stage->app->mode, ES_MODE_NORMAL);
    bool quit = false;
    for (size_t i = 0; i < stage->effects->count; i++)
        quit = quit || stage->effects->items[i].kind == ES_FX_QUIT;
    assert_true(quit);
}

TEST(mouse__any_place_of_any_screen__is_safe) {
    static const int size[][2] = {{120, 40}, {80, 24}, {60, 16}, {30, 8}, {3, 2}};
    for (int s = 0; s < 5; s++) {
        es_stage *stage = open_stage(13, size[s][0], size[s][1]);
        for (int view = 0; view < ES_VIEW_COUNT; view++) {
            char key[2] = {(char)('0' + view), '\0'};
            for (int y = -1; y <= size[s][1]; y += 2)
                for (int x = -1; x <= size[s][0]; x += 7) {
                    if (stage->app->mode == ES_MODE_NORMAL && (int)stage->app->view != view)
                        keys(stage, key);
                    act(stage, (es_mouse_kind)((x + y) % 3 == 0 ? 1 : 0), x, y, 0.3);
                }
        }
    }
}

TEST(mouse__the_command__asks_the_terminal) {
    es_stage *stage = open_stage(5, 80, 24);
    es_effects_clear(stage->effects);
    mock_send(stage->app, (es_msg){.kind = ES_MSG_COMMAND, .now = 300, .text = "mouse on"},
              stage->effects);
    assert_int_equal(stage->effects->count, 1);
    assert_int_equal(stage->effects->items[0].kind, ES_FX_MOUSE);
    assert_true(stage->effects->items[0].flag);
    mock_send(stage->app, (es_msg){.kind = ES_MSG_COMMAND, .now = 301, .text = "mouse"},
              stage->effects);
    assert_int_equal(stage->effects->count, 2);
    assert_false(stage->effects->items[1].flag);
    mock_send(stage->app, (es_msg){.kind = ES_MSG_COMMAND, .now = 302, .text = "mouse perhaps"},
              stage->effects);
    assert_int_equal(stage->effects->count, 2);
}
