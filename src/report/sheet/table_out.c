/* One description of a result for table, csv, json, md and tex. Cells keep exact numbers; a format
 * rounds, escapes and aligns when it is written, after measuring how wide each column becomes. */
#define _XOPEN_SOURCE 700 /* wcwidth */
#include "report_sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "io.h"

typedef struct cell {
    char *text;  /* of text columns; NULL: missing */
    char *shown; /* in the place of `text` where it is shown to a reader; NULL: the same */
    double number, high;
    size_t count;
    bool flag, best;
} cell;

struct es_table_out {
    const es_out_column *columns;
    size_t n_columns;
    cell *cells; /* (rows, n_columns), the last row may be unfinished */
    size_t n_cells, capacity;
    es_out_column *own; /* (n_columns) copies of the columns; NULL: they are borrowed */
    bool failed;
};

es_table_out *es_table_out_new(const es_out_column *columns, size_t n_columns) {
    es_table_out *table = es_alloc_zero(1, sizeof *table);
    if (table) {
        table->columns = columns;
        table->n_columns = n_columns;
    }
    return table;
}

void es_table_out_free(es_table_out *table) {
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->n_cells; i++) {
        es_free(table->cells[i].text);
        es_free(table->cells[i].shown);
    }
    for (size_t j = 0; table->own && j < table->n_columns; j++) {
        es_free((void *)table->own[j].key);
        es_free((void *)table->own[j].title);
        es_free((void *)table->own[j].brief);
    }
    es_free(table->own);
    es_free(table->cells);
    es_free(table);
}

/* A copy of a text that may be missing; *whole turns false where memory ran out. */
static const char *copy_of(const char *text, bool *whole) {
    char *copy = text ? es_strdup(text) : NULL;
    *whole = *whole && (copy || !text);
    return copy;
}

void es_table_out_add(es_table_out *table, es_out_column column) {
    bool whole = true;
    es_out_column *own =
        table && !table->failed ? es_realloc(table->own, table->n_columns + 1, sizeof *own) : NULL;
    if (own == NULL) {
        if (table)
            table->failed = true;
        return;
    }
    column.key = copy_of(column.key, &whole);
    column.title = copy_of(column.title, &whole);
    column.brief = copy_of(column.brief, &whole);
    own[table->n_columns++] = column;
    table->columns = table->own = own;
    table->failed = !whole;
}

bool es_table_out_keep(es_table_out *table) {
    if (table && !table->failed && !table->own) {
        const es_out_column *columns = table->columns;
        size_t n = table->n_columns;
        table->n_columns = 0;
        for (size_t j = 0; j < n; j++)
            es_table_out_add(table, columns[j]);
    }
    return table && !table->failed;
}

size_t es_table_out_columns(const es_table_out *table) {
    return table ? table->n_columns : 0;
}

const es_out_column *es_table_out_column(const es_table_out *table, size_t column) {
    return &table->columns[column];
}

size_t es_table_out_rows(const es_table_out *table) {
    return table && table->n_columns > 0 ? table->n_cells / table->n_columns : 0;
}

bool es_table_out_is_empty(const es_table_out *table) {
    return table && !table->failed && table->n_cells == 0;
}

/* Room for the next cell; NULL once memory has run out. */
static cell *next_cell(es_table_out *table) {
    if (table == NULL || table->failed)
        return NULL;
    cell *more = es_grow(table->cells, table->n_cells, &table->capacity, sizeof *more);
    table->failed = more == NULL;
    if (table->failed)
        return NULL;
    table->cells = more;
    cell *out = &table->cells[table->n_cells++];
    *out = (cell){.number = (double)NAN, .count = SIZE_MAX};
    return out;
}

void es_table_out_text(es_table_out *table, const char *text) {
    cell *out = next_cell(table);
    if (out && text) {
        out->text = es_strdup(text);
        table->failed = out->text == NULL;
    }
}

void es_table_out_take(es_table_out *table, char *text) {
    es_table_out_text(table, text);
    es_free(text);
}

void es_table_out_name(es_table_out *table, const char *name, const char *label) {
    es_table_out_text(table, name);
    if (table && !table->failed && label && strcmp(label, name) != 0) {
        cell *last = &table->cells[table->n_cells - 1];
        last->shown = es_strdup(label);
        table->failed = last->shown == NULL;
    }
}

