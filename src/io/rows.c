/* Texts of rows from rows.csv, for showing what a row stands for. */
#include "io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static es_column_sort sort_of(const es_row_texts *texts, size_t column) {
    const char *name = es_row_texts_name(texts, column);
    return name ? es_column_sort_of(name, strlen(name)) : ES_COLUMN_OTHER;
}

bool es_row_texts_is_text(const es_row_texts *texts, size_t column) {
    return column != texts->id && !(texts->id > 0 && sort_of(texts, column) == ES_COLUMN_NUMBERS);
}

bool es_row_texts_take_id(es_row_texts *texts, size_t column) {
    if (column >= texts->columns)
        return false;
    texts->id = texts->text = column;
    for (size_t j = texts->columns; j > 0; j--)
        if (es_row_texts_is_text(texts, j - 1))
            texts->text = j - 1;
    return true;
}

/* The id is the first column, unless the header calls another one "id" and that tells the rows
 * apart, as the column behind the index that pandas writes. */
static es_status find_id(es_row_texts *texts, es_error *err) {
    es_status st = ES_OK;
    bool differ = sort_of(texts, 0) == ES_COLUMN_IDS;
    size_t column = 0;
    for (size_t j = 1; texts->has_header && !differ && st == ES_OK && j < texts->columns; j++) {
        if (!es_column_is_id(es_row_texts_name(texts, j)))
            continue;
        st = es_column_differs(&texts->table, 1, j, &differ, err);
        column = differ ? j : 0;
    }
    es_row_texts_take_id(texts, column);
    return st;
}

es_status es_row_texts_read(const char *path, unsigned flags, size_t expected, es_row_texts *out,
                            es_error *err) {
    es_table table = {0};
    ES_PASS(es_table_read(path, flags, &table, err));
    bool has_header = expected == 0 || table.rows != expected;
    if (has_header && table.rows == 1) {
        es_error_set(err, ES_EFORMAT, "%s: holds a header but no rows", table.label);
        es_table_deinit(&table);
        return ES_EFORMAT;
    }
    es_row_texts texts = {.count = table.rows - has_header,
                          .columns = table.columns,
                          .has_header = has_header,
                          .table = table};
    es_status st = find_id(&texts, err);
    if (st == ES_OK)
        *out = texts;
    else
        es_table_deinit(&table);
    return st;
}

void es_row_texts_deinit(es_row_texts *texts) {
    es_table_deinit(&texts->table);
    memset(texts, 0, sizeof *texts);
}

const char *es_row_texts_cell(const es_row_texts *texts, size_t row, size_t column) {
    return es_table_cell(&texts->table, row + texts->has_header, column);
}

const char *es_row_texts_id(const es_row_texts *texts, size_t row) {
    return es_row_texts_cell(texts, row, texts->id);
}

const char *es_row_texts_text(const es_row_texts *texts, size_t row) {
    return es_row_texts_cell(texts, row, texts->text);
}

const char *es_row_texts_name(const es_row_texts *texts, size_t column) {
    return texts->has_header ? es_table_cell(&texts->table, 0, column) : NULL;
}

/* Which rows are asked for, as the command line, the configuration file and documents say it. */

static bool parse_rows(const char *text, size_t *out) {
    char *end = NULL;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > UINT32_MAX)
        return false;
    *out = (size_t)value;
    return true;
}

es_status es_row_request_parse(const char *text, es_row_request *out, es_error *err) {
    static const char first[] = "first:";
    es_row_request request = {0};
    size_t skip = strncmp(text, first, sizeof first - 1) == 0 ? sizeof first - 1 : 0;
    if (strcmp(text, "auto") == 0)
        request = (es_row_request){ES_ROWS_AUTO, ES_ROWS_USUAL_SAMPLE};
    else if (strcmp(text, "all") != 0) {
        request.choice = skip ? ES_ROWS_FIRST : ES_ROWS_SAMPLE;
        if (!parse_rows(text + skip, &request.count))
            return es_fail(err, ES_EINVAL,
                           "--rows takes auto, all, first:N or a whole number N (a random sample), "
                           "not '%s'",
                           text);
    }
    *out = request;
    return ES_OK;
}

es_status es_row_request_check(const es_row_request *request, es_error *err) {
    if (request->choice != ES_ROWS_ALL && request->count < ES_SPLIT_MIN_ROWS)
        return es_fail(err, ES_EINVAL, "%zu rows: at least %d are needed", request->count,
                       (int)ES_SPLIT_MIN_ROWS);
    return ES_OK;
}

void es_row_request_put(const es_row_request *request, es_buf *out) {
    switch (request->choice) {
    case ES_ROWS_ALL:
        es_buf_puts(out, "all");
        return;
    case ES_ROWS_FIRST:
        es_buf_printf(out, "first:%zu", request->count);
        return;
    case ES_ROWS_SAMPLE:
        es_buf_printf(out, "%zu", request->count);
        return;
    case ES_ROWS_AUTO:
    case ES_ROWS_GROWN:
    case ES_ROWS_AUTO_LARGE:
        es_buf_puts(out, "auto");
    }
}

