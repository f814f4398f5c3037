/* Compare among the views: its lines are targets, and each of its panes has a cursor of its own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_compare.h"
#include "app_dialogs.h"
#include "app_lists.h"
#include "app_sheets.h"
#include "app_state.h"
#include "app_values.h"

static void enter(es_app *app) {
    if (!app->compare.away)
        app->compare.from = app->view;
}

static void leave(es_app *app) {
    if (app->compare.from != ES_VIEW_COMPARE)
        es_go(app, app->compare.from);
}

static size_t page_of(const es_app *app, es_pane pane) {
    int h = es_pane_inside(app, pane).h;
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
                                         .update = es_compare_refresh};

/* Commands of Compare, and c, which leads there. */

/* ---- Choosing ---- */

/* compare a b [c]. Names with blanks cannot be typed here; a takes them from a list. */
static size_t named(es_app *app, const char *text, size_t item[ES_COMPARE_MOST]) {
    size_t count = 0;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " "), found = es_compare_named(app, text, length);
        if (found == ES_NONE || count == ES_COMPARE_MOST) {
            if (count == ES_COMPARE_MOST)
                es_app_notice(app, ES_EINVAL, "compare: two or three names");
            else
                es_app_notice(app, ES_ENOTFOUND, "compare: no embedder, or several, called %.*s",
                              (int)length, text);
            return 0;
        }
        for (size_t k = 0; k < count; k++)
            if (item[k] == found) {
                es_app_notice(app, ES_EINVAL, "compare: %s is named twice",
                              es_app_model(app, found)->name);
                return 0;
            }
        if (!es_compare_usable(app, found))
            return 0;
        item[count++] = found;
        text += length;
    }
    if (count == 1) {
        item[1] = es_compare_best_besides(app, item[0]);
        count += item[1] != ES_NONE;
    }
    if (count < 2)
        es_app_notice(app, ES_EINVAL, "compare: give two or three names");
    return count < 2 ? 0 : count;
}

/* What c means here: the marks, the pair under the cursor, or the cursor and the best. */
static size_t meant(es_app *app, size_t item[ES_COMPARE_MOST]) {
    const es_view_ops *view = es_view_shown(app);
    size_t marks = es_app_marked(app, item, ES_COMPARE_MOST), source = ES_NONE, target = ES_NONE;
    if (marks == 2 || marks == 3)
        return marks;
    if (view->pair != NULL)
        (void)view->pair(app, &source, &target);
    if (source != ES_NONE && target != ES_NONE && source != target) {
        item[0] = source;
        item[1] = target;
        return 2;
    }
    if (marks > ES_COMPARE_MOST) {
        es_app_notice(app, ES_EINVAL, "compare: %zu are marked, it takes two or three", marks);
        return 0;
    }
    if (app->view == ES_VIEW_COMPARE && app->set.compare.count > 0) {
        es_app_notice(app, ES_OK, "Mark two or three elsewhere, or a assigns another embedder");
        return 0;
    }
    if (app->cursor == ES_NONE) {
        es_app_notice(app, ES_EINVAL, "compare: there is no embedder");
        return 0;
    }
    size_t other = marks == 1 ? item[0] : ES_NONE;
    item[0] = app->cursor;
    item[1] = other == ES_NONE || other == app->cursor ? es_compare_best_besides(app, app->cursor)
                                                       : other;
    if (item[1] != ES_NONE)
        return 2;
    es_app_notice(app, ES_EINVAL, "compare: no ranking yet; mark two or three with Space");
    return 0;
}

/* The same of a table of scores. */
static void compare_models(es_call *call) {
    es_app *app = call->app;
    size_t item[ES_COMPARE_MOST];
    if (call->argument == NULL)
        es_board_compare_here(app);
    else if (named(app, call->argument, item) >= 2)
        es_board_compare(app, es_app_model(app, item[0])->name, es_app_model(app, item[1])->name);
}

/* :compare: takes the embedders that are named, or else marked or under the cursor. */
static void compare_items(es_call *call) {
    es_app *app = call->app;
    size_t item[ES_COMPARE_MOST];
    if (app->source->table) {
        compare_models(call);
        return;
    }
    size_t count = call->argument == NULL ? meant(app, item) : named(app, call->argument, item);
    for (size_t k = 0; k < count; k++)
        if (!es_compare_usable(app, item[k]))
            return;
    if (count == 0)
        return;
    es_compare_choose(app, item, count);
    app->compare.away = false;
    app->focus[ES_VIEW_COMPARE] = ES_PANE_TARGETS;
    es_go(app, ES_VIEW_COMPARE);
}

/* ---- Sides ---- */

void es_command_assign(es_call *call) {
    es_app *app = call->app;
    if (call->argument == NULL) {
        es_pick_open(app, ES_PICK_SIDE);
        return;
    }
    size_t found = es_compare_named(app, call->argument, strlen(call->argument));
    if (found == ES_NONE)
        es_app_notice(app, ES_ENOTFOUND, "assign: no embedder, or several, called %s",
                      call->argument);
    else
        es_compare_assign(app, found);
}

/* Exchanges the chosen side with the next one. */
static void swap_sides(es_app *app) {
    size_t chosen[ES_COMPARE_MOST], count = app->set.compare.count;
    size_t a = app->compare.side < count ? app->compare.side : count - 1, b = (a + 1) % count;
    memcpy(chosen, app->set.compare.item, sizeof chosen);
    size_t item = chosen[a];
    chosen[a] = chosen[b];
    chosen[b] = item;
    es_compare_choose(app, chosen, count);
}

