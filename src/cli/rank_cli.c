#include "rank_cli.h"

#include <math.h>
#include <string.h>

#include "order_cli.h"

#include "alloc.h"
#include "embedscope/graph.h"

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

es_status es_rank_communities(const es_results *results, uint64_t seed, uint32_t *group,
                              bool *known, es_error *err) {
    es_status st = ES_OK;
    es_communities *communities = NULL;
    uint32_t *order = NULL;
    *known = false;
    if (es_rank_lower_is_better(results))
        return ES_OK;
    order = es_alloc(results->m, sizeof *order);
    if (order == NULL)
        return es_no_memory(err);
    ES_TRY(es_rank_by_name(results, order, err));
    const es_louvain problem = {
        .is = results->is, .m = results->m, .order = order, .runs = 1, .seed = seed};
    ES_TRY(es_communities_new(&problem, NULL, &communities, err));
    memcpy(group, communities->group, results->m * sizeof *group);
    *known = true;
done:
    es_communities_free(communities);
    es_free(order);
    return st;
}

/* Families by their names in pool.json, where an embedder without one is a family of its own; by
 * communities where pool.json names none. */
static void families_of(const es_results *results, es_rank_report *report) {
    size_t named = 0;
    for (size_t i = 0; i < results->m; i++)
        named += results->family[i] != NULL;
    for (size_t i = 0; i < results->m; i++) {
        report->family[i] =
            named == 0 && report->has_community ? report->community[i] : (uint32_t)i;
        for (size_t j = 0; j < i && results->family[i]; j++)
            if (results->family[j] && strcmp(results->family[i], results->family[j]) == 0) {
                report->family[i] = report->family[j];
                break;
            }
    }
}

static es_score_rule rule_of(const es_options *options, const uint32_t *family) {
    static const es_aggregate aggregates[] = {
        [ES_BY_MEDIAN] = ES_AGGREGATE_MEDIAN,     [ES_BY_MEAN] = ES_AGGREGATE_MEAN,
        [ES_BY_Q75] = ES_AGGREGATE_QUANTILE,      [ES_BY_TRIMMED] = ES_AGGREGATE_TRIMMED,
        [ES_BY_BALANCED] = ES_AGGREGATE_BALANCED,
    };
    return (es_score_rule){.aggregate = aggregates[options->aggregate],
                           .include_self = options->include_self,
                           .leave_family_out = options->leave_family_out,
                           .family = family};
}

static es_status intervals_of(const es_results *results, const es_score_rule *rule, uint64_t seed,
                              es_intervals **out, es_error *err) {
    es_status st = ES_OK;
    uint32_t *order = es_alloc(results->m, sizeof *order);
    if (order == NULL)
        return es_no_memory(err);
    ES_TRY(es_rank_by_name(results, order, err));
    const es_bootstrap problem = {.is = results->is,
                                  .pmi = results->pmi,
                                  .m = results->m,
                                  .n_eval = results->n_eval,
                                  .order = order,
                                  .rule = *rule,
                                  .lower_is_better = es_rank_lower_is_better(results),
                                  .seed = seed};
    ES_TRY(es_intervals_new(&problem, NULL, out, err));
done:
    es_free(order);
    return st;
}

static es_status find_dominant(const es_results *results, const es_score_rule *rule,
                               es_rank_report *report, es_error *err) {
    es_dominance dominance = {0};
    es_status st = es_ranking_dominance(results->is, results->m, rule, &dominance, err);
    for (size_t i = 0; st == ES_OK && dominance.dominates && i < results->m; i++)
        if (rule->family[i] == dominance.family && report->dominant == NULL)
            report->dominant = results->name[i];
    return st;
}

es_status es_rank_report_new(const es_results *results, const es_options *options,
                             bool with_intervals, es_rank_report **out, es_error *err) {
    es_status st = ES_OK;
    size_t m = results->m;
    es_rank_report *report = es_alloc_zero(1, sizeof *report);
    if (report == NULL)
        return es_no_memory(err);
    report->order = es_alloc(m, sizeof *report->order);
    report->family = es_alloc(m, sizeof *report->family);
    report->community = es_alloc(m, sizeof *report->community);
    if (!report->order || !report->family || !report->community) {
        st = es_no_memory(err);
        goto done;
    }
    ES_TRY(es_rank_communities(results, options->seed, report->community, &report->has_community,
                               err));
    families_of(results, report);
    report->rule = rule_of(options, report->family);
    ES_TRY(es_rank_results(results, &report->rule, &report->ranking, err));
    if (with_intervals)
        ES_TRY(intervals_of(results, &report->rule, options->seed, &report->intervals, err));
    ES_TRY(es_order_models(results, ES_ORDER_RANK, report->ranking, 0, report->order, err));
    if (!es_rank_lower_is_better(results))
        ES_TRY(find_dominant(results, &report->rule, report, err));
    *out = report;
    report = NULL;
done:
    es_rank_report_free(report);
    return st;
}

void es_rank_null_caption(const es_results *results, es_buf *out) {
    double low, high;
    size_t known = es_results_null_range(results, &low, &high);
    if (known == 0)
        return;
    low = fabs(low) < 0.0005 ? 0 : low; /* no "-0.000" */
    high = fabs(high) < 0.0005 ? 0 : high;
    es_buf_printf(out, "no information gives %.3f to %.3f (%zu target%s, rows shuffled)\n", low,
                  high, known, known == 1 ? "" : "s");
}

void es_rank_report_free(es_rank_report *report) {
    if (report == NULL)
        return;
    es_ranking_free(report->ranking);
    es_intervals_free(report->intervals);
    es_free(report->order);
    es_free(report->family);
    es_free(report->community);
    es_free(report);
}
