/* The matrix of the Heatmap view: what its parts share. heatmap_cells.c draws the cells,
 * heatmap_frame.c what stands around them, heatmap_legend.c what explains them; view_heatmap.c puts
 * all of it into panes. */
#ifndef ES_TUI_HEATMAP_PANES_H
#define ES_TUI_HEATMAP_PANES_H

#include "app_state.h"
#include "grid.h"

typedef enum es_tile_kind {
    TILE_NONE,
    TILE_SELF,
    TILE_PENDING,
    TILE_RUNNING,
    TILE_FAILED,
    TILE_SATURATED, /* of no tile: what stands for a value at its bound */
    TILE_DECIDED,   /* of no tile: what stands for a value that one row decides */
    TILE_VALUE,
    TILE_KINDS
} es_tile_kind;

/** One drawn cell: a pair, or the mean of a block in the overview. */
typedef struct es_tile {
    es_tile_kind kind;
    double value;
    bool flash, preview; /* the overview's mean is a preview when any of its cells is */
    bool doubt;          /* a measure that says little here; so with the mean */
    bool saturated;      /* of the doubtful: as large as its bound lets it be; so with the mean */
    bool decided;        /* a single row decides it (es_row_decides); so with the mean */
} es_tile;

/** The matrix as it is drawn now. */
typedef struct es_heatmap_view {
    const es_app *app;
    es_grid *grid;
    es_screen_sizes g;
    const es_list *list;
    const es_limits *limits;
    es_heat_metric metric;
    bool diverging;
    int x, y;                            /* of the first cell */
    size_t rows, columns;                /* drawn, of the items from top and left */
    size_t row_at, column_at;            /* cursor, as indices of drawn cells; ES_NONE */
    size_t shown[TILE_KINDS], tentative; /* cells drawn of each kind; previews and doubtful ones */
} es_heatmap_view;

/** `in`: the inside of the matrix's pane. */
es_heatmap_view es_heatmap_make(const es_app *app, es_grid *grid, es_rect in);
/** The pair at these places of the list, whatever is drawn. */
es_tile es_heatmap_pair(const es_heatmap_view *m, size_t row, size_t column);
/** The drawn cell at these places: a pair, or in the overview a block. */
es_tile es_heatmap_tile(const es_heatmap_view *m, size_t row, size_t column);
/** Its colour: that of its value, dimmed for a preview and in doubt. */
es_paint es_heatmap_paint(const es_heatmap_view *m, const es_tile *tile);
/** The character that stands for a step of the map, 0..255. */
uint32_t es_heatmap_ramp(int step, bool ascii);
/** Paint the cells of a rectangle, whatever stands in them. */
void es_heatmap_fill(es_grid *grid, es_rect r, es_paint fg, es_paint bg);
/** Is it a value that is still to be refined, or one that says little, as one row's doing does? */
bool es_heatmap_tentative(const es_tile *tile);
/** What tells the kind of a cell without a value. */
uint32_t es_heatmap_glyph(es_tile_kind kind, bool ascii);
es_role es_heatmap_role(const es_tile *tile);
/** A value as its cell shows it, for cells of one row. */
void es_heatmap_draw_value(const es_heatmap_view *m, es_rect r, const es_tile *tile);
/** Two values in one character. */
void es_heatmap_draw_two(const es_heatmap_view *m, int x, int y, const es_tile *upper,
                         const es_tile *lower);

/** Also counts what is drawn. */
void es_heatmap_draw_cells(es_heatmap_view *m);
/** Names, marks, communities, dendrogram and profiles around the cells. */
void es_heatmap_draw_frame(const es_heatmap_view *m, es_rect in);
/** The last three lines of the pane. */
void es_heatmap_draw_legend(const es_heatmap_view *m, es_rect in);

/* heatmap_dendrogram.c: one leaf before each row; nothing while the rows are in another order. */
void es_heatmap_draw_dendrogram(const es_app *app, es_grid *grid, es_rect at,
                                const es_screen_sizes *g);

/* heatmap_inspect.c: the cell under the cursor, and the extremes of the matrix. */
void es_heatmap_inspect_cell(const es_app *app, es_grid *grid, es_rect pane, bool focused);
void es_heatmap_inspect_extremes(const es_app *app, es_grid *grid, es_rect pane);

#endif
