/* What must hold for any estimator that trains, whichever it is. */
#ifndef EMBEDSCOPE_TEST_TRAINED_ESTIMATOR_H
#define EMBEDSCOPE_TEST_TRAINED_ESTIMATOR_H

#include <pthread.h>
#include <time.h>

#include "testing.h"
#include "estimating.h"
#include "sanitized.h"
#include "synthetic.h"

static synthetic make(size_t n, size_t d, uint64_t seed) {
    synthetic s = {n, d, test_alloc(n * d, sizeof(double))};
    synthetic_normal(&s, seed);
    return s;
}

static es_pair_result estimate(const char *estimator, const char *sets, const synthetic *u,
                               const synthetic *v, uint64_t seed) {
    es_rows ru = synthetic_rows(u), rv = synthetic_rows(v);
    es_pair_result out = {0};
    estimating how = {estimator, "default", sets, seed, 7, NULL};
    assert_ok(estimate_pair(&how, &ru, &rv, &out, test_err()));
    double sum = 0;
    for (size_t i = 0; i < out.n_eval; i++)
        sum += (double)out.pmi[i];
    assert_true(fabs(sum / (double)out.n_eval - out.is) < 1e-6 * (1 + fabs(out.h)));
    es_free(out.pmi);
    out.pmi = NULL;
    return out;
}

/* Another stream gives other bits. */
static void assert_same_bits(const char *estimator) {
    synthetic u = make(1000, 7, 1), v = make(1000, 9, 2);
    for (size_t i = 0; i < 1000; i++)
        for (size_t j = 0; j < 5; j++)
            v.x[i * 9 + j] = u.x[i * 7 + j] * u.x[i * 7 + j];
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    es_pair_result a, b, c;
    estimating how = {estimator, "default", NULL, 3, 7, NULL};
    assert_ok(estimate_pair(&how, &ru, &rv, &a, NULL));
    assert_ok(estimate_pair(&how, &ru, &rv, &b, NULL));
    how.stream = 8;
    assert_ok(estimate_pair(&how, &ru, &rv, &c, NULL));
    assert_true(a.epochs > 0);
    assert_true(a.is == b.is && a.se == b.se && a.h_cond == b.h_cond);
    assert_memory_equal(a.pmi, b.pmi, a.n_eval * sizeof *a.pmi);
    assert_true(a.is != c.is);
    es_free(a.pmi);
    es_free(b.pmi);
    es_free(c.pmi);
}

/* Processor time of the thread that fits: what else the machine does must not count. */
static double cancelled_at;
static clockid_t fitting;

static double worked(void) {
    struct timespec t;
    assert_int_equal(clock_gettime(fitting, &t), 0);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *cancel_soon(void *run) {
    const struct timespec pause = {0, 50000000};
    nanosleep(&pause, NULL);
    cancelled_at = worked();
    es_run_cancel(run);
    return NULL;
}

/* Within 100 ms, and nothing is written. */
static void assert_cancelled(const char *estimator, const char *preset, const char *sets,
                             const es_rows *u, const es_rows *v) {
    es_run run;
    es_run_init(&run);
    es_pair_result out = {.is = 5};
    pthread_t thread;
    estimating how = {estimator, preset, sets, 0, 7, &run};
    assert_int_equal(pthread_getcpuclockid(pthread_self(), &fitting), 0);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &run), 0);
    es_status st = estimate_pair(&how, u, v, &out, test_err());
    double late = worked();
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(st, ES_ECANCELED);
    const double soon = SANITIZED ? 1 : 0.1;
    if (!(late - cancelled_at < soon))
        fail_msg("%s %s: %.0f ms", preset, sets, 1e3 * (late - cancelled_at));
    assert_true(out.is == 5);
}

/* After the first pair an arena serves the next ones without another allocation but the result's.
 */
static void assert_allocates_once(const char *estimator) {
    synthetic u = make(400, 5, 1), v = make(400, 5, 2);
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    const es_estimator *e = es_estimator_find(estimator);
    double values[32];
    es_split *split;
    void *source, *target;
    es_arena *arena = es_arena_new();
    assert_ok(es_estimator_preset(e, "default", values, NULL));
    assert_ok(es_split_new(400, 0, 0, &split, NULL));
    es_problem problem = {split, values, 0, 0};
    assert_ok(e->source_new(&problem, &ru, NULL, &source, NULL));
    assert_ok(e->target_new(&problem, &rv, NULL, &target, NULL));
    assert_true(e->source_bytes(source) > 400 * 5 * 4 && e->target_bytes(target) > 400 * 5 * 4);
    size_t bytes = 0;
    for (int i = 0; i < 4; i++) {
        es_pair_result out;
        es_arena_reset(arena);
        unsigned long before = es_alloc_count();
        assert_ok(e->pair(&problem, source, target, 7, arena, NULL, &out, NULL));
        if (i > 0)
            assert_int_equal(es_alloc_count() - before, 1);
        if (i == 1)
            bytes = es_arena_bytes(arena);
        if (i > 1)
            assert_int_equal(es_arena_bytes(arena), bytes);
        es_free(out.pmi);
    }
    e->source_free(source);
    e->target_free(target);
    es_split_free(split);
    es_arena_free(arena);
}

#endif
