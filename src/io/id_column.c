/* Names over columns that say which row a line is, and columns that count the rows. */
#include "io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 32 }; /* characters of a header that is looked at */

/* In lower case and without blanks around it; false: it is too long to be any of ours. */
static bool lower_name(const char *header, size_t length, char out[NAME_MOST]) {
    while (length > 0 && es_ascii_is_blank(header[length - 1]))
        length--;
    while (length > 0 && es_ascii_is_blank(*header)) {
        header++;
        length--;
    }
    if (length > 1 && *header == '#') { /* of a heading in a comment */
        for (header++, length--; length > 0 && es_ascii_is_blank(*header); length--)
            header++;
    }
    if (length >= NAME_MOST)
        return false;
    for (size_t i = 0; i < length; i++)
        out[i] = es_ascii_lower(header[i]);
    out[length] = '\0';
    return true;
}

/* "sample_id", "doc-id", "row.ids" */
static bool ends_in_id(const char *name) {
    static const char *const endings[] = {"id", "ids"};
    size_t length = strlen(name);
    for (size_t i = 0; i < 2; i++) {
        size_t tail = strlen(endings[i]);
        if (length > tail && strcmp(name + length - tail, endings[i]) == 0 &&
            strchr("_-. ", name[length - tail - 1]))
            return true;
    }
    return false;
}

static bool is_id(const char *name) {
    static const char *const names[] = {"id", "ids", "docid", "rowid", "uid", "uuid", "guid"};
    return es_text_index(names, sizeof names / sizeof *names, name) != SIZE_MAX || ends_in_id(name);
}

/* As pandas calls a column without a name that was read back. */
static bool is_unnamed(const char *name) {
    static const char start[] = "unnamed: ";
    return strncmp(name, start, sizeof start - 1) == 0;
}

/* "PassengerId", "rowID" */
static bool ends_in_capital_id(const char *header, size_t length) {
    while (length > 0 && es_ascii_is_blank(header[length - 1]))
        length--;
    if (length < 3 || header[length - 2] != 'I' ||
        (header[length - 1] != 'd' && header[length - 1] != 'D'))
        return false;
    char before = header[length - 3];
    return before >= 'a' && before <= 'z';
}

es_column_sort es_column_sort_of(const char *header, size_t length) {
    static const char *const ids[] = {"doc",  "key",  "token",  "word",
                                      "name", "item", "sample", "smiles"};
    static const char *const numbers[] = {"",    "index",      "idx",      "level_0",  "#",
                                          "row", "row_number", "rownames", "row_names"};
    char name[NAME_MOST];
    if (!lower_name(header, length, name))
        return ES_COLUMN_OTHER;
    if (is_id(name) || ends_in_capital_id(header, length) ||
        es_text_index(ids, sizeof ids / sizeof *ids, name) != SIZE_MAX)
        return ES_COLUMN_IDS;
    return is_unnamed(name) ||
                   es_text_index(numbers, sizeof numbers / sizeof *numbers, name) != SIZE_MAX
               ? ES_COLUMN_NUMBERS
               : ES_COLUMN_OTHER;
}

bool es_column_is_label(const char *header, size_t length) {
    static const char *const names[] = {"label",  "labels",  "target",   "targets",
                                        "class",  "classes", "category", "split",
                                        "subset", "fold",    "y_true",   "y"};
    char name[NAME_MOST];
    return lower_name(header, length, name) &&
           es_text_index(names, sizeof names / sizeof *names, name) != SIZE_MAX;
}

bool es_column_is_nameless(const char *header) {
    char name[NAME_MOST];
    return lower_name(header, strlen(header), name) && (!*name || is_unnamed(name));
}

bool es_column_is_id(const char *header) {
    char name[NAME_MOST];
    return lower_name(header, strlen(header), name) && is_id(name);
}

/* One that spreads (Steele et al., "Fast splittable pseudorandom number generators", 2014). */
static uint64_t hash_of(uint64_t number) {
    number += 0x9e3779b97f4a7c15U;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9U;
    number = (number ^ (number >> 27)) * 0x94d049bb133111ebU;
    return number ^ (number >> 31);
}

