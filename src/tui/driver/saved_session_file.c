/* The session of a pool in its file: taken up when the explorer opens, written after a quiet while
 * and at the end. Measures of the last session wait until the pool has been checked. */
#include "tui_driver.h"

#include <math.h>
#include <string.h>

#include "app_keys.h"

/* A file that cannot be understood is kept for whoever can, and not tried again. */
static void refuse(es_driver *driver, const char *path, es_error *why) {
    es_error_prefix(why, "last session");
    bool aside = es_state_set_aside(path, NULL) == ES_OK;
    es_driver_say_then(driver, why,
                       aside ? "begun anew, the old one is kept beside it" : "begun anew");
    es_log_write(driver->options->log, ES_LOG_INFO, "last session: %s%s", path,
                 aside ? ".kept" : "");
}

/* True: the pool is to be opened with the scores that the session names. It is restored then. */
static bool wants_scores(es_driver *driver, const char *text) {
    const es_explorer *options = driver->options;
    es_error err = {0};
    es_scores scores = {0};
    char path[4096];
    es_explorer_next *next = options->next;
    if ((next != NULL && next->scores != NULL) || es_app_state_scores(text, path, sizeof path) == 0)
        return false;
    if (options->scores_asked || next == NULL) {
        es_app_scores(driver->app, path); /* another time */
        return false;
    }
    if (es_session_read_scores(driver->session, path, NULL, &scores, &err) == ES_OK)
        next->scores = es_strdup(path);
    else
        es_driver_say_then(driver, &err, "scores are the pool's own again");
    es_scores_deinit(&scores);
    return next->scores != NULL;
}

static void open_again(es_driver *driver) {
    es_free(driver->session_path); /* stays as it is */
    driver->session_path = NULL;
    driver->options->next->again = driver->options->next->reopened = true;
    driver->quit = true;
}

/* Takes `text`. */
static es_status restore(es_driver *driver, char *text, size_t length, es_effects *effects,
                         es_error *err) {
    char name[64];
    es_status st = es_app_restore(driver->app, text, length, effects, err);
    if (st == ES_OK && es_app_state_measure(text, 0, name, sizeof name) > 0)
        driver->pending = text; /* until the pool is checked */
    else
        es_free(text);
    return st;
}

/* Restores the session of the file; a damaged one is set aside. */
static void resume_file(es_driver *driver, const char *path, es_effects *effects) {
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
        st = restore(driver, text, length, effects, &err);
    if (st == ES_EFORMAT || st == ES_EUNSUPPORTED || st == ES_EINVAL)
        refuse(driver, path, &err);
    else if (st != ES_OK && st != ES_ENOTFOUND)
        es_driver_say_then(driver, &err, "begun anew");
}

/* Without a file: what was handed from one opening of the pool to the next. */
static void take_over(es_driver *driver, es_effects *effects) {
    es_explorer_next *next = driver->options->next;
    char *text = next != NULL ? next->state : NULL;
    if (text == NULL)
        return;
    next->state = NULL;
    (void)restore(driver, text, strlen(text), effects, NULL);
}

void es_saved_hand_over(es_driver *driver) {
    es_explorer_next *next = driver->options->next;
    if (driver->session_path != NULL)
        return;
    es_free(next->state);
    next->state = es_app_state(driver->app);
}

/* "smoothness:topic[k=5]" is one of the columns of smoothness. True: its files are being read. */
static bool load_measure(es_driver *driver, char *name) {
    size_t length = strcspn(name, ":["), task = name[length] == ':' ? strcspn(name, "[") : length;
    memmove(name + length, name + task, strlen(name + task) + 1);
    return es_driver_measure(driver, name, ES_MEASURE_LOADED);
}

bool es_saved_measures(es_driver *driver) {
    char name[ES_MEASURE_CALL];
    if (driver->pending == NULL || driver->measure[0] != '\0' ||
        es_session_phase(driver->session) == ES_PHASE_CHECKING)
        return false;
    while (es_app_state_measure(driver->pending, driver->loaded, name, sizeof name) > 0) {
        driver->loaded++;
        if (load_measure(driver, name))
            return false; /* the others then */
    }
    return true;
}

void es_saved_measured(es_driver *driver, es_effects *effects) {
    if (!driver->touched) /* columns, metric and score that are measures have a place now */
        (void)es_app_restore(driver->app, driver->pending, strlen(driver->pending), effects, NULL);
    es_free(driver->pending);
    driver->pending = NULL;
}

/* Lines typed before are the same for all pools. */
static void recall(es_driver *driver) {
    char *path = NULL, *text = NULL;
    size_t length = 0;
    if (es_path_user_file(ES_USER_STATE, "history", &path, NULL) == ES_OK &&
        es_state_read(path, &text, &length, NULL) == ES_OK)
        es_app_recall(driver->app, text, length);
    es_free(text);
    es_free(path);
}

void es_saved_open(es_driver *driver, es_effects *effects) {
    const es_explorer *options = driver->options;
    es_error err = {0};
    if (options->next != NULL && options->next->scores != NULL)
        es_app_scores(driver->app, options->next->scores);
    if (options->subject == NULL) {
        take_over(driver, effects);
        return;
    }
    es_status st = es_state_pool_path("sessions", options->subject, options->part,
                                      &driver->session_path, &err);
    if (st == ES_OK && (!options->fresh || (options->next != NULL && options->next->turned)))
        resume_file(driver, driver->session_path, effects);
    if (driver->quit)
        return;
    if (st == ES_OK)
        recall(driver);
    if (st == ES_OK)
        st = es_state_check(driver->session_path, &err);
    if (st != ES_OK)
        es_driver_say_then(driver, &err, "this session will not be kept");
}

/* Writes the typed lines to the history, with those that other explorers wrote. */
static es_status keep_lines(const es_driver *driver, es_error *err) {
    char *path = NULL, *before = NULL, *text = NULL;
    size_t length = 0;
    es_status st = ES_OK;
    ES_TRY(es_path_user_file(ES_USER_STATE, "history", &path, err));
    (void)es_state_read(path, &before, &length, NULL); /* none, or unreadable: begun anew */
    text = es_app_history(driver->app, before, length);
    if (text == NULL)
        st = es_no_memory(err);
    else if (text[0] != '\0' && (before == NULL || strcmp(before, text) != 0))
        st = es_state_write(path, text, strlen(text), err);
    if (st == ES_OK)
        es_app_history_saved(driver->app);
done:
    es_free(text);
    es_free(before);
    es_free(path);
    return st;
}

static es_status write_session(const es_driver *driver, es_error *err) {
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
    if (driver->session_path != NULL && write_session(driver, &err) != ES_OK)
        es_log_write(driver->options->log, ES_LOG_WARN, "session not kept: %s", err.message);
}

es_status es_saved_save_now(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)effect;
    if (driver->session_path == NULL)
        return es_fail(err, ES_ENOTFOUND, "a script's session is kept with --resume only");
    ES_PASS(write_session(driver, err));
    es_driver_say(driver, ES_OK, "Session kept; results are stored as they finish");
    return ES_OK;
}

void es_saved_close(es_driver *driver) {
    es_free(driver->session_path);
    es_free(driver->pending);
    driver->session_path = driver->pending = NULL;
}
