/* Corr: how well the score predicts downstream tasks. Tasks on the left, the scatter on the right,
 * the point under the cursor below. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "corr.h"
#include "draw.h"
#include "plot.h"

static const char *name_of(const es_app *app, size_t item) {
    return es_app_model(app, item)->name;
}

static const es_corr_task *selected(const es_app *app) {
    return &app->corr->at[app->corr->task];
}

/* ---- Numbers
 * ------------------------------------------------------------------------------------------- */

/* ".82", "-.04", "1.00": narrow enough for intervals. */
static const char *brief(double value, char out[16]) {
    char text[16];
    if (!isfinite(value))
        return "-";
    (void)snprintf(text, sizeof text, "%.2f", fabs(value));
    bool negative = value < 0 && strcmp(text, "0.00") != 0;
    (void)snprintf(out, 16, "%s%s", negative ? "-" : "", text + (text[0] == '0'));
    return out;
}

static const char *stat_text(const es_corr_task *task, es_stat stat, char out[32]) {
    if (!task->fresh)
        return "…";
    if (stat.why != NULL)
        (void)snprintf(out, 32, "- (%.24s)", stat.why);
    else
        (void)snprintf(out, 32, "%.2f", stat.value);
    return out;
}

/* "[.82, .95]", or what stands in its place. */
static void interval_text(const es_corr_task *task, es_correlation kind, char *out,
                          size_t capacity) {
    char low[16], high[16];
    const es_correlation_report *r = &task->report;
    if (task->fresh && r->value[kind].why != NULL)
        (void)snprintf(out, capacity, "-");
    else if (!task->settled && !task->held)
        (void)snprintf(out, capacity, "…");
    else
        (void)snprintf(out, capacity, "%s[%s, %s]", task->held ? "~" : "", brief(r->low[kind], low),
                       brief(r->high[kind], high));
}

static const char *p_text(const es_corr_task *task, char out[32]) {
    const es_correlation_report *r = &task->report;
    if (r->p.why != NULL)
        return task->fresh && task->settled ? "-" : "…";
    (void)snprintf(out, 32, r->p.value < 0.00051 ? "≤ %.4f" : "%.4f", r->p.value);
    return out;
}

static const char *number(double value, int digits, char out[32]) {
    es_format_number(value, digits, out, 32);
    return out;
}

static const char *signed_number(double value, int digits, char out[32]) {
    out[0] = '+';
    es_format_number(value, digits, out + (value >= 0), 31);
    return out;
}

static int digits_of(const es_app *app, size_t task) {
    if (es_corr_is_mean(app, task))
        return 1;
    return task < ES_APP_SCORES ? app->score_digits[task] : 2;
}

/* ---- Tasks
 * -------------------------------------------------------------------------------------------- */

typedef struct es_task_columns {
    int name, value, interval, n; /* widths; 0: not shown */
} es_task_columns;

static es_task_columns task_columns(int w) {
    es_task_columns c = {0, 6, w >= 34 ? 13 : 0, w >= 30 ? 4 : 0};
    c.name = w - 2 - c.value - c.interval - c.n;
    return c;
}

static void draw_task(const es_app *app, es_grid *grid, es_rect r, size_t t) {
    const es_corr_task *task = &app->corr->at[t];
    es_correlation kind = es_corr_kind(app);
    es_task_columns c = task_columns(r.w);
    bool here = t == app->corr->task;
    es_role role = here ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
    char text[64];
    es_grid_fill(grid, r, role, ' ');
    if (here)
        es_grid_text(grid, r.x, r.y, role, "❯");
    es_grid_field(grid, r.x + 2, r.y, c.name, -1, role, es_corr_task_name(app, t));
    int x = r.x + 2 + c.name;
    es_stat stat = task->report.value[kind];
    if (!task->fresh)
        (void)snprintf(text, sizeof text, "…");
    else if (stat.why != NULL)
        (void)snprintf(text, sizeof text, "-");
    else
        (void)snprintf(text, sizeof text, "%.2f", stat.value);
    es_grid_field(grid, x, r.y, c.value, 1, here ? role : ES_ROLE_TEXT_STRONG, text);
    interval_text(task, kind, text, sizeof text);
    es_grid_field(grid, x + c.value, r.y, c.interval, 1,
                  here                           ? role
                  : task->settled && !task->held ? ES_ROLE_INTERVAL
                                                 : ES_ROLE_TEXT_DIM,
                  text);
    (void)snprintf(text, sizeof text, "%zu", task->report.n);
    es_grid_field(grid, x + c.value + c.interval, r.y, c.n, 1,
                  here               ? role
                  : task->report.few ? ES_ROLE_WARNING
                                     : ES_ROLE_TEXT_DIM,
                  text);
}

