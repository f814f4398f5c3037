/* What makes the pool be opened again, in this process: a derived embedder, scores from elsewhere,
 * another plan; and another pool in the place of this one. The caller does it when the driver has
 * quit with options->next->again set, and never in the middle of a run. */
#include "tui_driver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_commands.h"

/* The caller has asked es_refuse_edit. Nobody is to wait for an export in front of a terminal that
 * is given back. */
static void open_again(es_driver *driver) {
    if (es_worker_busy(&driver->writer)) {
        if (!driver->turns)
            es_driver_say(driver, ES_OK, "The pool is opened again once the export is written");
        driver->turns = true;
        return;
    }
    driver->options->next->again = true;
    driver->quit = true;
}

void es_driver_turn(es_driver *driver) {
    if (driver->turns)
        open_again(driver);
}

/* "whiten 64", or "concat NAME". */
static es_status parse_way(es_driver *driver, const char *way, es_derivation *d, es_error *err) {
    static const char concat[] = "concat ";
    const es_pool *pool = es_session_pool(driver->session);
    if (strncmp(way, concat, sizeof concat - 1) != 0)
        return es_derive_parse(way, &d->how, err);
    for (size_t i = 0; pool != NULL && i < es_pool_count(pool); i++)
        if (strcmp(es_pool_model(pool, i)->name, way + sizeof concat - 1) == 0)
            d->other = i;
    return d->other != SIZE_MAX ? ES_OK
                                : es_fail(err, ES_ENOTFOUND, "concat: no embedder is called %s",
                                          way + sizeof concat - 1);
}

/* "cmim 64": on the embedder, and on the marked ones beside it. */
static es_status train(es_driver *driver, size_t item, const char *way, es_error *err) {
    const es_app *app = driver->app;
    char name[200], setting[64];
    size_t count = 0, *source = es_alloc(app->n + 1, sizeof *source);
    es_cmim_order order = {.source = source};
    es_status st = ES_OK;
    if (source == NULL)
        return es_no_memory(err);
    source[count++] = item;
    for (size_t i = 0; i < app->n; i++)
        if (app->marked[i] && i != item)
            source[count++] = i;
    order.n_sources = count;
    es_cmim_defaults(order.values);
    if (*way != '\0') {
        (void)snprintf(setting, sizeof setting, "k=%.50s", way);
        st = es_setting_assign(es_cmim_settings, es_cmim_setting_count, "cmim", setting,
                               order.values, err);
    }
    (void)snprintf(name, sizeof name, "%.150s+%s%s", es_app_model(app, item)->name,
                   count > 1 ? "marked+cmim" : "cmim", way);
    order.name = name;
    if (st == ES_OK)
        st = es_session_train(driver->session, &order, err);
    es_free(source);
    return st;
}

es_status es_driver_derive(es_driver *driver, const es_effect *effect, es_error *err) {
    static const char cmim[] = "cmim";
    const char *way = effect->text;
    es_derivation d = {.source = effect->number, .other = SIZE_MAX};
    if (strncmp(way, cmim, sizeof cmim - 1) != 0) {
        ES_PASS(parse_way(driver, way, &d, err));
        return es_session_derive(driver->session, &d, err);
    }
    way += sizeof cmim - 1;
    ES_PASS(train(driver, effect->number, way + strspn(way, " "), err));
    es_driver_say(driver, ES_OK, "It is being trained: Jobs shows how far it is, X stops it");
    return ES_OK;
}

/* A derived embedder is ready: the pool opened again has it. The caller does that where nothing is
 * lost by it: not in the middle of a run. */
