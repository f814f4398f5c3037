/* Run one pair through an estimator's whole interface, as the engine does. */
#ifndef ES_TESTS_ESTIMATING_H
#define ES_TESTS_ESTIMATING_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core_numerics.h"
#include "refuse.h"

typedef struct estimating {
    const char *estimator, *preset;
    const char *sets; /* "key=value key=value"; NULL: none */
    uint64_t seed, stream;
    es_run *run;
} estimating;

/* keep_bytes: of es_problem. */
static inline es_status estimate_within(const estimating *how, size_t keep_bytes, const es_rows *u,
                                        const es_rows *v, es_pair_result *out, es_error *err) {
    const es_estimator *e = es_estimator_find(how->estimator);
    double values[32];
    es_split *split = NULL;
    void *source = NULL, *target = NULL;
    es_arena *arena = es_arena_new();
    es_status st = ES_OK;
    if (!arena)
        return es_fail(err, ES_ENOMEM, "arena");
    ES_TRY(es_estimator_preset(e, how->preset, values, err));
    for (const char *at = how->sets ? how->sets : ""; *at;) {
        char word[64];
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        ES_TRY(es_estimator_set(e, word, values, err));
        at += length + strspn(at + length, " ");
    }
    double folds = values[es_estimator_setting(e, "folds")];
    ES_TRY(es_split_new(u->n, how->seed, isnan(folds) ? 0 : (size_t)folds, &split, err));
    es_problem problem = {split, values, how->seed, keep_bytes};
    ES_TRY(e->source_new(&problem, u, how->run, &source, err));
    ES_TRY(e->target_new(&problem, v, how->run, &target, err));
    ES_TRY(e->pair(&problem, source, target, how->stream, arena, how->run, out, err));
done:
    e->source_free(source);
    e->target_free(target);
    es_split_free(split);
    es_arena_free(arena);
    return st;
}

static inline es_status estimate_pair(const estimating *how, const es_rows *u, const es_rows *v,
                                      es_pair_result *out, es_error *err) {
    return estimate_within(how, 0, u, v, out, err);
}

/* Every request for memory refused once: that is reported, or what comes out is what comes out
 * otherwise; and nothing is left behind (ASan). */
static inline void estimate_refused(const estimating *how, size_t keep_bytes, const es_rows *u,
                                    const es_rows *v) {
    es_pair_result usual = {0};
    bool met = true;
    assert_ok(estimate_within(how, keep_bytes, u, v, &usual, NULL));
    for (long k = 0; met; k++) {
        es_pair_result out = {.is = 5};
        refuse_one(k);
        es_status st = estimate_within(how, keep_bytes, u, v, &out, NULL);
        met = refuse_end();
        if (st != ES_OK && st != ES_ENOMEM)
            fail_msg("%s %s, allocation %ld: %d", how->estimator, how->preset, k, (int)st);
        assert_true(met || st == ES_OK);
        if (out.is != (st == ES_OK ? usual.is : 5))
            fail_msg("%s %s, allocation %ld: %.9g instead of %.9g", how->estimator, how->preset, k,
                     out.is, usual.is);
        es_free(out.pmi);
    }
    es_free(usual.pmi);
}

#endif
