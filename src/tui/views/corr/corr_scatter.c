/* Corr's scatter: axes, points, their names, the line and its band. */
#include <math.h>
#include <string.h>

#include "corr_panes.h"
#include "plot.h"
#include "shapes.h"
#include "corr_line.h"
#include "number_text.h"
#include "tree.h"

typedef struct es_corr_scatter {
    const es_app *app;
    es_plot plot;
    es_axis x, y;
} es_corr_scatter;

static void dot_of(const es_corr_scatter *s, size_t item, int *x, int *y) {
    double vx, vy;
    *x = *y = -9;
    if (!es_corr_plot(s->app, item, &vx, &vy))
        return;
    if (vx < s->x.low || vx > s->x.high || vy < s->y.low || vy > s->y.high)
        return; /* out of sight while zoomed */
    *x = es_axis_dot(&s->x, vx);
    *y = s->plot.h - 1 - es_axis_dot(&s->y, vy);
}

/* Communities have colours where there are several. */
static es_role point_role(const es_app *app, size_t item) {
    size_t group = es_tree_group(app, item);
    return group == ES_NONE || app->tree.found->groups < 2 ? ES_ROLE_POINT
                                                           : es_draw_community(app, group);
}

static void draw_points(const es_corr_scatter *s) {
    const es_app *app = s->app;
    const struct es_corr *c = app->corr;
    bool ascii = app->ascii;
    int x, y;
    for (int pass = 0; pass < 4; pass++) /* plain, excluded, marked, cursor: later ones on top */
        for (size_t k = 0; k < c->points; k++) {
            size_t item = c->point[k];
            int own = item == app->cursor ? 3 : app->excluded[item] ? 1 : app->marked[item] ? 2 : 0;
            if (own != pass)
                continue;
            dot_of(s, item, &x, &y);
            es_rect cell = {es_plot_column(&s->plot, x), es_plot_row(&s->plot, y), 1, 1};
            es_grid_click_area(s->plot.grid, cell, ES_CLICK_ITEM, item);
            if (own == 0)
                es_plot_point(&s->plot, x, y, point_role(app, item));
            else if (own == 1)
                es_plot_glyph(&s->plot, x, y, ES_ROLE_TEXT_DIM, "×");
            else if (own == 2)
                es_plot_glyph(&s->plot, x, y, ES_ROLE_POINT_MARK, ascii ? "#" : "●");
            else
                es_plot_glyph(&s->plot, x, y, ES_ROLE_POINT_CURSOR,
                              ascii                 ? "@"
                              : app->excluded[item] ? "◇"
                                                    : "◆");
        }
}

static void label(const es_corr_scatter *s, size_t item, es_role role) {
    int x, y;
    dot_of(s, item, &x, &y);
    if (x < 0)
        return;
    (void)es_plot_label(&s->plot, x, y, role, es_corr_name(s->app, item));
}

static bool is_point(const es_app *app, size_t item) {
    double x, y;
    return item != ES_NONE && es_corr_plot(app, item, &x, &y);
}

static void draw_labels(const es_corr_scatter *s) {
    const es_app *app = s->app;
    const struct es_corr *c = app->corr;
    es_corr_labels which = (es_corr_labels)app->set.corr_labels;
    size_t item[3];
    if (which == ES_LABELS_OFF)
        return;
    if (is_point(app, app->cursor))
        label(s, app->cursor, ES_ROLE_POINT_CURSOR);
    if (which == ES_LABELS_CURSOR)
        return;
    for (size_t k = 0; k < c->points; k++)
        if (app->marked[c->point[k]] && c->point[k] != app->cursor)
            label(s, c->point[k], ES_ROLE_POINT_MARK);
    for (int above = 0; above < 2; above++) {
        size_t count = es_corr_extremes(app, c->task, above == 1, 3, item);
        for (size_t k = 0; k < count; k++)
            if (item[k] != app->cursor && !app->marked[item[k]])
                label(s, item[k], ES_ROLE_TEXT_DIM);
    }
    for (size_t k = 0; k < c->points && which == ES_LABELS_ALL; k++) {
        bool done = c->point[k] == app->cursor || app->marked[c->point[k]];
        for (int above = 0; above < 2 && !done; above++) {
            size_t count = es_corr_extremes(app, c->task, above == 1, 3, item);
            for (size_t e = 0; e < count; e++)
                done = done || item[e] == c->point[k];
        }
        if (!done)
            label(s, c->point[k], ES_ROLE_TEXT_DIM);
    }
}

