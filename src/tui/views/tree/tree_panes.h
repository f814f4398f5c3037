/* Parts of the Tree view. */
#ifndef ES_TUI_TREE_PANES_H
#define ES_TUI_TREE_PANES_H

#include "app_state.h"
#include "tui_draw.h"

void es_tree_borders(const es_app *app, bool wide, char *right, size_t right_capacity, char *bottom,
                     size_t bottom_capacity);
/** Says why there is no tree; false: there is one. */
bool es_tree_missing(const es_app *app, es_grid *grid, es_rect in);

/* tree_graph_pane.c */
void es_tree_draw_graph(const es_app *app, es_grid *grid, es_rect pane);

#endif
