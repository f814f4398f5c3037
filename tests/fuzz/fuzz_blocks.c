/* --blocks FILE.npy beside a fixed matrix. */
#include <math.h>

#include "fuzz.h"
#include "engine_results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char fixed[] = ",a,b\na,0,0\nb,0,\n";
    char matrix[256];
    es_results *results = NULL;
    es_error err = {0};
    snprintf(matrix, sizeof matrix, "%s",
             fuzz_file("matrix.csv", (const uint8_t *)fixed, sizeof fixed - 1));
    const es_matrix_files files = {.matrix = matrix, .blocks = fuzz_file("blocks.npy", data, size)};
    es_status st = es_matrix_files_read(&files, &results, &err);
    fuzz_require_told(st, &err);
    if (st == ES_OK) {
        fuzz_require(results->n_eval >= 2);
        fuzz_require(results->pmi[0] && results->pmi[1] && results->pmi[2] && !results->pmi[3]);
    }
    es_results_free(results);
    return 0;
}
