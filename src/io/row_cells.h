/* Cells that say which row of a pool a line is about: its number from 0 or its id. */
#ifndef EMBEDSCOPE_ROW_CELLS_H
#define EMBEDSCOPE_ROW_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "row_ids.h"
#include "table.h"
#include "embedscope/status.h"

/** Where ids of rows are had from; asked only where a column is headed as one of ids. */
typedef struct es_row_naming {
    /** An id a row, in the order of the rows; none: the rows have no ids. */
    es_status (*ids)(void *context, es_row_ids *out, es_error *err);
    void *context;
} es_row_naming;

typedef struct es_row_cells {
    const es_table *table;
    size_t n; /* rows */
    es_row_ids ids;
    es_row_index *index; /* NULL: cells are row numbers */
    bool moved;          /* not every id is the number of its row */
} es_row_cells;

/** Cells of the columns (count) are ids where the rows have ids and one of the columns is headed
 * so, unless no cell is one of them and all are whole numbers; under any heading where not all are
 *  whole numbers and one is such an id. naming NULL: the rows have none. Borrows the
 *  table; *out must stay where it is. */
es_status es_row_cells_open(const es_table *table, const size_t *column, size_t count, size_t n,
                            const es_row_naming *naming, es_row_cells *out, es_error *err);
void es_row_cells_deinit(es_row_cells *cells); /* all zero bytes is allowed */

/** The row that a cell means. ES_EFORMAT, naming line and column: a number that is none below n; an
 *  id that no row has, or more than one. */
es_status es_row_cells_row(const es_row_cells *cells, size_t line, size_t column, uint32_t *out,
                           es_error *err);
/** Digits alone. */
bool es_row_cell_is_whole(const char *text);
/** A cell as a whole number below n. ES_EFORMAT. */
es_status es_row_cells_number(const es_table *table, size_t line, size_t column, size_t n,
                              uint32_t *out, es_error *err);

#endif
