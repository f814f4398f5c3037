/* The heatmap's inspectors: the cell under the cursor, the extremes of the matrix. */
#include <math.h>
#include <stdio.h>

#include "heatmap_panes.h"
#include "tui_draw.h"
#include "app_dialogs.h"
#include "app_state.h"
#include "app_values.h"
#include "app_lists.h"

static const char *name_of(const es_app *app, size_t item) {
    return es_app_name(app, item);
}

/* Another value of the source, or of the target, by item; NaN: not known, or of another estimator,
 * beside which this one says nothing. */
static double beside(const es_app *app, size_t source, size_t target, bool of_source, size_t item) {
    size_t s = of_source ? source : item, t = of_source ? item : target;
    return es_refine_entry(app, s, t) == es_refine_entry(app, source, target)
               ? es_metric_value(app, ES_METRIC_IS, s, t)
               : (double)NAN;
}

/* Place of a value among these; 1 = largest, of errors smallest. */
static size_t place_in(const es_app *app, size_t source, size_t target, bool of_source,
                       size_t *of) {
    double own = es_metric_value(app, ES_METRIC_IS, source, target);
    size_t place = 1;
    *of = 0;
    for (size_t i = 0; i < app->n; i++) {
        double v = beside(app, source, target, of_source, i);
        *of += isfinite(v) ? 1 : 0;
        place += isfinite(v) && (es_app_lower(app) ? v < own : v > own);
    }
    return place;
}

/* Other cells of the row or column with the closest values. */
static void draw_nearest(const es_app *app, es_pen *pen, size_t source, size_t target,
                         bool along_row) {
    double own = es_metric_value(app, ES_METRIC_IS, source, target);
    bool of_source = along_row != app->set.transposed;
    size_t used[3] = {ES_NONE, ES_NONE, ES_NONE};
    es_pen_line(pen, ES_ROLE_TEXT_DIM,
                along_row ? "Nearest value in row" : "Nearest value in column");
    for (int k = 0; k < 3; k++) {
        double best = (double)INFINITY;
        for (size_t i = 0; i < app->n; i++) {
            double v = beside(app, source, target, of_source, i);
            bool self = of_source ? i == target : i == source;
            if (isfinite(v) && !self && i != used[0] && i != used[1] && fabs(v - own) < best) {
                best = fabs(v - own);
                used[k] = i;
            }
        }
        if (used[k] == ES_NONE)
            return;
        double v = beside(app, source, target, of_source, used[k]);
        es_grid_field(pen->grid, pen->rect.x + 2, pen->y, pen->rect.w - 11, -1, ES_ROLE_TEXT,
                      name_of(app, used[k]));
        char text[32];
        es_metric_format(ES_METRIC_IS, v, 3, text, sizeof text);
        es_grid_field(pen->grid, pen->rect.x + pen->rect.w - 8, pen->y, 7, 1, ES_ROLE_TEXT, text);
        pen->y++;
    }
}

/* None where the number beside them is shown as 0. */
static void arrows(const es_app *app, double asymmetry, char *out, size_t capacity) {
    const es_limits *limits = &app->limits[ES_METRIC_IS];
    double most = limits->known > 0 ? fabs(limits->most) : 0;
    int count = most > 0 ? 1 + (int)fmin(fabs(asymmetry) / most * 5, 4) : 1;
    const char *arrow = asymmetry < 0 ? "◀" : "▶";
    out[0] = '\0';
    for (int i = 0; i < count && fabs(asymmetry) >= 0.0005; i++)
        es_phrase_add(out, capacity, "%s", arrow);
}

/* Fewer decimals for larger numbers, as in the matrix. */
static es_figure figure(double value, int digits) {
    es_figure out = {{0}};
    es_metric_format(ES_METRIC_IS, value, digits, out.text, sizeof out.text);
    return out;
}

/* Half the width of a 95 % interval. */
static es_figure error_of(double se) {
    return figure(1.959964 * se, 3);
}

/* Pairs of small pools take milliseconds. */
static es_figure duration(double seconds) {
    es_figure out;
    if (seconds < 0.0995)
        (void)snprintf(out.text, sizeof out.text, "%.2g ms", seconds * 1000);
    else {
        es_figure number = es_figure_of(seconds, 2);
        (void)snprintf(out.text, sizeof out.text, "%.28s s", number.text);
    }
    return out;
}