/* In a plot of residuals the line is level. */
static bool line_at(const es_app *app, double x, double *fit, double *low, double *high) {
    if (!es_corr_band(app, x, fit, low, high))
        return false;
    if (app->set.corr_residuals) {
        *low -= *fit;
        *high -= *fit;
        *fit = 0;
    }
    return true;
}

/* Behind the points: the least squares line and where it might as well be. */
static void draw_fit(const es_corr_scatter *s) {
    const es_app *app = s->app;
    int step = s->plot.style == ES_PLOT_BRAILLE ? 3 : 2;
    double fit, low, high, last = 0;
    for (int x = 0; x < s->plot.w; x++) {
        if (!line_at(app, es_axis_value(&s->x, x), &fit, &low, &high))
            return;
        if (x > 0)
            es_plot_line(&s->plot, x - 1, s->plot.h - 1 - es_axis_dot(&s->y, last), x,
                         s->plot.h - 1 - es_axis_dot(&s->y, fit), 1, ES_ROLE_FIT);
        last = fit;
    }
    for (int x = 0; x < s->plot.w; x += step) {
        (void)line_at(app, es_axis_value(&s->x, x), &fit, &low, &high);
        if (!isfinite(low) || !isfinite(high))
            continue;
        es_plot_under(&s->plot, x, s->plot.h - 1 - es_axis_dot(&s->y, low), ES_ROLE_BAND);
        es_plot_under(&s->plot, x, s->plot.h - 1 - es_axis_dot(&s->y, high), ES_ROLE_BAND);
    }
}

/* What a tick says; `shown` is the value turned back for the eye. */
static void tick_text(double shown, double step, char out[32]) {
    int digits = es_axis_digits(step);
    es_format_number(fabs(shown) < step / 2 ? 0 : shown, step < 1e-5 ? ES_FORMAT_E : digits, out,
                     32);
}

/* Room for the numbers of the vertical axis. */
static int tick_width(const es_app *app, const es_axis *y, double step) {
    char text[32];
    long first, last;
    int widest = 1;
    es_axis_ticks(y, step, &first, &last);
    for (long k = first; k <= last; k++) {
        tick_text(es_corr_plot_shown_y(app, (double)k * step), step, text);
        int w = (int)strlen(text);
        widest = w > widest ? w : widest;
    }
    return widest > 8 ? 8 : widest;
}

static void draw_axes(const es_corr_scatter *s, int width, double step_x, double step_y) {
    const es_app *app = s->app;
    es_grid *grid = s->plot.grid;
    es_rect r = s->plot.rect;
    char text[32];
    long first, last;
    int line = r.y + r.h, taken = r.x - 2;
    es_grid_fill(grid, (es_rect){r.x - 1, r.y, 1, r.h}, ES_ROLE_AXIS, 0x2502);
    es_grid_fill(grid, (es_rect){r.x, line, r.w, 1}, ES_ROLE_AXIS, 0x2500);
    es_grid_text(grid, r.x - 1, line, ES_ROLE_AXIS, "└");
    es_axis_ticks(&s->y, step_y, &first, &last);
    for (long k = first; k <= last; k++) {
        double v = (double)k * step_y;
        int row = es_plot_row(&s->plot, s->plot.h - 1 - es_axis_dot(&s->y, v));
        tick_text(es_corr_plot_shown_y(app, v), step_y, text);
        es_grid_field(grid, r.x - 1 - width, row, width, 1, ES_ROLE_TICK, text);
        es_grid_text(grid, r.x - 1, row, ES_ROLE_AXIS, "┤");
    }
    es_axis_ticks(&s->x, step_x, &first, &last);
    for (long k = first; k <= last; k++) {
        double v = (double)k * step_x;
        int column = es_plot_column(&s->plot, es_axis_dot(&s->x, v));
        tick_text(es_corr_shown_x(app, v), step_x, text);
        int w = (int)strlen(text), x = column - w / 2;
        es_grid_text(grid, column, line, ES_ROLE_AXIS, "┬");
        if (x <= taken || x + w > r.x + r.w)
            continue;
        es_grid_text(grid, x, line + 1, ES_ROLE_TICK, text);
        taken = x + w;
    }
}

