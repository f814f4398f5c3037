/* Compare on a screen. */
#include "screens.h"

/* Compare, in what it can find: how much is known, and how many are compared. */
static const struct {
    const char *name, *keys;
    es_scene scene;
    bool rows, scores, texts;
} comparisons[] = {
    {"two", ":compare SFR-Embedding-Mistral e5-large-v2<Enter>", SCENE_DONE, true, true, true},
    {"three", ":compare SFR-Embedding-Mistral e5-large-v2 e5-small<Enter>lj", SCENE_DONE, true,
     true, true},
    {"nothing", "6", SCENE_DONE, true, true, true},
    {"partial", "4jjcjjl", SCENE_PARTIAL, true, true, true},
    {"failed", ":compare LaBSE all-MiniLM-L6-v2<Enter>", SCENE_FAILED, true, true, false},
    {"no-scores", "4jjcdw", SCENE_DONE, false, false, true},
    {"scores-problem", "4jjcdw", SCENE_DONE, false, false, true},
    {"cjk", "4 jj c<Tab><Tab>j", SCENE_WIDE_NAMES, true, true, true},
    {"pending", "1c:compare LaBSE e5-small<Enter>", SCENE_EMPTY, false, true, true},
    {"5", "4jjc", SCENE_FIVE, true, true, true},
    {"200", "4jjjcj", SCENE_200, false, true, false},
    {"refining", ":compare LaBSE e5-small<Enter>", SCENE_DONE, false, true, true},
    {"refining-part", ":compare LaBSE e5-small<Enter>", SCENE_DONE, false, true, true},
    {"row", "4jjjc<Enter>jj<Enter>", SCENE_DONE, true, true, true},
    {"assign", "4jjjclla", SCENE_DONE, true, true, true},
};

TEST(compare__draw__as_golden) {
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        es_mock *mock = make_scene(comparisons[i].scene);
        char golden[64];
        es_buf out = {0};
        es_effects *effects = effects_kept();
        if (comparisons[i].rows)
            mock_pmi(mock);
        mock->no_texts = !comparisons[i].texts;
        if (strncmp(comparisons[i].name, "refining", 8) == 0) {
            mock->source.phase = ES_PHASE_RUNNING;
            mock_complete(mock);
            mock_refine(mock, 0.5);
        }
        if (strcmp(comparisons[i].name, "refining-part") == 0)
            mock_forget(mock, 3, 4); /* so that neither estimator is through */
        mock->source.scores.tasks = comparisons[i].scores ? 3 : 0;
        if (strcmp(comparisons[i].name, "scores-problem") == 0)
            mock->source.scores_problem = "scores.csv: line 3, column 2: 'abc' is not a number";
        es_app *app = open_app(mock);
        mock_keys(app, comparisons[i].keys, effects);
        app->now += 10;
        mock_send(app, (es_msg){.kind = ES_MSG_TICK, .now = app->now}, effects);
        add_all_sizes(&out, app);
        snprintf(golden, sizeof golden, "compare/%s", comparisons[i].name);
        check_golden(golden, &out);
    }
}

/* Random keys of its own with a drawing after each, while pairs come in and fail. */
TEST(compare__random_keys_while_running__draw) {
    static const char *const keys[] = {
        "c",    "a<Enter>", "ajj<Enter>", "w",    "d",  "s",       "j",     "k",     "l",     "h",
        "G",    "gg",       "u",          "<^r>", "-",  "<Enter>", "<Tab>", "gh",    "<Esc>", "6",
        "4 j ", "5M",       "ym",         "yl",   "yj", "yr",      "yy",    "<PgDn>"};
    for (unsigned seed = 0; seed < 3; seed++) {
        unsigned long random = seed + 77;
        es_mock *mock = mock_kept(3 + 5 * seed, NULL, seed > 0 ? 1 : 0);
        es_app *app = open_app(mock);
        es_grid *grid = grid_kept();
        es_effects *effects = effects_kept();
        mock->source.phase = ES_PHASE_RUNNING;
        mock_fill(mock, 0.3);
        if (seed > 0)
            mock_pmi(mock);
        for (int step = 0; step < 1200; step++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned r = (unsigned)(random >> 33);
            size_t m = mock->results.m;
            if (r % 9 == 0)
                mock_put(mock, r / 9 % m, r / 90 % m);
            if (r % 31 == 0)
                mock_fail(mock, r / 31 % m, r / 310 % m, "the loss diverged");
            if (r % 9 == 0 || r % 31 == 0)
                mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = app->now + 0.1}, effects);
            mock_keys(app, keys[r / 1000 % (sizeof keys / sizeof *keys)], effects);
            if (r % 13 == 0)
                mock_send(app,
                          (es_msg){.kind = ES_MSG_RESIZE,
                                   .now = app->now,
                                   .w = 1 + (int)(r / 13 % 180),
                                   .h = 1 + (int)(r / 2600 % 60)},
                          effects);
            es_effects_clear(effects);
            assert_true(es_grid_resize(grid, app->w, app->h));
            es_screen_draw(app, grid);
        }
    }
}

TEST(compare__any_size__draws) {
    check_any_size(ES_VIEW_COMPARE);
}
