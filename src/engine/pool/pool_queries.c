/* Vectors of queries that are no rows of the pool: NAME.queries.npy beside embedder NAME. */
#include <math.h>

#include "engine_pool_parts.h"

/* *path (to be freed) is NULL where there is no such file. name: of the file, below the pool. */
static es_status find_queries(const es_pool *pool, size_t index, es_buf *name, char **path,
                              es_error *err) {
    *path = NULL;
    es_buf_printf(name, "%s%s", es_pool_model(pool, index)->name, ES_POOL_QUERIES);
    es_status st = es_buf_check(name, err);
    return st == ES_OK ? es_pool_beside(pool, name->data, path, err) : st;
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
