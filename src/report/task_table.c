/* Every score against every task. The resamples are the same for all, so that differences within
 * the table are of pairs. */
#include "report.h"

#include <math.h>
#include <string.h>

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
