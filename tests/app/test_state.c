#include "app/bench.h"
#include "app_corr.h"
#include "app_look.h"
#include "app_lists.h"
#include "app_values.h"
#include "app_update.h"

static bench *start_over(es_mock *mock) {
    static const char *const themes[] = {"default-dark", "gruvbox", "mono"};
    mock->source.phase = ES_PHASE_DONE;
    mock_fill(mock, 1);
    bench *b = bench_over(mock);
    mock_themes(b->app, themes, 3, "default-dark");
    return b;
}

static bench *start(size_t n) {
    return start_over(mock_kept(n, NULL, 1));
}

static void keys(bench *b, const char *text) {
    b->app->now += 1; /* a digit is a view, not a count */
    mock_keys(b->app, text, b->effects);
}
static void command(bench *b, const char *line) {
    mock_send(b->app, (es_msg){.kind = ES_MSG_COMMAND, .now = b->app->now, .text = line},
              b->effects);
}

static es_status restore(bench *b, const char *text, es_error *err) {
    return es_app_restore(b->app, text, strlen(text), b->effects, err);
}

static char *state_of(const bench *b) {
    char *text = es_app_state(b->app);
    assert_non_null(text);
    return text;
}

TEST(state__restore__brings_back_what_was_seen) {
    bench *a = start(12), *b = start(12);
    keys(a, "2");
    keys(a, "jjl");
    command(a, "order dim");
    command(a, "metric se");
    command(a, "colours magma");
    command(a, "mark gte");
    command(a, "hide LaBSE");
    keys(a, "4");
    command(a, "sort dim");
    command(a, "hide-column tie");
    keys(a, ">>");
    command(a, "filter !glove");
    keys(a, "/bge<Enter>");
    char *text = state_of(a);
    assert_ok(restore(b, text, test_err()));
    assert_int_equal(b->app->view, ES_VIEW_RANK);
    assert_string_equal(es_app_model(b->app, b->app->cursor)->name, "bge-base-en-v1.5");
    assert_int_equal(b->app->column, a->app->column);
    assert_string_equal(b->app->search, "bge");
    assert_string_equal(b->app->set.filter, "!glove");
    assert_memory_equal(b->app->marked, a->app->marked, 12);
    assert_true(b->app->hidden[1]);
    assert_int_equal(b->app->set.order, ES_ORDER_DIM);
    assert_int_equal(b->app->set.metric, ES_METRIC_SE);
    assert_string_equal(es_colormap_names[b->app->set.colours], "magma");
    assert_memory_equal(&b->app->set.table[ES_TABLE_RANK], &a->app->set.table[ES_TABLE_RANK],
                        sizeof a->app->set.table[ES_TABLE_RANK]);
    for (int list = 0; list < ES_LIST_TREE; list++) {
        assert_int_equal(b->app->list[list].count, a->app->list[list].count);
        assert_memory_equal(b->app->list[list].item, a->app->list[list].item,
                            a->app->list[list].count * sizeof(size_t));
    }
    es_free(text);
}

TEST(state__undo__survives_a_restart) {
    bench *a = start(12), *b = start(12);
    keys(a, "2");
    for (int i = 0; i < 230; i++)
        command(a, i % 3 == 0 ? "transpose" : i % 3 == 1 ? "order" : "metric");
    keys(a, "uuuuu");
    char *text = state_of(a);
    assert_ok(restore(b, text, test_err()));
    assert_int_equal(b->app->undo_count, a->app->undo_count);
    assert_int_equal(b->app->redo_count, 5);
    for (int step = 0; step < 5; step++) {
        keys(a, "<^r>");
        keys(b, "<^r>");
        assert_int_equal(b->app->set.metric, a->app->set.metric);
        assert_int_equal(b->app->set.order, a->app->set.order);
        assert_int_equal(b->app->set.transposed, a->app->set.transposed);
    }
    for (int step = 0; step < ES_APP_UNDO; step++) {
        keys(a, "u");
        keys(b, "u");
        assert_int_equal(b->app->set.metric, a->app->set.metric);
        assert_int_equal(b->app->set.order, a->app->set.order);
    }
    assert_int_equal(b->app->undo_count, 0);
    es_free(text);
}

