/* Takes a derived embedder (derived.h) out of its pool, for good or to be brought back. */
#ifndef ES_ENGINE_DERIVED_REMOVE_H
#define ES_ENGINE_DERIVED_REMOVE_H

#include "pool.h"

/** A derived embedder that was removed and can come back: its files under other names beside where
 *  they were. Who forgets to end it, or is killed, leaves them to be swept after a day. */
enum { ES_DERIVED_FILES = 3 }; /* its entry in the list, its matrix, the weights of a trained one */
typedef struct es_derived_aside {
    char *name;
    char *path[ES_DERIVED_FILES], *aside[ES_DERIVED_FILES]; /* NULL: none, not aside */
} es_derived_aside;

/** Removes model `index` of a pool: its entry in the list first, which is one step and decides,
 *  then the matrix, and weights that no other entry names; killed in between, files without an
 *  entry are left, which are no embedder and are swept when they are a day old. The pool is not
 *  changed: open it again. Results in the store stay: they are keyed by contents, so that the same
 *  values derived again find them, and what they take is little. aside NULL: for good; else
 *  es_derived_restore undoes it until es_derived_forget. *freed: bytes. ES_EINVAL: it is not
 *  derived. */
es_status es_derived_remove(const es_pool *pool, size_t index, es_derived_aside *aside,
                            uint64_t *freed, es_error *err);
/** Back where it was, with the same bytes: the entry last. ES_EIO: it is not there any more, or
 *  another has its place. */
es_status es_derived_restore(es_derived_aside *aside, es_error *err);
/** Deletes what is aside, and releases the strings; all zero bytes is allowed. */
void es_derived_forget(es_derived_aside *aside);
/** Derived embedders of this name: one, or NAME.mu and NAME.info of what was trained as NAME. Their
 *  number; at (2). */
size_t es_derived_named(const es_pool *pool, const char *name, size_t *at);

#endif
