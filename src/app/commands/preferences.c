/* What :set and the configuration file set: a table with a row for each, which says what it is now
 * and how it changes. What a command changes, too, is changed by the command. */
#include "preferences.h"

#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "app_state.h"
#include "buf.h"
#include "corr.h"
#include "suggest.h"
#include "text.h"
#include "theme.h"
#include "attempt.h"
#include "effects.h"
#include "facts.h"
#include "go.h"
#include "heat.h"
#include "history.h"
#include "measure_columns.h"
#include "select.h"
#include "tree.h"
#include "command_view.h"
#include "colormaps.h"

static const char *const yes_no[] = {"yes", "no", NULL};
static const char *const orders[] = {"rank", "name", "dim", "community", "cluster", NULL};

/* ---- What each is now, and how it changes ---- */

typedef struct setting {
    const char *name, *help;
    const char *const *values; /* NULL-terminated; NULL: see es_setting_value */
    void (*now)(const es_app *app, char *out, size_t capacity);
    /* The value has been checked against `values`. */
    void (*set)(es_app *app, const char *value, es_effects *effects);
    size_t offset, size; /* of the member of es_settings that it is, where now or set is NULL */
    bool number;         /* takes a number above 0 */
    bool not_saved;      /* belongs to a pool or to a moment: no line of a configuration file */
} setting;

static bool is_yes(const char *value) {
    return value[0] == 'y';
}

static void say(char *out, size_t capacity, const char *text) {
    (void)snprintf(out, capacity, "%s", text);
}

/* What a command changes, it changes here, too, if it can. A switch is turned by its command,
 * unless it stands as it should. */
typedef const char *refusal(const es_app *app);
static void run(es_app *app, es_command command, const char *argument, es_effects *effects,
                void (*deed)(es_call *call), refusal *refuse) {
    es_call call = {app, effects, command, 0, argument};
    es_command_attempt(&call, deed, refuse);
}
static void turn(es_app *app, es_command command, bool now, const char *value, es_effects *effects,
                 void (*deed)(es_call *call), refusal *refuse) {
    if (now != is_yes(value))
        run(app, command, NULL, effects, deed, refuse);
}

static void ascii_now(const es_app *app, char *out, size_t capacity) {
    say(out, capacity, app->ascii ? "yes" : "no");
}
static void ascii_set(es_app *app, const char *value, es_effects *effects) {
    es_effect_add(app, effects, ES_FX_ASCII, 0, is_yes(value), NULL);
}
static void digits_set(es_app *app, const char *value, es_effects *effects) {
    (void)effects;
    es_history_push(app);
    es_digits_show(app, is_yes(value));
    es_select_scroll(app);
}
static void estimator_now(const es_app *app, char *out, size_t capacity) {
    say(out, capacity, app->wanted_entry == ES_NONE ? "auto" : es_app_title(app));
}
static void estimator_set(es_app *app, const char *value, es_effects *effects) {
    run(app, ES_COMMAND_ESTIMATOR, value, effects, es_command_estimator, es_refuse_estimator);
}
static void freeze_now(const es_app *app, char *out, size_t capacity) {
    say(out, capacity, app->frozen ? "yes" : "no");
}
static void freeze_set(es_app *app, const char *value, es_effects *effects) {
    turn(app, ES_COMMAND_FREEZE, app->frozen, value, effects, es_command_freeze, es_refuse_list);
}
static void full_range_set(es_app *app, const char *value, es_effects *effects) {
    turn(app, ES_COMMAND_RANGE, app->set.full_range, value, effects, es_command_toggle,
         es_refuse_never);
}
static void graph_set(es_app *app, const char *value, es_effects *effects) {
    turn(app, ES_COMMAND_GRAPH, app->set.graph, value, effects, es_command_graph, es_refuse_never);
}
static void level_now(const es_app *app, char *out, size_t capacity) {
    say(out, capacity, es_log_level_names[app->log_level]);
}
static void level_set(es_app *app, const char *value, es_effects *effects) {
    (void)effects;
    app->log_level = (es_log_level)es_choice_find(es_log_level_names, value);
}
static void metric_now(const es_app *app, char *out, size_t capacity) {
    const char *name = app->set.metric == ES_METRIC_MEASURE
                           ? es_metric_title(app, ES_METRIC_MEASURE)
                           : es_metric_name(app->set.metric);
    say(out, capacity, name);
}
/* A measure of pairs that has been computed here. */
static bool is_measure(const es_app *app, const char *value) {
    for (size_t k = 0; k < es_app_measures(app, true); k++)
        if (strcmp(es_measure_title(app, true, k), value) == 0)
            return true;
    return false;
}
static void metric_set(es_app *app, const char *value, es_effects *effects) {
    run(app, ES_COMMAND_METRIC, value, effects, es_command_metric, es_refuse_never);
}
static void mouse_now(const es_app *app, char *out, size_t capacity) {
    say(out, capacity, app->mouse ? "yes" : "no");
}
static void mouse_set(es_app *app, const char *value, es_effects *effects) {
    turn(app, ES_COMMAND_MOUSE, app->mouse, value, effects, es_command_mouse, es_refuse_never);
}
static void order_now(const es_app *app, char *out, size_t capacity) {
    say(out, capacity, es_matrix_order_names[app->set.order]);
}
static void order_set(es_app *app, const char *value, es_effects *effects) {
    run(app, ES_COMMAND_ORDER, value, effects, es_command_order, es_refuse_never);
}
static void resolution_now(const es_app *app, char *out, size_t capacity) {
    (void)snprintf(out, capacity, "%.3g", es_tree_resolution(app));
}
static void resolution_set(es_app *app, const char *value, es_effects *effects) {
    run(app, ES_COMMAND_RESOLUTION, value, effects, es_command_resolution, es_refuse_never);
}
static void sync_now(const es_app *app, char *out, size_t capacity) {
    say(out, capacity, app->torn ? "no" : "yes");
}
static void sync_set(es_app *app, const char *value, es_effects *effects) {
    app->torn = !is_yes(value);
    es_effect_add(app, effects, ES_FX_SYNC, 0, is_yes(value), NULL);
}
static void theme_now(const es_app *app, char *out, size_t capacity) {
    say(out, capacity, app->theme);
}
static void theme_set(es_app *app, const char *value, es_effects *effects) {
    es_effect_add(app, effects, ES_FX_THEME, 0, false, value);
}
static void threads_now(const es_app *app, char *out, size_t capacity) {
    (void)snprintf(out, capacity, "%u", app->source->threads);
}
static void threads_set(es_app *app, const char *value, es_effects *effects) {
    run(app, ES_COMMAND_THREADS, value, effects, es_command_threads, es_refuse_threads);
}
static void transpose_set(es_app *app, const char *value, es_effects *effects) {
    turn(app, ES_COMMAND_TRANSPOSE, app->set.transposed, value, effects, es_command_toggle,
         es_refuse_never);
}
static void view_now(const es_app *app, char *out, size_t capacity) {
    say(out, capacity, es_view_word(app->view));
}
static void view_set(es_app *app, const char *value, es_effects *effects) {
    (void)effects;
    es_go(app, es_view_find(value));
}

