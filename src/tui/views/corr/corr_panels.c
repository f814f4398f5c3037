/* Small multiples: every field of the measures against one task, a panel each, with the same
 * vertical scale. The panel under the cursor can be entered. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agreement.h"
#include "axes.h"
#include "by_task.h"
#include "corr_panes.h"
#include "facts.h"
#include "measure_columns.h"
#include "panel_grid.h"
#include "shapes.h"
#include "tree.h"

typedef struct sheet {
    const es_app *app;
    es_grid *grid;
    const struct es_by_task *s;
    const es_results *r;
    size_t task;     /* a column of task_columns.h */
    const double *y; /* (n) */
    es_range y_range;
} sheet;

enum { HEAD = 2 }; /* lines above the points */

static bool is_lower(const es_app *app, size_t row) {
    size_t axis = es_by_task_axis(app, row);
    bool pairwise = axis != ES_NONE && axis >= ES_AXIS_PAIRS;
    return axis != ES_NONE && axis > 0 &&
           app->source->measure[pairwise][pairwise ? axis - ES_AXIS_PAIRS : axis - 1].lower;
}

static void put_head(const sheet *v, es_rect r, size_t row) {
    const es_app *app = v->app;
    const es_correlation_report *report = &v->s->report[row * v->s->columns + v->s->column];
    es_correlation kind = es_corr_kind(app);
    bool here = row == v->s->at;
    char low[16], high[16], value[16];
    es_role role = here ? ES_ROLE_SELECTION : ES_ROLE_TEXT_STRONG;
    es_grid_fill(v->grid, (es_rect){r.x, r.y, r.w - 1, 1}, here ? role : ES_ROLE_BACKGROUND, ' ');
    if (here)
        es_grid_text(v->grid, r.x, r.y, role, "❯");
    es_grid_field(v->grid, r.x + 2, r.y, r.w - 3, -1, role, es_by_task_score(app, row));
    if (report->value[kind].why != NULL) {
        es_grid_printf(v->grid, r.x + 2, r.y + 1, ES_ROLE_TEXT_DIM, "%s - (%s)",
                       es_corr_symbol(app, kind), report->value[kind].why);
        return;
    }
    int at =
        es_grid_printf(v->grid, r.x + 2, r.y + 1, ES_ROLE_TEXT, "%s %s", es_corr_symbol(app, kind),
                       es_corr_brief(report->value[kind].value, value));
    at += r.x + 2;
    if (isfinite(report->low[kind]))
        at += es_grid_printf(v->grid, at, r.y + 1, ES_ROLE_TEXT_DIM, " [%s, %s]",
                             es_corr_brief(report->low[kind], low),
                             es_corr_brief(report->high[kind], high));
    else if (!report->few)
        at += es_grid_text(v->grid, at, r.y + 1, ES_ROLE_TEXT_DIM, " …");
    if (at + 6 < r.x + r.w)
        es_grid_printf(v->grid, at, r.y + 1, ES_ROLE_TEXT_DIM, " n %zu%s", report->n,
                       report->few ? "?" : "");
}

static void put_points(const sheet *v, const es_axes *a, const double *x) {
    const es_app *app = v->app;
    for (int pass = 0; pass < 3; pass++) /* plain, marked, cursor: later ones on top */
        for (size_t p = 0; p < v->s->n && p < v->r->m; p++) {
            size_t item = v->r->model[p], group = es_tree_group(app, item);
            int own = item == app->cursor ? 2 : app->marked[item] ? 1 : 0;
            if (own != pass || !isfinite(x[p]) || !isfinite(v->y[p]))
                continue;
            int dx = es_axes_x(a, x[p]), dy = es_axes_y(a, v->y[p]);
            if (own == 0)
                es_plot_point(&a->plot, dx, dy,
                              group == ES_NONE ? ES_ROLE_POINT : es_draw_community(app, group));
            else
                es_plot_glyph(&a->plot, dx, dy,
                              own == 1 ? ES_ROLE_POINT_MARK : ES_ROLE_POINT_CURSOR,
                              app->ascii ? (own == 1 ? "#" : "@")
                              : own == 1 ? "●"
                                         : "◆");
        }
}

