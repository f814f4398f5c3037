/* Labels of the rows that stand in files of embedders: columns "label", "class", "split" and the
 * like beside the values. They are kept as labels.csv would have them, in the order of the pool. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_pool_parts.h"

enum { NAMES = 3 };

es_status pool_labels_keep(pool_label_files *labels, const char *path, es_tensors *from,
                           size_t *out, es_error *err) {
    const pool_label_file file = {es_text_clean(path, strlen(path), 0), from->label,
                                  from->n_labels};
    *out = labels->count;
    es_status st =
        file.name ? es_append(&labels->file, &labels->count, &labels->room, &file, sizeof file, err)
                  : es_no_memory(err);
    if (st != ES_OK) {
        es_free(file.name);
        return st;
    }
    from->label = NULL;
    from->n_labels = 0;
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
            pool_report(pool, POOL_GRAVE, other->name,
                        "its \"%s\" differs from that of %s in %zu of %zu rows: their rows may be "
                        "in different orders; give both ids (NAME" ES_ROW_IDS_TEXT ") or sort one",
                        one->list[i].name, one->name, differ, rows);
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
        pool_warn(pool, files.data, "%s %s labels of the rows, not dimensions, and %s",
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

/* Vectors of queries that are no rows of the pool: NAME.queries.npy beside embedder NAME. */

/* *path (to be freed) is NULL where there is no such file. name: of the file, below the pool. */
static es_status find_queries(const es_pool *pool, size_t index, es_buf *name, char **path,
                              es_error *err) {
    *path = NULL;
    es_buf_printf(name, "%s%s", es_pool_model(pool, index)->name, ES_POOL_QUERIES);
    ES_PASS(es_buf_check(name, err));
    return es_pool_beside(pool, name->data, path, err);
}

/* The file's array; *loaded is to be closed. */
static es_status open_queries(const es_pool *pool, size_t index, es_loaded *loaded, es_error *err) {
    char *path = NULL;
    es_buf name = {0};
    es_status st = ES_OK;
    ES_TRY(find_queries(pool, index, &name, &path, err));
    ES_FAIL_IF(!path,
               es_fail(err, ES_ENOTFOUND, "no %s with the vectors of its queries", name.data));
    ES_TRY(es_loaded_open(path, 0, NULL, loaded, err));
done:
    es_buf_free(&name);
    es_free(path);
    return st;
}

/* ---- ids of queries ---- */

/* The ids beside an embedder's vectors of (n) queries; out->n 0: it has none. */
static es_status read_ids(const es_pool *pool, size_t index, size_t n, es_row_ids *out,
                          es_error *err) {
    static const char *const endings[] = {ES_POOL_QUERIES_TEXT, ES_POOL_QUERIES_CSV};
    es_status st = ES_OK;
    *out = (es_row_ids){0};
    for (size_t i = 0; i < 2 && st == ES_OK && out->n == 0; i++) {
        char *path = NULL;
        es_buf name = {0};
        es_buf_printf(&name, "%s%s", es_pool_model(pool, index)->name, endings[i]);
        st = es_buf_check(&name, err);
        if (st == ES_OK)
            st = es_pool_beside(pool, name.data, &path, err);
        if (st == ES_OK && path)
            st = es_row_ids_read(path, 0, n, out, err);
        if (st == ES_OK && path && out->n != n)
            st = es_fail(err, ES_EFORMAT, "%s: %zu ids, but there are %zu vectors of queries",
                         name.data, out->n, n);
        es_buf_free(&name);
        es_free(path);
    }
    if (st != ES_OK)
        es_row_ids_deinit(out);
    return st;
}

es_status es_pool_query_ids(const es_pool *pool, es_row_ids *out, es_error *err) {
    es_status st = ES_OK;
    *out = (es_row_ids){0};
    for (size_t i = 0; i < es_pool_count(pool) && st == ES_OK && out->n == 0; i++) {
        es_loaded loaded = {0};
        if (es_pool_model(pool, i)->state != ES_MODEL_READY ||
            open_queries(pool, i, &loaded, NULL) != ES_OK)
            continue; /* its own embedder says so */
        st = read_ids(pool, i, loaded.tensors.items[0].array.n, out, err);
        es_loaded_close(&loaded);
    }
    return st;
}

