/* Vectors of queries that are no rows of the pool: NAME.queries.npy beside embedder NAME. */
#include <math.h>

#include "alloc.h"
#include "buf.h"
#include "loader.h"
#include "pool_scan.h"
#include "pool_state.h"

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

es_status es_pool_queries(const es_pool *pool, size_t index, es_matrix *out, es_error *err) {
    es_loaded loaded = {0};
    es_status st = open_queries(pool, index, &loaded, err);
    if (st != ES_OK)
        return st;
    const es_array *a = &loaded.tensors.items[0].array;
    es_matrix m = {0};
    st = es_matrix_new(a->n, a->d, &m, err);
    if (st == ES_OK)
        es_array_read_range(a, 0, a->n, m.x);
    es_loaded_close(&loaded);
    for (size_t i = 0; st == ES_OK && i < m.n * m.d; i++)
        if (!isfinite(m.x[i]))
            st = es_fail(err, ES_ENONFINITE, "%s%s: row %zu, column %zu is not finite",
                         es_pool_model(pool, index)->name, ES_POOL_QUERIES, i / m.d, i % m.d);
    if (st == ES_OK)
        *out = m;
    else
        es_matrix_free(&m);
    return st;
}

es_status es_pool_queries_digest(const es_pool *pool, size_t index, es_digest *out, es_error *err) {
    es_loaded loaded = {0};
    es_status st = open_queries(pool, index, &loaded, err);
    if (st == ES_OK)
        st = es_array_digest(&loaded.tensors.items[0].array, NULL, out, err);
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
