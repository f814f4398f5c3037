/* The overview among the views: tiles, each of which leads to its view. */
#include "app_state.h"
#include "app_lists.h"

static const es_view_id leads_to[ES_PANE_COUNT] = {
    [ES_TILE_FIRST] = ES_VIEW_RANK,    [ES_TILE_MATRIX] = ES_VIEW_HEATMAP,
    [ES_TILE_FAMILIES] = ES_VIEW_TREE, [ES_TILE_DOWNSTREAM] = ES_VIEW_CORR,
    [ES_TILE_RUN] = ES_VIEW_JOBS,      [ES_TILE_ANSWER] = ES_VIEW_RANK,
};

void es_command_open_tile(es_call *call) {
    es_app *app = call->app;
    es_go(app, leads_to[app->focus[ES_VIEW_OVERVIEW]]);
}

/* Tiles have nothing in them to move to: every motion walks from one to the next. */
static void move(es_call *call) {
    es_app *app = call->app;
    bool back = call->command == ES_COMMAND_UP || call->command == ES_COMMAND_LEFT ||
                call->command == ES_COMMAND_PAGE_UP || call->command == ES_COMMAND_TOP;
    int step = back ? ES_PANE_COUNT - 1 : 1;
    app->focus[ES_VIEW_OVERVIEW] =
        (es_pane)(((int)app->focus[ES_VIEW_OVERVIEW] + step) % ES_PANE_COUNT);
}

const es_view_ops es_view_ops_overview = {.move = move,
                                          .move_everywhere = true,
                                          .wheel = 1,
                                          .no_marks = "not in the overview",
                                          .no_list = "not in the overview",
                                          .no_copy = "not in the overview; Enter opens the "
                                                     "tile's view",
                                          .tick = 0.25,
                                          .communities = true};
