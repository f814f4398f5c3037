/* Cells of a comma- or tab-separated file in one pass, through libcsv with strict quotes. What
 * becomes of them is the caller's: table.c keeps texts, table_array.c numbers. */
#ifndef ES_IO_CELLS_H
#define ES_IO_CELLS_H

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>

#include "file.h"
#include "run.h"
#include "embedscope/status.h"

/* One pass over a file. libcsv calls back without positions, so that lines are fed to it one at a
 * time and counted here. */
typedef struct es_cells {
    struct csv_parser parser; /* the pass's own, as all below but what its caller sets */
    const char *label;
    es_run *run;
    const es_map *map; /* what is read, or NULL: its pages are let go and run is told how far */
    es_error *err;
    es_status status; /* of the callbacks; the first failure stops the pass */
    char delimiter;
    size_t line;        /* being fed, from 1 */
    size_t start;       /* line where the current row started */
    bool open;          /* a row has started and not ended */
    bool may_lead;      /* the first row may lack the heading of its first column, as R writes it */
    bool lead;          /* it does */
    size_t row, column; /* of the next cell */
    size_t columns;     /* of the first row */
    size_t most_rows;   /* to read; 0: all */
    /* What to do with a cell, and with a finished row. */
    es_status (*cell)(struct es_cells *cells, const char *text, size_t length);
    es_status (*end)(struct es_cells *cells);
    void *sink;
} es_cells;

/** Refuse what is no text, pass over comments (es_cells_comments), then give every cell and every
 * finished row to the callbacks. Set label, delimiter (0: by the path's ending), run, err,
 * most_rows, cell, end and sink before; row is the number of rows afterwards. ES_EFORMAT naming the
 * line: ragged rows, malformed quotes, a NUL byte, no rows; ES_EUNSUPPORTED: another format under
 * this name; the callbacks' errors. */
es_status es_cells_read(es_cells *cells, const void *data, size_t size, const char *path);

/** Bytes of comments before a table: its first lines that begin with '#', except the last if that
 *  heads as many columns as there are. */
size_t es_cells_comments(const char *text, size_t size, char delimiter);
/** Tab where the path ends in .tsv, else a comma. */
char es_cells_delimiter(const char *path);
/** The same for a file of numbers, whose first line may say that it is a semicolon or a tab. */
char es_cells_delimiter_of(const char *path, const void *data, size_t size);
/** A number as es_text_parse_double, and "0,85" where commas do not part cells. */
bool es_cells_number(char delimiter, const char *text, size_t length, double *out);
/** A word that programs write where a number is missing: "NA", "None", "-", in any case. */
bool es_cells_says_missing(const char *text, size_t length);
/** The number that a name ends in, as "d17"; false: it ends in none. */
bool es_cells_trailing_number(const char *text, size_t length, double *out);
/** Digits 0 and 1 alone, more than a number would have: a fingerprint, not a number. */
bool es_cells_are_bits(const char *text, size_t length);
/** The reason why a cell of bits is refused, and what to do. ES_EUNSUPPORTED. */
es_status es_cells_refuse_bits(const char *label, size_t line, size_t length, es_error *err);
/** Blanks alone. */
bool es_cells_is_empty(const char *text, size_t length);
es_status es_cells_no_memory(const es_cells *cells);
/** The largest value that is compared: squares are to be numbers, and of float, too. */
#define ES_VALUE_MOST 1e30
/** Squares of others than 0 are not to be 0 either: false beyond ES_VALUE_MOST, and nearer to 0
 * than its inverse. */
bool es_cells_in_range(double value);
es_status es_cells_not_a_number(const char *label, size_t line, size_t column, const char *text,
                                size_t length, es_error *err);

#endif
