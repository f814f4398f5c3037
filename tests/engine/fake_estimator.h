/* A small estimator for tests of the session: its values depend on the contents of both embedders,
 * the stream and the seed, it can be told to fail, wait or give NaN, and it counts what it does. */
#ifndef ES_TESTS_FAKE_ESTIMATOR_H
#define ES_TESTS_FAKE_ESTIMATOR_H

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core_numerics.h"

/* Behaviour is chosen by the width of an embedder, which no other code looks at. */
enum { FAKE_BAD_SOURCE = 5, FAKE_BAD_TARGET = 6, FAKE_NAN = 7, FAKE_BIG = 9 };

static struct {
    atomic_int pairs, sources, targets, live;  /* calls; states that exist */
    atomic_int delay_us;                       /* of every pair, checked for cancel each 0.2 ms */
    atomic_int hold;                           /* no pair is through before so many were begun */
    atomic_bool deaf;                          /* waits without looking at its run */
    atomic_int unhearing;                      /* pairs that wait so */
    atomic_int heal;                           /* bad ones are good again */
    atomic_ullong order;                       /* the last sources' widths, one byte each */
    void (*meanwhile)(size_t d, uint32_t row); /* before every row that is read; or NULL */
} fake;

typedef struct fake_state {
    double sum;
    size_t d;
    bool is_target;
} fake_state;

/* A source is never taken for a target. */
static const fake_state *fake_side(const void *state, bool is_target) {
    const fake_state *side = state;
    if (side && side->is_target != is_target) {
        fputs("fake estimator: a source is taken for a target, or the other way round\n", stderr);
        abort();
    }
    return side;
}

static es_status fake_new(const es_rows *rows, bool is_target, const char *what, void **out,
                          es_error *err) {
    size_t bad = is_target ? FAKE_BAD_TARGET : FAKE_BAD_SOURCE;
    if (rows->d == bad && !atomic_load(&fake.heal))
        return es_fail(err, ES_ENOCONV, "%s", what);
    fake_state *state = es_alloc(1, sizeof *state);
    double *row = es_alloc(rows->d, sizeof *row);
    if (!state || !row) {
        es_free(state);
        es_free(row);
        return es_fail(err, ES_ENOMEM, "out of memory");
    }
    *state = (fake_state){0, rows->d, is_target};
    es_status st = ES_OK;
    for (uint32_t i = 0; i < rows->n && st == ES_OK; i++) {
        if (fake.meanwhile)
            fake.meanwhile(rows->d, i);
        st = rows->read(rows->context, &i, 1, row, err);
        for (size_t j = 0; j < rows->d; j++)
            state->sum += row[j] * (double)(i + 1);
    }
    es_free(row);
    if (st == ES_OK) {
        atomic_fetch_add(&fake.live, 1);
        *out = state;
    } else {
        es_free(state);
    }
    return st;
}

static es_status fake_source_new(const es_problem *problem, const es_rows *rows, es_run *run,
                                 void **out, es_error *err) {
    (void)problem;
    (void)run;
    atomic_fetch_add(&fake.sources, 1);
    return fake_new(rows, false, "cannot be factored", out, err);
}

static es_status fake_target_new(const es_problem *problem, const es_rows *rows, es_run *run,
                                 void **out, es_error *err) {
    (void)problem;
    (void)run;
    atomic_fetch_add(&fake.targets, 1);
    return fake_new(rows, true, "cannot be standardised", out, err);
}

static void fake_free(void *state) {
    if (state)
        atomic_fetch_sub(&fake.live, 1);
    es_free(state);
}

static void fake_source_free(void *state) {
    (void)fake_side(state, false);
    fake_free(state);
}

static void fake_target_free(void *state) {
    (void)fake_side(state, true);
    fake_free(state);
}

/* A source is said to take more than a target. */
static size_t fake_bytes(const fake_state *side) {
    return side->d == FAKE_BIG ? (size_t)1 << 32 : sizeof(fake_state);
}

