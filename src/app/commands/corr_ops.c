/* Corr among the views: its cursor is on a task and on a point; Tab changes between the two. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_corr.h"
#include "app_dialogs.h"
#include "app_lists.h"
#include "app_state.h"

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

static const char *task_title(const es_app *app, size_t column) {
    static const char *const titles[TASK_COLUMNS] = {
        "task",          "n",           "spearman",     "spearman_low",
        "spearman_high", "kendall",     "kendall_low",  "kendall_high",
        "pearson",       "pearson_low", "pearson_high", "p"};
    (void)app;
    return titles[column];
}

static void task_row(const es_app *app, size_t column, size_t line, char *out, size_t capacity) {
    task_cell(app, column, app->corr->order[line], out, capacity);
}

/* The list of tasks as a table, for copying. */
static bool task_sheet(const es_app *app, es_view_sheet *out) {
    const struct es_corr *c = app->corr;
    *out =
        (es_view_sheet){task_title, TASK_COLUMNS, task_row, c->tasks, es_corr_line(app, c->task)};
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

/* Commands of Corr. */

void es_command_corr_kind(es_call *call) {
    static const char *const titles[] = {"Spearman's rank correlation", "Kendall's tau-b",
                                         "Pearson's correlation"};
    es_app *app = call->app;
    size_t kind = (app->set.corr_kind + 1u) % 3;
    if (call->argument != NULL) {
        for (kind = 0; kind < 3; kind++)
            if (strncmp(es_corr_kind_names[kind], call->argument, strlen(call->argument)) == 0)
                break;
        if (kind == 3) {
            es_app_notice(app, ES_ENOTFOUND, "kind: spearman, kendall or pearson");
            return;
        }
    }
    es_history_push(app);
    app->set.corr_kind = (uint8_t)kind;
    es_app_notice(app, ES_OK, "%s", titles[kind]);
}

void es_command_exclude(es_call *call) {
    es_app *app = call->app;
    size_t marks = 0, in = 0;
    for (size_t i = 0; i < app->n; i++) {
        marks += app->marked[i];
        in += app->marked[i] && !app->excluded[i];
    }
    es_history_push(app);
    bool out = marks > 0 ? in > 0 : !app->excluded[app->cursor];
    for (size_t i = 0; i < app->n; i++)
        if (marks > 0 ? app->marked[i] : i == app->cursor)
            app->excluded[i] = out;
    char who[160];
    if (marks > 0)
        (void)snprintf(who, sizeof who, "%zu marked", marks);
    else
        (void)snprintf(who, sizeof who, "%.120s", es_app_model(app, app->cursor)->name);
    es_app_notice(app, ES_OK, out ? "Left out: %s; x or u includes it again" : "Counts again: %s",
                  who);
}

void es_command_labels(es_call *call) {
    static const char *const titles[ES_LABELS_COUNT] = {
        [ES_LABELS_EXTREMES] = "the largest residuals",
        [ES_LABELS_ALL] = "all that fit",
        [ES_LABELS_CURSOR] = "the point under the cursor",
        [ES_LABELS_OFF] = "none"};
    es_app *app = call->app;
    es_history_push(app);
    app->set.corr_labels = (uint8_t)((app->set.corr_labels + 1u) % ES_LABELS_COUNT);
    es_app_notice(app, ES_OK, "Labels: %s", titles[app->set.corr_labels]);
}

void es_command_band(es_call *call) {
    static const char *const titles[ES_BANDS] = {
        [ES_BAND_LINE] = "Band: 95 % of the least squares line", [ES_BAND_OFF] = "No band"};
    es_app *app = call->app;
    es_history_push(app);
    app->set.corr_band = (uint8_t)((app->set.corr_band + 1u) % ES_BANDS);
    es_app_notice(app, ES_OK, "%s", titles[app->set.corr_band]);
}

void es_command_sort_tasks(es_call *call) {
    es_app *app = call->app;
    es_history_push(app);
    app->set.corr_sorted = !app->set.corr_sorted;
    es_app_notice(app, ES_OK,
                  app->set.corr_sorted ? "Tasks by coefficient" : "Tasks as in their file");
}

void es_command_accept(es_call *call) {
    es_app *app = call->app;
    const struct es_corr *c = app->corr;
    size_t item = es_corr_proposal(app, 0), count = 0;
    for (size_t k = 0; call->argument != NULL; k++) {
        item = es_corr_proposal(app, k);
        if (item == ES_NONE || strcmp(es_app_model(app, item)->name, call->argument) == 0 ||
            strcmp(app->source->scores.model[c->partner[item]], call->argument) == 0)
            break;
    }
    if (item == ES_NONE) {
        es_app_notice(app, ES_ENOTFOUND, "accept: no name is proposed for %s", call->argument);
        return;
    }
    es_history_push(app);
    app->accepted[item] = true;
    for (size_t next = item; call->command == ES_COMMAND_ACCEPT_ALL && next != ES_NONE; count++) {
        next = es_corr_proposal(app, 0);
        if (next != ES_NONE)
            app->accepted[next] = true;
    }
    if (count > 1)
        es_app_notice(app, ES_OK, "Accepted %zu names; u undoes it", count);
    else
        es_app_notice(app, ES_OK, "Took %s as %s; u takes it back",
                      app->source->scores.model[c->partner[item]], es_app_model(app, item)->name);
}

void es_command_names(es_call *call) {
    call->app->mode = ES_MODE_ASK;
    call->app->ask = ES_ASK_NAMES;
}

void es_command_scores(es_call *call) {
    if (call->argument == NULL)
        es_prompt_open_with(call->app, "scores ");
    else
        es_effect_add(call->app, call->effects, ES_FX_SCORES, 0, false, call->argument);
}

/* The task's column is the one under the cursor, so s turns it round. */
void es_command_rank_by(es_call *call) {
    es_app *app = call->app;
    size_t task = app->corr->task;
    const char *name = es_corr_task_name(app, task);
    size_t column = name ? es_columns_find(app, ES_TABLE_RANK, name) : ES_NONE;
    if (column == ES_NONE) {
        es_sheet_open(app, "correlation", NULL);
        return;
    }
    es_table_settings *set = &app->set.table[ES_TABLE_RANK];
    es_history_push(app);
    set->sort = set->column = (uint8_t)column;
    set->hidden[column] = false;
    set->descending = !es_corr_is_turned(app, task);
    es_go(app, ES_VIEW_RANK);
    es_select_refresh(app, true);
}

static void next_task(es_app *app) {
    struct es_corr *c = app->corr;
    c->task = c->order[(es_corr_line(app, c->task) + 1) % c->tasks];
}

void es_command_task(es_call *call) {
    es_app *app = call->app;
    size_t found = ES_NONE;
    if (call->command == ES_COMMAND_TASK_NEXT) {
        next_task(app);
        return;
    }
    for (size_t t = app->corr->tasks; t-- > 0;) {
        const char *name = es_corr_task_name(app, t);
        if (strcmp(name, call->argument) == 0) {
            found = t;
            break;
        }
        if (strncmp(name, call->argument, strlen(call->argument)) == 0)
            found = t;
    }
    if (found == ES_NONE)
        es_app_notice(app, ES_ENOTFOUND, "task: %s has no column %s", app->source->score_file,
                      call->argument);
    else
        app->corr->task = found;
}
