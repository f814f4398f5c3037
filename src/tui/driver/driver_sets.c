/* Watches the stores of data sets that are not open. From outside alone: to open one only to know
 * whether it has changed would hold up the keys. */
#include "tui_driver.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "app_sheets.h"

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

/* Hashes the state of the other data sets' stores, to see whether any has changed. */
static uint64_t digest_of_stores(const es_driver *driver) {
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
        driver->sets_look = now + LOOK;
    }
}
