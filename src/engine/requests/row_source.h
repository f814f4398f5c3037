/* The rows behind per-row values, and what stands in rows.csv for them. */
#ifndef EMBEDSCOPE_ROW_SOURCE_H
#define EMBEDSCOPE_ROW_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "session.h"

/** Where per-row values of a plan entry come from. Borrowed from the session. */
typedef struct es_row_source {
    es_pool *pool;
    const es_row_texts *texts; /* NULL: no rows.csv, or one of another length */
    const uint32_t *eval;      /* row of the row set for each value; NULL: the same number */
} es_row_source;

/** Reads rows.csv on first use. ES_EEMPTY: a matrix from a file has no rows. */
es_status es_row_source_init(es_session *session, size_t entry, es_row_source *out, es_error *err);

/** Row of the files, from 0, for value number `k`. */
size_t es_row_number(const es_row_source *source, size_t k);

#define ES_ROW_EXACT SIZE_MAX

/** Its id, and its text with all further columns, both cleaned, with a blank for a tab or a line
 *  break, and cut to max_bytes (0: no limit). ES_ROW_EXACT: as in the file, for JSON and CSV alone,
 *  whose writers escape or replace what must not be shown. NULL without rows.csv, or when out of
 *  memory. Release with es_free. */
char *es_row_id(const es_row_source *source, size_t k, size_t max_bytes);
char *es_row_text(const es_row_source *source, size_t k, size_t max_bytes);

#endif