/* Keys at random, then text -> app -> the same text. */
TEST(state__random_sessions__come_back_exactly) {
    static const char pool[] = "1234567hjklGgxvM saSoOmitr-+<>_0FunNKLBzdwcRCPf/: <Enter>";
    for (uint64_t seed = 1; seed <= 60; seed++) {
        es_rng rng = test_rng(seed, 77);
        bench *a = start(seed % 5 == 0 ? 40 : 12), *b = start(seed % 5 == 0 ? 40 : 12);
        for (int i = 0; i < 120; i++) {
            char key[2] = {pool[es_rng_below(&rng, sizeof pool - 1)], '\0'};
            if (key[0] == '<' || key[0] == '>')
                mock_send(a->app,
                          (es_msg){.kind = ES_MSG_KEY,
                                   .now = a->app->now + 0.4,
                                   .key = (unsigned char)key[0]},
                          a->effects);
            else
                keys(a, key);
            if (i % 9 == 0)
                keys(a, i % 2 ? "<Enter>" : "<Esc>");
        }
        keys(a, "<Esc><Esc>");
        char *text = state_of(a);
        if (restore(b, text, test_err()) != ES_OK)
            fail_msg("seed %d: %s\n%s", (int)seed, test_message(), text);
        char *again = state_of(b);
        if (strcmp(text, again) != 0)
            fail_msg("seed %d:\n%s\nis not\n%s", (int)seed, again, text);
        es_free(text);
        es_free(again);
    }
}

TEST(state__frozen__keeps_the_order_it_had) {
    bench *a = start(12), *b = start(12);
    keys(a, "4");
    keys(a, "F");
    size_t first = a->app->list[ES_LIST_RANK].item[0];
    char *text = state_of(a);
    /* meanwhile the first has lost its place */
    for (size_t t = 0; t < b->mock->results.m; t++)
        if (t != first)
            b->mock->results.is[first * b->mock->results.m + t] = -5;
    b->mock->results.revision++;
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 101}, b->effects);
    assert_int_not_equal(b->app->list[ES_LIST_RANK].item[0], first);
    assert_ok(restore(b, text, test_err()));
    assert_true(b->app->frozen);
    assert_int_equal(b->app->list[ES_LIST_RANK].item[0], first);
    assert_true(es_select_changes(b->app) > 0);
    keys(b, "F");
    assert_int_not_equal(b->app->list[ES_LIST_RANK].item[0], first);
    es_free(text);
}

/* Measures are columns while the session is open; in the next one they are gone. */
TEST(state__measures__are_named_and_passed_over) {
    bench *a = start(12), *b = start(12);
    a->mock->measures = true;
    a->mock->source.scores.tasks = 0;
    mock_refresh(&a->mock->source);
    size_t first = ES_RANK_SCORES;
    assert_int_equal(es_columns_count(a->app, ES_TABLE_RANK), first + 2);
    a->app->set.table[ES_TABLE_RANK].column = (uint8_t)first;
    a->app->set.table[ES_TABLE_RANK].sort = (uint8_t)(first + 1);
    a->app->set.table[ES_TABLE_RANK].hidden[first + 1] = true;
    a->app->set.metric = ES_METRIC_MEASURE;
    a->app->set.corr_zoom = 3;
    char *text = state_of(a), line[200];
    snprintf(line, sizeof line, "\nrank.column measure:%s\n", es_measure_title(a->app, false, 0));
    assert_contains(text, line);
    assert_ok(restore(b, text, test_err()));
    assert_int_equal(b->app->set.table[ES_TABLE_RANK].column, ES_RANK_SCORE);
    assert_int_equal(b->app->set.table[ES_TABLE_RANK].sort, ES_RANK_SCORE);
    assert_int_equal(b->app->set.metric, ES_METRIC_IS);
    assert_int_equal(b->app->set.corr_zoom, 3);
    es_free(text);
}

