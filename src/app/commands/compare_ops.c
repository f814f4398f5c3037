/* Compare among the views: its lines are targets, and each of its panes has a cursor of its own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_compare.h"
#include "app_lists.h"
#include "app_values.h"
#include "app_commands.h"

static void enter(es_app *app) {
    if (!app->compare.away)
        app->compare.from = app->view;
}

static void leave(es_app *app) {
    if (app->compare.from != ES_VIEW_COMPARE)
        es_go(app, app->compare.from);
}

static size_t page_of(const es_app *app, es_pane pane) {
    es_layout layout =
        es_layout_make(app->view, app->focus[app->view], app->w, app->h, app->headline.lines);
    int h = es_layout_inside(layout.pane[pane]).h;
    return h < 2 ? 1 : (size_t)h;
}

static void move_target(es_call *call) {
    es_app *app = call->app;
    size_t at = es_compare_line(app);
    at = es_moved(call, at == ES_NONE ? 0 : at, app->compare.lines, page_of(app, ES_PANE_TARGETS));
    es_compare_aim(app, at);
}

/* Left and right choose a side; other motions move in the focused pane. */
static void move_cursor(es_call *call) {
    es_app *app = call->app;
    es_compare_state *c = &app->compare;
    size_t count = app->set.compare.count, sides = count < ES_COMPARE_MOST ? count + 1 : count;
    size_t tasks = es_score_count(app);
    if (call->command == ES_COMMAND_LEFT || call->command == ES_COMMAND_RIGHT) {
        bool right = call->command == ES_COMMAND_RIGHT;
        if (count >= 2)
            c->side = right ? (c->side + 1) % sides : (c->side + sides - 1) % sides;
        return;
    }
    switch (app->focus[ES_VIEW_COMPARE]) {
    case ES_PANE_TASKS:
        c->task = es_moved(call, c->task, tasks, page_of(app, ES_PANE_TASKS));
        break;
    case ES_PANE_ROWS:
        c->at = es_moved(call, c->at, c->row_lines, page_of(app, ES_PANE_ROWS));
        break;
    case ES_PANE_WHO:
        c->pair = es_moved(call, c->pair, count == 3 ? 3 : 1, 3);
        break;
    default:
        move_target(call);
    }
}

/* ---- Lines ---- */

static size_t lines(const es_app *app) {
    return app->compare.lines;
}

static bool line_of(const es_app *app, size_t line, size_t *source, size_t *target) {
    (void)target;
    *source = es_compare_item(app, line);
    return true;
}

static void to_line(es_app *app, size_t line) {
    app->focus[ES_VIEW_COMPARE] = ES_PANE_TARGETS;
    es_compare_aim(app, line);
}

/* Returns the compared embedders, which two of three are shown, and the chosen side. */
static size_t compared_items(const es_app *app, size_t item[ES_COMPARE_MOST], size_t *two,
                             size_t *side) {
    memcpy(item, app->set.compare.item, ES_COMPARE_MOST * sizeof *item);
    *two = app->compare.pair % 3;
    *side = app->compare.side;
    return app->set.compare.count;
}

/* Marks the target under the cursor and goes to the next line. */
static bool mark_target(es_app *app) {
    size_t line = es_compare_line(app);
    if (line == ES_NONE)
        return true;
    es_history_push(app);
    app->range = ES_NONE;
    app->marked[app->compare.target] = !app->marked[app->compare.target];
    if (line + 1 < app->compare.lines)
        to_line(app, line + 1);
    return true;
}

/* ---- Copying: its targets, in the order shown ---- */

static const char *name_of(const es_app *app, size_t k) {
    return es_app_model(app, app->set.compare.item[k])->name;
}

