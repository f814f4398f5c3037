/* The derived embedders that a pool has: what lies in a folder of them. */
#ifndef ES_ENGINE_DERIVED_LIST_H
#define ES_ENGINE_DERIVED_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "digest.h"
#include "embedscope/status.h"

enum { DERIVED_SOURCES = 2 };

typedef struct derived_entry {
    char *file; /* name of the .npy in the folder */
    char *name, *family, *notes;
    char *source[DERIVED_SOURCES]; /* NULL: none */
    es_digest digest[DERIVED_SOURCES];
} derived_entry;

typedef struct derived_list {
    derived_entry *entry;
    size_t count;
    char *problem; /* the first file that could not be understood; NULL: none */
} derived_list;

/** What lies in `folder`, sorted by file. */
es_status derived_list_read(const char *folder, derived_list *out, es_error *err);
void derived_list_deinit(derived_list *list);
void derived_entry_deinit(derived_entry *entry);

#endif
