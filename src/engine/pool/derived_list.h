/* The derived embedders that a pool has: what lies in a folder of them. */
#ifndef ES_ENGINE_DERIVED_LIST_H
#define ES_ENGINE_DERIVED_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "digest.h"
#include "embedscope/status.h"

/** What one was made from, as it was then. */
typedef struct derived_source {
    char *name;
    es_digest digest;
} derived_source;

typedef struct derived_entry {
    char *side;  /* name of the .json in the folder */
    char *file;  /* of the .npy */
    char *model; /* of a trained one: of its weights; NULL: none */
    char *name, *family, *notes;
    derived_source *source; /* (n_sources) */
    size_t n_sources;
} derived_entry;

typedef struct derived_list {
    derived_entry *entry;
    size_t count;
    char *problem; /* the first file that could not be understood; NULL: none */
} derived_list;

/** Whether a file of the folder is the list beside a derived embedder, by its name. */
bool derived_is_side(const char *file);
/** What lies in `folder`, sorted by file. */
es_status derived_list_read(const char *folder, derived_list *out, es_error *err);
void derived_list_deinit(derived_list *list);
void derived_entry_deinit(derived_entry *entry);
void derived_sources_free(derived_source *source, size_t count); /* NULL is allowed */

#endif
