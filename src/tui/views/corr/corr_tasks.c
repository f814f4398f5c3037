/* Corr's list of tasks, with the numbers of the one that is selected and the names that wait. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "corr_panes.h"
#include "tui_draw.h"
#include "tui_panes.h"

typedef struct task_widths {
    int name, value, interval, n; /* widths; 0: not shown */
} task_widths;

static task_widths widths_of(int w) {
    task_widths c = {0, 6, w >= 34 ? 13 : 0, w >= 30 ? 4 : 0};
    c.name = w - 2 - c.value - c.interval - c.n;
    return c;
}

static void draw_task(const es_app *app, es_grid *grid, es_rect r, size_t t) {
    const es_correlation_report *report = es_corr_report(app, t);
    es_correlation kind = es_corr_kind(app);
    task_widths c = widths_of(r.w);
    bool here = t == app->corr->task, few = report != NULL && report->few;
    es_role role = here ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
    char text[64] = "…";
    es_grid_fill(grid, r, role, ' ');
    if (here)
        es_grid_text(grid, r.x, r.y, role, "❯");
    es_grid_field(grid, r.x + 2, r.y, c.name, -1, role, es_corr_task_name(app, t));
    int x = r.x + 2 + c.name;
    if (report != NULL && report->value[kind].why != NULL)
        (void)snprintf(text, sizeof text, "-");
    else if (report != NULL)
        (void)snprintf(text, sizeof text, "%.2f", es_rounded_off(report->value[kind].value, 2));
    es_grid_field(grid, x, r.y, c.value, 1,
                  here  ? role
                  : few ? ES_ROLE_TEXT_DIM
                        : ES_ROLE_TEXT_STRONG,
                  text);
    es_corr_interval_text(app, t, kind, text, sizeof text);
    es_grid_field(grid, x + c.value, r.y, c.interval, 1, here ? role : ES_ROLE_INTERVAL, text);
    (void)snprintf(text, sizeof text, "…");
    if (report != NULL)
        (void)snprintf(text, sizeof text, "%zu", report->n);
    es_grid_field(grid, x + c.value + c.interval, r.y, c.n, 1,
                  here  ? role
                  : few ? ES_ROLE_WARNING
                        : ES_ROLE_TEXT_DIM,
                  text);
}

static void draw_list(const es_app *app, es_grid *grid, es_rect r) {
    const struct es_corr *c = app->corr;
    task_widths w = widths_of(r.w);
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
        es_grid_click_area(grid, line, ES_CLICK_LINE, top + i);
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
    const es_correlation_report *report = es_corr_selected(app);
    for (int i = 0; i < 3; i++) {
        char label[32], value[96], stat[32], interval[48];
        (void)snprintf(label, sizeof label, "%s %s", names[i], es_corr_symbol(app, kinds[i]));
        es_corr_interval_text(app, app->corr->task, kinds[i], interval, sizeof interval);
        es_stat v = report->value[kinds[i]];
        (void)snprintf(value, sizeof value, "%s  %s", es_corr_stat_text(v, stat),
                       v.why == NULL ? interval : "");
        detail(pen, at, label, value);
    }
}

static void detail_brief(const es_app *app, es_pen *pen, int at) {
    const es_correlation_report *report = es_corr_selected(app);
    es_correlation kind = es_corr_kind(app);
    static const es_correlation kinds[] = {ES_SPEARMAN, ES_KENDALL, ES_PEARSON};
    char value[80], stat[32];
    es_corr_interval_text(app, app->corr->task, kind, value, sizeof value);
    detail(pen, at, "95%", value);
    for (int i = 0; i < 3; i++)
        if (kinds[i] != kind)
            detail(pen, at, es_corr_symbol(app, kinds[i]),
                   es_corr_stat_text(report->value[kinds[i]], stat));
}

/* A baseline's coefficient with the selected task; NULL: none is known. */
static const char *baseline_text(const es_app *app, es_baseline which, char out[32]) {
    const es_correlation_set *set = es_corr_set(app);
    return set->has[which]
               ? es_corr_stat_text(set->baseline[which][app->corr->task].value[ES_SPEARMAN], out)
               : NULL;
}

/* The baseline l2, or how to get it. */
static void detail_l2(const es_app *app, es_pen *pen, int at, bool wide) {
    const es_source_baseline *l2 = &app->source->baseline;
    char label[32], value[80], stat[32];
    if (!l2->possible)
        return;
    if (l2->known == 0 && !l2->busy && wide)
        es_grid_printf(pen->grid, pen->rect.x, pen->y++, ES_ROLE_TEXT_DIM,
                       "l2: estimate --estimator l2");
    else {
        const char *known = baseline_text(app, ES_BASELINE_L2, stat);
        (void)snprintf(value, sizeof value, "%s%s",
                       known != NULL               ? known
                       : l2->busy || l2->known > 0 ? "…"
                                                   : "-",
                       l2->known > 0 && l2->known < l2->of ? wide ? " (in part)" : "~" : "");
        (void)snprintf(label, sizeof label, wide ? "%s l2 alone" : "l2",
                       es_corr_symbol(app, ES_SPEARMAN));
        detail(pen, at, label, value);
    }
}

