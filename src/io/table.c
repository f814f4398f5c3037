/* CSV and TSV through libcsv with strict quotes: tables of text, numbers straight into memory, and
 * cells of what is written. */
#include "table.h"

#include <csv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "alloc.h"
#include "format.h"
#include "text.h"

/* ---- reading cells, whatever becomes of them ---- */

/* One pass over a file. libcsv calls back without positions, so that lines are fed to it one at a
 * time and counted here. */
typedef struct reader {
    struct csv_parser parser;
    const char *label;
    const es_run *run;
    es_error *err;
    es_status status; /* of the callbacks; the first failure stops the pass */
    char delimiter;
    size_t line;        /* being fed, from 1 */
    size_t start;       /* line where the current row started */
    bool open;          /* a row has started and not ended */
    size_t row, column; /* of the next cell */
    size_t columns;     /* of the first row */
    /* What to do with a cell, and with a finished row. */
    es_status (*cell)(struct reader *reader, const char *text, size_t length);
    es_status (*end)(struct reader *reader);
    void *sink;
} reader;

static void *reallocate(void *old, size_t size) {
    return es_realloc(old, size, 1);
}

static es_status no_memory(const reader *r) {
    return es_fail(r->err, ES_ENOMEM, "%s: line %zu: out of memory", r->label, r->line);
}

static void on_cell(void *text, size_t length, void *context) {
    reader *r = context;
    if (r->status != ES_OK)
        return;
    if (r->row == 0 || r->column < r->columns) /* on_row reports the rest */
        r->status = r->cell(r, text, length);
    r->column++;
}

static void on_row(int terminator, void *context) {
    reader *r = context;
    (void)terminator;
    if (r->status != ES_OK)
        return;
    if (r->row == 0)
        r->columns = r->column;
    if (r->column != r->columns)
        r->status = es_fail(r->err, ES_EFORMAT, "%s: line %zu: expected %zu cells, found %zu",
                            r->label, r->start, r->columns, r->column);
    else if (r->row >= ES_ARRAY_MOST || r->columns > ES_ARRAY_MOST)
        r->status = es_fail(r->err, ES_EFORMAT, "%s: line %zu: at most %zu rows and columns",
                            r->label, r->start, ES_ARRAY_MOST);
    else
        r->status = r->end(r);
    r->row++;
    r->column = 0;
    r->open = false;
}

/* Bytes up to and with the next line end (LF, CR LF or CR). */
static size_t line_length(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            return i + 1;
        if (text[i] == '\r')
            return i + 1 < length && text[i + 1] == '\n' ? i + 2 : i + 1;
    }
    return length;
}

/* A row starts with the first line after the last row that is not blank. */
static void note_start(reader *r, const char *text, size_t length) {
    for (size_t i = 0; i < length && !r->open; i++)
        r->open = text[i] == r->delimiter || !es_ascii_is_blank(text[i]);
    r->start = r->line;
}

static es_status feed_line(reader *r, const char *text, size_t length) {
    if (memchr(text, '\0', length))
        return es_fail(r->err, ES_EFORMAT, "%s: line %zu: holds a NUL byte; is this a text file?",
                       r->label, r->line);
    if (!r->open)
        note_start(r, text, length);
    bool whole = csv_parse(&r->parser, text, length, on_cell, on_row, r) == length;
    if (r->status != ES_OK)
        return r->status;
    if (!whole && csv_error(&r->parser) != CSV_EPARSE)
        return no_memory(r);
    if (!whole)
        return es_fail(r->err, ES_EFORMAT,
                       "%s: line %zu: a quote inside a cell: put the cell in quotes and double "
                       "the quotes in it",
                       r->label, r->line);
    return ES_OK;
}

