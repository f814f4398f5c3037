/* What explains the matrix: the scale of its colours, the glyphs of its states, the pair under the
 * cursor. */
#include "heatmap_panes.h"
#include "app_state.h"
#include "app_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void draw_scale(const es_heatmap_view *m, int x, int y, int w) {
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
    char note[128] = "   full range";
    if (l->robust)
        (void)snprintf(note, sizeof note, "   5th to 95th percentile, clipped %s…%s", least, most);
    if (l->robust && at + es_grid_width(m->grid, note) > x + w)
        (void)snprintf(note, sizeof note, "  p5-p95 of %s…%s", least, most);
    if (at + es_grid_width(m->grid, note) <= x + w)
        es_grid_text(m->grid, at, y, ES_ROLE_TEXT_DIM, note);
}

/* ---- States ---- */

/* An entry: what a cell of that kind looks like, how many are shown, what it means. */
typedef struct es_legend_entry {
    es_tile_kind kind;
    char text[96];
} es_legend_entry;

/* As cells of this size show a value that is tentative. Returns its columns. */
static int draw_sample(const es_heatmap_view *m, int x, int y) {
    double low = m->limits->low, high = m->limits->high;
    bool measure = m->metric == ES_METRIC_MEASURE;
    es_tile tile = {
        .kind = TILE_VALUE, .value = (low + 2 * high) / 3, .preview = !measure, .caveat = measure};
    if (m->g.half) {
        es_heatmap_draw_two(m, x, y, &tile, &tile);
        return 1;
    }
    if (m->g.cell_w == 1)
        return es_grid_text(m->grid, x, y, ES_ROLE_TEXT_DIM, m->grid->ascii ? "0-9" : "▘▚▙■");
    es_heatmap_draw_value(m, (es_rect){x, y, 2, 1}, &tile);
    return 2;
}

static int sample_width(const es_heatmap_view *m) {
    return m->g.half ? 1 : m->g.cell_w > 1 ? 2 : m->grid->ascii ? 3 : 4;
}

static void entry_text(const es_heatmap_view *m, es_tile_kind kind, size_t shown, bool counted,
                       es_legend_entry *entry) {
    const es_app *app = m->app;
    bool measure = m->metric == ES_METRIC_MEASURE;
    const char *none = measure || app->source->read_only ? "not known"
                       : m->metric == ES_METRIC_IS       ? "pending"
                                                         : "no value"; /* may be known */
    const char *what = kind == TILE_SELF        ? "self"
                       : kind == TILE_DECIDED   ? "by one row"
                       : kind == TILE_SATURATED ? "at log N, saturated"
                       : kind == TILE_FAILED    ? "failed"
                       : kind == TILE_RUNNING   ? "running"
                       : kind == TILE_PENDING   ? none
                       : measure                ? "uninformative"
                       : shown == 1 && counted  ? "preview"
                                                : "previews";
    const char *whose = kind == TILE_VALUE && !measure ? es_refine_whose(app) : "";
    char number[24] = "";
    if (counted && kind != TILE_SELF)
        (void)snprintf(number, sizeof number, "%zu ", shown);
    entry->kind = kind;
    (void)snprintf(entry->text, sizeof entry->text, whose[0] == '\0' ? "%s%s" : "%s%s (%s)", number,
                   what, whose);
}

/* The kinds that are on the screen. */
static size_t entries_of(const es_heatmap_view *m, bool counted, es_legend_entry *entry,
                         int *width) {
    static const es_tile_kind kinds[] = {TILE_VALUE,   TILE_SATURATED, TILE_DECIDED, TILE_PENDING,
                                         TILE_RUNNING, TILE_FAILED,    TILE_SELF};
    size_t count = 0;
    *width = -2;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool value = kinds[i] == TILE_VALUE;
        size_t shown = value ? m->tentative : m->shown[kinds[i]];
        if (shown == 0)
            continue;
        entry_text(m, kinds[i], shown, counted, &entry[count]);
        *width += 3 + (value ? sample_width(m) : 1) + es_grid_width(m->grid, entry[count].text);
        count++;
    }
    return count;
}

/* Returns the columns used. In the overview a cell is many pairs, so it counts nothing. */
static int draw_states(const es_heatmap_view *m, int x, int y, int w) {
    es_legend_entry entry[TILE_KINDS];
    int width, at = x;
    size_t count = entries_of(m, m->g.pool == 1, entry, &width);
    if (width > w)
        count = entries_of(m, false, entry, &width);
    for (size_t i = 0; i < count; i++) {
        es_tile sign = {.kind = entry[i].kind, .value = (double)NAN};
        at += i > 0 ? 2 : 0;
        if (sign.kind == TILE_VALUE)
            at += draw_sample(m, at, y);
        else {
            es_grid_fill(m->grid, (es_rect){at, y, 1, 1}, es_heatmap_role(&sign),
                         es_heatmap_glyph(sign.kind));
            at++;
        }
        at += 1 + es_grid_text(m->grid, at + 1, y, ES_ROLE_TEXT_DIM, entry[i].text);
    }
    return at - x;
}

/* ---- The pair under the cursor, and all of it ---- */

/* How to read a cell of the estimated value itself. */
static const char *reading_of_values(const es_app *app) {
    if (app->results != NULL && app->results->remark != NULL) /* the pane names the direction */
        return app->results->remark;
    if (es_app_lower(app))
        return app->set.transposed ? "column → row: error of the row, lower is better"
                                   : "row → column: error of the column, lower is better";
    return app->set.transposed ? "column → row: how much of the row the column predicts"
                               : "row → column: how much of the column the row predicts";
}

