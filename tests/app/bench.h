/* An app over a pool on a screen of 120x40, at Pool, and what tests do to it. */
#ifndef TESTS_APP_BENCH_H
#define TESTS_APP_BENCH_H

#include "testing.h"
#include "app/mock.h"
#include "app_state.h"

typedef struct bench {
    es_mock *mock;
    es_app *app;
    es_effects effects;
} bench;

/* A pool of n embedders with this share of its pairs known. */
__attribute__((unused)) static bench bench_of(size_t n, double share) {
    bench b = {.mock = mock_new(n, NULL, n > 6 ? 1 : 0)};
    b.mock->source.phase = share <= 0   ? ES_PHASE_IDLE
                           : share >= 1 ? ES_PHASE_DONE
                                        : ES_PHASE_RUNNING;
    mock_fill(b.mock, share);
    mock_count_progress(b.mock);
    b.app = es_app_new(&b.mock->source, NULL);
    assert_non_null(b.app);
    mock_at_pool(b.app);
    mock_send(b.app, (es_msg){.kind = ES_MSG_RESIZE, .now = 100, .w = 120, .h = 40}, &b.effects);
    mock_send(b.app, (es_msg){.kind = ES_MSG_SESSION, .now = 100}, &b.effects);
    return b;
}

/* Twelve embedders, finished, with themes. */
__attribute__((unused)) static bench bench_start(bool measures) {
    static const char *const themes[] = {"default-dark", "gruvbox", "mono"};
    bench b = {.mock = mock_new(12, NULL, 1)};
    b.mock->source.phase = ES_PHASE_DONE;
    b.mock->measures = measures;
    mock_fill(b.mock, 1);
    b.app = es_app_new(&b.mock->source, NULL);
    assert_non_null(b.app);
    mock_at_pool(b.app);
    mock_send(b.app, (es_msg){.kind = ES_MSG_RESIZE, .now = 100, .w = 120, .h = 40}, &b.effects);
    mock_send(b.app, (es_msg){.kind = ES_MSG_SESSION, .now = 100}, &b.effects);
    mock_themes(b.app, themes, 3, "default-dark");
    return b;
}

static void bench_stop(bench *b) {
    es_effects_clear(&b->effects);
    es_app_free(b->app);
    mock_free(b->mock);
}

/* A second after whatever came before, so that digits and sequences begin anew. */
__attribute__((unused)) static void bench_keys(bench *b, const char *text) {
    b->app->now += 1;
    mock_keys(b->app, text, &b->effects);
}

__attribute__((unused)) static void bench_command(bench *b, const char *line) {
    mock_send(b->app, (es_msg){.kind = ES_MSG_COMMAND, .now = b->app->now, .text = line},
              &b->effects);
}

__attribute__((unused)) static void bench_assert_said(const bench *b, const char *text) {
    if (strstr(b->app->toast, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, b->app->toast);
}

#endif
