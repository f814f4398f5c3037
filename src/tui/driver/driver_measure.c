/* What is computed beside the pairs when the user asks for it: measures, whose files are read
 * first, and intervals of the ranking. */
#include "tui_driver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app_corr.h"
#include "app_sheets.h"
#include "app_tree.h"
#include "app_values.h"

static const double LOOK = 2; /* seconds between two looks at stored measures */

static bool is_left_out(es_status st, es_driver_how how) {
    return st == ES_ENOTFOUND && how == ES_MEASURE_ANY;
}

/* Its files are read, if it needs any. A measure that is only loaded goes without a word. */
static void show_measure(es_driver *driver, const char *name, es_driver_how how) {
    es_measure_call call;
    size_t first = 0, count = 0;
    es_error err = {0};
    es_status st = es_measure_call_parse(name, &call, &err);
    if (st == ES_OK)
        st = es_session_measure_as(driver->session, call.measure, call.setting, false, call.label,
                                   &first, &count, &err);
    if (how == ES_MEASURE_LOADED || is_left_out(st, how))
        return;
    for (size_t k = 0; st == ES_OK && k < count; k++)
        st = es_session_measure_start(driver->session, first + k, &err);
    char text[300 + ES_MEASURE_CALL];
    bool paused = es_session_phase(driver->session) == ES_PHASE_PAUSED;
    (void)snprintf(text, sizeof text, "%s%s: %s", name,
                   paused ? " waits while the run is paused, p continues" : "",
                   call.measure ? call.measure->caveat : "");
    es_driver_say(driver, st, st == ES_OK ? text : err.message);
    if (st == ES_OK)
        driver->news = true;
}

bool es_driver_measure(es_driver *driver, const char *name, es_driver_how how) {
    es_measure_call call;
    es_error err = {0};
    if (driver->measure[0] != '\0') { /* one after the other */
        size_t used = strlen(driver->waiting);
        if (used + strlen(name) + 2 < sizeof driver->waiting)
            es_phrase_add(driver->waiting, sizeof driver->waiting, "%c%s\n", (char)how, name);
        return true;
    }
    es_status st = es_measure_call_parse(name, &call, &err);
    if (st == ES_OK && call.measure->needs != 0) {
        st = es_session_measure_prepare(driver->session, call.measure, call.setting, &err);
        if (st == ES_OK) {
            (void)snprintf(driver->measure, sizeof driver->measure, "%s", name);
            driver->how = how;
            return true;
        }
    }
    if (st == ES_OK)
        show_measure(driver, name, how);
    else if (how != ES_MEASURE_LOADED && !is_left_out(st, how))
        es_driver_say(driver, st, err.message);
    return false;
}

void es_driver_prepared(es_driver *driver) {
    char name[sizeof driver->measure + 1], *waiting = driver->waiting;
    es_error err = {0};
    es_status st = es_session_measure_prepared(driver->session, &err);
    if (st == ES_EBUSY || driver->measure[0] == '\0')
        return;
    memcpy(name, driver->measure, sizeof driver->measure);
    driver->measure[0] = '\0';
    if (st == ES_OK)
        show_measure(driver, name, driver->how);
    else if (driver->how != ES_MEASURE_LOADED && !is_left_out(st, driver->how))
        es_driver_say(driver, st, err.message);
    while (waiting[0] != '\0' && driver->measure[0] == '\0') {
        size_t length = strcspn(waiting, "\n");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, waiting);
        memmove(waiting, waiting + length + 1, strlen(waiting + length));
        (void)es_driver_measure(driver, name + 1, (es_driver_how)name[0]);
    }
}

static bool is_listed(const es_words *words, const char *word) {
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->word[i], word) == 0)
            return true;
    return false;
}

/* Those that were not loaded before. */
static void load_new(es_driver *driver, const es_words *names) {
    for (size_t i = 0; i < names->count; i++)
        if (!is_listed(&driver->stored, names->word[i]) &&
            es_words_add(&driver->stored, names->word[i], NULL) == ES_OK)
            (void)es_driver_measure(driver, names->word[i], ES_MEASURE_LOADED);
}

void es_driver_load_stored(es_driver *driver) {
    es_words names = {0};
    if (driver->stored_of == driver->session || driver->pending || driver->measure[0] ||
        es_session_phase(driver->session) == ES_PHASE_CHECKING)
        return;
    driver->stored_of = driver->session;
    es_words_deinit(&driver->stored);
    (void)es_session_measures_stored(driver->session, &names, NULL); /* else gm chooses one */
    load_new(driver, &names);
    driver->news = names.count > 0;
    es_words_deinit(&names);
}

static bool shows_measures(const es_app *app) {
    return app->view == ES_VIEW_RANK || app->view == ES_VIEW_HEATMAP || app->view == ES_VIEW_CORR ||
           app->view == ES_VIEW_COMPARE || app->view == ES_VIEW_SHEETS;
}

double es_driver_measures_due(const es_driver *driver) {
    bool due = driver->stored_of == driver->session && shows_measures(driver->app) &&
               es_session_elsewhere(driver->session) != driver->elsewhere;
    return due ? driver->measures_look + LOOK : (double)INFINITY;
}