void es_table_out_number(es_table_out *table, double value) {
    cell *out = next_cell(table);
    if (out)
        out->number = value;
}

void es_table_out_band(es_table_out *table, double value, double low, double high) {
    es_table_out_number(table, value);
    es_table_out_number(table, low);
    es_table_out_number(table, high);
}

void es_table_out_count(es_table_out *table, size_t value) {
    cell *out = next_cell(table);
    if (out)
        out->count = value;
}

void es_table_out_flag(es_table_out *table, bool value) {
    cell *out = next_cell(table);
    if (out)
        out->flag = value;
}

void es_table_out_range(es_table_out *table, double low, double high) {
    cell *out = next_cell(table);
    if (out) {
        out->number = low;
        out->high = high;
    }
}

void es_table_out_best(es_table_out *table) {
    if (table && !table->failed && table->n_cells > 0)
        table->cells[table->n_cells - 1].best = true;
}

size_t es_table_out_width(const char *text) {
    size_t length = strlen(text), width = 0;
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        i += es_utf8_decode(text + i, length - i, &code);
        int columns = wcwidth((wchar_t)code);
        width += columns < 0 ? 1 : (size_t)columns;
    }
    return width;
}

const char *es_table_out_decimals(char out[ES_TABLE_NUMBER], double value, int decimals) {
    (void)snprintf(out, ES_TABLE_NUMBER, fabs(value) < 1e12 ? "%.*f" : "%.*e", decimals, value);
    if (out[0] == '-' && out[strspn(out, "-0.")] == '\0')
        memmove(out, out + 1, strlen(out));
    return out;
}

bool es_table_out_alike(double a, double b, int decimals) {
    char shown[2][ES_TABLE_NUMBER];
    return isfinite(a) && isfinite(b) &&
           strcmp(es_table_out_decimals(shown[0], a, decimals),
                  es_table_out_decimals(shown[1], b, decimals)) == 0;
}

static bool is_missing(const cell *c, const es_out_column *column) {
    switch (column->kind) {
    case ES_COLUMN_TEXT:
        return c->text == NULL;
    case ES_COLUMN_NUMBER:
        return !isfinite(c->number);
    case ES_COLUMN_COUNT:
        return c->count == SIZE_MAX;
    case ES_COLUMN_FLAG:
        return false;
    case ES_COLUMN_RANGE:
        return !isfinite(c->number) || !isfinite(c->high);
    case ES_COLUMN_LIST:
        return c->text == NULL;
    }
    return true;
}

static bool is_data(const es_out_column *column, bool json) {
    return (json || column->kind != ES_COLUMN_LIST) && (column->flags & ES_COLUMN_SHOWN_ONLY) == 0;
}

/* ---- csv ---- */

static void put_exact(es_buf *out, const cell *c, const es_out_column *column) {
    if (is_missing(c, column))
        return;
    switch (column->kind) {
    case ES_COLUMN_TEXT:
        es_csv_put_text(out, c->text);
        break;
    case ES_COLUMN_NUMBER:
        es_csv_put_double(out, c->number);
        break;
    case ES_COLUMN_COUNT:
        es_buf_printf(out, "%zu", c->count);
        break;
    case ES_COLUMN_FLAG:
        es_buf_puts(out, c->flag ? "true" : "false");
        break;
    case ES_COLUMN_RANGE: /* shown only */
    case ES_COLUMN_LIST:
        break;
    }
}

static void write_csv(const es_table_out *table, es_buf *out) {
    const char *before = "";
    for (size_t j = 0; j < table->n_columns; j++)
        if (is_data(&table->columns[j], false)) {
            es_buf_puts(out, before);
            es_csv_put_text(out, table->columns[j].key);
            before = ",";
        }
    es_buf_putc(out, '\n');
    for (size_t i = 0; i < es_table_out_rows(table); i++) {
        before = "";
        for (size_t j = 0; j < table->n_columns; j++)
            if (is_data(&table->columns[j], false)) {
                es_buf_puts(out, before);
                put_exact(out, &table->cells[i * table->n_columns + j], &table->columns[j]);
                before = ",";
            }
        es_buf_putc(out, '\n');
    }
}

