/* Text for the clipboard: the table on screen, its row, its cell. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_lists.h"
#include "app_dialogs.h"
#include "app_state.h"
#include "app_values.h"

typedef struct copied {
    const es_app *app;
    es_copy_form form;
    es_table_id table; /* ES_TABLE_COUNT: the matrix, or one of: */
    bool has_own;
    es_view_sheet own;
} copied;

static size_t sheet_columns(const copied *sheet) {
    if (sheet->has_own)
        return sheet->own.columns;
    return sheet->table == ES_TABLE_COUNT ? sheet->app->list[ES_LIST_HEAT].count + 1
                                          : es_columns_count(sheet->app, sheet->table);
}

static bool sheet_skips(const copied *sheet, size_t column) {
    if (sheet->table == ES_TABLE_COUNT)
        return false;
    return sheet->app->set.table[sheet->table].hidden[column] ||
           (sheet->table == ES_TABLE_RANK && column == ES_RANK_STRIP);
}

static void sheet_title(const copied *sheet, size_t column, char *out, size_t capacity) {
    const es_list *heat = &sheet->app->list[ES_LIST_HEAT];
    if (sheet->has_own)
        (void)snprintf(out, capacity, "%s", sheet->own.title(sheet->app, column));
    else if (sheet->table != ES_TABLE_COUNT)
        (void)snprintf(out, capacity, "%s", es_columns_at(sheet->app, sheet->table, column).title);
    else if (column > 0)
        (void)snprintf(out, capacity, "%s", es_app_model(sheet->app, heat->item[column - 1])->name);
    else {
        const es_app *app = sheet->app;
        bool best_known = es_app_merged(app) && app->set.metric != ES_METRIC_MEASURE;
        (void)snprintf(out, capacity, "%s%s%s%s", es_metric_title(app, app->set.metric),
                       app->set.transposed ? ", column → row" : "", best_known ? ", " : "",
                       best_known ? es_app_title(app) : "");
    }
}

static void sheet_cell(const copied *sheet, size_t column, size_t item, char *out,
                       size_t capacity) {
    const es_app *app = sheet->app;
    if (sheet->has_own)
        sheet->own.cell(app, column, item, out, capacity);
    else if (sheet->table != ES_TABLE_COUNT)
        es_columns_text(app, sheet->table, column, item, out, capacity);
    else if (column == 0)
        (void)snprintf(out, capacity, "%s", es_app_model(app, item)->name);
    else {
        size_t other = app->list[ES_LIST_HEAT].item[column - 1];
        bool t = app->set.transposed;
        es_metric_format(app->set.metric,
                         es_metric_value(app, app->set.metric, t ? other : item, t ? item : other),
                         4, out, capacity);
    }
}

static void quote_json(es_buf *out, const char *text) {
    double value;
    if (strcmp(text, "-") == 0 || text[0] == '\0')
        es_buf_puts(out, "null");
    else if (es_text_parse_double(text, strlen(text), &value) && isfinite(value) &&
             text[0] != '+' && strspn(text, "-0123456789.") == strlen(text))
        es_buf_put_double(out, value);
    else {
        es_buf_putc(out, '"');
        for (; *text != '\0'; text++) {
            if (*text == '"' || *text == '\\')
                es_buf_putc(out, '\\');
            es_buf_putc(out, *text);
        }
        es_buf_putc(out, '"');
    }
}

void es_copy_escaped(es_buf *out, es_copy_form form, const char *text) {
    if (form == ES_COPY_MARKDOWN || form == ES_COPY_LATEX) {
        es_table_out_escape(out, text, form == ES_COPY_LATEX ? ES_FORMAT_TEX : ES_FORMAT_MD);
        return;
    }
    for (; *text != '\0'; text++) {
        if (form == ES_COPY_JSON && (*text == '"' || *text == '\\'))
            es_buf_putc(out, '\\');
        es_buf_putc(out, *text);
    }
}

/* One line; item ES_NONE: the titles. */
static void put_line(es_buf *out, const copied *sheet, size_t item) {
    static const char *const between[] = {"\t", " | ", " & ", ", "};
    static const char *const ends[] = {"\n", " |\n", " \\\\\n", "}"};
    bool first = true;
    es_buf_puts(out, sheet->form == ES_COPY_MARKDOWN ? "| "
                     : sheet->form == ES_COPY_JSON   ? "{"
                                                     : "");
    for (size_t c = 0; c < sheet_columns(sheet); c++) {
        char title[256], text[512];
        if (sheet_skips(sheet, c))
            continue;
        sheet_title(sheet, c, title, sizeof title);
        if (item == ES_NONE)
            (void)snprintf(text, sizeof text, "%s", title);
        else
            sheet_cell(sheet, c, item, text, sizeof text);
        es_buf_puts(out, first ? "" : between[sheet->form]);
        if (sheet->form == ES_COPY_JSON) {
            es_buf_putc(out, '"');
            es_copy_escaped(out, ES_COPY_JSON, title);
            es_buf_puts(out, "\": ");
            quote_json(out, text);
        } else
            es_copy_escaped(out, sheet->form, text);
        first = false;
    }
    es_buf_puts(out, ends[sheet->form]);
}

