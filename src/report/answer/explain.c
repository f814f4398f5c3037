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

/* Whether a ranking over a sample of rows is expected to be that of all rows. */

enum { UNCHANGED_ENOUGH = 2 };

static void free_standings(es_sample_standing *standing, size_t m) {
    for (size_t i = 0; standing && i < m; i++)
        es_free(standing[i].name);
    es_free(standing);
}

void es_sampling_deinit(es_sampling *sampling) {
    free_standings(sampling->last, sampling->m);
    *sampling = (es_sampling){0};
}

/* Returns what the decision says of each embedder on this sample. */
static es_status take_standings(const es_sampling_of *of, es_sample_standing **out, es_error *err) {
    const es_decision *d = of->decision;
    es_sample_standing *standing = es_alloc_zero(d->m, sizeof *standing);
    size_t first = d->scored > 0 ? d->order[0] : 0;
    if (!standing)
        return es_no_memory(err);
    for (size_t i = 0; i < d->m; i++) {
        standing[i].name = es_strdup(of->name[i]);
        standing[i].score = d->ranking->score[i];
        standing[i].best = d->best[i];
        standing[i].worse = d->ahead[first * d->m + i];
        if (!standing[i].name) {
            free_standings(standing, d->m);
            return es_no_memory(err);
        }
    }
    *out = standing;
    return ES_OK;
}

/* True if the last judged sample is half of these rows, of the same embedders. */
static bool follows(const es_sampling *s, const es_sample_standing *now, size_t m, size_t rows) {
    if (!s->last || s->m != m || s->rows >= rows || 2 * s->rows < rows)
        return false;
    for (size_t i = 0; i < m; i++)
        if (strcmp(s->last[i].name, now[i].name) != 0)
            return false;
    return true;
}

static bool same_sets(const es_sample_standing *a, const es_sample_standing *b, size_t m) {
    for (size_t i = 0; i < m; i++)
        if (a[i].best != b[i].best || a[i].worse != b[i].worse)
            return false;
    return true;
}

/* Returns why growing stops, or ES_GROWTH_ON. */
static es_growth_end end_of(const es_growth_record *record, unsigned unchanged) {
    if (record->rows >= record->of)
        return ES_GROWTH_ALL;
    if (record->growth.expected >= ES_GROWTH_ENOUGH)
        return ES_GROWTH_SETTLED;
    return unchanged >= UNCHANGED_ENOUGH ? ES_GROWTH_SETS : ES_GROWTH_ON;
}

es_status es_sampling_take(es_sampling *s, const es_sampling_of *of, es_growth_record *out,
                           es_error *err) {
    const es_decision *d = of->decision;
    es_growth_record record = {.rows = of->rows, .of = of->of};
    es_sample_standing *now = NULL;
    double *before = NULL;
    es_status st = ES_OK;
    ES_TRY(take_standings(of, &now, err));
    bool known = follows(s, now, d->m, of->rows);
    if (known) {
        before = es_alloc(d->m, sizeof *before);
        ES_FAIL_IF(!before, es_no_memory(err));
        for (size_t i = 0; i < d->m; i++)
            before[i] = s->last[i].score;
    }
    const es_growth_problem problem = {.score = d->ranking->score,
                                       .before = before,
                                       .var = d->var_rows,
                                       .m = d->m,
                                       .rows = of->rows,
                                       .of = of->of,
                                       .seed = of->seed};
    ES_TRY(es_growth_judge(&problem, NULL, &record.growth, err));
    unsigned unchanged = known && same_sets(s->last, now, d->m) ? s->unchanged + 1 : 0;
    record.end = end_of(&record, unchanged);
    free_standings(s->last, s->m);
    *s = (es_sampling){now, d->m, of->rows, unchanged};
    now = NULL;
    *out = record;
done:
    free_standings(now, d->m);
    es_free(before);
    return st;
}

es_status es_sampling_look(es_sampling *s, es_session *session, es_growth_record *out,
                           es_error *err) {
    const es_pool *pool = es_session_pool(session);
    const es_rank_choices how = {.with_intervals = true,
                                 .seed = es_session_results(session, 0)->seed};
    es_rank_report *report = NULL;
    es_growth_record record = {0};
    es_status st = ES_OK;
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    const es_sampling_of of = {report->decision, (const char *const *)report->results->name,
                               es_pool_rows(pool), es_pool_rows_available(pool), how.seed};
    ES_TRY(es_sampling_take(s, &of, &record, err));
    ES_TRY(es_session_growth_put(session, &record, err));
    *out = record;
done:
    es_rank_report_free(report);
    return st;
}

/* ---- in words ---- */

const char *es_growth_end_name(es_growth_end end) {
    static const char *const names[] = {[ES_GROWTH_SETTLED] = "settled",
                                        [ES_GROWTH_SETS] = "sets",
                                        [ES_GROWTH_ALL] = "all",
                                        [ES_GROWTH_TIME] = "time"};
    return names[end];
}

static const char *end_text(es_growth_end end) {
    switch (end) {
    case ES_GROWTH_SETTLED:
        return "; it has settled";
    case ES_GROWTH_SETS:
        return "; the candidates were the same three times";
    case ES_GROWTH_TIME:
        return "; time was up";
    case ES_GROWTH_ON:
        return "; more rows are to be taken";
    case ES_GROWTH_ALL:
        break;
    }
    return "";
}

void es_growth_put(const es_growth_record *record, es_buf *out) {
    const es_growth *g = &record->growth;
    if (record->rows >= record->of)
        return;
    es_buf_printf(out, "%zu of %zu rows, a random sample", record->rows, record->of);
    if (isfinite(g->expected))
        es_buf_printf(out,
                      ": the ranking is expected to agree with that by all rows at Kendall %.2f "
                      "(%.2f to %.2f)",
                      g->expected, g->low, g->high);
    es_buf_puts(out, end_text(record->end));
}

void es_rows_put(es_session *session, es_buf *out) {
    const es_pool *pool = es_session_pool(session);
    es_growth_record *list = NULL;
    size_t count = 0, rows = pool ? es_pool_rows(pool) : 0, dropped = es_pool_rows_dropped(pool);
    bool all = !pool || rows >= es_pool_rows_whole(pool);
    if (dropped > 0)
        es_buf_printf(out, "%zu row%s with values that are not finite %s left out%s", dropped,
                      dropped == 1 ? "" : "s", dropped == 1 ? "is" : "are", all ? "" : "; ");
    if (all)
        return;
    if (!es_pool_is_sample(pool)) {
        es_buf_printf(out, "%zu of %zu rows, the first", rows, es_pool_rows_whole(pool));
        return;
    }
    (void)es_session_growth_list(session, &list, &count, NULL);
    if (count > 0 && list[count - 1].rows == rows)
        es_growth_put(&list[count - 1], out);
    else
        es_buf_printf(out, "%zu of %zu rows, a random sample", rows, es_pool_rows_available(pool));
    es_free(list);
}
