/* A table of items: Pool and Rank. */
#ifndef ES_TUI_ITEM_TABLE_H
#define ES_TUI_ITEM_TABLE_H

#include "app_state.h"
#include "grid.h"

/** `cell` draws what is not plain text and returns true if it did. */
typedef bool (*es_cell_drawer)(const es_app *app, es_grid *grid, es_rect at, size_t column,
                               size_t item, es_role role);
void es_draw_table(const es_app *app, es_grid *grid, es_rect pane, es_table_id table,
                   const char *title, const char *right, es_cell_drawer cell);

#endif
