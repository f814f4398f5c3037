/* Commands of Compare, and c, which leads there. */
#include <math.h>
#include <string.h>

#include "app_sheets.h"
#include "app_compare.h"
#include "app_state.h"
#include "app_dialogs.h"
#include "app_lists.h"

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

/* Lists the first marked embedders; returns how many are marked. */
static size_t first_marked(const es_app *app, size_t item[ES_COMPARE_MOST]) {
    size_t count = 0;
    for (size_t i = 0; i < app->n; i++)
        if (app->marked[i]) {
            if (count < ES_COMPARE_MOST)
                item[count] = i;
            count++;
        }
    return count;
}

/* What c means here: the marks, the pair under the cursor, or the cursor and the best. */
static size_t meant(es_app *app, size_t item[ES_COMPARE_MOST]) {
    const es_view_ops *view = es_view_shown(app);
    size_t marks = first_marked(app, item), source = ES_NONE, target = ES_NONE;
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

/* Sides of the pairs (0,1), (0,2), (1,2). */
static const size_t first[] = {0, 0, 1}, second[] = {1, 2, 2};

/* The pair that the focus is about: a side and the target under the cursor, or the two of a pair.
 */
static void go_cell(es_app *app) {
    const es_compare_settings *set = &app->set.compare;
    size_t side = app->compare.side < set->count ? app->compare.side : 0;
    size_t source = set->item[side], target = app->compare.target;
    if (app->focus[ES_VIEW_COMPARE] == ES_PANE_WHO || target == ES_NONE) {
        source = set->item[first[app->compare.pair]];
        target = set->item[second[app->compare.pair]];
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
    bool lower = es_compare_lower(app);
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
                          (char)('A' + (c->way == ES_COMPARE_FIRST ? first : second)[c->pair]));
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
