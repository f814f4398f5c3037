/* Axes around a plot: where there is room for numbers they stand at round ones. */
#include "tui_panes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_state.h"

es_range es_range_none(bool turned) {
    return (es_range){(double)INFINITY, -(double)INFINITY, turned, false};
}

void es_range_take(es_range *range, double value) {
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

bool es_range_known(const es_range *range) {
    return range->low <= range->high;
}

es_plot_style es_axes_style(const es_app *app) {
    return app->ascii ? ES_PLOT_ASCII : app->coarse ? ES_PLOT_BLOCKS : ES_PLOT_BRAILLE;
}

static void tick_text(double value, bool turned, double step, char out[32]) {
    int digits = es_axis_digits(step);
    double shown = turned ? -value : value;
    es_format_number(fabs(shown) < step / 2 ? 0 : shown, step < 1e-5 ? ES_FORMAT_E : digits, out,
                     32);
}

/* Room for the numbers of the vertical axis. */
static int widest_tick(const es_axis *axis, bool turned, double step) {
    char text[32];
    long first, last;
    int widest = 1;
    es_axis_ticks(axis, step, &first, &last);
    for (long k = first; k <= last; k++) {
        tick_text((double)k * step, turned, step, text);
        widest = (int)strlen(text) > widest ? (int)strlen(text) : widest;
    }
    return widest > 8 ? 8 : widest;
}

static int ticks_in(int cells, int pitch) {
    enum { LEAST = 3 };
    int count = cells / pitch + 1;
    return count < LEAST ? LEAST : count;
}

es_axes es_axes_begin(const es_app *app, es_grid *grid, es_rect in, es_range x, es_range y) {
    es_axes a = {.turned_x = x.turned, .turned_y = y.turned, .log_x = x.log};
    es_axis cells = es_axis_make(y.low, y.high, in.h - 2);
    a.step_y = es_axis_step(&cells, ticks_in(in.h - 2, 4));
    a.width = widest_tick(&cells, y.turned, a.step_y);
    es_rect r = {in.x + a.width + 2, in.y, in.w - a.width - 3, in.h - 2};
    a.plot = es_plot_begin(grid, r, es_axes_style(app), ES_ROLE_BACKGROUND);
    a.x = es_axis_make(x.low, x.high, a.plot.w);
    a.y = es_axis_make(y.low, y.high, a.plot.h);
    a.step_x = es_axis_step(&a.x, ticks_in(r.w, 12));
    if (a.log_x)
        a.step_x = fmax(1, floor((x.high - x.low) / ticks_in(r.w, 8)));
    return a;
}

int es_axes_x(const es_axes *a, double value) {
    return es_axis_dot(&a->x, value);
}

int es_axes_y(const es_axes *a, double value) {
    return a->plot.h - 1 - es_axis_dot(&a->y, value);
}

void es_axes_draw(const es_axes *a) {
    es_grid *grid = a->plot.grid;
    es_rect r = a->plot.rect;
    char text[32];
    long first, last;
    int line = r.y + r.h, taken = r.x - 2;
    es_grid_fill(grid, (es_rect){r.x - 1, r.y, 1, r.h}, ES_ROLE_AXIS, 0x2502);
    es_grid_fill(grid, (es_rect){r.x, line, r.w, 1}, ES_ROLE_AXIS, 0x2500);
    es_grid_text(grid, r.x - 1, line, ES_ROLE_AXIS, "└");
    es_axis_ticks(&a->y, a->step_y, &first, &last);
    for (long k = first; k <= last; k++) {
        int row = es_plot_row(&a->plot, es_axes_y(a, (double)k * a->step_y));
        tick_text((double)k * a->step_y, a->turned_y, a->step_y, text);
        es_grid_field(grid, r.x - 1 - a->width, row, a->width, 1, ES_ROLE_TICK, text);
        es_grid_text(grid, r.x - 1, row, ES_ROLE_AXIS, "┤");
    }
    es_axis_ticks(&a->x, a->step_x, &first, &last);
    for (long k = first; k <= last; k++) {
        int column = es_plot_column(&a->plot, es_axes_x(a, (double)k * a->step_x));
        if (a->log_x)
            (void)snprintf(text, sizeof text, "%.4g", exp2((double)k * a->step_x));
        else
            tick_text((double)k * a->step_x, a->turned_x, a->step_x, text);
        int w = (int)strlen(text), x = column - w / 2;
        es_grid_text(grid, column, line, ES_ROLE_AXIS, "┬");
        if (x <= taken || x + w > r.x + r.w)
            continue;
        es_grid_text(grid, x, line + 1, ES_ROLE_TICK, text);
        taken = x + w;
    }
}