/* Keys are for good: what an earlier release has written is read, and written again alike. */
TEST(state__every_key__is_read_and_written) {
    static const char now[] =
        "now\npool.column dim\npool.sort down rows\npool.hidden size\npool.widths +3 name\n"
        "rank.column rank\nrank.sort up dim\nrank.hidden pairs\nrank.widths -2 score\n"
        "compare 0 1\ncompare.order name\ncompare.clear 1\norder cluster\nmetric se\n"
        "colours magma\nzoom large\ntransposed 1\ndigits 1\nfull-range 1\nlabel-width -7\n"
        "resolution 1.5\ngraph 1\ncorr.sorted 1\ncorr.kind kendall\ncorr.labels off\n"
        "corr.band none\ncorr.zoom 3\nfilter e\nmarked 0\n"
        "hidden 1\nfolded 0:3\nexcluded 1\naccepted 0\nend\n";
    bench *a = start(2);
    char *text = state_of(a);
    size_t length = (size_t)(strstr(text, "\nnow\n") + 1 - text);
    char *given = test_keep(es_alloc(length + sizeof now, 1), es_free);
    memcpy(given, text, length);
    memcpy(given + length, now, sizeof now);
    assert_ok(restore(a, given, test_err()));
    char *again = state_of(a);
    assert_string_equal(strstr(again, "\nnow\n") + 1, now);
    es_free(again);
    es_free(text);
}

TEST(state__gone_names__are_passed_over) {
    bench *a = start(12);
    command(a, "mark gte");
    command(a, "mark bge");
    keys(a, "gg");
    char *text = state_of(a);
    static const char *const fewer[] = {"bge-base-en-v1.5", "new-one", "e5-large-v2", "x", "y"};
    bench *b = start_over(mock_kept(5, fewer, 0));
    assert_ok(restore(b, text, test_err()));
    assert_true(b->app->marked[0]);
    for (size_t i = 1; i < 5; i++)
        assert_false(b->app->marked[i]);
    assert_true(b->app->cursor < 5);
    es_free(text);
}

TEST(state__later_keys__are_passed_over) {
    bench *b = start(12);
    static const char text[] =
        "embedscope-session 1\nitem LaBSE\nweather fine\nview nowhere\n"
        "cursor 0\ntask nothing\nnow\nglow yes\norder backwards\n"
        "rank.sort down sparkle\nrank.hidden sparkle\tapart\nmarked 0\nend\n";
    assert_ok(restore(b, text, test_err()));
    assert_string_equal(es_app_model(b->app, b->app->cursor)->name, "LaBSE");
    assert_true(b->app->marked[b->app->cursor]);
    assert_true(b->app->set.table[ES_TABLE_RANK].hidden[ES_RANK_APART]);
}

TEST(state__bad_texts__change_nothing) {
    static const struct {
        const char *text, *says;
        es_status status;
    } cases[] = {
        {"", "it ends too early", ES_EFORMAT},
        {"hello\n", "not a session of embedscope", ES_EFORMAT},
        {"embedscope-session 2\nnow\nend\n", "a newer embedscope", ES_EUNSUPPORTED},
        {"embedscope-session 1\nnow\n", "it ends too early", ES_EFORMAT},
        {"embedscope-session 1\nend\n", "it ends too early", ES_EFORMAT},
        {"embedscope-session 1\ncursor 3\nnow\nend\n", "line 2: cursor cannot", ES_EFORMAT},
        {"embedscope-session 1\nitem LaBSE\nnow\nmarked 0 x\nend\n", "line 4: marked", ES_EFORMAT},
        {"embedscope-session 1\nnow\ndigits 7\nend\n", "line 3: digits", ES_EFORMAT},
        {"embedscope-session 1\nnow\nresolution nan\nend\n", "line 3: resolution", ES_EFORMAT},
        {"embedscope-session 1\nredo\nnow\nend\n", "'redo' is out of its order", ES_EFORMAT},
        {"embedscope-session 1\nnow\nnow\nend\n", "'now' is out of its order", ES_EFORMAT},
        {"embedscope-session 1\nnow\nend\nmore\n", "more after the end", ES_EFORMAT},
    };
    bench *b = start(12);
    command(b, "mark gte");
    char *before = state_of(b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(restore(b, cases[i].text, test_err()), cases[i].status);
        if (strstr(test_message(), cases[i].says) == NULL)
            fail_msg("%s: expected \"%s\"", test_message(), cases[i].says);
        char *after = state_of(b);
        assert_string_equal(after, before);
        es_free(after);
    }
    es_free(before);
}