/* Which estimator says so, and what it says where there is nothing to know. */
static void draw_origin(const es_app *app, es_pen *pen, size_t source, size_t target, bool wide) {
    size_t entry = es_refine_entry(app, source, target);
    const char *title = entry == ES_NONE ? "matrix" : app->source->title[entry];
    bool preview = es_refine_preview(app, source, target);
    double se, zero = es_heat_null(app, source, target, &se),
               seconds = es_metric_value(app, ES_METRIC_SECONDS, source, target);
    if (isfinite(zero) && wide)
        es_pen_line(pen, ES_ROLE_TEXT, "zero line  %s ±%s   rows shuffled", figure(zero, 3).text,
                    error_of(se).text);
    else if (isfinite(zero))
        es_pen_line(pen, ES_ROLE_TEXT, "zero %s", figure(zero, 3).text);
    if (wide && isfinite(seconds))
        es_pen_line(pen, ES_ROLE_TEXT, "time       %s   %s%s", duration(seconds).text, title,
                    preview ? ", preview" : "");
    else if (preview)
        es_pen_line(pen, ES_ROLE_TEXT_DIM, "preview: %s", title);
}

/* The value, with its interval where it has one. A matrix from a file tells the values alone. */
static void draw_value(const es_app *app, es_pen *pen, size_t source, size_t target, bool wide) {
    const es_model *t = es_app_model(app, target);
    double is = es_metric_value(app, ES_METRIC_IS, source, target),
           se = es_metric_value(app, ES_METRIC_SE, source, target),
           h = es_metric_value(app, ES_METRIC_H_COND, source, target);
    double low = is - 1.959964 * se, high = is + 1.959964 * se;
    size_t dim = t->dim_used > 0 ? t->dim_used : t->dim;
    bool error = es_app_lower(app);
    const char *what = error ? "error     " : "IS/d      ";
    if (!isfinite(se) || !isfinite(h))
        es_pen_line(pen, ES_ROLE_TEXT_STRONG, "%s%s%s", wide ? what : "", wide ? " " : "",
                    figure(is, 3).text);
    else if (wide)
        es_pen_line(pen, ES_ROLE_TEXT_STRONG, "%s %s   95%% [%s, %s]", what, figure(is, 3).text,
                    figure(low, 3).text, figure(high, 3).text);
    else
        es_pen_line(pen, ES_ROLE_TEXT_STRONG, "%s ±%s", figure(is, 3).text, error_of(se).text);
    if (error || !isfinite(se) || !isfinite(h))
        return;
    if (wide)
        es_pen_line(pen, ES_ROLE_TEXT, "IS         %s nats  H %s  H(V|U) %s",
                    es_figure_of(is * (double)dim, 0).text, figure(h + is, 2).text,
                    figure(h, 2).text);
    else
        es_pen_line(pen, ES_ROLE_TEXT, "H(V|U)/d %s", figure(h, 3).text);
}

/* A value that is the doing of one row, and what it is without it. */
static void draw_deciding(const es_app *app, es_pen *pen, size_t source, size_t target, bool wide) {
    size_t entry;
    double without;
    es_source_row row = {0};
    size_t value = es_heat_deciding(app, source, target, &entry, &without);
    if (value == ES_NONE)
        return;
    bool known =
        app->source->row != NULL && app->source->row(app->source->context, entry, value, &row);
    if (wide && known)
        es_pen_line(pen, ES_ROLE_WARNING, "! one row decides this: %zu%s%s", row.number,
                    row.id[0] != '\0' ? ", " : "", row.id);
    else if (known)
        es_pen_line(pen, ES_ROLE_WARNING, "! by row %zu", row.number);
    else
        es_pen_line(pen, ES_ROLE_WARNING, wide ? "! one row decides this" : "! by one row");
    es_pen_line(pen, ES_ROLE_WARNING, wide ? "  without it %s" : "  else %s",
                figure(without, 3).text);
}

/* Even the target itself would not score higher. */
static void draw_copy(const es_app *app, es_pen *pen, size_t source, size_t target, bool wide) {
    double is;
    if (!es_heat_copy_low(app, source, target, &is))
        return;
    es_pen_line(pen, ES_ROLE_WARNING, wide ? "a copy of it scores only %s" : "copy only %s",
                figure(is, 2).text);
}

/* What there was to see before it was refined. */
static void draw_refinement(const es_app *app, es_pen *pen, size_t source, size_t target,
                            bool wide) {
    double gain = es_metric_value(app, ES_METRIC_REFINED, source, target),
           is = es_metric_value(app, ES_METRIC_IS, source, target);
    char change[32];
    if (!isfinite(gain) || !wide || es_refine_preview(app, source, target))
        return;
    es_metric_format(ES_METRIC_REFINED, gain, 3, change, sizeof change);
    es_pen_line(pen, ES_ROLE_TEXT, "preview    %s   refined by %s", figure(is - gain, 3).text,
                change);
}

