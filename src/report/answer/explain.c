/* Takes the difference of two embedders apart by targets: the lead is a weighted sum over reference
 * embedders, so each has its part in it. */
#include "report_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void es_explanation_free(es_explanation *x) {
    if (x == NULL)
        return;
    es_free(x->target);
    es_free(x->tied);
    es_free(x);
}

/* True: target t compares a with b under the rules of the ranking. */
static bool target_compares(const es_rank_report *report, const es_explanation *x, size_t t) {
    const es_results *r = report->results;
    if (!isfinite(r->is[x->a * r->m + t]) || !isfinite(r->is[x->b * r->m + t]))
        return false;
    return report->decision->by_lead
               ? es_decision_compares(report->decision, x->a, x->b, t)
               : es_votes_admit(&report->rule, x->a, t) && es_votes_admit(&report->rule, x->b, t);
}

static int by_part(const void *x, const void *y) {
    const es_explained_target *a = x, *b = y;
    double left = isnan(a->adds) ? a->a - a->b : a->adds,
           right = isnan(b->adds) ? b->a - b->b : b->adds;
    if (left > right || left < right)
        return left > right ? -1 : 1;
    return a->target < b->target ? -1 : a->target > b->target;
}

/* One vote a kind, or a target of a mean. */
static es_status weigh(const es_rank_report *report, es_explanation *x, es_error *err) {
    const es_decision *d = report->decision;
    size_t *count = es_alloc_zero(d->m + 1, sizeof *count);
    if (count == NULL)
        return es_no_memory(err);
    bool mean = !d->by_lead && report->rule.aggregate == ES_AGGREGATE_MEAN;
    for (size_t k = 0; d->by_lead && k < x->targets; k++)
        x->kinds += count[d->kind[x->target[k].target]]++ == 0;
    for (size_t k = 0; k < x->targets; k++) {
        es_explained_target *t = &x->target[k];
        size_t votes = d->by_lead ? x->kinds * count[d->kind[t->target]] : x->targets;
        t->adds = d->by_lead || mean ? (t->a - t->b) / (double)votes : (double)NAN;
    }
    es_free(count);
    return ES_OK;
}

/* Lists what each target adds to the difference of a and b. */
static es_status take_targets(const es_rank_report *report, es_explanation *x, es_error *err) {
    const es_results *r = report->results;
    x->target = es_alloc(r->m, sizeof *x->target);
    if (x->target == NULL)
        return es_no_memory(err);
    for (size_t t = 0; t < r->m; t++)
        if (target_compares(report, x, t))
            x->target[x->targets++] = (es_explained_target){t, r->is[x->a * r->m + t],
                                                            r->is[x->b * r->m + t], (double)NAN};
    es_status st = weigh(report, x, err);
    if (st == ES_OK)
        qsort(x->target, x->targets, sizeof *x->target, by_part);
    return st;
}

/* Lists the embedders that show no difference to a. */
static es_status take_ties(const es_rank_report *report, es_explanation *x, es_error *err) {
    const es_decision *d = report->decision;
    x->tied = es_alloc(d->m, sizeof *x->tied);
    if (x->tied == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < d->scored; k++)
        if (d->order[k] != x->a && !d->ahead[x->a * d->m + d->order[k]] &&
            !d->ahead[d->order[k] * d->m + x->a])
            x->tied[x->tied_count++] = d->order[k];
    return ES_OK;
}

/* Takes the difference of a and b and its interval from the decision. */
static void take_difference(const es_rank_report *report, es_explanation *x) {
    const es_decision *d = report->decision;
    size_t cell = x->a * d->m + x->b;
    double sign =
        report->results->estimator && report->results->estimator->lower_is_better ? -1 : 1;
    x->difference = d->delta ? d->delta[cell]
                             : sign * (report->ranking->score[x->a] - report->ranking->score[x->b]);
    x->error = es_decision_error(d, x->a, x->b);
    x->ahead = d->ahead[cell];
}

/* Returns the embedder ranked after a, or before it if a is last; SIZE_MAX: none. */
static size_t next_ranked(const es_decision *d, size_t a) {
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
        return es_fail(err, ES_EEMPTY, "%s is not ranked: there is nothing to compare",
                       es_results_label(report->results, without));
    if (b == SIZE_MAX)
        b = next_ranked(d, a);
    if (b == SIZE_MAX || b == a)
        return es_fail(err, ES_EEMPTY, "%s: no other embedder is ranked",
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
