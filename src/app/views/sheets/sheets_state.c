/* Keeps one sheet: asks for it, takes it in, sorts it. */
#include "app_sheets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"

static const double PAUSE = 2; /* seconds between two sheets while results come in */

/* ---- life ---- */

/* What was read of the table that is shown. */
static void forget_cells(struct es_sheets_state *s) {
    for (size_t i = 0; s->text && i < s->rows * s->columns; i++)
        es_free(s->text[i]);
    es_free((void *)s->text);
    es_free(s->width);
    es_free(s->order);
    s->text = NULL;
    s->width = s->order = NULL;
    s->rows = s->columns = 0;
}

static void forget_sheet(struct es_sheets_state *s) {
    forget_cells(s);
    es_sheet_free(s->sheet);
    es_free(s->problem);
    s->sheet = NULL;
    s->problem = NULL;
}

struct es_sheets_state *es_sheets(es_app *app) {
    if (app->sheets == NULL) {
        app->sheets = es_alloc_zero(1, sizeof *app->sheets);
        if (app->sheets)
            app->sheets->sort = ES_NONE;
    }
    return app->sheets;
}

static void forget(struct es_sheets_state *s) {
    if (s) {
        forget_sheet(s);
        es_free(s->of);
        es_free(s->where);
        es_free(s->choice);
        es_words_deinit(&s->command);
    }
    es_free(s);
}

void es_sheets_forget(es_app *app) {
    forget(app->sheets);
    app->sheets = NULL;
    for (size_t v = 0; v < ES_VIEW_COUNT; v++) {
        forget(app->tabs[v]);
        app->tabs[v] = NULL;
    }
}

static bool same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

const es_analysis *es_sheets_shown(const es_app *app) {
    return app->view == ES_VIEW_SHEETS && app->sheets ? app->sheets->shown : NULL;
}

void es_sheets_show(es_app *app, const es_analysis *analysis, const char *of) {
    struct es_sheets_state *s = es_sheets(app);
    if (s == NULL || (s->shown == analysis && same(s->of, of)))
        return;
    forget_sheet(s);
    es_free(s->of);
    es_free(s->choice);
    es_words_deinit(&s->command);
    s->of = of ? es_strdup(of) : NULL; /* without memory the command says what is missing */
    s->choice = NULL;
    s->shown = analysis;
    s->asked = s->asking = false;
    s->asked_at = -1e9;
    s->line = s->column = s->value = s->at = 0;
    s->sort = ES_NONE;
    for (size_t i = 0; i < es_analysis_count; i++)
        if (analysis == es_analyses[i])
            s->listed = i;
}

bool es_sheets_of_values(const es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    return s && s->shown && s->of && strcmp(s->shown->id, "columns") == 0;
}

const char *es_sheets_where(const es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    bool rows =
        s && s->shown &&
        (s->shown->of == ES_ANALYSIS_OF_EMBEDDERS || s->shown->of == ES_ANALYSIS_OF_MEASURE);
    return rows ? s->where : NULL;
}

void es_sheets_limit(es_app *app, const char *where) {
    struct es_sheets_state *s = app->sheets;
    es_free(s->where);
    s->where = where ? es_strdup(where) : NULL; /* without memory all rows are shown */
}

/* ---- asking ---- */

unsigned es_sheets_there(const es_app *app) {
    bool pairs = app->results != NULL && app->results->done > 0;
    pairs = pairs || app->source->decision.known != NULL; /* those of the ranking will do */
    unsigned there = pairs ? ES_ANALYSIS_NEEDS_PAIRS : 0;
    for (size_t i = 0; i < app->n; i++)
        if (es_app_model(app, i)->series != NULL)
            there |= ES_ANALYSIS_NEEDS_SERIES;
    there |= app->sets.count > 1 ? ES_ANALYSIS_NEEDS_SETS : 0;
    there |= app->source->scores.tasks > 0 ? ES_ANALYSIS_NEEDS_SCORES : 0;
    there |= es_app_of_file(app) ? 0 : ES_ANALYSIS_NEEDS_VECTORS;
    return there | (app->source->table || !es_app_of_file(app) ? ES_ANALYSIS_NEEDS_TABLE : 0);
}