/* ---- json ---- */

static void put_list(es_json *json, const char *key, const char *lines) {
    es_buf one = {0};
    es_json_begin_row(json, key);
    for (size_t length = 0; *lines; lines += length, lines += *lines == '\n') {
        length = strcspn(lines, "\n");
        es_buf_clear(&one);
        es_buf_add(&one, lines, length);
        es_json_text(json, NULL, one.data ? one.data : "");
    }
    es_json_end(json);
    es_buf_end(&one, json->out);
}

static void put_json(es_json *json, const cell *c, const es_out_column *column) {
    if (is_missing(c, column)) {
        es_json_null(json, column->key);
        return;
    }
    switch (column->kind) {
    case ES_COLUMN_TEXT:
        es_json_text(json, column->key, c->text);
        break;
    case ES_COLUMN_NUMBER:
        es_json_double(json, column->key, c->number);
        break;
    case ES_COLUMN_COUNT:
        es_json_uint(json, column->key, c->count);
        break;
    case ES_COLUMN_FLAG:
        es_json_bool(json, column->key, c->flag);
        break;
    case ES_COLUMN_RANGE: /* shown only */
        break;
    case ES_COLUMN_LIST:
        put_list(json, column->key, c->text);
        break;
    }
}

void es_table_out_json(const es_table_out *table, es_json *json, const char *key) {
    json->out->failed |= table == NULL || table->failed;
    for (size_t i = es_json_list(json, key); es_json_list_next(json, &i, es_table_out_rows(table));)
        for (size_t j = 0; j < table->n_columns; j++)
            if (is_data(&table->columns[j], true))
                put_json(json, &table->cells[i * table->n_columns + j], &table->columns[j]);
}

/* ---- what a reader sees ---- */

typedef struct layout {
    const es_table_out *table;
    es_output_format format;
    size_t *width; /* (n_columns) 0: not shown */
    size_t widest; /* of a text; 0: no limit */
    char **name; /* (rows + 1, n_columns) names cut so that they differ, headings last; else NULL */
} layout;

static double room_of(const void *context, const char *utf8) {
    (void)context;
    return (double)es_table_out_width(utf8);
}

/* Cuts what is in `name` (n) apart; NULL there is left out. */
static es_status shorten(const char *const *name, size_t n, size_t widest, char **out,
                         es_error *err) {
    static const es_ruler ruler = {room_of, NULL, ".."};
    es_status st = ES_OK;
    size_t count = 0;
    const char **whole = es_alloc(n, sizeof *whole);
    char **made = es_alloc_zero(n, sizeof *made);
    ES_FAIL_IF(whole == NULL || made == NULL, es_no_memory(err));
    for (size_t i = 0; i < n; i++)
        if (name[i])
            whole[count++] = name[i];
    ES_TRY(es_short_names_make(whole, count, (double)widest, &ruler, made, err));
    for (size_t i = n; i-- > 0;)
        out[i] = name[i] ? made[--count] : NULL;
done:
    es_free(whole);
    es_free(made);
    return st;
}

static const char *shown_of(const cell *c) {
    return c->shown ? c->shown : c->text;
}

/* Rows are distinguished by their key columns, columns that are headed by names by these. */
static es_status fit_names(layout *l, es_error *err) {
    es_status st = ES_OK;
    const es_table_out *t = l->table;
    size_t rows = es_table_out_rows(t), columns = t->n_columns, most = rows + columns;
    const char **name = es_alloc(most, sizeof *name);
    char **made = es_alloc_zero(most, sizeof *made);
    l->name = es_alloc_zero(rows + 1, columns * sizeof *l->name);
    ES_FAIL_IF(name == NULL || made == NULL || l->name == NULL, es_no_memory(err));
    for (size_t j = 0; j < columns; j++) {
        if (t->columns[j].kind != ES_COLUMN_TEXT || (t->columns[j].flags & ES_COLUMN_KEY) == 0)
            continue;
        for (size_t i = 0; i < rows; i++)
            name[i] = shown_of(&t->cells[i * columns + j]);
        ES_TRY(shorten(name, rows, l->widest, made, err));
        for (size_t i = 0; i < rows; i++)
            l->name[i * columns + j] = made[i];
    }
    for (size_t j = 0; j < columns; j++)
        name[j] = (t->columns[j].flags & ES_COLUMN_NAMED) != 0 ? t->columns[j].title : NULL;
    ES_TRY(shorten(name, columns, l->widest, l->name + rows * columns, err));
done:
    es_free(name);
    es_free(made);
    return st;
}

