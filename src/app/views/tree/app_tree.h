/* The tree and the graph of communities. */
#ifndef ES_APP_TREE_H
#define ES_APP_TREE_H

#include "app_state.h"

/* Strongest edges and places of the graph. */

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

/* The lines of the tree, its cursor, folding. */

void es_tree_lines(es_app *app);          /* lines, cursor, scroll anew */
size_t es_tree_at(const es_app *app);     /* line of the cursor; ES_NONE without lines */
void es_tree_to(es_app *app, size_t row); /* cursor to a line */
bool es_tree_holds(const es_app *app, size_t group, size_t item); /* ES_NONE: everything */
bool es_tree_folded(const es_app *app, size_t group);
void es_tree_fold(es_app *app, size_t group, bool folded);
void es_tree_reveal(es_app *app); /* opens what hides the cursor's embedder */

/* Communities anew when the results have changed. */

/** After every message. `heavy`: more than a key may cost is allowed (a tick). */
void es_tree_update(es_app *app, bool heavy, es_effects *effects);
/** For ES_FX_FAMILIES: whose communities are to be found, and how; `is` is borrowed until the next
 *  message. ES_FX_DENDROGRAM is of the same matrix. */
es_louvain es_app_families(const es_app *app);
/** When the next tick is wanted; INFINITY: never. */
double es_tree_deadline(const es_app *app);

#endif
