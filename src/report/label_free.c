/* The table of scores without labels: columns settled against the mean percentile over tasks, and
 * what
 * following each would have cost. */
#include "label_free.h"

#include <math.h>
#include <stdlib.h>

#include "alloc.h"
#include "downstream.h"

enum { FIRST = 5 };

es_status es_label_free_init(es_label_free *x, const es_results *names, es_error *err) {
    *x = (es_label_free){0};
    es_status st = es_agree_scores_init(&x->scores, names, err);
    return st == ES_OK ? es_agree_scores_add_dimension(&x->scores, names, err) : st;
}

void es_label_free_deinit(es_label_free *x) {
    es_agree_scores_deinit(&x->scores);
    es_free(x->rival);
    *x = (es_label_free){0};
}

bool es_label_free_is_line(const es_label_free *x, const es_label_free_row *rival) {
    (void)x;
    return rival->column == 0;
}

/* Best first; what is equal keeps the order of the columns. */
static void sort(es_label_free *x) {
    const es_correlation_report *against = x->scores.agreement->against;
    for (size_t i = 0; i < x->scores.k; i++) {
        es_label_free_row own = x->rival[i];
        double rho = against[own.column].value[ES_SPEARMAN].value;
        size_t at = i;
        for (; at > 0; at--) {
            double other = against[x->rival[at - 1].column].value[ES_SPEARMAN].value;
            if (isnan(rho) || other >= rho)
                break;
            x->rival[at] = x->rival[at - 1];
        }
        x->rival[at] = own;
    }
}

/* Of what is sorted; rounding alone sets nobody apart. */
static void place(es_label_free *x) {
    const double rounding = 1e-12;
    const es_correlation_report *against = x->scores.agreement->against;
    size_t first = 0;
    for (size_t i = 0; i < x->scores.k; i++) {
        double rho = against[x->rival[i].column].value[ES_SPEARMAN].value;
        if (!isfinite(rho))
            continue;
        if (against[x->rival[first].column].value[ES_SPEARMAN].value - rho > rounding)
            first = i;
        x->rival[i].place = first + 1;
    }
}

es_status es_label_free_settle(es_label_free *x, const es_results *names, const es_scores *scores,
                               uint64_t seed, size_t *unknown, es_error *err) {
    es_agree_scores *s = &x->scores;
    es_status st = es_agree_scores_against_ranks(s, names, scores, unknown, err);
    if (st == ES_OK)
        st = es_agree_scores_settle_against(s, seed, err);
    if (st != ES_OK)
        return st;
    x->tasks = s->ranked_tasks;
    x->rival = es_alloc(s->k, sizeof *x->rival);
    if (!x->rival)
        return es_no_memory(err);
    for (size_t k = 0; k < s->k; k++) {
        const double *column = s->column + k * s->n;
        x->rival[k] = (es_label_free_row){
            .column = k,
            .regret_first = es_downstream_regret(column, s->downstream, s->n, 1),
            .regret_five = es_downstream_regret(column, s->downstream, s->n, FIRST)};
    }
    sort(x);
    place(x);
    return ES_OK;
}
