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

/** The index that pandas writes: no name, or "Unnamed: 0" where it was read back. */
bool es_column_is_nameless(const char *header);

/** Do cells count the rows, from 0 or from 1, in order or in another? All zero bytes: none was
 * seen.
 */
typedef struct es_row_counting {
    size_t n, from;
    bool broken; /* not in order */
    bool other;  /* one is no whole number */
    bool zero;
    double most;
    uint64_t sum; /* of their hashes */
} es_row_counting;
#define ES_ROW_COUNTING_OFF                                                                        \
    { .broken = true, .other = true }
void es_row_counting_add(es_row_counting *counting, const char *text, size_t length);
bool es_row_counting_holds(const es_row_counting *counting); /* and there was one */
/** Each of 0 to n - 1, or of 1 to n, stands there once, in whatever order. O(n). */
bool es_row_counting_numbers(const es_row_counting *counting);
/** The same of rows [first, rows) of a table. */
bool es_column_counts(const es_table *table, size_t first, size_t column);

/** Rows from which on nobody's values count them by chance, and what is said of a column that does.
 */
enum { ES_COLUMN_COUNTS_SURE = 20 };
#define ES_COLUMN_COUNTS                                                                           \
    "its first column counts the rows and is left out as an index; save it as .npy if it is a "    \
    "column of values"

#define ES_COLUMN_NUMBERS_ROWS                                                                     \
    "its first column is taken as values, though it numbers the rows in another order; where it "  \
    "says which row is which, save it as csv under the heading \"id\""

/** (n) row numbers in order as ids, marked as such (es_row_ids.counted). ES_ENOMEM. */
es_status es_row_ids_count(size_t from, size_t n, es_row_ids *out, es_error *err);

/** No two rows of a column, from row `first` on, hold the same. ES_ENOMEM. */
es_status es_column_differs(const es_table *table, size_t first, size_t column, bool *out,
                            es_error *err);

/** The first column that row 0 of a table names as ids, one that does more than count the rows if
 *  there is one; SIZE_MAX: there is none. */
size_t es_column_of_ids(const es_table *table);

#endif
