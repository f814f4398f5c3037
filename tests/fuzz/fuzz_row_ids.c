/* Ids of rows: the bytes as a file of lines, as a table and as a JSON array, each list matched with
 * the other two. */
#include "fuzz.h"
#include "io.h"

static void match(const es_row_ids *a, const es_row_ids *b) {
    es_row_index *index = NULL;
    es_row_match m = {0};
    fuzz_require(es_row_index_new(a, &index, NULL) == ES_OK);
    fuzz_require(es_row_index_match(index, b, &m, NULL) == ES_OK);
    size_t found = 0;
    for (size_t q = 0; q < m.n; q++) {
        if (m.row[q] == ES_ROW_NONE)
            continue;
        size_t one, other;
        const char *x = es_row_ids_get(a, q, &one), *y = es_row_ids_get(b, m.row[q], &other);
        fuzz_require(m.row[q] < b->n && one == other && one > 0 && memcmp(x, y, one) == 0);
        found++;
    }
    fuzz_require(found == m.found);
    es_row_match_deinit(&m);
    es_row_index_free(index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_row_ids list[3] = {0};
    es_error err = {0};
    es_status st = es_row_ids_read(fuzz_file("x.ids.txt", data, size), 0, 3, &list[0], &err);
    fuzz_require_told(st, &err);
    st = es_row_ids_read(fuzz_file("x.ids.csv", data, size), 0, 3, &list[1], &err);
    fuzz_require_told(st, &err);
    st = es_row_ids_parse((const char *)data, size, "x", &list[2], &err);
    fuzz_require_told(st, &err);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            match(&list[i], &list[j]);
    for (size_t i = 0; i < 3; i++)
        es_row_ids_deinit(&list[i]);
    return 0;
}
