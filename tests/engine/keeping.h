/* What tests of the engine open, kept until they end. */
#ifndef ES_TESTS_KEEPING_H
#define ES_TESTS_KEEPING_H

#include <poll.h>

#include "testing.h"
#include "engine_measures_parts.h"
#include "engine_pool_parts.h"
#include "engine_session_parts.h"

/* Defines es_TYPE *keep_NAME(es_TYPE *), which closes it after the test. */
#define KEEP(name, close)                                                                          \
    static inline void close_kept_##name(void *object) {                                           \
        close(object);                                                                             \
    }                                                                                              \
    static inline es_##name *keep_##name(es_##name *object) {                                      \
        return test_keep(object, close_kept_##name);                                               \
    }

KEEP(pool, es_pool_close)
KEEP(session, es_session_close)
KEEP(store, es_store_close)
KEEP(annotations, es_annotations_free)
KEEP(results, es_results_free)
KEEP(pair_queue, es_pair_queue_free)
KEEP(pool_watcher, es_pool_watcher_free)

#undef KEEP

/* Waits for a message of the session and takes what there is; fails after `until`. */
static inline void await_message(es_session *s, double until) {
    struct pollfd watched = {.fd = es_session_fd(s), .events = POLLIN};
    assert_true(es_clock_now() < until);
    poll(&watched, 1, 100);
    es_session_pump(s, 0);
}

#endif
