/* How measures agree: each one against the score and downstream, all against all, and what the one
 * under the cursor is like. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agreement.h"
#include "corr_panes.h"
#include "phrase.h"
#include "shapes.h"
#include "facts.h"
#include "number_text.h"

enum { TAU = 22, RHO = 22, AHEAD = 22, STRIP = 15, COUNT = 4, CELL = 7 };

typedef struct agree_view {
    const es_app *app;
    es_grid *grid;
    const struct es_agree_state *s;
    const es_agreement *a;
} agree_view;

/* "0.52 [ .31, .70]", with what is not there yet as dots. */
static void put_value(const agree_view *v, int x, int y, int w, es_role role, es_stat stat,
                      double low, double high, bool sign) {
    char text[48], number[16];
    if (stat.why != NULL) {
        es_grid_field(v->grid, x, y, w, -1, role == ES_ROLE_TEXT ? ES_ROLE_TEXT_DIM : role, "  -");
        return;
    }
    (void)snprintf(number, sizeof number, sign ? "%+5.2f" : "%5.2f", es_rounded_off(stat.value, 2));
    int used =
        es_grid_text(v->grid, x, y, role == ES_ROLE_TEXT ? ES_ROLE_TEXT_STRONG : role, number);
    if (isfinite(low))
        (void)snprintf(text, sizeof text, " [%5.2f,%5.2f]", es_rounded_off(low, 2),
                       es_rounded_off(high, 2));
    else
        (void)snprintf(text, sizeof text, v->s->whole ? "" : " [  …  ,  …  ]");
    if (used < w)
        es_grid_field(v->grid, x + used, y, w - used, -1,
                      role == ES_ROLE_TEXT ? ES_ROLE_INTERVAL : role, text);
}

/* ---- The table ---- */

static const char *title_of(const agree_view *v, size_t column) {
    return es_agreement_title(v->app, column);
}

/* From -1 to 1: the interval and the value on it. */
static void draw_strip(const agree_view *v, es_rect r, es_role role,
                       const es_correlation_report *c) {
    double value = c->value[ES_SPEARMAN].value, low = c->low[ES_SPEARMAN],
           high = c->high[ES_SPEARMAN], scale = (r.w - 1) / 2.0;
    bool plain = role != ES_ROLE_TEXT;
    es_grid_text(v->grid, r.x + (r.w - 1) / 2, r.y, plain ? role : ES_ROLE_AXIS,
                 v->grid->ascii ? "|" : "│");
    if (isfinite(low)) {
        int from = (int)lround((low + 1) * scale), to = (int)lround((high + 1) * scale);
        es_grid_fill(v->grid, (es_rect){r.x + from, r.y, to - from + 1, 1},
                     plain ? role : ES_ROLE_INTERVAL, 0x2500);
    }
    if (isfinite(value))
        es_grid_text(v->grid, r.x + (int)lround((value + 1) * scale), r.y,
                     plain ? role : ES_ROLE_POINT, "●");
}

static void draw_line(const agree_view *v, es_rect r, size_t column, int name, bool here) {
    const es_agreement *a = v->a;
    const es_agreement_cell *cell = &a->cell[column];
    es_role role = here ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
    char text[16];
    int x = r.x + 2 + name, end = r.x + r.w;
    es_grid_fill(v->grid, r, role, ' ');
    if (here)
        es_grid_text(v->grid, r.x, r.y, role, "❯");
    es_grid_field(v->grid, r.x + 2, r.y, name - 1, -1, role, title_of(v, column));
    bool downstream = a->against != NULL && a->against[column].n > 0; /* those that count there */
    (void)snprintf(text, sizeof text, "%zu",
                   downstream ? a->against[column].n : a->cell[column * a->k + column].n);
    es_grid_field(v->grid, x, r.y, COUNT - 1, 1, here ? role : ES_ROLE_TEXT_DIM, text);
    x += COUNT;
    if (a->against != NULL && x + RHO <= end) {
        const es_correlation_report *report = &a->against[column];
        if (report->n > 0 || report->value[ES_SPEARMAN].why != NULL)
            put_value(v, x, r.y, RHO, role, report->value[ES_SPEARMAN], report->low[ES_SPEARMAN],
                      report->high[ES_SPEARMAN], false);
        x += RHO;
        if (x + AHEAD <= end && column > 0 && report->n > 0) {
            const es_agreement_cell *ahead = &a->ahead[column];
            es_role own = here              ? role
                          : ahead->low > 0  ? ES_ROLE_DELTA_UP
                          : ahead->high < 0 ? ES_ROLE_DELTA_DOWN
                                            : ES_ROLE_TEXT;
            put_value(v, x, r.y, AHEAD, own, ahead->tau, ahead->n > 0 ? ahead->low : (double)NAN,
                      ahead->high, true);
        }
        x += x + AHEAD <= end ? AHEAD : 0;
    }
    if (x + TAU <= end && column > 0)
        put_value(v, x, r.y, TAU, role, cell->tau, cell->low, cell->high, false);
    x += TAU + 2;
    if (a->against != NULL && x + STRIP <= end && a->against[column].n > 0)
        draw_strip(v, (es_rect){x, r.y, (end - x - 1) | 1, 1}, role, &a->against[column]);
    es_grid_click_area(v->grid, r, ES_CLICK_LINE, column);
}

