#include "keep.h"

#include <stdio.h>
#include <string.h>

#include "embedscope/alloc.h"
#include "embedscope/clock.h"
#include "embedscope/state_file.h"

static void say(es_driver *driver, const es_error *why, const char *then) {
    char text[sizeof why->message + 80];
    (void)snprintf(text, sizeof text, "%s; %s", why->message, then);
    es_app_say(driver->app, es_clock_now(), why->code, text);
    es_log_write(driver->options->log, ES_LOG_WARN, "%s", text);
}

/* A file that cannot be understood is kept for whoever can, and not tried again. */
static void refuse(es_driver *driver, const char *path, es_error *why) {
    es_error_prefix(why, "last session");
    bool aside = es_state_set_aside(path, NULL) == ES_OK;
    say(driver, why, aside ? "begun anew, the old one is kept beside it" : "begun anew");
    es_log_write(driver->options->log, ES_LOG_INFO, "last session: %s%s", path,
                 aside ? ".kept" : "");
}

static void resume(es_driver *driver, const char *path) {
    char *text = NULL;
    size_t length = 0;
    es_error err = {0};
    es_effects effects = {0};
    es_status st = es_state_read(path, &text, &length, &err);
    if (st == ES_OK)
        st = es_app_restore(driver->app, text, length, &effects, &err);
    if (st == ES_EFORMAT || st == ES_EUNSUPPORTED || st == ES_EINVAL)
        refuse(driver, path, &err);
    else if (st != ES_OK && st != ES_ENOTFOUND)
        say(driver, &err, "begun anew");
    for (size_t i = 0; i < effects.count; i++)
        if (effects.items[i].kind != ES_FX_THEME || !driver->options->theme_asked)
            es_driver_carry_out(driver, &effects.items[i]);
    es_effects_clear(&effects);
    es_free(text);
}

void es_keep_open(es_driver *driver) {
    const es_tui_options *options = driver->options;
    es_error err = {0};
    if (options->subject == NULL)
        return;
    es_status st =
        es_state_session_path(options->subject, options->part, &driver->session_path, &err);
    if (st == ES_OK && !options->fresh)
        resume(driver, driver->session_path);
    if (st == ES_OK)
        st = es_state_check(driver->session_path, &err);
    if (st != ES_OK)
        say(driver, &err, "this session will not be kept");
}

void es_keep_save(es_driver *driver) {
    es_error err = {0};
    if (driver->session_path == NULL)
        return;
    char *text = es_app_state(driver->app);
    if (text == NULL)
        es_error_set(&err, ES_ENOMEM, "out of memory");
    else
        (void)es_state_write(driver->session_path, text, strlen(text), &err);
    if (err.code != ES_OK)
        es_log_write(driver->options->log, ES_LOG_WARN, "session not kept: %s", err.message);
    es_free(text);
}

void es_keep_close(es_driver *driver) {
    es_free(driver->session_path);
    driver->session_path = NULL;
}
