/* Results as core's ranking takes them: which way round they are, their order by name, and their
 * scores under a rule. An order by name makes what is seeded independent of the order of a file. */
#include "report_answer.h"

#include <math.h>

bool es_rank_lower_is_better(const es_results *results) {
    return results->estimator && results->estimator->lower_is_better;
}

static const es_score_rule published = {.aggregate = ES_AGGREGATE_MEDIAN};

/* The published score of a matrix (m, m) in which the rows, or the columns, of derived embedders
 * are not known. */
static es_status rank_masked(const es_results *r, bool rows, es_ranking **out, es_error *err) {
    size_t m = r->m;
    double *is = es_alloc(m, m * sizeof *is);
    if (!is)
        return es_no_memory_for(err, "ranking %zu embedders", m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            is[i * m + j] = es_results_is_derived(r, rows ? i : j) ? (double)NAN : r->is[i * m + j];
    es_status st = es_ranking_new(is, m, &published, out, err);
    es_free(is);
    return st;
}

/* Derived embedders are judged by the others and judge nobody. */
static es_status judge_derived(const es_results *r, bool lower_is_better, es_ranking **out,
                               es_error *err) {
    es_ranking *by = NULL, *of = NULL;
    size_t m = r->m;
    double *score = es_alloc(m, sizeof *score);
    es_status st = ES_OK;
    ES_FAIL_IF(!score, es_no_memory_for(err, "ranking %zu embedders", m));
    ES_TRY(rank_masked(r, false, &by, err));
    ES_TRY(rank_masked(r, true, &of, err));
    for (size_t i = 0; i < m; i++) {
        bool derived = es_results_is_derived(r, i);
        score[i] = derived ? (double)NAN : by->score[i];
        by->in[i] = of->in[i];
        by->of[i] -= (uint32_t)(es_results_derived(r) - derived);
    }
    ES_TRY(es_rank_competition(score, m, lower_is_better, by->rank, err));
    *out = by;
    by = NULL;
done:
    es_ranking_free(by);
    es_ranking_free(of);
    es_free(score);
    return st;
}

es_status es_rank_results(const es_results *results, bool lower_is_better, es_ranking **out,
                          es_error *err) {
    es_ranking *ranking = NULL;
    es_status st = ES_OK;
    if (es_results_derived(results) > 0)
        return judge_derived(results, lower_is_better, out, err);
    ES_TRY(es_ranking_new(results->is, results->m, &published, &ranking, err));
    if (lower_is_better)
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
