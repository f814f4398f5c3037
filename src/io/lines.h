/* Lines of large text files and the numbers in them, without copies: for readers of formats that
 * are text. Lines end in LF or CRLF, or in CR where a file has no LF; blank ones are passed over; a
 * UTF-8 byte-order mark is too. */
#ifndef ES_IO_LINES_H
#define ES_IO_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "file.h"
#include "reading.h"
#include "embedscope/status.h"

typedef struct es_lines {
    es_reading reading;
    size_t at, number; /* next byte; line that was given out last, from 1 */
    bool feeds;        /* lines end in LF: a lone CR is part of a line */
    es_status status;  /* ES_ECANCELED once `run` was cancelled */
} es_lines;

/** From the beginning of a mapped file. */
es_lines es_lines_of(const es_map *map, es_run *run);
/** The next line that is not blank, without its end and the blanks behind it. False at the end, and
 *  when the run was cancelled. */
bool es_lines_next(es_lines *lines, const char **text, size_t *length);

/** Bytes up to and with the next line end, or all. */
size_t es_line_length(const char *text, size_t length);

/** The next field of text[*at .. length): what stands between blanks. False: there is none. */
bool es_field_next(const char *text, size_t length, size_t *at, const char **field, size_t *size);
/** How many fields there are. Fast: gigabytes a second. */
size_t es_field_count(const char *text, size_t length);

#endif
