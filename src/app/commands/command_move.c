/* Moving: cursor, columns, panes, views, search. */
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_lists.h"
#include "app_sheets.h"
#include "app_tree.h"

/* ---- Motions ---- */

static void move_table_column(es_app *app, es_table_id table, bool right, size_t by) {
    es_table_settings *set = &app->set.table[table];
    size_t count = es_columns_count(app, table);
    for (size_t c = set->column; by > 0;) {
        if (right ? c + 1 >= count : c == 0)
            break;
        c = right ? c + 1 : c - 1;
        if (!set->hidden[c]) {
            set->column = (uint8_t)c;
            by--;
        }
    }
}

static void move_matrix_column(es_app *app, bool right, size_t by) {
    const es_list *list = &app->list[ES_LIST_HEAT];
    size_t at = es_select_index(app, ES_LIST_HEAT, app->column);
    if (at == ES_NONE)
        return;
    at = right ? at + by : at - (by < at ? by : at);
    app->column = list->item[at < list->count ? at : list->count - 1];
    app->moved = true;
    es_select_scroll(app);
}

/* The log hangs from its end: up goes back in time. */
static void scroll_pane(es_call *call, es_pane pane) {
    static const es_command turned[][2] = {
        {ES_COMMAND_UP, ES_COMMAND_DOWN},           {ES_COMMAND_DOWN, ES_COMMAND_UP},
        {ES_COMMAND_PAGE_UP, ES_COMMAND_PAGE_DOWN}, {ES_COMMAND_PAGE_DOWN, ES_COMMAND_PAGE_UP},
        {ES_COMMAND_TOP, ES_COMMAND_BOTTOM},        {ES_COMMAND_BOTTOM, ES_COMMAND_TOP}};
    es_app *app = call->app;
    size_t *top = &app->pane_top[app->view][pane], lines = 64;
    size_t page = (size_t)es_pane_inside(app, pane).h;
    es_call move = *call;
    if (pane == ES_PANE_LOG) {
        lines = app->log == NULL ? 1 : es_log_count(app->log);
        lines = lines > page ? lines - page + 1 : 1;
        for (size_t i = 0; i < sizeof turned / sizeof *turned; i++)
            if (turned[i][0] == call->command)
                move.command = turned[i][1];
    }
    *top = es_moved(&move, *top, lines, page);
}

void es_command_move(es_call *call) {
    es_app *app = call->app;
    const es_view_ops *view = es_view_shown(app);
    es_pane focus = app->focus[app->view];
    bool sideways = call->command == ES_COMMAND_LEFT || call->command == ES_COMMAND_RIGHT;
    bool right = call->command == ES_COMMAND_RIGHT;
    size_t by = call->count > 0 ? call->count : 1;
    if (focus != ES_PANE_MAIN && !sideways && !view->move_everywhere) {
        scroll_pane(call, focus);
        return;
    }
    if (view->move != NULL) {
        view->move(call);
        return;
    }
    es_list_id id = es_view_table[app->view].list;
    es_table_id table = es_view_table[app->view].table;
    const es_list *list = &app->list[id];
    if (sideways && table != ES_TABLE_COUNT)
        move_table_column(app, table, right, by);
    else if (sideways && id == ES_LIST_HEAT)
        move_matrix_column(app, right, by);
    else if (!sideways && id != ES_LIST_COUNT && list->count > 0) {
        size_t at = es_select_index(app, id, app->cursor);
        size_t to = es_moved(call, at == ES_NONE ? 0 : at, list->count,
                             (size_t)es_pane_inside(app, ES_PANE_MAIN).h);
        es_select_cursor(app, list->item[to]);
    }
}

/* The digits that follow are taken by keys.c. */
void es_command_counted(es_call *call) {
    call->app->count = 0;
}

/* ---- Views and panes ---- */

/* The commands that go to a view come in the views' order. */
void es_command_view(es_call *call) {
    es_app *app = call->app;
    int view = (int)call->command - (int)ES_COMMAND_VIEW_OVERVIEW;
    bool next = call->command == ES_COMMAND_VIEW_NEXT, back = call->command == ES_COMMAND_VIEW_BACK;
    if (next || back)
        view = (int)es_board_next(app, next);
    if (app->source->table)
        es_board_go(app, (es_view_id)view);
    else
        es_go(app, (es_view_id)view);
}

void es_command_pane(es_call *call) {
    es_app *app = call->app;
    int step = call->command == ES_COMMAND_PANE_NEXT ? 1 : ES_PANE_COUNT - 1;
    int pane = (int)app->focus[app->view];
    do
        pane = (pane + step) % ES_PANE_COUNT;
    while (!es_pane_focusable(app->view, (es_pane)pane));
    app->focus[app->view] = (es_pane)pane;
    es_select_scroll(app);
}

/* Esc: the smallest thing that is open closes first. */
void es_command_back(es_call *call) {
    es_app *app = call->app;
    const es_view_ops *view = es_view_shown(app);
    if (app->toast_until > 0)
        app->toast_until = 0;
    if (app->range != ES_NONE)
        app->range = ES_NONE;
    else if (app->focus[app->view] != ES_PANE_MAIN) {
        app->focus[app->view] = ES_PANE_MAIN;
        app->compare.row_target = ES_NONE;
        es_select_scroll(app);
    } else if (app->search[0] != '\0')
        app->search[0] = '\0';
    else if (view->close != NULL && view->close(app))
        return;
    else if (app->set.filter[0] != '\0') {
        es_history_push(app);
        app->set.filter[0] = '\0';
        es_select_refresh(app, true);
    } else if (view->leave != NULL)
        view->leave(app);
}

