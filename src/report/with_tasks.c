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

/* Every score against every task. The resamples are the same for all, so that differences within
 * the table are of pairs. */

void es_task_table_free(es_task_table *t) {
    if (t == NULL)
        return;
    es_free(t->y);
    es_free(t->report);
    es_free(t->run);
    es_free(t);
}

static es_status correlate_column(const es_agree_scores *s, es_task_table *t, size_t column,
                                  uint64_t seed, es_error *err) {
    const es_correlate_options options = {.seed = seed, .family = s->family};
    es_agreement *found = NULL;
    es_status st = es_agreement_of_downstream(s->column, s->k, t->y + column * s->n, s->n, &options,
                                              &found, err);
    for (size_t k = 0; st == ES_OK && k < s->k; k++)
        t->report[k * t->columns + column] = found->against[k];
    es_agreement_free(found);
    return st;
}

static void add_value(es_task_run *run, double value) {
    if (!isfinite(value))
        return;
    double before = value - run->mean; /* Welford: equal values have a spread of exactly 0 */
    run->mean += before / (double)++run->n;
    run->squares += before * (value - run->mean);
}

es_status es_task_table_new(const es_agree_scores *s, const es_results *names,
                            const es_scores *tasks, uint64_t seed, es_task_table **out,
                            es_error *err) {
    es_status st = ES_OK;
    size_t unknown = 0;
    es_task_table *t = es_alloc_zero(1, sizeof *t);
    if (t == NULL)
        return es_no_memory(err);
    t->k = s->k;
    t->columns = es_task_columns(tasks);
    t->runs = 1;
    t->report = es_alloc_zero(t->k * t->columns + 1, sizeof *t->report);
    t->run = es_alloc_zero(t->k * t->columns + 1, ES_CORRELATIONS * sizeof *t->run);
    ES_FAIL_IF(!t->report || !t->run, es_no_memory(err));
    ES_TRY(es_agree_scores_tasks(s, names, tasks, &t->y, &unknown, err));
    for (size_t c = 0; c < t->columns; c++)
        ES_TRY(correlate_column(s, t, c, seed, err));
    for (size_t i = 0; i < t->k * t->columns; i++)
        for (size_t kind = 0; kind < ES_CORRELATIONS; kind++)
            add_value(&t->run[i * ES_CORRELATIONS + kind], t->report[i].value[kind].value);
    *out = t;
    t = NULL;
done:
    es_task_table_free(t);
    return st;
}

es_status es_task_table_add_run(es_task_table *t, const es_agree_scores *first,
                                const es_agree_scores *other, es_error *err) {
    es_stat value[ES_CORRELATIONS];
    t->runs++;
    for (size_t k = 0; k < t->k; k++)
        for (size_t o = 0; o < other->k; o++) {
            if (strcmp(first->name[k], other->name[o]) != 0)
                continue;
            for (size_t c = 0; c < t->columns; c++) {
                ES_PASS(es_correlation_all(other->column + o * other->n, t->y + c * other->n,
                                           other->n, value, err));
                for (size_t kind = 0; kind < ES_CORRELATIONS; kind++)
                    add_value(&t->run[(k * t->columns + c) * ES_CORRELATIONS + kind],
                              value[kind].value);
            }
            break;
        }
    return ES_OK;
}

void es_task_table_spread(const es_task_table *t, size_t score, size_t column, es_correlation kind,
                          double *mean, double *sd) {
    const es_task_run *run =
        &t->run[(score * t->columns + column) * ES_CORRELATIONS + (size_t)kind];
    *mean = *sd = (double)NAN;
    if (run->n < 2)
        return;
    *mean = run->mean;
    *sd = sqrt(run->squares / (double)(run->n - 1));
}

/* Percentiles put tasks of different units on one scale: the share of the embedders with a score
 * in that task that are below, ties as half. */

void es_task_kinds_free(es_task_kinds *x) {
    if (x == NULL)
        return;
    es_free(x->kind);
    es_free(x->y);
    es_free(x->community);
    es_free(x);
}

static double weight_of(const es_correlation_set *set, size_t task) {
    return set->scores->about ? set->scores->about[task].weight : 1;
}

/* Weighted mean percentile over the tasks of a category that compare anybody, and how many these
 * are; NULL: over all. out (n). */
