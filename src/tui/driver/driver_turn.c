/* The pool is opened a second time, beside the session that is shown, and checked. Then the shown
 * one finishes the pairs that it is at, the new one reads all that is stored, and takes its place:
 * the screen goes from one frame to the next, and no pair is computed twice. */
#include "tui_driver.h"

#include <math.h>
#include <stdio.h>

#define EVERY 1.0 /* seconds between looks */
#define STEP 0.05 /* while another session is on its way */

void es_driver_watch_folder(es_driver *driver) {
    es_error why = {0};
    const es_explorer *options = driver->options;
    const es_pool *pool = es_session_pool(driver->session);
    if (options->turn == NULL || options->next == NULL || pool == NULL ||
        es_session_read_only(driver->session))
        return;
    if (es_pool_watcher_new(pool, EVERY, &driver->watcher, &why) != ES_OK)
        es_log_write(options->log, ES_LOG_WARN, "the folder is not watched: %s", why.message);
}

int es_driver_folder_fd(const es_driver *driver) {
    return driver->opening  ? es_open_beside_fd(driver->opening)
           : driver->coming ? es_session_fd(driver->coming)
                            : es_pool_watcher_fd(driver->watcher);
}

double es_driver_folder_deadline(const es_driver *driver) {
    return driver->coming || es_driver_growth_due(driver) ? es_clock_now() + STEP
                                                          : (double)INFINITY;
}

/* Closes the changed folder after an error; the open pool stays. */
static void give_up(es_driver *driver, const es_error *why) {
    char text[1200];
    (void)snprintf(text, sizeof text, "The folder has changed; what was open stays: %s",
                   why->message);
    es_session_leave(driver->coming, 0);
    driver->coming = NULL;
    es_driver_say(driver, why->code, text);
}

/* Opens the changed folder beside the session, unless that would lose something. */
static void begin_reopen(es_driver *driver) {
    const es_explorer_turn *turn = driver->options->turn;
    const char *unsaved = es_app_unsaved(driver->app);
    es_error why = {0};
    if (unsaved != NULL) {
        char text[300];
        (void)snprintf(text, sizeof text, "The folder has changed, but %s: open it again yourself",
                       unsaved);
        es_driver_say(driver, ES_EBUSY, text);
    } else if (es_open_beside_new(turn->open, turn->context, 0, &driver->opening, &why) != ES_OK)
        give_up(driver, &why);
    else
        es_log_write(driver->options->log, ES_LOG_INFO, "the folder has changed and is read again");
}

/* Whoever is typing, choosing or waiting for an export is not disturbed. */
static bool is_free(const es_driver *driver) {
    return driver->app->mode == ES_MODE_NORMAL && driver->app->prefix == 0 &&
           !es_worker_busy(&driver->writer) && !driver->grown && driver->pending == NULL &&
           driver->measure[0] == '\0';
}

void es_driver_step_folder(es_driver *driver) {
    es_error why = {0};
    /* What comes while another session is on its way is not forgotten, should that one fail. */
    if (driver->coming == NULL && driver->opening == NULL &&
        es_pool_watcher_changed(driver->watcher))
        begin_reopen(driver);
    if (driver->opening != NULL && !driver->growth.opening &&
        es_open_beside_done(driver->opening, 0) &&
        es_open_beside_take(&driver->opening, &driver->coming, &why) != ES_OK) {
        give_up(driver, &why);
        return;
    }
    if (driver->coming == NULL || driver->growth.coming)
        return;
    (void)es_session_pump(driver->coming, 0);
    if (es_session_problem(driver->coming, &why) != ES_OK) {
        give_up(driver, &why);
        return;
    }
    if (es_session_deferred(driver->coming) && is_free(driver) && es_session_drain(driver->session))
        es_session_proceed(driver->coming);
}

bool es_driver_folder_ready(const es_driver *driver) {
    bool comes = driver->growth.coming ? es_driver_grown_ready(driver)
                                       : driver->coming != NULL &&
                                             es_session_phase(driver->coming) != ES_PHASE_CHECKING;
    return comes && is_free(driver);
}

void es_driver_folder_close(es_driver *driver) {
    es_pool_watcher_free(driver->watcher);
    driver->watcher = NULL;
    es_open_beside_free(driver->opening);
    driver->opening = NULL;
    if (driver->coming != NULL)
        es_session_leave(driver->coming, 0);
    driver->coming = NULL;
}
