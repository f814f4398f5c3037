/* Columns of labels in files of embedders, while a pool is opened. */
#ifndef ES_ENGINE_POOL_LABELS_H
#define ES_ENGINE_POOL_LABELS_H

#include <stddef.h>

#include "pool_state.h"

/** Columns of labels that files of embedders hold; while a pool is opened. */
typedef struct pool_label_file {
    char *name;          /* cleaned, for messages */
    es_named_list *list; /* (count) columns */
    size_t count;
} pool_label_file;

typedef struct pool_label_files {
    pool_label_file *file; /* (count) pool_item.labels */
    size_t count, room;
} pool_label_files;

/** Keeps the columns of labels of a file, which are taken from it. *out: pool_item.labels. */
es_status pool_labels_keep(pool_label_files *labels, const char *path, es_tensors *from,
                           size_t *out, es_error *err);
/** Once rows are matched: the labels of the first embedder that has any become the pool's. Warns of
 *  what was taken, and of files that contradict each other. ES_ENOMEM. */
es_status pool_labels_settle(es_pool *pool, const pool_label_files *labels, es_error *err);
void pool_labels_deinit(pool_label_files *labels); /* all zero bytes is allowed */

#endif