TEST(state__theme__kept_only_when_it_was_changed) {
    bench *a = start(12), *b = start(12);
    char *text = state_of(a);
    assert_lacks(text, "\ntheme ");
    es_free(text);
    snprintf(a->app->theme, sizeof a->app->theme, "gruvbox");
    text = state_of(a);
    es_effects_clear(b->effects);
    assert_ok(restore(b, text, test_err()));
    bool asked = false;
    for (size_t i = 0; i < b->effects->count; i++)
        asked = asked || (b->effects->items[i].kind == ES_FX_THEME &&
                          strcmp(b->effects->items[i].text, "gruvbox") == 0);
    assert_true(asked);
    es_free(text);
}

TEST(state__no_memory__changes_nothing) {
    bench *a = start(12), *b = start(12);
    command(a, "mark gte");
    keys(a, "4F");
    char *text = state_of(a), *before = state_of(b);
    for (long after = 0; after < 400; after++) {
        es_alloc_fail_after(after);
        char *written = es_app_state(a->app);
        es_alloc_fail_after(-1);
        if (written != NULL)
            assert_string_equal(written, text);
        es_free(written);
        es_alloc_fail_after(after);
        es_status st = restore(b, text, test_err());
        es_alloc_fail_after(-1);
        if (st == ES_OK)
            break; /* what fails from here on is the app's own */
        char *now = state_of(b);
        assert_string_equal(now, before);
        es_free(now);
    }
    es_free(text);
    es_free(before);
}

/* Communities are found a moment after a session is back: a filter that takes one of them passes
 * nobody until then, and keeps the cursor for it. */
TEST(state__filter_of_communities__keeps_the_cursor) {
    bench *a = start(12);
    keys(a, "3");
    for (int i = 0; i < 3000 && es_app_deadline(a->app) <= a->app->now + 5; i++)
        mock_send(a->app, (es_msg){.kind = ES_MSG_TICK, .now = a->app->now + 1}, a->effects);
    command(a, "filter c:C1");
    keys(a, "4G");
    size_t cursor = a->app->cursor;
    assert_int_not_equal(cursor, a->app->list[ES_LIST_RANK].item[0]);
    char *text = state_of(a);
    bench *b = start(12);
    assert_null(b->app->tree.found);
    assert_ok(restore(b, text, NULL));
    for (int i = 0; i < 3000 && es_app_deadline(b->app) <= b->app->now + 5; i++)
        mock_send(b->app, (es_msg){.kind = ES_MSG_TICK, .now = b->app->now + 1}, b->effects);
    assert_non_null(b->app->tree.found);
    assert_int_equal(b->app->cursor, cursor);
    es_free(text);
}

/* The embedder under the cursor is gone from the folder: the next of the list takes its place. */
TEST(state__cursor__goes_to_the_next_where_its_own_is_gone) {
    for (int last = 0; last < 2; last++) {
        bench *a = start(12);
        keys(a, "1");
        command(a, "sort dim");
        const es_list *list = &a->app->list[ES_LIST_POOL];
        size_t at = 0;
        while (list->item[at] != 11)
            at++;
        assert_true(at > 0 && at + 1 < list->count);
        for (size_t k = at + 1; last && k < list->count; k++)
            a->app->hidden[list->item[k]] = true;
        es_select_refresh(a->app, true);
        assert_true(!last || list->count == at + 1);
        es_select_cursor(a->app, 11);
        size_t wanted = list->item[last ? at - 1 : at + 1];
        char *text = state_of(a);
        bench *b = start(11);
        assert_ok(restore(b, text, NULL));
        es_app_take_place(b->app, a->app);
        assert_int_equal(b->app->cursor, wanted);
        es_free(text);
    }
}

TEST(state__scores__are_named_until_told_otherwise) {
    es_mock *mock = mock_kept(3, NULL, 0);
    es_app *app = test_keep(es_app_new(&mock->source, NULL), free_app);
    char path[64], small[8];
    static const char *const paths[] = {"/data/mine.csv", NULL, "/data/two\nlines.csv"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        es_app_scores(app, paths[i]);
        char *text = test_keep(es_app_state(app), es_free);
        assert_int_equal(es_app_state_scores(text, path, sizeof path), i == 0 ? 14 : 0);
        assert_true(i > 0 || strcmp(path, paths[i]) == 0);
        assert_int_equal(es_app_state_scores(text, small, sizeof small), 0);
        es_effects *effects = effects_kept();
        assert_ok(es_app_restore(app, text, strlen(text), effects, NULL));
    }
}