/* ".82", "-.04", "1.00": narrow enough for intervals. */
static const char *corr_brief(double value, char out[16]);

static void draw_details(const es_app *app, es_grid *grid, es_rect r, bool wide) {
    const es_correlation_report *report = es_corr_selected(app);
    es_pen pen = es_pen_begin(grid, r, 0);
    int at = wide ? 19 : 8;
    char label[32], value[80] = "-", low[16], high[16];
    const char *rho = es_corr_symbol(app, ES_SPEARMAN);
    const char *size = baseline_text(app, ES_BASELINE_DIM, value);
    const char *unknown = wide ? "dims not known" : "- no dims";
    if (wide)
        detail_kinds(app, &pen, at);
    else
        detail_brief(app, &pen, at);
    (void)snprintf(label, sizeof label, "%.4f", report->p_effective);
    detail(&pen, at, "p",
           !isfinite(report->p_effective)  ? "-"
           : report->p_effective < 0.00005 ? "< .0001"
                                           : label);
    (void)snprintf(label, sizeof label, wide ? "%s given log dim" : "%s|dim", rho);
    detail(&pen, at, label, size ? es_corr_stat_text(report->partial, value) : unknown);
    (void)snprintf(value, sizeof value, "-");
    if (isfinite(report->leave_one_low))
        (void)snprintf(value, sizeof value, "%s to %s", corr_brief(report->leave_one_low, low),
                       corr_brief(report->leave_one_high, high));
    detail(&pen, at, wide ? "leaving one out" : "w/o one", value);
    (void)snprintf(label, sizeof label, "best half");
    if (report->n_top > 0)
        (void)snprintf(label, sizeof label, wide ? "best half (%zu)" : "top %zu", report->n_top);
    detail(&pen, at, label, es_corr_stat_text(report->top_half, value));
    (void)snprintf(label, sizeof label, wide ? "%s log dim alone" : "log d", rho);
    size = baseline_text(app, ES_BASELINE_DIM, value);
    detail(&pen, at, label, size ? size : unknown);
    detail_l2(app, &pen, at, wide);
    es_pen_end(&pen);
}

/* Names that wait for a decision, then those without a counterpart. */
static int names_lines(const es_app *app) {
    size_t count = es_corr_proposals(app);
    int lines = count < 3 ? (int)count : 3;
    return lines > 0 ? lines + 2 : es_corr_row_unmatched(app, 0) != ES_NONE ? 3 : 0;
}

static void draw_names(const es_app *app, es_grid *grid, es_rect r) {
    const struct es_corr *c = app->corr;
    es_rect old = es_grid_clip(grid, r);
    size_t count = es_corr_proposals(app), item, row;
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
                         app->source->scores.model[c->partner[item]], es_corr_name(app, item));
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
        (void)snprintf(text, sizeof text, "In %.60s only (%zu): ", app->source->score_file, all);
        for (size_t k = 0; (row = es_corr_row_unmatched(app, k)) != ES_NONE && strlen(text) < 300;
             k++)
            es_phrase_add(text, sizeof text, "%s%.80s", k == 0 ? "" : ", ",
                          app->source->scores.model[row]);
        es_draw_wrap(grid, r, ES_ROLE_TEXT_DIM, text, 0);
    }
    es_grid_set_clip(grid, old);
}

/* that have scores: they are left out */
static size_t corr_controls(const es_app *app);

