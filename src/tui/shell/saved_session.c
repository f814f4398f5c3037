#include "saved_session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "clock.h"
#include "file.h"
#include "keymap.h"
#include "paths.h"
#include "scores.h"
#include "preferences.h"
#include "state_file.h"

static void say(es_driver *driver, const es_error *why, const char *then) {
    char text[sizeof why->message + 80];
    (void)snprintf(text, sizeof text, "%s; %s", why->message, then);
    es_app_say(driver->app, es_clock_now(), why->code, text);
    es_log_write(driver->options->log, ES_LOG_WARN, "%s", text);
}

/* ---- Settings and keys ---- */

enum { FILE_MOST = 1 << 20 };

static void carry_out(es_driver *driver, es_effects *effects) {
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].kind != ES_FX_THEME || !driver->options->theme_asked)
            es_driver_carry_out(driver, &effects->items[i]);
    es_effects_clear(effects);
}

static es_status read_keys(es_driver *driver, es_error *err) {
    const es_tui_options *options = driver->options;
    char label[ES_PATH_LABEL], *text = NULL;
    size_t length = 0;
    es_error why = {0};
    if (options->keys == NULL)
        return ES_OK;
    es_status st = es_file_read(options->keys, 0, FILE_MOST, &text, &length, &why);
    const char *slash = strrchr(options->keys, '/'); /* a notice has little room */
    (void)es_path_label(label, slash != NULL ? slash + 1 : options->keys);
    if (st == ES_OK)
        st = es_app_keys(driver->app, text, length, label, &why);
    es_free(text);
    if (st == ES_OK || (st == ES_ENOTFOUND && !options->keys_asked))
        return ES_OK;
    if (options->keys_asked || st == ES_ENOMEM) {
        if (err != NULL)
            *err = why;
        return st;
    }
    say(driver, &why, "keys are as built in");
    return ES_OK;
}

es_status es_saved_configure(es_driver *driver, es_error *err) {
    const char *const *line = driver->options->settings;
    es_effects effects = {0};
    es_status st = ES_OK;
    for (; line != NULL && *line != NULL && st == ES_OK; line++) {
        char name[64];
        size_t length = strcspn(*line, "=");
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), *line);
        st = es_app_set(driver->app, name, *line + length + 1, &effects, err);
        carry_out(driver, &effects);
    }
    return st == ES_OK ? read_keys(driver, err) : st;
}

static es_status put_line(const char *path, es_save what, const char *line, es_error *err) {
    char *text = NULL, *real = NULL, *edited = NULL;
    size_t length = 0;
    es_status st = es_file_read(path, 0, FILE_MOST, &text, &length, err);
    if (st == ES_OK) /* a link to where the user keeps such files stays a link */
        ES_TRY(es_path_canonical(path, &real, err));
    else if (st != ES_ENOTFOUND)
        goto done;
    edited = what == ES_SAVE_SETTING ? es_setting_edit(text == NULL ? "" : text, length, line)
                                     : es_keymap_edit(text == NULL ? "" : text, length, line);
    if (edited == NULL)
        st = es_no_memory(err);
    else if ((st = es_state_check(path, err)) == ES_OK)
        st = es_file_replace(real == NULL ? path : real, edited, strlen(edited), 0666, err);
done:
    es_free(text);
    es_free(real);
    es_free(edited);
    return st;
}

void es_saved_line(es_driver *driver, es_save what, const char *line) {
    const char *path = what == ES_SAVE_SETTING ? driver->options->config : driver->options->keys;
    char label[ES_PATH_LABEL], text[ES_PATH_LABEL + 300];
    es_error err = {0};
    if (path == NULL)
        es_error_set(&err, ES_ENOTFOUND, "there is no file to save it in");
    else
        (void)put_line(path, what, line, &err);
    if (err.code != ES_OK)
        say(driver, &err, "set for this session only");
    else {
        (void)snprintf(text, sizeof text, "%.200s, saved in %s", line, es_path_label(label, path));
        es_app_say(driver->app, es_clock_now(), ES_OK, text);
    }
}

