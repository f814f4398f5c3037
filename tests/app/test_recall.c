/* Lines typed before, lines from a file, and keys that must not run together. */
#include "app/bench.h"
#include "app_keys.h"
#include "app_lists.h"

static void source(bench *b, const char *text) {
    es_app_source(b->app, "my.cmds", text, strlen(text), b->effects);
}

TEST(recall__lines__come_back_in_the_next_session) {
    bench *a = bench_start(false), *b = bench_start(false);
    bench_keys(a, ":freeze<Enter>/gte<Enter>fdim>64<Enter>:undo<Enter>");
    char *text = es_app_history(a->app, NULL, 0);
    assert_string_equal(text, ":freeze\n:undo\n/gte\nfdim>64\n");
    es_app_recall(b->app, text, strlen(text));
    bench_keys(b, ":<Up><Up>");
    assert_string_equal(b->app->prompt.line.text, "freeze");
    bench_keys(b, "<Esc>/<Up>");
    assert_string_equal(b->app->prompt.line.text, "gte");
    bench_keys(b, "<Esc>:redraw<Enter>"); /* meanwhile another one has written */
    char *both = es_app_history(b->app, ":else\n", 6);
    assert_string_equal(both, ":else\n:redraw\n");
    es_free(both);
    es_app_history_saved(b->app); /* not written a second time */
    both = es_app_history(b->app, ":redraw\n:after\n", 15);
    assert_string_equal(both, ":redraw\n:after\n");
    es_free(both);
    es_free(text);
}

TEST(recall__many_lines__stay_bounded) {
    bench *b = bench_start(false);
    char line[32];
    es_buf *text = test_buf();
    for (int i = 0; i < 3 * ES_APP_HISTORY; i++)
        es_buf_printf(text, "/name-%d\n", i);
    es_buf_puts(text, "?what is this\n/\n\n");
    es_app_recall(b->app, text->data, text->length);
    char *kept = es_app_history(b->app, text->data, text->length);
    size_t lines = 0;
    for (const char *c = kept; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, ES_APP_HISTORY);
    (void)snprintf(line, sizeof line, "/name-%d\n", 3 * ES_APP_HISTORY - 1);
    assert_contains(kept, line);
    es_free(kept);
}

TEST(source__lines__run_until_one_cannot) {
    bench *b = bench_start(false);
    source(b, "# what I always want\n\nheatmap\n  order name\n:hide LaBSE\n");
    assert_int_equal(b->app->view, ES_VIEW_HEATMAP);
    assert_int_equal(b->app->set.order, ES_ORDER_NAME);
    assert_int_equal(es_select_hidden(b->app), 1);
    source(b, "rank\nordr name\npool");
    bench_assert_said(b, "my.cmds:2: ordr: no such command");
    assert_int_equal(b->app->view, ES_VIEW_RANK);
    source(b, "source other");
    bench_assert_said(b, "my.cmds:1: source: not in a file");
    size_t effects = b->effects->count;
    bench_keys(b, ":source x<Enter>:w<Enter>");
    assert_int_equal(b->effects->items[effects].kind, ES_FX_SOURCE);
    assert_string_equal(b->effects->items[effects].text, "x");
    assert_int_equal(b->effects->items[effects + 1].kind, ES_FX_SAVE_SESSION);
}

/* 2, then a command, then a motion at once: the digit went to a view, and is no count any more. */
TEST(keys__digit__is_no_count_after_a_command) {
    bench *b = bench_start(false);
    bench_keys(b, "2");
    mock_send(b->app, (es_msg){.kind = ES_MSG_COMMAND, .now = b->app->now, .text = "order name"},
              b->effects);
    mock_keys(b->app, "j", b->effects);
    assert_int_equal(b->app->view, ES_VIEW_HEATMAP);
    bench_keys(b, "4:redraw<Enter>j");
    assert_int_equal(b->app->view, ES_VIEW_RANK);
    bench_keys(b, "1");
    es_app_settle(b->app);
    mock_keys(b->app, "j", b->effects);
    assert_int_equal(b->app->view, ES_VIEW_POOL);
    bench_keys(b, "gg#2j");
    assert_int_equal(b->app->view, ES_VIEW_POOL);
    assert_int_equal(es_select_index(b->app, ES_LIST_POOL, b->app->cursor), 2);
}
