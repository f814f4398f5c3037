/* Who the rows of a matrix are: an id a row, from NAME.ids.txt or NAME.ids.csv beside the matrix,
 * or from within its file. Rows of two matrices with the same id are the same row, wherever they
 * stand.
 *
 *     es_row_ids ids = {0};
 *     ES_TRY(es_row_ids_push(&ids, "doc-17", 6, err)); ...
 *
 *     ES_TRY(es_row_index_new(&reference, &index, err));
 *     ES_TRY(es_row_index_match(index, &ids, &match, err));
 *     row = match.row[7];   the row of `ids` that is row 7 of the reference
 */
#ifndef EMBEDSCOPE_ROW_IDS_H
#define EMBEDSCOPE_ROW_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "digest.h"
#include "embedscope/status.h"

/** Endings of files of ids; the stem is the embedder's. */
#define ES_ROW_IDS_TEXT ".ids.txt"
#define ES_ROW_IDS_CSV ".ids.csv"

/** An id a row, in the order of the rows: raw bytes in Unicode's form C, not cleaned for showing.
 * All zero bytes: none yet. */
typedef struct es_row_ids {
    size_t n;
    size_t *offset;  /* (n + 1) where each starts in text, and the end of the last */
    es_buf text;     /* each followed by a NUL */
    size_t capacity; /* of offset */
    bool counted;    /* row numbers in order, which a table is written with: they say who the rows
                        are only where others have such numbers, too */
} es_row_ids;

/** One more row. An id may hold any bytes; an empty one says nothing and is matched with none.
 *  ES_ENOMEM; ES_EINVAL beyond ES_ARRAY_MOST rows. */
es_status es_row_ids_push(es_row_ids *ids, const char *id, size_t length, es_error *err);
void es_row_ids_deinit(es_row_ids *ids); /* all zero bytes is allowed */
/** For lists that are passed on by pointer: deinit and es_free; NULL is allowed. */
void es_row_ids_free(es_row_ids *ids);

/** The id of row < n, borrowed, with a NUL behind it; length may be NULL. */
const char *es_row_ids_get(const es_row_ids *ids, size_t row, size_t *length);
/** Where all are numbers, and whole: 7.0 and 7e0 become 7, as they are written where no row lacks
 *  one. ES_ENOMEM. */
es_status es_row_ids_make_whole(es_row_ids *ids, es_error *err);
/** Equal for equal ids in equal order. ES_ENOMEM. */
es_status es_row_ids_digest(const es_row_ids *ids, es_digest *out, es_error *err);

/** Read a file by its name's ending: of .csv and .tsv the column "id", or the first that is named
 * as ids are (id_column.h), or the first, unless that only counts the rows and there is just one
 * other; of any other an id a line, except a first line more than there are rows that heads ids.
 * Blanks around an id are dropped. `expected`: rows of the matrix; a csv file of one row more
 * begins with a header, as does one whose first line has a cell "id". ES_EFORMAT, naming the line:
 * an empty id, no ids; es_table_read's errors; ES_EUNSUPPORTED: UTF-16. That there are as many as
 * rows is left to the caller. */
es_status es_row_ids_read(const char *path, unsigned flags, size_t expected, es_row_ids *out,
                          es_error *err);
/** From a document inside another: a JSON array of texts and whole numbers, or an id a line. `path`
 *  is for messages. ES_EFORMAT: an item of another type. */
es_status es_row_ids_parse(const char *text, size_t length, const char *path, es_row_ids *out,
                           es_error *err);

#define ES_ROW_NONE UINT32_MAX

/** Finds rows of a reference list by their ids, in constant time. Borrows the list. */
typedef struct es_row_index es_row_index;
es_status es_row_index_new(const es_row_ids *reference, es_row_index **out, es_error *err);
void es_row_index_free(es_row_index *index); /* NULL is allowed */

/** The row with an id; ES_ROW_NONE: none has it, or more than one, *doubled says which. */
uint32_t es_row_index_find(const es_row_index *index, const char *id, size_t length, bool *doubled);

/** How a list stands to the reference. An id that stands twice in either does not say which row is
 * meant, so it is matched with none. */
typedef struct es_row_match {
    uint32_t *row; /* (n of the reference) row of the list; ES_ROW_NONE: it has none */
    size_t n, found;
    size_t strangers, first_stranger;   /* rows of the list that the reference lacks, the first
                                           that has an id; SIZE_MAX: none */
    size_t empty, first_empty;          /* of these, rows without an id */
    size_t missing, first_missing;      /* ids of the reference that it lacks; SIZE_MAX: none */
    size_t doubled;                     /* rows of the list whose id stood before */
    size_t first_doubled, doubled_with; /* the first of them, and where it stood; SIZE_MAX */
} es_row_match;

/** O(n of both). ES_ENOMEM. */
es_status es_row_index_match(const es_row_index *index, const es_row_ids *list, es_row_match *out,
                             es_error *err);
void es_row_match_deinit(es_row_match *match); /* all zero bytes is allowed */
/** Is every row where it is in the reference, and none missing? */
bool es_row_match_is_same(const es_row_match *match);
/** No two rows have the same id. O(n); ES_ENOMEM. */
es_status es_row_ids_apart(const es_row_ids *ids, bool *out, es_error *err);
/** Rows of the reference whose id stands in it before; *first the first of them, or SIZE_MAX. */
size_t es_row_index_doubled(const es_row_index *index, size_t *first);
/** Rows of the reference that have an empty id, likewise. */
size_t es_row_index_empty(const es_row_index *index, size_t *first);

#endif
