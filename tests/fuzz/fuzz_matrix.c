/* --matrix FILE.csv. */
#include <math.h>

#include "fuzz.h"
#include "engine_results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_results *results = NULL;
    es_error err = {0};
    const es_matrix_files files = {.matrix = fuzz_file("matrix.csv", data, size)};
    es_status st = es_matrix_files_read(&files, &results, &err);
    fuzz_require_told(st, &err);
    if (st == ES_OK) {
        size_t m = results->m;
        for (size_t i = 0; i < m; i++)
            fuzz_require_clean(results->name[i]);
        for (size_t i = 0; i < m * m; i++)
            fuzz_require((results->state[i] == ES_PAIR_DONE) == (isfinite(results->is[i]) != 0));
    }
    es_results_free(results);
    return 0;
}
