/* Recognises the columns of labels and their spellings. */
#ifndef ES_IO_PARTS_H
#define ES_IO_PARTS_H

#include "io.h"

/* Which column of labels.csv, pairs.csv and qrels.csv holds what. A header that names its columns
 * is taken at its word, in whatever order they stand; names that say nothing go by their place. The
 * index that pandas writes in front, a column without a name, is no data. */

/** Columns from 0; SIZE_MAX: there is none. */
typedef struct es_label_columns {
    size_t row, index; /* all others are tasks */
} es_label_columns;

typedef struct es_pair_columns {
    size_t a, b, score, set;
} es_pair_columns;

typedef struct es_judgement_columns {
    size_t query, doc, relevance, frequency;
} es_judgement_columns;

void es_label_columns_find(const es_table *t, es_label_columns *out);
/** Rows are two columns that are headed alike (row,row; row_i,row_j; a,b; id1,id2), else the first
 *  two that are neither "score" nor "set". ES_EFORMAT, naming the line: fewer than two, or a column
 *  more. */
es_status es_pair_columns_find(const es_table *t, es_pair_columns *out, es_error *err);
/** "query" and "doc" by name where both are there, as "rel" and "freq" by theirs; "iter" of TREC is
 *  skipped. ES_EFORMAT as above. */
es_status es_judgement_columns_find(const es_table *t, es_judgement_columns *out, es_error *err);

/** Does a heading stand above ids, not above row numbers: "id", "doc_id", "id1"? */
bool es_heads_ids(const char *heading);

/* One number spelled in several ways in a column of labels.csv: "1", "1.0", "+1" and "01" are one
 * class. */

/** text (rows of the table), a column's cells, all numbers or empty: equal ones get one spelling,
 *  the shortest there is. Whole numbers beyond 2^53 are not told from others and keep theirs.
 *  *respelled: numbers with several spellings; two of the least one go to `one` and `other`,
 *  borrowed. */
es_status es_label_spellings_unite(const es_table *t, const char **text, size_t *respelled,
                                   const char **one, const char **other, es_error *err);

#endif
