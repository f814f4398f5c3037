/* Screens of the explorer over a made-up pool, for the tests of views: scenes, drawing at several
 * sizes in UTF-8, ASCII and as a map of roles, and goldens in tests/golden/. */
#ifndef ES_TESTS_SCREENS_H
#define ES_TESTS_SCREENS_H

#include "testing.h"
#include "app/bench.h"
#include "tui/grids.h"
#include "sanitized.h"
#include "tui_screen.h"
#include "app_state.h"
#include "app_dialogs.h"

/* ---- Goldens: compared byte for byte; ES_GOLDEN_UPDATE=1 rewrites them ---- */

static inline void check_golden(const char *name, es_buf *actual) {
    char path[512];
    assert_ok(es_buf_check(actual, NULL));
    snprintf(path, sizeof path, "%s/golden/%s.txt", ES_TEST_DATA, name);
    if (getenv("ES_GOLDEN_UPDATE") != NULL) {
        FILE *out = fopen(path, "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(actual->data, 1, actual->length, out), actual->length);
        assert_int_equal(fclose(out), 0);
        es_buf_free(actual);
        return;
    }
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        fail_msg("%s is missing; ES_GOLDEN_UPDATE=1 writes it", path);
    char *expected = malloc(actual->length + 2);
    size_t length = fread(expected, 1, actual->length + 1, in), line = 1, at = 0;
    fclose(in);
    while (at < length && at < actual->length && expected[at] == actual->data[at])
        line += expected[at++] == '\n';
    bool same = length == actual->length && at == length;
    free(expected);
    if (!same) {
        char other[128];
        snprintf(other, sizeof other, "%s.actual", name);
        for (char *slash = other; (slash = strchr(slash, '/')) != NULL;)
            *slash = '-';
        FILE *out = fopen(other, "wb");
        if (out != NULL) {
            fwrite(actual->data, 1, actual->length, out);
            fclose(out);
        }
        es_buf_free(actual);
        fail_msg("%s differs from line %zu on; the screen is in %s; ES_GOLDEN_UPDATE=1 accepts it",
                 path, line, other);
    }
    es_buf_free(actual);
}

/* ---- Screens ---- */

static inline void draw_screen(es_grid *grid, es_app *app, int w, int h, bool ascii) {
    es_effects *effects = effects_kept();
    es_app_display(app, ascii, false, app->mono);
    mock_send(app, (es_msg){.kind = ES_MSG_RESIZE, .now = app->now, .w = w, .h = h}, effects);
    assert_true(es_grid_resize(grid, w, h));
    grid->ascii = ascii;
    es_screen_draw(app, grid);
}

static inline void add_screen(es_buf *out, es_app *app, int w, int h, bool ascii, bool roles) {
    es_grid *grid = grid_kept();
    draw_screen(grid, app, w, h, ascii);
    for (int i = 0; i < w * h && ascii; i++)
        assert_true(grid->cells[i].code[0] < 0x80);
    char *text = roles ? es_grid_dump_roles(grid) : es_grid_dump_text(grid);
    assert_non_null(text);
    es_buf_printf(out, "==== %dx%d %s\n", w, h, roles ? "roles" : ascii ? "ascii" : "utf8");
    es_buf_puts(out, text);
    es_free(text);
}

static inline bool is_letter(const es_cell *cell) {
    uint32_t code = cell->code[0];
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

/* The letters and digits of a screen, with blanks for all else; free it. */
static inline char *screen_words(const es_grid *grid) {
    size_t cells = (size_t)grid->w * (size_t)grid->h;
    char *text = calloc(cells + 1, 1);
    assert_non_null(text);
    for (size_t i = 0; i < cells; i++)
        text[i] = (char)(is_letter(&grid->cells[i]) ? grid->cells[i].code[0] : ' ');
    return text;
}

/* In ASCII a screen has the same words: all but an eighth, since longer signs ("<=") cut names
 * and hints elsewhere, and maps and their legends have no half blocks. */
static inline void check_ascii(es_app *app, int w, int h) {
    es_grid *plain = grid_kept(), *full = grid_kept();
    size_t words = 0, lost = 0;
    draw_screen(plain, app, w, h, true);
    draw_screen(full, app, w, h, false);
    char *ascii = screen_words(plain), *utf8 = screen_words(full);
    for (char *word = strtok(utf8, " "); word != NULL; word = strtok(NULL, " ")) {
        words += strlen(word) >= 4;
        lost += strlen(word) >= 4 && strstr(ascii, word) == NULL;
    }
    if (lost * 8 > words + 24 && w >= 80)
        fail_msg("%dx%d: %zu of %zu words differ in ASCII", w, h, lost, words);
    for (int i = 0; i < w * h; i++)
        assert_true(plain->cells[i].code[0] < 0x80 && plain->cells[i].width == 1);
    free(ascii);
    free(utf8);
}

/* Pictures at two sizes; at others, what must hold for any screen. */
static inline void add_all_sizes(es_buf *out, es_app *app) {
    static const int size[][2] = {{200, 60}, {120, 40}, {80, 24}, {60, 16}};
    for (int s = 0; s < 4; s++)
        check_ascii(app, size[s][0], size[s][1]);
    add_screen(out, app, 120, 40, false, false);
    add_screen(out, app, 80, 24, false, false);
}

/* ---- Scenes ---- */

typedef enum es_scene {
    SCENE_EMPTY,
    SCENE_PARTIAL,
    SCENE_DONE,
    SCENE_FAILED,
    SCENE_FIVE,
    SCENE_200,
    SCENE_WIDE_NAMES,
    SCENE_COUNT,
    SCENE_MEASURED /* as PARTIAL, with measures computed */
} es_scene;
static const char *const scene_names[] = {"empty", "partial", "done", "failed", "5", "200", "cjk"};

static inline es_mock *make_scene(es_scene scene) {
    bool measured = scene == SCENE_MEASURED;
    scene = measured ? SCENE_PARTIAL : scene;
    size_t n = scene == SCENE_FIVE || scene == SCENE_WIDE_NAMES ? 5 : scene == SCENE_200 ? 200 : 13;
    es_mock *mock = mock_kept(n, scene == SCENE_WIDE_NAMES ? mock_wide_names : NULL, n > 5 ? 1 : 0);
    mock->source.phase = scene == SCENE_EMPTY                           ? ES_PHASE_IDLE
                         : scene == SCENE_PARTIAL || scene == SCENE_200 ? ES_PHASE_RUNNING
                                                                        : ES_PHASE_DONE;
    mock_fill(mock, scene == SCENE_EMPTY                           ? 0
                    : scene == SCENE_PARTIAL || scene == SCENE_200 ? 0.5
                                                                   : 1);
    if (scene == SCENE_FAILED) {
        mock_fail(mock, 1, 3, "the loss diverged at epoch 4");
        mock_fail(mock, 4, 0, "not enough memory for 4096 columns");
        snprintf(mock->source.store_problem.message, sizeof mock->source.store_problem.message,
                 "results.sqlite: no space left on device");
        mock->source.store_problem.code = ES_EIO;
    }
    for (size_t cell = 2; scene == SCENE_PARTIAL && cell < 40; cell += 3)
        if (mock->results.state[cell] == ES_PAIR_PENDING && cell % (mock->results.m + 1) != 0)
            mock->results.state[cell] = ES_PAIR_RUNNING;
    mock_count_progress(mock);
    mock->measures = measured;
    return mock;
}

static inline es_app *open_app(es_mock *mock) {
    es_effects *effects = effects_kept();
    es_app *app = app_over(mock);
    static const char *const estimate[] = {"embedscope", "estimate", "~/emb/mteb-en", NULL};
    app->set.resolution = 1.1; /* at which what is made up has communities */
    mock_send(app, (es_msg){.kind = ES_MSG_RESIZE, .now = 100, .w = 120, .h = 40}, effects);
    mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = 100}, effects);
    mock_send(app, (es_msg){.kind = ES_MSG_TICK, .now = 101}, effects);
    mock_decide(mock, app, effects);
    es_app_planning(app, &(es_planning){.open = "set=folds=5\n", .command = estimate});
    return app;
}