static void layout_deinit(layout *l) {
    if (l->name)
        es_short_names_free(l->name, (es_table_out_rows(l->table) + 1) * l->table->n_columns);
    es_free(l->name);
    es_free(l->width);
}

/* What pdfTeX with T1 fonts knows: Latin letters, and punctuation of its input encoding. */
static bool is_known_to_tex(uint32_t code) {
    return (code >= 0xa1 && code <= 0x17f) || (code >= 0x2013 && code <= 0x2014) ||
           (code >= 0x2018 && code <= 0x201e) || code == 0x2026;
}

/* The letters from text[i] on that pdfTeX does not know; returns where they end. */
static size_t put_unknown(es_buf *out, const char *text, size_t length, size_t i) {
    es_buf numbers = {0};
    size_t end = i;
    while (end < length) {
        uint32_t code = 0;
        size_t step = es_utf8_decode(text + end, length - end, &code);
        if (code < 0x80 || is_known_to_tex(code))
            break;
        es_buf_printf(&numbers, "[U+%04X]", (unsigned)code);
        end += step;
    }
    es_buf_puts(out, "\\ifdefined\\Umathcode ");
    es_buf_add(out, text + i, end - i);
    es_buf_printf(out, "\\else%s\\fi{}", numbers.data ? numbers.data : "");
    es_buf_end(&numbers, out);
    return end;
}

static void put_tex(es_buf *out, const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        size_t step = es_utf8_decode(text + i, length - i, &code);
        if (code < 0x80 && strchr("&%$#_{}", (int)code))
            es_buf_printf(out, "\\%c", (char)code);
        else if (code == '~')
            es_buf_puts(out, "\\textasciitilde{}");
        else if (code == '^')
            es_buf_puts(out, "\\textasciicircum{}");
        else if (code == '\\')
            es_buf_puts(out, "\\textbackslash{}");
        else if (code < 0x80 && strchr("<>|\"", (int)code)) /* no ligatures, no other encoding's */
            es_buf_printf(out, "%s{}",
                          code == '<'   ? "\\textless"
                          : code == '>' ? "\\textgreater"
                          : code == '|' ? "\\textbar"
                                        : "\\textquotedbl");
        else if (code == '-' && i + 1 < length && text[i + 1] == '-')
            es_buf_puts(out, "-{}"); /* two hyphens are no dash */
        else if (code < 0x80 || is_known_to_tex(code))
            es_buf_add(out, text + i, step);
        else
            step = put_unknown(out, text, length, i) - i;
        i += step;
    }
}

void es_table_out_escape(es_buf *out, const char *text, es_output_format format) {
    if (format == ES_FORMAT_TEX) {
        put_tex(out, text);
        return;
    }
    for (; *text; text++) {
        if (format == ES_FORMAT_MD && strchr("\\|*`<[]", *text))
            es_buf_putc(out, '\\');
        es_buf_putc(out, *text);
    }
}

void es_table_out_note(es_buf *out, const char *text, es_output_format format) {
    es_buf_puts(out, format == ES_FORMAT_TEX ? "\n\\smallskip\n{\\footnotesize " : "\n");
    es_table_out_escape(out, text, format);
    es_buf_puts(out, format == ES_FORMAT_TEX ? "\\par}\n" : "\n");
}

/* Cut to the widest allowed, with two dots for what is left out. */
static void put_short(es_buf *out, const char *text, size_t widest) {
    if (widest == 0 || es_table_out_width(text) <= widest) {
        es_buf_puts(out, text);
        return;
    }
    size_t length = strlen(text), width = 0, i = 0;
    for (;;) {
        uint32_t code = 0;
        size_t step = es_utf8_decode(text + i, length - i, &code);
        int columns = wcwidth((wchar_t)code);
        width += columns < 0 ? 1 : (size_t)columns;
        if (width + 2 > widest)
            break;
        i += step;
    }
    es_buf_add(out, text, i);
    es_buf_puts(out, "..");
}

