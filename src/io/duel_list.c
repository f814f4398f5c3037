/* Questions of duels and their answers, as a table that people fill in and share. */
#include "io.h"

#include <string.h>
#include <strings.h>

enum { MODE = 0666, ANNOTATOR_MOST = 80 };

/* Where the columns are; SIZE_MAX: there is none. */
typedef struct columns {
    size_t row, left, right, answer, time, annotator;
} columns;

static size_t find_column(const es_table *t, const char *heading) {
    size_t c = 0;
    while (c < t->columns && strcasecmp(es_table_cell(t, 0, c), heading) != 0)
        c++;
    return c < t->columns ? c : SIZE_MAX;
}

static es_status find_columns(const es_table *t, columns *out, es_error *err) {
    static const char *const names[] = {"row", "left", "right", "answer"};
    size_t *const at[] = {&out->row, &out->left, &out->right, &out->answer};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((*at[i] = find_column(t, names[i])) == SIZE_MAX)
            return es_fail(err, ES_EFORMAT,
                           "%s: line %zu: no column \"%s\"; the first line must be: "
                           "row,left,right,answer",
                           t->label, t->line[0], names[i]);
    out->time = find_column(t, "time");
    out->annotator = find_column(t, "annotator");
    return ES_OK;
}

static es_status read_row(const es_table *t, size_t line, size_t column, size_t rows, uint32_t *out,
                          es_error *err) {
    const char *text = es_table_cell(t, line, column);
    double value = -1;
    bool whole = es_text_parse_double(text, strlen(text), &value) && value >= 0 &&
                 value < (double)rows && value == (double)(uint32_t)value;
    if (!whole) {
        char *shown = es_text_clean(text, strlen(text), ANNOTATOR_MOST);
        es_status st = es_fail(
            err, ES_EFORMAT, "%s: line %zu: %s is \"%s\"; expected the number of a row, 0 to %zu",
            t->label, t->line[line], es_table_cell(t, 0, column), shown ? shown : "?", rows - 1);
        es_free(shown);
        return st;
    }
    *out = (uint32_t)value;
    return ES_OK;
}

static es_status read_choice(const es_table *t, size_t line, size_t column, es_duel_choice *out,
                             es_error *err) {
    const char *text = es_table_cell(t, line, column);
    if (es_duel_choice_parse(text, out))
        return ES_OK;
    char *shown = es_text_clean(text, strlen(text), ANNOTATOR_MOST);
    es_status st = es_fail(err, ES_EFORMAT,
                           "%s: line %zu: answer is \"%s\"; expected left, right, = or nothing",
                           t->label, t->line[line], shown ? shown : "?");
    es_free(shown);
    return st;
}

static char *copy_cell(const es_table *t, size_t line, size_t column) {
    const char *text = column == SIZE_MAX ? "" : es_table_cell(t, line, column);
    return es_text_clean(text, strlen(text), ANNOTATOR_MOST);
}

static es_status read_line(const es_table *t, size_t line, const columns *c, size_t rows,
                           es_duel_line *out, es_error *err) {
    out->line = t->line[line];
    ES_PASS(read_row(t, line, c->row, rows, &out->row, err));
    ES_PASS(read_row(t, line, c->left, rows, &out->left, err));
    ES_PASS(read_row(t, line, c->right, rows, &out->right, err));
    ES_PASS(read_choice(t, line, c->answer, &out->answer, err));
    if (out->row == out->left || out->row == out->right || out->left == out->right)
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu: row, left and right must be three different rows; they are "
                       "%u, %u and %u",
                       t->label, t->line[line], out->row, out->left, out->right);
    out->time = copy_cell(t, line, c->time);
    out->annotator = copy_cell(t, line, c->annotator);
    if (!out->time || !out->annotator)
        return es_no_memory(err);
    return ES_OK;
}

