/* Sets among the views: several data sets, one of which is open. Its lines are embedders, its
 * columns the data sets. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "copy.h"
#include "effects.h"
#include "facts.h"
#include "go.h"
#include "handlers.h"
#include "history.h"
#include "motion.h"
#include "number_text.h"
#include "select.h"
#include "sets.h"
#include "view_ops.h"

static bool there(const es_app *app) {
    return app->sets != NULL;
}

const char *es_refuse_sets(const es_app *app) {
    return there(app) ? NULL : "one pool is open: several are named, or lie in one folder";
}

static void enter(es_app *app) {
    if (app->sets != NULL)
        app->sets->from = app->view;
}

static void leave(es_app *app) {
    if (app->sets != NULL && app->sets->from != ES_VIEW_SETS)
        es_go(app, app->sets->from);
}

/* The embedder under the cursor is that of the other views, where it is in the open data set. */
static void follow(es_app *app) {
    const es_sets *s = app->sets;
    if (s->line < s->rows && s->row[s->line].item != ES_NONE)
        app->cursor = s->row[s->line].item;
}

static void move(es_call *call) {
    es_app *app = call->app;
    es_sets *s = app->sets;
    size_t page = (size_t)es_pane_inside(app, ES_PANE_MAIN).h / 2;
    if (s == NULL || s->count == 0)
        return;
    if (call->command == ES_COMMAND_LEFT)
        s->at = s->at > 0 ? s->at - 1 : 0;
    else if (call->command == ES_COMMAND_RIGHT)
        s->at = s->at + 1 < s->count ? s->at + 1 : s->at;
    else
        s->line = es_moved(call, s->line, s->rows, page);
    follow(app);
}

static size_t lines(const es_app *app) {
    return app->sets == NULL ? 0 : app->sets->rows;
}

static size_t line(const es_app *app) {
    return app->sets == NULL || app->sets->line >= app->sets->rows ? ES_NONE : app->sets->line;
}

static bool line_of(const es_app *app, size_t at, size_t *source, size_t *target) {
    (void)target;
    *source = app->sets->row[at].item;
    return *source != ES_NONE;
}

static void to_line(es_app *app, size_t at) {
    if (app->sets == NULL || at >= app->sets->rows)
        return;
    app->sets->line = at;
    follow(app);
}

static bool mark(es_app *app) {
    const es_sets *s = app->sets;
    if (s == NULL || s->line >= s->rows || s->row[s->line].item == ES_NONE)
        return true;
    es_history_push(app);
    app->range = ES_NONE;
    app->marked[s->row[s->line].item] = !app->marked[s->row[s->line].item];
    to_line(app, s->line + 1);
    return true;
}

/* ---- copying ---- */

enum { FIXED = 6 };

static void put_cell(es_buf *out, const es_sets *s, es_copy_form form, size_t k, size_t column,
                     es_within what) {
    static const char *const titles[FIXED] = {"rank", "embedder", "share", "low", "high", "in"};
    const es_set_row *row = k == ES_NONE ? NULL : &s->row[k];
    char text[64] = "";
    double number = (double)NAN;
    if (row == NULL || column == 1) {
        es_copy_escaped(out, form,
                        row              ? row->name
                        : column < FIXED ? titles[column]
                                         : s->set[column - FIXED].name);
        return;
    }
    switch (column) {
    case 0:
        number = row->rank > 0 ? (double)row->rank : (double)NAN;
        break;
    case 2:
        number = row->share;
        break;
    case 3:
        number = row->low;
        break;
    case 4:
        number = row->high;
        break;
    case 5:
        number = (double)row->in;
        break;
    default:
        number = es_sets_value(s, what, k, column - FIXED);
    }
    if (isfinite(number))
        (void)snprintf(text, sizeof text, "%.6g", number);
    else if (form == ES_COPY_JSON)
        (void)snprintf(text, sizeof text, "null");
    es_buf_puts(out, text);
}

static void put_line(es_buf *out, const es_sets *s, es_copy_form form, size_t k, es_within what) {
    static const char *const begin[] = {"", "| ", "", "{"},
                             *const between[] = {"\t", " | ", " & ", ", "},
                             *const end[] = {"\n", " |\n", " \\\\\n", "}"};
    es_buf_puts(out, begin[form]);
    for (size_t c = 0; c < FIXED + s->count; c++) {
        es_buf_puts(out, c ? between[form] : "");
        if (form == ES_COPY_JSON) {
            es_buf_putc(out, '"');
            put_cell(out, s, form, ES_NONE, c, what);
            es_buf_puts(out, c == 1 ? "\": \"" : "\": ");
        }
        put_cell(out, s, form, k, c, what);
        es_buf_puts(out, form == ES_COPY_JSON && c == 1 ? "\"" : "");
    }
    es_buf_puts(out, end[form]);
}

