/* What every reader of embedder files must hold, whatever it is given: its shapes fit the file's
 * size, its ids are as many as rows, every promised value is written or an error said. */
#ifndef ES_TEST_FUZZ_READER_H
#define ES_TEST_FUZZ_READER_H

#include "fuzz.h"
#include "io_readers.h"

static unsigned long long fuzz_bytes_read;

__attribute__((unused)) static void fuzz_say_bytes(void) {
    fprintf(stderr, "stat::bytes_read: %llu\n", fuzz_bytes_read);
}

/* How much a reader has withstood is told in bytes, beside libFuzzer's number of inputs. */
static void fuzz_count_bytes(size_t size) {
    static int said;
    if (!said)
        said = atexit(fuzz_say_bytes) == 0;
    fuzz_bytes_read += size;
}

/* `most`: bytes of values that a byte of the file may stand for. */
static void fuzz_reader(const uint8_t *data, size_t size, const char *path, size_t most) {
    fuzz_count_bytes(size);
    const es_loader *loader = es_loader_find(path);
    es_map map = fuzz_map(data, size);
    es_tensors tensors = {0};
    es_error err = {0};
    if (loader->looks)
        (void)loader->looks(&map, path);
    es_status st = loader->load(&map, path, NULL, &tensors, &err);
    fuzz_require_told(st, &err);
    for (size_t i = 0; st == ES_OK && i < tensors.count; i++) {
        es_tensor *t = &tensors.items[i];
        if (t->name)
            fuzz_require_clean(t->name);
        if (t->skipped) {
            fuzz_require_clean(t->skipped);
            continue;
        }
        es_array *a = &t->array;
        size_t bytes = a->n * a->d * es_dtype_size(a->dtype);
        fuzz_require(a->n > 0 && a->d > 0);
        fuzz_require(bytes <= most * (size + 64));
        fuzz_require(!t->ids || t->ids->n == a->n);
        if (!a->data) {
            a->owned = malloc(bytes);
            fuzz_require(a->owned);
            const es_filling f = {
                .map = &map, .path = path, .tensor = t, .out = (unsigned char *)a->owned};
            es_error why = {0};
            es_status filled = loader->fill(&f, &why);
            fuzz_require_told(filled, &why);
            if (filled == ES_OK)
                a->data = f.out;
        }
        es_array_stats stats = {0};
        if (a->data)
            fuzz_require(es_array_scan(a, NULL, a->n, NULL, &stats, &err) == ES_OK);
        es_array_stats_deinit(&stats);
        free(a->owned);
        a->owned = NULL;
    }
    es_tensors_deinit(&tensors);
    fuzz_unmap(&map);
}

#endif
