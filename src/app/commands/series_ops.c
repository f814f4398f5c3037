/* Series among the views: its lines are steps, its pair the step before and this one. */
#include <math.h>
#include <stdio.h>

#include "app_state.h"
#include "motion.h"
#include "select.h"
#include "series_state.h"
#include "view_ops.h"

static void move(es_call *call) {
    es_app *app = call->app;
    size_t lines = es_series_lines(app), at = es_series_line(app);
    size_t page = (size_t)es_pane_inside(app, ES_PANE_MAIN).h;
    if (lines == 0)
        return;
    bool left = call->command == ES_COMMAND_LEFT, right = call->command == ES_COMMAND_RIGHT;
    size_t from = at == ES_NONE ? 0 : at;
    size_t to = left    ? from - (from > 0)
                : right ? from + (from + 1 < lines)
                        : es_moved(call, from, lines, page);
    es_select_cursor(app, es_series_item(app, to));
}

static void to_line(es_app *app, size_t line) {
    es_select_cursor(app, es_series_item(app, line));
}

static bool line_of(const es_app *app, size_t line, size_t *source, size_t *target) {
    *source = es_series_item(app, line);
    *target = ES_NONE;
    return *source != ES_NONE;
}

static bool pair(const es_app *app, size_t *source, size_t *target) {
    size_t line = es_series_line(app);
    if (line == ES_NONE)
        return false;
    size_t before = es_series_partner(&app->series->known, line, ES_SERIES_BY_BEFORE);
    if (before == SIZE_MAX)
        return false;
    *source = es_series_item(app, before);
    *target = app->cursor;
    return true;
}

/* ---- Copying ---- */

enum { COLUMNS = 3 + ES_SERIES_KNOWN };
static const char *const titles[COLUMNS] = {"series",   "step",      "model",
                                            "score",    "of_before", "by_before",
                                            "of_first", "of_last",   "downstream"};

static void sheet_cell(const es_app *app, size_t column, size_t line, char *out, size_t capacity) {
    const es_series *s = &app->series->known;
    const es_series_point *point = &s->point[line];
    if (column == 0)
        (void)snprintf(out, capacity, "%s", s->run[point->series].name);
    else if (column == 1)
        (void)snprintf(out, capacity, "%g", point->step);
    else if (column == 2)
        (void)snprintf(out, capacity, "%s", app->series->of.results->name[point->model]);
    else if (isfinite(s->column[column - 3].value[line]))
        (void)snprintf(out, capacity, "%.4f", s->column[column - 3].value[line]);
    else
        (void)snprintf(out, capacity, "-");
}

static bool sheet(const es_app *app, es_view_sheet *out) {
    size_t line = es_series_line(app);
    *out = (es_view_sheet){.titles = titles,
                           .columns = COLUMNS,
                           .cell = sheet_cell,
                           .item = app->series != NULL ? app->series->lines : NULL,
                           .count = es_series_lines(app),
                           .here = line == ES_NONE ? 0 : line};
    return out->count > 0;
}

static void cell(const es_app *app, char *out, size_t capacity) {
    size_t line = es_series_line(app);
    const es_series_column *c = es_series_shown(app);
    if (line != ES_NONE && c != NULL && isfinite(c->value[line]))
        (void)snprintf(out, capacity, "%.4f", c->value[line]);
}

const es_view_ops es_view_ops_series = {.there = es_series_there,
                                        .absent = "no checkpoints here; they are called RUN@STEP "
                                                  "(:help series)",
                                        .move = move,
                                        .move_everywhere = true,
                                        .wheel = 1,
                                        .lines = es_series_lines,
                                        .line = es_series_line,
                                        .line_of = line_of,
                                        .to_line = to_line,
                                        .pair = pair,
                                        .no_list = "not in Series",
                                        .no_filter = "nothing is filtered in Series",
                                        .sheet = sheet,
                                        .cell = cell,
                                        .update = es_series_update};