/* The least squares line, once it is known. */
static void put_line(const sheet *v, const es_axes *a, size_t row) {
    const es_correlation_report *r = &v->s->report[row * v->s->columns + v->s->column];
    if (r->slope.why != NULL || r->intercept.why != NULL)
        return;
    for (int x = 1; x < a->plot.w; x++) {
        double from = es_axis_value(&a->x, x - 1), to = es_axis_value(&a->x, x);
        es_plot_line(&a->plot, x - 1, es_axes_y(a, r->intercept.value + r->slope.value * from), x,
                     es_axes_y(a, r->intercept.value + r->slope.value * to), 1, ES_ROLE_FIT);
    }
}

static void put_panel(const sheet *v, es_rect r, size_t row) {
    const double *x = v->s->value + row * v->s->n;
    es_range range = es_range_none(is_lower(v->app, row));
    es_rect in = {r.x, r.y + HEAD, r.w, r.h - HEAD};
    put_head(v, r, row);
    es_grid_click_area(v->grid, r, ES_CLICK_LINE, row);
    for (size_t p = 0; p < v->s->n; p++)
        if (isfinite(x[p]) && isfinite(v->y[p]))
            es_range_take(&range, x[p]);
    if (!es_range_known(&range) || in.w < ES_AXES_W || in.h < ES_AXES_H) {
        es_grid_text(v->grid, r.x + 2, in.y, ES_ROLE_TEXT_DIM,
                     es_range_known(&range) ? "too little room" : "nothing is known yet");
        return;
    }
    es_axes a = es_axes_begin(v->app, v->grid, in, range, v->y_range);
    es_axes_draw(&a);
    put_points(v, &a, x);
    put_line(v, &a, row);
}

static void draw_page(const sheet *v, es_rect in) {
    size_t across, down;
    es_panels_fit(v->s->k, in.w, in.h, &across, &down);
    size_t page = across * down, first = v->s->at / page * page;
    int w = in.w / (int)across, h = in.h / (int)down;
    for (size_t k = 0; k < page && first + k < v->s->k; k++)
        put_panel(v, (es_rect){in.x + (int)(k % across) * w, in.y + (int)(k / across) * h, w, h},
                  first + k);
}

/* What there is to do where there is nothing to draw. */
static const char *missing(const es_app *app) {
    return app->source->scores.tasks == 0 ? "o in Corr opens a CSV of downstream scores."
           : es_agreement_columns(app) == 0
               ? "gm chooses a measure; its fields, such as the kernels of retmmd, are the panels."
               : "r starts the estimation.";
}

void es_corr_draw_panels(const es_app *app, es_grid *grid, es_rect body) {
    const struct es_by_task *s = app->by_task;
    sheet v = {.app = app, .grid = grid, .s = s, .r = es_agreement_of(app)};
    char title[160], right[64] = "";
    bool known = s != NULL && s->k > 0 && s->panels && s->known && v.r != NULL;
    if (!known) {
        es_rect in = es_grid_pane(grid, body, true, "Small multiples", NULL, "gs goes back");
        es_draw_empty(grid, in, "Nothing to draw yet", missing(app));
        return;
    }
    v.task = es_by_task_column(app, s->column);
    v.y = s->value + (s->k + v.task) * s->n;
    v.y_range = es_range_none(es_corr_is_turned(app, v.task));
    for (size_t p = 0; p < s->n; p++)
        if (isfinite(v.y[p]))
            es_range_take(&v.y_range, v.y[p]);
    (void)snprintf(title, sizeof title, "Measures against %.80s%s", es_corr_task_name(app, v.task),
                   v.y_range.turned ? " (best on top)" : "");
    (void)snprintf(right, sizeof right, "%zu/%zu%s", s->at + 1, s->k,
                   s->settled < s->columns ? ", drawing intervals" : "");
    es_rect in = es_grid_pane(grid, body, true, title, right,
                              body.w >= 96 ? "↵ the points · t next task · K coefficient · gm adds "
                                             "a measure · n? under five · gs goes back"
                                           : "↵ the points · gs goes back");
    es_rect old = es_grid_clip(grid, in);
    if (es_range_known(&v.y_range))
        draw_page(&v, in);
    else
        es_draw_empty(grid, in, "No embedder has this task", "t takes the next one.");
    es_grid_set_clip(grid, old);
}
