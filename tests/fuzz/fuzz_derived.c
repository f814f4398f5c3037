/* The side file of a derived embedder: its own parser, then a pool that has the embedder it
 * describes. Two sources lie in the pool. */
#include <sys/stat.h>

#include "engine_pool_parts.h"
#include "fuzz.h"

/* Thirty rows of two columns. */
static void put_embedder(const char *name, unsigned factor) {
    static const char header[] = "\x93NUMPY\x01\0v\0{'descr': '|u1', 'fortran_order': False, "
                                 "'shape': (30, 2), }";
    uint8_t bytes[128 + 60];
    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, header, sizeof header - 1);
    bytes[127] = '\n';
    for (unsigned i = 0; i < 60; i++)
        bytes[128 + i] = (uint8_t)(i * i * factor);
    (void)fuzz_file(name, bytes, sizeof bytes);
}

static void make_pool(void) {
    char path[128];
    put_embedder("a.npy", 1);
    put_embedder("b.npy", 3);
    snprintf(path, sizeof path, "%s/.embedscope", fuzz_folder());
    fuzz_require(mkdir(path, 0700) == 0);
    snprintf(path, sizeof path, "%s/.embedscope/derived", fuzz_folder());
    fuzz_require(mkdir(path, 0700) == 0);
    put_embedder(".embedscope/derived/d.npy", 7);
}

static void read_list(void) {
    char folder[128];
    derived_list list = {0};
    es_error err = {0};
    snprintf(folder, sizeof folder, "%s/.embedscope/derived", fuzz_folder());
    fuzz_require(derived_list_read(folder, &list, &err) == ES_OK);
    fuzz_require(list.count + (list.problem != NULL) == 1);
    for (size_t i = 0; i < list.count; i++) {
        const derived_entry *e = &list.entry[i];
        fuzz_require(e->name && e->file && !strchr(e->file, '/') && e->file[0] != '.');
    }
    if (list.problem)
        fuzz_require_clean(list.problem);
    derived_list_deinit(&list);
}

static void check(es_pool *pool, size_t index) {
    es_model_check outcome = {0};
    es_error err = {0};
    if (es_pool_model(pool, index)->state != ES_MODEL_UNCHECKED)
        return;
    fuzz_require(es_pool_check_model(pool, index, NULL, &outcome, &err) == ES_OK);
    fuzz_require(es_pool_apply(pool, index, &outcome, &err) == ES_OK);
    es_model_check_deinit(&outcome);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_pool *pool = NULL;
    es_error err = {0};
    if (!fuzz_folder_name[0])
        make_pool();
    (void)fuzz_file(".embedscope/derived/d.json", data, size);
    read_list();
    es_status st = es_pool_open(fuzz_folder(), NULL, &pool, &err);
    fuzz_require_told(st, &err);
    for (size_t i = 0; pool && i < es_pool_count(pool); i++)
        check(pool, i);
    if (pool)
        fuzz_require_told(es_pool_settle(pool, &err), &err);
    for (size_t i = 0; pool && i < es_pool_count(pool); i++) {
        const es_model *m = es_pool_model(pool, i);
        fuzz_require_clean(m->name);
        fuzz_require(m->state != ES_MODEL_EXCLUDED || m->reason);
        if (m->reason)
            fuzz_require_clean(m->reason);
        for (size_t k = 0; k < i; k++)
            fuzz_require(strcmp(es_pool_model(pool, k)->name, m->name) != 0);
    }
    es_pool_close(pool);
    return 0;
}