static void draw_head(const agree_view *v, es_rect r, int name) {
    int x = r.x + 2 + name, end = r.x + r.w;
    char downstream[64], text[96];
    es_grid_fill(v->grid, r, ES_ROLE_COLUMN_HEADER, ' ');
    es_grid_text(v->grid, r.x + 2, r.y, ES_ROLE_COLUMN_HEADER, "measure");
    es_grid_field(v->grid, x, r.y, COUNT - 1, 1, ES_ROLE_COLUMN_HEADER, "n");
    x += COUNT;
    if (v->a->against != NULL && x + RHO <= end) {
        es_agreement_downstream(v->app, downstream, sizeof downstream);
        (void)snprintf(text, sizeof text, "%s %.40s", v->app->ascii ? "rho" : "ρ", downstream);
        es_grid_field(v->grid, x + 1, r.y, RHO - 2, -1, ES_ROLE_COLUMN_HEADER, text);
        x += RHO;
        if (x + AHEAD <= end) {
            (void)snprintf(text, sizeof text, "ahead of %s", title_of(v, 0));
            es_grid_field(v->grid, x + 1, r.y, AHEAD - 2, -1, ES_ROLE_COLUMN_HEADER, text);
            x += AHEAD;
        }
    }
    if (x + TAU <= end) {
        (void)snprintf(text, sizeof text, "%s with %s", v->app->ascii ? "tau" : "τ",
                       title_of(v, 0));
        es_grid_field(v->grid, x + 1, r.y, TAU - 2, -1, ES_ROLE_COLUMN_HEADER, text);
    }
    x += TAU + 2;
    if (v->a->against != NULL && x + STRIP <= end) {
        int w = (end - x - 1) | 1;
        es_grid_text(v->grid, x, r.y, ES_ROLE_COLUMN_HEADER, "-1");
        es_grid_text(v->grid, x + (w - 1) / 2, r.y, ES_ROLE_COLUMN_HEADER,
                     v->app->ascii ? "rho" : "ρ");
        es_grid_text(v->grid, x + w - 1, r.y, ES_ROLE_COLUMN_HEADER, "1");
    }
}

static void draw_table(const agree_view *v, es_rect pane) {
    size_t k = v->a->k, at = v->s->at;
    char right[64], bottom[80];
    (void)snprintf(right, sizeof right, "95%% each%s",
                   v->s->whole && v->s->work == NULL ? "" : ", drawing");
    (void)snprintf(bottom, sizeof bottom, "%sgm adds a measure · ga goes back",
                   es_corr_controls(v->app) > 0 ? "without controls · " : "");
    es_rect in = es_grid_pane(v->grid, pane, true, "Agreement of measures",
                              pane.w >= 70 ? right : NULL, bottom);
    int longest = 9;
    for (size_t c = 0; c < k; c++) {
        int w = es_name_width(title_of(v, c));
        longest = w > longest ? w : longest;
    }
    int room = in.w - 2 - COUNT - RHO, name = longest + 1 < 28 ? longest + 1 : 28;
    name = name < room ? name : room > 8 ? room : 8;
    es_rect old = es_grid_clip(v->grid, in);
    draw_head(v, (es_rect){in.x, in.y, in.w, 1}, name);
    size_t page = in.h > 1 ? (size_t)in.h - 1 : 1, top = at >= page ? at + 1 - page : 0;
    for (size_t y = 0; y < page && top + y < k; y++)
        draw_line(v, (es_rect){in.x, in.y + 1 + (int)y, in.w, 1}, top + y, name, top + y == at);
    es_grid_set_clip(v->grid, old);
}

/* ---- All against all ---- */

static void draw_tau(const agree_view *v, es_rect r, es_stat tau, bool here) {
    char text[16];
    if (tau.why != NULL) {
        es_grid_field(v->grid, r.x, r.y, r.w, 0, ES_ROLE_CELL_PENDING, "·");
        return;
    }
    int step = (int)lround((tau.value + 1) / 2 * 255);
    (void)snprintf(text, sizeof text, "%.2f", es_rounded_off(tau.value, 2));
    es_grid_field(v->grid, r.x, r.y, r.w, 0, here ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT, text);
    for (int x = r.x; x < r.x + r.w; x++) {
        es_cell *cell = es_grid_at(v->grid, x, r.y);
        if (cell == NULL)
            continue;
        cell->bg = (es_paint)(ES_PAINT_DIVERGE + step); /* the back end chooses what can be read */
    }
}

