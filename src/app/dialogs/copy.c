/* Text for the clipboard: the table on screen, its row, its cell. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "app_state.h"
#include "buf.h"
#include "corr.h"
#include "text.h"
#include "columns.h"
#include "compare_state.h"
#include "compare_text.h"
#include "copy.h"
#include "facts.h"
#include "heat.h"
#include "jobs.h"
#include "select.h"
#include "tree.h"

typedef struct es_sheet {
    const es_app *app;
    es_copy_form form;
    es_table_id table; /* ES_TABLE_COUNT: the matrix, or one of: */
    bool tasks;        /* those of Corr */
    bool groups;       /* the communities of Tree */
} es_sheet;

enum { TASK_COLUMNS = 12, GROUP_COLUMNS = 7 };

static void task_cell(const es_app *app, size_t column, size_t task, char *out, size_t capacity) {
    static const es_correlation kinds[] = {ES_SPEARMAN, ES_KENDALL, ES_PEARSON};
    const es_correlation_report *r = &app->corr->at[task].report;
    double value = (double)NAN;
    if (column == 0) {
        (void)snprintf(out, capacity, "%s", es_corr_task_name(app, task));
        return;
    }
    if (column == 1) {
        (void)snprintf(out, capacity, "%zu", r->n);
        return;
    }
    if (column == TASK_COLUMNS - 1)
        value = r->p.value;
    else {
        es_correlation kind = kinds[(column - 2) / 3];
        value = column % 3 == 2   ? r->value[kind].value
                : column % 3 == 0 ? r->low[kind]
                                  : r->high[kind];
    }
    if (isfinite(value))
        (void)snprintf(out, capacity, "%.4f", value);
    else
        (void)snprintf(out, capacity, "-");
}

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
        value = column == 3 ? s->score : column == 4 ? s->simulated : value;
        if (column == 6 && group != ES_NONE && app->tree.settled)
            value = app->tree.found->list[group].stability;
        (void)snprintf(out, capacity, isfinite(value) ? "%.4f" : "-", value);
    }
}

static size_t sheet_columns(const es_sheet *sheet) {
    if (sheet->groups)
        return GROUP_COLUMNS;
    if (sheet->tasks)
        return TASK_COLUMNS;
    return sheet->table == ES_TABLE_COUNT ? sheet->app->list[ES_LIST_HEAT].count + 1
                                          : es_columns_count(sheet->app, sheet->table);
}

static bool sheet_skips(const es_sheet *sheet, size_t column) {
    if (sheet->table == ES_TABLE_COUNT)
        return false;
    return sheet->app->set.table[sheet->table].hidden[column] ||
           (sheet->table == ES_TABLE_RANK && column == ES_RANK_STRIP);
}

static void sheet_title(const es_sheet *sheet, size_t column, char *out, size_t capacity) {
    static const char *const task_titles[TASK_COLUMNS] = {
        "task",          "n",           "spearman",     "spearman_low",
        "spearman_high", "kendall",     "kendall_low",  "kendall_high",
        "pearson",       "pearson_low", "pearson_high", "p_permutation"};
    static const char *const group_titles[GROUP_COLUMNS] = {"community", "name", "dim",      "out",
                                                            "in",        "rank", "stability"};
    const es_list *heat = &sheet->app->list[ES_LIST_HEAT];
    if (sheet->groups)
        (void)snprintf(out, capacity, "%s", group_titles[column]);
    else if (sheet->tasks)
        (void)snprintf(out, capacity, "%s", task_titles[column]);
    else if (sheet->table != ES_TABLE_COUNT)
        (void)snprintf(out, capacity, "%s", es_columns_at(sheet->app, sheet->table, column).title);
    else
        (void)snprintf(out, capacity, "%s",
                       column == 0 ? es_metric_title(sheet->app, sheet->app->set.metric)
                                   : es_app_model(sheet->app, heat->item[column - 1])->name);
}

