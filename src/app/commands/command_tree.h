/* Sideways motions in Tree. */
#ifndef ES_APP_COMMAND_TREE_H
#define ES_APP_COMMAND_TREE_H

#include "app_state.h"

/** h and l: close and open in the tree, to the neighbour in the graph. */
void es_tree_sideways(es_app *app, bool right, size_t by);

#endif
