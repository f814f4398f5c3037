/* Dots and lines in a part of the grid: 2 x 4 dots a cell in braille; 2 x 2 in quadrant blocks
 * where the font may lack braille; one character a cell in ASCII. The grid itself holds the dots,
 * so there is nothing to allocate or to end; what is drawn later gives a cell its colour. */
#ifndef ES_TUI_PLOT_H
#define ES_TUI_PLOT_H

#include "grid.h"

typedef enum es_plot_style { ES_PLOT_BRAILLE, ES_PLOT_BLOCKS, ES_PLOT_ASCII } es_plot_style;

typedef struct es_plot {
    es_grid *grid;
    es_rect rect; /* cells; what falls outside is dropped */
    es_plot_style style;
    int w, h; /* dots */
} es_plot;

/** Blanks the rectangle. */
es_plot es_plot_begin(es_grid *grid, es_rect rect, es_plot_style style, es_role role);
/** The cell that holds a dot. */
int es_plot_column(const es_plot *plot, int x);
int es_plot_row(const es_plot *plot, int y);

/** One dot, counted from the top left. */
void es_plot_dot(const es_plot *plot, int x, int y, es_role role);
/** A dot that stays behind: cells with points keep their colour, cells with text stay as they are.
 */
void es_plot_under(const es_plot *plot, int x, int y, es_role role);
/** Dots behind everything, every `step`-th of the way from one end to the other. */
void es_plot_line(const es_plot *plot, int x0, int y0, int x1, int y1, int step, es_role role);
/** 2 x 2 dots in braille, a square in blocks, in ASCII "o", or "8" where points share a character.
 */
void es_plot_point(const es_plot *plot, int x, int y, es_role role);
/** A glyph in place of the dots of a cell. */
void es_plot_glyph(const es_plot *plot, int x, int y, es_role role, const char *glyph);
/** Text beside a dot (right, left, above, below, then at its corners: the first place that covers
 * nothing); false: no place is free, nothing was drawn. */
bool es_plot_label(const es_plot *plot, int x, int y, es_role role, const char *text);

/** An axis over `dots` dots, with a margin so that points at its ends are whole. */
typedef struct es_axis {
    double low, high; /* first and last dot */
    int dots;
} es_axis;
es_axis es_axis_make(double low, double high, int dots);
/** The dot of a value; outside -1 .. dots for values far outside. */
int es_axis_dot(const es_axis *axis, double value);
double es_axis_value(const es_axis *axis, int dot);
/** Distance of ticks at 1, 2 or 5 times a power of ten, so that there are `most` at most. */
double es_axis_step(const es_axis *axis, int most);
/** Ticks are at k * step for first <= k <= last; none (first > last) where that cannot be. */
void es_axis_ticks(const es_axis *axis, double step, long *first, long *last);
/** Decimals that tell ticks apart. */
int es_axis_digits(double step);

#endif
