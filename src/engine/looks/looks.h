/* What was seen of files' contents, kept for the next pool that is opened over them: larger
 * samples, the same folder again, in this process or the next one. A look counts again only while
 * the file is the same one by device, inode, size and the times of both changes, of which the
 * second cannot be put back. It is never more than what is to be expected of the contents: whatever
 * is computed from them afterwards is kept only if they had that digest then (es_pool_watch_end).
 */
#ifndef ES_ENGINE_LOOKS_H
#define ES_ENGINE_LOOKS_H

#include "io_files.h"

/** Outcome of reading one model's contents. */
typedef struct es_model_check {
    es_digest question; /* es_looks_find's `what`; 0: none was asked */
    bool known;         /* it was answered by an earlier look */
    es_status status;   /* ES_OK, or why the contents cannot be used */
    char reason[1024];
    es_digest digest;
    es_digest any_order, in_order; /* of the rows' values (io_files.h) */
    size_t bad_rows;               /* rows with non-finite values */
    uint32_t
        *bad_row_list; /* (bad_rows) of the pool, ascending, owned, when drop_rows; else NULL */
    size_t n_copies;
    es_copy *copy; /* (n_copies) of the pool's rows, owned */
    size_t constant_columns;
    bool *constant;   /* (dim) which ones, owned; NULL when the contents could not be read */
    uint32_t *varies; /* (dim) owned: how many rows a sample needs for the column to vary in it;
                         NULL: no samples are taken */
    double norm_mean, norm_sd;
    size_t zero_rows;
    es_long_row longest; /* a row of the pool */
    uint8_t packed;      /* bytes a value, where they look like packed bits; else 0 */
    uint8_t ids;         /* column that looks like ids: 0 none, 1 the first, 2 the last */
    double seconds;      /* that it took to read the contents */
} es_model_check;

void es_model_check_deinit(es_model_check *check);

typedef struct es_looks es_looks;

/** NULL when out of memory, which is no error: nothing is kept then. Any thread. */
es_looks *es_looks_new(void);
/** One more owner; looks may be NULL. */
es_looks *es_looks_keep(es_looks *looks);
void es_looks_free(es_looks *looks); /* of one owner; NULL is allowed */

/** True if a check of this file that begins now may be remembered: the file is old enough that its
 * times would show a later change. Any thread. */
bool es_looks_settled(const es_map *file);
/** What was seen of this file when the same was asked of it; false: nothing that counts. *out
 *  (lists of `dim`, rows below `rows`) is the caller's, es_model_check_deinit. Any thread; looks
 * may be NULL. */
bool es_looks_find(es_looks *looks, es_digest what, const es_map *file, size_t rows, size_t dim,
                   es_model_check *out);
/** Keeps a copy, if it can, in the place of an earlier one. Any thread; looks may be NULL. */
void es_looks_put(es_looks *looks, es_digest what, const es_map *file, size_t rows, size_t dim,
                  const es_model_check *check);

/** Appends a look for another process; nothing where there is none, or none of contents that can be
 *  used. Any thread; looks may be NULL. */
void es_looks_pack(es_looks *looks, es_digest what, es_buf *out);
/** Adds packed looks up to the first that is malformed. Any thread; looks may be NULL. */
void es_looks_unpack(es_looks *looks, const char *bytes, size_t size);

#endif