static size_t mean_percentiles(const es_correlation_set *set, const char *category, double *out) {
    size_t tasks = 0;
    for (size_t t = 0; t < set->tasks; t++) {
        const char *own = es_score_category(set->scores, t);
        tasks += (category == NULL || (own && strcmp(own, category) == 0)) &&
                 es_task_column_tells(set->y + t * set->n, set->n);
    }
    for (size_t i = 0; i < set->n; i++) {
        double sum = 0, weights = 0;
        for (size_t t = 0; t < set->tasks; t++) {
            const char *own = es_score_category(set->scores, t);
            if (category && !(own && strcmp(own, category) == 0))
                continue;
            double p = es_downstream_percentile(set->y + t * set->n, set->n, i);
            if (isnan(p))
                continue;
            sum += weight_of(set, t) * p;
            weights += weight_of(set, t);
        }
        out[i] = weights > 0 ? es_percentile_mean(sum, weights) : (double)NAN;
    }
    return tasks;
}

static bool is_known(const es_task_kinds *x, const char *category) {
    for (size_t k = 0; k < x->count; k++)
        if (strcmp(x->kind[k].category, category) == 0)
            return true;
    return false;
}

/* Averages tasks by category and correlates each. */
static es_status take_categories(const es_correlation_set *set, const es_correlate_options *options,
                                 es_task_kinds *x, es_error *err) {
    es_correlate_options by_family = *options;
    by_family.family = set->family;
    x->kind = es_alloc_zero(set->tasks, sizeof *x->kind);
    x->y = es_alloc(set->tasks, set->n * sizeof *x->y);
    if (x->kind == NULL || x->y == NULL)
        return es_no_memory(err);
    for (size_t t = 0; t < set->tasks; t++) {
        const char *category = es_score_category(set->scores, t);
        if (category == NULL || is_known(x, category))
            continue;
        double *y = x->y + x->count * set->n;
        es_task_kind *kind = &x->kind[x->count++];
        kind->category = category;
        kind->tasks = mean_percentiles(set, category, y);
        ES_PASS(es_correlate_task(set->score, y, NULL, set->n, &by_family, NULL, NULL,
                                  &kind->report, err));
    }
    return ES_OK;
}

/* Correlates the size of tasks with their agreement. scratch (2, tasks). */
static es_status take_sizes(const es_correlation_set *set, double *scratch, es_task_kinds *x,
                            es_error *err) {
    for (size_t t = 0; t < set->tasks; t++) {
        double size = set->scores->about ? set->scores->about[t].size : (double)NAN;
        scratch[t] = log(size);
        scratch[set->tasks + t] = set->report[t].value[ES_SPEARMAN].value;
        x->sized += isnan(scratch[t]) || isnan(scratch[set->tasks + t]) ? 0 : 1;
    }
    return es_correlate(ES_SPEARMAN, scratch, scratch + set->tasks, set->tasks, &x->size, err);
}

/* Finds the mean percentile downstream of each community. */
static es_status take_communities(const es_correlation_set *set, const uint32_t *community,
                                  double *scratch, es_task_kinds *x, es_error *err) {
    uint32_t last = 0;
    if (community == NULL)
        return ES_OK;
    for (size_t i = 0; i < set->n; i++)
        last = community[set->at[i]] > last ? community[set->at[i]] : last;
    x->community = es_alloc_zero((size_t)last + 1, sizeof *x->community);
    if (x->community == NULL)
        return es_no_memory(err);
    (void)mean_percentiles(set, NULL, scratch);
    for (uint32_t c = 0; c <= last; c++) {
        es_community_reach *reach = &x->community[x->communities];
        double sum = 0, squares = 0;
        *reach = (es_community_reach){.community = c, .sd = (double)NAN};
        for (size_t i = 0; i < set->n; i++)
            if (community[set->at[i]] == c && !isnan(scratch[i])) {
                sum += scratch[i];
                reach->n++;
            }
        if (reach->n == 0)
            continue;
        reach->mean = sum / (double)reach->n;
        for (size_t i = 0; i < set->n; i++)
            if (community[set->at[i]] == c && !isnan(scratch[i]))
                squares += (scratch[i] - reach->mean) * (scratch[i] - reach->mean);
        if (reach->n > 1)
            reach->sd = sqrt(squares / (double)(reach->n - 1));
        x->communities++;
    }
    return ES_OK;
}

es_status es_task_kinds_new(const es_correlation_set *set, const uint32_t *community,
                            const es_correlate_options *options, es_task_kinds **out,
                            es_error *err) {
    es_task_kinds *x = es_alloc_zero(1, sizeof *x);
    double *scratch = es_alloc(set->n + 2 * set->tasks, sizeof *scratch);
    es_status st = ES_OK;
    ES_FAIL_IF(!x || !scratch, es_no_memory(err));
    ES_TRY(take_categories(set, options, x, err));
    ES_TRY(take_sizes(set, scratch, x, err));
    ES_TRY(take_communities(set, community, scratch, x, err));
    *out = x;
    x = NULL;
done:
    es_free(scratch);
    es_task_kinds_free(x);
    return st;
}
