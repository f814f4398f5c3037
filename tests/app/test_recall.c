/* Lines typed before, lines from a file, and keys that must not run together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/mock.h"
#include "embedscope/alloc.h"

typedef struct bench {
    es_mock *mock;
    es_app *app;
    es_effects effects;
} bench;

static bench start(void) {
    bench b = {.mock = mock_new(12, NULL, 1)};
    b.mock->phase = ES_PHASE_DONE;
    mock_fill(b.mock, 1);
    b.app = es_app_new(&b.mock->source, NULL);
    assert_non_null(b.app);
    mock_send(b.app, (es_msg){.kind = ES_MSG_RESIZE, .now = 100, .w = 120, .h = 40}, &b.effects);
    mock_send(b.app, (es_msg){.kind = ES_MSG_SESSION, .now = 100}, &b.effects);
    return b;
}

static void stop(bench *b) {
    es_effects_clear(&b->effects);
    es_app_free(b->app);
    mock_free(b->mock);
}

static void keys(bench *b, const char *text) {
    b->app->now += 1;
    mock_keys(b->app, text, &b->effects);
}
static void source(bench *b, const char *text) {
    es_app_source(b->app, "my.cmds", text, strlen(text), &b->effects);
}
static void assert_said(const bench *b, const char *text) {
    if (strstr(b->app->toast, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, b->app->toast);
}

static void recall__lines__come_back_in_the_next_session(void **state) {
    (void)state;
    bench a = start(), b = start();
    keys(&a, ":freeze<Enter>/gte<Enter>fdim>64<Enter>:undo<Enter>");
    char *text = es_app_history(a.app, NULL, 0);
    assert_string_equal(text, ":freeze\n:undo\n/gte\nfdim>64\n");
    es_app_recall(b.app, text, strlen(text));
    keys(&b, ":<Up><Up>");
    assert_string_equal(b.app->prompt.line.text, "freeze");
    keys(&b, "<Esc>/<Up>");
    assert_string_equal(b.app->prompt.line.text, "gte");
    keys(&b, "<Esc>:redraw<Enter>"); /* meanwhile another one has written */
    char *both = es_app_history(b.app, ":else\n", 6);
    assert_string_equal(both, ":else\n:redraw\n");
    es_free(both);
    es_app_history_kept(b.app); /* not written a second time */
    both = es_app_history(b.app, ":redraw\n:after\n", 15);
    assert_string_equal(both, ":redraw\n:after\n");
    es_free(both);
    es_free(text);
    stop(&a);
    stop(&b);
}

static void recall__many_lines__stay_bounded(void **state) {
    (void)state;
    bench b = start();
    char line[32];
    es_buf text = {0};
    for (int i = 0; i < 3 * ES_APP_HISTORY; i++)
        es_buf_printf(&text, "/name-%d\n", i);
    es_buf_puts(&text, "?what is this\n/\n\n");
    es_app_recall(b.app, text.data, text.length);
    char *kept = es_app_history(b.app, text.data, text.length);
    size_t lines = 0;
    for (const char *c = kept; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, ES_APP_HISTORY);
    (void)snprintf(line, sizeof line, "/name-%d\n", 3 * ES_APP_HISTORY - 1);
    assert_non_null(strstr(kept, line));
    es_free(kept);
    es_buf_free(&text);
    stop(&b);
}

static void source__lines__run_until_one_cannot(void **state) {
    (void)state;
    bench b = start();
    source(&b, "# what I always want\n\nheatmap\n  order name\n:hide LaBSE\n");
    assert_int_equal(b.app->view, ES_VIEW_HEATMAP);
    assert_int_equal(b.app->set.order, ES_ORDER_NAME);
    assert_int_equal(es_select_hidden(b.app), 1);
    source(&b, "rank\nordr name\npool");
    assert_said(&b, "my.cmds:2: ordr: no such command");
    assert_int_equal(b.app->view, ES_VIEW_RANK);
    source(&b, "source other");
    assert_said(&b, "my.cmds:1: source: not in a file");
    size_t effects = b.effects.count;
    keys(&b, ":source x<Enter>:w<Enter>");
    assert_int_equal(b.effects.items[effects].kind, ES_FX_SOURCE);
    assert_string_equal(b.effects.items[effects].text, "x");
    assert_int_equal(b.effects.items[effects + 1].kind, ES_FX_KEEP);
    stop(&b);
}

/* 2, then a command, then a motion at once: the digit went to a view, and is no count any more. */
static void keys__digit__is_no_count_after_a_command(void **state) {
    (void)state;
    bench b = start();
    keys(&b, "2");
    mock_send(b.app, (es_msg){.kind = ES_MSG_COMMAND, .now = b.app->now, .text = "order name"},
              &b.effects);
    mock_keys(b.app, "j", &b.effects);
    assert_int_equal(b.app->view, ES_VIEW_HEATMAP);
    keys(&b, "4:redraw<Enter>j");
    assert_int_equal(b.app->view, ES_VIEW_RANK);
    keys(&b, "1");
    es_app_settle(b.app);
    mock_keys(b.app, "j", &b.effects);
    assert_int_equal(b.app->view, ES_VIEW_POOL);
    keys(&b, "gg2j"); /* at once: a count */
    assert_int_equal(b.app->view, ES_VIEW_POOL);
    assert_int_equal(es_select_index(b.app, ES_LIST_POOL, b.app->cursor), 2);
    stop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recall__lines__come_back_in_the_next_session),
        cmocka_unit_test(recall__many_lines__stay_bounded),
        cmocka_unit_test(source__lines__run_until_one_cannot),
        cmocka_unit_test(keys__digit__is_no_count_after_a_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
