/* .npy: the header, then every value as double. */
#include "fuzz.h"
#include "io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_map map = fuzz_map(data, size);
    es_array array = {0};
    es_error err = {0};
    es_status st = es_npy_parse(&map, "model.npy", &array, &err);
    fuzz_require_told(st, &err);
    if (st == ES_OK) {
        fuzz_require(array.n > 0 && array.d > 0);
        fuzz_require(array.n * array.d * es_dtype_size(array.dtype) <= size);
        es_array_stats stats = {0};
        fuzz_require(es_array_scan(&array, NULL, array.n, NULL, &stats, &err) == ES_OK);
        fuzz_require(stats.rows == array.n && stats.bad_rows <= array.n);
        es_array_stats_deinit(&stats);
        double *row = malloc(array.d * sizeof *row);
        fuzz_require(row);
        es_array_read_range(&array, array.n - 1, 1, row);
        free(row);
    }
    fuzz_unmap(&map);
    return 0;
}