static uint64_t revision_of(const es_app *app) {
    return app->results ? app->revision : 0;
}

/* Of pairs that come in a map of rows shows nothing. */
static bool is_stale(const es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    bool of_pairs = s->shown->of == ES_ANALYSIS_OF_POOL || s->shown->of == ES_ANALYSIS_OF_SETS;
    return !s->asked || s->elsewhere || (s->sheet && s->sheet->partial) ||
           (of_pairs && s->revision != revision_of(app)) ||
           s->measures != app->source->measures_revision || s->phase != app->phase ||
           s->published != app->set.published || s->with_derived != app->set.with_derived;
}

static bool may_ask(const es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    return app->view == ES_VIEW_SHEETS && s != NULL && s->shown != NULL && !s->asking &&
           app->phase != ES_PHASE_CHECKING &&
           es_analysis_lacks(s->shown, es_sheets_there(app)) == NULL && is_stale(app);
}

void es_sheets_ask(es_app *app, es_effects *effects) {
    struct es_sheets_state *s = app->sheets;
    if (!may_ask(app) || app->now < s->asked_at + PAUSE)
        return;
    s->asking = s->asked = true;
    s->elsewhere = false;
    s->asked_at = app->now;
    s->revision = revision_of(app);
    s->measures = app->source->measures_revision;
    s->phase = app->phase;
    s->published = app->set.published;
    s->with_derived = app->set.with_derived;
    es_effect_add(app, effects, ES_FX_SHEET, 0, false, s->shown->id);
}

double es_sheets_deadline(const es_app *app) {
    return may_ask(app) ? app->sheets->asked_at + PAUSE : (double)INFINITY;
}

/* Words with `between` after each, behind those that are there. */
static es_status add_words(es_words *words, const char *text, char between, es_error *err) {
    es_status st = ES_OK;
    while (st == ES_OK && text && *text) {
        const char *end = strchr(text, between);
        size_t length = end ? (size_t)(end - text) : strlen(text);
        st = es_words_take(words, es_strndup(text, length), err);
        text += length + (end != NULL);
    }
    return st;
}

es_status es_sheets_words(const es_app *app, es_words *line, es_error *err) {
    const struct es_sheets_state *s = app->sheets;
    const es_analysis *a = s->shown;
    bool ranks = (a->needs & ES_ANALYSIS_NEEDS_PAIRS) != 0 ||
                 (a->of == ES_ANALYSIS_OF_SETS && a->options == NULL);
    es_status st = ES_OK;
    ES_TRY(add_words(line, a->options, ' ', err));
    ES_TRY(add_words(line, s->of, '\n', err));
    if (s->choice)
        ES_TRY(es_words_add(line, s->choice, err));
    if (es_sheets_where(app)) {
        ES_TRY(es_words_add(line, "--where", err));
        ES_TRY(es_words_add(line, s->where, err));
    }
    if (ranks && app->set.published)
        ES_TRY(es_words_add(line, "--score=published", err));
    if (ranks && app->set.with_derived)
        ES_TRY(es_words_add(line, "--with-derived", err));
done:
    return st;
}

size_t es_sheets_embedders(const es_app *app, size_t item[2]) {
    es_words of = {0};
    size_t count = 0;
    if (app->sheets && add_words(&of, app->sheets->of, '\n', NULL) == ES_OK)
        for (size_t i = 0; i < of.count && count < 2; i++)
            if ((item[count] = es_app_find(app, of.word[i])) != ES_NONE)
                count++;
    es_words_deinit(&of);
    return count;
}

bool es_sheets_choose(es_app *app, const char *value) {
    struct es_sheets_state *s = app->sheets;
    const es_sheet *sheet = s->sheet;
    es_buf choice = {0};
    size_t at = 0;
    if (sheet == NULL || sheet->choice.count == 0)
        return false;
    while (value && at < sheet->choice.count && strcmp(sheet->choice.word[at], value) != 0)
        at++;
    if (at == sheet->choice.count)
        return false;
    if (value == NULL)
        at = (sheet->chosen + 1) % sheet->choice.count;
    es_buf_printf(&choice, "%s=%s", sheet->option, sheet->choice.word[at]);
    es_free(s->choice);
    s->choice = es_buf_take(&choice);
    s->asked = false;
    s->asked_at = -1e9;
    return true;
}

