/* Orders embedders by name, rank, dimension, community or dendrogram leaf; ties always by name. */
#include "core_structure.h"

#include <string.h>

/* A stable insertion sort by name: m is small, and most lists come by name already. */
static void sort_names(const char *const *name, uint32_t *order, size_t m) {
    for (size_t k = 1; name && k < m; k++) {
        uint32_t item = order[k];
        size_t at = k;
        for (; at > 0 && es_text_natural_cmp(name[order[at - 1]], name[item]) > 0; at--)
            order[at] = order[at - 1];
        order[at] = item;
    }
}

static double rank_key(const es_order_keys *keys, size_t i) {
    return keys->rank[i] ? (double)keys->rank[i] : (double)keys->m + 1;
}

/* key (m): the size of the community first, its best member second, both in one number. order (m)
 * goes by community. */
static void fill_community_keys(const es_order_keys *keys, const uint32_t *order, double *key) {
    size_t m = keys->m;
    for (size_t from = 0, to; from < m; from = to) {
        double best = (double)m + 1;
        for (to = from; to < m && keys->group[order[to]] == keys->group[order[from]]; to++)
            if (keys->rank && rank_key(keys, order[to]) < best)
                best = rank_key(keys, order[to]);
        for (size_t k = from; k < to; k++)
            key[order[k]] = (double)(m - (to - from)) * ((double)m + 2) + best;
    }
}

/* Sorting stably by the last key first, up to the first one. */
static void sort_keys(es_order_kind kind, const es_order_keys *keys, double *key, uint32_t *order,
                      uint32_t *scratch) {
    size_t m = keys->m;
    if (keys->rank) {
        for (size_t i = 0; i < m; i++)
            key[i] = rank_key(keys, i);
        es_sort_index(key, order, scratch, m);
    }
    if (kind == ES_ORDER_DIM && keys->dim) {
        for (size_t i = 0; i < m; i++)
            key[i] = (double)keys->dim[i];
        es_sort_index(key, order, scratch, m);
    }
    if (kind == ES_ORDER_COMMUNITY && keys->group) {
        for (size_t i = 0; i < m; i++)
            key[i] = (double)keys->group[i]; /* equal size and best: still not mixed */
        es_sort_index(key, order, scratch, m);
        fill_community_keys(keys, order, key);
        es_sort_index(key, order, scratch, m);
    }
}

es_status es_order_make(es_order_kind kind, const es_order_keys *keys, uint32_t *order,
                        es_error *err) {
    size_t m = keys->m;
    if (kind == ES_ORDER_CLUSTER && keys->leaves) {
        memcpy(order, keys->leaves, m * sizeof *order);
        return ES_OK;
    }
    double *key = es_alloc(m, sizeof *key);
    uint32_t *scratch = es_alloc(m, sizeof *scratch);
    es_status st = ES_OK;
    ES_FAIL_IF(!key || !scratch, es_no_memory_for(err, "%zu embedders", m));
    for (size_t k = 0; k < m; k++)
        order[k] = (uint32_t)k;
    sort_names(keys->name, order, m);
    if (kind != ES_ORDER_NAME)
        sort_keys(kind, keys, key, order, scratch);
done:
    es_free(key);
    es_free(scratch);
    return st;
}

/* Is a given order a permutation? */

es_status es_order_check(const uint32_t *order, size_t m, es_error *err) {
    if (!order)
        return ES_OK;
    bool *seen = es_alloc_zero(m, sizeof *seen);
    if (!seen)
        return es_no_memory_for(err, "%zu embedders", m);
    size_t distinct = 0;
    for (size_t k = 0; k < m; k++)
        if (order[k] < m && !seen[order[k]]) {
            seen[order[k]] = true;
            distinct++;
        }
    es_free(seen);
    if (distinct < m)
        return es_fail(err, ES_EINVAL, "the order of %zu embedders is not a permutation", m);
    return ES_OK;
}