void es_driver_watch_measures(es_driver *driver, double now) {
    uint64_t elsewhere = es_session_elsewhere(driver->session);
    if (es_driver_measures_due(driver) > now)
        return;
    driver->measures_look = now;
    if (es_session_measures_look(driver->session, NULL) != ES_EBUSY)
        driver->elsewhere = elsewhere;
}

void es_driver_take_stored(es_driver *driver) {
    es_words names = {0};
    uint64_t before = es_session_measures_revision(driver->session);
    if (es_session_measures_looked(driver->session, &names, NULL) == ES_OK)
        load_new(driver, &names);
    if (es_session_measures_revision(driver->session) != before)
        driver->news = true;
    es_words_deinit(&names);
}

/* What cannot be worked out is missing on the screen: the log says why. */
static es_status log_failure(es_driver *driver, const char *what, es_status st,
                             const es_error *err) {
    if (st != ES_OK)
        es_log_write(driver->options->log, ES_LOG_WARN, "%s: %s", what, err->message);
    return ES_OK;
}

es_status es_driver_intervals(es_driver *driver, const es_effect *effect, es_error *err) {
    es_rank_problem problem = {0};
    es_status st = es_app_decision(driver->app, &problem, err);
    if (st == ES_OK)
        st = es_rank_task_start(driver->session, &problem.problem, effect->number, err);
    es_rank_problem_deinit(&problem);
    return log_failure(driver, "ranking", st, err);
}

es_status es_driver_correlate(es_driver *driver, const es_effect *effect, es_error *err) {
    es_correlation_work *work = NULL;
    es_status st = es_corr_work(driver->app, effect->flag, &work, err);
    if (st == ES_OK)
        st = es_correlation_take_start(driver->session, work, effect->number, err);
    return log_failure(driver, "correlation", st, err);
}

es_status es_driver_width(es_driver *driver, const es_effect *effect, es_error *err) {
    const es_app *app = driver->app;
    const es_results *all = es_session_results(driver->session, app->ranked.entry);
    es_rank_width width = {0};
    if (app->intervals.known == NULL || app->ranked.results == NULL || all == NULL)
        return ES_OK;
    es_status st = es_rank_width_init(app->intervals.known, app->ranked.results, all, &width, err);
    if (st == ES_OK)
        st = es_session_width_start(driver->session, &width.ask, effect->number, err);
    es_rank_width_deinit(&width);
    return log_failure(driver, "width", st, err);
}

es_status es_driver_structure(es_driver *driver, const es_effect *effect, es_error *err) {
    es_louvain problem = es_app_families(driver->app);
    es_structure *structure = es_session_structure(driver->session);
    es_status st =
        effect->kind == ES_FX_FAMILIES
            ? es_structure_families_start(structure, &problem, effect->number, err)
        : effect->kind == ES_FX_DENDROGRAM
            ? es_structure_dendrogram_start(structure, problem.is, problem.m, effect->number, err)
            : es_structure_places_start(structure, problem.is, problem.m,
                                        es_app_places(driver->app), effect->number, err);
    return log_failure(driver, "communities", st, err);
}

/* Watches the stores of data sets that are not open. From outside alone: to open one only to know
 * whether it has changed would hold up the keys. */

static const double SETS_LOOK = 2; /* seconds between two looks */

/* An empty file is one that a reader has left behind. */
static void add_file(es_hasher *hasher, const char *path) {
    struct stat about;
    bool there = path != NULL && stat(path, &about) == 0 && about.st_size > 0;
    es_hasher_add_u64(hasher, there ? (uint64_t)about.st_size : 0);
    es_hasher_add_u64(hasher, there ? (uint64_t)about.st_mtim.tv_sec : 0);
    es_hasher_add_u64(hasher, there ? (uint64_t)about.st_mtim.tv_nsec : 0);
}

/* What is committed lies in the log beside the store until somebody moves it over. */
static void add_store(es_hasher *hasher, const char *pool) {
    char *path = NULL, log[4096] = "";
    (void)es_store_place_read(pool, &path, NULL); /* else there is none yet */
    if (path != NULL)
        (void)snprintf(log, sizeof log, "%s-wal", path);
    add_file(hasher, path);
    add_file(hasher, log);
    es_free(path);
}

/* Hashes the state of the other data sets' stores, to see whether any has changed. */
static uint64_t digest_of_stores(const es_driver *driver) {
    const es_explorer *o = driver->options;
    es_hasher hasher;
    es_hasher_init(&hasher);
    for (size_t k = 0; o->set_path != NULL && k < o->n_sets; k++)
        if (k != o->set)
            add_store(&hasher, o->set_path[k]);
    return es_hasher_result(&hasher).lo;
}

/* ---- what others store ---- */

void es_driver_saw_sets(es_driver *driver) {
    driver->sets_seen = digest_of_stores(driver);
}

void es_driver_watch_sets(es_driver *driver, double now) {
    const es_analysis *shown = es_sheets_shown(driver->app);
    if (shown == NULL || shown->of != ES_ANALYSIS_OF_SETS) {
        driver->sets_look = (double)INFINITY;
    } else if (isinf(driver->sets_look) || driver->sets_look <= now) {
        if (digest_of_stores(driver) != driver->sets_seen)
            es_sheets_elsewhere(driver->app);
        driver->sets_look = now + SETS_LOOK;
    }
}
