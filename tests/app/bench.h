/* An app over a pool on a screen of 120x40, at Pool, and what tests do to it. */
#ifndef TESTS_APP_BENCH_H
#define TESTS_APP_BENCH_H

#include "testing.h"
#include "app/mock.h"
#include "app_state.h"

typedef struct bench {
    es_mock *mock;
    es_app *app;
    es_effects *effects;
} bench;

static void free_mock(void *mock) {
    mock_free(mock);
}

static void free_app(void *app) {
    es_app_free(app);
}

static void free_effects(void *effects) {
    es_effects_clear(effects);
    free(effects);
}

/* mock_new, es_app_new at Pool, and effects, which are kept until the test ends. */
static inline es_mock *mock_kept(size_t n, const char *const *names, size_t excluded) {
    return test_keep(mock_new(n, names, excluded), free_mock);
}

static inline es_app *app_over(es_mock *mock) {
    es_app *app = test_keep(es_app_new(&mock->source, NULL), free_app);
    mock_at_pool(app);
    return app;
}

static inline es_effects *effects_kept(void) {
    return test_keep(calloc(1, sizeof(es_effects)), free_effects);
}

/* On no screen yet. */
static inline bench *bench_new(es_mock *mock) {
    bench *b = test_alloc(1, sizeof *b);
    *b = (bench){mock, app_over(mock), effects_kept()};
    return b;
}

/* On a screen of 120x40 that shows the session. */
static inline bench *bench_over(es_mock *mock) {
    bench *b = bench_new(mock);
    mock_send(b->app, (es_msg){.kind = ES_MSG_RESIZE, .now = 100, .w = 120, .h = 40}, b->effects);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 100}, b->effects);
    return b;
}

static inline es_phase bench_phase(double share) {
    return share <= 0 ? ES_PHASE_IDLE : share >= 1 ? ES_PHASE_DONE : ES_PHASE_RUNNING;
}

/* A pool of n embedders with this share of its pairs known. */
static inline bench *bench_of(size_t n, double share) {
    es_mock *mock = mock_kept(n, NULL, n > 6 ? 1 : 0);
    mock->source.phase = bench_phase(share);
    mock_fill(mock, share);
    mock_count_progress(mock);
    return bench_over(mock);
}

/* Twelve embedders, finished, with themes. */
static inline bench *bench_start(bool measures) {
    static const char *const themes[] = {"default-dark", "gruvbox", "mono"};
    es_mock *mock = mock_kept(12, NULL, 1);
    mock->source.phase = ES_PHASE_DONE;
    mock->measures = measures;
    mock_fill(mock, 1);
    bench *b = bench_over(mock);
    mock_themes(b->app, themes, 3, "default-dark");
    return b;
}

/* A second after whatever came before, so that digits and sequences begin anew. */
static inline void bench_keys(bench *b, const char *text) {
    b->app->now += 1;
    mock_keys(b->app, text, b->effects);
}

static inline void bench_command(bench *b, const char *line) {
    mock_send(b->app, (es_msg){.kind = ES_MSG_COMMAND, .now = b->app->now, .text = line},
              b->effects);
}

static inline void bench_assert_said(const bench *b, const char *text) {
    if (strstr(b->app->toast, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, b->app->toast);
}

#endif
