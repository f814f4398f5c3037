/* libcsv calls back without positions, so that lines are fed to it one at a time and counted. */
#include "io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io_parts.h"

static void *reallocate(void *old, size_t size) {
    return es_realloc(old, size, 1);
}

es_status es_cells_no_memory(const es_cells *r) {
    return es_fail(r->err, ES_ENOMEM, "%s: line %zu: out of memory", r->label, r->line);
}

static void on_cell(const char *text, size_t length, es_cells *r) {
    if (r->lead && r->row == 0 && r->column == 0 && r->status == ES_OK) {
        r->status = r->cell(r, "", 0);
        r->column++;
    }
    if (r->status != ES_OK)
        return;
    if (r->row == 0 || r->column < r->columns) /* on_row reports the rest */
        r->status = r->cell(r, text, length);
    r->column++;
}

static void on_row(es_cells *r) {
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

static void csv_cell(void *text, size_t length, void *context) {
    on_cell(text, length, context);
}

static void csv_row(int terminator, void *context) {
    (void)terminator;
    on_row(context);
}

/* A row starts with the first line after the last row that is not blank. */
static void note_start(es_cells *r, const char *text, size_t length) {
    for (size_t i = 0; i < length && !r->open; i++)
        r->open = text[i] == r->delimiter || !es_ascii_is_blank(text[i]);
    r->start = r->line;
}

/* What libcsv takes off both ends of a cell without quotes. */
static bool is_padding(const es_cells *r, char c) {
    return (c == ' ' || c == '\t') && c != r->delimiter;
}

/* A whole row without quotes needs no libcsv: as that would have it, several times as fast. False:
 * the line is something else, and nothing is done. */
static bool take_plain_row(es_cells *r, const char *text, size_t length) {
    if (length == 0 || text[length - 1] != '\n')
        return false;
    const char *end = text + length - 1;
    end -= end > text && end[-1] == '\r';
    const char *at = text;
    while (is_padding(r, *at)) /* which no end of a line is */
        at++;
    if (at == end || memchr(at, '"', (size_t)(end - at)) || memchr(at, '\r', (size_t)(end - at)))
        return false;
    for (bool last = false; !last && r->status == ES_OK;) {
        const char *stop = memchr(at, r->delimiter, (size_t)(end - at));
        last = stop == NULL;
        stop = last ? end : stop;
        const char *first = at, *after = stop;
        while (first < after && is_padding(r, *first))
            first++;
        while (after > first && is_padding(r, after[-1]))
            after--;
        on_cell(first, (size_t)(after - first), r);
        at = last ? end : stop + 1;
    }
    on_row(r);
    return true;
}

static es_status feed_line(es_cells *r, const char *text, size_t length) {
    if (memchr(text, '\0', length))
        return es_fail(r->err, ES_EFORMAT, "%s: line %zu: holds a NUL byte; is this a text file?",
                       r->label, r->line);
    bool starts = !r->open;
    if (starts)
        note_start(r, text, length);
    bool whole = (starts && take_plain_row(r, text, length)) ||
                 csv_parse(&r->parser, text, length, csv_cell, csv_row, r) == length;
    if (r->status != ES_OK)
        return r->status;
    if (!whole && csv_error(&r->parser) != CSV_EPARSE)
        return es_cells_no_memory(r);
    if (!whole)
        return es_fail(r->err, ES_EFORMAT,
                       "%s: line %zu: a quote inside a cell: put the cell in quotes and double "
                       "the quotes in it",
                       r->label, r->line);
    return ES_OK;
}

static es_status feed_lines(es_cells *r, const char *text, size_t size) {
    es_status st = ES_OK;
    const es_map bytes = {.size = size};
    es_reading reading = {r->map ? r->map : &bytes, r->run, 0};
    for (size_t at = 0, length = 0; at < size; at += length) {
        if (r->most_rows > 0 && r->row >= r->most_rows)
            return ES_OK;
        r->line++;
        ES_TRY(es_reading_at(&reading, at, r->err));
        length = es_line_length(text + at, size - at);
        ES_TRY(feed_line(r, text + at, length));
    }
    if (csv_fini(&r->parser, csv_cell, csv_row, r) != 0) {
        if (csv_error(&r->parser) != CSV_EPARSE)
            return es_cells_no_memory(r);
        return es_fail(r->err, ES_EFORMAT,
                       "%s: line %zu: a quote in the row that starts here is never closed",
                       r->label, r->start);
    }
    st = r->status;
done:
    return st;
}

/* Tab where the path ends in .tsv, else a comma. */
static char cells_delimiter(const char *path) {
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".tsv") == 0 ? '\t' : ',';
}

