/* Ids of rows from files of their own, and from documents inside others. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io.h"

/* Without the blanks around it. */
static const char *trim(const char *text, size_t *length) {
    while (*length > 0 && es_ascii_is_blank(text[*length - 1]))
        --*length;
    while (*length > 0 && es_ascii_is_blank(*text)) {
        text++;
        --*length;
    }
    return text;
}

static es_status empty_id(const char *label, size_t line, es_error *err) {
    return es_fail(err, ES_EFORMAT, "%s: line %zu: the id is empty", label, line);
}

static es_status parse_lines(const char *text, size_t size, const char *label, es_row_ids *ids,
                             es_error *err) {
    size_t blank =
        0; /* the first of the empty lines before this one; at the end they say nothing */
    es_status st = ES_OK;
    size_t at = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (size_t line = 1; at < size && st == ES_OK; line++) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t all = end ? (size_t)(end - text) - at : size - at, length = all;
        const char *id = trim(text + at, &length);
        at += all + 1;
        if (length == 0) {
            blank = blank ? blank : line;
            continue;
        }
        st = blank ? empty_id(label, blank, err) : es_row_ids_push(ids, id, length, err);
    }
    if (st == ES_OK && ids->n == 0)
        st = es_fail(err, ES_EFORMAT, "%s: holds no ids", label);
    return st;
}

/* One line more than the matrix has rows, and a word over ids or over numbers: a heading. */
static es_status drop_heading(es_row_ids *ids, size_t expected, es_error *err) {
    size_t length = 0;
    double value;
    es_row_ids rest = {0};
    if (ids->n < 2 || ids->n != expected + 1)
        return ES_OK;
    const char *first = es_row_ids_get(ids, 0, &length);
    bool heads = length > 0 && es_column_sort_of(first, length) != ES_COLUMN_OTHER;
    bool numbers = !es_text_parse_double(first, length, &value);
    for (size_t i = 1; i < ids->n && numbers && !heads; i++) {
        const char *id = es_row_ids_get(ids, i, &length);
        numbers = es_text_parse_double(id, length, &value);
    }
    es_status st = heads || numbers ? es_row_ids_add_all(&rest, ids, 1, err) : ES_OK;
    if (st != ES_OK || rest.n == 0) {
        es_row_ids_deinit(&rest);
        return st;
    }
    es_row_ids_deinit(ids);
    *ids = rest;
    return ES_OK;
}

static es_status read_lines(const char *path, unsigned flags, size_t expected, es_row_ids *ids,
                            es_error *err) {
    char label[ES_PATH_LABEL], *text = NULL;
    size_t size = 0;
    es_status st = es_file_read(path, flags, ES_TABLE_LIMIT, &text, &size, err);
    es_path_label(label, path);
    if (st == ES_OK && size >= 2 &&
        (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        st = es_fail(err, ES_EUNSUPPORTED, "%s: is UTF-16 text; save it as UTF-8", label);
    if (st == ES_OK)
        st = parse_lines(text, size, label, ids, err);
    if (st == ES_OK)
        st = drop_heading(ids, expected, err);
    es_free(text);
    return st;
}

/* Which column of a table has the ids, and whether there is a header: one of a line more than the
 * matrix has rows, or one that says "id". A first column that only counts the rows, as pandas
 * writes one, says nothing beside a single other one. */
static es_status find_column(const es_table *table, size_t expected, size_t *column, size_t *header,
                             es_error *err) {
    *header = table->rows == expected + 1;
    for (*column = 0; *column < table->columns; ++*column)
        if (strcasecmp(es_table_cell(table, 0, *column), "id") == 0) {
            *header = 1;
            return ES_OK;
        }
    *column = *header ? es_column_of_ids(table) : SIZE_MAX;
    if (*column != SIZE_MAX)
        return ES_OK;
    *column = 0;
    bool differ = false;
    es_status st = ES_OK;
    if (table->columns == 2 && es_column_counts(table, *header, 0))
        st = es_column_differs(table, *header, 1, &differ, err);
    *column = differ;
    return st;
}

static es_status read_column(const char *path, unsigned flags, size_t expected, es_row_ids *ids,
                             es_error *err) {
    es_table table = {0};
    es_status st = es_table_read(path, flags, &table, err);
    size_t column = 0, header = 0;
    if (st == ES_OK)
        st = find_column(&table, expected, &column, &header, err);
    for (size_t r = header; r < table.rows && st == ES_OK; r++) {
        size_t length = strlen(es_table_cell(&table, r, column));
        const char *id = trim(es_table_cell(&table, r, column), &length);
        st = length > 0 ? es_row_ids_push(ids, id, length, err)
                        : empty_id(table.label, table.line[r], err);
    }
    if (st == ES_OK && ids->n == 0)
        st = es_fail(err, ES_EFORMAT, "%s: holds a header but no ids", table.label);
    es_table_deinit(&table);
    return st;
}

es_status es_row_ids_read(const char *path, unsigned flags, size_t expected, es_row_ids *out,
                          es_error *err) {
    es_row_ids ids = {0};
    bool table = es_path_ends(path, ".csv") || es_path_ends(path, ".tsv");
    es_status st = table ? read_column(path, flags, expected, &ids, err)
                         : read_lines(path, flags, expected, &ids, err);
    if (st == ES_OK)
        *out = ids;
    else
        es_row_ids_deinit(&ids);
    return st;
}

/* A whole number as people write it: 17, not 17.0. */
static es_status push_number(const es_json_value *item, es_row_ids *ids, es_error *err) {
    double value = 0;
    char text[32];
    ES_PASS(es_json_as_number(item, &value, err));
    if (value != floor(value) || fabs(value) > 0x1p53)
        return es_json_complain(item, "expected a text or a whole number", err);
    int length = snprintf(text, sizeof text, "%.0f", value);
    return es_row_ids_push(ids, text, (size_t)length, err);
}

static es_status parse_array(const char *text, size_t length, const char *path, es_row_ids *ids,
                             es_error *err) {
    es_json_doc *doc = NULL;
    ES_PASS(es_json_parse(text, length, path, &doc, err));
    es_json_value root = es_json_root(doc);
    es_status st = es_json_expect(&root, ES_JSON_ARRAY, err);
    if (st == ES_OK)
        for (es_json_value item = es_json_first(&root); item.node && st == ES_OK;
             item = es_json_next(&item)) {
            const char *id = NULL;
            if (es_json_type_of(&item) == ES_JSON_NUMBER)
                st = push_number(&item, ids, err);
            else if ((st = es_json_as_text(&item, &id, err)) == ES_OK)
                st = es_row_ids_push(ids, id, strlen(id), err);
        }
    es_json_free(doc);
    return st;
}

es_status es_row_ids_parse(const char *text, size_t length, const char *path, es_row_ids *out,
                           es_error *err) {
    es_row_ids ids = {0};
    char label[ES_PATH_LABEL];
    size_t rest = length;
    const char *start = trim(text, &rest);
    es_status st = rest > 0 && start[0] == '['
                       ? parse_array(start, rest, path, &ids, err)
                       : parse_lines(text, length, es_path_label(label, path), &ids, err);
    if (st == ES_OK)
        *out = ids;
    else
        es_row_ids_deinit(&ids);
    return st;
}
