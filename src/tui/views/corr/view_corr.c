/* Corr: how well the score predicts downstream tasks. Tasks on the left (corr_tasks.c), the scatter
 * on the right (corr_scatter.c), the point under the cursor below. */
#include <math.h>
#include <stdio.h>

#include "corr_panes.h"
#include "tui_panes.h"
#include "app_state.h"
#include "app_values.h"

enum { BORDER = 9 }; /* columns of a border that neither title may take */

static void draw_plot(const es_app *app, es_grid *grid, es_rect pane, bool point) {
    char title[160], right[160], bottom[160];
    es_corr_bottom(app, point, pane.w, bottom, sizeof bottom);
    const char *task = es_corr_task_name(app, app->corr->task);
    bool turned = es_corr_is_turned(app, app->corr->task);
    if (pane.w >= 60)
        (void)snprintf(title, sizeof title, "%.40s vs %.60s%s", es_corr_axis(app), task,
                       turned ? " (best on top)" : "");
    else
        (void)snprintf(title, sizeof title, "%.60s", task);
    es_corr_title(app, pane.w - 20, right, sizeof right);
    if (es_grid_width(grid, title) + es_grid_width(grid, right) > pane.w - BORDER)
        es_corr_title(app, 0, right, sizeof right);
    if (es_grid_width(grid, title) > pane.w - BORDER - es_grid_width(grid, right))
        title[0] = '\0'; /* the list says which task it is */
    es_rect in =
        es_grid_pane(grid, pane, app->focus[app->view] == ES_PANE_SIDE, title, right, bottom);
    es_rect old = es_grid_clip(grid, in);
    if (!es_corr_explain(app, grid, in))
        es_corr_draw_scatter(app, grid, in);
    es_grid_set_clip(grid, old);
}

/* ---- The point ---- */

enum { GAUGE = 19 }; /* columns */

/* The residual on the scale of all of them. */
static void draw_residual(const es_app *app, es_grid *grid, int x, int y, double own) {
    enum { HALF = (GAUGE - 3) / 2, W = 2 * HALF + 1 };
    size_t item[1], task = app->corr->task;
    double most = 0;
    for (int above = 0; above < 2; above++)
        if (es_corr_extremes(app, task, above == 1, 1, item) > 0)
            most = fmax(most, fabs(es_corr_residual(app, task, item[0])));
    if (!(most > 0))
        return;
    es_grid_text(grid, x, y, ES_ROLE_AXIS, grid->ascii ? "|" : "▏");
    es_grid_text(grid, x + 1 + HALF, y, ES_ROLE_AXIS, "·");
    es_grid_text(grid, x + 1 + W, y, ES_ROLE_AXIS, grid->ascii ? "|" : "▕");
    es_grid_text(grid, x + 1 + HALF + (int)lround(own / most * HALF), y, ES_ROLE_POINT, "●");
}

/* Who it is, in the second line; where that ends. */
static int draw_model(const es_app *app, es_grid *grid, es_rect in) {
    size_t item = app->cursor, group = es_tree_group(app, item);
    const es_model *model = es_app_model(app, item);
    int at = in.x, y = in.y + 1;
    if (model->dim > 0)
        at += es_grid_printf(grid, at, y, ES_ROLE_TEXT, "dim %zu   ", model->dim);
    if (group != ES_NONE) {
        char label[16];
        es_tree_label(app, group, label, sizeof label);
        at += es_grid_printf(grid, at, y, ES_ROLE_TEXT, "community ");
        at += es_grid_printf(grid, at, y, es_draw_community(app, group), "%s   ", label);
    }
    if (model->family != NULL)
        at += es_grid_printf(grid, at, y, ES_ROLE_TEXT, "family %s   ", model->family);
    if (app->corr->how[item] > ES_NAME_EXACT)
        at += es_grid_printf(grid, at, y, ES_ROLE_TEXT_DIM, "in %.40s: %s   ",
                             app->source->score_file,
                             app->source->scores.model[app->corr->partner[item]]);
    return at;
}