void es_command_goto(es_call *call) {
    es_app *app = call->app;
    es_list_id list = es_view_table[app->view].list;
    size_t found = call->argument != NULL ? es_app_find(app, call->argument) : ES_NONE;
    for (size_t i = 0; i < app->n && call->argument != NULL && found == ES_NONE; i++)
        if (strcmp(es_app_name(app, i), call->argument) == 0) /* as it is shown: "~name" */
            found = i;
    for (size_t i = 0; i < app->n && call->argument != NULL && found == ES_NONE; i++)
        if (es_select_matches(app, call->argument, i))
            found = i;
    if (found == ES_NONE)
        es_app_notice(app, ES_ENOTFOUND, "goto: no embedder is called %s",
                      call->argument == NULL ? "that; give a name" : call->argument);
    else if (list != ES_LIST_COUNT && es_select_index(app, list, found) == ES_NONE)
        es_app_notice(app, ES_ENOTFOUND, "goto: %s is not shown in this view",
                      es_app_model(app, found)->name);
    else {
        es_select_cursor(app, found);
        es_tree_reveal(app);
    }
}

/* From Rank: the row in the matrix; from Jobs: the cell. */
void es_command_show(es_call *call) {
    es_app *app = call->app;
    size_t source = app->cursor, target = app->column;
    const es_view_ops *view = es_view_shown(app);
    if (view->pair != NULL && !view->pair(app, &source, &target)) {
        es_app_notice(app, ES_OK, "No pair on this line");
        return;
    }
    if (source == ES_NONE || es_select_index(app, ES_LIST_HEAT, source) == ES_NONE) {
        es_app_notice(app, ES_OK, "This embedder is not in the heatmap");
        return;
    }
    bool exchanged = app->set.transposed && view->pair != NULL && target != ES_NONE;
    app->cursor = exchanged ? target : source;
    app->moved = true;
    if (target != ES_NONE)
        app->column = exchanged ? source : target;
    es_go(app, ES_VIEW_HEATMAP);
}

void es_command_next(es_call *call) {
    es_app *app = call->app;
    bool backward = call->command == ES_COMMAND_PREVIOUS;
    size_t found = es_search_find(app, es_search_place(app), backward, true);
    if (found == ES_NONE)
        es_app_notice(app, ES_ENOTFOUND, "Not found: %s", app->search);
    else {
        es_search_go(app, found);
        es_tree_reveal(app);
    }
}

/* Vertical motions, of whatever is counted: by lines, half pages, to an end, to a number. */

size_t es_moved(const es_call *call, size_t at, size_t count, size_t page) {
    size_t by = call->count > 0 ? call->count : 1;
    if (count == 0)
        return 0;
    switch (call->command) {
    case ES_COMMAND_DOWN:
        at += by;
        break;
    case ES_COMMAND_UP:
        at -= by < at ? by : at;
        break;
    case ES_COMMAND_PAGE_DOWN:
        at += by * (page / 2 > 0 ? page / 2 : 1);
        break;
    case ES_COMMAND_PAGE_UP:
        by *= page / 2 > 0 ? page / 2 : 1;
        at -= by < at ? by : at;
        break;
    case ES_COMMAND_TOP:
        at = call->count > 0 ? call->count - 1 : 0;
        break;
    case ES_COMMAND_BOTTOM:
        at = call->count > 0 ? call->count - 1 : count - 1;
        break;
    default:
        break;
    }
    return at < count ? at : count - 1;
}

/* Commands by their number: commands.def read once more, for what each does and what refuses it. */

static const struct {
    void (*run)(es_call *call);
    const char *(*refuse)(const es_app *app);
} deeds[ES_COMMAND_COUNT] = {
#define C(id, name, keys, views, group, footer_keys, footer, help, argument, run, refuse)          \
    [ES_COMMAND_##id] = {run, refuse},
#include "commands.def"
#undef C
};

void es_command_attempt(es_call *call, void (*run)(es_call *call),
                        const char *(*refuse)(const es_app *app)) {
    const char *refusal = refuse(call->app);
    if (refusal != NULL)
        es_app_notice(call->app, ES_EINVAL, "%s: %s", es_commands[call->command].name, refusal);
    else
        run(call);
}

const char *es_command_refusal(const es_app *app, es_command command) {
    return deeds[command].refuse(app);
}

void es_command_call(es_app *app, es_command command, size_t count, const char *argument,
                     es_effects *effects) {
    if (command == ES_COMMAND_START && argument != NULL)
        command = ES_COMMAND_PLAN; /* of another run */
    es_call call = {app, effects, command, count, argument};
    es_command_attempt(&call, deeds[command].run, deeds[command].refuse);
}

void es_command_say_where(es_app *app, es_command command) {
    char where[128] = "";
    for (int v = 0; v < ES_VIEW_COUNT; v++)
        if (es_command_in_view(command, (es_view_id)v))
            es_phrase_add(where, sizeof where, "%s%s (%s)", where[0] == '\0' ? "" : ", ",
                          es_view_table[v].name, es_commands[ES_COMMAND_VIEW_OVERVIEW + v].keys);
    es_app_notice(app, ES_EINVAL, "%s: works in %s", es_commands[command].name, where);
}
