/* .safetensors: the JSON header, then every value of every usable tensor. */
#include "fuzz.h"
#include "io_readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_map map = fuzz_map(data, size);
    es_tensors tensors = {0};
    es_error err = {0};
    es_status st = es_safetensors_parse(&map, "model.safetensors", &tensors, &err);
    fuzz_require_told(st, &err);
    for (size_t i = 0; i < tensors.count; i++) {
        const es_tensor *t = &tensors.items[i];
        fuzz_require_clean(t->name);
        if (t->skipped) {
            fuzz_require_clean(t->skipped);
            continue;
        }
        es_array_stats stats = {0};
        fuzz_require(es_array_scan(&t->array, NULL, t->array.n, NULL, &stats, &err) == ES_OK);
        es_array_stats_deinit(&stats);
    }
    es_tensors_deinit(&tensors);
    fuzz_unmap(&map);
    return 0;
}
