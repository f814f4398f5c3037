/* Tree among the views: its lines are communities as well as embedders, or it is a graph. */
#include <math.h>
#include <stdio.h>

#include "app_commands.h"
#include "app_lists.h"
#include "app_values.h"
#include "app_tree.h"

static void enter(es_app *app) {
    app->tree.depth = ES_TREE_ITEM;
}

/* Left and right close and open communities; other motions move by lines. */
static void move_cursor(es_call *call) {
    es_app *app = call->app;
    const es_tree *tree = &app->tree;
    size_t at = es_tree_at(app), page = (size_t)es_pane_inside(app, ES_PANE_MAIN).h;
    bool up = call->command == ES_COMMAND_UP, right = call->command == ES_COMMAND_RIGHT;
    if (right || call->command == ES_COMMAND_LEFT) {
        es_tree_sideways(app, right, call->count > 0 ? call->count : 1);
        return;
    }
    if (at == ES_NONE)
        return;
    if (!app->set.graph)
        es_tree_to(app, es_moved(call, at, tree->rows, page));
    else if (up || call->command == ES_COMMAND_DOWN)
        for (size_t by = call->count > 0 && call->count < 100 ? call->count : 1; by > 0; by--)
            es_select_cursor(app, es_tree_neighbour(app, 0, up ? -1 : 1));
}

/* Space on a community: all of it, or none if all are. */
static bool mark_group(es_app *app) {
    size_t at = es_tree_at(app);
    if (at == ES_NONE || app->set.graph || app->tree.row[at].item != ES_NONE)
        return false;
    const es_list *list = &app->list[ES_LIST_TREE];
    size_t group = app->tree.row[at].group;
    bool all = true;
    for (size_t i = 0; i < list->count; i++)
        all = all && (app->marked[list->item[i]] || !es_tree_holds(app, group, list->item[i]));
    es_history_push(app);
    app->range = ES_NONE;
    for (size_t i = 0; i < list->count; i++)
        if (es_tree_holds(app, group, list->item[i]))
            app->marked[list->item[i]] = !all;
    return true;
}

/* ---- Copying ---- */

enum { GROUP_COLUMNS = 7 };

static void group_cell(const es_app *app, size_t column, size_t item, char *out, size_t capacity) {
    const es_live_rank *s = &app->live[item];
    size_t group = es_tree_group(app, item);
    double value = (double)NAN;
    if (column == 0 && group != ES_NONE)
        es_tree_label(app, group, out, capacity);
    else if (column == 1)
        (void)snprintf(out, capacity, "%s", es_app_model(app, item)->name);
    else if (column == 2 || (column == 5 && s->place > 0))
        (void)snprintf(out, capacity, "%zu", column == 2 ? es_app_model(app, item)->dim : s->place);
    else {
        value = column == 3 ? s->published : column == 4 ? s->simulated : value;
        if (column == 6 && group != ES_NONE && app->tree.settled)
            value = app->tree.found->list[group].stability;
        (void)snprintf(out, capacity, isfinite(value) ? "%.4f" : "-", value);
    }
}

static const char *const group_titles[GROUP_COLUMNS] = {"community", "name", "dim",      "out",
                                                        "in",        "rank", "stability"};

/* The embedders with their communities as a table, for copying. */
static bool community_sheet(const es_app *app, es_view_sheet *out) {
    *out = (es_view_sheet){.titles = group_titles, .columns = GROUP_COLUMNS, .cell = group_cell};
    return app->tree.found != NULL;
}

const es_view_ops es_view_ops_tree = {.enter = enter,
                                      .move = move_cursor,
                                      .mark = mark_group,
                                      .sheet = community_sheet,
                                      .communities = true};