static es_status feed_lines(reader *r, const char *text, size_t size) {
    enum { LINES = 1024 }; /* between looks at `run` */
    es_status st = ES_OK;
    for (size_t at = 0, length = 0; at < size; at += length) {
        r->line++;
        if (r->line % LINES == 0)
            ES_TRY(es_run_check(r->run, r->err));
        length = line_length(text + at, size - at);
        ES_TRY(feed_line(r, text + at, length));
    }
    if (csv_fini(&r->parser, on_cell, on_row, r) != 0) {
        if (csv_error(&r->parser) != CSV_EPARSE)
            return no_memory(r);
        return es_fail(r->err, ES_EFORMAT,
                       "%s: line %zu: a quote in the row that starts here is never closed",
                       r->label, r->start);
    }
    st = r->status;
done:
    return st;
}

static char delimiter_of(const char *path) {
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".tsv") == 0 ? '\t' : ',';
}

/* Refuse what is no text, then parse. */
static es_status read_cells(reader *r, const void *data, size_t size, const char *path) {
    es_map map = {.data = data, .size = size};
    es_format format = es_format_of(&map);
    const char *text = data;
    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return es_fail(r->err, ES_EUNSUPPORTED, "%s: is UTF-16 text; save it as UTF-8", r->label);
    if (format != ES_FORMAT_TEXT && format != ES_FORMAT_UNKNOWN)
        return es_format_refuse(format, path, "a csv file", r->err);
    size_t bom = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    if (csv_init(&r->parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return no_memory(r);
    csv_set_realloc_func(&r->parser, reallocate);
    csv_set_free_func(&r->parser, es_free);
    r->delimiter = delimiter_of(path);
    csv_set_delim(&r->parser, (unsigned char)r->delimiter);
    es_status st = feed_lines(r, text + bom, size - bom);
    csv_free(&r->parser);
    if (st == ES_OK && r->row == 0)
        st = es_fail(r->err, ES_EFORMAT, "%s: holds no rows", r->label);
    return st;
}

/* ---- tables of text ---- */

typedef struct text_sink {
    es_buf text;
    size_t *cell, *line;
    size_t cells, cell_capacity, line_capacity;
} text_sink;

static es_status store_text(reader *r, const char *text, size_t length) {
    text_sink *sink = r->sink;
    size_t *cell = es_grow(sink->cell, sink->cells, &sink->cell_capacity, sizeof *cell);
    if (!cell)
        return no_memory(r);
    sink->cell = cell;
    sink->cell[sink->cells++] = sink->text.length;
    es_buf_add(&sink->text, text, length);
    es_buf_putc(&sink->text, '\0');
    return sink->text.failed ? no_memory(r) : ES_OK;
}

static es_status store_line(reader *r) {
    text_sink *sink = r->sink;
    size_t *line = es_grow(sink->line, r->row, &sink->line_capacity, sizeof *line);
    if (!line)
        return no_memory(r);
    sink->line = line;
    sink->line[r->row] = r->start;
    return ES_OK;
}

es_status es_table_parse(const void *data, size_t size, const char *path, es_table *out,
                         es_error *err) {
    char label[ES_PATH_LABEL];
    text_sink sink = {0};
    reader r = {.label = es_path_label(label, path),
                .err = err,
                .cell = store_text,
                .end = store_line,
                .sink = &sink};
    if (size > ES_TABLE_LIMIT)
        return es_fail(err, ES_EINVAL, "%s: has %zu bytes; at most %zu are read", label, size,
                       ES_TABLE_LIMIT);
    es_status st = read_cells(&r, data, size, path);
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
                      .line = sink.line};
    memcpy(out->label, label, sizeof label);
    return ES_OK;
}

es_status es_table_read(const char *path, unsigned flags, es_table *out, es_error *err) {
    es_map map = {0};
    es_table table = {0};
    es_status st = es_map_open(path, flags, &map, err);
    if (st == ES_OK)
        st = es_table_parse(map.data, map.size, path, &table, err);
    if (st == ES_OK)
        st = es_map_check(&map, path, err);
    es_map_close(&map);
    if (st == ES_OK)
        *out = table;
    else
        es_table_deinit(&table);
    return st;
}

void es_table_deinit(es_table *table) {
    es_free(table->text);
    es_free(table->cell);
    es_free(table->line);
    memset(table, 0, sizeof *table);
}

const char *es_table_cell(const es_table *table, size_t row, size_t column) {
    return table->text + table->cell[row * table->columns + column];
}

static es_status not_a_number(const char *label, size_t line, size_t column, const char *text,
                              size_t length, es_error *err) {
    char shown[48];
    es_text_clean_into(shown, sizeof shown, text, length);
    return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: '%s' is not a number", label, line,
                   column + 1, shown);
}

