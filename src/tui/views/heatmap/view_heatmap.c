/* Heatmap: the matrix of all pairs, all about its cell under the cursor, its extremes. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "heatmap_panes.h"
#include "tui_draw.h"
#include "app_state.h"
#include "app_values.h"
#include "app_lists.h"

static size_t at_most(size_t a, size_t b) {
    return a < b ? a : b;
}

es_heatmap_view es_heatmap_make(const es_app *app, es_grid *grid, es_rect in) {
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_heatmap_view m = {.app = app,
                         .grid = grid,
                         .g = es_heat_geometry(app, in),
                         .list = list,
                         .metric = app->set.metric,
                         .top = list->top,
                         .left = app->left};
    m.limits = &app->limits[m.metric];
    m.diverging = es_metric_diverging(m.metric);
    m.x = in.x + m.g.label_w;
    m.y = in.y + m.g.head_h;
    m.rows = at_most(m.g.rows, m.g.total - at_most(list->top, m.g.total));
    m.columns = at_most(m.g.columns, m.g.total - at_most(app->left, m.g.total));
    size_t row = es_select_index(app, ES_LIST_HEAT, app->cursor),
           column = es_select_index(app, ES_LIST_HEAT, app->column);
    m.row_at = row == ES_NONE || row / m.g.pool < list->top ? ES_NONE : row / m.g.pool - list->top;
    m.column_at = column == ES_NONE || column / m.g.pool < app->left
                      ? ES_NONE
                      : column / m.g.pool - app->left;
    return m;
}

/* What is shown of the matrix, and how much of it is known. Where that has no room: that names are
 * left out can be seen, and the run's line has its share too. */
static void bottom_text(const es_heatmap_view *m, bool wide, int room, char *out, size_t capacity) {
    const es_app *app = m->app;
    const es_results *r = app->results;
    bool measure = app->set.metric == ES_METRIC_MEASURE;
    size_t n = m->list->count, hidden = es_select_hidden(app);
    size_t all = measure ? r->m * (r->m - 1) : es_app_pairs(app),
           done = measure ? app->limits[ES_METRIC_MEASURE].known : r->done;
    char part[160], known[48] = "", refined[96] = "", hides[48] = "";
    const char *names = m->g.half && m->g.pool == 1 ? " · every 2nd name" : "";
    if (m->g.pool > 1)
        (void)snprintf(part, sizeof part, "overview: mean of %zu×%zu cells", m->g.pool, m->g.pool);
    else if (m->rows < n || m->columns < n)
        (void)snprintf(part, sizeof part,
                       wide ? "rows %zu–%zu, columns %zu–%zu of %zu" : "%zu–%zu, %zu–%zu of %zu",
                       m->list->top + 1, m->list->top + m->rows, app->left + 1,
                       app->left + m->columns, n);
    else
        (void)snprintf(part, sizeof part, "%zu×%zu", n, n);
    if (all > 0 && done < all)
        (void)snprintf(known, sizeof known, wide ? " · %.0f%% known" : " · %.0f%%",
                       floor(100.0 * (double)done / (double)all));
    if (app->previews > 0 && !measure)
        (void)snprintf(refined, sizeof refined,
                       wide ? " · %zu of %zu pairs refined" : " · %zu/%zu refined", app->refined,
                       r->m * (r->m - 1));
    if (hidden > 0)
        (void)snprintf(hides, sizeof hides, " · %zu hidden", hidden);
    for (int less = 0; less < 3; less++) {
        (void)snprintf(out, capacity, "%s%s%s%s%s", part, less > 0 ? "" : names,
                       less > 1 ? "" : known, refined, hides);
        if (es_grid_width(m->grid, out) <= room)
            break;
    }
}

static void make_title(const es_app *app, bool wide, char *out, size_t capacity) {
    (void)snprintf(out, capacity, "%s%s, %s",
                   !wide || app->set.metric != ES_METRIC_IS ? ""
                   : es_app_lower(app)                      ? "Reconstruction "
                                                            : "Information sufficiency ",
                   es_metric_title(app, app->set.metric),
                   app->set.transposed ? "column → row" : "row → column");
    if (out[0] >= 'a' && out[0] <= 'z' && app->set.metric != ES_METRIC_MEASURE)
        out[0] = (char)(out[0] - 'a' + 'A');
}

