/* The overview among the views: tiles, each of which leads to its view. */
#include "app_state.h"

#include <math.h>
#include <stdio.h>

#include "app_commands.h"
#include "app_lists.h"
#include "app_tree.h"
#include "app_values.h"

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

/* Rank among the views: a list whose columns may show a measure, and communities. */

/* Under the cursor, else the one sorted by. */
static size_t measure(const es_app *app) {
    const es_table_settings *table = &app->set.table[ES_TABLE_RANK];
    size_t first = ES_RANK_SCORES + app->source->scores.tasks;
    size_t column = table->column >= first ? table->column - first
                    : table->sort >= first ? table->sort - first
                                           : ES_NONE;
    return column == ES_NONE ? ES_NONE : es_app_column(app, false, column);
}

const es_view_ops es_view_ops_rank = {.measure = measure, .communities = true};

/* Heatmap among the views: its cursor is on a pair, and its values are summed up beside it. */

/* Back to Compare, if that is where one came from. */
static void leave(es_app *app) {
    if (app->compare.away)
        es_go(app, ES_VIEW_COMPARE);
}

static bool cursor_pair(const es_app *app, size_t *source, size_t *target) {
    *source = app->cursor;
    *target = app->column;
    return true;
}

/* The row and the column under the cursor. */
static size_t compared_items(const es_app *app, size_t item[ES_COMPARE_MOST], size_t *two,
                             size_t *side) {
    item[0] = app->cursor;
    item[1] = app->column;
    *two = *side = 0;
    return 2;
}

const es_view_ops es_view_ops_heatmap = {
    .leave = leave, .pair = cursor_pair, .compared = compared_items, .update = es_summary_update};

/* Tree among the views: its lines are communities as well as embedders, or it is a graph. */

static void enter(es_app *app) {
    app->tree.depth = ES_TREE_ITEM;
}

/* Left and right close and open communities; other motions move by lines. */
static void move_tree_cursor(es_call *call) {
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

static const char *group_title(const es_app *app, size_t column) {
    static const char *const titles[GROUP_COLUMNS] = {"community", "name", "dim",      "out",
                                                      "in",        "rank", "stability"};
    (void)app;
    return titles[column];
}

/* The embedders with their communities as a table, for copying. */
static bool community_sheet(const es_app *app, es_view_sheet *out) {
    *out = (es_view_sheet){.title = group_title, .columns = GROUP_COLUMNS, .cell = group_cell};
    return app->tree.found != NULL;
}

const es_view_ops es_view_ops_tree = {.enter = enter,
                                      .move = move_tree_cursor,
                                      .mark = mark_group,
                                      .sheet = community_sheet,
                                      .communities = true};

/* Jobs among the views: its lines are pairs at work, then failures. */

static void move_jobs_cursor(es_call *call) {
    es_app *app = call->app;
    size_t lines = es_jobs_lines(app), page = (size_t)es_pane_inside(app, ES_PANE_MAIN).h;
    if (call->command != ES_COMMAND_LEFT && call->command != ES_COMMAND_RIGHT)
        es_jobs_select(app, es_moved(call, app->job, lines, page));
}

static size_t line(const es_app *app) {
    return app->job;
}

static bool pair(const es_app *app, size_t *source, size_t *target) {
    return es_jobs_pair(app, app->job, source, target);
}

static void put_pair_names(const es_app *app, char *out, size_t capacity) {
    size_t source, target;
    if (pair(app, &source, &target) && target != ES_NONE)
        (void)snprintf(out, capacity, "%s -> %s", es_app_model(app, source)->name,
                       es_app_model(app, target)->name);
}

const es_view_ops es_view_ops_jobs = {.move = move_jobs_cursor,
                                      .lines = es_jobs_lines,
                                      .line = line,
                                      .line_of = es_jobs_pair,
                                      .to_line = es_jobs_select,
                                      .pair = pair,
                                      .no_marks = "not in Jobs",
                                      .no_list = "not in Jobs",
                                      .cell = put_pair_names,
                                      .tick = 0.25};

/* The table of what views do otherwise than the others. Whatever asks, below as above, finds it
 * through es_app, which es_app_new tells of it. */

const es_view_ops *const es_view_objects[ES_VIEW_COUNT] = {
    [ES_VIEW_OVERVIEW] = &es_view_ops_overview, [ES_VIEW_HEATMAP] = &es_view_ops_heatmap,
    [ES_VIEW_TREE] = &es_view_ops_tree,         [ES_VIEW_RANK] = &es_view_ops_rank,
    [ES_VIEW_CORR] = &es_view_ops_corr,         [ES_VIEW_COMPARE] = &es_view_ops_compare,
    [ES_VIEW_JOBS] = &es_view_ops_jobs,         [ES_VIEW_SHEETS] = &es_view_ops_sheets,
};