/* "0,85": one comma, no point. */
static bool decimal_comma(const char *text, size_t length, double *out) {
    char copy[64];
    const char *comma = memchr(text, ',', length);
    if (!comma || length >= sizeof copy || memchr(text, '.', length))
        return false;
    memcpy(copy, text, length);
    copy[comma - text] = '.';
    return es_text_parse_double(copy, length, out);
}

bool es_cells_number(char delimiter, const char *text, size_t length, double *out) {
    return es_text_parse_double(text, length, out) ||
           (delimiter != ',' && decimal_comma(text, length, out));
}

static const char *skip_blanks(char mark, const char *text, const char *end) {
    while (text < end && *text != mark && (*text == ' ' || *text == '\t'))
        text++;
    return text;
}

/* The end of the quoted cell at `text`, blanks and all; `end` without a closing quote. */
static const char *skip_quoted(char mark, const char *text, const char *end) {
    for (text++; text < end; text++)
        if (*text == '"' && (++text == end || *text != '"'))
            return skip_blanks(mark, text, end);
    return end;
}

/* Commas that a line with semicolons or tabs has outside quotes are those of numbers. */
static bool parts_at(char mark, const char *line, size_t length) {
    const char *at = line, *end = line + length;
    for (size_t cells = 1;; cells++, at++) {
        const char *start = at;
        double value;
        at = skip_blanks(mark, at, end);
        if (at < end && *at == '"') {
            at = skip_quoted(mark, at, end);
            if (at < end && *at != mark)
                return false;
        } else {
            while (at < end && *at != mark)
                at++;
            size_t size = (size_t)(at - start);
            if (memchr(start, '"', size) ||
                (memchr(start, ',', size) && !decimal_comma(start, size, &value)))
                return false;
        }
        if (at == end)
            return cells > 1;
    }
}

char es_cells_delimiter_of(const char *path, const void *data, size_t size) {
    enum { LINE_MOST = 1 << 20 };
    const char *text = data;
    char by_name = cells_delimiter(path);
    if (by_name != ',' || size == 0)
        return by_name;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    while (size > 0 && (es_ascii_is_blank(*text) || *text == '#')) {
        size_t comment = *text == '#' ? es_line_length(text, size) : 1;
        if (comment == size)
            break;
        text += comment;
        size -= comment;
    }
    size_t length = es_line_length(text, size < LINE_MOST ? size : LINE_MOST);
    while (length > 0 && es_ascii_is_blank(text[length - 1]))
        length--;
    if (length == 0)
        return ',';
    return parts_at(';', text, length) ? ';' : parts_at('\t', text, length) ? '\t' : ',';
}

/* What stands in one line, quotes counted. */
typedef struct outline {
    size_t cells;
    bool number;           /* one of them is a number */
    double first;          /* the first, NaN where it is none */
    bool last_empty, open; /* a quote is not closed */
} outline;

static outline outline_of(const char *line, size_t length, char delimiter) {
    outline out = {0};
    const char *at = line, *end = line + length;
    double value;
    while (end > line && (end[-1] == '\n' || end[-1] == '\r'))
        end--;
    for (bool more = true; more; at++, out.cells++) {
        while (at < end && *at != delimiter && es_ascii_is_blank(*at))
            at++;
        const char *start = at;
        if (at < end && *at == '"') {
            do { /* a quote that is doubled begins again at once */
                const char *quote = memchr(at + 1, '"', (size_t)(end - at) - 1);
                out.open = quote == NULL;
                at = quote ? quote + 1 : end;
            } while (at < end && *at == '"');
        }
        while (at < end && *at != delimiter)
            at++;
        bool number = es_cells_number(delimiter, start, (size_t)(at - start), &value);
        out.number = out.number || number;
        if (out.cells == 0)
            out.first = number ? value : (double)NAN;
        out.last_empty = at == start;
        more = at < end;
    }
    return out;
}

size_t es_cells_comments(const char *text, size_t size, char delimiter) {
    size_t at = 0, last = 0, length = 0;
    for (; at < size && text[at] == '#'; at += length) {
        last = at;
        length = es_line_length(text + at, size - at);
    }
    if (at == 0 || at == size)
        return 0;
    size_t heads = outline_of(text + last, at - last, delimiter).cells;
    size_t cells = outline_of(text + at, es_line_length(text + at, size - at), delimiter).cells;
    return heads == cells && cells > 1 ? last : at;
}