/* CSV and TSV: tables of text, and cells of what is written. */

/* ---- tables of text ---- */

typedef struct text_sink {
    es_buf text;
    size_t *cell, *line;
    size_t cells, cell_capacity, line_capacity;
} text_sink;

static es_status store_text(es_cells *r, const char *text, size_t length) {
    text_sink *sink = r->sink;
    size_t at = sink->text.length;
    if (es_append(&sink->cell, &sink->cells, &sink->cell_capacity, &at, sizeof at, NULL) != ES_OK)
        return es_cells_no_memory(r);
    es_buf_add(&sink->text, text, length);
    es_buf_putc(&sink->text, '\0');
    return sink->text.failed ? es_cells_no_memory(r) : ES_OK;
}

static es_status store_line(es_cells *r) {
    text_sink *sink = r->sink;
    size_t *line = es_grow(sink->line, r->row, &sink->line_capacity, sizeof *line);
    if (!line)
        return es_cells_no_memory(r);
    sink->line = line;
    sink->line[r->row] = r->start;
    return ES_OK;
}

/* delimiter 0: by the path's ending. */
static es_status parse(const void *data, size_t size, const char *path, char delimiter, es_run *run,
                       es_table *out, es_error *err) {
    char label[ES_PATH_LABEL];
    text_sink sink = {0};
    es_cells r = {.label = es_path_label(label, path),
                  .run = run,
                  .err = err,
                  .delimiter = delimiter,
                  .cell = store_text,
                  .end = store_line,
                  .sink = &sink};
    if (size > ES_TABLE_LIMIT)
        return es_fail(err, ES_EINVAL, "%s: has %zu bytes; at most %zu are read", label, size,
                       ES_TABLE_LIMIT);
    es_status st = es_cells_read(&r, data, size, path);
    if (st != ES_OK) {
        es_buf_free(&sink.text);
        es_free(sink.cell);
        es_free(sink.line);
        return st;
    }
    *out = (es_table){.rows = r.row,
                      .columns = r.columns,
                      .text = sink.text.data,
                      .cell = sink.cell,
                      .line = sink.line,
                      .delimiter = r.delimiter};
    memcpy(out->label, label, sizeof label);
    return ES_OK;
}

es_status es_table_parse(const void *data, size_t size, const char *path, es_table *out,
                         es_error *err) {
    return parse(data, size, path, 0, NULL, out, err);
}

/* By the first line with anything on it. */
static char sniff(const char *text, size_t size) {
    size_t tabs = 0, semicolons = 0, commas = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        if ((text[i] == '\n' || text[i] == '\r') && !quoted && tabs + semicolons + commas > 0)
            break;
        quoted ^= text[i] == '"';
        tabs += !quoted && text[i] == '\t';
        semicolons += !quoted && text[i] == ';';
        commas += !quoted && text[i] == ',';
    }
    if (tabs > 0 && tabs >= semicolons && tabs >= commas)
        return '\t';
    return semicolons > 0 && semicolons >= commas ? ';' : ',';
}

static es_status read_file(const char *path, unsigned flags, bool any, es_run *run, es_table *out,
                           es_error *err) {
    es_map map = {0};
    es_table table = {0};
    es_status st = es_map_open(path, flags, &map, err);
    if (st == ES_OK) {
        char delimiter = any && map.size > 0 ? sniff((const char *)map.data, map.size) : '\0';
        st = parse(map.data, map.size, path, delimiter, run, &table, err);
    }
    if (st == ES_OK)
        st = es_map_check(&map, path, err);
    es_map_close(&map);
    if (st == ES_OK)
        *out = table;
    else
        es_table_deinit(&table);
    return st;
}

es_status es_table_read(const char *path, unsigned flags, es_table *out, es_error *err) {
    return read_file(path, flags, false, NULL, out, err);
}

es_status es_table_read_any(const char *path, unsigned flags, es_run *run, es_table *out,
                            es_error *err) {
    return read_file(path, flags, true, run, out, err);
}

void es_table_deinit(es_table *table) {
    es_free(table->text);
    es_free(table->cell);
    es_free(table->line);
    es_free(table->column);
    memset(table, 0, sizeof *table);
}

const char *es_table_cell(const es_table *table, size_t row, size_t column) {
    return table->text + table->cell[row * table->columns + column];
}

size_t es_table_column(const es_table *table, size_t column) {
    return table->column ? table->column[column] : column + 1;
}

