/* Row numbers and ids in cells. Whether whole numbers are ids is the heading's to say; ids that no
 * row has are then an error, and never taken for row numbers. Words are ids under any heading. */

#include <stdlib.h>
#include <string.h>

#include "io_parts.h"

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
                       "%s: line %zu, column %zu: row %s, but rows go from 0 to %zu: correct or "
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
                                 "which is meant cannot be known: remove the line"
                               : "%s: line %zu, column %zu: no row has the id '%s': correct or "
                                 "remove the line, or head the column 'row' if it counts rows "
                                 "from 0",
                       t->label, t->line[line], column + 1, shown);
    }
    *out = row;
    return ES_OK;
}
