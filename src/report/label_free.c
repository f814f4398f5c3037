/* The table of scores without labels: columns settled against the mean percentile over tasks, and
 * what
 * following each would have cost. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_answer.h"

enum { FIRST = 5 };

es_status es_label_free_init(es_label_free *x, es_session *session, const es_results *names,
                             es_error *err) {
    *x = (es_label_free){0};
    es_status st = es_agree_scores_init(&x->scores, session, names, err);
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
        x->compared++;
    }
}

/* The predictive score. */
static size_t ranking_of(const es_agree_scores *s) {
    size_t k = 0;
    while (k < s->k && strcmp(s->name[k], "predictive") != 0)
        k++;
    return k < s->k ? k : SIZE_MAX;
}

/* Tasks that tell embedders apart to the front of y (tasks, n), of the embedders that have a
 * downstream value. Returns how many. */
static size_t keep_telling(const es_agree_scores *s, size_t tasks, double *y) {
    size_t kept = 0;
    for (size_t t = 0; t < tasks; t++) {
        double *from = y + t * s->n;
        for (size_t i = 0; i < s->n; i++)
            from[i] = isfinite(s->downstream[i]) ? from[i] : (double)NAN;
        if (es_task_column_tells(from, s->n))
            memmove(y + kept++ * s->n, from, s->n * sizeof *y);
    }
    return kept;
}

/* What a score says of a task, counted in other tasks. */
static es_status take_worth(const es_agree_scores *s, const double *y, size_t tasks,
                            es_label_free_row *rival, es_error *err) {
    es_worth worth = {0};
    rival->worth = (double)NAN;
    if (tasks < ES_DOWNSTREAM_WORTH)
        return ES_OK;
    es_status st = es_worth_of(s->column + rival->column * s->n, y, tasks, s->n, &worth, err);
    if (st == ES_OK)
        rival->worth = worth.tasks > (double)(tasks - 1) ? (double)(tasks - 1) : worth.tasks;
    return st;
}

/* Every score against one task at a time, and other tasks against it. */
static es_status task_by_task(es_label_free *x, const es_results *names, const es_scores *scores,
                              uint64_t seed, es_error *err) {
    es_agree_scores *s = &x->scores;
    double *y = NULL;
    size_t unknown = 0;
    es_status st = ES_OK;
    ES_TRY(es_agree_scores_tasks(s, names, scores, &y, &unknown, err));
    size_t tasks = keep_telling(s, scores->tasks, y);
    for (size_t k = 0; k < s->k; k++)
        ES_TRY(
            es_worth_with_task(s->column + k * s->n, y, tasks, s->n, &x->rival[k].each_task, err));
    for (size_t k = 0; k < s->k; k++)
        ES_TRY(take_worth(s, y, tasks, &x->rival[k], err));
    x->ranking = ranking_of(s);
    ES_TRY(es_task_baselines_of(x->ranking < s->k ? s->column + x->ranking * s->n : NULL, y, tasks,
                                s->n, seed, x->baseline, &x->baselines, err));
done:
    es_free(y);
    return st;
}

es_status es_label_free_settle(es_label_free *x, const es_results *names, const es_scores *scores,
                               uint64_t seed, size_t *unknown, es_error *err) {
    es_agree_scores *s = &x->scores;
    ES_PASS(es_agree_scores_against_ranks(s, names, scores, unknown, err));
    ES_PASS(es_agree_scores_settle_against(s, seed, err));
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
    es_status st = task_by_task(x, names, scores, seed, err);
    sort(x);
    place(x);
    return st;
}
