/* Changes of the view: sorting, columns, the matrix, marks, hiding. All can be taken back by u. */
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_dialogs.h"
#include "app_lists.h"
#include "app_look.h"
#include "app_state.h"
#include "app_values.h"

/* ---- Tables ---- */

/* The column an argument names, or the one under the cursor. */
static size_t column_of(const es_call *call, es_table_id table) {
    if (call->argument == NULL)
        return call->app->set.table[table].column;
    size_t column = es_columns_find(call->app, table, call->argument);
    if (column == ES_NONE)
        es_app_notice(call->app, ES_ENOTFOUND, "There is no column %s", call->argument);
    return column;
}

void es_command_sort(es_call *call) {
    es_app *app = call->app;
    es_table_id table = es_view_table[app->view].table;
    if (table == ES_TABLE_COUNT) {
        es_app_notice(app, ES_EINVAL, "sort: in Pool and Rank");
        return;
    }
    es_table_settings *set = &app->set.table[table];
    size_t column = column_of(call, table);
    if (column == ES_NONE)
        return;
    es_history_push(app);
    if (call->command == ES_COMMAND_REVERSE || set->sort == column)
        set->descending = !set->descending;
    else {
        set->sort = (uint8_t)column;
        set->descending = es_columns_at(app, table, column).numeric;
    }
    es_select_refresh(app, true);
}

void es_command_column(es_call *call) {
    es_app *app = call->app;
    es_table_id table = es_view_table[app->view].table;
    size_t column = table == ES_TABLE_COUNT ? ES_NONE : column_of(call, table);
    if (column == ES_NONE)
        return;
    if (column == (table == ES_TABLE_POOL ? (size_t)ES_POOL_NAME : (size_t)ES_RANK_NAME)) {
        es_app_notice(app, ES_EINVAL, "The name stays; h and l choose another column");
        return;
    }
    es_table_settings *set = &app->set.table[table];
    es_history_push(app);
    set->hidden[column] = true;
    size_t count = es_columns_count(app, table), next = set->column;
    while (next < count && set->hidden[next])
        next++;
    while (next == count || set->hidden[next])
        next--; /* the name is never hidden */
    set->column = (uint8_t)next;
    es_app_notice(app, ES_OK, "Hid column %s; u undoes it",
                  es_columns_at(app, table, column).title);
}

void es_command_width(es_call *call) {
    es_app *app = call->app;
    es_table_id table = es_view_table[app->view].table;
    int by = call->command == ES_COMMAND_WIDER ? 2 : call->command == ES_COMMAND_NARROWER ? -2 : 0;
    es_history_push(app);
    if (call->command == ES_COMMAND_FIT_ALL) {
        memset(app->set.table[table].width, 0, sizeof app->set.table[table].width);
    } else if (table == ES_TABLE_COUNT) {
        int width = app->set.label_width + by;
        app->set.label_width = by == 0 || width < -20 || width > 40 ? 0 : width;
    } else {
        int8_t *width = &app->set.table[table].width[app->set.table[table].column];
        int next = by == 0 ? 0 : *width + by;
        *width = (int8_t)(next < -20 ? -20 : next > 60 ? 60 : next);
    }
    es_select_scroll(app);
}

/* ---- The matrix ---- */

size_t es_choice_next(es_call *call, const char *const *names, size_t now, const char *others) {
    size_t next = now + 1;
    if (call->argument == NULL)
        return names[next] == NULL ? 0 : next;
    next = es_choice_find(names, call->argument);
    if (next == ES_NONE)
        es_app_notice(call->app, ES_ENOTFOUND, "%s: %s", es_commands[call->command].name, others);
    return next;
}

void es_command_order(es_call *call) {
    es_app *app = call->app;
    size_t order = es_choice_next(call, es_matrix_order_names, app->set.order,
                                  "rank, name, dim, community or cluster");
    if (order == ES_NONE)
        return;
    es_history_push(app);
    app->set.order = (es_order)order;
    es_select_refresh(app, true);
    es_app_notice(app, ES_OK, "Rows and columns by %s", es_matrix_order_names[order]);
}

