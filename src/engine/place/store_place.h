/* Where the store of a pool is. */
#ifndef ES_ENGINE_STORE_PLACE_H
#define ES_ENGINE_STORE_PLACE_H

#include <stdbool.h>

#include "embedscope/status.h"

/** Path of the results file of the pool at `pool_path` for writing: POOL/.embedscope/results.db
 * where that can be written, else below the user's data directory, under the digest of the pool's
 *  canonical path. Makes the directory (0700) and an empty file (0600). Symbolic links in the place
 *  of either are refused: a pool from elsewhere must not make us write somewhere else. */
es_status es_store_place_write(const char *pool_path, char **out, es_error *err);

/** The same for reading: makes nothing; ES_ENOTFOUND when there is none. */
es_status es_store_place_read(const char *pool_path, char **out, es_error *err);

/** The same for a results file of any name, which the user gives: its absolute path. */
es_status es_store_place_file(const char *file, bool create, char **out, es_error *err);

/** The folders of derived embedders that there are: beside the results in the pool, and in the
 * user's own directory; NULL where there is none. Links in their place are passed over. */
es_status es_derived_places(const char *canonical, char *out[2], es_error *err);
/** The same for the stores of the tasks of a cluster, as `embedscope slurm` puts them. */
es_status es_shard_places(const char *canonical, char *out[2], es_error *err);
/** What those lie in, whether it is there or not; out[1] NULL: the user has no home. */
es_status es_store_folders(const char *canonical, char *out[2], es_error *err);

#endif
