/* Columns of tables that say which row a line is: by their headers, and by what stands in them. */
#ifndef ES_IO_ID_COLUMN_H
#define ES_IO_ID_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "row_ids.h"
#include "table.h"
#include "embedscope/status.h"

typedef enum es_column_sort {
    ES_COLUMN_OTHER,  /* anything else */
    ES_COLUMN_IDS,    /* named as ids are: "id", "doc_id", "sample-id", "smiles", ... */
    ES_COLUMN_NUMBERS /* as the row numbers of a table: no name, "index", "Unnamed: 0", "row", ...
                       */
} es_column_sort;

/** By a header, whatever its case; of "PassengerId" its capital counts. */
es_column_sort es_column_sort_of(const char *header, size_t length);
/** The narrower names, "id" and those that end in it, which head no column of texts. */
bool es_column_is_id(const char *header);

/** Heads labels of rows: "label", "target", "class", "split", ..., whatever the case. "y" is left
 * to the caller: beside "x" it is a coordinate. */
bool es_column_is_label(const char *header, size_t length);

/** The index that pandas writes: no name, or "Unnamed: 0" where it was read back. */
bool es_column_is_nameless(const char *header);

/** Do cells count the rows, from 0 or from 1, in order? All zero bytes: none was
 * seen.
 */
typedef struct es_row_counting {
    size_t n, from;
    bool broken;  /* not in order */
    bool other;   /* one is no whole number */
    uint64_t sum; /* of their hashes: equal for the same numbers in any order */
} es_row_counting;
#define ES_ROW_COUNTING_OFF                                                                        \
    { .broken = true, .other = true }
void es_row_counting_add(es_row_counting *counting, const char *text, size_t length);
bool es_row_counting_holds(const es_row_counting *counting); /* and there was one */
/** The same of rows [first, rows) of a table. */
bool es_column_counts(const es_table *table, size_t first, size_t column);

/** Rows from which on nobody's values count them by chance, and what is said of a column that does.
 */
enum { ES_COLUMN_COUNTS_SURE = 20 };
#define ES_COLUMN_COUNTS                                                                           \
    "its first column counts the rows and is left out as an index; save it as .npy if it is a "    \
    "column of values"

/** A first column of values that may be ids: whole numbers that tell all rows apart. All zero
 * bytes: nothing was seen yet. */
typedef struct es_column_ids {
    es_row_ids ids;              /* of the rows so far; none once one is not a whole number */
    es_row_counting first, next; /* the cells of the column, and of the next one */
} es_column_ids;
/** Adds a row: the cell of the first column, and the cell behind it. ES_ENOMEM. */
es_status es_column_ids_add(es_column_ids *column, const char *text, size_t length,
                            const char *next, size_t next_length, es_error *err);
/** Reports whether a whole column, of at least ES_COLUMN_COUNTS_SURE rows, may be one of ids: no
 *  number occurs twice, they do not count the rows in order, and the next column does not hold the
 *  same numbers, as in a matrix of ranks. O(n); ES_ENOMEM. */
es_status es_column_ids_settle(const es_column_ids *column, bool *out, es_error *err);
void es_column_ids_deinit(es_column_ids *column);

/** (n) row numbers in order as ids, marked as such (es_row_ids.counted). ES_ENOMEM. */
es_status es_row_ids_count(size_t from, size_t n, es_row_ids *out, es_error *err);

/** No two rows of a column, from row `first` on, hold the same. ES_ENOMEM. */
es_status es_column_differs(const es_table *table, size_t first, size_t column, bool *out,
                            es_error *err);

/** The first column that row 0 of a table names as ids, one that does more than count the rows if
 *  there is one; SIZE_MAX: there is none. */
size_t es_column_of_ids(const es_table *table);

#endif