static void put_head(es_buf *out, const copied *sheet) {
    size_t columns = 0;
    for (size_t c = 0; c < sheet_columns(sheet); c++)
        columns += !sheet_skips(sheet, c);
    if (sheet->form == ES_COPY_JSON) {
        es_buf_puts(out, "[");
        return;
    }
    if (sheet->form == ES_COPY_LATEX) {
        es_buf_puts(out, "\\begin{tabular}{");
        for (size_t c = 0; c < columns; c++)
            es_buf_putc(out, c == 0 ? 'l' : 'r');
        es_buf_puts(out, "}\n\\toprule\n");
    }
    put_line(out, sheet, ES_NONE);
    if (sheet->form == ES_COPY_LATEX)
        es_buf_puts(out, "\\midrule\n");
    if (sheet->form == ES_COPY_MARKDOWN) {
        es_buf_puts(out, "|");
        for (size_t c = 0; c < columns; c++)
            es_buf_puts(out, "---|");
        es_buf_puts(out, "\n");
    }
}

/* The end of a table, with how many embedders it leaves out: not marked, hidden or filtered. */
static void put_end(es_buf *out, es_copy_form form, size_t left_out) {
    char note[48];
    if (form == ES_COPY_JSON)
        es_buf_puts(out, "\n]\n");
    if (form != ES_COPY_LATEX)
        return;
    es_buf_puts(out, "\\bottomrule\n\\end{tabular}\n");
    (void)snprintf(note, sizeof note, "%zu more not shown.", left_out);
    if (left_out > 0)
        es_table_out_note(out, note, ES_FORMAT_TEX);
}

/* ---- What is copied ---- */

char *es_copy_table(const es_app *app, es_copy_form form, bool row) {
    const es_view_ops *view = es_view_shown(app);
    if (view->copy != NULL)
        return view->copy(app, form, row);
    es_list_id id = es_view_table[app->view].list;
    copied sheet = {.app = app, .form = form, .table = es_view_table[app->view].table};
    sheet.has_own = view->sheet != NULL && view->sheet(app, &sheet.own);
    bool own = sheet.has_own && sheet.own.rows > 0, marks = false;
    if (!own && (id == ES_LIST_COUNT || (row && app->cursor == ES_NONE)))
        return es_strdup("");
    const size_t *items = own ? NULL : app->list[id].item;
    size_t count = own ? sheet.own.rows : app->list[id].count;
    size_t here = own ? sheet.own.here : app->cursor, lines = 0, all = 0;
    es_buf out = {0};
    for (size_t i = 0; i < count && !own; i++)
        marks = marks || app->marked[items[i]];
    for (size_t i = 0; i < app->n && !own; i++)
        all += es_select_belongs(app, id, i);
    if (!row)
        put_head(&out, &sheet);
    for (size_t i = 0; i < count; i++) {
        size_t item = own ? i : items[i];
        if (row ? item != here : marks && !app->marked[item])
            continue;
        if (form == ES_COPY_JSON)
            es_buf_puts(&out, lines == 0 ? "\n" : ",\n");
        put_line(&out, &sheet, item);
        lines++;
    }
    if (!row)
        put_end(&out, form, own ? 0 : all - lines);
    es_buf_puts(&out, ""); /* nothing is a text, too */
    return es_buf_take(&out);
}

char *es_copy_cell(const es_app *app) {
    char text[512] = "";
    es_table_id table = es_view_table[app->view].table;
    const es_view_ops *view = es_view_shown(app);
    if (view->cell != NULL)
        view->cell(app, text, sizeof text);
    else if (app->cursor == ES_NONE)
        return es_strdup("");
    else if (table != ES_TABLE_COUNT)
        es_columns_text(app, table, app->set.table[table].column, app->cursor, text, sizeof text);
    else if (app->column != ES_NONE) {
        bool t = app->set.transposed;
        es_metric_format(app->set.metric,
                         es_metric_value(app, app->set.metric, t ? app->column : app->cursor,
                                         t ? app->cursor : app->column),
                         6, text, sizeof text);
    }
    return es_strdup(text);
}
