/* The lines of the tree, its cursor, folding. */
#ifndef ES_APP_TREE_ROWS_H
#define ES_APP_TREE_ROWS_H

#include "app_state.h"

void es_tree_lines(es_app *app);          /* lines, cursor, scroll anew */
size_t es_tree_at(const es_app *app);     /* line of the cursor; ES_NONE without lines */
void es_tree_to(es_app *app, size_t row); /* cursor to a line */
bool es_tree_holds(const es_app *app, size_t group, size_t item); /* ES_NONE: everything */
bool es_tree_folded(const es_app *app, size_t group);
void es_tree_fold(es_app *app, size_t group, bool folded);
void es_tree_reveal(es_app *app); /* opens what hides the cursor's embedder */

#endif