void es_corr_draw_tasks(const es_app *app, es_grid *grid, es_rect pane) {
    const struct es_corr *c = app->corr;
    bool wide = pane.w >= 36;
    char bottom[80], right[48];
    size_t usable = app->usable, without = usable > c->joined ? usable - c->joined : 0;
    size_t controls = corr_controls(app), matched = c->joined > controls ? c->joined - controls : 0;
    if (wide && without > 0)
        (void)snprintf(bottom, sizeof bottom, "%zu task%s · %zu matched · %zu not", c->columns,
                       c->columns == 1 ? "" : "s", matched, without);
    else if (wide)
        (void)snprintf(bottom, sizeof bottom, "%zu task%s · %s%zu matched%s", c->columns,
                       c->columns == 1 ? "" : "s", controls > 0 ? "" : "all ", matched,
                       controls > 0 ? ", no controls" : "");
    else
        (void)snprintf(bottom, sizeof bottom, "%zu/%zu matched", matched, usable - controls);
    (void)snprintf(right, sizeof right, "%.20s%s%s", app->source->score_file,
                   app->set.corr_sorted ? " · sort " : "",
                   app->set.corr_sorted ? es_corr_symbol(app, es_corr_kind(app)) : "");
    es_rect in = es_grid_pane(grid, pane, app->focus[app->view] == ES_PANE_MAIN, "Tasks",
                              wide ? right : NULL, bottom);
    if (in.h < 2 || in.w < 10)
        return;
    es_rect old = es_grid_clip(grid, in);
    in = (es_rect){in.x, in.y, in.w - 1, in.h};
    int rest = in.h - 1, tasks = (int)(c->tasks < 99 ? c->tasks : 99);
    int names = names_lines(app), least = tasks < 4 ? tasks : 4;
    const es_source_baseline *l2 = &app->source->baseline;
    int details = 9 + l2->possible; /* with a blank line */
    if (rest - names - details < least + (names > 0))
        names = names > 0 && es_corr_proposals(app) > 0 ? 1 : 0;
    if (rest - names - details < least)
        details = rest - names - least > 1 ? rest - names - least : 0;
    int spare = rest - details - names - (names > 0), list = spare < tasks ? spare : tasks;
    int y = in.y;
    draw_list(app, grid, (es_rect){in.x, y, in.w, list + 1});
    y += list + 1;
    es_rect block = {in.x + 1, y, in.w - 1, 0};
    const es_correlation_report *report = es_corr_selected(app);
    if (details > 1 && report != NULL && report->value[ES_SPEARMAN].why == NULL)
        draw_details(app, grid, (es_rect){block.x, y + 1, block.w, details - 1}, wide);
    if (names > 0)
        draw_names(app, grid, (es_rect){block.x, in.y + in.h - names, block.w, names});
    es_grid_set_clip(grid, old);
    if (list < tasks) /* there are more */
        es_grid_printf(grid, pane.x + 9, pane.y, ES_ROLE_TITLE_FOCUS, "%zu/%zu ",
                       es_corr_line(app, c->task) + 1, c->tasks);
}

/* How Corr writes names and numbers: short enough for intervals, with the decimals of the task. */

const char *es_corr_name(const es_app *app, size_t item) {
    return es_app_name(app, item);
}

const es_correlation_report *es_corr_selected(const es_app *app) {
    return es_corr_report(app, app->corr->task);
}

static size_t corr_controls(const es_app *app) {
    size_t found = 0;
    for (size_t i = 0; i < app->n; i++)
        found += es_is_control(es_app_model(app, i)->family) && app->score_row[i] != SIZE_MAX &&
                 es_app_model(app, i)->state == ES_MODEL_READY;
    return found;
}

/* ---- Numbers ---- */

static const char *corr_brief(double value, char out[16]) {
    char text[16];
    if (!isfinite(value))
        return "-";
    (void)snprintf(text, sizeof text, "%.2f", fabs(value));
    bool negative = value < 0 && strcmp(text, "0.00") != 0;
    (void)snprintf(out, 16, "%s%s", negative ? "-" : "", text + (text[0] == '0'));
    return out;
}

const char *es_corr_stat_text(es_stat stat, char out[32]) {
    if (stat.why != NULL)
        (void)snprintf(out, 32, "- (%.24s)", stat.why);
    else
        (void)snprintf(out, 32, "%.2f", es_rounded_off(stat.value, 2));
    return out;
}

void es_corr_interval_text(const es_app *app, size_t task, es_correlation kind, char *out,
                           size_t capacity) {
    char low[16], high[16];
    const es_correlation_report *r = es_corr_report(app, task);
    if (r != NULL && r->value[kind].why != NULL)
        (void)snprintf(out, capacity, "-");
    else if (r != NULL && isfinite(r->low[kind]))
        (void)snprintf(out, capacity, "[%s, %s]", corr_brief(r->low[kind], low),
                       corr_brief(r->high[kind], high));
    else if (r == NULL || !es_corr_set(app)->drawn[task])
        (void)snprintf(out, capacity, "…");
    else
        (void)snprintf(out, capacity, r->few ? "too few" : "-");
}

const char *es_corr_number(double value, int digits, char out[32]) {
    es_format_number(value, digits, out, 32);
    return out;
}

const char *es_corr_signed(double value, int digits, char out[32]) {
    out[0] = '+';
    es_format_number(value, digits, out + (value >= 0), 31);
    return out;
}

int es_corr_digits(const es_app *app, size_t task) {
    if (es_corr_is_mean(app, task))
        return es_corr_is_turned(app, task) ? 1 : 3;
    return task < ES_APP_SCORES ? app->score_digits[task] : 2;
}
