/* The cancel token: an atomic flag that computations look at, and their progress the other way. */
#include "base.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Relaxed order is enough: a cancel needs to arrive soon, not in step with other writes, and the
 * results of a computation travel through the engine's own lock. */

void es_run_init(es_run *run) {
    atomic_init(&run->canceled, 0);
    atomic_init(&run->done, 0u);
    atomic_init(&run->total, 0u);
    atomic_init(&run->traced, 0u);
    for (int i = 0; i < ES_RUN_TRACE; i++)
        atomic_init(&run->trace[i], 0.0f);
    run->naming = (atomic_flag)ATOMIC_FLAG_INIT;
    run->subject[0] = '\0';
    atomic_init(&run->doing, NULL);
}

es_run *es_run_new(void) {
    es_run *run = es_alloc(1, sizeof *run);
    if (run)
        es_run_init(run);
    return run;
}

void es_run_free(es_run *run) {
    es_free(run);
}

void es_run_cancel(es_run *run) {
    if (run)
        atomic_store_explicit(&run->canceled, 1, memory_order_relaxed);
}

es_status es_run_check(const es_run *run, es_error *err) {
    if (!run || !atomic_load_explicit(&run->canceled, memory_order_relaxed))
        return ES_OK;
    return es_fail(err, ES_ECANCELED, "canceled");
}

void es_run_progress(es_run *run, unsigned done, unsigned total) {
    if (!run)
        return;
    atomic_store_explicit(&run->total, total, memory_order_relaxed);
    atomic_store_explicit(&run->done, done, memory_order_relaxed);
}

/* Held for the copy of a name: nobody waits long enough to sleep. */
static void lock_name(es_run *run) {
    while (atomic_flag_test_and_set_explicit(&run->naming, memory_order_acquire)) {
    }
}

void es_run_begin(es_run *run, const char *subject, const char *doing) {
    if (!run)
        return;
    es_run_progress(run, 0, 0);
    if (subject) {
        lock_name(run);
        (void)es_text_clean_into(run->subject, sizeof run->subject, subject, strlen(subject));
        atomic_flag_clear_explicit(&run->naming, memory_order_release);
    }
    atomic_store_explicit(&run->doing, doing, memory_order_relaxed);
}

void es_run_bytes(es_run *run, size_t done, size_t total) {
    es_run_progress(run, (unsigned)(done >> 10), (unsigned)(total >> 10));
}

void es_run_look(es_run *run, es_run_view *out) {
    *out = (es_run_view){.doing = atomic_load_explicit(&run->doing, memory_order_relaxed),
                         .done = atomic_load_explicit(&run->done, memory_order_relaxed),
                         .total = atomic_load_explicit(&run->total, memory_order_relaxed)};
    lock_name(run);
    memcpy(out->subject, run->subject, sizeof out->subject);
    atomic_flag_clear_explicit(&run->naming, memory_order_release);
}

void es_run_view_put(const es_run_view *view, es_buf *out) {
    if (!view->doing)
        return;
    es_buf_printf(out, "%s%s%s", view->subject, view->subject[0] ? ": " : "", view->doing);
    if (view->total > 0)
        es_buf_printf(out, ", %u %%", (unsigned)(100ULL * view->done / view->total));
}

void es_run_trace(es_run *run, double loss) {
    if (!run)
        return;
    /* One computation writes; the value is stored before the count that announces it. */
    unsigned index = atomic_load_explicit(&run->traced, memory_order_relaxed);
    atomic_store_explicit(&run->trace[index % ES_RUN_TRACE], (float)loss, memory_order_relaxed);
    atomic_store_explicit(&run->traced, index + 1, memory_order_release);
}

/* A clock that never goes back, for progress and measurements; no result depends on it. */

static double seconds_of(clockid_t clock) {
    struct timespec now = {0};
    (void)clock_gettime(clock, &now); /* cannot fail for these clocks */
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double es_clock_now(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double es_clock_thread(void) {
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* How many embedders, controls and derived ones there are, in words. */

static size_t embedders_of(size_t count, size_t controls, size_t derived) {
    return count > controls + derived ? count - controls - derived : 0;
}

const char *es_count_text(size_t count, size_t controls, size_t derived, char *out,
                          size_t capacity) {
    size_t embedders = embedders_of(count, controls, derived);
    char beside[40] = "", made[40] = "";
    if (controls > 0)
        (void)snprintf(beside, sizeof beside, " + %zu control%s", controls,
                       controls == 1 ? "" : "s");
    if (derived > 0)
        (void)snprintf(made, sizeof made, " + %zu derived", derived);
    (void)snprintf(out, capacity, "%zu embedder%s%s%s", embedders, embedders == 1 ? "" : "s",
                   beside, made);
    return out;
}

const char *es_count_brief(size_t count, size_t controls, size_t derived, char *out,
                           size_t capacity) {
    size_t embedders = embedders_of(count, controls, derived);
    if (controls + derived > 0)
        (void)snprintf(out, capacity, "%zu + %zu", embedders, controls + derived);
    else
        (void)snprintf(out, capacity, "%zu", embedders);
    return out;
}
