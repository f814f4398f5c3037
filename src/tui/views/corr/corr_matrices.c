/* Matrices of measures of two embedders as small multiples, in the order of the Heatmap: each with
 * colours of its own, from its least to its largest value. The panel under the cursor can be
 * entered. */
#include <math.h>
#include <stdio.h>

#include "corr_panes.h"
#include "facts.h"
#include "matrix_cells.h"
#include "measure_columns.h"
#include "panel_grid.h"
#include "shapes.h"

enum { HEAD = 2, KEY = 8 }; /* lines above the cells; shades of the key */

typedef struct panel {
    const es_app *app;
    es_grid *grid;
    size_t k; /* the measure */
    const es_list *list;
    size_t count; /* embedders that have room */
    int wide;     /* columns of a cell; 0: two rows of the matrix share a line */
    double low, high;
} panel;

static double value_at(const panel *p, size_t row, size_t column) {
    return es_measure_of(p->app, true, p->k, p->list->item[row], p->list->item[column]);
}

static int step_of(const panel *p, double value) {
    double share = p->high > p->low ? (value - p->low) / (p->high - p->low) : 0.5;
    return (int)lround(255 * fmin(1, fmax(0, share)));
}

/* How large cells can be: two columns and a line, else a column and half a line. */
static void choose(panel *p, es_rect in) {
    size_t w = in.w > 0 ? (size_t)in.w : 0, h = in.h > 0 ? (size_t)in.h : 0;
    bool plain = p->grid->ascii || p->app->coarse; /* half blocks need colours */
    p->wide = p->list->count <= h && 2 * p->list->count <= w ? 2 : plain ? 1 : 0;
    size_t rows = p->wide > 0 ? h : 2 * h, columns = p->wide == 2 ? w / 2 : w;
    size_t most = rows < columns ? rows : columns;
    p->count = p->list->count < most ? p->list->count : most;
}

/* The diagonal, which compares an embedder with itself, has no say in the colours. */
static void find_limits(panel *p) {
    p->low = (double)INFINITY;
    p->high = -(double)INFINITY;
    for (size_t i = 0; i < p->count; i++)
        for (size_t j = 0; j < p->count; j++)
            if (i != j) {
                p->low = fmin(p->low, value_at(p, i, j));
                p->high = fmax(p->high, value_at(p, i, j));
            }
}

static es_paint paint_at(const panel *p, size_t row, size_t column) {
    double value = row < p->count ? value_at(p, row, column) : (double)NAN;
    if (row == column || !isfinite(value))
        return ES_PAINT_NONE;
    return (es_paint)(ES_PAINT_HEAT + step_of(p, value));
}

static void put_shade(const panel *p, es_rect r, int step) {
    es_grid_fill(p->grid, r, ES_ROLE_TEXT, es_heatmap_ramp(step, p->grid->ascii));
    for (int x = r.x; x < r.x + r.w; x++) {
        es_cell *cell = es_grid_at(p->grid, x, r.y);
        if (cell != NULL)
            cell->fg = cell->bg = (es_paint)(ES_PAINT_HEAT + step);
    }
}

static void put_cell(const panel *p, es_rect in, size_t row, size_t column) {
    double value = value_at(p, row, column);
    es_rect r = {in.x + (int)column * p->wide, in.y + (int)row, p->wide, 1};
    if (row == column)
        es_grid_fill(p->grid, r, ES_ROLE_TEXT_DIM, p->grid->ascii ? '\\' : 0x2572);
    else if (isfinite(value))
        put_shade(p, r, step_of(p, value));
    else
        es_grid_fill(p->grid, (es_rect){r.x, r.y, 1, 1}, ES_ROLE_CELL_PENDING, '.');
}

static void put_cells(const panel *p, es_rect in) {
    for (size_t i = 0; i<p->count; i += p->wide> 0 ? 1 : 2)
        for (size_t j = 0; j < p->count; j++)
            if (p->wide > 0)
                put_cell(p, in, i, j);
            else
                es_grid_half(p->grid, in.x + (int)j, in.y + (int)i / 2, ES_ROLE_TEXT_DIM,
                             paint_at(p, i, j), paint_at(p, i + 1, j));
}

