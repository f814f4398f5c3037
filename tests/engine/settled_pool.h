/* A pool as an estimate finds it: opened, every embedder that takes part checked, and settled. Each
 * step fails the test that it does not work in. */
#ifndef ES_TESTS_SETTLED_POOL_H
#define ES_TESTS_SETTLED_POOL_H

#include "engine_pool.h"
#include "keeping.h"

static inline es_pool *open_pool_with(const char *at, const es_pool_options *options) {
    es_pool *pool = NULL;
    assert_ok(es_pool_open(at, options, &pool, test_err()));
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

static inline es_pool *settled_pool(const char *at, const es_pool_options *options) {
    es_pool *pool = open_pool_with(at, options);
    settle(pool);
    return pool;
}

/* The embedder of this name. */
static inline const es_model *model(const es_pool *pool, const char *name) {
    size_t index = es_pool_find(pool, name);
    if (index == SIZE_MAX)
        fail_msg("no model \"%s\"", name);
    return es_pool_model(pool, index);
}

/* Is there a warning that contains `part`? */
static inline bool is_said(const es_pool *pool, const char *part) {
    for (size_t i = 0; i < es_pool_warnings(pool); i++)
        if (strstr(es_pool_warning(pool, i), part))
            return true;
    return false;
}

#endif
