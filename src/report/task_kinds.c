/* Percentiles put tasks of different units on one scale: the share of the embedders with a score
 * in that task that are below, ties as half. */
#include "report.h"

#include <math.h>
#include <string.h>

#include "report_answer.h"

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
