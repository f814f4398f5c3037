/* What a file is not, although it can be read: weights of a network, parts of one matrix, a matrix
 * that lies on its side. Told with the line that helps. */
#ifndef ES_ENGINE_POOL_DOUBTS_H
#define ES_ENGINE_POOL_DOUBTS_H

#include <stdbool.h>

#include "buf.h"
#include "pool_scan.h"
#include "pool_state.h"

/** Writes why the arrays of a file at path (as it can be opened) are no embedders, although each is
 *  a matrix: weights, a benchmark of nearest neighbours, a matrix for each item. False: they may
 *  be. */
bool pool_doubt_arrays(const es_tensors *all, const char *path, es_buf *why);

/** Returns the length of the vector that an .npy file at path holds, 1-D or of one row; 0: none. */
size_t pool_vector_length(const char *path);

/** Puts one model that is left out in place of three or more .npy files of a folder that hold a
 *  vector each, or ten or more that hold a matrix of as many columns each but of different rows.
 *  Once items are sorted by their names. ES_ENOMEM. */
es_status pool_gather_items(es_pool *pool, es_error *err);

/** Leaves out models whose names and shapes say that they are parts of one matrix (NAME_part1,
 *  shard-00001-of-00003; NAME_0 where the rows add up). Named ones (pool.json) are not asked.
 *  ES_ENOMEM. */
es_status pool_leave_out_parts(es_pool *pool, es_error *err);

/** Writes, with "; " before it, what may be the matter with a model of other rows than the pool's
 *  `rows`: it is transposed, or a row or two are missing. Nothing else writes nothing. */
void pool_put_count_doubt(const es_model *m, size_t rows, es_buf *out);

/** Puts the pool's rows in place of ROWS in reasons. After they are settled. ES_ENOMEM. */
es_status pool_fill_in_rows(es_pool *pool, es_error *err);

/** Warns of files of embeddings that pool.json does not list. */
void pool_warn_hidden(es_pool *pool, const pool_listing *listing);

/** Warns of models many rows of which are zero or one row, one after the other, and of bytes whose
 *  bits look like eight columns each. After settling. */
void pool_warn_contents(es_pool *pool);

#endif
