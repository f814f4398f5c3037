/* families.csv of a pool: read when the pool is opened, and written when the user names a family.
 */
#ifndef ES_ENGINE_POOL_FAMILIES_H
#define ES_ENGINE_POOL_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>

#include "family_file.h"
#include "pool.h"

#define ES_POOL_FAMILIES "families.csv"

typedef struct pool_families {
    es_family_file file;
    bool *used; /* (file.count) the line's model is an embedder of the pool */
} pool_families;

/** Reads POOL/families.csv; all zero bytes if there is none. ES_EFORMAT as es_family_file_read, and
 *  for a link out of the pool. */
es_status pool_families_read(const es_pool *pool, pool_families *out, es_error *err);
void pool_families_deinit(pool_families *families); /* all zero bytes is allowed */
/** Gives embedders that have no family by this file yet the one that it names. Call it after names
 *  have been settled. ES_ENOMEM. O(lines x embedders). */
es_status pool_families_take(es_pool *pool, pool_families *families, es_error *err);
/** Warns of lines that match no embedder. */
void pool_families_warn(es_pool *pool, const pool_families *families);

/** Writes POOL/families.csv so that embedders `item` (n, indices) are of one family; other lines
 *  stay. Replaces the file atomically; the open pool does not change.
 *  family: its name; "": the embedders have none. A line goes if neither needs it.
 *  ES_EUNSUPPORTED: the pool has no folder. ES_EIO names the folder if it cannot be written.
 *  ES_EFORMAT as es_family_file_read. */
es_status es_pool_name_family(const es_pool *pool, const size_t *item, size_t n, const char *family,
                              es_error *err);

#endif
