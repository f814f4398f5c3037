/* Jobs among the views: its lines are pairs at work, then failures. */
#include <stdio.h>

#include "app_values.h"
#include "app_commands.h"

static void move_cursor(es_call *call) {
    es_app *app = call->app;
    size_t lines = es_jobs_lines(app), page = (size_t)es_pane_inside(app, ES_PANE_MAIN).h;
    if (call->command != ES_COMMAND_LEFT && call->command != ES_COMMAND_RIGHT)
        es_jobs_select(app, es_moved(call, app->job, lines, page));
}

static size_t line(const es_app *app) {
    return app->job;
}

static bool pair(const es_app *app, size_t *source, size_t *target) {
    return es_jobs_pair(app, app->job, source, target);
}

static void put_pair_names(const es_app *app, char *out, size_t capacity) {
    size_t source, target;
    if (pair(app, &source, &target) && target != ES_NONE)
        (void)snprintf(out, capacity, "%s -> %s", es_app_model(app, source)->name,
                       es_app_model(app, target)->name);
}

const es_view_ops es_view_ops_jobs = {.move = move_cursor,
                                      .lines = es_jobs_lines,
                                      .line = line,
                                      .line_of = es_jobs_pair,
                                      .to_line = es_jobs_select,
                                      .pair = pair,
                                      .no_marks = "not in Jobs",
                                      .no_list = "not in Jobs",
                                      .cell = put_pair_names,
                                      .tick = 0.25};
