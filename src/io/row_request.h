/* Which rows of a pool are asked for (es_row_request), in words: "auto", "all", "first:N", or "N"
 * for a random sample. */
#ifndef ES_IO_ROW_REQUEST_H
#define ES_IO_ROW_REQUEST_H

#include "buf.h"

#include "embedscope/pool.h"

/** Samples that are grown begin with so many rows; where one is to be taken at once, the second. */
enum { ES_ROWS_FIRST_SAMPLE = 1000, ES_ROWS_USUAL_SAMPLE = 4000 };

/** ES_EINVAL: none of these. */
es_status es_row_request_parse(const char *text, es_row_request *out, es_error *err);
void es_row_request_put(const es_row_request *request, es_buf *out);
/** ES_EINVAL: too few rows. */
es_status es_row_request_check(const es_row_request *request, es_error *err);

#endif