static size_t fake_target_bytes(const void *state) {
    return fake_bytes(fake_side(state, true));
}

static size_t fake_source_bytes(const void *state) {
    return 2 * fake_bytes(fake_side(state, false));
}

static es_status fake_pair(const es_problem *problem, const void *source, const void *target,
                           uint64_t stream, es_arena *arena, es_run *run, es_pair_result *out,
                           es_error *err) {
    const fake_state *u = fake_side(source, false), *v = fake_side(target, true);
    (void)arena;
    atomic_fetch_add(&fake.pairs, 1);
    atomic_store(&fake.order, atomic_load(&fake.order) << 8 | (u->d & 255));
    es_run_trace(run, 1);
    bool deaf = false;
    for (int waited = 0;
         waited < atomic_load(&fake.delay_us) || atomic_load(&fake.pairs) < atomic_load(&fake.hold);
         waited += waited < atomic_load(&fake.delay_us) ? 200 : 0) {
        if (!deaf && atomic_load(&fake.deaf)) {
            deaf = true;
            atomic_fetch_add(&fake.unhearing, 1);
        }
        es_status st = deaf ? ES_OK : es_run_check(run, err);
        if (st != ES_OK)
            return st;
        nanosleep(&(struct timespec){0, 200000}, NULL);
    }
    if (deaf)
        atomic_fetch_sub(&fake.unhearing, 1);
    es_rng rng = test_rng(problem->seed, stream);
    size_t n = problem->split->n_eval;
    float *pmi = es_alloc(n, sizeof *pmi);
    if (!pmi)
        return es_fail(err, ES_ENOMEM, "out of memory");
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        pmi[i] = (float)(es_rng_uniform(&rng) + sin(u->sum) * problem->values[0]);
        sum += (double)pmi[i];
    }
    *out = (es_pair_result){.is = sum / (double)n + cos(v->sum),
                            .se = 0.1,
                            .h = v->sum,
                            .n_eval = n,
                            .pmi = pmi,
                            .information = sum,
                            .information_se = sqrt(sum),
                            .lambda = (double)INFINITY,
                            .rare = 3,
                            .limited = (unsigned)v->d};
    out->h_cond = out->h - out->is;
    if (u->d == FAKE_NAN && v->d == FAKE_NAN && !atomic_load(&fake.heal))
        out->is = (double)NAN;
    return ES_OK;
}

static const es_setting fake_settings[] = {
    {.key = "weight", .help = "of the source", .value = 1, .low = 0, .high = 10},
    {.key = "folds", .help = "folds", .value = (double)NAN, .low = 1, .high = 9, .automatic = true},
};
static const es_setting fake_settings_2[] = {
    {.key = "weight", .help = "of the source", .value = 2, .low = 0, .high = 10},
    {.key = "modes", .help = "modes", .value = 4, .low = 1, .high = 9, .whole = true},
};
static const es_preset fake_presets[] = {{"default", "", ""}, {"heavy", "", "weight=3"}, {0}};
static const es_preset fake_presets_2[] = {{"default", "", ""}, {"paper", "", "modes=8"}, {0}};

#define FAKE_FUNCTIONS                                                                             \
    .source_new = fake_source_new, .source_free = fake_source_free,                                \
    .source_bytes = fake_source_bytes, .target_new = fake_target_new,                              \
    .target_free = fake_target_free, .target_bytes = fake_target_bytes, .pair = fake_pair

static const es_estimator fake_linear = {.name = "linear",
                                         .title = "fake",
                                         .version = 1,
                                         .settings = fake_settings,
                                         .n_settings = 2,
                                         .presets = fake_presets,
                                         FAKE_FUNCTIONS};
static const es_estimator fake_knife = {.name = "knife",
                                        .title = "fake",
                                        .version = 1,
                                        .settings = fake_settings_2,
                                        .n_settings = 2,
                                        .presets = fake_presets_2,
                                        FAKE_FUNCTIONS};

#endif
