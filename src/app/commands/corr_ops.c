/* Corr among the views: its cursor is on a task and on a point; Tab changes between the two. */
#include <math.h>
#include <stdio.h>

#include "app_corr.h"
#include "app_commands.h"
#include "app_lists.h"

/* ---- Moving ---- */

typedef struct place {
    double x, y; /* up is more; each axis spans 1 over all points */
} place;

/* Places of all points in the plot, in the order of c->point. */
static void scale_points(const es_app *app, place *at) {
    const struct es_corr *c = app->corr;
    place low = {(double)INFINITY, (double)INFINITY}, high = {-(double)INFINITY, -(double)INFINITY};
    for (size_t k = 0; k < c->points; k++) {
        (void)es_corr_place(app, c->task, c->point[k], &at[k].x, &at[k].y);
        low = (place){fmin(low.x, at[k].x), fmin(low.y, at[k].y)};
        high = (place){fmax(high.x, at[k].x), fmax(high.y, at[k].y)};
    }
    for (size_t k = 0; k < c->points; k++) {
        at[k].x = high.x > low.x ? (at[k].x - low.x) / (high.x - low.x) : 0;
        at[k].y = high.y > low.y ? (at[k].y - low.y) / (high.y - low.y) : 0;
    }
}

/* The nearest point in a direction, where what lies to the side counts double; `from` if there is
 * none. Points in the same place come one after the other, in the order of the list. */
static size_t nearest(const place *at, size_t count, size_t from, es_command way) {
    bool across = way == ES_COMMAND_LEFT || way == ES_COMMAND_RIGHT;
    double sign = way == ES_COMMAND_RIGHT || way == ES_COMMAND_UP ? 1 : -1,
           least = (double)INFINITY;
    size_t best = from;
    for (size_t k = 0; k < count; k++) {
        double dx = sign * (at[k].x - at[from].x), dy = sign * (at[k].y - at[from].y);
        double along = across ? dx : dy, aside = fabs(across ? dy : dx);
        bool later = sign > 0 ? k > from : k < from, same = along == 0 && aside == 0;
        double cost = along + 2 * aside;
        if ((along > 0 || (same && later)) && cost < least) {
            least = cost;
            best = k;
        }
    }
    return best;
}

static size_t extreme(const place *at, size_t count, bool top) {
    size_t best = 0;
    for (size_t k = 1; k < count; k++)
        if (top ? at[k].y > at[best].y : at[k].y < at[best].y)
            best = k;
    return best;
}

/* In the plot: to the nearest point in that direction; a page is five of these, an end of the list
 * the highest or the lowest point. */
static void move_point(es_call *call, size_t by) {
    enum { PAGE = 5 };
    es_app *app = call->app;
    const struct es_corr *c = app->corr;
    es_command way = call->command;
    size_t at = 0;
    place *places = es_alloc(c->points, sizeof *places);
    if (places == NULL) {
        es_app_notice(app, ES_ENOMEM, "out of memory");
        return;
    }
    scale_points(app, places);
    while (at < c->points && c->point[at] != app->cursor)
        at++;
    if (way == ES_COMMAND_PAGE_UP || way == ES_COMMAND_PAGE_DOWN) {
        way = way == ES_COMMAND_PAGE_UP ? ES_COMMAND_UP : ES_COMMAND_DOWN;
        by *= PAGE;
    }
    if (at == c->points || way == ES_COMMAND_TOP || way == ES_COMMAND_BOTTOM)
        at = extreme(places, c->points, way != ES_COMMAND_BOTTOM);
    else
        while (by-- > 0)
            at = nearest(places, c->points, at, way);
    es_free(places);
    es_select_cursor(app, c->point[at]);
}

/* Among the tasks: up and down through them, sideways through the points by their score. */
static void move(es_call *call) {
    es_app *app = call->app;
    struct es_corr *c = app->corr;
    size_t by = call->count > 0 ? call->count : 1, at = 0;
    bool left = call->command == ES_COMMAND_LEFT;
    if (app->focus[ES_VIEW_CORR] == ES_PANE_SIDE) {
        if (c->points > 0)
            move_point(call, by);
    } else if (c->tasks > 0 && !left && call->command != ES_COMMAND_RIGHT) {
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
                                      .move_everywhere = true,
                                      .wheel = 1,
                                      .measure = measure,
                                      .sheet = task_sheet,
                                      .cell = cell,
                                      .zoom = zoom,
                                      .communities = true};
