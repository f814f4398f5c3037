/* Commands of the Tree view. */
#include <math.h>

#include "app_commands.h"
#include "app_lists.h"
#include "app_values.h"
#include "app_tree.h"

#include <string.h>

static size_t parent_row(const es_tree *tree, size_t at) {
    size_t up = at;
    while (up > 0 && tree->row[up].depth >= tree->row[at].depth)
        up--;
    return up;
}

static void fold_one(es_app *app, bool fold) {
    es_tree *tree = &app->tree;
    size_t at = es_tree_at(app);
    if (at == ES_NONE)
        return;
    const es_tree_row *row = &tree->row[at];
    bool group = row->item == ES_NONE && row->group != ES_NONE;
    bool folded = group && es_tree_folded(app, row->group);
    if (group && fold != folded) {
        es_history_push(app);
        es_tree_fold(app, row->group, fold);
        es_tree_lines(app);
    } else if (fold && at > 0)
        es_tree_to(app, parent_row(tree, at));
    else if (!fold && row->item == ES_NONE && !folded && at + 1 < tree->rows)
        es_tree_to(app, at + 1);
}

static void fold_all(es_app *app) {
    const es_communities *found = app->tree.found;
    bool open = false;
    if (found == NULL)
        return;
    for (size_t g = 0; g < found->groups; g++)
        open = open || !es_tree_folded(app, g);
    es_history_push(app);
    for (size_t g = 0; g < found->listed; g++)
        es_tree_fold(app, g, open);
    es_tree_lines(app);
}

void es_tree_sideways(es_app *app, bool right, size_t by) {
    for (by = by < 100 ? by : 100; by > 0; by--)
        if (app->set.graph)
            es_select_cursor(app, es_tree_neighbour(app, right ? 1 : -1, 0));
        else
            fold_one(app, !right);
}

void es_command_fold(es_call *call) {
    es_app *app = call->app;
    if (call->command == ES_COMMAND_FOLD_ALL)
        fold_all(app);
    else
        fold_one(app, call->command == ES_COMMAND_FOLD);
}

/* The communities follow at once (es_tree_update): the matrix is at hand. */
void es_command_resolution(es_call *call) {
    es_app *app = call->app;
    double now = es_tree_resolution(app), next = now;
    double by = ES_TREE_STEP * (double)(call->count > 0 ? call->count : 1);
    if (call->argument != NULL &&
        (!es_text_parse_double(call->argument, strlen(call->argument), &next) || !(next > 0) ||
         next > ES_TREE_RESOLUTION_MAX)) {
        es_app_notice(app, ES_EINVAL, "resolution: a number above 0, up to %g",
                      ES_TREE_RESOLUTION_MAX);
        return;
    }
    if (call->command == ES_COMMAND_FINER)
        next = now + by;
    else if (call->command == ES_COMMAND_COARSER)
        next = now - by;
    next = fmax(ES_TREE_STEP, fmin(ES_TREE_RESOLUTION_MAX, round(next * 1e4) / 1e4));
    if (call->command == ES_COMMAND_RESOLUTION && call->argument == NULL)
        next = 0; /* back to the one that is recommended */
    if (next == app->set.resolution || next == now)
        return;
    es_history_push(app);
    app->set.resolution = next;
}

void es_command_graph(es_call *call) {
    es_app *app = call->app;
    es_history_push(app);
    app->set.graph = !app->set.graph;
    if (app->set.graph)
        app->tree.depth = ES_TREE_ITEM; /* nodes are embedders */
}

/* The block in the matrix: rows and columns by community, the cursor on the block's first cell. */
void es_command_block(es_call *call) {
    es_app *app = call->app;
    es_tree *tree = &app->tree;
    size_t at = es_tree_at(app);
    if (at == ES_NONE || app->cursor == ES_NONE) {
        es_app_notice(app, ES_OK, "No communities to show yet");
        return;
    }
    size_t group = tree->row[at].group, item = tree->row[at].item;
    if (app->set.order != ES_ORDER_COMMUNITY) {
        es_history_push(app);
        app->set.order = ES_ORDER_COMMUNITY;
    }
    es_select_refresh(app, true);
    const es_list *heat = &app->list[ES_LIST_HEAT];
    size_t first = ES_NONE, last = ES_NONE;
    for (size_t i = 0; i < heat->count; i++)
        if (es_tree_holds(app, group, heat->item[i])) {
            first = first == ES_NONE ? i : first;
            last = i;
        }
    if (first == ES_NONE) {
        es_app_notice(app, ES_OK, "No embedder of it is in the heatmap");
        return;
    }
    app->column = heat->item[last]; /* scrolls the whole block into sight */
    es_go(app, ES_VIEW_HEATMAP);
    es_select_cursor(app, heat->item[last]);
    app->column = heat->item[first];
    es_select_cursor(app, item != ES_NONE ? item : heat->item[first]);
}

void es_command_details(es_call *call) {
    es_app *app = call->app;
    bool there = app->focus[ES_VIEW_TREE] == ES_PANE_SIDE;
    app->focus[ES_VIEW_TREE] = there ? ES_PANE_MAIN : ES_PANE_SIDE;
}
