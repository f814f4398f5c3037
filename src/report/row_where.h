/* Rows that have a value in a column of rows.csv or labels.csv. */
#ifndef ES_REPORT_ROW_WHERE_H
#define ES_REPORT_ROW_WHERE_H

#include <stdbool.h>

#include "engine_pool.h"

/** Marks the rows (of the row set) that `text` describes: COLUMN=VALUE, or FILE:COLUMN=VALUE if
 * both files have the column. Numbers match whatever their spelling. *out: a new array, es_free.
 *  ES_EINVAL: no '='; ES_ENOTFOUND: no such column; ES_EEMPTY: no row has the value. O(rows). */
es_status es_row_where_new(es_pool *pool, const char *text, bool **out, es_error *err);

#endif
