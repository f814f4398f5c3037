/* A session over a pool of small embedders, with a fake estimator. */
#ifndef ES_TESTS_SESSION_FIXTURE_H
#define ES_TESTS_SESSION_FIXTURE_H

#include "support.h"

#include <poll.h>

#include "fake_estimator.h"
#include "engine_session_parts.h"

enum { ROWS = 40 };

static const es_estimator *const table[] = {&fake_linear, &fake_knife, NULL};

typedef struct fixture {
    char dir[SUPPORT_PATH];
    es_session *session;
} fixture;

static inline void close_session(fixture *f) {
    es_session_close(f->session);
    f->session = NULL;
    assert_int_equal(atomic_load(&fake.live), 0);
}

static inline void close_kept_session(void *f) {
    close_session(f);
    free(f);
}

/* A pool of `count` embedders of the given widths; its session is closed after the test. */
static inline fixture *pool_of(size_t count, const size_t *dims) {
    fixture *f = calloc(1, sizeof *f);
    memset(&fake, 0, sizeof fake);
    assert_non_null(f);
    support_temp_dir(f->dir);
    test_keep(f, close_kept_session);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "m%zu.npy", i);
        support_write_random_npy(f->dir, name, 17 + i, ROWS, dims[i]);
    }
    return f;
}

static inline void open_session(fixture *f, es_session_options options) {
    assert_ok(es_session_open_with(f->dir, &options, table, &f->session, test_err()));
}

static inline void pump(fixture *f, int milliseconds) {
    struct pollfd p = {es_session_fd(f->session), POLLIN, 0};
    poll(&p, 1, milliseconds);
    es_session_pump(f->session, 0);
}

/* Until the phase is neither checking nor running; at most twenty seconds. */
static inline es_phase settle(fixture *f) {
    double until = es_clock_now() + 200;
    es_phase phase;
    while ((phase = es_session_phase(f->session)) == ES_PHASE_CHECKING ||
           phase == ES_PHASE_RUNNING) {
        assert_true(es_clock_now() < until);
        pump(f, 100);
    }
    return phase;
}

static inline void run_all(fixture *f, es_session_options options) {
    open_session(f, options);
    assert_ok(es_session_start(f->session, NULL));
    assert_int_equal(settle(f), ES_PHASE_DONE);
}

static inline es_progress progress(const fixture *f) {
    es_progress p;
    es_session_progress(f->session, &p);
    return p;
}

/* The values of one entry, to compare bit for bit. */
static inline double *values(const fixture *f, size_t entry, size_t *bytes) {
    const es_results *r = es_session_results(f->session, entry);
    size_t cells = r->m * r->m;
    *bytes = (3 * cells + r->m) * sizeof(double);
    double *all = test_alloc(*bytes, 1);
    memcpy(all, r->is, cells * sizeof *all);
    memcpy(all + cells, r->se, cells * sizeof *all);
    memcpy(all + 2 * cells, r->h_cond, cells * sizeof *all);
    memcpy(all + 3 * cells, r->h, r->m * sizeof *all);
    return all;
}

static inline void assert_same(const fixture *f, const double *const expected[2]) {
    for (size_t e = 0; e < 2; e++) {
        size_t bytes;
        double *got = values(f, e, &bytes);
        assert_memory_equal(got, expected[e], bytes);
    }
}

#endif