void es_driver_look_for_derived(es_driver *driver) {
    const char *name = NULL;
    char text[300];
    es_error err = {0};
    es_status st = es_session_derived(driver->session, &name, &err);
    if (st == ES_EBUSY || st == ES_ENOTFOUND)
        return;
    bool soon = driver->options->next != NULL && es_app_unsaved(driver->app) == NULL;
    if (st == ES_OK && soon) {
        driver->grown = true;
        es_history_edited(driver->app);
        (void)es_edits_add(driver->options->next->edits, (size_t)driver->app->set.edits - 1, name,
                           NULL, NULL); /* without memory it stays */
    }
    (void)snprintf(text, sizeof text, "%s is made; it is in the pool %s", name ? name : "",
                   soon ? "when the run has ended" : "when that is opened again");
    es_driver_say(driver, st, st == ES_OK ? text : err.message);
}

/* What the next opening of the pool is to do; NULL, and an error: nobody opens it again here. */
static es_explorer_next *next_of(const es_driver *driver, const char *instead, es_error *err) {
    if (driver->options->next == NULL)
        (void)es_fail(err, ES_EUNSUPPORTED, "%s", instead);
    return driver->options->next;
}

es_status es_driver_remove(es_driver *driver, const es_effect *effect, es_error *err) {
    const es_pool *pool = es_session_pool(driver->session);
    es_explorer_next *next =
        next_of(driver, "remove: not with --plain; derive --remove NAME does", err);
    es_derived_aside aside = {0};
    uint64_t freed = 0;
    char name[128];
    if (next == NULL)
        return ES_EUNSUPPORTED;
    ES_PASS(es_derived_remove(pool, effect->number, &aside, &freed, err));
    (void)snprintf(name, sizeof name, "%.120s", es_pool_model(pool, effect->number)->name);
    es_history_edited(driver->app);
    (void)es_edits_add(next->edits, (size_t)driver->app->set.edits - 1, aside.name, &aside, NULL);
    (void)snprintf(next->said, sizeof next->said,
                   "%s is removed: %.1f kB freed at the end of the session; u brings it back", name,
                   (double)freed / 1e3);
    open_again(driver);
    return ES_OK;
}

es_status es_driver_edits(es_driver *driver, const es_effect *effect, es_error *err) {
    es_explorer_next *next = driver->options->next;
    if (next == NULL)
        return ES_OK;
    size_t before = next->edits->at;
    es_status st =
        es_edits_reach(next->edits, es_session_pool(driver->session), effect->number, err);
    if (next->edits->at != before)
        open_again(driver);
    else if (st == ES_OK)
        st = es_fail(err, ES_ENOTFOUND,
                     "What was derived or removed in an earlier session stays as it is");
    return st;
}

void es_driver_take_grown(es_driver *driver) {
    es_phase phase = es_session_phase(driver->session);
    if (!driver->grown || phase == ES_PHASE_RUNNING || phase == ES_PHASE_PAUSED ||
        phase == ES_PHASE_CHECKING || es_app_unsaved(driver->app) != NULL)
        return;
    open_again(driver);
}

/* The canonical path of what was typed, from es_alloc. */
static es_status whole_path(const char *typed, char **whole, es_error *err) {
    char *path = es_path_at_home(typed);
    es_status st = ES_OK;
    if (path == NULL)
        st = es_no_memory(err);
    else
        st = es_path_canonical(path, whole, err);
    es_free(path);
    return st;
}

es_status es_driver_take_scores(es_driver *driver, const es_effect *effect, es_error *err) {
    es_scores scores = {0};
    es_explorer_next *next = driver->options->next;
    char *whole = NULL;
    es_status st = ES_OK;
    ES_TRY(whole_path(effect->text, &whole, err));
    ES_TRY(es_session_read_scores(driver->session, whole, NULL, &scores, err));
    ES_FAIL_IF(next_of(driver, "scores: not with --plain; start with --scores FILE", err) == NULL,
               ES_EUNSUPPORTED);
    es_free(next->scores);
    next->scores = whole;
    whole = NULL;
    driver->grown = true;
    es_driver_say(driver, ES_OK, "Scores are taken when the run has ended");
    es_driver_take_grown(driver);
done:
    es_scores_deinit(&scores);
    es_free(whole);
    return st;
}

