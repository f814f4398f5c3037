/* Has data sets that are not open estimated, by the program itself, and watches their stores. From
 * outside alone: to open one only to know whether it has changed would hold up the keys. */
#include "driver_sets.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "alloc.h"
#include "app_state.h"
#include "digest.h"
#include "driver.h"
#include "sets.h"
#include "store_place.h"

static const double LOOK = 2; /* seconds between two looks */

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

static uint64_t look(const es_driver *driver) {
    const es_explorer *o = driver->options;
    es_hasher *hasher = es_hasher_new();
    if (hasher == NULL) /* there is a next time */
        return driver->sets_seen;
    for (size_t k = 0; o->set_path != NULL && k < o->n_sets; k++)
        if (k != o->set)
            add_store(hasher, o->set_path[k]);
    uint64_t seen = es_hasher_result(hasher).lo;
    es_hasher_free(hasher);
    return seen;
}

/* ---- estimating another ---- */

static es_status put_words(const es_explorer *o, size_t set, es_words *out, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; o->estimate_set[i] != NULL; i++)
        ES_TRY(es_words_add(out, o->estimate_set[i], err));
    ES_TRY(es_words_add(out, o->set_path[set], err));
    if (o->set_rows[set][0] != '\0') {
        ES_TRY(es_words_add(out, "--set-rows", err));
        ES_TRY(es_words_add(out, o->set_rows[set], err));
    }
done:
    return st;
}

void es_driver_estimate_set(es_driver *driver, size_t set) {
    es_words words = {0};
    es_error err = {0};
    es_status st = put_words(driver->options, set, &words, &err);
    if (st == ES_OK)
        st = es_writer_start(&driver->set_writer, "estimate", driver->options->program,
                             (const char *const *)words.word, &err);
    if (st != ES_OK)
        es_app_set_estimated(driver->app, st, err.message);
    es_words_deinit(&words);
}

bool es_driver_read_set(es_driver *driver) {
    es_error err = {0};
    es_status st = ES_OK;
    if (!es_writer_busy(&driver->set_writer))
        return false;
    if (!es_writer_step(&driver->set_writer, &st, &err)) {
        es_app_set_progress(driver->app, driver->set_writer.text);
        return false;
    }
    es_app_set_estimated(driver->app, st, err.message);
    es_driver_send(driver, (es_msg){.kind = ES_MSG_CLOCK}); /* the next one */
    if (driver->options->next != NULL && !driver->app->sets->due)
        driver->options->next->settled = true;
    return true;
}

/* ---- what others store ---- */

void es_driver_saw_sets(es_driver *driver) {
    driver->sets_seen = look(driver);
}

void es_driver_watch_sets(es_driver *driver, double now) {
    if (driver->app->view != ES_VIEW_SETS || driver->app->sets == NULL) {
        driver->sets_look = (double)INFINITY;
    } else if (isinf(driver->sets_look) || driver->sets_look <= now) {
        if (look(driver) != driver->sets_seen)
            es_app_sets_elsewhere(driver->app);
        driver->sets_look = now + LOOK;
    }
}
