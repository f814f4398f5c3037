/* Files of trained embedders: what is read of one can be used, or it is told why not. */
#include "io_readers.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_cmim_model m = {0};
    es_error err = {0};
    const char *path = fuzz_file("m.safetensors", data, size);
    es_status st = es_cmim_model_read(path, &m, &err);
    fuzz_require_told(st, &err);
    if (st == ES_OK && m.shape.d <= 64) {
        float rows[2 * 64] = {0};
        const es_cmim_recipe recipe = es_cmim_recipe_of(m.values, m.seed);
        double *mu = malloc(2 * m.shape.k * sizeof *mu);
        fuzz_require(mu);
        fuzz_require(m.columns.d == m.shape.d);
        for (size_t j = 0; j < m.columns.d; j++)
            fuzz_require(m.columns.column[j] < m.columns.from);
        if (m.shape.h <= 64 && m.shape.k <= 64)
            fuzz_require(es_cmim_embed_rows(&m.shape, m.param, &recipe, es_simd_get(ES_ISA_REF),
                                            rows, 2, mu, NULL, NULL, &err) == ES_OK);
        fuzz_require(es_cmim_model_write(path, &m, &err) == ES_OK);
        free(mu);
    }
    es_cmim_model_deinit(&m);
    return 0;
}
