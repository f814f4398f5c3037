/* A pool as an estimate finds it: opened, every embedder that takes part checked, and settled. Each
 * step fails the test that it does not work in. */
#ifndef ES_TESTS_SETTLED_POOL_H
#define ES_TESTS_SETTLED_POOL_H

#include "engine_pool.h"
#include "keeping.h"

static inline es_pool *open_pool_with(const char *root, const es_pool_options *options) {
    es_pool *pool = NULL;
    assert_ok(es_pool_open(root, options, &pool, test_err()));
    return keep_pool(pool);
}

static inline void check_models(es_pool *pool) {
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        es_model_check check;
        if (es_pool_model(pool, i)->state == ES_MODEL_EXCLUDED)
            continue;
        assert_ok(es_pool_check_model(pool, i, NULL, &check, NULL));
        assert_ok(es_pool_apply(pool, i, &check, NULL));
        es_model_check_deinit(&check);
    }
}

static inline void settle(es_pool *pool) {
    check_models(pool);
    assert_ok(es_pool_settle(pool, test_err()));
}

static inline es_pool *settled_pool(const char *root, const es_pool_options *options) {
    es_pool *pool = open_pool_with(root, options);
    settle(pool);
    return pool;
}

#endif