static void draw_facts(const es_app *app, es_grid *grid, es_rect in) {
    size_t task = app->corr->task, item = app->cursor;
    double x, y, residual;
    if (es_corr_selected(app) == NULL)
        return;
    if (item == ES_NONE || !es_corr_place(app, task, item, &x, &y)) {
        es_grid_text(grid, in.x, in.y, ES_ROLE_TEXT_DIM,
                     item == ES_NONE       ? "No embedder is selected."
                     : app->excluded[item] ? "Left out; x takes it back in."
                     : isfinite(app->live[item].score)
                         ? "No value for this task; h and l go to the points."
                         : "No score yet.");
        return;
    }
    char text[128], value[32];
    int at = in.x, digits = es_corr_digits(app, task), beyond = draw_model(app, grid, in);
    size_t rank_x = es_corr_rank(app, task, item, false),
           rank_y = es_corr_rank(app, task, item, true);
    at += es_grid_printf(grid, at, in.y, ES_ROLE_TEXT_STRONG, "%.24s %s", es_corr_axis(app),
                         es_corr_number(es_corr_shown_x(app, x), 3, value));
    if (rank_x > 0)
        at += es_grid_printf(grid, at, in.y, ES_ROLE_TEXT_DIM, " (rank %zu of %zu)", rank_x,
                             es_corr_selected(app)->n);
    (void)snprintf(text, sizeof text, "   %.24s %s", es_corr_task_name(app, task),
                   es_corr_number(es_corr_shown_y(app, task, y), digits, value));
    at += es_grid_text(grid, at, in.y, ES_ROLE_TEXT_STRONG, text);
    if (rank_y > 0)
        at += es_grid_printf(grid, at, in.y, ES_ROLE_TEXT_DIM, " (rank %zu)", rank_y);
    residual = es_corr_residual(app, task, item);
    if (app->excluded[item])
        es_grid_text(grid, at + 3, in.y, ES_ROLE_WARNING, "excluded: x takes it back in");
    else if (isfinite(residual)) {
        at += es_grid_printf(grid, at, in.y, ES_ROLE_TEXT, "   residual %s",
                             es_corr_signed(residual, digits, value));
        int gauge = at - GAUGE > beyond ? at - GAUGE : beyond; /* below it, if there is room */
        if (gauge + GAUGE <= in.x + in.w)
            draw_residual(app, grid, gauge, in.y + 1, residual);
    }
}

static void draw_extremes(const es_app *app, es_grid *grid, es_rect in) {
    size_t item[3], task = app->corr->task;
    char value[32];
    int half = (in.w - 19) / 2;
    const es_correlation_report *r = es_corr_selected(app);
    if (r == NULL || r->slope.why != NULL)
        return; /* there is no line */
    es_grid_text(grid, in.x, in.y, ES_ROLE_COLUMN_HEADER, "Largest residuals");
    for (int side = 0; side < 2; side++) {
        int x = in.x + 19 + side * half;
        size_t count = es_corr_extremes(app, task, side == 0, 3, item);
        es_grid_text(grid, x, in.y, ES_ROLE_TEXT_DIM,
                     side == 0 ? "better than predicted" : "worse than predicted");
        for (size_t k = 0; k < count; k++) {
            es_grid_field(grid, x, in.y + 1 + (int)k, half - 10, -1, ES_ROLE_TEXT,
                          es_corr_name(app, item[k]));
            es_grid_printf(grid, x + half - 9, in.y + 1 + (int)k,
                           side == 0 ? ES_ROLE_DELTA_UP : ES_ROLE_DELTA_DOWN, "%s",
                           es_corr_signed(es_corr_residual(app, task, item[k]),
                                          es_corr_digits(app, task), value));
        }
    }
}

static void draw_point(const es_app *app, es_grid *grid, es_rect pane) {
    es_rect in = es_grid_pane(grid, pane, false, "Point",
                              app->cursor == ES_NONE ? NULL : es_corr_name(app, app->cursor), NULL);
    es_rect old = es_grid_clip(grid, in);
    in = (es_rect){in.x + 1, in.y, in.w - 2, in.h};
    draw_facts(app, grid, in);
    if (in.h >= 7)
        draw_extremes(app, grid, (es_rect){in.x, in.y + 3, in.w, in.h - 3});
    es_grid_set_clip(grid, old);
}

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    const struct es_corr *c = app->corr;
    if (c->tasks == 0) {
        char text[700];
        if (es_app_of_file(app))
            (void)snprintf(text, sizeof text,
                           "Start with --scores FILE to see how well the scores predict them. The "
                           "file's first column is `model`, with the names of the matrix; then "
                           "comes one column a task; an empty cell is a missing score.");
        else if (app->source->scores_problem != NULL)
            (void)snprintf(text, sizeof text, "%.500s\n\no opens another CSV of scores.",
                           app->source->scores_problem);
        else
            (void)snprintf(
                text, sizeof text,
                "o opens a CSV of scores; a file scores.csv in %s is found by itself. Its "
                "first column is `model`, with the embedders' names; then comes one "
                "column a task; an empty cell is a missing score.",
                app->source->path);
        es_rect in = es_grid_pane(grid, layout->body, true, "Correlation", NULL, NULL);
        es_draw_empty(grid, in,
                      app->source->scores_problem != NULL ? "The scores are not used"
                                                          : "No downstream scores",
                      text);
        return;
    }
    if (layout->pane[ES_PANE_MAIN].w > 0)
        es_corr_draw_tasks(app, grid, layout->pane[ES_PANE_MAIN]);
    if (layout->pane[ES_PANE_SIDE].w > 0)
        draw_plot(app, grid, layout->pane[ES_PANE_SIDE], layout->pane[ES_PANE_EXTRA].w == 0);
    if (layout->pane[ES_PANE_EXTRA].w > 0)
        draw_point(app, grid, layout->pane[ES_PANE_EXTRA]);
}

const es_view es_view_corr = {
    .brief = "Corr",
    .draw = draw,
};