static void sheet_cell(const es_sheet *sheet, size_t column, size_t item, char *out,
                       size_t capacity) {
    const es_app *app = sheet->app;
    if (sheet->groups)
        group_cell(app, column, item, out, capacity);
    else if (sheet->tasks)
        task_cell(app, column, item, out, capacity);
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

static void put_escaped(es_buf *out, es_copy_form form, const char *text) {
    for (; *text != '\0'; text++) {
        if ((form == ES_COPY_MARKDOWN && *text == '|') ||
            (form == ES_COPY_JSON && (*text == '"' || *text == '\\')))
            es_buf_putc(out, '\\');
        if (form == ES_COPY_LATEX && *text == '\\') {
            es_buf_puts(out, "\\textbackslash{}");
            continue;
        }
        if (form == ES_COPY_LATEX && (*text == '~' || *text == '^')) {
            es_buf_printf(out, "\\%c{}", *text);
            continue;
        }
        if (form == ES_COPY_LATEX && strchr("_%&#${}", *text) != NULL)
            es_buf_putc(out, '\\');
        es_buf_putc(out, *text);
    }
}

/* One line; item ES_NONE: the titles. */
static void put_line(es_buf *out, const es_sheet *sheet, size_t item) {
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
            put_escaped(out, ES_COPY_JSON, title);
            es_buf_puts(out, "\": ");
            quote_json(out, text);
        } else
            put_escaped(out, sheet->form, text);
        first = false;
    }
    es_buf_puts(out, ends[sheet->form]);
}