/* What the explorer computes between keys, to its end. */
static inline void settle(es_app *app) {
    es_effects *effects = effects_kept();
    for (int i = 0; i < 3000 && es_app_deadline(app) <= app->now; i++)
        mock_send(app, (es_msg){.kind = ES_MSG_TICK, .now = app->now}, effects);
}

/* A view in every scene: tests/golden/NAME/SCENE.txt. */
static inline void check_view(es_view_id view, const char *name) {
    for (int scene = 0; scene < SCENE_COUNT; scene++) {
        es_mock *mock = make_scene((es_scene)scene);
        es_app *app = open_app(mock);
        es_effects *effects = effects_kept();
        char golden[64];
        es_buf out = {0};
        app->view = view;
        mock_send(app, (es_msg){.kind = ES_MSG_TICK, .now = app->now}, effects);
        if (mock->families != NULL) /* by workers, who wake the loop */
            mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = app->now}, effects);
        mock_keys(app, "jj l", effects);
        settle(app);
        app->now += 10;
        snprintf(golden, sizeof golden, "%s/%s", name, scene_names[scene]);
        add_all_sizes(&out, app);
        if (scene == SCENE_DONE)
            add_screen(&out, app, 80, 24, false, true);
        check_golden(golden, &out);
    }
}

/* Keys that lead to a state worth a picture. */
typedef struct es_picture_case {
    const char *name, *keys;
    es_scene scene;
} es_picture_case;

