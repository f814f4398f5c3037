/* What u and ^r go through: whole snapshots of what the user looks at, they are small. */
#ifndef ES_APP_HISTORY_H
#define ES_APP_HISTORY_H

#include "app_state.h"

enum { ES_SNAPSHOT_FLAGS = 5 }; /* marked, hidden, folded, excluded, accepted */

typedef struct es_snapshot {
    es_settings set;
    uint8_t flags[]; /* (ES_SNAPSHOT_FLAGS, n) */
} es_snapshot;

/** Default settings and no flags, for n items; NULL when out of memory. Freed with es_free. */
es_snapshot *es_snapshot_new(size_t n);
es_snapshot *es_snapshot_copy(const es_snapshot *shot, size_t n);
es_snapshot *es_snapshot_take(const es_app *app);
void es_snapshot_show(es_app *app, const es_snapshot *shot);

void es_history_push(es_app *app);   /* before a view change */
void es_history_edited(es_app *app); /* an embedder was derived or removed: one step */
bool es_history_move(es_app *app, bool redo);
/** Writes what undo (or redo) would change: "filter, marks". */
void es_history_tell(const es_app *app, bool redo, char *out, size_t capacity);
void es_history_cancel(es_app *app); /* take the last change back as if it had not been made */
void es_history_free(es_app *app);

/** Put these in the place of everything that can be taken back and done again; the arrays'
 *  elements are taken. */
void es_history_replace(es_app *app, es_snapshot *const *undo, size_t undos,
                        es_snapshot *const *redo, size_t redos);

#endif
