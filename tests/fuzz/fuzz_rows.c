/* rows.csv; the first byte says how many rows the pool has. */
#include "fuzz.h"
#include "io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t expected = size > 0 ? data[0] % 16 : 0;
    es_row_texts texts = {0};
    es_error err = {0};
    const char *path = fuzz_file("rows.csv", data + (size > 0), size - (size > 0));
    es_status st = es_row_texts_read(path, 0, expected, &texts, &err);
    fuzz_require_told(st, &err);
    size_t bytes = 0;
    for (size_t i = 0; i < texts.count; i++) {
        bytes += strlen(es_row_texts_id(&texts, i)) + strlen(es_row_texts_text(&texts, i));
        for (size_t c = 0; c < texts.columns; c++)
            bytes += strlen(es_row_texts_cell(&texts, i, c));
    }
    fuzz_require(bytes <= 3 * size);
    es_row_texts_deinit(&texts);
    return 0;
}
