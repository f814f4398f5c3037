/* The cells of the matrix, wherever it is drawn: what each shows, and how. */
#ifndef ES_TUI_MATRIX_CELLS_H
#define ES_TUI_MATRIX_CELLS_H

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
    bool caveat;         /* a measure that says little here; so with the mean */
    bool saturated; /* of those with a caveat: as large as its bound lets it be; so with the mean */
    bool decided;   /* a single row decides it (es_row_decides); so with the mean */
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
    bool unrefined;       /* every value is a preview, which is said once and not in each cell */
    size_t top, left;     /* items of the first cell; 0 in the overview */
    int x, y;             /* of the first cell */
    size_t rows, columns; /* drawn, of the items from top and left */
    size_t row_at, column_at; /* cursor, as indices of drawn cells; ES_NONE */
    size_t shown[TILE_KINDS],
        tentative; /* cells drawn of each kind; previews and those with a caveat */
} es_heatmap_view;

/** The pair at these places of the list, whatever is drawn. */
es_tile es_heatmap_pair(const es_heatmap_view *m, size_t row, size_t column);
/** The drawn cell at these places: a pair, or in the overview a block. */
es_tile es_heatmap_tile(const es_heatmap_view *m, size_t row, size_t column);
/** Its colour: that of its value, dimmed for a preview or a caveat. */
es_paint es_heatmap_paint(const es_heatmap_view *m, const es_tile *tile);
/** The character that stands for a step of the map, 0..255. */
uint32_t es_heatmap_ramp(int step, bool ascii);
/** Paint the cells of a rectangle, whatever stands in them. */
void es_heatmap_fill(es_grid *grid, es_rect r, es_paint fg, es_paint bg);
/** True if the value is a preview or carries a caveat. */
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

#endif