static void put_rule(es_buf *out, const es_sets *s, es_copy_form form) {
    if (form == ES_COPY_LATEX)
        es_buf_puts(out, "\\midrule\n");
    for (size_t c = 0; form == ES_COPY_MARKDOWN && c < FIXED + s->count; c++)
        es_buf_puts(out, c == 1 ? "|---" : "|---:");
    es_buf_puts(out, form == ES_COPY_MARKDOWN ? "|\n" : "");
}

static char *copy(const es_app *app, es_copy_form form, bool row) {
    const es_sets *s = app->sets;
    es_within what = (es_within)app->set.within;
    es_buf out = {0};
    if (s == NULL || s->rows == 0)
        return es_buf_take(&out);
    size_t from = row ? s->line : 0, to = row ? s->line + 1 : s->rows;
    if (form == ES_COPY_LATEX && !row) {
        es_buf_puts(&out, "\\begin{tabular}{rl");
        for (size_t c = 2; c < FIXED + s->count; c++)
            es_buf_putc(&out, 'r');
        es_buf_puts(&out, "}\n\\toprule\n");
    }
    if (form != ES_COPY_JSON && !row) {
        put_line(&out, s, form, ES_NONE, what);
        put_rule(&out, s, form);
    }
    es_buf_puts(&out, form == ES_COPY_JSON && !row ? "[\n" : "");
    for (size_t k = from; k < to; k++) {
        put_line(&out, s, form, k, what);
        es_buf_puts(&out, form != ES_COPY_JSON ? "" : row ? "\n" : k + 1 < to ? ",\n" : "\n]\n");
    }
    if (form == ES_COPY_LATEX && !row)
        es_buf_puts(&out, "\\bottomrule\n\\end{tabular}\n");
    return es_buf_take(&out);
}

static void cell(const es_app *app, char *out, size_t capacity) {
    const es_sets *s = app->sets;
    double value =
        s != NULL ? es_sets_value(s, (es_within)app->set.within, s->line, s->at) : (double)NAN;
    if (isfinite(value))
        (void)snprintf(out, capacity, "%.6g", value);
}

/* ---- commands ---- */

static size_t named_set(const es_sets *s, const char *name) {
    for (size_t k = 0; k < s->count; k++)
        if (strcmp(s->set[k].name, name) == 0)
            return k;
    return ES_NONE;
}

void es_command_open_set(es_call *call) {
    es_app *app = call->app;
    const es_sets *s = app->sets;
    size_t at = call->argument != NULL ? named_set(s, call->argument) : s->at;
    if (at == ES_NONE) {
        es_app_notice(app, ES_ENOTFOUND, "No data set is called %s", call->argument);
        return;
    }
    if (at != s->here) {
        if (app->view == ES_VIEW_SETS) /* where it goes on when it is open again */
            es_go(app, s->from == ES_VIEW_SETS ? ES_VIEW_RANK : s->from);
        es_effect_add(app, call->effects, ES_FX_OPEN_SET, at, false, NULL);
    } else
        es_go(app, s->from == ES_VIEW_SETS ? ES_VIEW_RANK : s->from);
}

const char *es_refuse_open_set(const es_app *app) {
    const char *why = es_refuse_sets(app);
    return why != NULL || app->sets->at == app->sets->here ? why : es_refuse_open(app);
}

void es_command_within(es_call *call) {
    es_app *app = call->app;
    size_t what = (app->set.within + 1U) % 3;
    if (call->argument != NULL &&
        (what = es_choice_find(es_set_names_within, call->argument)) == ES_NONE) {
        es_app_notice(app, ES_ENOTFOUND, "within: share, score or rank");
        return;
    }
    es_history_push(app);
    app->set.within = (uint8_t)what;
}

const es_view_ops es_view_ops_sets = {.there = there,
                                      .absent = "only one pool is open; name several, or a "
                                                "folder of them",
                                      .enter = enter,
                                      .move = move,
                                      .move_everywhere = true,
                                      .leave = leave,
                                      .lines = lines,
                                      .line = line,
                                      .line_of = line_of,
                                      .to_line = to_line,
                                      .mark = mark,
                                      .no_list = "not in Sets",
                                      .no_filter = "nothing is filtered in Sets",
                                      .copy = copy,
                                      .cell = cell,
                                      .deadline = es_sets_deadline};
