/* Texts of rows from rows.csv, for showing what a row stands for. */
#include "rows.h"

#include <string.h>

es_status es_row_texts_read(const char *path, unsigned flags, size_t expected, es_row_texts *out,
                            es_error *err) {
    es_table table = {0};
    es_status st = es_table_read(path, flags, &table, err);
    if (st != ES_OK)
        return st;
    bool has_header = expected == 0 || table.rows != expected;
    if (has_header && table.rows == 1) {
        es_error_set(err, ES_EFORMAT, "%s: holds a header but no rows", table.label);
        es_table_deinit(&table);
        return ES_EFORMAT;
    }
    *out = (es_row_texts){.count = table.rows - has_header,
                          .columns = table.columns,
                          .has_header = has_header,
                          .table = table};
    return ES_OK;
}

void es_row_texts_deinit(es_row_texts *texts) {
    es_table_deinit(&texts->table);
    memset(texts, 0, sizeof *texts);
}

const char *es_row_texts_cell(const es_row_texts *texts, size_t row, size_t column) {
    return es_table_cell(&texts->table, row + texts->has_header, column);
}

const char *es_row_texts_id(const es_row_texts *texts, size_t row) {
    return es_row_texts_cell(texts, row, 0);
}

const char *es_row_texts_text(const es_row_texts *texts, size_t row) {
    return es_row_texts_cell(texts, row, texts->columns > 1 ? 1 : 0);
}

const char *es_row_texts_name(const es_row_texts *texts, size_t column) {
    return texts->has_header ? es_table_cell(&texts->table, 0, column) : NULL;
}
