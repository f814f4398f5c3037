/* What a view is: a name and a function that draws the explorer's state into panes of a grid. Each
 * is defined in its own file, view_NAME.c, and has a line in screen/views.c. */
#ifndef ES_TUI_VIEW_H
#define ES_TUI_VIEW_H

#include "app_state.h"
#include "grid.h"

typedef struct es_view {
    const char *name, *brief; /* tab titles: long and short */
    es_command command;       /* goes there */
    void (*draw)(const es_app *app, es_grid *grid, const es_layout *layout);
} es_view;

extern const es_view es_view_pool, es_view_heatmap, es_view_tree, es_view_rank, es_view_compare,
    es_view_corr, es_view_jobs;

#endif
