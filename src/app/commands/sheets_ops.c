/* Sheets among the views: its lines are analyses, or the rows of the sheet that is open. */
#include <stdio.h>
#include <string.h>

#include "app_sheets.h"
#include "app_lists.h"
#include "app_commands.h"

static void enter(es_app *app) {
    if (es_sheets(app) != NULL)
        app->sheets->from = app->view;
}

/* The values of the column that limits the rows, to choose another. */
static void back_to_values(es_app *app, const char *where) {
    char *column = es_strndup(where, strcspn(where, "="));
    es_sheets_limit(app, NULL);
    es_sheets_show(app, es_analysis_find("columns"), column);
    es_free(column);
}

static bool close_sheet(es_app *app) {
    if (app->source->table && app->tab != ES_VIEW_SHEETS)
        return es_board_close(app);
    bool open = app->sheets != NULL && app->sheets->shown != NULL;
    const char *where = es_sheets_where(app);
    if (where != NULL)
        back_to_values(app, where);
    else if (es_sheets_of_values(app)) /* back to all columns */
        es_sheets_show(app, es_analysis_find("columns"), NULL);
    else if (open)
        es_sheets_show(app, NULL, NULL);
    return open;
}

static void leave(es_app *app) {
    if (app->sheets != NULL && app->sheets->from != ES_VIEW_SHEETS)
        es_go(app, app->sheets->from);
}

/* The embedder of the row is that of the other views. */
static void to_line(es_app *app, size_t line) {
    struct es_sheets_state *s = es_sheets(app);
    if (s == NULL)
        return;
    if (s->shown == NULL) {
        s->listed = line;
        return;
    }
    s->line = line;
    size_t item = es_sheets_item(app, line);
    if (item != ES_NONE)
        app->cursor = item;
}

static void move_cursor(es_call *call) {
    es_app *app = call->app;
    size_t lines = es_sheets_lines(app), at = es_sheets_line(app);
    size_t page = (size_t)es_pane_inside(app, ES_PANE_MAIN).h;
    if (call->command == ES_COMMAND_LEFT || call->command == ES_COMMAND_RIGHT)
        es_sheets_move_column(app, call->command == ES_COMMAND_RIGHT);
    else if (at != ES_NONE)
        to_line(app, es_moved(call, at, lines, page));
}

static bool line_of(const es_app *app, size_t line, size_t *source, size_t *target) {
    *target = ES_NONE;
    *source = app->sheets && app->sheets->shown ? es_sheets_item(app, line) : ES_NONE;
    return *source != ES_NONE;
}

/* Names of rows, whatever they are of; titles of the list. */
static bool holds(const es_app *app, size_t line, const char *text) {
    const struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    if (s == NULL || s->shown == NULL)
        return es_text_holds(es_analyses[line]->title, text);
    for (size_t j = 0; t != NULL && line < s->rows && j < s->columns; j++) {
        const char *cell = s->text[s->order[line] * s->columns + j];
        if (cell != NULL && (es_table_out_column(t, j)->flags & ES_COLUMN_KEY) != 0 &&
            es_text_holds(cell, text))
            return true;
    }
    return false;
}

/* ---- Copying ---- */

static const char *title_of(const es_table_out *t, size_t column) {
    return es_table_out_column(t, column)->key;
}

static void sheet_cell(const es_app *app, size_t column, size_t line, char *out, size_t capacity) {
    const struct es_sheets_state *s = app->sheets;
    const char *text = s->text[s->order[line] * s->columns + column];
    (void)snprintf(out, capacity, "%s", text ? text : "-");
}

/* The shown table, for copying. */
static bool shown_sheet(const es_app *app, es_view_sheet *out) {
    const struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    if (t == NULL || s->rows == 0)
        return false;
    for (size_t j = 0; j < s->columns; j++)
        s->title[j] = title_of(t, j);
    *out = (es_view_sheet){.titles = (const char *const *)s->title,
                           .columns = s->columns,
                           .cell = sheet_cell,
                           .item = s->lines,
                           .count = s->rows,
                           .here = s->line};
    return true;
}

static void put_cursor_cell(const es_app *app, char *out, size_t capacity) {
    const struct es_sheets_state *s = app->sheets;
    if (es_sheets_table(app) != NULL && s->line < s->rows && s->column < s->columns)
        sheet_cell(app, s->column, s->line, out, capacity);
}

const es_view_ops es_view_ops_sheets = {.enter = enter,
                                        .move = move_cursor,
                                        .move_everywhere = true,
                                        .wheel = 1,
                                        .close = close_sheet,
                                        .leave = leave,
                                        .lines = es_sheets_lines,
                                        .line = es_sheets_line,
                                        .line_of = line_of,
                                        .to_line = to_line,
                                        .holds = holds,
                                        .no_list = "not in Sheets: s sorts",
                                        .no_filter = "nothing is filtered in Sheets",
                                        .sheet = shown_sheet,
                                        .cell = put_cursor_cell,
                                        .deadline = es_sheets_deadline};
