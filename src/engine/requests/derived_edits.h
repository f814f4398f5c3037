/* What was derived and removed while the explorer is open, so that it can be undone and done again.
 * Each edit has a number, which the explorer's settings count: es_edits_reach goes to one. What is
 * aside is deleted at the end. */
#ifndef ES_ENGINE_DERIVED_EDITS_H
#define ES_ENGINE_DERIVED_EDITS_H

#include "derived.h"

typedef struct es_edit {
    char *name;
    bool removal;              /* else it was made */
    es_derived_aside aside[2]; /* while it is out of the pool; of a trained one, both */
} es_edit;

/** All zero bytes is empty. */
typedef struct es_edits {
    es_edit *item;    /* (count) oldest first */
    size_t count, at; /* so many of them stand */
    size_t before;    /* edits of earlier sessions, which cannot be undone */
} es_edits;

/** Another edit stands, the one after `number`; those that were undone are forgotten. A removal
 *  takes *aside; NULL: it was made. ES_ENOMEM: then *aside is forgotten, too. */
es_status es_edits_add(es_edits *edits, size_t number, const char *name, es_derived_aside *aside,
                       es_error *err);
/** Undoes or redoes edits until those up to `number` stand. The pool is as it was opened last: of
 *  several edits of one embedder each needs it opened again. */
es_status es_edits_reach(es_edits *edits, const es_pool *pool, size_t number, es_error *err);
void es_edits_deinit(es_edits *edits);

#endif
