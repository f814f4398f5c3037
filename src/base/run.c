/* The cancel token: an atomic flag that computations look at, and their progress the other way. */
#include "run.h"

#include "alloc.h"

/* Relaxed order is enough: a cancel needs to arrive soon, not in step with other writes, and the
 * results of a computation travel through the engine's own lock. */

void es_run_init(es_run *run) {
    atomic_init(&run->canceled, 0);
    atomic_init(&run->done, 0u);
    atomic_init(&run->total, 0u);
    atomic_init(&run->traced, 0u);
    for (int i = 0; i < ES_RUN_TRACE; i++)
        atomic_init(&run->trace[i], 0.0f);
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

void es_run_trace(es_run *run, double loss) {
    if (!run)
        return;
    /* One computation writes; the value is stored before the count that announces it. */
    unsigned index = atomic_load_explicit(&run->traced, memory_order_relaxed);
    atomic_store_explicit(&run->trace[index % ES_RUN_TRACE], (float)loss, memory_order_relaxed);
    atomic_store_explicit(&run->traced, index + 1, memory_order_release);
}