static void draw_matrix(const es_app *app, es_grid *grid, es_rect pane) {
    es_rect in = es_layout_inside(pane);
    const es_list *list = &app->list[ES_LIST_HEAT];
    char title[128], right[300], bottom[400] = "";
    bool focused = app->focus[app->view] == ES_PANE_MAIN, wide = pane.w >= 70;
    es_heatmap_view m = es_heatmap_make(app, grid, in);
    bool nothing = list->count == 0 || app->results == NULL;
    make_title(app, wide, title, sizeof title);
    bool awaited = app->set.order == ES_ORDER_CLUSTER
                       ? es_tree_leaves_awaited(app)
                       : app->set.order == ES_ORDER_COMMUNITY && app->tree.found == NULL &&
                             es_tree_finding(app);
    (void)snprintf(
        right, sizeof right, "%s%s %s", app->set.transposed && wide ? "transposed · " : "",
        awaited ? "finding the order:" : "order:", es_matrix_order_names[app->set.order]);
    if (app->frozen || app->order_stale)
        es_phrase_add(right, sizeof right, app->frozen ? " · frozen" : " · held");
    if (es_grid_width(grid, title) + es_grid_width(grid, right) + es_filter_width(app, grid) + 9 >
        pane.w)
        make_title(app, false, title, sizeof title);
    es_filter_mark(app, grid, pane.w, title, right, sizeof right);
    if (!nothing)
        bottom_text(&m, wide, wide ? INT_MAX : pane.w - 6, bottom, sizeof bottom);
    if (!nothing && es_grid_width(grid, bottom) + 6 > pane.w)
        bottom_text(&m, false, pane.w - 6, bottom, sizeof bottom);
    in = es_grid_pane(grid, pane, focused, title, right, bottom);
    if (in.h < 1)
        return;
    if (nothing) {
        if (!es_draw_nothing(app, grid, in))
            es_draw_no_pairs(app, grid, in, "r starts the estimation; cells fill while it runs.");
        return;
    }
    es_rect old = es_grid_clip(grid, in);
    es_heatmap_draw_cells(&m);
    es_heatmap_draw_frame(&m, in);
    es_heatmap_draw_legend(&m, in);
    es_grid_set_clip(grid, old);
}

/* In a layout without room for the extremes pane's width, the colours' scale is explained there. */
static void draw_scale_pane(const es_app *app, es_grid *grid, es_rect pane) {
    const es_limits *l = &app->limits[app->set.metric];
    char text[32];
    bool mixed = es_app_mixed(app);
    es_rect in = es_grid_pane(grid, pane, false, "Matrix", mixed ? "with previews" : NULL, NULL);
    es_pen pen = es_pen_begin(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h}, 0);
    if (l->known > 0) {
        es_metric_format(app->set.metric, l->median, 3, text, sizeof text);
        es_pen_line(&pen, ES_ROLE_TEXT, "median %s", text);
        es_metric_format(app->set.metric, l->most, 3, text, sizeof text);
        es_pen_line(&pen, ES_ROLE_TEXT, "most   %s", text);
        es_metric_format(app->set.metric, l->least, 3, text, sizeof text);
        es_pen_line(&pen, ES_ROLE_TEXT, "least  %s", text);
    }
    if (app->progress.failed > 0)
        es_pen_line(&pen, ES_ROLE_STATE_FAILED, "%zu failed, 7 lists", app->progress.failed);
    es_pen_line(&pen, ES_ROLE_TEXT_DIM,
                grid->ascii ? "Enter: all of a cell" : "↵ all about a cell");
    es_pen_end(&pen);
}

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    es_rect pane[ES_PANE_COUNT];
    memcpy(pane, layout->pane, sizeof pane);
    if (!es_app_running(app)) { /* no threads to show: the cell has their room */
        pane[ES_PANE_SIDE].h += pane[ES_PANE_THREADS].h;
        pane[ES_PANE_EXTRA].y += pane[ES_PANE_THREADS].h;
        pane[ES_PANE_THREADS].h = 0;
    }
    if (pane[ES_PANE_MAIN].w > 0)
        draw_matrix(app, grid, pane[ES_PANE_MAIN]);
    if (pane[ES_PANE_SIDE].w > 0)
        es_heatmap_inspect_cell(app, grid, pane[ES_PANE_SIDE],
                                app->focus[app->view] == ES_PANE_SIDE);
    if (pane[ES_PANE_EXTRA].h > 2 && layout->size == ES_LAYOUT_WIDE)
        es_heatmap_inspect_extremes(app, grid, pane[ES_PANE_EXTRA]);
    else if (pane[ES_PANE_EXTRA].h > 2)
        draw_scale_pane(app, grid, pane[ES_PANE_EXTRA]);
    if (pane[ES_PANE_THREADS].h > 2)
        es_draw_threads(app, grid, pane[ES_PANE_THREADS]);
}

/* Explains the signs of the cells, for the end of help. */
static const char *signs_text(const es_app *app) {
    if (app->ascii)
        return "- : ; = + * & # % @ go from low to high. Previews, which wait to be refined, and "
               "uninformative values of a measure are 0 to 9 instead; wider cells mark "
               "them with ~ and ?";
    if (app->coarse)
        return "░ ▒ ▓ █ go from low to high. Previews, which wait to be refined, and uninformative "
               "values of a measure are ▘ ▚ ▙ ■ instead; wider cells mark them with ~ "
               "and ?";
    return "Two rows of the matrix share a line, one half of it each. Previews, which wait to be "
           "refined, and uninformative values of a measure are cut to a quarter: ▟ the "
           "upper one, ▛ the lower one, ▚ both. Wider cells mark them with ~ and ?";
}

/* Writes where the cursor is, for --plain and copying. */
static bool put_place(const es_app *app, char *out, size_t capacity) {
    size_t source = app->set.transposed ? app->column : app->cursor,
           target = app->set.transposed ? app->cursor : app->column;
    char value[32];
    if (app->column == ES_NONE)
        return false;
    es_metric_format(app->set.metric, es_metric_value(app, app->set.metric, source, target), 3,
                     value, sizeof value);
    (void)snprintf(out, capacity, "%s → %s: %s %s", es_app_name(app, source),
                   es_app_name(app, target), es_metric_title(app, app->set.metric),
                   source == target ? "self" : value);
    return true;
}

const es_view es_view_heatmap = {
    .brief = "Heat",
    .draw = draw,
    .place = put_place,
    .signs = signs_text,
};
