/* Results as core's ranking takes them: which way round they are, their order by name, and their
 * scores under a rule. An order by name makes what is seeded independent of the order of a file. */
#include "results_rank.h"

#include "order.h"

bool es_rank_lower_is_better(const es_results *results) {
    return results->estimator && results->estimator->lower_is_better;
}

es_status es_rank_results(const es_results *results, const es_score_rule *rule, es_ranking **out,
                          es_error *err) {
    es_ranking *ranking = NULL;
    es_status st = ES_OK;
    ES_TRY(es_ranking_new(results->is, results->m, rule, &ranking, err));
    if (es_rank_lower_is_better(results))
        ES_TRY(es_rank_competition(ranking->score, ranking->m, true, ranking->rank, err));
    *out = ranking;
    ranking = NULL;
done:
    es_ranking_free(ranking);
    return st;
}

es_status es_rank_by_name(const es_results *results, uint32_t *order, es_error *err) {
    const es_order_keys keys = {.m = results->m, .name = (const char *const *)results->name};
    return es_order_make(ES_ORDER_NAME, &keys, order, err);
}