static void draw_list(const es_app *app, es_grid *grid, es_rect r) {
    const struct es_corr *c = app->corr;
    es_task_columns w = task_columns(r.w);
    size_t page = r.h > 1 ? (size_t)r.h - 1 : 1, at = es_corr_line(app, c->task);
    size_t top = at >= page ? at + 1 - page : 0;
    int x = r.x + 2 + w.name;
    es_grid_fill(grid, (es_rect){r.x, r.y, r.w, 1}, ES_ROLE_COLUMN_HEADER, ' ');
    es_grid_field(grid, r.x + 2, r.y, w.name, -1, ES_ROLE_COLUMN_HEADER, "task");
    es_grid_field(grid, x, r.y, w.value, 1,
                  app->set.corr_sorted ? ES_ROLE_COLUMN_SORTED : ES_ROLE_COLUMN_HEADER,
                  es_corr_symbol(app, es_corr_kind(app)));
    es_grid_field(grid, x + w.value, r.y, w.interval, 1, ES_ROLE_COLUMN_HEADER, "95%");
    es_grid_field(grid, x + w.value + w.interval, r.y, w.n, 1, ES_ROLE_COLUMN_HEADER, "n");
    for (size_t i = 0; i < page && top + i < c->tasks; i++) {
        es_rect line = {r.x, r.y + 1 + (int)i, r.w, 1};
        draw_task(app, grid, line, c->order[top + i]);
        es_grid_spot(grid, line, ES_SPOT_LINE, top + i);
    }
}

static void draw_bars(const es_app *app, es_grid *grid, es_rect r) {
    const struct es_corr *c = app->corr;
    es_correlation kind = es_corr_kind(app);
    for (size_t k = 0; k < c->tasks && (int)k < r.h; k++) {
        const es_corr_task *task = &c->at[c->order[k]];
        int y = r.y + (int)k, bar = r.w - 14 - 6;
        double value = task->report.value[kind].value;
        char text[16] = "-";
        if (task->fresh && isfinite(value))
            (void)brief(value, text);
        es_role role = c->order[k] == c->task ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT;
        es_grid_field(grid, r.x, y, 13, -1, role, es_corr_task_name(app, c->order[k]));
        es_draw_bar(grid, r.x + 14, y, bar, task->fresh ? fabs(value) : 0,
                    value < 0 ? ES_ROLE_DELTA_DOWN : ES_ROLE_PROGRESS_FULL, ES_ROLE_PROGRESS_EMPTY);
        es_grid_field(grid, r.x + 14 + bar, y, 5, 1, role, text);
    }
}

/* A label on the left, its value at a fixed column. */
static void detail(es_pen *pen, int at, const char *label, const char *value) {
    es_grid_field(pen->grid, pen->rect.x, pen->y, at, -1, ES_ROLE_TEXT_DIM, label);
    int room = pen->rect.w - at, width = es_grid_width(pen->grid, value);
    es_grid_field(pen->grid, pen->rect.x + at, pen->y, width < room ? width : room, -1,
                  ES_ROLE_TEXT, value);
    pen->y++;
}

static void detail_kinds(const es_app *app, es_pen *pen, int at) {
    static const es_correlation kinds[] = {ES_SPEARMAN, ES_KENDALL, ES_PEARSON};
    static const char *const names[] = {"Spearman", "Kendall", "Pearson"};
    const es_corr_task *task = selected(app);
    for (int i = 0; i < 3; i++) {
        char label[32], value[96], stat[32], interval[48];
        (void)snprintf(label, sizeof label, "%s %s", names[i], es_corr_symbol(app, kinds[i]));
        interval_text(task, kinds[i], interval, sizeof interval);
        es_stat v = task->report.value[kinds[i]];
        (void)snprintf(value, sizeof value, "%s  %s", stat_text(task, v, stat),
                       v.why == NULL ? interval : "");
        detail(pen, at, label, value);
    }
}