/* Names of rows beside the cells, where there is room and each has a line. */
static void put_names(const panel *p, es_rect in) {
    enum { LEAST = 8 };
    int used = (int)p->count * p->wide + 1;
    if (p->wide == 0 || in.w - used < LEAST)
        return;
    for (size_t i = 0; i < p->count; i++)
        es_grid_field(p->grid, in.x + used, in.y + (int)i, in.w - used, -1, ES_ROLE_TEXT_DIM,
                      es_corr_name(p->app, p->list->item[i]));
}

/* "0.02 ░▒▓█ 0.98", and what has no room. */
static void put_key(const panel *p, es_rect r) {
    char low[16], high[16];
    int at = r.x + 2;
    at += es_grid_text(p->grid, at, r.y, ES_ROLE_TEXT_DIM, es_corr_brief(p->low, low)) + 1;
    for (int s = 0; s < KEY; s++, at++)
        put_shade(p, (es_rect){at, r.y, 1, 1}, 255 * s / (KEY - 1));
    at += 1 + es_grid_text(p->grid, at + 1, r.y, ES_ROLE_TEXT_DIM, es_corr_brief(p->high, high));
    if (p->app->source->measure[true][p->k].lower && at + 7 < r.x + r.w)
        at += es_grid_text(p->grid, at, r.y, ES_ROLE_TEXT_DIM, " lower");
    if (p->count < p->list->count && at + 12 < r.x + r.w)
        es_grid_printf(p->grid, at, r.y, ES_ROLE_WARNING, " first %zu/%zu", p->count,
                       p->list->count);
}

static void put_panel(panel *p, es_rect r, bool here) {
    es_role role = here ? ES_ROLE_SELECTION : ES_ROLE_TEXT_STRONG;
    es_rect in = {r.x + 2, r.y + HEAD, r.w - 3, r.h - HEAD};
    es_grid_fill(p->grid, (es_rect){r.x, r.y, r.w - 1, 1}, here ? role : ES_ROLE_BACKGROUND, ' ');
    if (here)
        es_grid_text(p->grid, r.x, r.y, role, "❯");
    es_grid_field(p->grid, r.x + 2, r.y, r.w - 3, -1, role, es_measure_title(p->app, true, p->k));
    choose(p, in);
    find_limits(p);
    if (p->low <= p->high) {
        put_key(p, (es_rect){r.x, r.y + 1, r.w, 1});
        put_cells(p, in);
        put_names(p, in);
    } else
        es_grid_text(p->grid, r.x + 2, r.y + 1, ES_ROLE_TEXT_DIM, "nothing is known yet");
}

static void draw_page(const es_app *app, es_grid *grid, es_rect in) {
    size_t across, down, panels = es_panel_matrices(app), at = es_panel_at(app);
    es_panels_fit(panels, in.w, in.h, &across, &down);
    size_t page = across * down, first = at / page * page;
    int w = in.w / (int)across, h = in.h / (int)down;
    for (size_t n = 0; n < page && first + n < panels; n++) {
        panel p = {.app = app,
                   .grid = grid,
                   .k = es_panel_matrix(app, first + n),
                   .list = &app->list[ES_LIST_HEAT]};
        put_panel(&p, (es_rect){in.x + (int)(n % across) * w, in.y + (int)(n / across) * h, w, h},
                  first + n == at);
    }
}

void es_corr_draw_matrices(const es_app *app, es_grid *grid, es_rect body) {
    size_t panels = es_panel_matrices(app);
    char right[64] = "";
    if (panels > 0)
        (void)snprintf(right, sizeof right, "%zu/%zu", es_panel_at(app) + 1, panels);
    es_rect in = es_grid_pane(grid, body, true, "Measures of two embedders", right,
                              body.w >= 76 && panels > 0
                                  ? "↵ in the heatmap · gm adds a measure · gS goes back"
                                  : "gS goes back");
    es_rect old = es_grid_clip(grid, in);
    if (panels == 0)
        es_draw_empty(grid, in, "No measure of two embedders yet",
                      "gm chooses one, such as cka; what the cells of the Heatmap can show stands "
                      "here side by side.");
    else if (!es_draw_nothing(app, grid, in))
        draw_page(app, grid, in);
    es_grid_set_clip(grid, old);
}
