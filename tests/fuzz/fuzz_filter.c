/* The filter language over a few embedders. */
#include "app/mock.h"
#include "fuzz.h"
#include "app_lists.h"

static es_mock *mock;
static es_app *app;

static void finish(void) {
    es_app_free(app);
    mock_free(mock);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char filter[ES_APP_LINE], error[256];
    if (!mock) {
        mock = mock_new(5, mock_wide_names, 1);
        mock_fill(mock, 0.8);
        app = es_app_new(&mock->source, NULL);
        fuzz_require(app);
        atexit(finish);
    }
    size_t length = size < sizeof filter ? size : sizeof filter - 1;
    memcpy(filter, data, length);
    filter[length] = '\0';
    for (size_t item = 0; item < mock->source.model_count; item++) {
        memset(error, 'x', sizeof error);
        bool pass = es_filter_pass(app, filter, item, error, sizeof error);
        fuzz_require(memchr(error, '\0', sizeof error));
        fuzz_require(pass || !error[0]); /* what cannot be read hides nothing */
    }
    return 0;
}