/* In two columns with the point between them, so that points stand below each other even where one
 * number is bold. */
static void put_tex_number(es_buf *out, const cell *c, const char *text) {
    bool best = c->best && text[strspn(text, "-0.")] != '\0'; /* nothing is best at 0 */
    const char *bold = best ? "\\textbf{" : "", *end = best ? "}" : "";
    const char *point = strchr(text, '.');
    int whole = (int)(point ? (size_t)(point - text) : strlen(text));
    if (text[0] == '-')
        es_buf_printf(out, "$-$%s%.*s%s", bold, whole - 1, text + 1, end);
    else
        es_buf_printf(out, "%s%.*s%s", bold, whole, text, end);
    es_buf_printf(out, "&%s%s%s", bold, point ? point + 1 : "", end);
}

static void put_shown(const layout *l, es_buf *out, const cell *c, const es_out_column *column) {
    if (is_missing(c, column)) {
        es_buf_puts(out, l->format != ES_FORMAT_TEX         ? "-"
                         : column->kind == ES_COLUMN_NUMBER ? "\\multicolumn{2}{c}{--}"
                                                            : "--");
        return;
    }
    switch (column->kind) {
    case ES_COLUMN_TEXT:
        if (l->format == ES_FORMAT_TABLE)
            put_short(out, shown_of(c), l->widest);
        else
            es_table_out_escape(out, shown_of(c), l->format);
        break;
    case ES_COLUMN_NUMBER: {
        char text[ES_TABLE_NUMBER];
        (void)es_table_out_decimals(text, c->number, column->decimals);
        if ((column->flags & ES_COLUMN_SCALE) != 0 && c->number != 0 &&
            text[strspn(text, "0.")] == '\0')
            (void)snprintf(text, sizeof text, "%.1e", c->number);
        if (l->format == ES_FORMAT_TEX)
            put_tex_number(out, c, text);
        else
            es_buf_puts(out, text);
        break;
    }
    case ES_COLUMN_RANGE: {
        char low[ES_TABLE_NUMBER], high[ES_TABLE_NUMBER];
        es_buf_printf(out, l->format == ES_FORMAT_TEX ? "$[%s, %s]$" : "[%s, %s]",
                      es_table_out_decimals(low, c->number, column->decimals),
                      es_table_out_decimals(high, c->high, column->decimals));
        break;
    }
    case ES_COLUMN_COUNT:
        es_buf_printf(out, "%zu", c->count);
        break;
    case ES_COLUMN_FLAG:
        es_buf_puts(out, c->flag ? "yes" : "no");
        break;
    case ES_COLUMN_LIST: /* json only */
        break;
    }
}

static void put_heading(const layout *l, es_buf *out, const es_out_column *column) {
    const char *text = column->brief && l->format != ES_FORMAT_MD ? column->brief : column->title;
    bool two = l->format == ES_FORMAT_TEX && column->kind == ES_COLUMN_NUMBER;
    es_buf_puts(out, two ? "\\multicolumn{2}{c}{" : "");
    es_table_out_escape(out, text, l->format);
    es_buf_puts(out, two ? "}" : "");
}

static bool has_values(const es_table_out *table, size_t column) {
    size_t rows = es_table_out_rows(table), i = 0;
    while (i < rows &&
           is_missing(&table->cells[i * table->n_columns + column], &table->columns[column]))
        i++;
    return i < rows || rows == 0;
}

static bool is_shown(const layout *l, size_t column) {
    return l->width[column] > 0;
}

/* A column as this format shows it: in tex two that bound an interval are one. */
static es_out_column shown_column(const layout *l, size_t j) {
    es_out_column column = l->table->columns[j];
    if (l->format == ES_FORMAT_TEX && (column.flags & ES_COLUMN_LOW) != 0) {
        column.kind = ES_COLUMN_RANGE;
        column.title = "95 % interval";
        column.brief = NULL;
    }
    return column;
}