void es_command_metric(es_call *call) {
    es_app *app = call->app;
    es_heat_metric metric = app->set.metric;
    size_t matrix = 0;
    if (metric == ES_METRIC_MEASURE) /* one after the other, by their first fields */
        for (size_t n = es_app_columns(app, true); n-- > 0;)
            if (es_app_column(app, true, n) > app->set.matrix)
                matrix = es_app_column(app, true, n);
    if (matrix == 0)
        do
            metric = (es_heat_metric)(((int)metric + 1) % ES_METRIC_COUNT);
        while (!es_metric_possible(app, metric));
    if (call->argument != NULL) {
        metric = es_metric_find(call->argument);
        size_t named = es_measure_titled(app, true, call->argument);
        if (named != ES_NONE) {
            metric = ES_METRIC_MEASURE;
            matrix = named;
        }
    }
    if (metric == ES_METRIC_COUNT || !es_metric_possible(app, metric)) {
        es_app_notice(app, ES_ENOTFOUND,
                      "metric: is, nats, se, asymmetry, refined, seconds, h_cond, or a field of a "
                      "pairwise measure (gm computes one)");
        return;
    }
    es_history_push(app);
    app->set.metric = metric;
    app->set.matrix = matrix;
    es_limits_fit(app, false);
    es_select_scroll(app);
    es_app_notice(app, ES_OK, "Cells show %s", es_metric_title(app, metric));
}

void es_command_colours(es_call *call) {
    es_app *app = call->app;
    size_t map = es_choice_next(call, es_colormap_names, app->set.colours,
                                "theme, viridis, cividis, magma or grey");
    if (map == ES_NONE)
        return;
    es_history_push(app);
    app->set.colours = (uint8_t)map;
    es_app_notice(app, ES_OK, map == 0 ? "Colours of the %s" : "Colours: %s",
                  es_colormap_names[map]);
}

static es_screen_sizes geometry_shown(const es_app *app) {
    es_layout layout = es_layout_make(ES_VIEW_HEATMAP, ES_PANE_MAIN, app->w, app->h, 0);
    return es_heat_geometry(app, es_layout_inside(layout.pane[ES_PANE_MAIN]));
}

/* Small matrices have digits without being asked: those are turned off by smaller cells. */
static void show_digits(es_app *app, bool on) {
    app->set.digits = on;
    if (on && app->set.zoom == ES_ZOOM_OVERVIEW)
        app->set.zoom = ES_ZOOM_AUTO;
    if (!on && geometry_shown(app).digits)
        app->set.zoom = ES_ZOOM_SQUARE;
}

void es_command_toggle(es_call *call) {
    es_app *app = call->app;
    es_history_push(app);
    if (call->command == ES_COMMAND_DIGITS)
        show_digits(app, call->argument != NULL ? call->argument[0] == 'y'
                                                : !geometry_shown(app).digits);
    else if (call->command == ES_COMMAND_TRANSPOSE) {
        app->set.transposed = !app->set.transposed;
        size_t swap = app->cursor; /* the cell under the cursor stays the same pair */
        if (app->column != ES_NONE && swap != ES_NONE) {
            app->cursor = app->column;
            app->column = swap;
        }
    } else {
        app->set.full_range = !app->set.full_range;
        es_limits_fit(app, true);
        es_app_notice(app, ES_OK,
                      app->set.full_range ? "Colours span the full range"
                                          : "Colours span the 5th to 95th percentile");
    }
    es_select_scroll(app);
}

/* What AUTO amounts to now, so that + and - start from what is seen. */
static es_zoom zoom_shown(const es_app *app) {
    es_screen_sizes g = geometry_shown(app);
    return g.pool > 1     ? ES_ZOOM_OVERVIEW
           : g.digits     ? ES_ZOOM_LARGE
           : g.cell_w > 1 ? ES_ZOOM_SQUARE
                          : ES_ZOOM_HALF;
}

