/* The matrix of the Heatmap view: what its parts share. matrix_cells.c of panes draws the cells,
 * heatmap_frame.c what stands around them, heatmap_legend.c what explains them; view_heatmap.c puts
 * all of it into panes. */
#ifndef ES_TUI_HEATMAP_PANES_H
#define ES_TUI_HEATMAP_PANES_H

#include "tui_panes.h"

/** `in`: the inside of the matrix's pane. */
es_heatmap_view es_heatmap_make(const es_app *app, es_grid *grid, es_rect in);
/** Names, marks, communities, dendrogram and profiles around the cells. */
void es_heatmap_draw_frame(const es_heatmap_view *m, es_rect in);
/** The last three lines of the pane. */
void es_heatmap_draw_legend(const es_heatmap_view *m, es_rect in);

/* heatmap_inspect.c: the cell under the cursor, and the extremes of the matrix. */
void es_heatmap_inspect_cell(const es_app *app, es_grid *grid, es_rect pane, bool focused);
void es_heatmap_inspect_extremes(const es_app *app, es_grid *grid, es_rect pane);

#endif
