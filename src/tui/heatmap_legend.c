/* What explains the matrix: the scale of its colours, the glyphs of its states, the pair under the
 * cursor. */
#include "heatmap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void draw_scale(const es_heatmap *m, int x, int y, int w) {
    char low[32], high[32], least[32], most[32];
    const es_limits *l = m->limits;
    es_metric_format(m->metric, l->low, 2, low, sizeof low);
    es_metric_format(m->metric, l->high, 2, high, sizeof high);
    es_metric_format(m->metric, l->least, 2, least, sizeof least);
    es_metric_format(m->metric, l->most, 2, most, sizeof most);
    if (l->known == 0) {
        es_grid_text(m->grid, x, y, ES_ROLE_TEXT_DIM, "no cell is known yet");
        return;
    }
    int at = x + es_grid_printf(m->grid, x, y, ES_ROLE_TEXT, "%s ", low), width = w >= 60 ? 16 : 10;
    for (int i = 0; i < width; i++) {
        int step = i * 255 / (width - 1);
        es_rect r = {at + i, y, 1, 1};
        es_paint p = (es_paint)((m->diverging ? ES_PAINT_DIVERGE : ES_PAINT_HEAT) + step);
        es_grid_fill(m->grid, r, ES_ROLE_TEXT, es_heatmap_ramp(step, m->grid->ascii));
        es_heatmap_fill(m->grid, r, p, p);
    }
    at += width;
    at += es_grid_printf(m->grid, at, y, ES_ROLE_TEXT, " %s", high);
    char note[96];
    if (l->robust)
        (void)snprintf(note, sizeof note,
                       w >= 60 ? "   5th to 95th percentile, clipped %s…%s" : "  p5-p95 of %s…%s",
                       least, most);
    else
        (void)snprintf(note, sizeof note, "   full range");
    if (at + es_grid_width(m->grid, note) <= x + w)
        es_grid_text(m->grid, at, y, ES_ROLE_TEXT_DIM, note);
}

/* What dimmed cells are; nothing when there are none. */
static int draw_preview_key(const es_heatmap *m, int x, int y) {
    const es_app *app = m->app;
    if (app->previews == 0)
        return 0;
    es_tile tile = {TILE_VALUE, (m->limits->low + 2 * m->limits->high) / 3, false, true, false};
    es_paint sample = es_heatmap_paint(m, &tile);
    es_rect r = {x, y, 2, 1};
    es_grid_fill(m->grid, r, ES_ROLE_TEXT_DIM, es_heatmap_ramp(170, m->grid->ascii));
    es_heatmap_fill(m->grid, r, sample, sample);
    es_heatmap_mark(m, r, sample, '~');
    return 3 + es_grid_printf(m->grid, x + 3, y, ES_ROLE_TEXT, "preview: %s  ",
                              app->source->title(app->source->context, 0));
}

void es_heatmap_draw_legend(const es_heatmap *m, es_rect in) {
    const es_app *app = m->app;
    int x = in.x + 1, y = in.y + in.h - 3, w = in.w - 2;
    char value[32], text[256];
    draw_scale(m, x, y, w);
    const char *states = m->grid->ascii ? ". pending  o running  x failed  \\ self"
                                        : "· pending  ∘ running  × failed  ╲ self";
    const char *way = app->set.transposed
                          ? "column → row: how much of the row the column simulates"
                          : "row → column: how much of the column the row simulates";
    if (es_app_lower(app))
        way = app->set.transposed ? "column → row: error of the row, lower is better"
                                  : "row → column: error of the column, lower is better";
    const char *doubt = NULL;
    if (m->metric == ES_METRIC_MEASURE) {
        states = m->grid->ascii ? ". not known  ? says little" : "· not known  ? says little";
        way = app->source->measure_caveat(app->source->context, true, app->set.matrix);
        way = way == NULL ? "" : way;
    }
    int used = m->metric == ES_METRIC_MEASURE ? 0 : draw_preview_key(m, x, y + 1);
    used += es_grid_text(m->grid, x + used, y + 1, ES_ROLE_TEXT_DIM, states);
    if (m->metric == ES_METRIC_MEASURE && used + 13 <= w)
        es_grid_field(m->grid, x + used + 3, y + 1, w - used - 3, -1, ES_ROLE_TEXT_DIM, way);
    else if (used + 3 + es_grid_width(m->grid, way) <= w)
        es_grid_text(m->grid, x + used + 3, y + 1, ES_ROLE_TEXT_DIM, way);
    if (app->cursor == ES_NONE || app->column == ES_NONE)
        return;
    size_t source = app->set.transposed ? app->column : app->cursor,
           target = app->set.transposed ? app->cursor : app->column;
    double v = es_metric_value(app, m->metric, source, target),
           se = es_metric_value(app, ES_METRIC_SE, source, target);
    es_metric_format(m->metric, v, 3, value, sizeof value);
    if (m->metric == ES_METRIC_MEASURE && source != target)
        doubt = es_measure_doubt(app, app->set.matrix, source, target);
    if (source != target && doubt != NULL)
        (void)snprintf(text, sizeof text, "%s  ? %.80s", value, doubt);
    else if (source == target)
        (void)snprintf(text, sizeof text, "self");
    else if (!isfinite(v) && m->metric == ES_METRIC_MEASURE)
        (void)snprintf(text, sizeof text, "not known");
    else if (!isfinite(v)) {
        static const char *const states_text[] = {"pending", "running", "reverse not known",
                                                  "failed"};
        (void)snprintf(text, sizeof text, "%s", states_text[es_heat_state(app, source, target)]);
    } else if (m->metric == ES_METRIC_IS && isfinite(se))
        (void)snprintf(text, sizeof text, "%s ±%.3f", value, 1.959964 * se);
    else
        (void)snprintf(text, sizeof text, "%s", value);
    if (isfinite(v) && source != target && m->metric != ES_METRIC_MEASURE &&
        es_refine_preview(app, source, target)) {
        size_t length = strlen(text);
        (void)snprintf(text + length, sizeof text - length, " preview");
    }
    int width = es_grid_width(m->grid, text);
    es_draw_pair(m->grid, x, y + 2, w - width - 2, ES_ROLE_TEXT_STRONG,
                 es_app_model(app, source)->name, es_app_model(app, target)->name);
    es_grid_text(m->grid, in.x + in.w - 1 - width, y + 2, ES_ROLE_TEXT_STRONG, text);
}