/* True if the overview shows several pairs in a cell. */
static bool is_pooled(es_app *app) {
    es_zoom zoom = app->set.zoom;
    bool digits = app->set.digits;
    app->set.zoom = ES_ZOOM_OVERVIEW;
    app->set.digits = false;
    bool pooled = geometry_shown(app).pool > 1;
    app->set.zoom = zoom;
    app->set.digits = digits;
    return pooled;
}

void es_command_zoom(es_call *call) {
    es_app *app = call->app;
    const es_view_ops *view = es_view_shown(app);
    if (view->zoom != NULL) {
        view->zoom(app, call->command);
        return;
    }
    es_zoom shown = zoom_shown(app), next;
    if (call->command == ES_COMMAND_ZOOM_IN && shown == ES_ZOOM_LARGE) {
        es_app_notice(app, ES_OK, "These are the largest cells");
        return;
    }
    if (call->command == ES_COMMAND_ZOOM_OUT && shown <= ES_ZOOM_HALF && !is_pooled(app)) {
        es_app_notice(app, ES_OK, "All pairs are shown, in the smallest cells");
        return;
    }
    if (call->command == ES_COMMAND_ZOOM_FIT)
        next = app->set.zoom == ES_ZOOM_AUTO ? ES_ZOOM_OVERVIEW : ES_ZOOM_AUTO;
    else if (call->command == ES_COMMAND_ZOOM_IN)
        next = shown + 1;
    else
        next = shown > ES_ZOOM_OVERVIEW ? shown - 1 : ES_ZOOM_OVERVIEW;
    es_history_push(app);
    app->set.zoom = next;
    if (call->command != ES_COMMAND_ZOOM_IN)
        app->set.digits = false;
    es_select_scroll(app);
}

/* ---- Marks and hiding ---- */

static void mark_range(es_app *app) {
    if (es_view_table[app->view].list == ES_LIST_COUNT || app->cursor == ES_NONE)
        return;
    if (app->range != ES_NONE) {
        app->range = ES_NONE;
        es_app_notice(app, ES_OK, "%zu marked", es_app_marked(app, NULL, 0));
        return;
    }
    es_history_push(app);
    memcpy(app->range_base, app->marked, app->n * sizeof(bool));
    app->range = app->cursor;
    app->marked[app->cursor] = true;
    es_app_notice(app, ES_OK, "Marking a range: move, then v; Esc keeps it, u takes it back");
}

/* How many embedders a pattern of the filter language names; an error in it is reported. */
static size_t matches(es_app *app, es_command command, const char *pattern) {
    char error[128] = "";
    size_t count = 0;
    for (size_t i = 0; i < app->n && error[0] == '\0'; i++)
        count += es_filter_pass(app, pattern, i, error, sizeof error);
    if (error[0] == '\0' && count > 0)
        return count;
    if (error[0] != '\0')
        es_app_notice(app, ES_EINVAL, "%s: %s", es_commands[command].name, error);
    else
        es_app_notice(app, ES_ENOTFOUND, "%s: nothing matches %s", es_commands[command].name,
                      pattern);
    return 0;
}

static void mark_pattern(es_app *app, const char *pattern, es_command command) {
    bool mark = command == ES_COMMAND_MARK;
    size_t changed = 0;
    if (matches(app, command, pattern) == 0)
        return;
    es_history_push(app);
    for (size_t i = 0; i < app->n; i++)
        if (es_filter_pass(app, pattern, i, NULL, 0)) {
            changed += app->marked[i] != mark;
            app->marked[i] = mark;
        }
    es_app_notice(app, ES_OK, mark ? "Marked %zu more" : "Unmarked %zu", changed);
}

