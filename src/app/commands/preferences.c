/* What :set and the configuration file set: a table with a row for each, which says what it is now
 * and how it changes. What a command changes, too, is changed by the command. */
#include "app_commands.h"

#include <stdio.h>
#include <string.h>

#include "app_sheets.h"
#include "app_lists.h"
#include "app_values.h"
#include "app_look.h"

/* ---- What each is now, and how it changes ---- */

typedef struct setting {
    const char *name, *help;
    const char *const *values; /* NULL-terminated; NULL: see es_setting_value */
    size_t offset, size;       /* of the member of es_app that it is; size 0: none */
    /* A command that changes it if it can, or `set`, or the member alone, as a step of undo. */
    void (*run)(es_call *call);
    const char *(*refuse)(const es_app *app);
    /* The value has been checked against `values`. */
    void (*set)(es_app *app, const char *value, es_effects *effects);
    es_command command;   /* that `run` is */
    bool not_saved;       /* belongs to a pool or to a moment: no line of a configuration file */
    const char *standard; /* the default where no `number` is; NULL: it depends on the machine */
    long number;          /* the default of a member of es_settings */
} setting;

static bool is_yes(const char *value) {
    return value[0] == 'y';
}

static void ascii_set(es_app *app, const char *value, es_effects *effects) {
    es_effect_add(app, effects, ES_FX_ASCII, 0, is_yes(value), NULL);
}
static void sync_set(es_app *app, const char *value, es_effects *effects) {
    app->torn = !is_yes(value);
    es_effect_add(app, effects, ES_FX_SYNC, 0, is_yes(value), NULL);
}
static void theme_set(es_app *app, const char *value, es_effects *effects) {
    es_effect_add(app, effects, ES_FX_THEME, 0, false, value);
}
static void viewer_set(es_app *app, const char *value, es_effects *effects) {
    (void)effects;
    (void)snprintf(app->viewer, sizeof app->viewer, "%s", strcmp(value, "none") == 0 ? "" : value);
}
static void view_set(es_app *app, const char *value, es_effects *effects) {
    (void)effects;
    if (app->source->table)
        es_board_go(app, es_view_find(value));
    else
        es_go(app, es_view_find(value));
}

