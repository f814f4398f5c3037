/* A pool's values for the calibration: one session, kept open, by the preset that the predictive
 * score stands on. */
#include "calibrating.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base.h"

_Noreturn void calibrate_die(const char *where, const es_error *err) {
    fprintf(stderr, "calibrate: %s: %s\n", where, err->message);
    exit(2);
}

void *calibrate_alloc(size_t count, size_t size) {
    void *block = es_alloc_zero(count, size);
    if (!block) {
        fprintf(stderr, "calibrate: out of memory\n");
        exit(2);
    }
    return block;
}

void calibrate_estimate(es_session *session) {
    es_error err = {0};
    es_status st = es_session_start(session, &err);
    if (st == ES_OK)
        st = es_session_wait(session, -1, &err);
    if (st != ES_OK)
        calibrate_die("estimating", &err);
}

pool_values pool_values_open(const char *path) {
    const es_session_options options = {.estimator = ES_PREDICTIVE_ESTIMATOR,
                                        .preset = ES_PREDICTIVE_PRESET,
                                        .no_store = true,
                                        .with_pmi = true};
    pool_values pool = {0};
    es_error err = {0};
    if (es_session_open(path, &options, &pool.session, &err) != ES_OK)
        calibrate_die(path, &err);
    calibrate_estimate(pool.session);
    pool.results = es_session_results(pool.session, 0);
    pool.m = pool.results->m;
    pool.rows = pool.results->n_eval;
    if (pool.results->failed > 0 || pool.rows < 4) {
        fprintf(stderr, "calibrate: %s: %zu pairs failed, %zu rows evaluated\n", path,
                pool.results->failed, pool.rows);
        exit(2);
    }
    return pool;
}

void pool_values_close(pool_values *pool) {
    es_session_close(pool->session);
    *pool = (pool_values){0};
}

double share_of(share s) {
    return s.of > 0 ? s.hits / s.of : (double)NAN;
}