/* A member of es_settings that is a switch or a choice among names. */
static void member_now(const setting *s, const es_app *app, char *out, size_t capacity) {
    long value = es_settings_load(&app->set, s->offset, s->size);
    say(out, capacity, s->values == yes_no ? yes_no[value == 0] : s->values[value]);
}

static void now_of(const setting *s, const es_app *app, char *out, size_t capacity) {
    if (s->now != NULL)
        s->now(app, out, capacity);
    else
        member_now(s, app, out, capacity);
}

static void set_to(const setting *s, es_app *app, const char *value, es_effects *effects) {
    if (s->set != NULL) {
        s->set(app, value, effects);
        return;
    }
    es_history_push(app);
    es_settings_store(&app->set, s->offset, s->size, (long)es_choice_find(s->values, value));
}

/* What a view has is told by its member; some are set by their command. */
#define OF(member, command) NULL, command, ES_SETTING_AT(member), false, false
#define BY(name) name##_now, name##_set, 0, 0
static const setting settings[] = {
    {"ascii", "draw with ASCII only", yes_no, BY(ascii), false, false},
    {"colours", "Heatmap: the map of colours", es_colormap_names, OF(colours, NULL)},
    {"digits", "Heatmap: digits in the cells", yes_no, OF(digits, digits_set)},
    {"estimator", "results to show", NULL, BY(estimator), false, true},
    {"freeze", "keep the order of rows", yes_no, BY(freeze), false, true},
    {"full-range", "Heatmap: colours from least to most", yes_no, OF(full_range, full_range_set)},
    {"graph", "Tree: as a graph", yes_no, OF(graph, graph_set)},
    {"kind", "Corr: the coefficient", es_corr_kind_names, OF(corr_kind, NULL)},
    {"labels", "Corr: points with a name", es_corr_label_names, OF(corr_labels, NULL)},
    {"log-level", "Jobs: least level shown", es_log_level_names, BY(level), false, false},
    {"metric", "Heatmap: what cells show", NULL, BY(metric), false, false},
    {"mouse", "click and wheel; Shift selects text", yes_no, BY(mouse), false, false},
    {"order", "Heatmap: order of rows and columns", orders, BY(order), false, false},
    {"resolution", "Tree: more communities above 1", NULL, BY(resolution), true, false},
    {"sync", "whole frames, where the terminal can", yes_no, BY(sync), false, false},
    {"theme", "colours", NULL, BY(theme), false, false},
    {"threads", "workers", NULL, BY(threads), true, false},
    {"transpose", "Heatmap: rows and columns exchanged", yes_no, OF(transposed, transpose_set)},
    {"view", "what is shown first", es_view_words, BY(view), false, false},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* ---- Looking up ---- */

static const setting *find(const char *name) {
    for (size_t i = 0; i < SETTINGS; i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

const char *es_setting_name(size_t index) {
    return index < SETTINGS ? settings[index].name : NULL;
}

const char *es_setting_value(const es_app *app, const char *name, size_t index) {
    const setting *s = find(name);
    if (s == NULL)
        return NULL;
    if (s->set == theme_set)
        return index < app->theme_count ? app->themes[index] : NULL;
    if (s->set == metric_set) { /* measures are chosen by name, once they are known */
        if (index < ES_METRIC_MEASURE)
            return es_metric_name((es_heat_metric)index);
        index -= ES_METRIC_MEASURE;
        return index < es_app_measures(app, true) ? es_measure_title(app, true, index) : NULL;
    }
    if (s->set == estimator_set) {
        size_t plan = app->source->plan;
        return index < plan ? app->source->title[index] : index == plan ? "auto" : NULL;
    }
    for (size_t i = 0; s->values != NULL && s->values[i] != NULL; i++)
        if (i == index)
            return s->values[i];
    return NULL;
}

void es_setting_now(const es_app *app, size_t index, char *out, size_t capacity) {
    now_of(&settings[index], app, out, capacity);
}

/* yes and no in other words. */
static const char *plain(const setting *s, const char *value) {
    static const char *const words[][2] = {{"on", "yes"}, {"true", "yes"}, {"1", "yes"},
                                           {"off", "no"}, {"false", "no"}, {"0", "no"}};
    for (size_t i = 0; s->values == yes_no && i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], value) == 0)
            return words[i][1];
    return value;
}

static es_status check(const setting *s, const char *value, es_error *err) {
    double number;
    if (s->number && (!es_text_parse_double(value, strlen(value), &number) || !(number > 0)))
        return es_fail(err, ES_EINVAL, "%s takes a number above 0, not '%s'", s->name, value);
    if (value[0] == '\0')
        return es_fail(err, ES_EINVAL, "%s: a value is missing", s->name);
    if (s->set == metric_set && es_metric_find(value) == ES_METRIC_COUNT)
        return es_fail(
            err, ES_EINVAL,
            "metric: there is none called '%s'; a measure is one once it is computed (gm)", value);
    if (s->set == metric_set && es_metric_find(value) == ES_METRIC_MEASURE)
        return es_fail(err, ES_EINVAL,
                       "metric: name the measure, as in 'cka', once it is computed (gm)");
    if (s->values == NULL)
        return ES_OK;
    es_buf known = {0};
    es_suggestion near = {.word = value};
    for (size_t i = 0; s->values[i] != NULL; i++) {
        if (strcmp(s->values[i], value) == 0) {
            es_buf_free(&known);
            return ES_OK;
        }
        es_suggestion_offer(&near, s->values[i]);
        es_buf_printf(&known, "%s%s", i > 0 ? ", " : "", s->values[i]);
    }
    es_status st =
        es_fail(err, ES_EINVAL, "%s takes one of %s, not '%s'%s%s%s", s->name,
                known.failed ? "?" : known.data, value, near.best != NULL ? "; did you mean '" : "",
                near.best != NULL ? near.best : "", near.best != NULL ? "'?" : "");
    es_buf_free(&known);
    return st;
}

static es_status unknown(const char *name, es_error *err) {
    es_suggestion near = {.word = name};
    for (size_t i = 0; i < SETTINGS; i++)
        es_suggestion_offer(&near, settings[i].name);
    return near.best == NULL
               ? es_fail(err, ES_ENOTFOUND, "there is no setting '%s'; :set lists them", name)
               : es_fail(err, ES_ENOTFOUND, "there is no setting '%s'; did you mean '%s'?", name,
                         near.best);
}

es_status es_setting_check(const char *name, const char *value, es_error *err) {
    const setting *s = find(name);
    if (s == NULL || s->not_saved)
        return unknown(name, err);
    return check(s, plain(s, value), err);
}

es_status es_setting_set(es_app *app, const char *name, const char *value, es_effects *effects,
                         es_error *err) {
    const setting *s = find(name);
    if (s == NULL)
        return unknown(name, err);
    bool measure = s->set == metric_set && is_measure(app, value);
    es_status st = measure ? ES_OK : check(s, plain(s, value), err);
    bool known = s->set != theme_set || app->theme_count == 0;
    for (size_t i = 0; !known && i < app->theme_count; i++)
        known = strcmp(app->themes[i], value) == 0;
    if (st == ES_OK && !known)
        st = es_fail(err, ES_ENOTFOUND, "there is no theme \"%s\"; T lists them", value);
    if (st == ES_OK)
        set_to(s, app, plain(s, value), effects);
    return st;
}

/* ---- Editing a configuration file ---- */

bool es_setting_take_save(char *argument) {
    static const char save[] = " --save";
    size_t length = strlen(argument);
    while (length > 0 && argument[length - 1] == ' ')
        argument[--length] = '\0';
    if (length < sizeof save || strcmp(argument + length - (sizeof save - 1), save) != 0)
        return false;
    length -= sizeof save - 1;
    while (length > 0 && argument[length - 1] == ' ')
        length--;
    argument[length] = '\0';
    return true;
}

/* Length of the name before '=', blanks taken off; *from is where it begins. */
static size_t name_of(const char *line, size_t length, const char **from) {
    const char *equals = memchr(line, '=', length);
    size_t size = equals == NULL ? 0 : (size_t)(equals - line), skip = 0;
    while (skip < size && (line[skip] == ' ' || line[skip] == '\t'))
        skip++;
    while (size > skip && (line[size - 1] == ' ' || line[size - 1] == '\t'))
        size--;
    *from = line + skip;
    return size - skip;
}

char *es_setting_edit(const char *text, size_t length, const char *line) {
    const char *name, *own;
    size_t name_length = name_of(line, strlen(line), &name);
    es_buf out = {0};
    bool placed = false;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - text) - at;
        bool same = name_of(text + at, size, &own) == name_length && name_length > 0 &&
                    memcmp(own, name, name_length) == 0;
        if (same) /* each of them: a later one would win */
            es_buf_puts(&out, line);
        else
            es_buf_add(&out, text + at, size);
        es_buf_putc(&out, '\n');
        placed = placed || same;
        at += size + 1;
    }
    if (!placed)
        es_buf_printf(&out, "%s\n", line);
    if (out.failed)
        es_buf_free(&out);
    return out.data;
}