es_status es_duel_list_read(const char *path, unsigned flags, size_t rows, es_duel_list *out,
                            es_error *err) {
    es_status st = ES_OK;
    es_duel_list list = {0};
    es_table t = {0};
    columns c;
    ES_TRY(es_table_read(path, flags, &t, err));
    ES_TRY(find_columns(&t, &c, err));
    memcpy(list.label, t.label, sizeof list.label);
    list.item = es_alloc_zero(t.rows, sizeof *list.item);
    ES_FAIL_IF(!list.item, es_no_memory(err));
    while (list.count + 1 < t.rows) {
        size_t line = ++list.count;
        ES_TRY(read_line(&t, line, &c, rows, &list.item[line - 1], err));
    }
    *out = list;
    list = (es_duel_list){0};
done:
    es_duel_list_deinit(&list);
    es_table_deinit(&t);
    return st;
}

void es_duel_list_deinit(es_duel_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        es_free(list->item[i].time);
        es_free(list->item[i].annotator);
    }
    es_free(list->item);
    *list = (es_duel_list){0};
}

es_status es_duel_list_append(es_duel_list *list, es_duel_list *more, es_error *err) {
    es_duel_line *item = es_realloc(list->item, list->count + more->count + 1, sizeof *list->item);
    if (!item)
        return es_no_memory(err);
    list->item = item;
    if (more->count > 0)
        memcpy(item + list->count, more->item, more->count * sizeof *item);
    list->count += more->count;
    if (list->label[0] == '\0')
        memcpy(list->label, more->label, sizeof list->label);
    es_free(more->item);
    *more = (es_duel_list){0};
    return ES_OK;
}

/* ---- editing ---- */

static bool is_line(const es_table *t, size_t line, const columns *c, const es_duel_line *of) {
    es_duel_line read = {0};
    bool same = read_line(t, line, c, SIZE_MAX, &read, NULL) == ES_OK && read.row == of->row &&
                read.left == of->left && read.right == of->right && read.answer == of->answer;
    es_free(read.time);
    es_free(read.annotator);
    return same;
}

static void put_row(const es_table *t, size_t line, es_buf *out) {
    for (size_t c = 0; c < t->columns; c++) {
        if (c > 0)
            es_buf_putc(out, ',');
        es_csv_put_text(out, es_table_cell(t, line, c));
    }
    es_buf_putc(out, '\n');
}

static void put_new(const columns *at, size_t n_columns, const es_duel_line *line, es_buf *out) {
    for (size_t c = 0; c < n_columns; c++) {
        if (c > 0)
            es_buf_putc(out, ',');
        if (c == at->row || c == at->left || c == at->right)
            es_buf_printf(out, "%u",
                          c == at->row    ? line->row
                          : c == at->left ? line->left
                                          : line->right);
        else
            es_csv_put_text(out, c == at->answer ? es_duel_choice_name(line->answer)
                                 : c == at->time ? line->time
                                                 : "");
    }
    es_buf_putc(out, '\n');
}

es_status es_duel_list_edit(const char *path, const es_duel_line *line, bool remove,
                            es_error *err) {
    es_status st = ES_OK;
    es_error why = {0};
    es_buf out = {0};
    es_table t = {0};
    columns c = {0, 1, 2, 3, 4, SIZE_MAX};
    size_t gone = 0;
    st = es_table_read(path, 0, &t, &why);
    ES_FAIL_IF(st != ES_OK && st != ES_ENOTFOUND, es_fail(err, st, "%s", why.message));
    if (t.rows > 0)
        ES_TRY(find_columns(&t, &c, err));
    else
        es_buf_puts(&out, "row,left,right,answer,time\n");
    for (size_t i = t.rows; remove && gone == 0 && i > 1; i--)
        gone = is_line(&t, i - 1, &c, line) ? i - 1 : 0;
    for (size_t i = 0; i < t.rows; i++)
        if (i != gone || i == 0)
            put_row(&t, i, &out);
    if (!remove)
        put_new(&c, t.rows > 0 ? t.columns : 5, line, &out);
    ES_FAIL_IF(out.failed, es_no_memory(err));
    ES_TRY(es_file_replace(path, out.data, out.length, MODE, err));
done:
    es_buf_free(&out);
    es_table_deinit(&t);
    return st;
}