static es_status write_family(es_driver *driver, const char *family, es_error *err) {
    const es_app *app = driver->app;
    size_t *item = es_alloc(app->n + 1, sizeof *item);
    if (item == NULL)
        return es_no_memory(err);
    size_t count = es_family_items(app, item);
    es_status st = es_pool_name_family(es_session_pool(driver->session), item, count, family, err);
    es_free(item);
    return st;
}

es_status es_driver_name_family(es_driver *driver, const es_effect *effect, es_error *err) {
    es_explorer_next *next = driver->options->next;
    ES_PASS(write_family(driver, effect->text, err));
    if (next == NULL) {
        es_driver_say(driver, ES_OK, "families.csv is written: open the pool again to use it");
        return ES_OK;
    }
    (void)snprintf(next->said, sizeof next->said, "families.csv is written");
    driver->grown = true;
    es_driver_take_grown(driver);
    if (!driver->quit)
        es_driver_say(driver, ES_OK, "families.csv is written: used once the run has ended");
    return ES_OK;
}

es_status es_driver_take_pool(es_driver *driver, const es_effect *effect, es_error *err) {
    es_explorer_next *next = driver->options->next;
    char *whole = NULL;
    es_status st = ES_OK;
    ES_TRY(whole_path(effect->text, &whole, err));
    ES_FAIL_IF(!es_path_is_folder(whole),
               es_fail(err, ES_EUNSUPPORTED, "%s: not a folder; a pool is one", effect->text));
    ES_FAIL_IF(next_of(driver, "open: not with --plain; start with embedscope PATH", err) == NULL,
               ES_EUNSUPPORTED);
    es_free(next->pool);
    next->pool = whole;
    whole = NULL;
    open_again(driver);
done:
    es_free(whole);
    return st;
}

static void open_other(es_driver *driver) {
    driver->options->next->again = true;
    driver->quit = true;
}

es_status es_driver_take_set(es_driver *driver, const es_effect *effect, es_error *err) {
    if (next_of(driver, "open-set: not with --plain; name the one pool", err) == NULL)
        return ES_EUNSUPPORTED;
    driver->options->next->set = effect->number;
    open_other(driver);
    return ES_OK;
}

es_status es_driver_take_folders(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)effect;
    if (next_of(driver, "not with --plain; name the folders", err) == NULL)
        return ES_EUNSUPPORTED;
    driver->options->next->folders = true;
    open_other(driver);
    return ES_OK;
}

es_status es_driver_take_plan(es_driver *driver, const es_effect *effect, es_error *err) {
    es_explorer_next *next = next_of(
        driver, "run: not with --plain; start with --estimator, --preset, --rows, --seed", err);
    if (next == NULL)
        return ES_EUNSUPPORTED;
    char *copy = es_strdup(effect->text);
    if (copy == NULL)
        return es_no_memory(err);
    es_free(next->plan);
    next->plan = copy;
    open_again(driver);
    return ES_OK;
}

/* The pool is opened a second time, beside the session that is shown, and checked. Then the shown
 * one finishes the pairs that it is at, the new one reads all that is stored, and takes its place:
 * the screen goes from one frame to the next, and no pair is computed twice. */

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

void es_driver_full_look(es_driver *driver) {
    es_full_look look = es_session_full_look(driver->session);
    es_pool *pool = es_session_pool(driver->session);
    if (!look.over || look.changed == SIZE_MAX || driver->turned_from == driver->session)
        return;
    char text[ES_APP_LINE];
    driver->turned_from = driver->session;
    es_pool_looked_again(pool);
    (void)snprintf(
        text, sizeof text,
        "%.200s: its contents are others than before, and its times are not; the pool is "
        "read again",
        es_pool_model(pool, look.changed)->file);
    es_driver_say(driver, ES_EIO, text);
    if (driver->coming == NULL && driver->opening == NULL)
        begin_reopen(driver);
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