static bool is_empty(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t')
            return false;
    return true;
}

es_status es_table_number(const es_table *table, size_t row, size_t column, double *out,
                          es_error *err) {
    const char *text = es_table_cell(table, row, column);
    size_t length = strlen(text);
    if (is_empty(text, length))
        *out = (double)NAN;
    else if (!es_text_parse_double(text, length, out))
        return not_a_number(table->label, table->line[row], column, text, length, err);
    return ES_OK;
}

/* ---- arrays of numbers ---- */

typedef struct number_sink {
    double *values;
    size_t count, capacity, rows;
    /* about the first row, until it is known whether it is a header */
    bool has_text, first_empty, counts, counts_behind_index;
    bool skip_first; /* the first column is an index */
} number_sink;

/* Look at a cell of the first row: what speaks for a header? */
static void judge(number_sink *sink, size_t column, bool empty, bool number, double value) {
    if (column == 0) {
        sink->first_empty = empty;
        sink->counts = sink->counts_behind_index = true;
    }
    sink->has_text = sink->has_text || (!empty && !number);
    sink->counts = sink->counts && number && value == (double)column;
    if (column > 0)
        sink->counts_behind_index =
            sink->counts_behind_index && number && value + 1.0 == (double)column;
}

static es_status store_number(reader *r, const char *text, size_t length) {
    number_sink *sink = r->sink;
    bool empty = is_empty(text, length);
    double value = (double)NAN;
    if (r->row > 0 && r->column == 0 && sink->skip_first)
        return ES_OK;
    bool number = !empty && es_text_parse_double(text, length, &value);
    if (r->row == 0)
        judge(sink, r->column, empty, number, value);
    else if (!empty && !number)
        return not_a_number(r->label, r->line, r->column, text, length, r->err);
    double *values = es_grow(sink->values, sink->count, &sink->capacity, sizeof *values);
    if (!values)
        return no_memory(r);
    sink->values = values;
    sink->values[sink->count++] = value;
    return ES_OK;
}

static es_status end_numbers(reader *r) {
    number_sink *sink = r->sink;
    if (r->row > 0) {
        sink->rows++;
        return ES_OK;
    }
    bool behind_index = sink->first_empty && sink->counts_behind_index && r->columns >= 3;
    if (sink->has_text || behind_index || (sink->counts && r->columns >= 3)) {
        sink->skip_first = sink->first_empty && r->columns >= 2;
        sink->count = 0;
    } else {
        sink->rows = 1;
    }
    return ES_OK;
}

es_status es_table_array(const void *data, size_t size, const char *path, const es_run *run,
                         es_array *out, es_error *err) {
    char label[ES_PATH_LABEL];
    number_sink sink = {0};
    reader r = {.label = es_path_label(label, path),
                .run = run,
                .err = err,
                .cell = store_number,
                .end = end_numbers,
                .sink = &sink};
    es_status st = read_cells(&r, data, size, path);
    if (st == ES_OK && sink.rows == 0)
        st = es_fail(err, ES_EFORMAT, "%s: holds a header but no rows of numbers", label);
    if (st != ES_OK) {
        es_free(sink.values);
        return st;
    }
    *out = es_array_own(sink.values, sink.rows, r.columns - sink.skip_first);
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
