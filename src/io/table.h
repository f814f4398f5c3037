/* Comma- and tab-separated files, through libcsv: tables of text, and the cells of what we write
 * ourselves (RFC 4180). Arrays of numbers: table_array.h.
 *
 * Quotes are taken strictly: a cell with a quote in it must be in quotes, with the quote doubled. A
 * lenient reader would guess, and swallow rows without a word. Blank lines are skipped, blanks
 * around an unquoted cell are dropped, lines may end in LF, CRLF or CR, a UTF-8 byte-order mark is
 * ignored. Every row must have as many cells as the first; errors name the line. */
#ifndef EMBEDSCOPE_TABLE_H
#define EMBEDSCOPE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "file.h"
#include "run.h"
#include "embedscope/status.h"

#define ES_TABLE_LIMIT ((size_t)1 << 30) /* bytes of a file that is read as text */

typedef struct es_table {
    size_t rows, columns; /* the header, if any, is row 0 */
    char *text;           /* all cells, each with its NUL */
    size_t *cell;         /* (rows, columns) where in text */
    size_t *line;         /* (rows) line of the file where the row starts, from 1 */
    size_t *column;       /* (columns) of the file, from 1; NULL: 1, 2, 3, ... */
    char delimiter;       /* between cells */
    char label[ES_PATH_LABEL];
} es_table;

/** Read a file: tabs between cells when the path ends in .tsv, commas otherwise. ES_EFORMAT: ragged
 *  rows, malformed quotes, a NUL byte, no rows; ES_EUNSUPPORTED: another format under this name;
 *  ES_EINVAL: larger than ES_TABLE_LIMIT. Memory about the file's size plus 9 bytes a cell. */
es_status es_table_read(const char *path, unsigned flags, es_table *out, es_error *err);
/** The same from bytes; `path` is for messages and the delimiter. */
es_status es_table_parse(const void *data, size_t size, const char *path, es_table *out,
                         es_error *err);
/** Read a file with tabs, semicolons or commas between cells: whichever its first line has most of
 *  outside quotes; without any, commas. It may take a while: run, or NULL, is told how far, and
 *  asked. Errors as es_table_read; ES_ECANCELED. */
es_status es_table_read_any(const char *path, unsigned flags, es_run *run, es_table *out,
                            es_error *err);
void es_table_deinit(es_table *table); /* all zero bytes is allowed */

/** Keeps these columns (kept) in this order; columns of the file stay known for messages. */
es_status es_table_keep_columns(es_table *table, const size_t *column, size_t kept, es_error *err);
/** Drops columns without heading and cells, and the index that pandas writes: a first column under
 *  "", "#", "index" or "Unnamed: 0" that counts the lines, if the next column holds text alone. */
es_status es_table_drop_index(es_table *table, es_error *err);
/** Whether a heading is one of those of an index. */
bool es_table_heads_index(const char *heading);
/** Column of the file, from 1. */
size_t es_table_column(const es_table *table, size_t column);

/** Raw text of a cell, borrowed from the table; not cleaned for showing. */
const char *es_table_cell(const es_table *table, size_t row, size_t column);
/** A cell as a number: empty or "nan" gives NaN, "0,85" is one where commas do not part cells; text
 *  is ES_EFORMAT naming line, column and text. */
es_status es_table_number(const es_table *table, size_t row, size_t column, double *out,
                          es_error *err);

/* ---- writing: the caller puts the commas and line ends ---- */

/** One cell, in quotes where it must be. Control characters other than tab and line ends, and other
 *  text that must not reach a terminal, become U+FFFD. NULL is an empty cell. */
void es_csv_put_text(es_buf *out, const char *text);
/** A number that reads back as the same double; NaN and infinities are an empty cell. */
void es_csv_put_double(es_buf *out, double value);

/** A finished file of cells between commas, appended to `out` so that a spreadsheet runs none of
 *  them: a cell that begins with = + - @, a tab or a line end and is no number gets an apostrophe
 * in front (what OWASP calls CSV injection). Read back, the apostrophe is part of the text.
 * O(length).
 */
void es_csv_make_safe(es_buf *out, const char *text, size_t length);

#endif