/* A measure of the pair, where the matrix shows one. */
static void draw_measure(const es_app *app, es_pen *pen, size_t source, size_t target, bool wide) {
    double value = es_metric_value(app, ES_METRIC_MEASURE, source, target);
    if (app->set.metric != ES_METRIC_MEASURE || source == target)
        return;
    const char *title = es_metric_title(app, ES_METRIC_MEASURE),
               *caveat = es_pair_caveat(app, app->set.matrix, source, target);
    if (isfinite(value))
        es_pen_line(pen, ES_ROLE_TEXT_STRONG, wide ? "%-10s %s%s" : "%s %s%s", title,
                    figure(value, 3).text, caveat != NULL ? "  ?" : "");
    else
        es_pen_line(pen, ES_ROLE_TEXT_DIM, wide ? "%-10s %s" : "%s %s", title,
                    caveat != NULL ? caveat : "not known");
}

static void draw_known(const es_app *app, es_pen *pen, size_t source, size_t target, bool wide) {
    double is = es_metric_value(app, ES_METRIC_IS, source, target),
           back = es_metric_value(app, ES_METRIC_IS, target, source);
    bool turned = app->set.transposed;
    size_t in_row, in_column, row = place_in(app, source, target, !turned, &in_row),
                              column = place_in(app, source, target, turned, &in_column),
                              entry = es_refine_entry(app, target, source);
    char mark[32] = "", reverse[32], skew[32];
    es_metric_format(ES_METRIC_IS, back, 3, reverse, sizeof reverse);
    es_metric_format(ES_METRIC_ASYMMETRY, is - back, 3, skew, sizeof skew);
    draw_value(app, pen, source, target, wide);
    draw_deciding(app, pen, source, target, wide);
    draw_copy(app, pen, source, target, wide);
    if (isfinite(back) && entry != es_refine_entry(app, source, target)) {
        es_pen_line(pen, ES_ROLE_TEXT, wide ? "reverse    %s   %s%s" : "rev. %s %s%s", reverse,
                    app->source->title[entry],
                    wide && es_refine_preview(app, target, source) ? ", preview" : "");
    } else if (isfinite(back)) {
        arrows(app, is - back, mark, sizeof mark);
        if (wide)
            es_pen_line(pen, ES_ROLE_TEXT, "reverse    %s   asymmetry %s %s", reverse, skew, mark);
        else {
            es_pen_line(pen, ES_ROLE_TEXT, "reverse %s", reverse);
            es_pen_line(pen, ES_ROLE_TEXT, "asym %s %s", skew, mark);
        }
    } else
        es_pen_line(pen, ES_ROLE_TEXT_DIM, wide ? "reverse    not known yet" : "reverse ?");
    draw_refinement(app, pen, source, target, wide);
    bool narrow = in_row >= 100 || in_column >= 100;   /* its numbers would be cut */
    bool other = app->set.metric == ES_METRIC_MEASURE; /* than cells show */
    const char *by = other ? "IS: " : "";
    if (wide)
        es_pen_line(pen, ES_ROLE_TEXT, "%s row %zu/%zu · column %zu/%zu",
                    other ? "rank by IS" : "rank      ", row, in_row, column, in_column);
    else if (narrow && in_row == in_column)
        es_pen_line(pen, ES_ROLE_TEXT, "%srow %zu col %zu of %zu", by, row, column, in_row);
    else
        es_pen_line(pen, ES_ROLE_TEXT, "%srow %zu/%zu col %zu/%zu", by, row, in_row, column,
                    in_column);
    draw_origin(app, pen, source, target, wide);
    es_pen_line(pen, ES_ROLE_TEXT, NULL);
    draw_nearest(app, pen, source, target, true);
    if (wide)
        draw_nearest(app, pen, source, target, false);
}