static void detail_brief(const es_app *app, es_pen *pen, int at) {
    const es_corr_task *task = selected(app);
    es_correlation kind = es_corr_kind(app);
    static const es_correlation kinds[] = {ES_SPEARMAN, ES_KENDALL, ES_PEARSON};
    char value[80], stat[32];
    interval_text(task, kind, value, sizeof value);
    detail(pen, at, "95%", value);
    for (int i = 0; i < 3; i++)
        if (kinds[i] != kind)
            detail(pen, at, es_corr_symbol(app, kinds[i]),
                   stat_text(task, task->report.value[kinds[i]], stat));
}

/* The baseline l2, or how to get it. */
static void detail_l2(const es_app *app, es_pen *pen, int at, bool wide) {
    const es_corr_task *task = selected(app);
    es_source_baseline l2;
    char label[32], value[80], stat[32];
    app->source->baseline(app->source->context, &l2);
    if (!l2.possible)
        return;
    if (l2.known == 0 && !l2.busy && wide)
        es_grid_printf(pen->grid, pen->rect.x, pen->y++, ES_ROLE_TEXT_DIM,
                       "l2: estimate --estimator l2%s", pen->rect.w >= 35 ? " (Enter)" : "");
    else {
        (void)snprintf(value, sizeof value, "%s%s",
                       l2.known > 0 ? stat_text(task, task->l2[ES_SPEARMAN], stat)
                       : l2.busy    ? "…"
                                    : "- (Enter)",
                       l2.known > 0 && l2.known < l2.of ? wide ? " (in part)" : "~" : "");
        (void)snprintf(label, sizeof label, wide ? "%s l2 alone" : "l2",
                       es_corr_symbol(app, ES_SPEARMAN));
        detail(pen, at, label, value);
    }
}

static void draw_details(const es_app *app, es_grid *grid, es_rect r, bool wide) {
    const es_corr_task *task = selected(app);
    const es_correlation_report *report = &task->report;
    es_pen pen = es_pen_begin(grid, r, 0);
    int at = wide ? 19 : 8;
    char label[32], value[80], low[16], high[16];
    const char *rho = es_corr_symbol(app, ES_SPEARMAN);
    if (wide)
        detail_kinds(app, &pen, at);
    else
        detail_brief(app, &pen, at);
    detail(&pen, at, wide ? "permutation p" : "p", p_text(task, value));
    (void)snprintf(label, sizeof label, wide ? "%s given log dim" : "%s|log d", rho);
    bool sized = app->corr->sized;
    const char *unknown = wide ? "dimensions not known" : "- no dims";
    detail(&pen, at, label, sized ? stat_text(task, report->partial, value) : unknown);
    if (task->fresh && isfinite(report->leave_one_low))
        (void)snprintf(value, sizeof value, "%s to %s", brief(report->leave_one_low, low),
                       brief(report->leave_one_high, high));
    else
        (void)snprintf(value, sizeof value, "-");
    detail(&pen, at, wide ? "leaving one out" : "w/o one", value);
    if (task->fresh && report->n_top > 0)
        (void)snprintf(label, sizeof label, wide ? "best half (%zu)" : "best %zu", report->n_top);
    else
        (void)snprintf(label, sizeof label, "best half");
    detail(&pen, at, label, stat_text(task, report->top_half, value));
    (void)snprintf(label, sizeof label, wide ? "%s log dim alone" : "log d", rho);
    detail(&pen, at, label, sized ? stat_text(task, task->size[ES_SPEARMAN], value) : unknown);
    detail_l2(app, &pen, at, wide);
    es_pen_end(&pen);
}

/* Names that wait for a decision, then those without a counterpart. */
static int names_lines(const es_app *app) {
    int lines = 0;
    while (lines < 3 && es_corr_proposal(app, (size_t)lines) != ES_NONE)
        lines++;
    return lines > 0 ? lines + 2 : es_corr_row_unmatched(app, 0) != ES_NONE ? 3 : 0;
}

