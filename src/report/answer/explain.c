/* Takes the difference of two scores apart by targets. A mean over targets, or over families of
 * them, is a weighted sum, so each target has its part in the difference. */
#include "explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "votes.h"

void es_explanation_free(es_explanation *x) {
    if (x == NULL)
        return;
    es_free(x->target);
    es_free(x->tied);
    es_free(x);
}

static bool judges(const es_rank_report *report, size_t source, size_t target) {
    const es_results *r = report->results;
    return isfinite(r->is[source * r->m + target]) && es_votes_admit(&report->rule, source, target);
}

static int by_part(const void *x, const void *y) {
    const es_explained_target *a = x, *b = y;
    double left = isnan(a->adds) ? a->a - a->b : a->adds,
           right = isnan(b->adds) ? b->a - b->b : b->adds;
    if (left > right || left < right)
        return left > right ? -1 : 1;
    return a->target < b->target ? -1 : a->target > b->target;
}

/* Each family that judges both has one vote, or each target. */
static es_status weigh(const es_rank_report *report, es_explanation *x, es_error *err) {
    const es_results *r = report->results;
    bool by_family = report->rule.aggregate == ES_AGGREGATE_FAMILIES;
    bool mean = by_family || report->rule.aggregate == ES_AGGREGATE_MEAN;
    size_t families = 0;
    size_t *count = es_alloc_zero(r->m, sizeof *count);
    if (count == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < x->targets; k++)
        families += count[report->family[x->target[k].target]]++ == 0;
    for (size_t k = 0; k < x->targets; k++) {
        es_explained_target *t = &x->target[k];
        size_t votes = by_family ? families * count[report->family[t->target]] : x->targets;
        t->adds = mean ? (t->a - t->b) / (double)votes : (double)NAN;
    }
    es_free(count);
    return ES_OK;
}

static es_status take_targets(const es_rank_report *report, es_explanation *x, es_error *err) {
    const es_results *r = report->results;
    x->target = es_alloc(r->m, sizeof *x->target);
    if (x->target == NULL)
        return es_no_memory(err);
    for (size_t t = 0; t < r->m; t++)
        if (judges(report, x->a, t) && judges(report, x->b, t))
            x->target[x->targets++] = (es_explained_target){t, r->is[x->a * r->m + t],
                                                            r->is[x->b * r->m + t], (double)NAN};
    es_status st = weigh(report, x, err);
    if (st == ES_OK)
        qsort(x->target, x->targets, sizeof *x->target, by_part);
    return st;
}

static es_status take_ties(const es_rank_report *report, es_explanation *x, es_error *err) {
    const es_decision *d = report->decision;
    x->tied = es_alloc(d->m, sizeof *x->tied);
    if (x->tied == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < d->scored; k++)
        if (d->order[k] != x->a && !d->separated[d->scope][x->a * d->m + d->order[k]])
            x->tied[x->tied_count++] = d->order[k];
    return ES_OK;
}

static void take_difference(const es_rank_report *report, es_explanation *x) {
    const es_decision *d = report->decision;
    size_t cell = x->a * d->m + x->b;
    double sign =
        report->results->estimator && report->results->estimator->lower_is_better ? -1 : 1;
    x->difference = d->delta ? d->delta[cell]
                             : sign * (report->ranking->score[x->a] - report->ranking->score[x->b]);
    for (size_t s = 0; s < ES_SCOPES; s++) {
        bool known = d->delta && d->why_not[s] == NULL;
        double variance = !known ? (double)NAN : d->hands > 0 ? d->var_rows[cell] : 0;
        if (known && s == ES_SCOPE_NEW)
            variance += d->var_families[cell];
        x->se[s] = sqrt(variance);
        x->separated[s] = d->why_not[s] == NULL && d->separated[s][cell];
    }
    x->settling = es_decision_settling(d, x->a, x->b);
    x->rows_now = d->hands > 0 && report->results->estimator ? report->results->n_eval : 0;
}

static size_t neighbour(const es_decision *d, size_t a) {
    for (size_t k = 0; k < d->scored; k++)
        if (d->order[k] == a)
            return k + 1 < d->scored ? d->order[k + 1] : k > 0 ? d->order[k - 1] : SIZE_MAX;
    return SIZE_MAX;
}

es_status es_explanation_new(const es_rank_report *report, size_t a, size_t b, es_explanation **out,
                             es_error *err) {
    const es_decision *d = report->decision;
    const uint32_t *rank = report->ranking->rank;
    es_status st = ES_OK;
    size_t without = rank[a] == 0 ? a : b != SIZE_MAX && rank[b] == 0 ? b : SIZE_MAX;
    if (without != SIZE_MAX)
        return es_fail(err, ES_EEMPTY, "%s has no score: there is nothing to compare",
                       es_results_label(report->results, without));
    if (b == SIZE_MAX)
        b = neighbour(d, a);
    if (b == SIZE_MAX || b == a)
        return es_fail(err, ES_EEMPTY, "%s: there is nobody to compare it with",
                       es_results_label(report->results, a));
    es_explanation *x = es_alloc_zero(1, sizeof *x);
    if (x == NULL)
        return es_no_memory(err);
    bool turned = rank[b] < rank[a];
    x->a = turned ? b : a;
    x->b = turned ? a : b;
    ES_TRY(take_targets(report, x, err));
    ES_TRY(take_ties(report, x, err));
    take_difference(report, x);
    *out = x;
    x = NULL;
done:
    es_explanation_free(x);
    return st;
}