/* ---- Files of commands ---- */

void es_saved_source(es_driver *driver, const char *path) {
    char label[ES_PATH_LABEL], *text = NULL;
    size_t length = 0;
    es_error err = {0};
    es_effects effects = {0};
    if (es_file_read(path, 0, FILE_MOST, &text, &length, &err) != ES_OK) {
        es_app_say(driver->app, es_clock_now(), err.code, err.message);
        return;
    }
    es_app_source(driver->app, es_path_label(label, path), text, length, &effects);
    for (size_t i = 0; i < effects.count; i++)
        es_driver_carry_out(driver, &effects.items[i]);
    es_effects_clear(&effects);
    es_free(text);
}

/* ---- The session ---- */

/* A file that cannot be understood is kept for whoever can, and not tried again. */
static void refuse(es_driver *driver, const char *path, es_error *why) {
    es_error_prefix(why, "last session");
    bool aside = es_state_set_aside(path, NULL) == ES_OK;
    say(driver, why, aside ? "begun anew, the old one is kept beside it" : "begun anew");
    es_log_write(driver->options->log, ES_LOG_INFO, "last session: %s%s", path,
                 aside ? ".kept" : "");
}

/* True: the pool is to be opened with the scores that the session names. It is restored then. */
static bool wants_scores(es_driver *driver, const char *text) {
    const es_tui_options *options = driver->options;
    es_error err = {0};
    es_scores scores = {0};
    char path[4096];
    if (options->scores == NULL || *options->scores != NULL ||
        es_app_state_scores(text, path, sizeof path) == 0)
        return false;
    if (options->scores_asked || options->again == NULL) {
        es_app_scores(driver->app, path); /* another time */
        return false;
    }
    if (es_scores_read(path, 0, &scores, &err) == ES_OK)
        *options->scores = es_strdup(path);
    else
        say(driver, &err, "scores are the pool's own again");
    es_scores_deinit(&scores);
    return *options->scores != NULL;
}

static void open_again(es_driver *driver) {
    es_free(driver->session_path); /* stays as it is */
    driver->session_path = NULL;
    *driver->options->again = *driver->options->reopened = true;
    driver->quit = true;
}

/* Takes `text`. */
static es_status restore(es_driver *driver, char *text, size_t length, es_error *err) {
    char name[64];
    es_effects effects = {0};
    es_status st = es_app_restore(driver->app, text, length, &effects, err);
    carry_out(driver, &effects);
    if (st == ES_OK && es_app_state_measure(text, 0, name, sizeof name) > 0)
        driver->pending = text; /* until the pool is checked */
    else
        es_free(text);
    return st;
}

static void resume(es_driver *driver, const char *path) {
    char *text = NULL;
    size_t length = 0;
    es_error err = {0};
    es_status st = es_state_read(path, &text, &length, &err);
    if (st == ES_OK && wants_scores(driver, text)) {
        es_free(text);
        open_again(driver);
        return;
    }
    if (st == ES_OK)
        st = restore(driver, text, length, &err);
    if (st == ES_EFORMAT || st == ES_EUNSUPPORTED || st == ES_EINVAL)
        refuse(driver, path, &err);
    else if (st != ES_OK && st != ES_ENOTFOUND)
        say(driver, &err, "begun anew");
}

/* Without a file: what was handed from one opening of the pool to the next. */
static void take_over(es_driver *driver) {
    char **state = driver->options->state;
    char *text = state != NULL ? *state : NULL;
    if (text == NULL)
        return;
    *state = NULL;
    (void)restore(driver, text, strlen(text), NULL);
}

void es_saved_hand_over(es_driver *driver) {
    char **state = driver->options->state;
    if (driver->session_path != NULL || state == NULL)
        return;
    es_free(*state);
    *state = es_app_state(driver->app);
}

/* "smoothness:topic" is one of the columns of smoothness. True: its files are being read. */
static bool load_measure(es_driver *driver, char *name) {
    name[strcspn(name, ":")] = '\0';
    return es_driver_measure(driver, name, true);
}