void es_row_counting_add(es_row_counting *counting, const char *text, size_t length) {
    enum { WHOLE_BITS = 53 }; /* from where doubles are not all whole numbers */
    double value = -1;
    if (counting->broken && counting->other)
        return;
    bool number = es_text_parse_double(text, length, &value);
    if (counting->n == 0)
        counting->from = value == 1.0;
    counting->broken =
        counting->broken || !number || value != (double)(counting->from + counting->n);
    counting->other = counting->other || !number || !(value >= 0) || value != floor(value) ||
                      value >= ldexp(1, WHOLE_BITS);
    if (!counting->other)
        counting->sum += hash_of((uint64_t)value);
    counting->n++;
}

es_status es_column_ids_add(es_column_ids *column, const char *text, size_t length,
                            const char *next, size_t next_length, es_error *err) {
    if (column->first.other)
        return ES_OK;
    es_row_counting_add(&column->first, text, length);
    es_row_counting_add(&column->next, next, next_length);
    if (!column->first.other)
        return es_row_ids_push(&column->ids, text, length, err);
    es_row_ids_deinit(&column->ids);
    return ES_OK;
}

es_status es_column_ids_settle(const es_column_ids *column, bool *out, es_error *err) {
    const es_row_counting *a = &column->first, *b = &column->next;
    *out =
        !a->other && a->broken && a->n >= ES_COLUMN_COUNTS_SURE && (b->other || a->sum != b->sum);
    return *out ? es_row_ids_apart(&column->ids, out, err) : ES_OK;
}

void es_column_ids_deinit(es_column_ids *column) {
    es_row_ids_deinit(&column->ids);
}

bool es_row_counting_holds(const es_row_counting *counting) {
    return counting->n > 0 && !counting->broken;
}

bool es_row_ids_counts(const es_row_ids *ids, size_t *from) {
    es_row_counting counting = {0};
    for (size_t i = 0; i < ids->n && !counting.broken; i++) {
        size_t length;
        const char *id = es_row_ids_get(ids, i, &length);
        es_row_counting_add(&counting, id, length);
    }
    *from = counting.from;
    return es_row_counting_holds(&counting);
}

bool es_column_counts(const es_table *table, size_t first, size_t column) {
    es_row_counting counting = {0};
    for (size_t r = first; r < table->rows && !counting.broken; r++) {
        const char *cell = es_table_cell(table, r, column);
        es_row_counting_add(&counting, cell, strlen(cell));
    }
    return es_row_counting_holds(&counting);
}

es_status es_row_ids_count(size_t from, size_t n, es_row_ids *out, es_error *err) {
    es_row_ids ids = {0};
    es_status st = ES_OK;
    char text[32];
    for (size_t i = 0; i < n && st == ES_OK; i++) {
        int length = snprintf(text, sizeof text, "%zu", from + i);
        st = es_row_ids_push(&ids, text, (size_t)length, err);
    }
    if (st != ES_OK) {
        es_row_ids_deinit(&ids);
        return st;
    }
    ids.counted = true;
    *out = ids;
    return ES_OK;
}

es_status es_column_differs(const es_table *table, size_t first, size_t column, bool *out,
                            es_error *err) {
    es_row_ids ids = {0};
    es_status st = ES_OK;
    for (size_t r = first; r < table->rows && st == ES_OK; r++) {
        const char *cell = es_table_cell(table, r, column);
        st = es_row_ids_push(&ids, cell, strlen(cell), err);
    }
    if (st == ES_OK)
        st = es_row_ids_apart(&ids, out, err);
    es_row_ids_deinit(&ids);
    return st;
}

size_t es_column_of_ids(const es_table *table) {
    size_t first = SIZE_MAX;
    for (size_t j = 0; j < table->columns; j++) {
        const char *header = es_table_cell(table, 0, j);
        if (es_column_sort_of(header, strlen(header)) != ES_COLUMN_IDS)
            continue;
        if (!es_column_counts(table, 1, j))
            return j;
        first = first == SIZE_MAX ? j : first;
    }
    return first;
}
