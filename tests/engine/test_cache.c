/* The cache of prepared states: made once, bounded, failures remembered. */
#include "engine_jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "testing.h"

typedef struct maker_log {
    atomic_int made, live;
    atomic_int slow_ms;
    es_status fails; /* what making model 9 gives */
} maker_log;

static es_status make(void *context, size_t entry, es_cache_kind kind, size_t model, es_run *run,
                      void **out, es_error *err) {
    maker_log *log = context;
    atomic_fetch_add(&log->made, 1);
    if (atomic_load(&log->slow_ms) > 0)
        nanosleep(&(struct timespec){0, atomic_load(&log->slow_ms) * 1000000L}, NULL);
    es_status st = es_run_check(run, err);
    if (st != ES_OK)
        return st;
    if (model == 9)
        return es_fail(err, log->fails, "made badly");
    size_t *state = es_alloc(1, sizeof *state);
    if (!state)
        return es_fail(err, ES_ENOMEM, "out of memory");
    *state = entry * 1000 + (size_t)kind * 100 + model;
    atomic_fetch_add(&log->live, 1);
    *out = state;
    return ES_OK;
}

static size_t hundred_bytes(void *context, size_t entry, es_cache_kind kind, const void *state) {
    (void)context;
    (void)entry;
    (void)kind;
    return 100;
}

static void drop(void *context, size_t entry, es_cache_kind kind, void *state) {
    (void)entry;
    (void)kind;
    atomic_fetch_sub(&((maker_log *)context)->live, 1);
    es_free(state);
}

static es_cache *new_cache(maker_log *log, size_t budget) {
    memset(log, 0, sizeof *log);
    log->fails = ES_ENOCONV;
    es_cache_maker maker = {log, make, hundred_bytes, drop};
    es_cache *cache = NULL;
    assert_ok(es_cache_new(2, 10, budget, &maker, &cache, NULL));
    return cache;
}

static void hold(es_cache *cache, size_t entry, es_cache_kind kind, size_t model) {
    const void *state = NULL;
    assert_ok(es_cache_hold(cache, entry, kind, model, NULL, &state, NULL));
    assert_int_equal(*(const size_t *)state, entry * 1000 + (size_t)kind * 100 + model);
}

static void use(es_cache *cache, size_t model) {
    hold(cache, 0, ES_CACHE_TARGET, model);
    es_cache_release(cache, 0, ES_CACHE_TARGET, model, true);
}

TEST(cache__hold__makes_each_state_once) {
    maker_log log;
    es_cache *cache = new_cache(&log, 1000);
    hold(cache, 0, ES_CACHE_SOURCE, 3);
    hold(cache, 0, ES_CACHE_SOURCE, 3);
    hold(cache, 0, ES_CACHE_TARGET, 3);
    hold(cache, 1, ES_CACHE_TARGET, 3);
    assert_int_equal(atomic_load(&log.made), 3);
    assert_int_equal(es_cache_bytes(cache), 300);
    es_cache_release(cache, 0, ES_CACHE_SOURCE, 3, false);
    assert_int_equal(atomic_load(&log.live), 3); /* the other holder has it */
    es_cache_release(cache, 0, ES_CACHE_SOURCE, 3, false);
    assert_int_equal(atomic_load(&log.live), 2);
    es_cache_release(cache, 0, ES_CACHE_TARGET, 3, true);
    es_cache_release(cache, 1, ES_CACHE_TARGET, 3, true);
    assert_int_equal(atomic_load(&log.live), 2);
    es_cache_clear(cache);
    assert_int_equal(atomic_load(&log.live), 0);
    assert_int_equal(es_cache_bytes(cache), 0);
    es_cache_free(cache);
}

TEST(cache__budget__drops_the_least_recently_used) {
    maker_log log;
    es_cache *cache = new_cache(&log, 300);
    for (size_t i = 0; i < 3; i++)
        use(cache, i);
    use(cache, 0); /* 1 is now the oldest */
    use(cache, 3);
    static const uint8_t expected[10] = {ES_CACHE_READY, ES_CACHE_ABSENT, ES_CACHE_READY,
                                         ES_CACHE_READY};
    for (size_t i = 0; i < sizeof expected; i++)
        assert_int_equal(es_cache_look(cache, 0, ES_CACHE_TARGET, i), expected[i]);
    assert_int_equal(es_cache_bytes(cache), 300);
    assert_int_equal(atomic_load(&log.made), 4);
    for (size_t i = 0; i < 6; i++) /* what is held stays, over any budget */
        hold(cache, 0, ES_CACHE_SOURCE, i);
    assert_int_equal(es_cache_bytes(cache), 600);
    for (size_t i = 0; i < 6; i++)
        es_cache_release(cache, 0, ES_CACHE_SOURCE, i, true);
    assert_int_equal(es_cache_bytes(cache), 300);
    es_cache_free(cache);
    assert_int_equal(atomic_load(&log.live), 0);
}

