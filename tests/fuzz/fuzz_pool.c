/* pool.json: its own parser, then the pool that it describes. Two real embedders lie beside it. */
#include "fuzz.h"
#include "engine_pool_parts.h"

/* Six rows of two columns of a file that is valid. */
static void put_embedder(const char *name) {
    static const char header[] = "\x93NUMPY\x01\0v\0{'descr': '|u1', 'fortran_order': False, "
                                 "'shape': (6, 2), }";
    uint8_t bytes[128 + 12];
    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, header, sizeof header - 1);
    bytes[127] = '\n';
    for (uint8_t i = 0; i < 12; i++)
        bytes[128 + i] = (uint8_t)(i * i);
    (void)fuzz_file(name, bytes, sizeof bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!fuzz_folder_name[0]) {
        put_embedder("a.npy");
        put_embedder("b.npy");
    }
    es_error err = {0};
    pool_description about = {0};
    (void)fuzz_file("pool.json", data, size);
    es_status st = pool_description_read(fuzz_folder(), &about, &err);
    fuzz_require_told(st, &err);
    for (size_t i = 0; i < about.count; i++)
        fuzz_require(about.model[i].name || about.model[i].file || about.model[i].rows);
    pool_description_deinit(&about);
    es_pool *pool = NULL;
    st = es_pool_open(fuzz_folder(), NULL, &pool, &err);
    fuzz_require_told(st, &err);
    for (size_t i = 0; pool && i < es_pool_count(pool); i++) {
        const es_model *m = es_pool_model(pool, i);
        fuzz_require_clean(m->name);
        fuzz_require(m->state != ES_MODEL_EXCLUDED || m->reason);
        for (size_t k = 0; k < i; k++)
            fuzz_require(strcmp(es_pool_model(pool, k)->name, m->name) != 0);
    }
    es_pool_close(pool);
    return 0;
}
