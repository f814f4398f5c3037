/* Commands of Sheets. */
#include <string.h>

#include "alloc.h"
#include "effects.h"
#include "go.h"
#include "handlers.h"
#include "sheets_state.h"

const char *es_refuse_sheet(const es_app *app) {
    return es_sheets_table(app) == NULL ? "no sheet is open: Enter opens one" : NULL;
}

const char *es_refuse_plot_of_sheet(const es_app *app) {
    return es_sheets_drawn(app) == ES_NONE ? "this sheet is a table alone" : NULL;
}

static void show(es_app *app, const es_analysis *analysis) {
    const char *lacks = analysis ? es_analysis_lacks(analysis, es_sheets_there(app)) : NULL;
    if (lacks != NULL) {
        es_app_notice(app, ES_ENOTFOUND, "%s %s", analysis->title, lacks);
        return;
    }
    if (app->view != ES_VIEW_SHEETS)
        es_go(app, ES_VIEW_SHEETS);
    es_sheets_show(app, analysis);
}

/* The analysis that a key is of; NULL: the argument says which. */
static const char *named_by(es_command command) {
    return command == ES_COMMAND_SHEET_AGREEMENT     ? "agreement"
           : command == ES_COMMAND_SHEET_RIVALS      ? "rivals"
           : command == ES_COMMAND_SHEET_BY_TASK     ? "by-task"
           : command == ES_COMMAND_SHEET_CORRELATION ? "correlation"
           : command == ES_COMMAND_SHEET_SERIES      ? "series"
                                                     : NULL;
}

void es_command_sheet(es_call *call) {
    es_app *app = call->app;
    const char *name = named_by(call->command);
    name = name ? name : call->argument;
    const es_analysis *analysis = name ? es_analysis_find(name) : NULL;
    es_buf names = {0};
    if (name == NULL || analysis != NULL) {
        show(app, analysis);
        return;
    }
    for (size_t i = 0; i < es_analysis_count; i++)
        es_buf_printf(&names, "%s%s", i > 0 ? ", " : "", es_analyses[i].id);
    es_app_notice(app, ES_ENOTFOUND, "No sheet is called '%s'. There are %s.", call->argument,
                  names.failed ? "others" : names.data);
    es_buf_free(&names);
}

/* All of a row, a line a column: also what is for data alone. */
static void show_row(es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    es_buf text = {0};
    for (size_t j = 0; t && s->line < s->rows && j < s->columns; j++) {
        const es_out_column *column = es_table_out_column(t, j);
        es_buf cell = {0};
        es_table_out_put_cell(t, s->order[s->line], j, &cell);
        if (cell.data)
            es_buf_printf(&text, "%-20s  %s\n", column->title ? column->title : column->key,
                          cell.data);
        text.failed |= cell.failed;
        es_buf_free(&cell);
    }
    if (text.data && !text.failed)
        es_app_note(app, s->sheet->title, text.data);
    es_buf_free(&text);
}

void es_command_open_sheet(es_call *call) {
    es_app *app = call->app;
    const struct es_sheets_state *s = es_sheets(app);
    if (s != NULL && s->shown == NULL)
        show(app, &es_analyses[s->listed]);
    else if (s != NULL)
        show_row(app);
}

void es_command_sort_sheet(es_call *call) {
    es_sheets_sort(call->app);
}

const char *es_refuse_next_table(const es_app *app) {
    return es_sheets_table(app) == NULL || app->sheets->sheet->tables < 2
               ? "this sheet has one table"
               : NULL;
}

void es_command_next_table(es_call *call) {
    es_sheets_next_table(call->app);
}

void es_command_draw_sheet(es_call *call) {
    struct es_sheets_state *s = call->app->sheets;
    s->value = (s->value + 1) % s->sheet->plot.values;
}
