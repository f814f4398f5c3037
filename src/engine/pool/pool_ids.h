/* Rows of a pool that have ids: read beside or with the matrices, and matched, so that every
 * embedder's rows are read in one order, whatever order they stand in. */
#ifndef ES_ENGINE_POOL_IDS_H
#define ES_ENGINE_POOL_IDS_H

#include <stdbool.h>
#include <stddef.h>

#include "pool_state.h"
#include "table.h"

/** The lists of a file that may be ids although nothing is called so. */
typedef struct pool_maybe_ids {
    char *file;          /* cleaned, for messages */
    es_named_list *list; /* (count) */
    size_t count;
    bool confirmed; /* pool.json gives as many columns as there are without the first */
} pool_maybe_ids;

/** Lists of ids, one a file; while a pool is opened. */
typedef struct pool_id_lists {
    struct pool_id_list {
        es_row_ids *ids;
        es_digest digest;
    } * list;
    size_t count, capacity;
    pool_maybe_ids *maybe; /* (n_maybe) pool_item.maybe */
    size_t n_maybe, maybe_room;
    struct pool_id_list *reference; /* in whose order rows are read, and whose it is; NULL: none */
    char *whose;
    bool some;         /* --models, --exclude: not all embedders are opened */
    size_t all_shared; /* then: rows that all of the pool share */
} pool_id_lists;

/** The ids of all arrays of a file of embedders at root/path: those of NAME.ids.txt or NAME.ids.csv
 * beside it, or those it holds, which are taken from it; *out SIZE_MAX: there are none. ES_EFORMAT:
 * they cannot be read, or fit no array. */
es_status pool_ids_read(pool_id_lists *lists, const char *root, const char *path, es_loaded *file,
                        size_t *out, es_error *err);
/** The ids that an array of the file has of its own, which are taken from it. *out SIZE_MAX: it has
 * none. */
es_status pool_ids_take(pool_id_lists *lists, es_tensor *tensor, size_t *out, es_error *err);
/** Adds a list, which is taken in any case. *out: its number, for pool_item.ids. ES_ENOMEM. */
es_status pool_ids_add(pool_id_lists *lists, es_row_ids *ids, size_t *out, es_error *err);
void pool_ids_deinit(pool_id_lists *lists); /* all zero bytes is allowed */

/** Keeps the lists of a file that may be ids, which are taken from it. *out: pool_item.maybe of its
 *  embedders. ES_ENOMEM. */
es_status pool_ids_offer(pool_id_lists *lists, const char *path, es_tensors *from, size_t *out,
                         es_error *err);
void pool_maybe_deinit(pool_maybe_ids *one);
/** Decides, once all files are known, which of these lists are ids: those that name the same rows
 * in several files, named ids and rows.csv among them. Their embedders get them, and columns of ids
 *  are dimensions no longer. What was taken and what was not is a warning each. ES_ENOMEM. */
es_status pool_ids_settle_maybe(es_pool *pool, pool_id_lists *lists, es_error *err);

/** The list of ids that most embedders have; NULL: none has any. */
const es_row_ids *pool_ids_commonest(const es_pool *pool, const pool_id_lists *lists);
/** Of how many rows of a list the best column of rows.csv has the id. ES_ENOMEM. */
es_status pool_ids_texts_found(const es_table *table, const es_row_ids *ids, size_t *found,
                               es_error *err);

/** Before some of them are selected: in whose order rows are to be read, so that the same pair has
 * the same rows in the same order whichever embedders are opened beside it. */
es_status pool_ids_choose(es_pool *pool, pool_id_lists *lists, bool some, es_error *err);

/** Match the embedders that have ids (pool_item.ids; those of an excluded one do not count) with
 * each other and with rows.csv, and settle the common rows: pool_item.place, pool->common_rows, and
 * pool->in_set where not all have them all. *out false: there is nothing to match, and nothing was
 * done. Leaves out whoever shares fewer than half of the rows that others share; says what was
 * done. */
es_status pool_ids_match(es_pool *pool, const pool_id_lists *lists, bool *out, es_error *err);

/** A digest of contents with where their rows go; the contents' own where that is the same row. */
es_status pool_ids_digest(const pool_item *item, es_digest *contents, es_error *err);

/** Warns of embedders that hold another's rows in another order. After settling. */
void pool_warn_shuffled(es_pool *pool);

#endif
