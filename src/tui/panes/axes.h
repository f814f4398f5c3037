/* A plot between two axes with ticks at round numbers. */
#ifndef ES_TUI_AXES_H
#define ES_TUI_AXES_H

#include "app_state.h"
#include "plot.h"

/** What an axis spans; turned: its numbers are shown with their sign turned; log: values are
 * logarithms to base 2, of which numbers show the powers. */
typedef struct es_range {
    double low, high;
    bool turned, log;
} es_range;

/** Takes nothing in: low is above high. */
es_range es_range_none(bool turned);
void es_range_take(es_range *range, double value); /* NAN is skipped */
bool es_range_known(const es_range *range);

typedef struct es_axes {
    es_plot plot;
    es_axis x, y;
    double step_x, step_y; /* between ticks */
    bool turned_x, turned_y, log_x;
    int width; /* of the numbers on the left */
} es_axes;

/** Dots as this terminal can show them. */
es_plot_style es_axes_style(const es_app *app);
/** Room in `in` for the plot, its axes and their numbers; the plot is blanked. In less than
 *  ES_AXES_W x ES_AXES_H there is none. */
enum { ES_AXES_W = 16, ES_AXES_H = 5 };
es_axes es_axes_begin(const es_app *app, es_grid *grid, es_rect in, es_range x, es_range y);
void es_axes_draw(const es_axes *axes);
/** The dot of a value; outside the plot for one outside the axes. */
int es_axes_x(const es_axes *axes, double value);
int es_axes_y(const es_axes *axes, double value);

#endif