void es_sheets_elsewhere(es_app *app) {
    struct es_sheets_state *s = app->sheets;
    if (s && s->shown &&
        (s->shown->of == ES_ANALYSIS_OF_SETS || s->shown->of == ES_ANALYSIS_OF_SETTING))
        s->elsewhere = true;
}

/* ---- taking it in ---- */

const es_table_out *es_sheets_table(const es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    return s && s->sheet && s->at < s->sheet->tables ? s->sheet->table[s->at] : NULL;
}

static const char *heading_of(const es_out_column *column) {
    return column->brief ? column->brief : column->title ? column->title : column->key;
}

static bool fill_cell(struct es_sheets_state *s, const es_table_out *t, size_t row, size_t column) {
    es_buf cell = {0};
    es_table_out_put_cell(t, row, column, &cell);
    if (cell.data && !cell.failed) {
        size_t width = es_table_out_width(cell.data);
        s->width[column] = width > s->width[column] ? width : s->width[column];
        s->text[row * s->columns + column] = es_strdup(cell.data);
    }
    bool whole = !cell.failed && (!cell.data || s->text[row * s->columns + column]);
    es_buf_free(&cell);
    return whole;
}

/* What is drawn of every cell, and how wide columns are. */
static bool read_table(struct es_sheets_state *s, const es_table_out *t) {
    bool whole = true;
    s->rows = es_table_out_rows(t);
    s->columns = es_table_out_columns(t);
    s->text = es_alloc_zero(s->rows * s->columns + 1, sizeof *s->text);
    s->width = es_alloc_zero(s->columns + 1, sizeof *s->width);
    s->order = es_alloc(s->rows + 1, sizeof *s->order);
    if (!s->text || !s->width || !s->order)
        return false;
    for (size_t i = 0; i < s->rows; i++)
        s->order[i] = i;
    for (size_t j = 0; j < s->columns; j++) {
        if (!es_table_out_is_shown(t, j))
            continue;
        s->width[j] = es_table_out_width(heading_of(es_table_out_column(t, j)));
        for (size_t i = 0; whole && i < s->rows; i++)
            whole = fill_cell(s, t, i, j);
    }
    return whole;
}

typedef struct sorting {
    const struct es_sheets_state *s;
    const es_table_out *table;
} sorting;

/* Missing values last, equal ones as they came. */
static int compare_rows(const sorting *by, size_t a, size_t b) {
    const struct es_sheets_state *s = by->s;
    int sign = s->descending ? -1 : 1;
    if (es_table_out_column(by->table, s->sort)->kind == ES_COLUMN_TEXT) {
        const char *x = s->text[a * s->columns + s->sort], *y = s->text[b * s->columns + s->sort];
        int order = x && y ? strcmp(x, y) : 0;
        return !x || !y ? (y != NULL) - (x != NULL) : sign * ((order > 0) - (order < 0));
    }
    double x = es_table_out_number_at(by->table, a, s->sort),
           y = es_table_out_number_at(by->table, b, s->sort);
    return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : sign * ((x > y) - (x < y));
}