static inline void check_pictures(const es_picture_case *pictures, size_t count) {
    for (size_t p = 0; p < count; p++) {
        es_mock *mock = make_scene(pictures[p].scene);
        es_app *app = open_app(mock);
        es_effects *effects = effects_kept();
        es_buf out = {0};
        mock_keys(app, pictures[p].keys, effects);
        settle(app);
        add_all_sizes(&out, app);
        check_golden(pictures[p].name, &out);
    }
}

/* ---- What must hold for every screen ---- */

/* The view at many sizes, below everything that can lie over it. */
static inline void check_any_size(es_view_id view) {
    static const char *const keys[] = {"", "?", ":", "/e5", "f", "q", "gx", "<Enter>", "<Tab>"};
    for (int scene = 0; scene < SCENE_COUNT; scene++) {
        es_mock *mock = make_scene((es_scene)scene);
        es_app *app = open_app(mock);
        es_effects *effects = effects_kept();
        es_grid *grid = grid_kept();
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            for (int i = 0; i < (SANITIZED ? 8 : 24); i++) {
                int w = 1 + (i * 37 + (int)k * 11) % 150, h = 1 + (i * 23 + (int)view * 7) % 50;
                app->mode = ES_MODE_NORMAL;
                app->view = view;
                es_app_display(app, i % 2 == 0, i % 3 == 0, i % 6 == 0);
                mock_send(app, (es_msg){.kind = ES_MSG_RESIZE, .now = app->now + 1, .w = w, .h = h},
                          effects);
                mock_keys(app, keys[k], effects);
                assert_true(es_grid_resize(grid, w, h));
                es_screen_draw(app, grid);
                mock_keys(app, "<Esc>", effects);
            }
    }
}

/* A view while its values are refined, a share of them so far, against a golden. */
static inline void check_refined(es_view_id view, const char *name, const char *keys,
                                 double share) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    mock->source.phase = ES_PHASE_RUNNING;
    mock_refine(mock, share);
    mock->source.progress.total *= 2; /* a run of both estimators */
    mock_measure_null(mock);
    es_app *app = open_app(mock);
    app->view = view;
    mock_keys(app, keys, effects);
    mock_compute(mock, app, app->intervals.tag);
    mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = 110}, effects);
    add_all_sizes(&out, app);
    check_golden(name, &out);
}

static inline void check_preview(es_view_id view, const char *name, const char *keys) {
    check_refined(view, name, keys, 0.4);
}

#endif
