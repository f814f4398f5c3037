/* Files of a pool's folder that are not used, and what to do about them. */
#ifndef ES_ENGINE_POOL_UNUSED_H
#define ES_ENGINE_POOL_UNUSED_H

#include <stdbool.h>

#include "pool.h"

/** Is it a file that says something about the pool, or none of embeddings: rows.csv, a README, a
 *  picture? path: below the pool. */
bool pool_is_companion(const char *path);
/** Files that say something about the pool, beside its embedders: pool.json, scores.csv ...; NULL
 *  after the last. */
extern const char *const pool_annotations[];
/** Is it one of these? */
bool pool_is_annotation(const char *name);

/** A file that is not used, with the reason. path: below the pool; full: where its first bytes are
 *  looked at, NULL: they are not. */
es_status pool_unused_add(es_unused *unused, const char *path, const char *full, es_error *err);
/** By the names of the files. */
void pool_unused_sort(es_unused *unused);
/** A folder that is not searched, with the reason; sorts. */
es_status pool_unused_add_folder(es_unused *unused, const char *path, const char *why,
                                 es_error *err);
void es_unused_deinit(es_unused *unused); /* all zero bytes is allowed */

#endif