/* Takes the embedder of the chosen side out of the comparison. */
static void drop_side(es_app *app) {
    size_t chosen[ES_COMPARE_MOST] = {0}, kept = 0, count = app->set.compare.count;
    size_t side = app->compare.side < count ? app->compare.side : count - 1;
    for (size_t k = 0; k < count; k++)
        if (k != side)
            chosen[kept++] = app->set.compare.item[k];
    es_compare_choose(app, chosen, kept);
    es_app_notice(app, ES_OK, "Took %c out; u brings it back", (char)('A' + side));
}

/* ---- Going deeper ---- */

/* The pair that the focus is about: a side and the target under the cursor, or the two of a pair.
 */
static void go_cell(es_app *app) {
    const es_compare_settings *set = &app->set.compare;
    size_t side = app->compare.side < set->count ? app->compare.side : 0;
    size_t source = set->item[side], target = app->compare.target;
    if (app->focus[ES_VIEW_COMPARE] == ES_PANE_WHO || target == ES_NONE) {
        source = set->item[es_pair_sides[app->compare.pair][0]];
        target = set->item[es_pair_sides[app->compare.pair][1]];
    }
    if (es_select_index(app, ES_LIST_HEAT, source) == ES_NONE ||
        es_select_index(app, ES_LIST_HEAT, target) == ES_NONE) {
        es_app_notice(app, ES_OK, "This pair is hidden in the heatmap; gx lists hidden embedders");
        return;
    }
    app->cursor = app->set.transposed ? target : source;
    app->moved = true;
    app->column = app->set.transposed ? source : target;
    es_go(app, ES_VIEW_HEATMAP);
    app->compare.away = true;
}

static void show_row(es_app *app) {
    const es_compare_state *c = &app->compare;
    es_source_row row = {0};
    es_buf out = {0};
    if (c->at >= c->row_lines ||
        !app->source->row(app->source->context, es_compare_entry(app), c->row[c->at], &row))
        return;
    double d = es_compare_row_difference(app, c->row[c->at]);
    const es_compared_pair *pair = &c->known->pair[c->pair];
    size_t by = app->set.compare.item[d > 0 ? pair->a : pair->b];
    size_t not_by = app->set.compare.item[d > 0 ? pair->b : pair->a];
    es_buf_printf(&out, "row       %zu\nid        %s\n\n%s\n\n", row.number,
                  row.id[0] == '\0' ? "-" : row.id,
                  row.text[0] == '\0' ? "rows.csv has no text for it." : row.text);
    bool lower = es_app_lower(app);
    es_buf_printf(&out, "%s %s this row better than %s\n%s %.3f%s, ", es_app_model(app, by)->name,
                  lower ? "predicts" : "simulates", es_app_model(app, not_by)->name,
                  lower ? "by an error smaller by" : "by", fabs(d),
                  lower ? "" : " nats per dimension");
    if (c->row_target != ES_NONE)
        es_buf_printf(&out, "for %s.\n", es_app_model(app, c->row_target)->name);
    else
        es_buf_printf(&out, "mean over %zu target%s.\n", c->rows->targets,
                      c->rows->targets == 1 ? "" : "s");
    es_app_show_note(app, "Row", es_buf_take(&out));
}

void es_command_compare_open(es_call *call) {
    es_app *app = call->app;
    size_t two[ES_COMPARE_MOST] = {0};
    if (app->set.compare.count == 0) {
        es_compare_telling(app, &two[0], &two[1]);
        es_compare_choose(app, two, 2);
        return;
    }
    es_compare_state *c = &app->compare;
    es_pane focus = app->focus[ES_VIEW_COMPARE];
    if (focus == ES_PANE_ROWS)
        show_row(app);
    else if (focus == ES_PANE_TARGETS && c->rows != NULL && c->target != ES_NONE) {
        c->row_target = c->target;
        c->at = 0;
        app->focus[ES_VIEW_COMPARE] = ES_PANE_ROWS;
    } else if (focus != ES_PANE_TASKS)
        go_cell(app);
}

/* ---- Lists ---- */

/* Changes the order of the focused list: rows, or targets. */
static void sort_focused(es_app *app) {
    static const char *const orders[] = {"largest difference first", "from the lead of A to B's",
                                         "by name"};
    if (app->focus[ES_VIEW_COMPARE] == ES_PANE_ROWS) {
        es_compare_state *c = &app->compare;
        c->way = (es_compare_way)(((int)c->way + 1) % ES_COMPARE_WAYS);
        c->at = 0;
        if (c->way == ES_COMPARE_BOTH)
            es_app_notice(app, ES_OK, "Rows of both");
        else
            es_app_notice(app, ES_OK, "Rows that %c captures",
                          (char)('A' + es_pair_sides[c->pair][c->way != ES_COMPARE_FIRST]));
        return;
    }
    es_history_push(app);
    int next = ((int)app->set.compare.order + 1) % ES_COMPARE_ORDERS;
    if (next == ES_COMPARE_BY_DIFFERENCE && app->set.compare.count == 3)
        next++; /* of three the difference has no sign */
    app->set.compare.order = (es_compare_order)next;
    es_app_notice(app, ES_OK, "Targets: %s", orders[next]);
}

void es_command_compare(es_call *call) {
    es_app *app = call->app;
    switch (call->command) {
    case ES_COMMAND_COMPARE:
        compare_items(call);
        break;
    case ES_COMMAND_SWAP:
        swap_sides(app);
        break;
    case ES_COMMAND_DROP:
        drop_side(app);
        break;
    case ES_COMMAND_DIFFERENCES:
        es_history_push(app);
        app->set.compare.clear_only = !app->set.compare.clear_only;
        break;
    case ES_COMMAND_GO_CELL:
        go_cell(app);
        break;
    default:
        sort_focused(app);
    }
}