void es_command_mark(es_call *call) {
    es_app *app = call->app;
    const es_view_ops *view = es_view_shown(app);
    if (call->command == ES_COMMAND_MARK_RANGE)
        mark_range(app);
    else if (call->argument == NULL &&
             (call->command == ES_COMMAND_MARK_CLEAR || call->command == ES_COMMAND_UNMARK)) {
        es_history_push(app);
        app->range = ES_NONE;
        memset(app->marked, 0, app->n * sizeof(bool));
    } else if (call->argument != NULL)
        mark_pattern(app, call->argument, call->command);
    else if (view->mark != NULL && view->mark(app))
        return;
    else if (app->cursor != ES_NONE) {
        es_list_id id = es_view_table[app->view].list;
        size_t at = es_select_index(app, id, app->cursor);
        es_history_push(app);
        app->range = ES_NONE;
        app->marked[app->cursor] = !app->marked[app->cursor];
        if (at != ES_NONE && at + 1 < app->list[id].count && id != ES_LIST_HEAT &&
            !(id == ES_LIST_TREE && app->set.graph))
            es_select_cursor(app, app->list[id].item[at + 1]); /* as htop: ready for the next */
    }
}

/* Of x and :hide, :show: all that are marked, the one under the cursor, what the argument says. */
static bool is_meant(const es_call *call, bool marks, size_t item) {
    const es_app *app = call->app;
    char error[128] = "";
    if (call->argument != NULL)
        return es_filter_pass(app, call->argument, item, error, sizeof error) && error[0] == '\0';
    return marks                              ? app->marked[item]
           : call->command == ES_COMMAND_HIDE ? item == app->cursor
                                              : true;
}

/* x and :hide, :show. An argument is a name or a pattern of the filter language. */
void es_command_hide(es_call *call) {
    es_app *app = call->app;
    bool hide = call->command == ES_COMMAND_HIDE,
         marks = hide && call->argument == NULL && es_app_marked(app, NULL, 0) > 0;
    size_t count = 0;
    if (call->argument == NULL && hide && !marks && app->cursor == ES_NONE)
        return;
    if (call->argument != NULL && matches(app, call->command, call->argument) == 0)
        return;
    for (size_t i = 0; i < app->n; i++)
        count += is_meant(call, marks, i) && app->hidden[i] != hide;
    if (count == 0) {
        es_app_notice(app, ES_OK,
                      hide ? "Already hidden; gx lists hidden embedders" : "None is hidden");
        return;
    }
    es_history_push(app);
    for (size_t i = 0; i < app->n; i++)
        if (is_meant(call, marks, i)) {
            app->hidden[i] = hide;
            app->marked[i] = app->marked[i] && !marks;
        }
    app->range = ES_NONE;
    es_select_refresh(app, true);
    es_app_notice(app, ES_OK,
                  hide ? "Hid %zu; u undoes it, gx lists hidden embedders" : "Shown again: %zu",
                  count);
}

/* ---- Score, order, undo, filter, log ---- */

void es_command_score(es_call *call) {
    es_app *app = call->app;
    size_t score =
        es_choice_next(call, es_score_names, app->set.published, "predictive or published");
    if (score == ES_NONE || score == app->set.published)
        return;
    es_history_push(app);
    app->set.published = score == 1;
    es_app_rerank(app);
    es_app_notice(app, ES_OK, "Ranked by the %s", es_ranked_score_name(app));
}

void es_command_freeze(es_call *call) {
    es_select_freeze(call->app, !call->app->frozen);
    if (!call->app->frozen)
        call->app->hold_until = call->app->now;
}

void es_command_undo(es_call *call) {
    es_app *app = call->app;
    int edits = app->set.edits;
    bool redo = call->command == ES_COMMAND_REDO;
    char what[200];
    es_history_tell(app, redo, what, sizeof what);
    app->range = ES_NONE;
    app->toast_until = 0; /* it may speak of what is taken back */
    if (es_history_move(app, redo) && what[0] != '\0')
        es_app_notice(app, ES_OK, redo ? "Done again: %s" : "Taken back: %s", what);
    if (app->set.edits != edits)
        es_effect_add(app, call->effects, ES_FX_EDITS, (size_t)app->set.edits, false, NULL);
    es_limits_fit(app, false);
    es_select_refresh(app, true);
}