/* The text of row `row`, or the heading for SIZE_MAX, in `scratch`. */
static const char *shown_text(const layout *l, size_t row, size_t column, es_buf *scratch) {
    const es_table_out *table = l->table;
    const es_out_column about = shown_column(l, column);
    size_t line = row == SIZE_MAX ? es_table_out_rows(table) : row;
    if (l->name && l->name[line * table->n_columns + column])
        return l->name[line * table->n_columns + column];
    es_buf_clear(scratch);
    if (row == SIZE_MAX) {
        put_heading(l, scratch, &about);
    } else {
        cell c = table->cells[row * table->n_columns + column];
        if (about.kind == ES_COLUMN_RANGE && (about.flags & ES_COLUMN_LOW) != 0)
            c.high = table->cells[row * table->n_columns + column + 1].number;
        put_shown(l, scratch, &c, &about);
    }
    return scratch->data ? scratch->data : "";
}

static bool is_for_reader(const layout *l, size_t column) {
    unsigned flags = l->table->columns[column].flags;
    bool second = l->format == ES_FORMAT_TEX && column > 0 &&
                  (l->table->columns[column - 1].flags & ES_COLUMN_LOW) != 0;
    return (flags & ES_COLUMN_DATA_ONLY) == 0 && l->table->columns[column].kind != ES_COLUMN_LIST &&
           !second;
}

/* Finds the width of each shown column. */
static void measure_columns(layout *l, es_buf *scratch) {
    size_t rows = es_table_out_rows(l->table);
    for (size_t j = 0; j < l->table->n_columns; j++) {
        bool always = (l->table->columns[j].flags & ES_COLUMN_ALWAYS) != 0;
        if (!is_for_reader(l, j) || (!always && !has_values(l->table, j)))
            continue;
        l->width[j] = 1;
        size_t heading = es_table_out_width(shown_text(l, SIZE_MAX, j, scratch));
        if (heading > l->width[j])
            l->width[j] = heading;
        for (size_t i = 0; i < rows; i++) {
            size_t width = es_table_out_width(shown_text(l, i, j, scratch));
            if (width > l->width[j])
                l->width[j] = width;
        }
        if (l->format == ES_FORMAT_MD && l->width[j] < 3)
            l->width[j] = 3; /* of the rule below the heading: "--:" */
    }
}

static void put_padded(es_buf *out, const char *text, size_t width, bool left, bool last) {
    size_t used = es_table_out_width(text), blanks = width > used ? width - used : 0;
    if (!left)
        es_buf_printf(out, "%*s", (int)blanks, "");
    es_buf_puts(out, text);
    if (left && !last)
        es_buf_printf(out, "%*s", (int)blanks, "");
}

