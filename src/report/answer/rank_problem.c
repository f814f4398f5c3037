/* Names of families, series and controls become numbers of a problem. */
#include "report_answer.h"

#include <string.h>

void es_rank_problem_deinit(es_rank_problem *x) {
    es_free(x->number);
    es_free(x->control);
    es_results_free(x->relations);
    *x = (es_rank_problem){0};
}

/* Equal names get the number of the first that has it; those without a name are alone. True: some
 * two have the same. */
static bool number_names(char *const *name, size_t m, uint32_t *number) {
    bool shared = false;
    for (size_t i = 0; i < m; i++) {
        number[i] = (uint32_t)i;
        for (size_t j = 0; name && name[i] && j < i; j++)
            if (name[j] && strcmp(name[i], name[j]) == 0) {
                number[i] = number[j];
                shared = true;
                break;
            }
    }
    return shared;
}

/* Of a run that goes on, the matrix of others than the results themselves does not yet say who is
 * related. */
static bool fits(const es_results *relations, const es_results *results) {
    return relations && relations->information && es_results_predictive(relations) &&
           relations->m >= results->m &&
           (relations == results ||
            relations->done + relations->failed == relations->m * relations->m);
}

es_status es_rank_problem_init(const es_rank_source *of, es_rank_problem *out, es_error *err) {
    const es_results *r = of->results;
    size_t m = r->m;
    es_rank_problem x = {.number = es_alloc(m + 1, 3 * sizeof *x.number),
                         .control = es_alloc(m + 1, sizeof *x.control)};
    if (!x.number || !x.control) {
        es_rank_problem_deinit(&x);
        return es_no_memory_for(err, "ranking %zu embedders", m);
    }
    uint32_t *family = x.number + m, *series = x.number + 2 * m;
    bool families = number_names(r->family, m, family);
    bool runs = number_names(r->series, m, series);
    for (size_t i = 0; i < m; i++)
        x.control[i] = r->family && es_is_control(r->family[i]);
    const es_results *info = fits(of->relations, r) ? of->relations : fits(r, r) ? r : NULL;
    es_status st = ES_OK;
    if (info && info->m > m)
        st = es_results_originals(info, &x.relations, err);
    info = x.relations ? x.relations : info;
    info = info && info->m == m ? info : NULL;
    x.problem = (es_decision_problem){.is = of->is ? of->is : r->is,
                                      .se = r->se,
                                      /* relations are found in nats per dimension */
                                      .information = info       ? info->information
                                                     : of->unit ? r->is
                                                                : NULL,
                                      .information_se = info       ? info->information_se
                                                        : of->unit ? r->se
                                                                   : NULL,
                                      .pmi = r->n_eval > 0 ? r->pmi : NULL,
                                      .unit = of->unit,
                                      .m = m,
                                      .n_eval = r->n_eval,
                                      .order = x.number,
                                      .by_lead = of->by_lead,
                                      .order_only = of->order_only,
                                      .rule = of->rule,
                                      .family = families ? family : NULL,
                                      .series = runs ? series : NULL,
                                      .control = x.control,
                                      .lower_is_better = es_rank_lower_is_better(r),
                                      .seed = of->seed};
    if (st == ES_OK)
        st = es_rank_by_name(r, x.number, err);
    if (st == ES_OK)
        *out = x;
    else
        es_rank_problem_deinit(&x);
    return st;
}