/* Which of an embedder's (n) vectors is which query; *out NULL: the same. */
static es_status find_order(const es_pool *pool, size_t index, size_t n, uint32_t **out,
                            es_error *err) {
    es_row_ids all = {0}, own = {0};
    es_row_index *order = NULL;
    es_row_match match = {0};
    size_t length;
    es_status st = ES_OK;
    *out = NULL;
    ES_TRY(es_pool_query_ids(pool, &all, err));
    if (all.n == 0)
        goto done;
    ES_FAIL_IF(all.n != n, es_fail(err, ES_EFORMAT, "%s%s: %zu vectors, but there are %zu queries",
                                   es_pool_model(pool, index)->name, ES_POOL_QUERIES, n, all.n));
    ES_TRY(read_ids(pool, index, n, &own, err));
    if (own.n == 0)
        goto done;
    ES_TRY(es_row_index_new(&all, &order, err));
    ES_TRY(es_row_index_match(order, &own, &match, err));
    if (match.found < n) {
        char id[64];
        size_t lacks = match.first_missing < n ? match.first_missing : 0;
        const char *text = es_row_ids_get(&all, lacks, &length);
        es_text_clean_into(id, sizeof id, text, length);
        st = es_fail(err, ES_EFORMAT,
                     "%s: %zu of the %zu queries have no vector of their own by its ids%s%s%s",
                     es_pool_model(pool, index)->name, n - match.found, n,
                     match.first_missing < n ? ", first \"" : ": ids stand in it twice",
                     match.first_missing < n ? id : "", match.first_missing < n ? "\"" : "");
    } else if (!es_row_match_is_same(&match)) {
        *out = match.row;
        match.row = NULL;
    }
done:
    es_row_match_deinit(&match);
    es_row_index_free(order);
    es_row_ids_deinit(&own);
    es_row_ids_deinit(&all);
    return st;
}

/* ---- vectors ---- */

es_status es_pool_queries(const es_pool *pool, size_t index, es_matrix *out, es_error *err) {
    es_loaded loaded = {0};
    uint32_t *order = NULL;
    es_matrix m = {0};
    ES_PASS(open_queries(pool, index, &loaded, err));
    const es_array *a = &loaded.tensors.items[0].array;
    es_status st = find_order(pool, index, a->n, &order, err);
    if (st == ES_OK)
        st = es_matrix_new(a->n, a->d, &m, err);
    if (st == ES_OK)
        es_array_read(a, order, a->n, m.x);
    es_loaded_close(&loaded);
    for (size_t i = 0; st == ES_OK && i < m.n * m.d; i++)
        if (!isfinite(m.x[i]))
            st = es_fail(err, ES_ENONFINITE, "%s%s: row %zu, column %zu is not finite",
                         es_pool_model(pool, index)->name, ES_POOL_QUERIES,
                         order ? order[i / m.d] : i / m.d, i % m.d);
    es_free(order);
    if (st == ES_OK)
        *out = m;
    else
        es_matrix_free(&m);
    return st;
}

es_status es_pool_queries_digest(const es_pool *pool, size_t index, es_digest *out, es_error *err) {
    es_loaded loaded = {0};
    uint32_t *order = NULL;
    es_digest digest = {0};
    ES_PASS(open_queries(pool, index, &loaded, err));
    const es_array *a = &loaded.tensors.items[0].array;
    es_status st = es_array_digest(a, NULL, &digest, err);
    if (st == ES_OK)
        st = find_order(pool, index, a->n, &order, err);
    if (st == ES_OK && order) {
        const es_digest places = es_digest_bytes(order, a->n * sizeof *order);
        const es_digest both[] = {digest, places};
        digest = es_digest_bytes(both, sizeof both);
    }
    if (st == ES_OK)
        *out = digest;
    es_free(order);
    es_loaded_close(&loaded);
    return st;
}

/* By name: a file that cannot be read is an error of its embedder, and no reason to take the
 * queries for rows. */
bool es_pool_has_queries(const es_pool *pool) {
    bool has = false;
    for (size_t i = 0; i < es_pool_count(pool) && !has; i++) {
        char *path = NULL;
        es_buf name = {0};
        if (es_pool_model(pool, i)->state == ES_MODEL_READY)
            has = find_queries(pool, i, &name, &path, NULL) != ES_OK || path != NULL;
        es_buf_free(&name);
        es_free(path);
    }
    return has;
}
