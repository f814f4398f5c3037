/* Is a given order a permutation? */
#include "core_structure.h"

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
