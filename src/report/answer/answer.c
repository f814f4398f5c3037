/* Puts the answer together: ranking, bottom line, downstream. */
#include "report_answer.h"

#include <math.h>
#include <string.h>

es_bottom_line_of es_answer_words(const es_rank_report *report) {
    const es_results *r = report->results;
    bool from_file = r->estimator == NULL; /* what it lacks will not come */
    return (es_bottom_line_of){.decision = report->decision,
                               .results = r,
                               .name = (const char *const *)r->name,
                               .width = report->width,
                               .score = es_rank_report_score_name(report),
                               .default_known = report->relations != NULL,
                               .known = from_file ? r->m * r->m : r->done + r->failed,
                               .of = r->m * r->m};
}

/* Higher is better; NaN: none. */
static es_status take_downstream(const es_rank_report *report, const es_scores *scores,
                                 es_downstream **out, es_error *err) {
    const es_results *r = report->results;
    double sign = es_rank_lower_is_better(r) ? -1 : 1;
    double *score = es_alloc(r->m, sizeof *score);
    if (score == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < r->m; i++)
        score[i] = report->ranking->rank[i] ? sign * report->ranking->score[i] : (double)NAN;
    es_status st = es_downstream_new(r, report->decision, score, scores, out, err);
    es_free(score);
    return st;
}

/* By the pool, or by the ranking. */
static es_status take_left_out(es_session *session, es_answer *answer, es_error *err) {
    es_pool *pool = es_session_pool(session);
    const es_rank_report *report = answer->report;
    const es_results *all = es_session_results(session, report->entry);
    const es_words *left = pool ? es_pool_derived_left_out(pool) : NULL;
    es_status st = ES_OK;
    for (size_t i = 0; left && i < left->count && st == ES_OK; i++)
        st = es_words_add(&answer->derived, left->word[i], err);
    for (size_t i = 0; report->originals && i < all->m && st == ES_OK; i++)
        if (es_results_is_derived(all, i))
            st = es_words_add(&answer->derived, all->name[i], err);
    return st;
}

void es_answer_put_left_out(const es_words *derived, const char *how, es_buf *out) {
    enum { MOST = 3 };
    size_t count = derived->count;
    if (count == 0)
        return;
    es_buf_printf(out, "%zu derived embedder%s left out (", count, count == 1 ? " is" : "s are");
    for (size_t i = 0; i < count && i < MOST; i++)
        es_buf_printf(out, "%s" ES_DERIVED_MARK "%s", i > 0 ? ", " : "", derived->word[i]);
    es_buf_printf(out, "%s); %s lets %s vote and rank.", count > MOST ? ", ..." : "", how,
                  count == 1 ? "it" : "them");
}

es_status es_answer_new(es_session *session, const es_rank_choices *choices,
                        const es_scores *scores, es_answer *out, es_error *err) {
    es_answer answer = {0};
    es_rank_choices how = *choices;
    es_status st = ES_OK;
    how.with_intervals = true;
    ES_TRY(es_rank_report_of(session, &how, &answer.report, err));
    if (how.with_width)
        ES_TRY(es_rank_width_of(session, answer.report, err));
    es_bottom_line_of words = es_answer_words(answer.report);
    words.grave = es_pool_grave_list(es_session_pool(session));
    ES_TRY(es_bottom_line_new(&words, &answer.line, err));
    ES_TRY(take_left_out(session, &answer, err));
    if (scores)
        ES_TRY(take_downstream(answer.report, scores, &answer.downstream, err));
    *out = answer;
    answer = (es_answer){0};
done:
    es_answer_deinit(&answer);
    return st;
}

void es_answer_deinit(es_answer *answer) {
    es_downstream_free(answer->downstream);
    es_bottom_line_free(answer->line);
    es_rank_report_free(answer->report);
    es_words_deinit(&answer->derived);
    *answer = (es_answer){0};
}

/* Families of embedders by the graph of what can be simulated: Louvain (Blondel et al. 2008) over
 * the pairs, with embedders in the order of their names so that a file's order makes no difference.
 */

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

/* Orders of embedders, for rows and columns: the keys that core's order sorts by, made from
 * results. */

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