/* One line of the columns [from, to) and, where that is not the first block, the key columns. */
static void put_line(const layout *l, size_t row, size_t from, size_t to, es_buf *out,
                     es_buf *scratch) {
    const es_out_column *columns = l->table->columns;
    const char *before = l->format == ES_FORMAT_MD ? "| " : "";
    const char *between = l->format == ES_FORMAT_MD    ? " | "
                          : l->format == ES_FORMAT_TEX ? " & "
                                                       : "  ";
    size_t last = 0;
    for (size_t j = 0; j < to; j++)
        if (is_shown(l, j))
            last = j;
    for (size_t j = 0; j < to; j++) {
        if (!is_shown(l, j) || (j < from && (columns[j].flags & ES_COLUMN_KEY) == 0))
            continue;
        es_buf_puts(out, before);
        before = between;
        put_padded(out, shown_text(l, row, j, scratch), l->width[j],
                   columns[j].kind == ES_COLUMN_TEXT, j == last && l->format == ES_FORMAT_TABLE);
    }
    while (l->format == ES_FORMAT_TABLE && out->length > 0 && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0'; /* of an empty last cell */
    es_buf_puts(out, l->format == ES_FORMAT_MD    ? " |\n"
                     : l->format == ES_FORMAT_TEX ? " \\\\\n"
                                                  : "\n");
}

static void write_md(const layout *l, es_buf *out, es_buf *scratch) {
    const es_table_out *table = l->table;
    put_line(l, SIZE_MAX, 0, table->n_columns, out, scratch);
    es_buf_putc(out, '|');
    for (size_t j = 0; j < table->n_columns; j++) {
        if (!is_shown(l, j))
            continue;
        bool left = table->columns[j].kind == ES_COLUMN_TEXT;
        es_buf_putc(out, ' ');
        for (size_t k = 1; k < l->width[j]; k++)
            es_buf_putc(out, '-');
        es_buf_puts(out, left ? "- |" : ": |");
    }
    es_buf_putc(out, '\n');
    for (size_t i = 0; i < es_table_out_rows(table); i++)
        put_line(l, i, 0, table->n_columns, out, scratch);
}

/* A table wider than the line is made as wide as that; one that fits stays as it is. */
static const char tex_box[] = "\\sbox0{%\n";
static const char tex_fit[] = "\\unskip}\\noindent\n"
                              "\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}"
                              "\\else\\usebox0\\fi\n";

static void write_tex(const layout *l, es_buf *out, es_buf *scratch) {
    const es_table_out *table = l->table;
    es_buf_puts(out, tex_box);
    es_buf_puts(out, "\\begin{tabular}{");
    for (size_t j = 0; j < table->n_columns; j++) {
        const es_out_column column = shown_column(l, j);
        if (is_shown(l, j))
            es_buf_puts(out, column.kind == ES_COLUMN_TEXT     ? "l"
                             : column.kind != ES_COLUMN_NUMBER ? "r"
                             : column.decimals > 0             ? "r@{.}l"
                                                               : "r@{}l");
    }
    es_buf_puts(out, "}\n\\toprule\n");
    put_line(l, SIZE_MAX, 0, table->n_columns, out, scratch);
    es_buf_puts(out, "\\midrule\n");
    for (size_t i = 0; i < es_table_out_rows(table); i++)
        put_line(l, i, 0, table->n_columns, out, scratch);
    es_buf_puts(out, "\\bottomrule\n\\end{tabular}\n");
    es_buf_puts(out, tex_fit);
}

/* First column behind the block that begins at `from`: as many as fit, at least one. */
static size_t block_end(const layout *l, size_t from, size_t width) {
    const es_table_out *table = l->table;
    size_t used = 0, end = from, taken = 0;
    for (size_t j = 0; j < from; j++)
        if (is_shown(l, j) && (table->columns[j].flags & ES_COLUMN_KEY) != 0)
            used += l->width[j] + 2;
    for (; end < table->n_columns; end++) {
        if (!is_shown(l, end))
            continue;
        bool key = (table->columns[end].flags & ES_COLUMN_KEY) != 0;
        if (width > 0 && taken > 0 && !key && used + l->width[end] > width)
            break;
        used += l->width[end] + 2;
        taken += key ? 0 : 1;
    }
    return end;
}

static void write_text(const layout *l, size_t width, es_buf *out, es_buf *scratch) {
    size_t from = 0, end = 0;
    while (end < l->table->n_columns) {
        end = block_end(l, from, width);
        if (from > 0)
            es_buf_putc(out, '\n');
        put_line(l, SIZE_MAX, from, end, out, scratch);
        for (size_t i = 0; i < es_table_out_rows(l->table); i++)
            put_line(l, i, from, end, out, scratch);
        from = end;
    }
}

/* ---- cells, one at a time ---- */

static const cell *cell_at(const es_table_out *table, size_t row, size_t column) {
    return &table->cells[row * table->n_columns + column];
}

const char *es_table_out_text_at(const es_table_out *table, size_t row, size_t column) {
    return cell_at(table, row, column)->text;
}

double es_table_out_number_at(const es_table_out *table, size_t row, size_t column) {
    const cell *c = cell_at(table, row, column);
    const es_out_column *about = &table->columns[column];
    if (about->kind == ES_COLUMN_TEXT || is_missing(c, about))
        return (double)NAN;
    return about->kind == ES_COLUMN_COUNT  ? (double)c->count
           : about->kind == ES_COLUMN_FLAG ? (double)c->flag
                                           : c->number;
}

void es_table_out_put_cell(const es_table_out *table, size_t row, size_t column, es_buf *out) {
    const layout l = {.table = table, .format = ES_FORMAT_TABLE};
    if (!is_missing(cell_at(table, row, column), &table->columns[column]))
        put_shown(&l, out, cell_at(table, row, column), &table->columns[column]);
}

bool es_table_out_is_shown(const es_table_out *table, size_t column) {
    const layout l = {.table = table, .format = ES_FORMAT_TABLE};
    bool always = (table->columns[column].flags & ES_COLUMN_ALWAYS) != 0;
    return is_for_reader(&l, column) && (always || has_values(table, column));
}

/* ---- html ---- */

void es_html_put(es_buf *out, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '&':
            es_buf_puts(out, "&amp;");
            break;
        case '<':
            es_buf_puts(out, "&lt;");
            break;
        case '>':
            es_buf_puts(out, "&gt;");
            break;
        case '"':
            es_buf_puts(out, "&quot;");
            break;
        default:
            es_buf_putc(out, *text);
        }
}

