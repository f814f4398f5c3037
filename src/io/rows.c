/* Texts of rows from rows.csv, for showing what a row stands for. */
#include "io.h"

#include <string.h>

static es_column_sort sort_of(const es_row_texts *texts, size_t column) {
    const char *name = es_row_texts_name(texts, column);
    return name ? es_column_sort_of(name, strlen(name)) : ES_COLUMN_OTHER;
}

bool es_row_texts_is_text(const es_row_texts *texts, size_t column) {
    return column != texts->id && !(texts->id > 0 && sort_of(texts, column) == ES_COLUMN_NUMBERS);
}

bool es_row_texts_take_id(es_row_texts *texts, size_t column) {
    if (column >= texts->columns)
        return false;
    texts->id = texts->text = column;
    for (size_t j = texts->columns; j > 0; j--)
        if (es_row_texts_is_text(texts, j - 1))
            texts->text = j - 1;
    return true;
}

/* The id is the first column, unless the header calls another one "id" and that tells the rows
 * apart, as the column behind the index that pandas writes. */
static es_status find_id(es_row_texts *texts, es_error *err) {
    es_status st = ES_OK;
    bool differ = sort_of(texts, 0) == ES_COLUMN_IDS;
    size_t column = 0;
    for (size_t j = 1; texts->has_header && !differ && st == ES_OK && j < texts->columns; j++) {
        if (!es_column_is_id(es_row_texts_name(texts, j)))
            continue;
        st = es_column_differs(&texts->table, 1, j, &differ, err);
        column = differ ? j : 0;
    }
    es_row_texts_take_id(texts, column);
    return st;
}

es_status es_row_texts_read(const char *path, unsigned flags, size_t expected, es_row_texts *out,
                            es_error *err) {
    es_table table = {0};
    ES_PASS(es_table_read(path, flags, &table, err));
    bool has_header = expected == 0 || table.rows != expected;
    if (has_header && table.rows == 1) {
        es_error_set(err, ES_EFORMAT, "%s: holds a header but no rows", table.label);
        es_table_deinit(&table);
        return ES_EFORMAT;
    }
    es_row_texts texts = {.count = table.rows - has_header,
                          .columns = table.columns,
                          .has_header = has_header,
                          .table = table};
    es_status st = find_id(&texts, err);
    if (st == ES_OK)
        *out = texts;
    else
        es_table_deinit(&table);
    return st;
}

void es_row_texts_deinit(es_row_texts *texts) {
    es_table_deinit(&texts->table);
    memset(texts, 0, sizeof *texts);
}

const char *es_row_texts_cell(const es_row_texts *texts, size_t row, size_t column) {
    return es_table_cell(&texts->table, row + texts->has_header, column);
}

const char *es_row_texts_id(const es_row_texts *texts, size_t row) {
    return es_row_texts_cell(texts, row, texts->id);
}

const char *es_row_texts_text(const es_row_texts *texts, size_t row) {
    return es_row_texts_cell(texts, row, texts->text);
}

const char *es_row_texts_name(const es_row_texts *texts, size_t column) {
    return texts->has_header ? es_table_cell(&texts->table, 0, column) : NULL;
}