static void draw_names(const es_app *app, es_grid *grid, es_rect r) {
    const struct es_corr *c = app->corr;
    void *context = app->source->context;
    es_rect old = es_grid_clip(grid, r);
    size_t count = 0, item, row;
    while (es_corr_proposal(app, count) != ES_NONE)
        count++;
    int y = r.y;
    if (count > 0) {
        bool roomy = r.h >= 3;
        es_grid_printf(grid, r.x, y++, ES_ROLE_WARNING,
                       roomy && r.w >= 34 ? "Unmatched names, the same? (%zu)"
                       : roomy            ? "The same? (%zu)"
                                          : "%zu name%s: a",
                       count, count == 1 ? "" : "s");
        for (size_t k = 0; k < 3 && (item = es_corr_proposal(app, k)) != ES_NONE && roomy; k++)
            es_draw_pair(grid, r.x + 1, y++, r.w - 1, ES_ROLE_TEXT,
                         app->source->score_model(context, c->partner[item]), name_of(app, item));
        if (roomy)
            es_grid_text(grid, r.x, y, ES_ROLE_TEXT_DIM,
                         count == 1  ? "a takes it"
                         : r.w >= 26 ? "a takes the first, A all"
                                     : "a the first, A all");
    } else if (es_corr_row_unmatched(app, 0) != ES_NONE) {
        char text[400];
        size_t all = 0;
        while (es_corr_row_unmatched(app, all) != ES_NONE)
            all++;
        size_t used = (size_t)snprintf(text, sizeof text, "In scores.csv only (%zu): ", all);
        for (size_t k = 0; (row = es_corr_row_unmatched(app, k)) != ES_NONE && used < 300; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.80s", k == 0 ? "" : ", ",
                                     app->source->score_model(context, row));
        es_draw_wrap(grid, r, ES_ROLE_TEXT_DIM, text, 0);
    }
    es_grid_set_clip(grid, old);
}

static void draw_tasks(const es_app *app, es_grid *grid, es_rect pane) {
    const struct es_corr *c = app->corr;
    bool wide = pane.w >= 36;
    char bottom[80], right[48];
    size_t usable = app->usable, without = usable > c->joined ? usable - c->joined : 0;
    if (wide && without > 0)
        (void)snprintf(bottom, sizeof bottom, "%zu task%s · %zu matched · %zu not", c->columns,
                       c->columns == 1 ? "" : "s", c->joined, without);
    else if (wide)
        (void)snprintf(bottom, sizeof bottom, "%zu task%s · all %zu matched", c->columns,
                       c->columns == 1 ? "" : "s", c->joined);
    else
        (void)snprintf(bottom, sizeof bottom, "%zu/%zu matched", c->joined, usable);
    (void)snprintf(right, sizeof right, "scores.csv%s%s", app->set.corr_sorted ? " · sort " : "",
                   app->set.corr_sorted ? es_corr_symbol(app, es_corr_kind(app)) : "");
    es_rect in = es_grid_pane(grid, pane, true, "Tasks", wide ? right : NULL, bottom);
    if (in.h < 2 || in.w < 10)
        return;
    es_rect old = es_grid_clip(grid, in);
    in = (es_rect){in.x, in.y, in.w - 1, in.h};
    int rest = in.h - 1, tasks = (int)(c->tasks < 99 ? c->tasks : 99);
    int names = names_lines(app), least = tasks < 4 ? tasks : 4;
    es_source_baseline l2;
    app->source->baseline(app->source->context, &l2);
    int details = 9 + l2.possible; /* with a blank line */
    if (rest - names - details < least + (names > 0))
        names = names > 0 && es_corr_proposal(app, 0) != ES_NONE ? 1 : 0;
    if (rest - names - details < least)
        details = rest - names - least > 1 ? rest - names - least : 0;
    int spare = rest - details - names - (names > 0), list = spare < tasks ? spare : tasks;
    int y = in.y;
    draw_list(app, grid, (es_rect){in.x, y, in.w, list + 1});
    y += list + 1;
    spare -= list;
    es_rect block = {in.x + 1, y, in.w - 1, 0};
    if (wide && spare >= tasks + 1) {
        draw_bars(app, grid, (es_rect){block.x, y + 1, block.w, tasks});
        y += tasks + 1;
    }
    if (details > 1 && !(selected(app)->fresh && selected(app)->report.value[ES_SPEARMAN].why))
        draw_details(app, grid, (es_rect){block.x, y + 1, block.w, details - 1}, wide);
    if (names > 0)
        draw_names(app, grid, (es_rect){block.x, in.y + in.h - names, block.w, names});
    es_grid_set_clip(grid, old);
}