/* How to read a cell. */
static const char *reading(const es_app *app) {
    bool turned = app->set.transposed, lower = es_app_lower(app);
    const char *caveat;
    switch (app->set.metric) {
    case ES_METRIC_MEASURE:
        caveat = app->set.matrix < app->source->measures[true]
                     ? app->source->measure[true][app->set.matrix].caveat
                     : NULL;
        return caveat == NULL ? "" : caveat;
    case ES_METRIC_SE:
        return "1.96 times this is half a 95 % interval";
    case ES_METRIC_ASYMMETRY:
        if (lower)
            return turned ? "positive if the column's error is larger"
                          : "positive if the row's error is larger";
        return turned ? "positive if the column predicts better"
                      : "positive if the row predicts better";
    case ES_METRIC_REFINED:
        return lower ? "positive if refining found a larger error"
                     : "positive if refining found more";
    case ES_METRIC_SECONDS:
        return "time to estimate the pair on one thread";
    case ES_METRIC_H_COND:
        if (lower)
            return reading_of_values(app);
        return turned ? "what the column leaves open of the row"
                      : "what the row leaves open of the column";
    default:
        return reading_of_values(app);
    }
}

/* Why a cell has no value by this metric. */
static const char *why_none(const es_app *app, es_heat_metric metric, size_t source,
                            size_t target) {
    static const char *const states[] = {
        [ES_PAIR_PENDING] = "pending", [ES_PAIR_RUNNING] = "running", [ES_PAIR_FAILED] = "failed"};
    es_pair_state state = es_app_pair_state(app, source, target);
    if (metric == ES_METRIC_MEASURE)
        return "not known";
    if (state != ES_PAIR_DONE)
        return states[state];
    if (metric == ES_METRIC_ASYMMETRY)
        return es_app_pair_state(app, target, source) == ES_PAIR_DONE
                   ? "the reverse is by another estimator"
                   : "reverse not known";
    if (metric == ES_METRIC_REFINED)
        return es_refine_preview(app, source, target) ? "a preview, not refined yet"
                                                      : "there was no preview";
    return "not known";
}

static void pair_text(const es_heatmap_view *m, size_t source, size_t target, char *out,
                      size_t capacity) {
    const es_app *app = m->app;
    bool measure = m->metric == ES_METRIC_MEASURE;
    char value[32], error[32];
    double v = es_metric_value(app, m->metric, source, target),
           se = es_metric_value(app, ES_METRIC_SE, source, target);
    const char *caveat =
        measure && source != target ? es_pair_caveat(app, app->set.matrix, source, target) : NULL;
    es_metric_format(m->metric, v, 3, value, sizeof value);
    es_format_number(1.959964 * se, 3, error, sizeof error);
    if (source == target)
        (void)snprintf(out, capacity, "self");
    else if (caveat != NULL)
        (void)snprintf(out, capacity, "%s  %s%.80s", value,
                       strcmp(caveat, ES_MEASURE_SATURATED) == 0 ? "^ " : "? ", caveat);
    else if (!isfinite(v))
        (void)snprintf(out, capacity, "%s", why_none(app, m->metric, source, target));
    else {
        bool interval = m->metric == ES_METRIC_IS && isfinite(se),
             decided = es_metric_of_rows(m->metric) &&
                       es_heat_deciding(app, source, target, NULL, NULL) != ES_NONE;
        (void)snprintf(out, capacity, "%s%s%s%s%s", value, interval ? " ±" : "",
                       interval ? error : "",
                       !measure && es_refine_preview(app, source, target) ? " preview" : "",
                       decided ? " ! by one row" : "");
    }
}

void es_heatmap_draw_legend(const es_heatmap_view *m, es_rect in) {
    const es_app *app = m->app;
    int x = in.x + 1, y = in.y + in.h - 3, w = in.w - 2;
    char text[256];
    const char *way = reading(app);
    bool caveat =
        m->metric == ES_METRIC_MEASURE || (app->results != NULL && way == app->results->remark);
    draw_scale(m, x, y, w);
    int used = draw_states(m, x, y + 1, w), at = used == 0 ? 0 : used + 3;
    const char *brief = strstr(way, ": "); /* the pane's title names the direction too */
    if (at + es_grid_width(m->grid, way) > w && brief != NULL) {
        (void)snprintf(text, sizeof text, "%.*s", (int)(brief - way), way);
        way = caveat ? text : brief + 2; /* what it comes to stands before the colon */
    }
    if (at + es_grid_width(m->grid, way) <= w)
        es_grid_text(m->grid, x + at, y + 1, ES_ROLE_TEXT_DIM, way);
    else if (caveat && at + 10 <= w) /* a caveat is better cut than left out */
        es_grid_field(m->grid, x + at, y + 1, w - at, -1, ES_ROLE_TEXT_DIM, way);
    if (app->cursor == ES_NONE || app->column == ES_NONE)
        return;
    size_t source = app->set.transposed ? app->column : app->cursor,
           target = app->set.transposed ? app->cursor : app->column;
    pair_text(m, source, target, text, sizeof text);
    int width = es_grid_width(m->grid, text);
    es_draw_pair(m->grid, x, y + 2, w - width - 2, ES_ROLE_TEXT_STRONG, es_app_name(app, source),
                 es_app_name(app, target));
    es_grid_text(m->grid, in.x + in.w - 1 - width, y + 2, ES_ROLE_TEXT_STRONG, text);
}
