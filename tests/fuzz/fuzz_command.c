/* The explorer's command line and prompts. Every line of the input is a step: behind ':' it is a
 * command as scripts give it, anything else is typed, key by key; <Tab> completes. Each step is
 * drawn. */
#include "app/mock.h"
#include "fuzz.h"
#include "tui_screen.h"
#include "app_state.h"

enum { MOST_STEPS = 24, MOST_KEYS = 200 };

static es_mock *mock;

static void type(es_app *app, const char *text, size_t length, es_effects *effects) {
    size_t keys = 0;
    for (size_t i = 0; i < length && keys < MOST_KEYS; keys++) {
        uint32_t key = 0;
        i += es_utf8_decode(text + i, length - i, &key);
        mock_send(app, (es_msg){.kind = ES_MSG_KEY, .now = app->now + 0.01, .key = key}, effects);
        es_effects_clear(effects);
    }
}

static void step(es_app *app, const char *text, size_t length, es_effects *effects) {
    char line[1024];
    if (text[0] != ':') {
        type(app, text, length, effects);
        return;
    }
    length = length < sizeof line ? length : sizeof line - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    mock_send(app, (es_msg){.kind = ES_MSG_COMMAND, .now = app->now + 0.01, .text = line + 1},
              effects);
    for (size_t i = 0; i < effects->count; i++)
        fuzz_require(effects->items[i].kind <= ES_FX_QUIT);
    es_effects_clear(effects);
}

static void draw(es_app *app) {
    es_grid grid = {0};
    fuzz_require(es_grid_resize(&grid, 80, 24));
    es_screen_draw(app, &grid);
    es_grid_free(&grid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_effects effects = {0};
    if (!mock) {
        mock = mock_new(7, NULL, 1);
        mock_fill(mock, 0.8);
    }
    es_app *app = es_app_new(&mock->source, NULL);
    fuzz_require(app);
    mock_send(app, (es_msg){.kind = ES_MSG_RESIZE, .w = 80, .h = 24}, &effects);
    const char *text = (const char *)data, *end = text + size;
    for (int steps = 0; text < end && steps < MOST_STEPS; steps++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((stop ? stop : end) - text);
        if (length > 0)
            step(app, text, length, &effects);
        draw(app);
        text += length + 1;
    }
    es_effects_clear(&effects);
    es_app_free(app);
    return 0;
}