void es_heatmap_inspect_cell(const es_app *app, es_grid *grid, es_rect pane, bool focused) {
    bool t = app->set.transposed, wide = pane.w >= 40;
    es_list_id id = ES_LIST_HEAT;
    size_t row = es_select_index(app, id, app->cursor),
           column = es_select_index(app, id, app->column);
    char right[48] = "";
    if (row != ES_NONE && column != ES_NONE)
        (void)snprintf(right, sizeof right, wide ? "row %zu, column %zu" : "%zu,%zu", row + 1,
                       column + 1);
    es_rect in = es_grid_pane(grid, pane, focused, "Cell", right, NULL);
    if (row == ES_NONE || column == ES_NONE || in.w < 6 || in.h < 1)
        return;
    size_t source = t ? app->column : app->cursor, target = t ? app->cursor : app->column;
    es_pair_state state = es_app_pair_state(app, source, target);
    es_pen pen = es_pen_begin(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h},
                              app->pane_top[ES_VIEW_HEATMAP][ES_PANE_SIDE]);
    if (wide) {
        es_draw_pair(grid, pen.rect.x, pen.y++, pen.rect.w, ES_ROLE_TEXT_STRONG,
                     name_of(app, source), name_of(app, target));
        if (es_app_model(app, source)->dim > 0)
            es_pen_line(&pen, ES_ROLE_TEXT_DIM, "%zu d → %zu d", es_app_model(app, source)->dim,
                        es_app_model(app, target)->dim);
        es_pen_line(&pen, ES_ROLE_TEXT, NULL);
    } else {
        es_pen_line(&pen, ES_ROLE_TEXT_STRONG, "%s", name_of(app, source));
        es_pen_line(&pen, ES_ROLE_TEXT_STRONG, "→ %s", name_of(app, target));
    }
    draw_measure(app, &pen, source, target, wide);
    if (source == target)
        es_pen_item(&pen, ES_ROLE_CELL_SELF, "╲", ES_ROLE_TEXT, "itself; does not count");
    else if (state == ES_PAIR_DONE)
        draw_known(app, &pen, source, target, wide);
    else if (app->set.metric == ES_METRIC_MEASURE) /* the cell waits for nothing */
        es_pen_line(&pen, ES_ROLE_TEXT_DIM, wide ? "IS/d       not known yet" : "IS/d ?");
    else if (state == ES_PAIR_FAILED) {
        const es_results *r = app->results;
        const char *reason = r->reason[app->position[source] * r->m + app->position[target]];
        es_pen_item(&pen, ES_ROLE_CELL_FAILED, "×", ES_ROLE_STATE_FAILED, "%s",
                    reason == NULL ? "failed" : reason);
    } else
        es_pen_item(&pen, ES_ROLE_CELL_PENDING, state == ES_PAIR_RUNNING ? "▶" : "·", ES_ROLE_TEXT,
                    "%s", state == ES_PAIR_RUNNING ? "running now" : es_note_why_pending(app));
    es_pen_end(&pen);
}

static void draw_extreme(const es_app *app, es_pen *pen, const char *what, const es_extreme *pair,
                         es_heat_metric metric) {
    char value[32];
    if (pair->source == ES_NONE)
        return;
    bool preview =
        app->set.metric != ES_METRIC_MEASURE && es_refine_preview(app, pair->source, pair->target);
    value[0] = '~'; /* as in the matrix */
    es_metric_format(metric, pair->value, 3, value + preview, sizeof value - preview);
    es_grid_text(pen->grid, pen->rect.x, pen->y, ES_ROLE_TEXT_DIM, what);
    es_draw_pair(pen->grid, pen->rect.x + 8, pen->y, pen->rect.w - 16, ES_ROLE_TEXT,
                 name_of(app, pair->source), name_of(app, pair->target));
    es_grid_field(pen->grid, pen->rect.x + pen->rect.w - 7, pen->y, 7, 1, ES_ROLE_TEXT, value);
    pen->y++;
}

void es_heatmap_inspect_extremes(const es_app *app, es_grid *grid, es_rect pane) {
    const es_summary *sum = &app->summary;
    es_heat_metric metric = app->set.metric;
    es_extreme newest = {app->newest_source, app->newest_target, (double)NAN};
    es_rect in = es_grid_pane(grid, pane, false, "Extremes",
                              app->phase == ES_PHASE_RUNNING ? "live" : NULL, NULL);
    es_pen pen = es_pen_begin(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h}, 0);
    if (sum->most.source == ES_NONE)
        es_pen_line(&pen, ES_ROLE_TEXT_DIM, "no cell is known yet");
    draw_extreme(app, &pen, "most", &sum->most, metric);
    draw_extreme(app, &pen, "least", &sum->least, metric);
    if (metric == ES_METRIC_IS || metric == ES_METRIC_ASYMMETRY) /* in nats, as the others are */
        draw_extreme(app, &pen, "skewed", &sum->skew, ES_METRIC_ASYMMETRY);
    if (newest.source != ES_NONE)
        newest.value = es_metric_value(app, metric, newest.source, newest.target);
    if (metric != ES_METRIC_MEASURE) /* of a measure it is not known which came last */
        draw_extreme(app, &pen, "newest", &newest, metric);
    es_failure failure = {0};
    for (size_t i = 0; i < 3 && es_jobs_next(app, &failure); i++) {
        es_grid_text(grid, pen.rect.x, pen.y, ES_ROLE_STATE_FAILED, "failed");
        es_draw_pair(grid, pen.rect.x + 8, pen.y++, pen.rect.w - 8, ES_ROLE_TEXT,
                     failure.source == ES_NONE ? "zero line" : name_of(app, failure.source),
                     name_of(app, failure.target));
    }
    es_pen_end(&pen);
}