static bool ranges(const es_app *app, double x[2], double y[2]) {
    const struct es_corr *c = app->corr;
    x[0] = y[0] = (double)INFINITY;
    x[1] = y[1] = -(double)INFINITY;
    for (size_t k = 0; k < c->points; k++) {
        double vx, vy;
        if (!es_corr_plot(app, c->point[k], &vx, &vy))
            continue;
        x[0] = fmin(x[0], vx);
        x[1] = fmax(x[1], vx);
        y[0] = fmin(y[0], vy);
        y[1] = fmax(y[1], vy);
    }
    return x[0] <= x[1];
}

/* Closer to the cursor's point, else to the middle. */
static void zoom(const es_app *app, double x[2], double y[2]) {
    double at[2] = {(x[0] + x[1]) / 2, (y[0] + y[1]) / 2};
    double part = pow(1.5, -(double)app->set.corr_zoom) / 2;
    double w = part * (x[1] - x[0]), h = part * (y[1] - y[0]);
    if (app->set.corr_zoom == 0)
        return;
    if (app->cursor != ES_NONE)
        (void)es_corr_plot(app, app->cursor, &at[0], &at[1]);
    x[0] = at[0] - w;
    x[1] = at[0] + w;
    y[0] = at[1] - h;
    y[1] = at[1] + h;
}

/* Points that the zoom leaves out. */
size_t es_corr_out_of_sight(const es_app *app) {
    const struct es_corr *c = app->corr;
    double x[2], y[2], vx, vy;
    size_t count = 0;
    if (app->set.corr_zoom == 0 || !ranges(app, x, y))
        return 0;
    zoom(app, x, y);
    for (size_t k = 0; k < c->points; k++)
        count += es_corr_plot(app, c->point[k], &vx, &vy) &&
                 (vx < x[0] || vx > x[1] || vy < y[0] || vy > y[1]);
    return count;
}

void es_corr_draw_scatter(const es_app *app, es_grid *grid, es_rect in) {
    double x[2], y[2];
    es_plot_style style = app->ascii    ? ES_PLOT_ASCII
                          : app->coarse ? ES_PLOT_BLOCKS
                                        : ES_PLOT_BRAILLE;
    if (in.w < 16 || in.h < 5 || !ranges(app, x, y))
        return;
    if (!isfinite(1.2 * (x[1] - x[0])) || !isfinite(1.2 * (y[1] - y[0]))) {
        es_draw_empty(grid, in, "Too far apart to draw",
                      "The values reach over more than a number can hold.");
        return;
    }
    zoom(app, x, y);
    es_axis cells = es_axis_make(y[0], y[1], in.h - 2);
    double step_y = es_axis_step(&cells, (in.h - 2) / 4 + 1);
    int width = tick_width(app, &cells, step_y);
    es_rect r = {in.x + width + 2, in.y, in.w - width - 3, in.h - 2};
    es_corr_scatter s = {.app = app, .plot = es_plot_begin(grid, r, style, ES_ROLE_BACKGROUND)};
    s.x = es_axis_make(x[0], x[1], s.plot.w);
    s.y = es_axis_make(y[0], y[1], s.plot.h);
    draw_axes(&s, width, es_axis_step(&s.x, r.w / 12 + 1), step_y);
    draw_points(&s);
    draw_labels(&s);
    draw_fit(&s);
}
