/* An embedder in csv: a table of numbers, with or without a header and an index. */
#include "fuzz.h"
#include "table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_map map = fuzz_map(data, size);
    for (int tabs = 0; tabs < 2; tabs++) {
        es_array array = {0};
        es_error err = {0};
        const char *path = tabs ? "model.tsv" : "model.csv";
        es_status st = es_table_array(map.data, map.size, path, NULL, &array, &err);
        fuzz_require_told(st, &err);
        fuzz_require(st != ES_OK || (array.n > 0 && array.d > 0));
        es_array_deinit(&array);
    }
    fuzz_unmap(&map);
    return 0;
}
