/* Mean of normal scores of the chosen tasks and of the ranking, which counts as two tasks. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_answer.h"

void es_with_tasks_free(es_with_tasks *w) {
    if (w == NULL)
        return;
    es_free(w->score);
    es_free(w->rank);
    es_free(w->known);
    es_free(w);
}

static es_with_tasks *with_tasks_new(size_t n) {
    es_with_tasks *w = es_alloc_zero(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->n = n;
    w->score = es_alloc(n + 1, sizeof *w->score);
    w->rank = es_alloc_zero(4 * n + 1, sizeof *w->rank);
    w->known = es_alloc_zero(n + 1, sizeof *w->known);
    if (!w->score || !w->rank || !w->known) {
        es_with_tasks_free(w);
        return NULL;
    }
    w->by_ranking = w->rank + n;
    w->by_tasks = w->by_ranking + n;
    w->order = w->by_tasks + n;
    return w;
}

/* The chosen tasks (tasks, n) of the embedders that count and have a lead; NaN for the others. */
static void take_tasks(const es_results *r, const double *lead, const bool *counts,
                       const es_scores *scores, const bool *chosen, es_with_tasks *w, double *y) {
    for (size_t i = 0; i < w->n; i++) {
        size_t row = counts[i] && !isnan(lead[i]) ? es_scores_find(scores, r->name[i]) : SIZE_MAX;
        size_t at = 0;
        for (size_t t = 0; t < scores->tasks; t++) {
            if (!chosen[t])
                continue;
            double value = row == SIZE_MAX ? (double)NAN : es_score_turned(scores, row, t);
            y[at++ * w->n + i] = value;
            w->known[i] += isfinite(value) ? 1 : 0;
        }
    }
}

static bool ranks_before(const es_results *r, const es_with_tasks *w, size_t a, size_t b) {
    uint32_t x = w->rank[a] > 0 ? w->rank[a] : UINT32_MAX,
             y = w->rank[b] > 0 ? w->rank[b] : UINT32_MAX;
    return x != y ? x < y : strcmp(r->name[a], r->name[b]) < 0;
}

static void put_in_order(const es_results *r, es_with_tasks *w) {
    for (size_t i = 0; i < w->n; i++) {
        size_t at = i;
        for (; at > 0 && ranks_before(r, w, i, w->order[at - 1]); at--)
            w->order[at] = w->order[at - 1];
        w->order[at] = (uint32_t)i;
        w->ranked += w->rank[i] > 0;
    }
}

static void name_it(es_with_tasks *w) {
    if (w->tasks == 1)
        (void)snprintf(w->title, sizeof w->title, "your task + ranking");
    else
        (void)snprintf(w->title, sizeof w->title, "your %zu tasks + ranking", w->tasks);
}

/* Ranks by the combination, by the tasks (n of scratch) and by the ranking. */
static es_status rank_all(const double *lead, const double *y, double *scratch, es_with_tasks *w,
                          es_error *err) {
    ES_PASS(es_combine_tasks(lead, ES_COMBINE_TASKS, y, w->tasks, w->n, w->score, err));
    ES_PASS(es_rank_competition(w->score, w->n, false, w->rank, err));
    ES_PASS(es_rank_competition(lead, w->n, false, w->by_ranking, err));
    ES_PASS(es_combine_tasks(NULL, 0, y, w->tasks, w->n, scratch, err));
    for (size_t i = 0; i < w->n; i++)
        scratch[i] = w->known[i] > 0 ? scratch[i] : (double)NAN;
    return es_rank_competition(scratch, w->n, false, w->by_tasks, err);
}

es_status es_with_tasks_new(const es_results *r, const es_decision *decision, const double *lead,
                            const es_scores *scores, const bool *chosen, es_with_tasks **out,
                            es_error *err) {
    es_status st = ES_OK;
    es_with_tasks *w = with_tasks_new(r->m);
    bool *counts = es_alloc(r->m + 1, sizeof *counts);
    uint32_t *family = es_alloc(r->m + 1, sizeof *family);
    double *y = NULL, *own = NULL;
    ES_FAIL_IF(!w || !counts || !family, es_no_memory(err));
    for (size_t t = 0; t < scores->tasks; t++)
        w->tasks += chosen[t];
    y = es_alloc(w->tasks * r->m + 1, sizeof *y);
    own = es_alloc(2 * r->m + 1, sizeof *own);
    ES_FAIL_IF(!y || !own, es_no_memory(err));
    es_downstream_groups(r, r, decision, counts, family);
    for (size_t i = 0; i < r->m; i++)
        own[i] = counts[i] ? lead[i] : (double)NAN;
    take_tasks(r, lead, counts, scores, chosen, w, y);
    ES_TRY(rank_all(own, y, own + r->m, w, err));
    name_it(w);
    put_in_order(r, w);
    *out = w;
    w = NULL;
done:
    es_with_tasks_free(w);
    es_free(counts);
    es_free(family);
    es_free(y);
    es_free(own);
    return st;
}

es_status es_with_tasks_of(const es_rank_report *report, const es_scores *scores,
                           const bool *chosen, es_with_tasks **out, es_error *err) {
    const es_results *r = report->results;
    double sign = es_rank_lower_is_better(r) ? -1 : 1, *lead = es_alloc(r->m + 1, sizeof *lead);
    bool *all = es_alloc(scores->tasks, sizeof *all);
    es_status st = lead && all ? ES_OK : es_no_memory(err);
    for (size_t i = 0; st == ES_OK && i < r->m; i++)
        lead[i] = sign * report->ranking->score[i];
    for (size_t t = 0; st == ES_OK && t < scores->tasks; t++)
        all[t] = chosen == NULL || chosen[t];
    if (st == ES_OK)
        st = es_with_tasks_new(r, report->decision, lead, scores, all, out, err);
    es_free(lead);
    es_free(all);
    return st;
}
