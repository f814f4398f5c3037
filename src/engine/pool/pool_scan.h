/* What lies in a pool's directory, by names and kinds: no file is opened unless its name says too
 * little. */
#ifndef ES_ENGINE_POOL_SCAN_H
#define ES_ENGINE_POOL_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "digest.h"
#include "pool.h"
#include "words.h"
#include "embedscope/status.h"

/** Ending of the vectors of queries that are no rows; its stem is the embedder's name. */
#define ES_POOL_QUERIES ".queries.npy"
/** And of their ids. */
#define ES_POOL_QUERIES_TEXT ".queries.ids.txt"
#define ES_POOL_QUERIES_CSV ".queries.ids.csv"

enum { POOL_UNUSED_MOST = 1000 };
enum { POOL_DEPTH = 3 }; /* folders below the pool that are read: POOL/x/y/z/a.npy is found */

typedef struct pool_entry {
    char *path;   /* below the pool, raw bytes */
    char *reason; /* why it cannot be used although it belongs to the pool; NULL when it can */
} pool_entry;

typedef struct pool_listing {
    pool_entry *entry;
    size_t count, capacity;
    es_unused unused; /* other files, but for companions (pool_unused.h), the first
                         POOL_UNUSED_MOST of them */
    es_words beside;  /* ids and vectors of queries, paths below the pool: as many, sorted */
    size_t too_deep;  /* files of embeddings in folders that are not read, by their names */
    char *deep_first; /* the first such folder, below the pool; NULL: none */
} pool_listing;

/** List files of embeddings by their names (es_loader_find; tables and texts by a look at their
 * first lines), PyTorch and NumPy archives under any other name, and folders and links that cannot
 * be followed, each with its reason. Hidden entries are skipped. Links to files are followed where
 * they stay inside `root`; links to folders where that folder is in the pool and was not listed
 * under its own name. Sorted by path. `root` is canonical. ES_EIO: the pool's own directory cannot
 * be read. */
es_status pool_scan(const char *root, pool_listing *out, es_error *err);
void pool_listing_deinit(pool_listing *listing);

/** What the folder holds, by names, sizes, times and identities of its files: those that pool_scan
 *  lists, pool.json, scores.csv and tasks.csv, and the lists of what was derived. Errors as
 *  pool_scan. */
es_status pool_folder_digest(const char *root, es_digest *out, es_error *err);
/** The same of what was listed just now. */
es_status pool_listing_digest(const char *root, const pool_listing *listing, es_digest *out,
                              es_error *err);

/** Warns of ids and queries that no embedder has by its name, which are not read, with the name
 *  that they would be read by; once all models have their names. lists: pool.json says which files
 *  are embedders, so that those of the others are nobody's mistake. */
es_status pool_tell_orphans(es_pool *pool, const pool_listing *listing, bool lists, es_error *err);

/** Is root/path, with all links resolved, below the canonical directory `root`? ES_OK; ES_EINVAL
 * when it is not; ES_ENOTFOUND or ES_EIO when it cannot be resolved. */
es_status pool_contains(const char *root, const char *path, es_error *err);

/** Writes a path below root as its folders spell it, a new string: a name that is the same in form
 * C (es_text_same) stands for one that is not there, as files copied from macOS are spelled.
 * Without such a name it is a copy. ES_ENOMEM. */
es_status pool_spelling(const char *root, const char *path, char **out, es_error *err);

/** The path of a file beside the matrices, rows.csv say, a new string; NULL: there is none. Links
 *  are held to the same rule as those to matrices: ES_EFORMAT for one out of the pool. What cannot
 *  be resolved is there: reading it says why. */
es_status pool_beside(const char *root, const char *name, char **out, es_error *err);

#endif