/* ---- :set ---- */

static void list(es_app *app) {
    es_buf out = {0};
    for (size_t i = 0; i < SETTINGS; i++) {
        char now[64];
        now_of(&settings[i], app, now, sizeof now);
        es_buf_printf(&out, "%-12s %-14s %s\n", settings[i].name, now, settings[i].help);
    }
    es_buf_puts(&out, "\n:set NAME VALUE; with --save at its end it also goes into your "
                      "configuration file.");
    if (out.failed)
        es_buf_free(&out);
    es_app_show_note(app, "Settings", out.data);
}

/* "name value", "name=value" or "name = value"; without a value it says what it is. */
void es_command_set(es_call *call) {
    es_app *app = call->app;
    char argument[ES_APP_LINE], line[ES_APP_LINE + 8];
    es_error err = {0};
    if (call->argument == NULL) {
        list(app);
        return;
    }
    (void)snprintf(argument, sizeof argument, "%s", call->argument);
    bool save = es_setting_take_save(argument);
    size_t length = strcspn(argument, " =");
    char *value = argument + length + strspn(argument + length, " =");
    argument[length] = '\0';
    const setting *s = find(argument);
    if (s != NULL && value[0] == '\0') {
        char now[64];
        now_of(s, app, now, sizeof now);
        es_app_notice(app, ES_OK, "%s is %s", s->name, now);
        return;
    }
    uint64_t said = app->toasts;
    if (es_setting_set(app, argument, value, call->effects, &err) != ES_OK || s == NULL) {
        es_app_notice(app, err.code, "%s", err.message);
        return;
    }
    if (app->toasts != said && app->toast_status != ES_OK)
        return; /* its command has refused */
    (void)snprintf(line, sizeof line, "%s = %s", s->name, plain(s, value));
    if (save && s->set == metric_set && es_metric_find(value) >= ES_METRIC_MEASURE)
        es_app_notice(app, ES_EINVAL,
                      "%s is set; a measure is not there in every pool, so it "
                      "cannot be saved for all of them",
                      s->name);
    else if (save && s->not_saved)
        es_app_notice(app, ES_EINVAL, "%s is set; it cannot be saved for all pools", s->name);
    else if (save)
        es_effect_add(app, call->effects, ES_FX_SAVE, ES_SAVE_SETTING, false, line);
    else if (app->toasts == said)
        es_app_notice(app, ES_OK, "%s", line);
}
