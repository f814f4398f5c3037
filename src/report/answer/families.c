/* Families of embedders by the graph of what can be simulated: Louvain (Blondel et al. 2008) over
 * the pairs, with embedders in the order of their names so that a file's order makes no difference.
 */
#include "report_answer.h"

#include <string.h>

es_louvain es_families_problem(const es_results *results, const es_family_choices *how,
                               const uint32_t *order) {
    return (es_louvain){.is = results->is,
                        .se = results->se,
                        .m = results->m,
                        .order = order,
                        .resolution = how->resolution,
                        .weights = how->weights,
                        .threshold = how->threshold,
                        .runs = how->runs,
                        .seed = how->seed};
}

es_status es_families_new(const es_results *results, const es_family_choices *how,
                          es_communities **out, es_error *err) {
    es_status st = ES_OK;
    uint32_t *order = es_alloc(results->m, sizeof *order);
    if (order == NULL)
        return es_no_memory(err);
    ES_TRY(es_rank_by_name(results, order, err));
    const es_louvain problem = es_families_problem(results, how, order);
    ES_TRY(es_communities_new(&problem, NULL, out, err));
done:
    es_free(order);
    return st;
}

es_status es_families_group(const es_results *results, double resolution, uint64_t seed,
                            uint32_t *group, bool *known, es_error *err) {
    es_communities *communities = NULL;
    *known = false;
    if (es_rank_lower_is_better(results))
        return ES_OK;
    const es_family_choices how = {.resolution = resolution, .runs = 1, .seed = seed};
    es_status st = es_families_new(results, &how, &communities, err);
    if (st == ES_OK) {
        memcpy(group, communities->group, results->m * sizeof *group);
        *known = true;
    }
    es_communities_free(communities);
    return st;
}