/* A heading less than the lines below have cells: R's write.table names no column of row names. */
static bool has_short_header(const char *text, size_t size, char delimiter) {
    enum { LINES = 3 };
    outline line[LINES] = {{0}};
    size_t count = 0;
    for (size_t at = 0, length; at < size && count < LINES; at += length) {
        length = es_line_length(text + at, size - at);
        line[count++] = outline_of(text + at, length, delimiter);
    }
    const outline *head = &line[0], *row = &line[1], *next = &line[2];
    bool named = count == LINES && (isnan(row->first) || (row->first == 1.0 && next->first == 2.0));
    return named && !head->number && head->cells > 1 && !row->last_empty && !head->open &&
           !row->open && row->cells == head->cells + 1 && next->cells == row->cells;
}

/* Refuse what is no text, then parse. */
es_status es_cells_read(es_cells *r, const void *data, size_t size, const char *path) {
    es_map map = {.data = data, .size = size};
    es_format format = es_format_of(&map);
    const char *text = data;
    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return es_fail(r->err, ES_EUNSUPPORTED, "%s: is UTF-16 text; save it as UTF-8", r->label);
    if (format != ES_FILE_TEXT && format != ES_FILE_UNKNOWN)
        return es_format_refuse(format, path, "a csv file", r->err);
    size_t bom = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    if (csv_init(&r->parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return es_cells_no_memory(r);
    csv_set_realloc_func(&r->parser, reallocate);
    csv_set_free_func(&r->parser, es_free);
    r->delimiter = r->delimiter ? r->delimiter : cells_delimiter(path);
    csv_set_delim(&r->parser, (unsigned char)r->delimiter);
    size_t start = bom + es_cells_comments(text + bom, size - bom, r->delimiter);
    for (size_t at = bom; at < start; at += es_line_length(text + at, size - at))
        r->line++;
    r->lead = r->may_lead && has_short_header(text + start, size - start, r->delimiter);
    es_status st = feed_lines(r, text + start, size - start);
    csv_free(&r->parser);
    if (st == ES_OK && r->row == 0)
        st = es_fail(r->err, ES_EFORMAT, "%s: holds no rows", r->label);
    return st;
}

bool es_cells_in_range(double value) {
    double size = fabs(value);
    return size <= ES_VALUE_MOST && (size >= 1 / ES_VALUE_MOST || !(size > 0));
}

es_status es_cells_not_a_number(const char *label, size_t line, size_t column, const char *text,
                                size_t length, es_error *err) {
    char shown[48];
    es_text_clean_into(shown, sizeof shown, text, length);
    return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: '%s' is not a number%s", label, line,
                   column + 1, shown,
                   es_cells_says_missing(text, length) ? "; leave the cell empty" : "");
}

bool es_cells_says_missing(const char *text, size_t length) {
    static const char *const words[] = {"na",           "n/a",  "<na>",         "#n/a", "nan",
                                        "null",         "none", "missing",      "-",    "--",
                                        "---",          "n.a.", "\xe2\x80\x93", /* – */
                                        "\xe2\x80\x94",                         /* — */
                                        "\xe2\x88\x92" /* − */};
    char lower[8];
    if (length == 0 || length >= sizeof lower)
        return false;
    for (size_t i = 0; i < length; i++)
        lower[i] = es_ascii_lower(text[i]);
    lower[length] = '\0';
    return es_text_index(words, sizeof words / sizeof *words, lower) != SIZE_MAX;
}

bool es_cells_trailing_number(const char *text, size_t length, double *out) {
    size_t from = length;
    while (from > 0 && text[from - 1] >= '0' && text[from - 1] <= '9' && length - from < 9)
        from--;
    return from < length && es_text_parse_double(text + from, length - from, out);
}

bool es_cells_are_bits(const char *text, size_t length) {
    enum { LEAST = 16, SURE = 24 }; /* digits, beginning with 0, and in any case */
    if (length < LEAST || (length < SURE && text[0] != '0'))
        return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] != '0' && text[i] != '1')
            return false;
    return true;
}

es_status es_cells_refuse_bits(const char *label, size_t line, size_t length, es_error *err) {
    return es_fail(
        err, ES_EUNSUPPORTED,
        "%s: line %zu: a text of %zu bits where a number is expected; write a matrix of "
        "0 and 1: np.save(\"NAME.npy\", np.array([list(b) for b in bits], dtype=\"uint8\"))",
        label, line, length);
}

