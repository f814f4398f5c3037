/* The answer: scores of the embedders, how sure they are, who cannot be told apart, and whose
 * family outvotes the others. Everything that is said beside a score is computed here, once, for
 * tables, documents and pictures alike. */
#include "rank_report.h"

#include <string.h>

#include "families.h"
#include "model_order.h"
#include "results_rank.h"

#include "alloc.h"

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

static es_status intervals_of(const es_results *results, const es_score_rule *rule, uint64_t seed,
                              es_intervals **out, es_error *err) {
    es_status st = ES_OK;
    uint32_t *order = es_alloc(results->m, sizeof *order);
    if (order == NULL)
        return es_no_memory(err);
    ES_TRY(es_rank_by_name(results, order, err));
    es_bootstrap problem = es_rank_bootstrap(results, rule, es_rank_lower_is_better(results), seed);
    problem.order = order;
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

es_status es_rank_report_new(const es_results *results, const es_rank_choices *how,
                             es_rank_report **out, es_error *err) {
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
    ES_TRY(es_families_group(results, how->seed, report->community, &report->has_community, err));
    families_of(results, report);
    report->rule = (es_score_rule){.aggregate = how->aggregate,
                                   .include_self = how->include_self,
                                   .leave_family_out = how->leave_family_out,
                                   .family = report->family};
    ES_TRY(es_rank_results(results, &report->rule, es_rank_lower_is_better(results),
                           &report->ranking, err));
    if (how->with_intervals)
        ES_TRY(intervals_of(results, &report->rule, how->seed, &report->intervals, err));
    ES_TRY(es_order_models(results, ES_ORDER_RANK, report->ranking, 0, report->order, err));
    if (!es_rank_lower_is_better(results))
        ES_TRY(find_dominant(results, &report->rule, report, err));
    *out = report;
    report = NULL;
done:
    es_rank_report_free(report);
    return st;
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
