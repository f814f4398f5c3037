/* Values of a column are sorted, so equal ones stand together and are counted. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *es_row_column_kind_name(es_row_column_kind kind) {
    static const char *const names[] = {"empty", "text", "number", "label"};
    return names[kind];
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_count(const void *a, const void *b) {
    const es_row_value *x = a, *y = b;
    int more = (x->count < y->count) - (x->count > y->count);
    return more != 0 ? more : strcmp(x->text, y->text);
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_missing(const char *text) {
    return text[strspn(text, " ")] == '\0' || strcasecmp(text, "nan") == 0;
}

/* Sorted texts become values with counts. */
static void count_values(const char **text, es_row_column *out) {
    for (size_t i = 0; i < out->rows; i++) {
        if (i == 0 || strcmp(text[i], text[i - 1]) != 0)
            out->value[out->distinct++] = (es_row_value){text[i], 0};
        out->value[out->distinct - 1].count++;
    }
    qsort(out->value, out->distinct, sizeof *out->value, by_count);
}

/* Fills least, median and most. False: some value is no number. */
static bool take_numbers(const char *const *text, double *number, es_row_column *out) {
    size_t n = out->rows;
    for (size_t i = 0; i < n; i++)
        if (!es_text_parse_double(text[i], strlen(text[i]), &number[i]))
            return false;
    if (n == 0)
        return false;
    qsort(number, n, sizeof *number, by_number);
    out->least = number[0];
    out->most = number[n - 1];
    out->median = n % 2 == 1 ? number[n / 2] : number[n / 2 - 1] / 2 + number[n / 2] / 2;
    return true;
}

static es_row_column_kind kind_of(const es_row_column *c, bool numbers) {
    bool few = c->distinct <= ES_ROW_COLUMN_FEW && c->distinct < c->rows;
    return c->rows == 0                       ? ES_ROW_COLUMN_EMPTY
           : numbers && !few                  ? ES_ROW_COLUMN_NUMBER
           : few || 2 * c->distinct < c->rows ? ES_ROW_COLUMN_LABEL
                                              : ES_ROW_COLUMN_TEXT;
}

es_status es_row_column_new(const es_table *table, size_t first, size_t column, es_row_column *out,
                            es_error *err) {
    size_t n = table->rows > first ? table->rows - first : 0;
    es_row_column c = {.least = (double)NAN, .median = (double)NAN, .most = (double)NAN};
    const char **text = es_alloc(n + 1, sizeof(char *));
    double *number = es_alloc(n + 1, sizeof *number);
    c.value = es_alloc(n + 1, sizeof *c.value);
    es_status st = text && number && c.value ? ES_OK : es_no_memory(err);
    for (size_t i = 0; i < n && st == ES_OK; i++) {
        const char *cell = es_table_cell(table, first + i, column);
        if (is_missing(cell))
            c.missing++;
        else
            text[c.rows++] = cell;
    }
    if (st == ES_OK) {
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        qsort(text, c.rows, sizeof *text, by_text);
        count_values(text, &c);
        c.kind = kind_of(&c, take_numbers(text, number, &c));
        *out = c;
    } else
        es_free(c.value);
    es_free(text);
    es_free(number);
    return st;
}

void es_row_column_deinit(es_row_column *column) {
    es_free(column->value);
    *column = (es_row_column){0};
}

void es_row_column_put(const es_row_column *column, size_t most, es_buf *out) {
    enum { SHOWN = 24 };
    size_t shown = column->distinct < most ? column->distinct : most;
    if (column->kind == ES_ROW_COLUMN_NUMBER) {
        es_buf_printf(out, "%.4g to %.4g, median %.4g", column->least, column->most,
                      column->median);
        return;
    }
    for (size_t i = 0; i < shown; i++) {
        const es_row_value *v = &column->value[i];
        char text[SHOWN * 4 + 1];
        size_t used = es_text_clean_into(text, SHOWN + 1, v->text, strlen(v->text));
        es_buf_printf(out, "%s%s%s", i > 0 ? ", " : "", text, used >= SHOWN - 3 ? "…" : "");
        if (column->kind == ES_ROW_COLUMN_LABEL)
            es_buf_printf(out, " %zu", v->count);
    }
    if (shown < column->distinct)
        es_buf_printf(out, " and %zu more", column->distinct - shown);
}
