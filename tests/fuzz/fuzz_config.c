/* A configuration file, for the explorer and for a command. */
#include "fuzz.h"
#include "options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file("config", data, size);
    for (unsigned all = 0; all < 2; all++) {
        es_options options;
        es_error err = {0};
        es_options_init(&options);
        es_status st = es_options_read_config(&options, all ? ~0U : 1U, path, &err);
        fuzz_require_told(st, &err);
        if (st == ES_OK)
            fuzz_require_told(es_options_expand(&options, &err), &err);
        es_options_free(&options);
    }
    return 0;
}
