/* Corr's scatter: axes, points, their names, the line and its band. */
#include <math.h>

#include "tui_panes.h"
#include "corr_panes.h"
#include "app_values.h"

typedef struct es_corr_scatter {
    const es_app *app;
    es_axes axes;
} es_corr_scatter;

static void dot_of(const es_corr_scatter *s, size_t item, int *x, int *y) {
    double vx, vy;
    *x = *y = -9;
    if (!es_corr_place(s->app, s->app->corr->task, item, &vx, &vy))
        return;
    const es_axes *a = &s->axes;
    if (vx < a->x.low || vx > a->x.high || vy < a->y.low || vy > a->y.high)
        return; /* out of sight while zoomed */
    *x = es_axes_x(a, vx);
    *y = es_axes_y(a, vy);
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
            es_rect cell = {es_plot_column(&s->axes.plot, x), es_plot_row(&s->axes.plot, y), 1, 1};
            es_grid_click_area(s->axes.plot.grid, cell, ES_CLICK_ITEM, item);
            if (own == 0)
                es_plot_point(&s->axes.plot, x, y, point_role(app, item));
            else if (own == 1)
                es_plot_glyph(&s->axes.plot, x, y, ES_ROLE_TEXT_DIM, "×");
            else if (own == 2)
                es_plot_glyph(&s->axes.plot, x, y, ES_ROLE_POINT_MARK, ascii ? "#" : "●");
            else
                es_plot_glyph(&s->axes.plot, x, y, ES_ROLE_POINT_CURSOR,
                              ascii                 ? "@"
                              : app->excluded[item] ? "◇"
                                                    : "◆");
        }
}

static void label_point(const es_corr_scatter *s, size_t item, es_role role) {
    int x, y;
    dot_of(s, item, &x, &y);
    if (x < 0)
        return;
    (void)es_plot_label(&s->axes.plot, x, y, role, es_corr_name(s->app, item));
}

static bool is_point(const es_app *app, size_t item) {
    double x, y;
    return item != ES_NONE && es_corr_place(app, app->corr->task, item, &x, &y);
}

static void draw_labels(const es_corr_scatter *s) {
    const es_app *app = s->app;
    const struct es_corr *c = app->corr;
    es_corr_labels which = (es_corr_labels)app->set.corr_labels;
    size_t item[3];
    if (which == ES_LABELS_OFF)
        return;
    if (is_point(app, app->cursor))
        label_point(s, app->cursor, ES_ROLE_POINT_CURSOR);
    if (which == ES_LABELS_CURSOR)
        return;
    for (size_t k = 0; k < c->points; k++)
        if (app->marked[c->point[k]] && c->point[k] != app->cursor)
            label_point(s, c->point[k], ES_ROLE_POINT_MARK);
    for (int above = 0; above < 2; above++) {
        size_t count = es_corr_extremes(app, c->task, above == 1, 3, item);
        for (size_t k = 0; k < count; k++)
            if (item[k] != app->cursor && !app->marked[item[k]])
                label_point(s, item[k], ES_ROLE_TEXT_DIM);
    }
    for (size_t k = 0; k < c->points && which == ES_LABELS_ALL; k++) {
        bool done = c->point[k] == app->cursor || app->marked[c->point[k]];
        for (int above = 0; above < 2 && !done; above++) {
            size_t count = es_corr_extremes(app, c->task, above == 1, 3, item);
            for (size_t e = 0; e < count; e++)
                done = done || item[e] == c->point[k];
        }
        if (!done)
            label_point(s, c->point[k], ES_ROLE_TEXT_DIM);
    }
}

/* The least squares line. Drawn before the names, which keep off it. */
static void draw_line(const es_corr_scatter *s) {
    double fit, low, high, last = 0;
    for (int x = 0; x < s->axes.plot.w; x++) {
        if (!es_corr_band(s->app, es_axis_value(&s->axes.x, x), &fit, &low, &high))
            return;
        if (x > 0)
            es_plot_line(&s->axes.plot, x - 1, es_axes_y(&s->axes, last), x,
                         es_axes_y(&s->axes, fit), 1, ES_ROLE_FIT);
        last = fit;
    }
}

/* Where the line might as well be, behind points and names. */
static void draw_band(const es_corr_scatter *s) {
    int step = s->axes.plot.style == ES_PLOT_BRAILLE ? 3 : 2;
    double fit, low, high;
    for (int x = 0; x < s->axes.plot.w; x += step) {
        if (!es_corr_band(s->app, es_axis_value(&s->axes.x, x), &fit, &low, &high))
            return;
        if (!isfinite(low) || !isfinite(high))
            continue;
        es_plot_under(&s->axes.plot, x, es_axes_y(&s->axes, low), ES_ROLE_BAND);
        es_plot_under(&s->axes.plot, x, es_axes_y(&s->axes, high), ES_ROLE_BAND);
    }
}

/* Returns the ranges of both axes over the points; false: there are none. */
static bool axis_ranges(const es_app *app, es_range *x, es_range *y) {
    const struct es_corr *c = app->corr;
    *x = es_range_none(es_corr_axis_turned(app));
    *y = es_range_none(es_corr_is_turned(app, c->task));
    for (size_t k = 0; k < c->points; k++) {
        double vx, vy;
        if (!es_corr_place(app, c->task, c->point[k], &vx, &vy))
            continue;
        es_range_take(x, vx);
        es_range_take(y, vy);
    }
    return es_range_known(x);
}

/* Closer to the cursor's point, else to the middle. */
static void zoom(const es_app *app, es_range *x, es_range *y) {
    double at[2] = {(x->low + x->high) / 2, (y->low + y->high) / 2};
    double part = pow(1.5, -(double)app->set.corr_zoom) / 2;
    double w = part * (x->high - x->low), h = part * (y->high - y->low);
    if (app->set.corr_zoom == 0)
        return;
    if (app->cursor != ES_NONE)
        (void)es_corr_place(app, app->corr->task, app->cursor, &at[0], &at[1]);
    x->low = at[0] - w;
    x->high = at[0] + w;
    y->low = at[1] - h;
    y->high = at[1] + h;
}

/* Points that the zoom leaves out. */
size_t es_corr_out_of_sight(const es_app *app) {
    const struct es_corr *c = app->corr;
    es_range x, y;
    double vx, vy;
    size_t count = 0;
    if (app->set.corr_zoom == 0 || !axis_ranges(app, &x, &y))
        return 0;
    zoom(app, &x, &y);
    for (size_t k = 0; k < c->points; k++)
        count += es_corr_place(app, c->task, c->point[k], &vx, &vy) &&
                 (vx < x.low || vx > x.high || vy < y.low || vy > y.high);
    return count;
}

void es_corr_draw_scatter(const es_app *app, es_grid *grid, es_rect in) {
    es_range x, y;
    if (in.w < ES_AXES_W || in.h < ES_AXES_H || !axis_ranges(app, &x, &y))
        return;
    if (!isfinite(1.2 * (x.high - x.low)) || !isfinite(1.2 * (y.high - y.low))) {
        es_draw_empty(grid, in, "Too far apart to draw",
                      "The values reach over more than a number can hold.");
        return;
    }
    zoom(app, &x, &y);
    const es_corr_scatter s = {app, es_axes_begin(app, grid, in, x, y)};
    es_axes_draw(&s.axes);
    draw_line(&s);
    draw_points(&s);
    draw_labels(&s);
    draw_band(&s);
}
