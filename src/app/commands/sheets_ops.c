/* Sheets among the views: its lines are analyses, or the rows of the sheet that is open. */
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_compare.h"
#include "app_lists.h"
#include "app_sheets.h"

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

static const char *column_key(const es_app *app, size_t column) {
    return es_table_out_column(es_sheets_table(app), column)->key;
}

static void sheet_cell(const es_app *app, size_t column, size_t line, char *out, size_t capacity) {
    const struct es_sheets_state *s = app->sheets;
    const char *text = s->text[s->order[line] * s->columns + column];
    (void)snprintf(out, capacity, "%s", text ? text : "-");
}

/* The shown table, for copying. */
static bool shown_sheet(const es_app *app, es_view_sheet *out) {
    const struct es_sheets_state *s = app->sheets;
    if (es_sheets_table(app) == NULL || s->rows == 0)
        return false;
    *out = (es_view_sheet){column_key, s->columns, sheet_cell, s->rows, s->line};
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

/* Commands of Sheets, and those that lead there. */

/* `of`: words of the command line, a line each; NULL: none. */
static void show(es_app *app, const es_analysis *analysis, const char *of) {
    const char *lacks = analysis ? es_analysis_lacks(analysis, es_sheets_there(app)) : NULL;
    if (lacks != NULL) {
        es_app_notice(app, ES_ENOTFOUND, "%s %s", analysis->title, lacks);
        return;
    }
    if (app->source->table)
        es_board_go(app, ES_VIEW_SHEETS);
    else if (app->view != ES_VIEW_SHEETS)
        es_go(app, ES_VIEW_SHEETS);
    es_sheets_show(app, analysis, of);
}

void es_sheet_open(es_app *app, const char *id, const char *of) {
    show(app, es_analysis_find(id), of);
}

/* ---- what a sheet is of ---- */

/* The pair that Compare shows, or the embedder under the cursor; returns how many. */
static size_t embedders_here(const es_app *app, size_t item[2]) {
    const es_compare_settings *set = &app->set.compare;
    size_t pair = set->count == 3 && app->compare.pair < 3 ? app->compare.pair : 0;
    item[0] = app->cursor;
    if (app->view != ES_VIEW_COMPARE || set->count < 2)
        return item[0] == ES_NONE ? 0 : 1;
    item[0] = set->item[es_pair_sides[pair][0]];
    item[1] = set->item[es_pair_sides[pair][1]];
    return 2;
}

/* Names with a blank between, of which one may hold blanks where it is alone. */
static size_t embedders_named(es_app *app, const char *text, size_t item[2]) {
    size_t length = strcspn(text, " "), count = 1;
    item[0] = es_compare_named(app, text, strlen(text));
    if (item[0] == ES_NONE && text[length] != '\0') {
        item[0] = es_compare_named(app, text, length);
        text += length + strspn(text + length, " ");
        item[1] = es_compare_named(app, text, strlen(text));
        count = 2;
    }
    for (size_t k = 0; k < count; k++)
        if (item[k] == ES_NONE) {
            es_app_notice(app, ES_ENOTFOUND, "map: no embedder, or several, called %s", text);
            return 0;
        }
    return count;
}

static void show_map(es_app *app, const char *names) {
    size_t item[2];
    size_t count = names ? embedders_named(app, names, item) : embedders_here(app, item);
    es_buf of = {0};
    for (size_t k = 0; k < count; k++) {
        if (!es_compare_usable(app, item[k]))
            return;
        es_buf_printf(&of, "%s%s", k > 0 ? "\n" : "", es_app_model(app, item[k])->name);
    }
    if (count > 0 && !of.failed)
        show(app, es_analysis_find("map"), of.data);
    es_buf_free(&of);
}

void es_command_sheet_map(es_call *call) {
    show_map(call->app, call->argument);
}

/* What was swept last; of nothing, the prompt asks for settings. */
static void show_sweep(es_app *app) {
    es_words words = {0};
    es_buf of = {0};
    if (app->set.sweep[0] == '\0') {
        es_prompt_open_with(app, "sweep ");
        return;
    }
    es_status st = es_sweep_words(app, &words, NULL);
    for (size_t i = 0; i < words.count; i++)
        es_buf_printf(&of, "%s%s", i > 0 ? "\n" : "", words.word[i]);
    if (st == ES_OK && !of.failed)
        show(app, es_analysis_find("sweep"), of.data);
    es_words_deinit(&words);
    es_buf_free(&of);
}

static void begin_sweep(es_app *app, es_effects *effects) {
    show_sweep(app);
    es_beside_start(app, false, effects);
    es_app_notice(app, ES_OK, "Estimating at every value in the background; X stops");
}

void es_command_sweep(es_call *call) {
    es_app *app = call->app;
    if (call->argument == NULL)
        show_sweep(app);
    else if (es_sweep_take(app, call->argument))
        begin_sweep(app, call->effects);
}

void es_command_runs(es_call *call) {
    begin_sweep(call->app, call->effects);
}

/* Two models of the scores: named, or the pair of Compare, or the embedder here and the best. */
static void show_versus(es_app *app, const es_analysis *analysis, const char *names) {
    size_t item[2];
    if (names == NULL && app->source->table) {
        es_board_compare_here(app);
        return;
    }
    size_t count = names ? embedders_named(app, names, item) : embedders_here(app, item);
    if (count == 1)
        item[1] = es_compare_best_besides(app, item[0]);
    if (count == 0 || item[1] == ES_NONE) {
        es_app_notice(app, ES_ENOTFOUND, "versus: name two models: gs versus A B");
        return;
    }
    es_buf of = {0};
    es_buf_printf(&of, "%s\n%s", es_app_model(app, item[0])->name,
                  es_app_model(app, item[1])->name);
    if (!of.failed)
        show(app, analysis, of.data);
    es_buf_free(&of);
}

static void show_of(es_call *call, const es_analysis *analysis, const char *text) {
    es_app *app = call->app;
    if (analysis && analysis->of == ES_ANALYSIS_OF_MEASURE) {
        const char *why = text ? NULL : es_refuse_worst(app);
        if (why != NULL)
            es_app_notice(app, ES_EINVAL, "%s: %s", analysis->title, why);
        else
            es_command_worst(&(es_call){.app = app, .argument = text});
    } else if (analysis && analysis->of == ES_ANALYSIS_OF_EMBEDDERS)
        show_map(app, text);
    else if (analysis && analysis->of == ES_ANALYSIS_OF_MODELS)
        show_versus(app, analysis, text);
    else if (analysis && analysis->of == ES_ANALYSIS_OF_SETTING) {
        if (text == NULL || es_sweep_take(app, text))
            show_sweep(app);
    } else
        show(app, analysis, NULL);
}

/* ---- commands ---- */

/* The analysis that a key is of; NULL: the argument says which. */
static const char *named_by(es_command command) {
    return command == ES_COMMAND_SHEET_AGREEMENT     ? "agreement"
           : command == ES_COMMAND_SHEET_RIVALS      ? "rivals"
           : command == ES_COMMAND_SHEET_BY_TASK     ? "by-task"
           : command == ES_COMMAND_SHEET_CORRELATION ? "correlation"
           : command == ES_COMMAND_TASK_DETAILS      ? "correlation"
           : command == ES_COMMAND_SHEET_SERIES      ? "series"
           : command == ES_COMMAND_SETS              ? "sets"
                                                     : NULL;
}

void es_command_sheet(es_call *call) {
    es_app *app = call->app;
    const char *name = named_by(call->command), *of = NULL;
    char word[64] = "";
    es_buf names = {0};
    if (name == NULL && call->argument != NULL) {
        size_t length = strcspn(call->argument, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, call->argument);
        of = call->argument + length + strspn(call->argument + length, " ");
        of = *of ? of : NULL;
        name = word;
    }
    const es_analysis *analysis = name ? es_analysis_find(name) : NULL;
    if (name == NULL || analysis != NULL) {
        show_of(call, analysis, of);
        return;
    }
    for (size_t i = 0; i < es_analysis_count; i++)
        es_buf_printf(&names, "%s%s", i > 0 ? ", " : "", es_analyses[i]->id);
    es_app_notice(app, ES_ENOTFOUND, "No sheet is called '%s'. There are %s.", word,
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
        es_buf_end(&cell, &text);
    }
    if (text.data && !text.failed)
        es_app_note(app, s->sheet->title, text.data);
    es_buf_free(&text);
}

/* The data set that is under the cursor: it heads the column, or the row is of it. */
static size_t set_here(const es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    size_t found = ES_NONE;
    if (t == NULL || s->shown->of != ES_ANALYSIS_OF_SETS || s->line >= s->rows)
        return ES_NONE;
    if (s->column < s->columns)
        found = es_set_find(app, es_table_out_column(t, s->column)->key);
    for (size_t j = 0; j < s->columns && found == ES_NONE; j++) {
        const char *text = es_table_out_text_at(t, s->order[s->line], j);
        bool own = text && (j == s->column || es_sheets_item(app, s->line) == ES_NONE);
        found = own ? es_set_find(app, text) : ES_NONE;
    }
    return found;
}

/* What is open when the other data set comes: the view before the sheet. */
static void open_set(es_app *app, size_t set, es_effects *effects) {
    const char *why = set == app->sets.here ? NULL : es_refuse_open(app);
    es_view_id from = app->sheets && app->view == ES_VIEW_SHEETS ? app->sheets->from : app->view;
    if (why != NULL) {
        es_app_notice(app, ES_EBUSY, "open-set: %s", why);
        return;
    }
    es_go(app, from == ES_VIEW_SHEETS ? ES_VIEW_RANK : from);
    if (set != app->sets.here)
        es_effect_add(app, effects, ES_FX_OPEN_SET, set, false, NULL);
}

void es_command_open_set(es_call *call) {
    size_t set = es_set_find(call->app, call->argument);
    if (set == ES_NONE)
        es_app_notice(call->app, ES_ENOTFOUND, "No data set is called %s", call->argument);
    else
        open_set(call->app, set, call->effects);
}

/* A compression: Pool, with the command in the prompt that makes an embedder of it. False: the row
 * is none. */
static bool derive_row(es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    const char *how = NULL;
    char line[80];
    if (t == NULL || strcmp(s->shown->id, "frontier") != 0 || s->line >= s->rows)
        return false;
    for (size_t j = 0; j < s->columns; j++)
        if (strcmp(es_table_out_column(t, j)->key, "transform") == 0)
            how = es_table_out_text_at(t, s->order[s->line], j);
    size_t item = es_sheets_item(app, s->line);
    if (how == NULL || strcmp(how, "full") == 0 || item == ES_NONE)
        return false;
    app->cursor = item;
    es_go(app, ES_VIEW_POOL);
    (void)snprintf(line, sizeof line, "derive %.60s", how);
    es_prompt_open_with(app, line);
    return true;
}

/* A column of the rows: a sheet of its values; a value: the map of the rows that have it. False:
 * the row is neither. */
static bool open_values(es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    es_buf of = {0};
    if (t == NULL || strcmp(s->shown->id, "columns") != 0 || s->line >= s->rows)
        return false;
    const char *first = es_table_out_text_at(t, s->order[s->line], 0),
               *file = es_table_out_text_at(t, s->order[s->line], 1);
    bool value = es_sheets_of_values(app);
    es_buf_printf(&of, "%s%c%s", value ? s->of : file, value ? '=' : ':', first);
    if (!of.failed && value) {
        es_sheets_limit(app, of.data);
        show_map(app, NULL);
    } else if (!of.failed)
        show(app, s->shown, of.data);
    es_buf_free(&of);
    return true;
}

void es_command_open_sheet(es_call *call) {
    es_app *app = call->app;
    const struct es_sheets_state *s = es_sheets(app);
    size_t set = s != NULL && s->shown != NULL ? set_here(app) : ES_NONE;
    if (s != NULL && s->shown == NULL)
        show_of(call, es_analyses[s->listed], NULL);
    else if (s != NULL && app->source->table && app->tab != ES_VIEW_SHEETS && es_board_open(app))
        return;
    else if (set != ES_NONE)
        open_set(app, set, call->effects);
    else if (s != NULL && !open_values(app) && !derive_row(app))
        show_row(app);
}

void es_command_choose(es_call *call) {
    if (!es_sheets_choose(call->app, call->argument))
        es_app_notice(call->app, ES_ENOTFOUND, "choose: this sheet does not offer %s",
                      call->argument);
}

void es_command_draw_sheet(es_call *call) {
    struct es_sheets_state *s = call->app->sheets;
    s->value = (s->value + 1) % s->sheet->plot.values;
}