/* ---- The scatter
 * ----------------------------------------------------------------------------------------- */

typedef struct es_scatter {
    const es_app *app;
    es_plot plot;
    es_axis x, y;
} es_scatter;

static void dot_of(const es_scatter *s, size_t item, int *x, int *y) {
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

static void draw_points(const es_scatter *s) {
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
            es_grid_spot(s->plot.grid, cell, ES_SPOT_ITEM, item);
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

static void label(const es_scatter *s, size_t item, es_role role) {
    int x, y;
    dot_of(s, item, &x, &y);
    if (x < 0)
        return;
    (void)es_plot_label(&s->plot, x, y, role, name_of(s->app, item));
}

static bool is_point(const es_app *app, size_t item) {
    double x, y;
    return item != ES_NONE && es_corr_plot(app, item, &x, &y);
}

static void draw_labels(const es_scatter *s) {
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
static void draw_fit(const es_scatter *s) {
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

static void draw_axes(const es_scatter *s, int width, double step_x, double step_y) {
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
static size_t out_of_sight(const es_app *app) {
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

static void draw_scatter(const es_app *app, es_grid *grid, es_rect in) {
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
    es_scatter s = {.app = app, .plot = es_plot_begin(grid, r, style, ES_ROLE_BACKGROUND)};
    s.x = es_axis_make(x[0], x[1], s.plot.w);
    s.y = es_axis_make(y[0], y[1], s.plot.h);
    draw_axes(&s, width, es_axis_step(&s.x, r.w / 12 + 1), step_y);
    draw_points(&s);
    draw_labels(&s);
    draw_fit(&s);
}

/* "ρ=0.90 [.82, .95]  n=41 (1 excluded)", shorter where there is less room. */
static void plot_title(const es_app *app, int room, char *out, size_t capacity) {
    const es_corr_task *task = selected(app);
    es_correlation kind = es_corr_kind(app);
    size_t excluded = es_corr_excluded(app), hidden = app->usable - app->list[ES_LIST_HEAT].count;
    char value[32], interval[48], left[64] = "";
    bool roomy = room >= 44;
    if (app->list[ES_LIST_HEAT].count > app->usable)
        hidden = 0;
    if (excluded > 0 && hidden > 0)
        (void)snprintf(left, sizeof left, roomy ? " (%zu excluded, %zu hidden)" : " (-%zu -%zu)",
                       excluded, hidden);
    else if (excluded + hidden > 0)
        (void)snprintf(left, sizeof left, roomy || room >= 32 ? " (%zu %s)" : " (-%zu)",
                       excluded + hidden, excluded > 0 ? "excluded" : "hidden");
    interval_text(task, kind, interval, sizeof interval);
    bool defined = task->fresh && task->report.value[kind].why == NULL;
    (void)snprintf(out, capacity, "%s=%s%s%s  n=%zu%s", es_corr_symbol(app, kind),
                   defined ? stat_text(task, task->report.value[kind], value) : "-",
                   defined && roomy ? " " : "", defined && roomy ? interval : "", task->report.n,
                   left);
}

/* What stands under the plot: how complete the scores are, or the point where no pane shows it. */
static void plot_bottom(const es_app *app, bool point, int room, char *out, size_t capacity) {
    const es_results *r = app->results;
    size_t pairs = es_app_pairs(app), task = app->corr->task, used = 0;
    double x, y;
    char value_x[32], value_y[32];
    out[0] = '\0';
    if (r != NULL && r->done < pairs)
        used = (size_t)snprintf(out, capacity, "scores over %zu%% of pairs",
                                100 * r->done / (pairs > 0 ? pairs : 1));
    size_t beyond = out_of_sight(app);
    if (beyond > 0)
        used +=
            (size_t)snprintf(out + used, capacity - used, "%szoom: %zu point%s out of sight (0)",
                             used > 0 ? " · " : "", beyond, beyond == 1 ? "" : "s");
    static const char *const bands[ES_BANDS] = {"95% band (B)", "95% bootstrap band (B)",
                                                "no band (B)"};
    if (!point && room >= 60)
        (void)snprintf(
            out + used, capacity - used, "%s%s%s, %s", used > 0 ? " · " : "",
            app->tree.found != NULL && app->tree.found->groups > 1 ? "colours: communities · " : "",
            app->set.corr_residuals ? "above: better than the score says" : "line: least squares",
            bands[app->set.corr_band % ES_BANDS]);
    if (point && app->cursor != ES_NONE && es_corr_place(app, task, app->cursor, &x, &y))
        (void)snprintf(out, capacity, "%s %.40s  %s / %s%s", app->ascii ? "@" : "◆",
                       name_of(app, app->cursor), number(es_corr_shown_x(app, x), 3, value_x),
                       number(es_corr_shown_y(app, task, y), digits_of(app, task), value_y),
                       app->excluded[app->cursor] ? ", excluded"
                       : used > 0                 ? ", partial"
                                                  : "");
}

/* Why there is no coefficient, and what to do; false: there is one. */
static bool explain(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_corr *c = app->corr;
    const es_corr_task *task = selected(app);
    const char *name = es_corr_task_name(app, c->task);
    char text[700];
    es_stat stat = task->report.value[ES_SPEARMAN];
    if (es_draw_nothing(app, grid, in))
        return true;
    if (c->joined == 0) {
        bool some = es_corr_proposal(app, 0) != ES_NONE;
        (void)snprintf(
            text, sizeof text, "Its first name is %s, the first embedder here is %s.\n\n%s",
            app->source->score_model(app->source->context, 0), app->n > 0 ? name_of(app, 0) : "-",
            some ? "Some are nearly equal: a takes the first pair that is proposed, A "
                   "takes all, u takes it back."
                 : "The first column of scores.csv must hold the embedders' names as "
                   "Pool (1) shows them.");
        es_draw_empty(grid, in, "No name in scores.csv is an embedder's", text);
        return true;
    }
    bool known = false;
    for (size_t i = 0; i < app->n; i++)
        known = known || isfinite(app->standing[i].score);
    if (!known) {
        es_draw_empty(grid, in, "No pair is known yet",
                      app->source->read_only(app->source->context)
                          ? "There are no results to correlate."
                          : "r starts the estimation; coefficients come with the first scores and "
                            "settle while it runs.");
        return true;
    }
    if (!task->fresh || (stat.why == NULL && c->points > 0))
        return false;
    if (task->report.n < 3) {
        size_t left = es_corr_excluded(app);
        (void)snprintf(text, sizeof text,
                       "%s: %zu embedder%s both a score and this task; a correlation needs three.%s"
                       "\n\nj and k choose another task%s.",
                       name, task->report.n, task->report.n == 1 ? " has" : "s have",
                       es_corr_is_mean(app, c->task) && c->columns > 1
                           ? " The mean rank needs every task of an embedder."
                           : "",
                       left > 0 ? "; u takes back what x left out" : "");
        es_draw_empty(grid, in, "Too few points", text);
    } else {
        (void)snprintf(text, sizeof text,
                       "All %zu values of %s, or all scores, are equal: nothing can go with them."
                       "\n\nj and k choose another task.",
                       task->report.n, name);
        es_draw_empty(grid, in, "Constant values", text);
    }
    return true;
}

static void draw_plot(const es_app *app, es_grid *grid, es_rect pane, bool point) {
    char title[160], right[160], bottom[160];
    plot_title(app, pane.w - 20, right, sizeof right);
    plot_bottom(app, point, pane.w, bottom, sizeof bottom);
    const char *task = es_corr_task_name(app, app->corr->task);
    const char *what = app->set.corr_residuals ? "Residuals: " : "";
    bool turned = es_corr_is_turned(app, app->corr->task) && !app->set.corr_residuals;
    if (pane.w >= 60)
        (void)snprintf(title, sizeof title, "%s%.40s vs %.60s%s", what, es_corr_axis(app), task,
                       turned ? " (best on top)" : "");
    else
        (void)snprintf(title, sizeof title, "%s%.60s", what, task);
    es_rect in = es_grid_pane(grid, pane, false, title, right, bottom);
    es_rect old = es_grid_clip(grid, in);
    if (!explain(app, grid, in))
        draw_scatter(app, grid, in);
    es_grid_set_clip(grid, old);
}

/* ---- The point
 * ------------------------------------------------------------------------------------------- */

/* The residual on the scale of all of them. */
static void draw_residual(const es_app *app, es_grid *grid, int x, int y, double own) {
    enum { HALF = 8, W = 2 * HALF + 1 };
    size_t item[1], task = app->corr->task;
    double most = 0;
    for (int above = 0; above < 2; above++)
        if (es_corr_extremes(app, task, above == 1, 1, item) > 0)
            most = fmax(most, fabs(es_corr_residual(app, task, item[0])));
    if (!(most > 0))
        return;
    es_grid_text(grid, x, y, ES_ROLE_AXIS, grid->ascii ? "|" : "▏");
    es_grid_text(grid, x + 1 + HALF, y, ES_ROLE_AXIS, grid->ascii ? "." : "·");
    es_grid_text(grid, x + 1 + W, y, ES_ROLE_AXIS, grid->ascii ? "|" : "▕");
    es_grid_text(grid, x + 1 + HALF + (int)lround(own / most * HALF), y, ES_ROLE_POINT, "●");
}

static void draw_facts(const es_app *app, es_grid *grid, es_rect in) {
    size_t task = app->corr->task, item = app->cursor;
    double x, y, residual;
    if (item == ES_NONE || !es_corr_place(app, task, item, &x, &y)) {
        es_grid_text(grid, in.x, in.y, ES_ROLE_TEXT_DIM,
                     item == ES_NONE ? "No embedder is selected."
                     : isfinite(app->standing[item].score)
                         ? "No value for this task; h and l go to the points."
                         : "No score yet.");
        return;
    }
    char text[128], value[32];
    int at = in.x, digits = digits_of(app, task);
    size_t rank_x = es_corr_rank(app, task, item, false),
           rank_y = es_corr_rank(app, task, item, true);
    at += es_grid_printf(grid, at, in.y, ES_ROLE_TEXT_STRONG, "%.24s %s", es_corr_axis(app),
                         number(es_corr_shown_x(app, x), 3, value));
    if (rank_x > 0)
        at += es_grid_printf(grid, at, in.y, ES_ROLE_TEXT_DIM, " (rank %zu)", rank_x);
    (void)snprintf(text, sizeof text, "   %.24s %s", es_corr_task_name(app, task),
                   number(es_corr_shown_y(app, task, y), digits, value));
    at += es_grid_text(grid, at, in.y, ES_ROLE_TEXT_STRONG, text);
    if (rank_y > 0)
        at += es_grid_printf(grid, at, in.y, ES_ROLE_TEXT_DIM, " (rank %zu)", rank_y);
    residual = es_corr_residual(app, task, item);
    if (app->excluded[item])
        es_grid_text(grid, at + 3, in.y, ES_ROLE_WARNING, "excluded: x takes it back in");
    else if (isfinite(residual)) {
        at += es_grid_printf(grid, at, in.y, ES_ROLE_TEXT, "   residual %s",
                             signed_number(residual, digits, value));
        draw_residual(app, grid, at - 19 < in.x ? in.x : at - 19, in.y + 1, residual);
    }
    const es_model *model = es_app_model(app, item);
    at = in.x;
    if (model->dim > 0)
        at += es_grid_printf(grid, at, in.y + 1, ES_ROLE_TEXT, "dim %zu   ", model->dim);
    size_t group = es_tree_group(app, item);
    if (group != ES_NONE) {
        char label[16];
        es_tree_label(app, group, label, sizeof label);
        at += es_grid_printf(grid, at, in.y + 1, ES_ROLE_TEXT, "community ");
        at += es_grid_printf(grid, at, in.y + 1, es_draw_community(app, group), "%s   ", label);
    }
    if (model->family != NULL)
        at += es_grid_printf(grid, at, in.y + 1, ES_ROLE_TEXT, "family %s   ", model->family);
    if (app->corr->how[item] > ES_NAME_EXACT)
        es_grid_printf(grid, at, in.y + 1, ES_ROLE_TEXT_DIM, "in scores.csv: %s",
                       app->source->score_model(app->source->context, app->corr->partner[item]));
}

static void draw_extremes(const es_app *app, es_grid *grid, es_rect in) {
    static const char *const heads[] = {"better than IS says", "worse than IS says"};
    size_t item[3], task = app->corr->task;
    char value[32];
    int half = (in.w - 19) / 2;
    es_grid_text(grid, in.x, in.y, ES_ROLE_COLUMN_HEADER, "Largest residuals");
    for (int side = 0; side < 2; side++) {
        int x = in.x + 19 + side * half;
        size_t count = es_corr_extremes(app, task, side == 0, 3, item);
        es_grid_text(grid, x, in.y, ES_ROLE_TEXT_DIM, heads[side]);
        for (size_t k = 0; k < count; k++) {
            es_grid_field(grid, x, in.y + 1 + (int)k, half - 10, -1, ES_ROLE_TEXT,
                          name_of(app, item[k]));
            es_grid_printf(
                grid, x + half - 9, in.y + 1 + (int)k,
                side == 0 ? ES_ROLE_DELTA_UP : ES_ROLE_DELTA_DOWN, "%s",
                signed_number(es_corr_residual(app, task, item[k]), digits_of(app, task), value));
        }
    }
}

static void draw_point(const es_app *app, es_grid *grid, es_rect pane) {
    es_rect in = es_grid_pane(grid, pane, false, "Point",
                              app->cursor == ES_NONE ? NULL : name_of(app, app->cursor), NULL);
    es_rect old = es_grid_clip(grid, in);
    in = (es_rect){in.x + 1, in.y, in.w - 2, in.h};
    draw_facts(app, grid, in);
    if (in.h >= 7)
        draw_extremes(app, grid, (es_rect){in.x, in.y + 3, in.w, in.h - 3});
    es_grid_set_clip(grid, old);
}

void es_view_corr_draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    const struct es_corr *c = app->corr;
    if (app->set.corr_agree) {
        es_draw_agreement(app, grid, layout->body);
        return;
    }
    if (c->tasks == 0) {
        bool matrix = app->source->rows(app->source->context) == 0 &&
                      app->source->read_only(app->source->context);
        char text[700];
        if (matrix)
            (void)snprintf(text, sizeof text,
                           "Start with --scores FILE to see how well the scores predict them. The "
                           "file's first column is `model`, with the names of the matrix; then "
                           "comes one column a task; an empty cell is a missing score.");
        else
            (void)snprintf(
                text, sizeof text,
                "o opens a CSV of scores; a file scores.csv in %s is found by itself. Its "
                "first column is `model`, with the embedders' names; then comes one "
                "column a task; an empty cell is a missing score.\n\nIf there is one, Jobs (7) "
                "says why "
                "it cannot be read.",
                app->source->path(app->source->context));
        es_rect in = es_grid_pane(grid, layout->body, true, "Correlation", NULL, NULL);
        es_draw_empty(grid, in, "No downstream scores", text);
        return;
    }
    if (layout->pane[ES_PANE_MAIN].w > 0)
        draw_tasks(app, grid, layout->pane[ES_PANE_MAIN]);
    if (layout->pane[ES_PANE_SIDE].w > 0)
        draw_plot(app, grid, layout->pane[ES_PANE_SIDE], layout->pane[ES_PANE_EXTRA].w == 0);
    if (layout->pane[ES_PANE_EXTRA].w > 0)
        draw_point(app, grid, layout->pane[ES_PANE_EXTRA]);
}