static void put_html_cell(const layout *l, size_t row, size_t column, es_buf *out,
                          es_buf *scratch) {
    const es_out_column *about = &l->table->columns[column];
    bool key = (about->flags & ES_COLUMN_KEY) != 0, heading = row == SIZE_MAX;
    const char *tag = heading || key ? "th" : "td";
    es_buf_printf(out, "<%s", tag);
    if (heading || key)
        es_buf_printf(out, " scope=\"%s\"", heading ? "col" : "row");
    if (about->kind != ES_COLUMN_TEXT)
        es_buf_puts(out, " class=\"n\"");
    if (!heading && about->kind == ES_COLUMN_NUMBER) {
        double value = l->table->cells[row * l->table->n_columns + column].number;
        if (!isnan(value)) {
            es_buf_puts(out, " data-value=\"");
            es_buf_put_double(out, value);
            es_buf_putc(out, '"');
        }
    }
    es_buf_putc(out, '>');
    es_html_put(out, shown_text(l, row, column, scratch));
    es_buf_printf(out, "</%s>", tag);
}

es_status es_table_out_html(const es_table_out *table, es_buf *out, es_error *err) {
    es_buf scratch = {0};
    layout l = {.table = table, .format = ES_FORMAT_TABLE};
    es_status st = ES_OK;
    if (table == NULL)
        return es_no_memory(err);
    l.width = es_alloc_zero(table->n_columns, sizeof *l.width);
    ES_FAIL_IF(table->failed || l.width == NULL, es_no_memory(err));
    measure_columns(&l, &scratch);
    es_buf_puts(out, "<div class=\"wide\"><table>\n");
    for (size_t i = 0; i < es_table_out_rows(table) + 1; i++) {
        es_buf_puts(out, i == 0 ? "<thead><tr>" : i == 1 ? "<tbody>\n<tr>" : "<tr>");
        for (size_t j = 0; j < table->n_columns; j++)
            if (is_shown(&l, j))
                put_html_cell(&l, i == 0 ? SIZE_MAX : i - 1, j, out, &scratch);
        es_buf_puts(out, i == 0 ? "</tr></thead>\n" : "</tr>\n");
    }
    es_buf_puts(out,
                es_table_out_rows(table) > 0 ? "</tbody></table></div>\n" : "</table></div>\n");
    ES_TRY(es_buf_check(&scratch, err));
    ES_TRY(es_buf_check(out, err));
done:
    es_buf_free(&scratch);
    es_free(l.width);
    return st;
}

es_status es_table_out_write(const es_table_out *table, es_output_format format, size_t width,
                             es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_buf scratch = {0};
    layout l = {.table = table, .format = format};
    if (table == NULL)
        return es_no_memory(err);
    l.width = es_alloc_zero(table->n_columns, sizeof *l.width);
    ES_FAIL_IF(table->failed || l.width == NULL, es_no_memory(err));
    if (format == ES_FORMAT_TABLE && width > 0) {
        l.widest = width / 3 > 12 ? width / 3 : 12;
        ES_TRY(fit_names(&l, err));
    }
    if (format != ES_FORMAT_CSV)
        measure_columns(&l, &scratch);
    if (format == ES_FORMAT_CSV)
        write_csv(table, out);
    else if (format == ES_FORMAT_MD)
        write_md(&l, out, &scratch);
    else if (format == ES_FORMAT_TEX)
        write_tex(&l, out, &scratch);
    else
        write_text(&l, width, out, &scratch);
    ES_TRY(es_buf_check(&scratch, err));
    ES_TRY(es_buf_check(out, err));
done:
    es_buf_free(&scratch);
    layout_deinit(&l);
    return st;
}
