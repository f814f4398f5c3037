/* Strongest edges and places of the graph. */
#ifndef ES_APP_TREE_GRAPH_H
#define ES_APP_TREE_GRAPH_H

#include "app_state.h"

/** Keeps the graph up with the communities, and moves its nodes on; of a large pool workers do. */
void es_tree_graph_update(es_app *app, es_effects *effects);
/** For ES_FX_PLACES: whose places are to be gone on from; NULL: from the beginning. Borrowed. */
const es_force *es_app_places(const es_app *app);
bool es_tree_graph_busy(const es_app *app); /* there is more to do */
/** Workers are placing the nodes of a graph that is shown. */
bool es_tree_graph_awaited(const es_app *app);
/** Nearest node in a direction (dx, dy in -1, 0, 1; y down); the cursor's own when there is none.
 */
size_t es_tree_neighbour(const es_app *app, int dx, int dy);

#endif