es_status es_table_keep_columns(es_table *t, const size_t *column, size_t kept, es_error *err) {
    size_t *row = es_alloc(kept + 1, sizeof *row), *of_file = es_alloc(kept + 1, sizeof *of_file);
    if (!row || !of_file) {
        es_free(row);
        es_free(of_file);
        return es_no_memory(err);
    }
    for (size_t r = 0; r < t->rows; r++) {
        for (size_t j = 0; j < kept; j++)
            row[j] = t->cell[r * t->columns + column[j]];
        memcpy(t->cell + r * kept, row, kept * sizeof *row);
    }
    for (size_t j = 0; j < kept; j++)
        of_file[j] = es_table_column(t, column[j]);
    es_free(row);
    es_free(t->column);
    t->column = of_file;
    t->columns = kept;
    return ES_OK;
}

static bool is_empty_column(const es_table *t, size_t column) {
    for (size_t r = 0; r < t->rows; r++) {
        const char *text = es_table_cell(t, r, column);
        if (!es_cells_is_empty(text, strlen(text)))
            return false;
    }
    return true;
}

bool es_table_heads_index(const char *text) {
    static const char *const headings[] = {"", "#", "index", "idx", "unnamed: 0"};
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (strcasecmp(text, headings[i]) == 0)
            return true;
    return false;
}

/* 0, 1, 2, ... or 1, 2, 3, ..., before a column of texts. */
static bool is_index(const es_table *t, size_t column) {
    double first = 0, value = 0;
    if (t->rows < 2 || !es_table_heads_index(es_table_cell(t, 0, column)))
        return false;
    for (size_t r = 1; r < t->rows; r++) {
        const char *text = es_table_cell(t, r, column), *next = es_table_cell(t, r, column + 1);
        double number = 0;
        if (!es_text_parse_double(text, strlen(text), &value) || !next[0] ||
            es_text_parse_double(next, strlen(next), &number))
            return false;
        first = r == 1 ? value : first;
        if ((value - first < (double)(r - 1)) || (value - first > (double)(r - 1)))
            return false;
    }
    return fabs(first) < 0.5 || fabs(first - 1) < 0.5;
}

es_status es_table_drop_index(es_table *t, es_error *err) {
    size_t from = 0, kept = 0, *column = es_alloc(t->columns + 1, sizeof *column);
    es_status st = ES_OK;
    if (!column)
        return es_no_memory(err);
    while (from + 2 < t->columns && is_index(t, from))
        from++;
    for (size_t j = from; j < t->columns; j++)
        if (!is_empty_column(t, j))
            column[kept++] = j;
    if (kept > 0 && kept < t->columns)
        st = es_table_keep_columns(t, column, kept, err);
    es_free(column);
    return st;
}

es_status es_table_number(const es_table *table, size_t row, size_t column, double *out,
                          es_error *err) {
    const char *text = es_table_cell(table, row, column);
    size_t length = strlen(text);
    if (es_cells_is_empty(text, length))
        *out = (double)NAN;
    else if (!es_cells_number(table->delimiter, text, length, out))
        return es_cells_not_a_number(table->label, table->line[row],
                                     es_table_column(table, column) - 1, text, length, err);
    return ES_OK;
}

/* ---- writing ---- */

void es_csv_put_text(es_buf *out, const char *text) {
    size_t length = text ? strlen(text) : 0;
    bool quoted =
        length > 0 && (strpbrk(text, ",\"\r\n\t") || text[0] == ' ' || text[length - 1] == ' ');
    if (quoted)
        es_buf_putc(out, '"');
    for (size_t i = 0; i < length;) {
        uint32_t c = 0;
        char bytes[4];
        i += es_utf8_decode(text + i, length - i, &c);
        if (es_text_is_unsafe(c) && c != '\t' && c != '\n' && c != '\r')
            c = 0xFFFD;
        if (c == '"')
            es_buf_putc(out, '"');
        es_buf_add(out, bytes, es_utf8_encode(c, bytes));
    }
    if (quoted)
        es_buf_putc(out, '"');
}

void es_csv_put_double(es_buf *out, double value) {
    if (isfinite(value))
        es_buf_put_double(out, value);
}

/* One cell as it stands in the file, quotes included. */
static void put_safe(es_buf *out, const char *cell, size_t length) {
    double number = 0;
    size_t at = length > 0 && cell[0] == '"';
    bool runs = at < length && strchr("=+-@\t\r\n", cell[at]) != NULL &&
                !es_text_parse_double(cell, length, &number);
    es_buf_add(out, cell, at);
    if (runs)
        es_buf_putc(out, '\'');
    es_buf_add(out, cell + at, length - at);
}

void es_csv_make_safe(es_buf *out, const char *text, size_t length) {
    size_t from = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        quoted = text[i] == '"' ? !quoted : quoted;
        if (quoted || (text[i] != ',' && text[i] != '\n'))
            continue;
        put_safe(out, text + from, i - from);
        es_buf_putc(out, text[i]);
        from = i + 1;
    }
    put_safe(out, text + from, length - from);
}