bool es_cells_is_empty(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t')
            return false;
    return true;
}

/* Row numbers and ids in cells. Whether whole numbers are ids is the heading's to say; ids that no
 * row has are then an error, and never taken for row numbers. Words are ids under any heading. */

enum { CELL_SHOWN = 40 };

void es_row_cells_deinit(es_row_cells *cells) {
    es_row_index_free(cells->index);
    es_row_ids_deinit(&cells->ids);
    *cells = (es_row_cells){0};
}

bool es_row_cell_is_whole(const char *text) {
    return *text && text[strspn(text, "0123456789")] == '\0';
}

es_status es_row_cells_number(const es_table *t, size_t line, size_t column, size_t n,
                              uint32_t *out, es_error *err) {
    char shown[CELL_SHOWN];
    const char *text = es_table_cell(t, line, column);
    es_text_clean_into(shown, sizeof shown, text, strlen(text));
    if (!es_row_cell_is_whole(text))
        return es_fail(
            err, ES_EFORMAT,
            "%s: line %zu, column %zu: '%s' is not a row number; rows are counted from 0", t->label,
            t->line[line], column + 1, shown);
    unsigned long long value = strlen(text) > 12 ? n : strtoull(text, NULL, 10);
    if (value >= n)
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu, column %zu: row %s, but rows go from 0 to %zu; correct or "
                       "remove the line",
                       t->label, t->line[line], column + 1, shown, n - 1);
    *out = (uint32_t)value;
    return ES_OK;
}

static bool are_whole(const es_table *t, const size_t *column, size_t count) {
    for (size_t r = 1; r < t->rows; r++)
        for (size_t k = 0; k < count; k++)
            if (!es_row_cell_is_whole(es_table_cell(t, r, column[k])))
                return false;
    return true;
}

/* Is at least one cell an id, or, under a heading of ids, one no number? Then all have to be. */
static bool are_ids(const es_row_cells *c, const size_t *column, size_t count, bool headed,
                    bool *moved) {
    bool found = false, whole = true, doubled = false;
    *moved = false;
    for (size_t r = 1; r < c->table->rows; r++)
        for (size_t k = 0; k < count; k++) {
            const char *text = es_table_cell(c->table, r, column[k]);
            uint32_t row = es_row_index_find(c->index, text, strlen(text), &doubled);
            bool number = es_row_cell_is_whole(text);
            found = found || row != ES_ROW_NONE || doubled;
            whole = whole && number;
            *moved = *moved || !number || strtoull(text, NULL, 10) != row;
        }
    return found || (headed && !whole);
}

es_status es_row_cells_open(const es_table *table, const size_t *column, size_t count, size_t n,
                            const es_row_naming *naming, es_row_cells *out, es_error *err) {
    bool headed = false;
    es_status st = ES_OK;
    *out = (es_row_cells){.table = table, .n = n};
    for (size_t k = 0; k < count; k++)
        headed = headed || es_heads_ids(es_table_cell(table, 0, column[k]));
    if (naming && (headed || !are_whole(table, column, count)))
        ES_TRY(naming->ids(naming->context, &out->ids, err));
    if (out->ids.n != n || n == 0)
        goto done;
    ES_TRY(es_row_index_new(&out->ids, &out->index, err));
    if (!are_ids(out, column, count, headed, &out->moved)) {
        es_row_index_free(out->index);
        out->index = NULL;
        out->moved = false;
    }
done:
    if (st != ES_OK)
        es_row_cells_deinit(out);
    return st;
}

es_status es_row_cells_row(const es_row_cells *c, size_t line, size_t column, uint32_t *out,
                           es_error *err) {
    char shown[CELL_SHOWN];
    const es_table *t = c->table;
    const char *text = es_table_cell(t, line, column);
    bool doubled = false;
    if (!c->index)
        return es_row_cells_number(t, line, column, c->n, out, err);
    uint32_t row = es_row_index_find(c->index, text, strlen(text), &doubled);
    if (row == ES_ROW_NONE) {
        es_text_clean_into(shown, sizeof shown, text, strlen(text));
        return es_fail(err, ES_EFORMAT,
                       doubled ? "%s: line %zu, column %zu: more than one row has the id '%s', and "
                                 "which is meant cannot be known; remove the line"
                               : "%s: line %zu, column %zu: no row has the id '%s'; correct or "
                                 "remove the line, or head the column 'row' if it counts rows "
                                 "from 0",
                       t->label, t->line[line], column + 1, shown);
    }
    *out = row;
    return ES_OK;
}
