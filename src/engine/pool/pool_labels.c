/* Labels of the rows that stand in files of embedders: columns "label", "class", "split" and the
 * like beside the values. They are kept as labels.csv would have them, in the order of the pool. */
#include <stdio.h>
#include <string.h>

#include "engine_pool_parts.h"

enum { NAMES = 3 };

es_status pool_labels_keep(pool_label_files *labels, const char *path, es_tensors *from,
                           size_t *out, es_error *err) {
    pool_label_file *larger = es_grow(labels->file, labels->count, &labels->room, sizeof *larger);
    if (!larger)
        return es_no_memory(err);
    labels->file = larger;
    char *file = es_text_clean(path, strlen(path), 0);
    if (!file)
        return es_no_memory(err);
    larger[labels->count] = (pool_label_file){file, from->label, from->n_labels};
    from->label = NULL;
    from->n_labels = 0;
    *out = labels->count++;
    return ES_OK;
}

void pool_labels_deinit(pool_label_files *labels) {
    for (size_t i = 0; i < labels->count; i++) {
        es_named_lists_free(labels->file[i].list, labels->file[i].count);
        es_free(labels->file[i].name);
    }
    es_free(labels->file);
}

/* The label of a row of the pool in the file of an embedder; NULL: the file lacks the row. */
static const char *label_at(const pool_item *item, const es_named_list *list, size_t row) {
    uint32_t own = pool_place(item, (uint32_t)row);
    return own < list->ids->n ? es_row_ids_get(list->ids, own, NULL) : NULL;
}

/* Appends an embedder's label columns as text of a labels.csv. */
static es_status put_labels_csv(es_pool *pool, const pool_item *item, const pool_label_file *file,
                                es_error *err) {
    es_buf *out = &pool->label_text;
    es_buf_puts(out, "row");
    for (size_t k = 0; k < file->count; k++) {
        es_buf_putc(out, ',');
        es_csv_put_text(out, file->list[k].name);
    }
    es_buf_putc(out, '\n');
    for (size_t row = 0; row < pool->common_rows; row++) {
        if (!label_at(item, &file->list[0], row))
            continue;
        es_buf_printf(out, "%zu", row);
        for (size_t k = 0; k < file->count; k++) {
            es_buf_putc(out, ',');
            es_csv_put_text(out, label_at(item, &file->list[k], row));
        }
        es_buf_putc(out, '\n');
    }
    pool->label_file = es_strdup(file->name);
    return pool->label_file ? es_buf_check(out, err) : es_no_memory(err);
}

/* Rows where two files say something else under one heading: they may be other rows. */
static void compare(es_pool *pool, const pool_item *a, const pool_label_file *one,
                    const pool_item *b, const pool_label_file *other) {
    for (size_t i = 0; i < one->count; i++)
        for (size_t k = 0; k < other->count; k++) {
            size_t differ = 0, rows = 0;
            if (strcmp(one->list[i].name, other->list[k].name) != 0)
                continue;
            for (size_t row = 0; row < pool->common_rows; row++) {
                const char *x = label_at(a, &one->list[i], row);
                const char *y = label_at(b, &other->list[k], row);
                rows += x && y;
                differ += x && y && strcmp(x, y) != 0;
            }
            if (differ == 0)
                continue;
            pool_report(
                pool, POOL_GRAVE,
                "\"%s\" of %s differs from that of %s in %zu of %zu rows: their rows may be "
                "in different orders",
                one->list[i].name, other->name, one->name, differ, rows);
        }
}

/* Puts the names of columns of a file that none before it has. */
static void put_columns(const pool_label_files *labels, const bool *used, size_t f, size_t *count,
                        es_buf *out) {
    for (size_t k = 0; k < labels->file[f].count; k++) {
        const char *name = labels->file[f].list[k].name;
        char quoted[80];
        bool known = false;
        for (size_t g = 0; g < f; g++)
            for (size_t c = 0; used[g] && c < labels->file[g].count; c++)
                known = known || strcmp(labels->file[g].list[c].name, name) == 0;
        (void)snprintf(quoted, sizeof quoted, "\"%s\"", name);
        if (!known)
            es_buf_name(out, count, NAMES, quoted);
    }
}

/* Notes which columns of which files are used as labels. */
static es_status note_label_columns(es_pool *pool, const pool_label_files *labels, const bool *used,
                                    es_error *err) {
    char *beside = NULL;
    es_buf columns = {0}, files = {0};
    size_t n_columns = 0, n_files = 0;
    for (size_t f = 0; f < labels->count; f++) {
        if (!used[f])
            continue;
        put_columns(labels, used, f, &n_columns, &columns);
        es_buf_name(&files, &n_files, NAMES, labels->file[f].name);
    }
    es_buf_names_end(&columns, n_columns, NAMES);
    es_buf_names_end(&files, n_files, NAMES);
    es_status st = es_buf_check(&columns, err);
    if (st == ES_OK)
        st = es_buf_check(&files, err);
    if (st == ES_OK)
        st = es_pool_beside(pool, "labels.csv", &beside, err);
    if (st == ES_OK && n_files > 0)
        pool_warn(pool, "%s: %s %s labels of the rows, not dimensions; %s", files.data,
                  columns.data, n_columns == 1 ? "holds" : "hold",
                  beside ? "measures use those of labels.csv instead"
                         : "measures use them as they use labels.csv");
    es_free(beside);
    es_buf_free(&columns);
    es_buf_free(&files);
    return st;
}

es_status pool_labels_settle(es_pool *pool, const pool_label_files *labels, es_error *err) {
    const pool_item *first = NULL;
    es_status st = ES_OK;
    bool *used = es_alloc_zero(labels->count, sizeof *used);
    if (!used)
        return es_no_memory(err);
    for (size_t i = 0; i < pool->count && st == ES_OK; i++) {
        const pool_item *item = &pool->item[i];
        if (item->labels == SIZE_MAX || item->model.state == ES_MODEL_EXCLUDED)
            continue;
        used[item->labels] = true;
        if (first)
            compare(pool, first, &labels->file[first->labels], item, &labels->file[item->labels]);
        else
            st = put_labels_csv(pool, item, &labels->file[item->labels], err);
        first = first ? first : item;
    }
    if (st == ES_OK)
        st = note_label_columns(pool, labels, used, err);
    es_free(used);
    return st;
}

es_status es_pool_labels(es_pool *pool, es_label_kind kind, es_labels *out, const char **from,
                         es_error *err) {
    static const char name[] = "labels.csv";
    es_row_naming naming = es_pool_row_naming(pool);
    char *path = NULL;
    es_status st = es_pool_beside(pool, name, &path, err);
    *out = (es_labels){0};
    *from = name;
    if (st == ES_OK && path)
        st = es_labels_read(path, 0, pool->common_rows, kind, &naming, out, err);
    else if (st == ES_OK && pool->label_file) {
        *from = pool->label_file;
        st = es_labels_parse(pool->label_text.data, pool->label_text.length, pool->label_file,
                             pool->common_rows, kind, out, err);
    }
    es_free(path);
    return st;
}