void es_saved_measures(es_driver *driver) {
    char name[64];
    es_effects effects = {0};
    char *text = driver->pending;
    if (text == NULL || driver->measure[0] != '\0' ||
        es_session_phase(driver->session) == ES_PHASE_CHECKING)
        return;
    while (es_app_state_measure(text, driver->loaded, name, sizeof name) > 0) {
        driver->loaded++;
        if (load_measure(driver, name))
            return; /* the others then */
    }
    driver->pending = NULL;
    es_driver_send(driver, (es_msg){.kind = ES_MSG_SESSION});
    if (!driver->touched) /* columns, metric and score that are measures have a place now */
        (void)es_app_restore(driver->app, text, strlen(text), &effects, NULL);
    carry_out(driver, &effects);
    es_free(text);
}

/* Lines typed before are the same for all pools. */
static void recall(es_driver *driver) {
    char *path = NULL, *text = NULL;
    size_t length = 0;
    if (es_state_path("history", &path, NULL) == ES_OK &&
        es_state_read(path, &text, &length, NULL) == ES_OK)
        es_app_recall(driver->app, text, length);
    es_free(text);
    es_free(path);
}

void es_saved_open(es_driver *driver) {
    const es_tui_options *options = driver->options;
    es_error err = {0};
    if (options->scores != NULL && *options->scores != NULL)
        es_app_scores(driver->app, *options->scores);
    if (options->subject == NULL) {
        take_over(driver);
        return;
    }
    es_status st =
        es_state_session_path(options->subject, options->part, &driver->session_path, &err);
    if (st == ES_OK && !options->fresh)
        resume(driver, driver->session_path);
    if (driver->quit)
        return;
    if (st == ES_OK)
        recall(driver);
    if (st == ES_OK)
        st = es_state_check(driver->session_path, &err);
    if (st != ES_OK)
        say(driver, &err, "this session will not be kept");
}

static es_status keep_lines(const es_driver *driver, es_error *err) {
    char *path = NULL, *before = NULL, *text = NULL;
    size_t length = 0;
    es_status st = ES_OK;
    ES_TRY(es_state_path("history", &path, err));
    (void)es_state_read(path, &before, &length, NULL); /* none, or unreadable: begun anew */
    text = es_app_history(driver->app, before, length);
    if (text == NULL)
        st = es_no_memory(err);
    else if (text[0] != '\0' && (before == NULL || strcmp(before, text) != 0))
        st = es_state_write(path, text, strlen(text), err);
    if (st == ES_OK)
        es_app_history_kept(driver->app);
done:
    es_free(text);
    es_free(before);
    es_free(path);
    return st;
}

static es_status keep(const es_driver *driver, es_error *err) {
    es_status st = ES_OK;
    char *text = es_app_state(driver->app);
    if (text == NULL)
        return es_no_memory(err);
    ES_TRY(es_state_write(driver->session_path, text, strlen(text), err));
    ES_TRY(keep_lines(driver, err));
done:
    es_free(text);
    return st;
}

void es_saved_save(es_driver *driver) {
    es_error err = {0};
    driver->save_at = driver->save_latest = (double)INFINITY;
    if (driver->session_path != NULL && keep(driver, &err) != ES_OK)
        es_log_write(driver->options->log, ES_LOG_WARN, "session not kept: %s", err.message);
}

void es_saved_now(es_driver *driver) {
    es_error err = {0};
    if (driver->session_path == NULL)
        es_error_set(&err, ES_ENOTFOUND, "a script's session is kept with --resume only");
    else
        (void)keep(driver, &err);
    es_app_say(driver->app, es_clock_now(), err.code,
               err.code == ES_OK ? "Session kept; results are stored as they finish" : err.message);
}

void es_saved_close(es_driver *driver) {
    es_free(driver->session_path);
    es_free(driver->pending);
    driver->session_path = driver->pending = NULL;
}
