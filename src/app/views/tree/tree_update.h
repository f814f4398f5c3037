/* Communities anew when the results have changed. */
#ifndef ES_APP_TREE_UPDATE_H
#define ES_APP_TREE_UPDATE_H

#include "app_state.h"

/** After every message. `heavy`: more than a key may cost is allowed (a tick). */
void es_tree_update(es_app *app, bool heavy);
/** When the next tick is wanted; INFINITY: never. */
double es_tree_deadline(const es_app *app);

#endif
