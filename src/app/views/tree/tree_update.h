/* Communities anew when the results have changed. */
#ifndef ES_APP_TREE_UPDATE_H
#define ES_APP_TREE_UPDATE_H

#include "app_state.h"
#include "embedscope/communities.h"

/** After every message. `heavy`: more than a key may cost is allowed (a tick). */
void es_tree_update(es_app *app, bool heavy, es_effects *effects);
/** For ES_FX_FAMILIES: whose communities are to be found, and how; `is` is borrowed until the next
 *  message. ES_FX_DENDROGRAM is of the same matrix. */
es_louvain es_app_families(const es_app *app);
/** When the next tick is wanted; INFINITY: never. */
double es_tree_deadline(const es_app *app);

#endif