/* Half of what may be used, however much that is: with less, wide embedders are prepared again and
 * again. */
TEST(cache__budget__follows_the_memory) {
    assert_int_equal(es_cache_budget(0), 0);
    assert_int_equal(es_cache_budget((size_t)64 << 20), (size_t)32 << 20);
    assert_int_equal(es_cache_budget((size_t)16 << 30), (size_t)8 << 30);
    assert_int_equal(es_cache_rows((size_t)32 << 20), (size_t)16 << 20);
    assert_int_equal(es_cache_rows((size_t)8 << 30), (size_t)256 << 20);
}

TEST(cache__failure__is_remembered_until_cleared) {
    maker_log log;
    es_cache *cache = new_cache(&log, 300);
    const void *out = NULL;
    for (int i = 0; i < 3; i++) {
        assert_error_is(es_cache_hold(cache, 0, ES_CACHE_SOURCE, 9, NULL, &out, test_err()),
                        ES_ENOCONV, "made badly");
        assert_null(out);
    }
    assert_int_equal(atomic_load(&log.made), 1);
    es_cache_clear(cache);
    log.fails = ES_ENOMEM; /* may pass: tried each time */
    for (int i = 0; i < 2; i++)
        assert_int_equal(es_cache_hold(cache, 0, ES_CACHE_SOURCE, 9, NULL, &out, NULL), ES_ENOMEM);
    assert_int_equal(atomic_load(&log.made), 3);
    es_run run;
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(es_cache_hold(cache, 0, ES_CACHE_SOURCE, 1, &run, &out, NULL), ES_ECANCELED);
    hold(cache, 0, ES_CACHE_SOURCE, 1);
    es_cache_release(cache, 0, ES_CACHE_SOURCE, 1, true);
    es_cache_free(cache);
}

static void *hold_all(void *argument) {
    es_cache *cache = argument;
    for (size_t round = 0; round < 50; round++)
        for (size_t i = 0; i < 9; i++) {
            const void *state = NULL;
            size_t model = (i + round) % 9;
            if (es_cache_hold(cache, 0, ES_CACHE_TARGET, model, NULL, &state, NULL) != ES_OK ||
                *(const size_t *)state != 100 + model)
                return argument;
            es_cache_release(cache, 0, ES_CACHE_TARGET, model, i % 2);
        }
    return NULL;
}

TEST(cache__threads__share_and_evict_without_harm) {
    for (size_t budget = 0; budget <= 1000; budget += 500) {
        maker_log log;
        es_cache *cache = new_cache(&log, budget);
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, hold_all, cache), 0);
        for (int i = 0; i < 4; i++) {
            void *result;
            pthread_join(threads[i], &result);
            assert_null(result);
        }
        assert_true(es_cache_bytes(cache) <= budget);
        es_cache_free(cache);
        assert_int_equal(atomic_load(&log.live), 0);
    }
}

static void *hold_one(void *argument) {
    const void *state = NULL;
    es_cache_hold(argument, 0, ES_CACHE_TARGET, 2, NULL, &state, NULL);
    return (void *)(uintptr_t)state;
}

TEST(cache__second_asker__waits_for_the_first) {
    maker_log log;
    es_cache *cache = new_cache(&log, 1000);
    atomic_store(&log.slow_ms, 100);
    pthread_t threads[2];
    void *states[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hold_one, cache), 0);
    while (es_cache_look(cache, 0, ES_CACHE_TARGET, 2) == ES_CACHE_ABSENT)
        continue;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &states[i]);
    assert_non_null(states[0]);
    assert_ptr_equal(states[0], states[1]);
    assert_int_equal(atomic_load(&log.made), 1);
    es_cache_release(cache, 0, ES_CACHE_TARGET, 2, true);
    es_cache_release(cache, 0, ES_CACHE_TARGET, 2, true);
    es_cache_free(cache);
}