void es_command_filter(es_call *call) {
    es_app *app = call->app;
    char error[128] = "";
    if (call->argument == NULL) {
        es_prompt_open(app, ES_PROMPT_FILTER);
        return;
    }
    if (!es_filter_reads(app, call->argument, error, sizeof error)) {
        es_app_notice(app, ES_EINVAL, "filter: %s", error);
        return;
    }
    es_history_push(app);
    (void)es_text_clean_into(app->set.filter, sizeof app->set.filter, call->argument,
                             strlen(call->argument));
    es_select_refresh(app, true);
}

void es_command_log_level(es_call *call) {
    es_app *app = call->app;
    app->log_level = (es_log_level)(((int)app->log_level + 1) % 4);
}

/* ---- The mouse ---- */

void es_command_mouse(es_call *call) {
    es_app *app = call->app;
    bool on = !app->mouse;
    if (call->argument != NULL) {
        on = strcmp(call->argument, "on") == 0;
        if (!on && strcmp(call->argument, "off") != 0) {
            es_app_notice(app, ES_EINVAL, "mouse: on or off");
            return;
        }
    }
    app->mouse = on;
    es_effect_add(app, call->effects, ES_FX_MOUSE, 0, on, NULL);
    es_app_notice(app, ES_OK,
                  on ? "Mouse on: click, double click, wheel; Shift selects text" : "Mouse off");
}

/* Keys of the user's own: the file read at the start, :map and :unmap. */

es_status es_app_keys(es_app *app, const char *text, size_t length, const char *label,
                      es_error *err) {
    es_keymap map = {0};
    es_error problem = {0};
    size_t problems = 0;
    ES_PASS(es_keymap_parse(text, length, label, app->log, &map, &problems, &problem, err));
    es_keymap_free(&app->keymap);
    app->keymap = map;
    app->dirty = true;
    if (problems == 1)
        es_app_notice(app, ES_EINVAL, "%s", problem.message);
    else if (problems > 1)
        es_app_notice(app, ES_EINVAL, "%s; and %zu more lines, see the log", problem.message,
                      problems - 1);
    return ES_OK;
}

/* Shows the user's own key bindings in a note. */
static void list_bindings(es_app *app) {
    es_buf out = {0};
    char line[ES_APP_LINE];
    for (size_t i = 0; i < app->keymap.count; i++) {
        es_keymap_put(&app->keymap.item[i], line, sizeof line);
        es_buf_printf(&out, "%s%s", i > 0 ? "\n" : "", line);
    }
    if (app->keymap.count == 0)
        es_buf_puts(&out, "None: every key is as ? lists it.\n\n:map VIEW KEY COMMAND [ARGUMENT]\n"
                          ":unmap VIEW KEY\n\nVIEW is pool heatmap tree rank corr compare jobs, or "
                          "* for all.\nWith --save at its end a line is also put into your file of "
                          "keys.");
    es_app_show_note(app, "Keys of your own", es_buf_take(&out));
}

void es_command_map(es_call *call) {
    es_app *app = call->app;
    char line[ES_APP_LINE + 8];
    es_error err = {0};
    if (call->argument == NULL) {
        list_bindings(app);
        return;
    }
    char argument[ES_APP_LINE];
    (void)snprintf(argument, sizeof argument, "%s", call->argument);
    bool save = es_setting_take_save(argument);
    (void)snprintf(line, sizeof line, "%s %s", es_commands[call->command].name, argument);
    if (es_keymap_add(&app->keymap, line, 0, &err) != ES_OK) {
        es_app_notice(app, err.code, "%s", err.message);
        return;
    }
    if (save)
        es_effect_add(app, call->effects, ES_FX_SAVE, ES_SAVE_KEY, false, line);
    else
        es_app_notice(app, ES_OK, "%s, for this session; with --save for good", line);
}
