/* The files of derived embedders (derived.h): a folder, a name for each, and the .json that lists
 * it with what it was made from. derived_list.h reads them. */
#ifndef ES_ENGINE_DERIVED_FILES_H
#define ES_ENGINE_DERIVED_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "pool.h"

enum { ES_DERIVED_STEM = 200 };

/** A file name for an embedder's, without its ending: what is not plain becomes "_", with a digest
 *  so that two names do not meet. */
void es_derived_stem(const char *name, char out[ES_DERIVED_STEM]);

/** The folder for new ones, made when it is not there; *out is the caller's. ES_EIO: a link lies in
 *  its place, or it cannot be made. */
es_status es_derived_folder(const es_pool *pool, char **out, es_error *err);

/** What the .json of one says. NULL texts are left out. */
typedef struct es_derived_side {
    const char *name, *stem, *notes, *family;
    const char *recipe, *model; /* of a trained one: its settings, the file of its weights */
    uint64_t seed;
    const size_t *source; /* (n_sources) in the pool */
    size_t n_sources;
} es_derived_side;

/** Written last: what is listed is there. */
es_status es_derived_list_side(const es_pool *pool, const char *folder, const es_derived_side *side,
                               es_error *err);

#endif
