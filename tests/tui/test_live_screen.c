/* Screens while much happens: 200 embedders, pairs that come in, random keys. */
#include <time.h>

#include "sanitized.h"
#include "screens.h"

#include "app_lists.h"

/* Of this process: other work runs on this machine. */
static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

TEST(draw__200_models__is_quick) {
    es_mock *mock = mock_kept(200, NULL, 0);
    mock->source.phase = ES_PHASE_RUNNING;
    mock_fill(mock, 0.8);
    es_app *app = open_app(mock);
    es_grid *grid = grid_kept();
    es_effects effects = {0};
    assert_true(es_grid_resize(grid, 250, 110));
    mock_send(app, (es_msg){.kind = ES_MSG_RESIZE, .now = 101, .w = 250, .h = 110}, &effects);
    enum { OVERVIEW = ES_VIEW_COUNT, GRAPH, END }; /* other faces of the heatmap and the tree */
    for (int view = 0; view < END; view++) {
        double best = 1;
        app->view = view == OVERVIEW ? ES_VIEW_HEATMAP
                    : view == GRAPH  ? ES_VIEW_TREE
                                     : (es_view_id)view;
        app->set.zoom = view == OVERVIEW ? ES_ZOOM_OVERVIEW : ES_ZOOM_AUTO;
        app->set.graph = view == GRAPH;
        settle(app);
        if (view == ES_VIEW_COMPARE)
            mock_keys(app, ":compare LaBSE e5-small gte-base<Enter>", &effects);
        for (int i = 0; i < 20; i++) {
            double begin = processor_seconds();
            es_screen_draw(app, grid);
            double took = processor_seconds() - begin;
            best = took < best ? took : best; /* the best of 20: other work runs on this machine */
        }
        print_message("es_screen_draw, 200 models, 250x110, %s: %.2f ms\n",
                      es_view_table[app->view].name, 1e3 * best);
        assert_true(best < (IS_FAST ? 0.030 : 0.200));
    }
}

/* 39,800 pairs come in while keys are pressed: each key counts, rows do not move under the cursor,
 * and in the end every cell has its value. */
TEST(live__200_models__no_key_is_lost) {
    enum { N = SANITIZED ? 60 : 200, BATCHES = SANITIZED ? 20 : 80, KEYS = 6 };
    es_mock *mock = mock_kept(N, NULL, 0);
    mock->source.phase = ES_PHASE_RUNNING;
    mock_count_progress(mock);
    es_app *app = open_app(mock);
    es_grid *grid = grid_kept();
    es_effects *effects = effects_kept();
    double longest = 0, now = 101;
    mock_send(app, (es_msg){.kind = ES_MSG_RESIZE, .now = now, .w = 250, .h = 110}, effects);
    assert_true(es_grid_resize(grid, 250, 110));
    mock_keys(app, ":heatmap<Enter>gg", effects);
    size_t first = app->list[ES_LIST_HEAT].item[0], next = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
        for (size_t end = (size_t)N * N * (size_t)(batch + 1) / BATCHES; next < end; next++)
            mock_put(mock, next * 7919 % (N * N) / N, next * 7919 % (N * N) % N);
        mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = now += 0.1}, effects);
        for (int k = 0; k < KEYS; k++) { /* three down, two up, one to the right or back */
            double begin = processor_seconds();
            uint32_t key = k == 5 && batch % 2 == 1 ? 'h' : (uint32_t) "jjjkkl"[k];
            mock_send(app, (es_msg){.kind = ES_MSG_KEY, .now = now += 0.01, .key = key}, effects);
            es_screen_draw(app, grid);
            double took = processor_seconds() - begin;
            longest = took > longest ? took : longest;
        }
        es_effects_clear(effects);
        assert_int_equal(es_select_index(app, ES_LIST_HEAT, app->cursor), batch + 1);
        assert_int_equal(app->list[ES_LIST_HEAT].item[0], first); /* the order is held */
    }
    assert_int_equal(mock->results.done, N * (N - 1));
    for (size_t s = 0; s < N; s++)
        for (size_t t = 0; t < N; t++)
            assert_true(s == t || es_app_pair_state(app, s, t) == ES_PAIR_DONE);
    print_message("a key and its frame while %d pairs come in: at most %.1f ms\n", N * (N - 1),
                  1e3 * longest);
}

/* Random keys with a drawing after each; the seed is printed when it fails. */
TEST(fuzz__keys_and_sizes__draw) {
    static const size_t counts[] = {1, 2, 13, 70};
    for (unsigned seed = 0; seed < 4; seed++) {
        unsigned long random = seed + 12345;
        es_mock *mock = mock_kept(counts[seed], NULL, 0);
        mock_fill(mock, 0.5);
        if (seed % 2 == 0)
            mock_pmi(mock);
        mock->source.phase = ES_PHASE_RUNNING;
        es_app *app = open_app(mock);
        es_grid *grid = grid_kept();
        es_effects *effects = effects_kept();
        for (int step = 0; step < 1500; step++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned r = (unsigned)(random >> 33);
            es_msg msg = {.kind = ES_MSG_KEY,
                          .now = app->now + 0.2,
                          .key = r % 5 == 0   ? ES_KEY_UP + r / 5 % 16
                                 : r % 7 == 0 ? 1 + r / 7 % 31
                                              : ' ' + r / 11 % 95};
            if (r % 13 == 0)
                msg = (es_msg){.kind = ES_MSG_RESIZE,
                               .now = msg.now,
                               .w = 1 + (int)(r / 13 % 180),
                               .h = 1 + (int)(r / 2600 % 60)};
            mock_send(app, msg, effects);
            es_effects_clear(effects);
            assert_true(es_grid_resize(grid, app->w, app->h));
            es_screen_draw(app, grid);
        }
    }
}