#define MEMBER(what) .offset = offsetof(es_app, what), .size = sizeof(((es_app *)0)->what)
#define BY(id, handler, refusal) .command = ES_COMMAND_##id, .run = (handler), .refuse = (refusal)
static const setting settings[] = {
#define KEPT(...)
#define SET(what, value, kind, low, high, names, key, called, says, id, handler)                   \
    {called,                                                                                       \
     says,                                                                                         \
     names,                                                                                        \
     MEMBER(set.what),                                                                             \
     BY(id, handler, es_refuse_never),                                                             \
     .number = (long)(value)},
#include "view_settings.def"
#undef SET
#undef KEPT
    {"ascii", "draw with ASCII only", es_yes_no, MEMBER(ascii), .set = ascii_set, .standard = "no"},
    {"autostart", "estimate at once if it takes under a minute", es_yes_no, MEMBER(autostart),
     .standard = "yes"},
    {"estimator", "results to show", NULL, BY(ESTIMATOR, es_command_estimator, es_refuse_estimator),
     .not_saved = true, .standard = "auto"},
    {"freeze", "keep the order of rows", es_yes_no, MEMBER(frozen),
     BY(FREEZE, es_command_freeze, es_refuse_list), .not_saved = true, .standard = "no"},
    {"log-level", "Jobs: least level shown", es_log_level_names, MEMBER(log_level),
     .standard = "info"},
    {"mouse", "click and wheel; Shift selects text", es_yes_no, MEMBER(mouse),
     BY(MOUSE, es_command_mouse, es_refuse_never), .standard = "yes"},
    {"sync", "whole frames, where the terminal can", es_yes_no, .set = sync_set, .standard = "yes"},
    {"theme", "colours", NULL, .set = theme_set},
    {"threads", "workers", NULL, BY(THREADS, es_command_threads, es_refuse_threads)},
    {"view", "what is shown first", es_view_words, MEMBER(view), .set = view_set,
     .standard = "overview"},
    {"viewer", "duels: command that shows a row; %s: its file", NULL, .set = viewer_set,
     .standard = "none"},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static void now_of(const setting *s, const es_app *app, char *out, size_t capacity) {
    const char *text = NULL;
    if (s->command == ES_COMMAND_ESTIMATOR)
        text = app->wanted_entry == ES_NONE ? "auto" : es_app_title(app);
    else if (s->command == ES_COMMAND_METRIC)
        text = app->set.metric == ES_METRIC_MEASURE ? es_metric_title(app, ES_METRIC_MEASURE)
                                                    : es_metric_name(app->set.metric);
    else if (s->set == theme_set)
        text = app->theme;
    else if (s->set == viewer_set)
        text = app->viewer[0] != '\0' ? app->viewer : "none";
    else if (s->set == sync_set)
        text = es_yes_no[app->torn];
    else if (s->command == ES_COMMAND_RESOLUTION)
        (void)snprintf(out, capacity, "%.3g", es_tree_resolution(app));
    else if (s->command == ES_COMMAND_THREADS)
        (void)snprintf(out, capacity, "%u", app->source->threads);
    else {
        long value = es_settings_load(app, s->offset, s->size);
        text = s->values[s->values == es_yes_no ? value == 0 : value];
    }
    if (text != NULL)
        (void)snprintf(out, capacity, "%s", text);
}

/* A switch is turned by its command unless it stands as it should; but cells may show digits with
 * that switch off. */
static void set_to(const setting *s, es_app *app, const char *value, es_effects *effects) {
    char now[64];
    now_of(s, app, now, sizeof now);
    bool turns = s->values == es_yes_no && s->command != ES_COMMAND_DIGITS;
    es_call call = {app, effects, s->command, 0, turns ? NULL : value};
    if (s->set != NULL)
        s->set(app, value, effects);
    else if (s->run == NULL) {
        long number = (long)es_choice_find(s->values, value);
        if (s->offset >= offsetof(es_app, set) &&
            s->offset < offsetof(es_app, set) + sizeof app->set)
            es_history_push(app);
        es_settings_store(app, s->offset, s->size, s->values == es_yes_no ? number == 0 : number);
    } else if (!turns || strcmp(now, value) != 0)
        es_command_attempt(&call, s->run, s->refuse);
}

/* ---- Looking up ---- */

static const setting *find_setting(const char *name) {
    for (size_t i = 0; i < SETTINGS; i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

/* Number `index` in the order of names. */
static const setting *nth(size_t index) {
    for (size_t i = 0; i < SETTINGS; i++) {
        size_t before = 0;
        for (size_t j = 0; j < SETTINGS; j++)
            before += strcmp(settings[j].name, settings[i].name) < 0;
        if (before == index)
            return &settings[i];
    }
    return NULL;
}

const char *es_setting_name(size_t index) {
    const setting *s = nth(index);
    return s == NULL ? NULL : s->name;
}

const char *es_setting_value(const es_app *app, const char *name, size_t index) {
    const setting *s = find_setting(name);
    if (s == NULL)
        return NULL;
    if (s->set == theme_set)
        return index < app->themes.count ? app->themes.word[index] : NULL;
    if (s->command == ES_COMMAND_METRIC) { /* measures are chosen by name, once they are known */
        if (index < ES_METRIC_MEASURE)
            return es_metric_name((es_heat_metric)index);
        index -= ES_METRIC_MEASURE;
        return index < es_app_measures(app, true) ? es_measure_title(app, true, index) : NULL;
    }
    if (s->command == ES_COMMAND_ESTIMATOR) {
        size_t plan = app->source->plan;
        return index < plan ? app->source->title[index] : index == plan ? "auto" : NULL;
    }
    for (size_t i = 0; s->values != NULL && s->values[i] != NULL; i++)
        if (i == index)
            return s->values[i];
    return NULL;
}

void es_setting_now(const es_app *app, size_t index, char *out, size_t capacity) {
    now_of(nth(index), app, out, capacity);
}

const char *es_setting_help(size_t index) {
    return nth(index)->help;
}

bool es_setting_is_number(size_t index) {
    es_command command = nth(index)->command;
    return command == ES_COMMAND_RESOLUTION || command == ES_COMMAND_THREADS;
}

bool es_setting_default(const es_app *app, size_t index, char *out, size_t capacity) {
    const setting *s = nth(index);
    char now[64];
    const char *text = s->standard;
    now_of(s, app, now, sizeof now);
    if (s->command == ES_COMMAND_RESOLUTION)
        text = app->set.resolution > 0 ? "recommended" : now;
    else if (s->command == ES_COMMAND_METRIC)
        text = es_metric_name((es_heat_metric)s->number);
    else if (text == NULL && s->values != NULL)
        text = s->values[s->values == es_yes_no ? s->number == 0 : s->number];
    (void)snprintf(out, capacity, "%s", text == NULL ? "" : text);
    return text != NULL && strcmp(text, now) != 0;
}

/* yes and no in other words. */
static const char *plain(const setting *s, const char *value) {
    static const char *const words[][2] = {{"on", "yes"}, {"true", "yes"}, {"1", "yes"},
                                           {"off", "no"}, {"false", "no"}, {"0", "no"}};
    for (size_t i = 0; s->values == es_yes_no && i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], value) == 0)
            return words[i][1];
    return value;
}

/* Fails if a setting cannot take this value. */
static es_status check_value(const setting *s, const char *value, es_error *err) {
    double number;
    if ((s->command == ES_COMMAND_RESOLUTION || s->command == ES_COMMAND_THREADS) &&
        (!es_text_parse_double(value, strlen(value), &number) || !(number > 0)))
        return es_fail(err, ES_EINVAL, "%s takes a number above 0, not '%s'", s->name, value);
    if (value[0] == '\0')
        return es_fail(err, ES_EINVAL, "%s: a value is missing", s->name);
    if (s->command == ES_COMMAND_METRIC && es_metric_find(value) == ES_METRIC_COUNT)
        return es_fail(
            err, ES_EINVAL,
            "metric: no metric is called '%s'; a measure becomes one when it is computed (gm)",
            value);
    if (s->command == ES_COMMAND_METRIC && es_metric_find(value) == ES_METRIC_MEASURE)
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

/* Fails with the nearest known setting. */
static es_status fail_unknown_setting(const char *name, es_error *err) {
    es_suggestion near = {.word = name};
    for (size_t i = 0; i < SETTINGS; i++)
        es_suggestion_offer(&near, settings[i].name);
    return near.best == NULL
               ? es_fail(err, ES_ENOTFOUND, "there is no setting '%s'; :set lists them", name)
               : es_fail(err, ES_ENOTFOUND, "there is no setting '%s'; did you mean '%s'?", name,
                         near.best);
}

es_status es_setting_check(const char *name, const char *value, es_error *err) {
    const setting *s = find_setting(name);
    if (s == NULL || s->not_saved)
        return fail_unknown_setting(name, err);
    return check_value(s, plain(s, value), err);
}

es_status es_setting_set(es_app *app, const char *name, const char *value, es_effects *effects,
                         es_error *err) {
    const setting *s = find_setting(name);
    if (s == NULL)
        return fail_unknown_setting(name, err);
    bool measure =
        s->command == ES_COMMAND_METRIC && es_measure_titled(app, true, value) != ES_NONE;
    es_status st = measure ? ES_OK : check_value(s, plain(s, value), err);
    bool known = s->set != theme_set || app->themes.count == 0;
    for (size_t i = 0; !known && i < app->themes.count; i++)
        known = strcmp(app->themes.word[i], value) == 0;
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

static bool is_same_name(const char *text, size_t length, const void *like) {
    const char *own, *name, *line = like;
    size_t size = name_of(line, strlen(line), &name);
    return size > 0 && name_of(text, length, &own) == size && memcmp(own, name, size) == 0;
}

char *es_setting_edit(const char *text, size_t length, const char *line) {
    return es_lines_edit(text, length, line, is_same_name, line);
}

/* ---- :set ---- */

/* What typing filters by: not the value, so an option that is changed stays in the list. */
static bool option_line(size_t index, char *out, size_t capacity) {
    const setting *s = nth(index);
    if (s != NULL)
        (void)snprintf(out, capacity, "%s %s", s->name, s->help);
    return s != NULL;
}

void es_command_options(es_call *call) {
    call->app->pick.line = option_line;
    es_pick_open(call->app, ES_PICK_OPTIONS);
}

/* "name value", "name=value" or "name = value"; without a value it reports the present one, without
 * a name it opens the options page. */
void es_command_set(es_call *call) {
    es_app *app = call->app;
    char argument[ES_APP_LINE], line[ES_APP_LINE + 8];
    es_error err = {0};
    if (call->argument == NULL) {
        es_command_options(call);
        return;
    }
    (void)snprintf(argument, sizeof argument, "%s", call->argument);
    bool save = es_setting_take_save(argument);
    size_t length = strcspn(argument, " =");
    char *value = argument + length + strspn(argument + length, " =");
    argument[length] = '\0';
    const setting *s = find_setting(argument);
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
    if (save && s->command == ES_COMMAND_METRIC && es_metric_find(value) >= ES_METRIC_MEASURE)
        es_app_notice(
            app, ES_EINVAL,
            "%s is set; not every pool has this measure, so it cannot be saved for all of them",
            s->name);
    else if (save && s->not_saved)
        es_app_notice(app, ES_EINVAL, "%s is set; it cannot be saved for all pools", s->name);
    else if (save)
        es_effect_add(app, call->effects, ES_FX_SAVE, ES_SAVE_SETTING, false, line);
    else if (app->toasts == said)
        es_app_notice(app, ES_OK, "%s", line);
}
