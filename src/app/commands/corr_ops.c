/* Corr among the views: its cursor is on a task and on a point. */
#include <math.h>
#include <stdio.h>

#include "corr.h"
#include "effects.h"
#include "history.h"
#include "motion.h"
#include "select.h"
#include "view_ops.h"

/* Up and down through the tasks, sideways through the points by their score. */
static void move(es_call *call) {
    es_app *app = call->app;
    struct es_corr *c = app->corr;
    size_t by = call->count > 0 ? call->count : 1, at = 0;
    bool left = call->command == ES_COMMAND_LEFT;
    if (c->tasks > 0 && !left && call->command != ES_COMMAND_RIGHT) {
        size_t page = (size_t)es_pane_inside(app, ES_PANE_MAIN).h / 2;
        c->task = c->order[es_moved(call, es_corr_line(app, c->task), c->tasks, page)];
    } else if (c->points > 0) {
        while (at < c->points && c->point[at] != app->cursor)
            at++;
        if (at == c->points) /* the cursor's item has no point: begin at that end */
            at = left ? c->points - 1 : 0;
        else if (left)
            at -= by < at ? by : at;
        else
            at = at + by < c->points ? at + by : c->points - 1;
        es_select_cursor(app, c->point[at]);
    }
}

static size_t measure(const es_app *app) {
    return app->set.axis > 0 ? app->set.axis - 1 : ES_NONE;
}

static void zoom(es_app *app, es_command command) {
    uint8_t now = app->set.corr_zoom, next = command == ES_COMMAND_ZOOM_FIT ? 0
                                             : command == ES_COMMAND_ZOOM_IN
                                                 ? (uint8_t)(now < ES_CORR_ZOOM ? now + 1 : now)
                                                 : (uint8_t)(now > 0 ? now - 1 : 0);
    if (next == now) {
        es_app_notice(app, ES_OK, now == 0 ? "All points are shown" : "This is the closest");
        return;
    }
    es_history_push(app);
    app->set.corr_zoom = next;
}

/* ---- Copying ---- */

enum { TASK_COLUMNS = 12 };

static void task_cell(const es_app *app, size_t column, size_t task, char *out, size_t capacity) {
    static const es_correlation kinds[] = {ES_SPEARMAN, ES_KENDALL, ES_PEARSON};
    const es_correlation_report *r = es_corr_report(app, task);
    double value = (double)NAN;
    if (column == 0) {
        (void)snprintf(out, capacity, "%s", es_corr_task_name(app, task));
        return;
    }
    if (column == 1) {
        (void)snprintf(out, capacity, "%zu", r == NULL ? 0 : r->n);
        return;
    }
    if (column == TASK_COLUMNS - 1 && r != NULL)
        value = r->p_effective;
    else if (r != NULL) {
        es_correlation kind = kinds[(column - 2) / 3];
        value = column % 3 == 2   ? r->value[kind].value
                : column % 3 == 0 ? r->low[kind]
                                  : r->high[kind];
    }
    if (isfinite(value))
        (void)snprintf(out, capacity, "%.4f", value);
    else
        (void)snprintf(out, capacity, "-");
}

static const char *const task_titles[TASK_COLUMNS] = {
    "task",          "n",           "spearman",     "spearman_low",
    "spearman_high", "kendall",     "kendall_low",  "kendall_high",
    "pearson",       "pearson_low", "pearson_high", "p"};

/* The list of tasks as a table, for copying. */
static bool task_sheet(const es_app *app, es_view_sheet *out) {
    const struct es_corr *c = app->corr;
    *out = (es_view_sheet){task_titles, TASK_COLUMNS, task_cell, c->order, c->tasks, c->task};
    return c->tasks > 0;
}

static void cell(const es_app *app, char *out, size_t capacity) {
    if (app->corr->tasks > 0)
        task_cell(app, 2 + 3 * (app->set.corr_kind % 3u), app->corr->task, out, capacity);
}

const es_view_ops es_view_ops_corr = {.move = move,
                                      .wheel = 1,
                                      .measure = measure,
                                      .sheet = task_sheet,
                                      .cell = cell,
                                      .zoom = zoom,
                                      .communities = true};
