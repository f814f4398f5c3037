/* Results as core's ranking takes them: which way round they are, their order by name, and their
 * scores under a rule. An order by name makes what is seeded independent of the order of a file. */
#include "results_rank.h"

#include "order.h"

bool es_rank_lower_is_better(const es_results *results) {
    return results->estimator && results->estimator->lower_is_better;
}

static const es_score_rule published = {.aggregate = ES_AGGREGATE_MEDIAN};

es_status es_rank_results(const es_results *results, const es_score_rule *rule,
                          bool lower_is_better, es_ranking **out, es_error *err) {
    es_ranking *ranking = NULL;
    es_status st = ES_OK;
    ES_TRY(es_ranking_new(results->is, results->m, rule ? rule : &published, &ranking, err));
    if (lower_is_better)
        ES_TRY(es_rank_competition(ranking->score, ranking->m, true, ranking->rank, err));
    *out = ranking;
    ranking = NULL;
done:
    es_ranking_free(ranking);
    return st;
}

es_bootstrap es_rank_bootstrap(const es_results *results, const es_score_rule *rule,
                               bool lower_is_better, uint64_t seed) {
    return (es_bootstrap){.is = results->is,
                          .pmi = results->n_eval > 0 ? results->pmi : NULL,
                          .m = results->m,
                          .n_eval = results->n_eval,
                          .rule = rule ? *rule : published,
                          .lower_is_better = lower_is_better,
                          .seed = seed};
}

es_status es_rank_by_name(const es_results *results, uint32_t *order, es_error *err) {
    const es_order_keys keys = {.m = results->m, .name = (const char *const *)results->name};
    return es_order_make(ES_ORDER_NAME, &keys, order, err);
}
