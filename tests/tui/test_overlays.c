/* What lies over a view, on a screen: help, lists, questions, notes, dialogs, the prompt. */
#include "screens.h"
#include "app_update.h"

static const es_picture_case pictures[] = {
    {"overlays/help", "2?", SCENE_PARTIAL},
    {"overlays/help-all", "2??", SCENE_PARTIAL},
    {"overlays/help-filter", "2?ord", SCENE_PARTIAL},
    {"overlays/help-nothing", "?zzz", SCENE_DONE},
    {"overlays/command", ":m<Tab>", SCENE_DONE},
    {"overlays/command-argument", ":metric ", SCENE_DONE},
    {"overlays/search", "/e5", SCENE_DONE},
    {"overlays/filter", "fgte dim>", SCENE_DONE},
    {"overlays/filter-none", "fzzz<Enter>", SCENE_DONE},
    {"overlays/help-page", ":help rank<Enter>", SCENE_DONE},
    {"overlays/help-bottom", "2?:doc<Down>", SCENE_DONE},
    {"overlays/quit", "q", SCENE_PARTIAL},
    {"overlays/quit-lost", "q", SCENE_FAILED},
    {"overlays/cancel", "X", SCENE_PARTIAL},
    {"overlays/run", ":plan<Enter>", SCENE_DONE},
    {"overlays/run-other", ":plan<Enter><Right><Tab><Right><Tab>30000", SCENE_DONE},
    {"overlays/run-busy", ":plan<Enter>j<Right><Up><Right>", SCENE_PARTIAL},
    {"overlays/explain-excluded", "G<Enter>", SCENE_DONE},
    {"overlays/inspect", "]l<Enter>", SCENE_DONE},
    {"overlays/inspect-failed", "]:goto LaBSE<Enter><Enter>", SCENE_FAILED},
    {"overlays/columns", "4+", SCENE_DONE},
    {"overlays/options", "2i,", SCENE_DONE},
    {"overlays/options-typed", ",viewer<Enter> %s<Left>", SCENE_DONE},
    {"overlays/options-nothing", ",zz", SCENE_DONE},
    {"overlays/hidden", "xxgx", SCENE_DONE},
};

TEST(overlays__keys__as_golden) {
    check_pictures(pictures, sizeof pictures / sizeof *pictures);
}

/* After a moment, and the next key still belongs to the sequence. */
TEST(sequence__first_key__lists_what_follows) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_app *app = open_app(mock);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    mock_keys(app, "4g", effects);
    assert_false(es_app_lists_keys(app));
    assert_true(es_app_deadline(app) <= app->now + ES_APP_MENU);
    app->now += ES_APP_MENU;
    assert_true(es_app_lists_keys(app));
    add_all_sizes(&out, app);
    mock_keys(app, "<Esc>", effects); /* nothing more than the list */
    assert_false(es_app_lists_keys(app));
    assert_int_equal(app->view, ES_VIEW_RANK);
    mock_keys(app, "g", effects);
    app->now += 60;
    mock_keys(app, "h", effects);
    assert_int_equal(app->view, ES_VIEW_HEATMAP);
    check_golden("overlays/continue", &out);
}

static int first_column(es_grid *grid, int y) {
    for (int x = 0; x < grid->w; x++)
        if (es_grid_at(grid, x, y)->code[0] > ' ')
            return x;
    return -1;
}

/* Only what goes on below "word  text" is indented, by its first line. */
TEST(list__long_names__start_at_the_edge) {
    static const struct {
        const char *text;
        int column[4];
    } cases[] = {
        {"For these targets only it differs from a/long-name,\n", {0, 0, -1, -1}},
        {"It differs from Alibaba-NLP/gte-multilingual-base, a/model-2, b/model-3 and others more",
         {0, 0, 0, -1}},
        {"below  a/model-2, whose name and what is said of it goes on\nand this is another line",
         {0, 7, 0, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_grid *grid = grid_kept();
        assert_true(es_grid_resize(grid, 50, 6));
        es_draw_list(grid, (es_rect){0, 0, 50, 6}, ES_ROLE_TEXT, cases[i].text, 0);
        for (int y = 0; y < 4; y++)
            assert_int_equal(first_column(grid, y), cases[i].column[y]);
    }
}
