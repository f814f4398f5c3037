/* The matrix of the Heatmap view: what its parts share. heatmap_cells.c draws the cells,
 * heatmap_frame.c what stands around them, heatmap_legend.c what explains them; view_heatmap.c puts
 * all of it into panes. */
#ifndef ES_TUI_HEATMAP_H
#define ES_TUI_HEATMAP_H

#include "draw.h"

/** The matrix as it is drawn now. */
typedef struct es_heatmap {
    const es_app *app;
    es_grid *grid;
    es_geometry g;
    const es_list *list;
    const es_limits *limits;
    es_metric metric;
    bool diverging;
    int x, y;                 /* of the first cell */
    size_t rows, columns;     /* drawn, of the items from top and left */
    size_t row_at, column_at; /* cursor, as indices of drawn cells; ES_NONE */
} es_heatmap;

/** One drawn cell: a pair, or the mean of a block in the overview. */
typedef struct es_tile {
    enum { TILE_NONE, TILE_SELF, TILE_PENDING, TILE_RUNNING, TILE_FAILED, TILE_VALUE } kind;
    double value;
    bool flash, preview; /* the overview's mean is a preview when any of its cells is */
    bool doubt;          /* a measure that says little here; so with the mean */
} es_tile;

/** The pair at these places of the list, whatever is drawn. */
es_tile es_heatmap_pair(const es_heatmap *m, size_t row, size_t column);
/** The drawn cell at these places: a pair, or in the overview a block. */
es_tile es_heatmap_tile(const es_heatmap *m, size_t row, size_t column);
/** Its colour: that of its value, dimmed for a preview and in doubt. */
es_paint es_heatmap_paint(const es_heatmap *m, const es_tile *tile);
/** The character that stands for a step of the map, 0..255. */
uint32_t es_heatmap_ramp(int step, bool ascii);
/** Paint the cells of a rectangle, whatever stands in them. */
void es_heatmap_fill(es_grid *grid, es_rect r, es_paint fg, es_paint bg);
/** The glyph of a preview or of doubt at the end of a rectangle of that colour. */
void es_heatmap_mark(const es_heatmap *m, es_rect r, es_paint colour, uint32_t glyph);

void es_heatmap_draw_cells(const es_heatmap *m);
/** Names, marks, communities, dendrogram and profiles around the cells; `in`: the pane's inside. */
void es_heatmap_draw_frame(const es_heatmap *m, es_rect in);
/** The last three lines of the pane. */
void es_heatmap_draw_legend(const es_heatmap *m, es_rect in);

#endif
