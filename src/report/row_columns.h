/* Columns of a table about rows (rows.csv, labels.csv): what kind each is, and which values it has.
 */
#ifndef ES_REPORT_ROW_COLUMNS_H
#define ES_REPORT_ROW_COLUMNS_H

#include <stddef.h>

#include "base.h"
#include "io.h"

typedef enum es_row_column_kind {
    ES_ROW_COLUMN_EMPTY,  /* no row has a value */
    ES_ROW_COLUMN_TEXT,   /* mostly distinct: ids, sentences */
    ES_ROW_COLUMN_NUMBER, /* numbers only, more than ES_ROW_COLUMN_FEW distinct ones */
    ES_ROW_COLUMN_LABEL   /* few values, each of several rows */
} es_row_column_kind;

enum { ES_ROW_COLUMN_FEW = 20 };

/** A value and how many rows have it; the text is borrowed from the table. */
typedef struct es_row_value {
    const char *text;
    size_t count;
} es_row_value;

typedef struct es_row_column {
    es_row_column_kind kind;
    size_t rows, missing; /* with a value; without one: empty or "nan" */
    es_row_value *value;  /* (distinct) most frequent first, then by text */
    size_t distinct;
    double least, median, most; /* of numbers, else NaN */
} es_row_column;

const char *es_row_column_kind_name(es_row_column_kind kind);

/** Describes a column of a table, from row `first` on. ES_ENOMEM. O(n log n) in the rows. */
es_status es_row_column_new(const es_table *table, size_t first, size_t column, es_row_column *out,
                            es_error *err);
void es_row_column_deinit(es_row_column *column); /* all zero bytes is allowed */

/** Appends the most frequent values with counts, "a 240, b 160 and 3 more", or of numbers "0.1 to
 *  9.5, median 2". */
void es_row_column_put(const es_row_column *column, size_t most, es_buf *out);

#endif
