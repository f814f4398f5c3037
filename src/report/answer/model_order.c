/* Orders of embedders, for rows and columns: the keys that core's order sorts by, made from
 * results. */
#include "report_answer.h"

es_status es_order_models(const es_results *results, es_order_kind by, const uint32_t *rank,
                          double resolution, uint64_t seed, uint32_t *order, es_error *err) {
    es_status st = ES_OK;
    es_linkage *linkage = NULL;
    uint32_t *group = NULL;
    es_order_keys keys = {.m = results->m, .dim = results->dim, .rank = rank};
    if (by == ES_ORDER_COMMUNITY) {
        group = es_alloc(results->m, sizeof *group);
        ES_FAIL_IF(group == NULL, es_no_memory(err));
        bool known = false;
        ES_TRY(es_families_group(results, resolution, seed, group, &known, err));
        keys.group = known ? group : NULL;
    }
    if (by == ES_ORDER_CLUSTER) {
        ES_TRY(es_linkage_cluster(results->is, results->m, NULL, &linkage, err));
        keys.leaves = linkage->order;
    }
    ES_TRY(es_order_make(by, &keys, order, err));
done:
    es_linkage_free(linkage);
    es_free(group);
    return st;
}

es_status es_model_linkage(const es_results *results, es_linkage_method method, es_linkage_of of,
                           es_diagonal diagonal, es_linkage **out, es_error *err) {
    return es_linkage_new(results->is, results->m, method, of, diagonal, NULL, out, err);
}