static void put_target(es_buf *out, const es_app *app, es_copy_form form, size_t line) {
    static const char *const begin[] = {"", "| ", "", ""},
                             *const between[] = {"\t", " | ", " & ", ""},
                             *const end[] = {"\n", " |\n", " \\\\\n", ""};
    const es_compared_target *target = es_compare_target(app, line);
    size_t count = app->set.compare.count;
    es_buf_puts(out, begin[form]);
    es_copy_escaped(
        out, form, target == NULL ? "target" : es_app_model(app, es_compare_item(app, line))->name);
    for (size_t k = 0; k < count; k++) {
        es_buf_puts(out, between[form]);
        if (target == NULL)
            es_copy_escaped(out, form, name_of(app, k));
        else
            es_buf_printf(out, "%.4f", target->value[k]);
    }
    es_buf_puts(out, between[form]);
    if (target == NULL)
        es_buf_printf(out, "difference%sse", between[form]);
    else if (isfinite(target->error))
        es_buf_printf(out, "%.4f%s%.4f", target->difference, between[form], target->error);
    else
        es_buf_printf(out, "%.4f%s", target->difference, between[form]);
    es_buf_puts(out, end[form]);
}

static void put_target_json(es_buf *out, const es_app *app, size_t line) {
    const es_compared_target *target = es_compare_target(app, line);
    es_buf_puts(out, "{\"target\": \"");
    es_copy_escaped(out, ES_COPY_JSON, es_app_model(app, es_compare_item(app, line))->name);
    es_buf_putc(out, '"');
    for (size_t k = 0; k < app->set.compare.count; k++) {
        es_buf_puts(out, ", \"");
        es_copy_escaped(out, ES_COPY_JSON, name_of(app, k));
        es_buf_printf(out, "\": %.6f", target->value[k]);
    }
    es_buf_printf(out, ", \"difference\": %.6f, \"se\": ", target->difference);
    if (isfinite(target->error))
        es_buf_printf(out, "%.6f}", target->error);
    else
        es_buf_puts(out, "null}");
}

static char *copy_compared(const es_app *app, es_copy_form form, bool row) {
    es_buf out = {0};
    size_t lines = app->compare.lines, from = row ? es_compare_line(app) : 0;
    size_t to = row ? (from == ES_NONE ? 0 : from + 1) : lines;
    from = from == ES_NONE ? 0 : from;
    es_buf_puts(&out, form == ES_COPY_JSON && !row ? "[" : "");
    if (form == ES_COPY_LATEX && !row)
        es_buf_printf(&out, "\\begin{tabular}{l%s}\n\\toprule\n",
                      app->set.compare.count == 3 ? "rrrrr" : "rrrr");
    if (form != ES_COPY_JSON && !row)
        put_target(&out, app, form, ES_NONE);
    if (!row)
        es_buf_puts(&out, form == ES_COPY_LATEX         ? "\\midrule\n"
                          : form != ES_COPY_MARKDOWN    ? ""
                          : app->set.compare.count == 3 ? "|---|---:|---:|---:|---:|---:|\n"
                                                        : "|---|---:|---:|---:|---:|\n");
    for (size_t line = from; line < to; line++) {
        if (form == ES_COPY_JSON) {
            es_buf_puts(&out, row ? "" : line == from ? "\n" : ",\n");
            put_target_json(&out, app, line);
        } else
            put_target(&out, app, form, line);
    }
    if (!row)
        es_buf_puts(&out, form == ES_COPY_JSON    ? "\n]\n"
                          : form == ES_COPY_LATEX ? "\\bottomrule\n\\end{tabular}\n"
                                                  : "");
    return es_buf_take(&out);
}

static void update(es_app *app, bool idle) {
    (void)idle;
    es_compare_refresh(app);
}

const es_view_ops es_view_ops_compare = {.enter = enter,
                                         .move = move_cursor,
                                         .move_everywhere = true,
                                         .leave = leave,
                                         .lines = lines,
                                         .line = es_compare_line,
                                         .line_of = line_of,
                                         .to_line = to_line,
                                         .compared = compared_items,
                                         .mark = mark_target,
                                         .no_list = "not in Compare",
                                         .copy = copy_compared,
                                         .cell = es_compare_verdict,
                                         .update = update};