static void draw_matrix(const agree_view *v, es_rect pane) {
    size_t k = v->a->k, at = v->s->at;
    int widest = 0;
    for (size_t c = 0; c < k; c++) {
        int w = es_name_width(title_of(v, c));
        widest = w > widest ? w : widest;
    }
    int label = widest + 2 < 18 ? widest + 2 : 18, fit_w = (pane.w - 3 - label) / CELL,
        fit_h = pane.h - 3;
    size_t fit = fit_w < 1 || fit_h < 1 ? 0 : (size_t)(fit_w < fit_h ? fit_w : fit_h);
    char bottom[64] = "";
    fit = fit < k ? fit : k;
    int cell = widest + 1 > CELL ? widest + 1 : CELL; /* heads are whole where there is room */
    int most = fit < 1 ? CELL : (pane.w - 3 - label) / (int)fit;
    cell = cell < most ? cell : most;
    if (fit < k)
        (void)snprintf(bottom, sizeof bottom, "%zu of %zu have room", fit, k);
    es_rect in = es_grid_pane(v->grid, pane, false,
                              v->app->ascii ? "All against all: Kendall's tau"
                                            : "All against all: Kendall's τ",
                              NULL, bottom);
    es_rect old = es_grid_clip(v->grid, in);
    size_t top = at >= fit && fit > 0 ? at + 1 - fit : 0;
    for (size_t c = 0; c < fit; c++)
        es_grid_field(v->grid, in.x + 1 + label + (int)c * cell, in.y, cell - 1, 0,
                      top + c == at ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT_DIM, title_of(v, top + c));
    for (size_t r = 0; r < fit; r++) {
        int y = in.y + 1 + (int)r;
        es_grid_field(v->grid, in.x + 1, y, label - 1, -1,
                      top + r == at ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT, title_of(v, top + r));
        for (size_t c = 0; c < fit; c++)
            draw_tau(v, (es_rect){in.x + 1 + label + (int)c * cell, y, cell - 1, 1},
                     v->a->cell[(top + r) * k + top + c].tau, top + r == at || top + c == at);
    }
    es_grid_set_clip(v->grid, old);
}

/* ---- The measure under the cursor ---- */

static void draw_best(const agree_view *v, es_pen *pen, size_t column) {
    const es_results *r = es_agreement_of(v->app);
    char names[400] = "";
    for (uint32_t rank = 1; rank <= 3; rank++)
        for (size_t p = 0; p < v->a->n && r != NULL && p < r->m; p++)
            if (v->a->rank[column * v->a->n + p] == rank && strlen(names) < 300)
                es_phrase_add(names, sizeof names, "%s%.60s", names[0] != '\0' ? ", " : "",
                              es_app_name(v->app, r->model[p]));
    es_pen_item(pen, ES_ROLE_TEXT_DIM, " ", ES_ROLE_TEXT, "best: %s",
                names[0] != '\0' ? names : "-");
}

static void draw_detail(const agree_view *v, es_rect pane) {
    size_t k = v->a->k, at = v->s->at;
    es_rect in =
        es_grid_pane(v->grid, pane, false, title_of(v, at), NULL,
                     es_agreement_axis(v->app, at) != ES_NONE ? "↵ as the score of Corr" : NULL);
    es_pen pen = es_pen_begin(v->grid, (es_rect){in.x, in.y, in.w - 1, in.h}, 0);
    if (es_agreement_is_pairwise(v->app, at))
        es_pen_item(&pen, ES_ROLE_TEXT_DIM, " ", ES_ROLE_TEXT_DIM,
                    "of pairs: the median over the other embedders");
    draw_best(v, &pen, at);
    es_pen_line(&pen, ES_ROLE_TEXT, NULL);
    es_grid_printf(v->grid, in.x + 2, pen.y++, ES_ROLE_COLUMN_HEADER, "%s with",
                   v->app->ascii ? "tau" : "τ");
    for (size_t c = 0; c < k && pen.y < in.y + in.h; c++) {
        const es_agreement_cell *cell = &v->a->cell[at * k + c];
        int name = in.w - 2 - TAU;
        if (c == at)
            continue;
        es_grid_field(v->grid, in.x + 2, pen.y, name - 1, -1, ES_ROLE_TEXT, title_of(v, c));
        put_value(v, in.x + 2 + name, pen.y++, TAU - 1, ES_ROLE_TEXT, cell->tau, cell->low,
                  cell->high, false);
    }
    es_pen_end(&pen);
}

void es_corr_draw_agreement(const es_app *app, es_grid *grid, es_rect body) {
    const struct es_agree_state *s = app->agree;
    if (s == NULL || s->known == NULL) {
        es_rect in = es_grid_pane(grid, body, true, "Agreement of measures", NULL, NULL);
        es_draw_empty(grid, in, "Nothing is known yet",
                      "r starts the estimation; gm chooses a measure to compute.");
        return;
    }
    const agree_view v = {app, grid, s, es_agreer_report(s->known)};
    int k = (int)(v.a->k < 99 ? v.a->k : 99), table = k + 3;
    bool two = body.w >= 110;
    table = body.h - table >= 7 ? table : body.h >= 20 ? body.h - 9 : body.h;
    draw_table(&v, (es_rect){body.x, body.y, body.w, table});
    if (body.h - table < 5)
        return;
    int left = two ? body.w * 11 / 20 : body.w;
    draw_matrix(&v, (es_rect){body.x, body.y + table, left, body.h - table});
    if (two)
        draw_detail(&v, (es_rect){body.x + left, body.y + table, body.w - left, body.h - table});
}
