/* Corr's list of tasks, with the numbers of the one that is selected and the names that wait. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "corr_panes.h"
#include "downstream.h"
#include "phrase.h"
#include "shapes.h"
#include "number_text.h"

static const char *p_text(const es_corr_task *task, char out[32]) {
    const es_correlation_report *r = &task->report;
    if (!isfinite(r->p_effective))
        return task->fresh ? "-" : "…";
    (void)snprintf(out, 32, "%s%.4f", task->held ? "~" : "", r->p_effective);
    return out;
}

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
        (void)snprintf(text, sizeof text, "%.2f", es_rounded_off(stat.value, 2));
    es_grid_field(grid, x, r.y, c.value, 1,
                  here               ? role
                  : task->report.few ? ES_ROLE_TEXT_DIM
                                     : ES_ROLE_TEXT_STRONG,
                  text);
    es_corr_interval_text(task, kind, text, sizeof text);
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
        es_grid_click_area(grid, line, ES_CLICK_LINE, top + i);
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
            (void)es_corr_brief(value, text);
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
    const es_corr_task *task = es_corr_selected(app);
    for (int i = 0; i < 3; i++) {
        char label[32], value[96], stat[32], interval[48];
        (void)snprintf(label, sizeof label, "%s %s", names[i], es_corr_symbol(app, kinds[i]));
        es_corr_interval_text(task, kinds[i], interval, sizeof interval);
        es_stat v = task->report.value[kinds[i]];
        (void)snprintf(value, sizeof value, "%s  %s", es_corr_stat_text(task, v, stat),
                       v.why == NULL ? interval : "");
        detail(pen, at, label, value);
    }
}

static void detail_brief(const es_app *app, es_pen *pen, int at) {
    const es_corr_task *task = es_corr_selected(app);
    es_correlation kind = es_corr_kind(app);
    static const es_correlation kinds[] = {ES_SPEARMAN, ES_KENDALL, ES_PEARSON};
    char value[80], stat[32];
    es_corr_interval_text(task, kind, value, sizeof value);
    detail(pen, at, "95%", value);
    for (int i = 0; i < 3; i++)
        if (kinds[i] != kind)
            detail(pen, at, es_corr_symbol(app, kinds[i]),
                   es_corr_stat_text(task, task->report.value[kinds[i]], stat));
}

/* The baseline l2, or how to get it. */
static void detail_l2(const es_app *app, es_pen *pen, int at, bool wide) {
    const es_corr_task *task = es_corr_selected(app);
    const es_source_baseline *l2 = &app->source->baseline;
    char label[32], value[80], stat[32];
    if (!l2->possible)
        return;
    if (l2->known == 0 && !l2->busy && wide)
        es_grid_printf(pen->grid, pen->rect.x, pen->y++, ES_ROLE_TEXT_DIM,
                       "l2: estimate --estimator l2%s", pen->rect.w >= 35 ? " (Enter)" : "");
    else {
        (void)snprintf(value, sizeof value, "%s%s",
                       l2->known > 0 ? es_corr_stat_text(task, task->l2[ES_SPEARMAN], stat)
                       : l2->busy    ? "…"
                                     : "- (Enter)",
                       l2->known > 0 && l2->known < l2->of ? wide ? " (in part)" : "~" : "");
        (void)snprintf(label, sizeof label, wide ? "%s l2 alone" : "l2",
                       es_corr_symbol(app, ES_SPEARMAN));
        detail(pen, at, label, value);
    }
}

static void draw_details(const es_app *app, es_grid *grid, es_rect r, bool wide) {
    const es_corr_task *task = es_corr_selected(app);
    const es_correlation_report *report = &task->report;
    es_pen pen = es_pen_begin(grid, r, 0);
    int at = wide ? 19 : 8;
    char label[32], value[80], low[16], high[16];
    const char *rho = es_corr_symbol(app, ES_SPEARMAN);
    if (wide)
        detail_kinds(app, &pen, at);
    else
        detail_brief(app, &pen, at);
    detail(&pen, at, "p", p_text(task, value));
    (void)snprintf(label, sizeof label, wide ? "%s given log dim" : "%s|dim", rho);
    bool sized = app->corr->sized;
    const char *unknown = wide ? "dims not known" : "- no dims";
    detail(&pen, at, label, sized ? es_corr_stat_text(task, report->partial, value) : unknown);
    if (task->fresh && isfinite(report->leave_one_low))
        (void)snprintf(value, sizeof value, "%s to %s", es_corr_brief(report->leave_one_low, low),
                       es_corr_brief(report->leave_one_high, high));
    else
        (void)snprintf(value, sizeof value, "-");
    detail(&pen, at, wide ? "leaving one out" : "w/o one", value);
    if (task->fresh && report->n_top > 0)
        (void)snprintf(label, sizeof label, wide ? "best half (%zu)" : "top %zu", report->n_top);
    else
        (void)snprintf(label, sizeof label, "best half");
    detail(&pen, at, label, es_corr_stat_text(task, report->top_half, value));
    (void)snprintf(label, sizeof label, wide ? "%s log dim alone" : "log d", rho);
    detail(&pen, at, label,
           sized ? es_corr_stat_text(task, task->size[ES_SPEARMAN], value) : unknown);
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

void es_corr_draw_tasks(const es_app *app, es_grid *grid, es_rect pane) {
    const struct es_corr *c = app->corr;
    bool wide = pane.w >= 36;
    char bottom[80], right[48];
    size_t usable = app->usable, without = usable > c->joined ? usable - c->joined : 0;
    size_t controls = es_corr_controls(app),
           matched = c->joined > controls ? c->joined - controls : 0;
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
    es_rect in = es_grid_pane(grid, pane, true, "Tasks", wide ? right : NULL, bottom);
    if (in.h < 2 || in.w < 10)
        return;
    es_rect old = es_grid_clip(grid, in);
    in = (es_rect){in.x, in.y, in.w - 1, in.h};
    int rest = in.h - 1, tasks = (int)(c->tasks < 99 ? c->tasks : 99);
    int names = names_lines(app), least = tasks < 4 ? tasks : 4;
    const es_source_baseline *l2 = &app->source->baseline;
    int details = 9 + l2->possible; /* with a blank line */
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
    if (wide && tasks > 1 && spare >= tasks + 1) {
        draw_bars(app, grid, (es_rect){block.x, y + 1, block.w, tasks});
        y += tasks + 1;
    }
    if (details > 1 &&
        !(es_corr_selected(app)->fresh && es_corr_selected(app)->report.value[ES_SPEARMAN].why))
        draw_details(app, grid, (es_rect){block.x, y + 1, block.w, details - 1}, wide);
    if (names > 0)
        draw_names(app, grid, (es_rect){block.x, in.y + in.h - names, block.w, names});
    es_grid_set_clip(grid, old);
    if (list < tasks) /* there are more */
        es_grid_printf(grid, pane.x + 9, pane.y, ES_ROLE_TITLE_FOCUS, "%zu/%zu ",
                       es_corr_line(app, c->task) + 1, c->tasks);
}
