/* Corr among the views: its cursor is on a task and on a point; or on a task of the agreement,
 * which takes the scatter's place. */
#include <math.h>
#include <stdio.h>

#include "agreement.h"
#include "app_state.h"
#include "by_task.h"
#include "kinds.h"
#include "corr.h"
#include "effects.h"
#include "history.h"
#include "motion.h"
#include "panel_grid.h"
#include "setting_sweep.h"
#include "select.h"
#include "view_ops.h"

/* Up and down through the embedders, by their rank in the column under the cursor. */
static void move_by_rank(es_call *call) {
    es_app *app = call->app;
    const struct es_agree_state *a = app->agree;
    size_t count = 0, at = 0;
    while (a != NULL && es_agreement_ranked(app, a->at, count) != ES_NONE) {
        at = es_agreement_ranked(app, a->at, count) == app->cursor ? count : at;
        count++;
    }
    if (count > 0)
        es_select_cursor(app, es_agreement_ranked(app, a->at, es_moved(call, at, count, 10)));
}

/* To the panel beside, above or below. */
static size_t move_among_panels(es_call *call, size_t at, size_t count) {
    const es_app *app = call->app;
    es_layout layout =
        es_layout_make(app->view, app->focus[app->view], app->w, app->h, app->headline.lines);
    es_rect in = es_layout_inside(layout.body);
    size_t across, down, by = call->count > 0 ? call->count : 1, last = count > 0 ? count - 1 : 0;
    es_panels_fit(count, in.w, in.h, &across, &down);
    switch (call->command) {
    case ES_COMMAND_UP:
        by *= across; /* fall through */
    case ES_COMMAND_LEFT:
        return by <= at ? at - by : call->command == ES_COMMAND_LEFT ? 0 : at;
    case ES_COMMAND_DOWN:
        by *= across; /* fall through */
    case ES_COMMAND_RIGHT:
        return at + by <= last ? at + by : call->command == ES_COMMAND_RIGHT ? last : at;
    default:
        return es_moved(call, at, count, across * down);
    }
}

/* Up and down through the values, sideways through the embedders by their rank there. */
static void move_in_sweep(es_call *call) {
    es_app *app = call->app;
    struct es_setting_sweep *s = app->sweep;
    size_t by = call->count > 0 ? call->count : 1, count = 0, at = ES_NONE;
    bool left = call->command == ES_COMMAND_LEFT;
    if (s == NULL || s->values == 0)
        return;
    if (!left && call->command != ES_COMMAND_RIGHT) {
        s->at = es_moved(call, s->at, s->values, 10);
        return;
    }
    for (size_t item; (item = es_sweep_ranked(app, s->at, count)) != ES_NONE; count++)
        at = item == app->cursor ? count : at;
    if (at == ES_NONE)
        at = 0;
    else
        at = left ? at - (by < at ? by : at) : at + by < count ? at + by : count - 1;
    if (count > 0)
        es_select_cursor(app, es_sweep_ranked(app, s->at, at));
}