static void put_in_order(es_app *app) {
    struct es_sheets_state *s = app->sheets;
    const sorting by = {s, es_sheets_table(app)};
    for (size_t i = 0; i < s->rows; i++) {
        size_t at = i;
        for (; s->sort != ES_NONE && at > 0 && compare_rows(&by, i, s->order[at - 1]) < 0; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
}

/* The key of the row under the cursor, which stays on it. */
static char *key_here(const es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    for (size_t j = 0; s->line < s->rows && j < s->columns; j++) {
        const char *text = s->text ? s->text[s->order[s->line] * s->columns + j] : NULL;
        if (text && (es_table_out_column(es_sheets_table(app), j)->flags & ES_COLUMN_KEY) != 0)
            return es_strdup(text);
    }
    return NULL;
}

/* Puts the cursor back on the row with this key after the table was made again. */
static void keep_line(es_app *app, const char *key) {
    struct es_sheets_state *s = app->sheets;
    for (size_t i = 0; key && i < s->rows; i++)
        for (size_t j = 0; j < s->columns; j++) {
            const char *text = s->text[s->order[i] * s->columns + j];
            if (text && strcmp(text, key) == 0 &&
                (es_table_out_column(es_sheets_table(app), j)->flags & ES_COLUMN_KEY) != 0) {
                s->line = i;
                return;
            }
        }
    if (s->line >= s->rows)
        s->line = s->rows > 0 ? s->rows - 1 : 0;
}

/* The table that is shown, its cursor on the row of that key. */
static void show_table(es_app *app, const char *key) {
    struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    if (t != NULL && !read_table(s, t)) {
        es_app_sheet_failed(app, "out of memory");
        return;
    }
    s->column = s->column < s->columns ? s->column : 0;
    s->sort = s->sort < s->columns ? s->sort : ES_NONE;
    if (t != NULL)
        put_in_order(app);
    keep_line(app, key);
}

es_status es_app_sheet_asked(es_app *app, const es_words *command, es_error *err) {
    es_words_deinit(&app->sheets->command);
    return es_words_add_all(&app->sheets->command, (const char *const *)command->word, err);
}

void es_app_sheet_known(es_app *app, es_sheet *sheet) {
    struct es_sheets_state *s = app->sheets;
    if (s == NULL || !s->asking) {
        es_sheet_free(sheet);
        return;
    }
    char *key = key_here(app);
    s->asking = false;
    forget_sheet(s);
    s->sheet = sheet;
    s->at = s->at < sheet->tables ? s->at : 0;
    show_table(app, key);
    es_free(key);
    app->dirty = true;
}

/* Shows the next table of the sheet. */
void es_sheets_next_table(es_call *call) {
    es_app *app = call->app;
    struct es_sheets_state *s = app->sheets;
    char *key = key_here(app);
    forget_cells(s);
    s->at = (s->at + 1) % s->sheet->tables;
    s->column = 0;
    s->sort = ES_NONE;
    show_table(app, key);
    es_free(key);
}

void es_app_sheet_failed(es_app *app, const char *why) {
    struct es_sheets_state *s = app->sheets;
    if (s == NULL)
        return;
    forget_sheet(s);
    s->asking = false;
    s->problem = es_strdup(why);
    app->dirty = true;
}

/* ---- lines and columns ---- */

size_t es_sheets_lines(const es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    return s == NULL || s->shown == NULL ? es_analysis_count : s->rows;
}

size_t es_sheets_line(const es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    if (s == NULL)
        return 0;
    return es_sheets_lines(app) == 0 ? ES_NONE : s->shown ? s->line : s->listed;
}

size_t es_sheets_item(const es_app *app, size_t line) {
    const struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    for (size_t j = 0; t && line < s->rows && j < s->columns; j++) {
        const char *name = es_table_out_text_at(t, s->order[line], j);
        size_t item = name ? es_app_find(app, name) : ES_NONE;
        if (item != ES_NONE)
            return item;
    }
    return ES_NONE;
}

/* By the column under the cursor: numbers largest first, then smallest, then as it came. */
void es_sheets_sort(es_call *call) {
    es_app *app = call->app;
    struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    if (t == NULL || s->column >= s->columns)
        return;
    bool numbers = es_table_out_column(t, s->column)->kind != ES_COLUMN_TEXT;
    char *key = key_here(app);
    if (s->sort != s->column) {
        s->sort = s->column;
        s->descending = numbers;
    } else if (s->descending == numbers) {
        s->descending = !numbers;
    } else {
        s->sort = ES_NONE;
    }
    put_in_order(app);
    keep_line(app, key);
    es_free(key);
}

void es_sheets_move_column(es_app *app, bool right) {
    struct es_sheets_state *s = app->sheets;
    if (s == NULL || s->columns == 0)
        return;
    for (size_t j = s->column; right ? ++j < s->columns : j-- > 0;)
        if (s->width[j] > 0) {
            s->column = j;
            return;
        }
}

size_t es_sheets_drawn(const es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    const es_sheet_plot *plot = es_sheets_table(app) ? &s->sheet->plot : NULL;
    bool beside = plot && (plot->table == s->at || plot->kind == ES_DRAWN_LINES);
    if (!beside || plot->kind == ES_DRAWN_NOT || plot->values == 0)
        return ES_NONE;
    return plot->value[s->value < plot->values ? s->value : 0];
}