static void put_head(es_buf *out, const es_sheet *sheet) {
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

/* ---- Compare: its targets, in the order shown ---- */

static const char *name_of(const es_app *app, size_t k) {
    return es_app_model(app, app->set.compare.item[k])->name;
}

static void put_target(es_buf *out, const es_app *app, es_copy_form form, size_t line) {
    static const char *const begin[] = {"", "| ", "", ""},
                             *const between[] = {"\t", " | ", " & ", ""},
                             *const end[] = {"\n", " |\n", " \\\\\n", ""};
    const es_compared_target *target = es_compare_target(app, line);
    size_t count = app->set.compare.count;
    es_buf_puts(out, begin[form]);
    put_escaped(out, form,
                target == NULL ? "target" : es_app_model(app, es_compare_item(app, line))->name);
    for (size_t k = 0; k < count; k++) {
        es_buf_puts(out, between[form]);
        if (target == NULL)
            put_escaped(out, form, name_of(app, k));
        else
            es_buf_printf(out, "%.4f", target->value[k]);
    }
    es_buf_puts(out, between[form]);
    if (target == NULL)
        es_buf_printf(out, "difference%sse", between[form]);
    else if (isfinite(target->error))
        es_buf_printf(out, "%.4f%s%.4f", target->difference, between[form], target->error);
    else
        es_buf_printf(out, "%.4f%s", target->difference, between[form]);
    es_buf_puts(out, end[form]);
}

static void put_target_json(es_buf *out, const es_app *app, size_t line) {
    const es_compared_target *target = es_compare_target(app, line);
    es_buf_puts(out, "{\"target\": \"");
    put_escaped(out, ES_COPY_JSON, es_app_model(app, es_compare_item(app, line))->name);
    es_buf_putc(out, '"');
    for (size_t k = 0; k < app->set.compare.count; k++) {
        es_buf_puts(out, ", \"");
        put_escaped(out, ES_COPY_JSON, name_of(app, k));
        es_buf_printf(out, "\": %.6f", target->value[k]);
    }
    es_buf_printf(out, ", \"difference\": %.6f, \"se\": ", target->difference);
    if (isfinite(target->error))
        es_buf_printf(out, "%.6f}", target->error);
    else
        es_buf_puts(out, "null}");
}

static char *copy_compared(const es_app *app, es_copy_form form, bool row) {
    es_buf out = {0};
    size_t lines = app->compare.lines, from = row ? es_compare_line(app) : 0;
    size_t to = row ? (from == ES_NONE ? 0 : from + 1) : lines;
    from = from == ES_NONE ? 0 : from;
    es_buf_puts(&out, form == ES_COPY_JSON && !row ? "[" : "");
    if (form == ES_COPY_LATEX && !row)
        es_buf_printf(&out, "\\begin{tabular}{l%s}\n\\toprule\n",
                      app->set.compare.count == 3 ? "rrrrr" : "rrrr");
    if (form != ES_COPY_JSON && !row)
        put_target(&out, app, form, ES_NONE);
    if (!row)
        es_buf_puts(&out, form == ES_COPY_LATEX         ? "\\midrule\n"
                          : form != ES_COPY_MARKDOWN    ? ""
                          : app->set.compare.count == 3 ? "|---|---:|---:|---:|---:|---:|\n"
                                                        : "|---|---:|---:|---:|---:|\n");
    for (size_t line = from; line < to; line++) {
        if (form == ES_COPY_JSON) {
            es_buf_puts(&out, row ? "" : line == from ? "\n" : ",\n");
            put_target_json(&out, app, line);
        } else
            put_target(&out, app, form, line);
    }
    if (!row)
        es_buf_puts(&out, form == ES_COPY_JSON    ? "\n]\n"
                          : form == ES_COPY_LATEX ? "\\bottomrule\n\\end{tabular}\n"
                                                  : "");
    if (out.failed)
        es_buf_free(&out);
    return out.data;
}

/* ---- What is copied ---- */

char *es_copy_table(const es_app *app, es_copy_form form, bool row) {
    es_list_id id = es_view_table[app->view].list;
    bool tasks = app->view == ES_VIEW_CORR;
    bool groups = app->view == ES_VIEW_TREE && app->tree.found != NULL;
    es_sheet sheet = {app, form, es_view_table[app->view].table, tasks, groups};
    es_buf out = {0};
    bool marks = false, first = true;
    if (app->view == ES_VIEW_COMPARE)
        return copy_compared(app, form, row);
    if (tasks ? app->corr->tasks == 0 : id == ES_LIST_COUNT || (row && app->cursor == ES_NONE))
        return es_strdup("");
    const es_list own = {.item = app->corr->order, .count = app->corr->tasks};
    const es_list *list = tasks ? &own : &app->list[id];
    size_t here = tasks ? app->corr->task : app->cursor;
    for (size_t i = 0; i < list->count && !tasks; i++)
        marks = marks || app->marked[list->item[i]];
    if (!row)
        put_head(&out, &sheet);
    for (size_t i = 0; i < list->count; i++) {
        size_t item = list->item[i];
        if (row ? item != here : marks && !app->marked[item])
            continue;
        if (form == ES_COPY_JSON)
            es_buf_puts(&out, first ? "\n" : ",\n");
        put_line(&out, &sheet, item);
        first = false;
    }
    if (!row)
        es_buf_puts(&out, form == ES_COPY_JSON    ? "\n]\n"
                          : form == ES_COPY_LATEX ? "\\bottomrule\n\\end{tabular}\n"
                                                  : "");
    if (out.failed) {
        es_buf_free(&out);
        return NULL;
    }
    return out.data == NULL ? es_strdup("") : out.data;
}

char *es_copy_cell(const es_app *app) {
    char text[512] = "";
    es_table_id table = es_view_table[app->view].table;
    size_t source, target;
    if (app->view == ES_VIEW_COMPARE)
        es_compare_verdict(app, text, sizeof text);
    else if (app->view == ES_VIEW_JOBS) {
        if (es_jobs_pair(app, app->job, &source, &target) && target != ES_NONE)
            (void)snprintf(text, sizeof text, "%s -> %s", es_app_model(app, source)->name,
                           es_app_model(app, target)->name);
    } else if (app->view == ES_VIEW_CORR) {
        if (app->corr->tasks > 0)
            task_cell(app, 2 + 3 * (app->set.corr_kind % 3u), app->corr->task, text, sizeof text);
    } else if (app->cursor == ES_NONE)
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
