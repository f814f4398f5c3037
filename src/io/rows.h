/* rows.csv: what the rows of the matrices stand for. First column an id, second the text, then
 * whatever there is; one line a row of the pool. Where the header says of another column that it is
 * the id, and the first is none, that one is. */
#ifndef EMBEDSCOPE_ROWS_H
#define EMBEDSCOPE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/status.h"
#include "table.h"

typedef struct es_row_texts {
    size_t count;   /* rows; the caller compares it with the pool's */
    size_t columns; /* at least 1 */
    bool has_header;
    size_t id; /* columns */
    size_t text;
    es_table table;
} es_row_texts;

/** Read a file. The first line is a header, unless the file has exactly `expected` lines without it
 *  (0: not known). ES_EFORMAT when there is a header only; es_table_read's errors. */
es_status es_row_texts_read(const char *path, unsigned flags, size_t expected, es_row_texts *out,
                            es_error *err);
void es_row_texts_deinit(es_row_texts *texts); /* all zero bytes is allowed */

/** Take the ids from this column: where it is known by whom they are matched. False: there is none.
 */
bool es_row_texts_take_id(es_row_texts *texts, size_t column);
/** Is a column a text of its row: neither the id nor a number of the row beside it? */
bool es_row_texts_is_text(const es_row_texts *texts, size_t column);

/** Raw text, borrowed: clean it (es_text_clean) before it is shown. row < count. */
const char *es_row_texts_id(const es_row_texts *texts, size_t row);
const char *es_row_texts_text(const es_row_texts *texts,
                              size_t row); /* the id, if there is no more */
const char *es_row_texts_cell(const es_row_texts *texts, size_t row, size_t column);
const char *es_row_texts_name(const es_row_texts *texts, size_t column); /* NULL without a header */

#endif
