/* A kept session. What can be read is written again so that it reads back as the same. */
#include "app/mock.h"
#include "fuzz.h"
#include "app_update.h"

static es_mock *mock;

static es_app *open_app(void) {
    es_effects effects = {0};
    es_app *app = es_app_new(&mock->source, NULL);
    fuzz_require(app);
    mock_send(app, (es_msg){.kind = ES_MSG_RESIZE, .now = 1, .w = 80, .h = 24}, &effects);
    es_effects_clear(&effects);
    return app;
}

static void finish(void) {
    mock_free(mock);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!mock) {
        mock = mock_new(5, mock_wide_names, 1);
        mock_fill(mock, 0.8);
        atexit(finish);
    }
    es_app *app = open_app();
    es_effects effects = {0};
    es_error err = {0};
    es_map map = fuzz_map(data, size);
    es_status st = es_app_restore(app, (const char *)map.data, map.size, &effects, &err);
    fuzz_require_told(st, &err);
    if (st == ES_OK) {
        char *text = es_app_state(app);
        es_app *other = open_app();
        fuzz_require(text);
        fuzz_require(es_app_restore(other, text, strlen(text), &effects, &err) == ES_OK);
        char *again = es_app_state(other);
        fuzz_require(again && strcmp(text, again) == 0);
        es_free(text);
        es_free(again);
        es_app_free(other);
    }
    fuzz_unmap(&map);
    es_effects_clear(&effects);
    es_app_free(app);
    return 0;
}