/* Up and down through the tasks, sideways through the points by their score. */
static void move(es_call *call) {
    es_app *app = call->app;
    struct es_corr *c = app->corr;
    size_t by = call->count > 0 ? call->count : 1, at = 0;
    bool left = call->command == ES_COMMAND_LEFT;
    if (app->set.corr_agree && app->set.corr_by_task) {
        struct es_by_task *t = app->by_task;
        if (t != NULL && app->set.corr_panels)
            t->at = move_among_panels(call, t->at, t->k);
        else if (t != NULL && (left || call->command == ES_COMMAND_RIGHT))
            t->column = left ? t->column - (by < t->column ? by : t->column)
                        : t->column + by < t->columns ? t->column + by
                                                      : t->columns - 1;
        else if (t != NULL)
            t->at = es_moved(call, t->at, t->k, 10);
        return;
    }
    if (es_sweep_seen(app)) {
        move_in_sweep(call);
        return;
    }
    if (app->set.corr_agree && app->set.corr_kinds) {
        if (app->kinds != NULL && app->kinds->n > 0 && !left && call->command != ES_COMMAND_RIGHT)
            app->kinds->at = es_moved(call, app->kinds->at, app->kinds->n, 10);
        return;
    }
    if (app->set.corr_agree && app->set.corr_matrices) {
        size_t count = es_panel_matrices(app);
        if (count > 0)
            app->set.matrix =
                es_panel_matrix(app, move_among_panels(call, es_panel_at(app), count));
        return;
    }
    if (app->set.corr_agree && app->set.corr_bump) {
        struct es_agree_state *a = app->agree;
        if (a != NULL && (left || call->command == ES_COMMAND_RIGHT))
            a->at = left                ? a->at - (by < a->at ? by : a->at)
                    : a->at + by < a->k ? a->at + by
                                        : a->k - 1;
        else if (es_agreement_of(app) != NULL)
            move_by_rank(call);
        return;
    }
    if (app->set.corr_agree) {
        if (app->agree != NULL && !left && call->command != ES_COMMAND_RIGHT)
            app->agree->at = es_moved(call, app->agree->at, app->agree->k, 10);
        return;
    }
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

/* The scatter takes its place again. */
static bool close_agreement(es_app *app) {
    if (!app->set.corr_agree)
        return false;
    es_history_push(app);
    app->set.corr_agree = false;
    return true;
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
    const es_correlation_report *r = &app->corr->at[task].report;
    double value = (double)NAN;
    if (column == 0) {
        (void)snprintf(out, capacity, "%s", es_corr_task_name(app, task));
        return;
    }
    if (column == 1) {
        (void)snprintf(out, capacity, "%zu", r->n);
        return;
    }
    if (column == TASK_COLUMNS - 1)
        value = r->p_effective;
    else {
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
    "pearson",       "pearson_low", "pearson_high", "p_permutation"};

static bool sheet(const es_app *app, es_view_sheet *out) {
    const struct es_corr *c = app->corr;
    *out = (es_view_sheet){task_titles, TASK_COLUMNS, task_cell, c->order, c->tasks, c->task};
    return c->tasks > 0;
}

static void cell(const es_app *app, char *out, size_t capacity) {
    if (app->corr->tasks > 0)
        task_cell(app, 2 + 3 * (app->set.corr_kind % 3u), app->corr->task, out, capacity);
}

/* ---- Keeping up ---- */

static void update(es_app *app, bool idle) {
    if (app->set.corr_agree && app->set.corr_by_task)
        es_by_task_update(app, idle);
    else if (app->set.corr_agree && (app->set.corr_matrices || app->set.corr_sweep))
        return; /* they are drawn as they are known */
    else if (app->set.corr_agree && !app->set.corr_kinds)
        es_agreement_update(app, idle);
    else
        es_corr_update(app, idle);
    if (app->set.corr_agree && app->set.corr_kinds)
        es_kinds_update(app, idle);
}

static double deadline(const es_app *app) {
    if (app->set.corr_agree && app->set.corr_by_task)
        return es_by_task_deadline(app);
    if (app->set.corr_agree && (app->set.corr_matrices || app->set.corr_sweep))
        return (double)INFINITY;
    if (app->set.corr_agree && app->set.corr_kinds)
        return fmin(es_kinds_deadline(app), es_corr_deadline(app));
    return app->set.corr_agree ? es_agreement_deadline(app) : es_corr_deadline(app);
}

const es_view_ops es_view_ops_corr = {.move = move,
                                      .wheel = 1,
                                      .close = close_agreement,
                                      .measure = measure,
                                      .sheet = sheet,
                                      .cell = cell,
                                      .zoom = zoom,
                                      .update = update,
                                      .deadline = deadline,
                                      .communities = true};
