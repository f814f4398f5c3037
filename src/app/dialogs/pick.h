/* Lists to choose from. */
#ifndef ES_APP_PICK_H
#define ES_APP_PICK_H

#include "app_state.h"

void es_pick_open(es_app *app, es_pick_kind kind);
void es_pick_themes(es_app *app); /* while it lists themes: they have changed */
void es_pick_fill(es_app *app);   /* anew, after a change of what it lists */
/** Fills the list after its filter was typed; the cursor goes to the first line that begins with
 * it.
 */
void es_pick_typed(es_app *app);

/** The line of what item[k] is. */
void es_pick_text(const es_app *app, size_t item, char *out, size_t capacity);

/** Where the keys of every list (j k ^d ^u g G and those of their names) take the cursor of `count`
 *  lines; false: another key. */
bool es_pick_move(size_t *at, size_t count, size_t page, uint32_t key);

/* Ways to derive: what the list shows, and what ES_FX_DERIVE gets. NULL behind the last. */
const char *es_derive_way(size_t k);
const char *es_derive_about(size_t k);

#endif
