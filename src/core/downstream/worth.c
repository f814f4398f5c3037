/* The worth of a score in labelled tasks, by the correlation that a mean of k tasks reaches, and
 * means of normal scores. */
#include "core_downstream.h"

#include <math.h>
#include <string.h>

#include "core_numerics.h"

/* Adds Spearman's rho over the embedders with both values, if three have them. x, y: scratch. */
static es_status add(const double *a, const double *b, size_t n, double *x, double *y, double *sum,
                     size_t *count, es_error *err) {
    size_t both = 0;
    es_stat rho;
    for (size_t i = 0; i < n; i++)
        if (isfinite(a[i]) && isfinite(b[i])) {
            x[both] = a[i];
            y[both++] = b[i];
        }
    if (both < 3)
        return ES_OK;
    es_status st = es_correlate(ES_SPEARMAN, x, y, both, &rho, err);
    if (st == ES_OK && !rho.why) {
        *sum += rho.value;
        ++*count;
    }
    return st;
}

static double tasks_worth(double q, double c) {
    if (isnan(q) || isnan(c))
        return (double)NAN;
    if (q <= 0)
        return 0;
    return c <= q * q ? (double)INFINITY : q * q * fmax(1 - c, 0) / (c * (c - q * q));
}

/* Task number t of those that are taken. */
static const double *taken(const double *task, size_t tasks, size_t n, size_t t) {
    return tasks <= ES_WORTH_TASKS ? task + t * n : task + t * tasks / ES_WORTH_TASKS * n;
}

static size_t taken_of(size_t tasks) {
    return tasks < ES_WORTH_TASKS ? tasks : ES_WORTH_TASKS;
}

es_status es_worth_with_task(const double *score, const double *task, size_t tasks, size_t n,
                             double *out, es_error *err) {
    es_status st = ES_OK;
    size_t count = 0;
    double *x = es_alloc(2 * n + 1, sizeof *x), sum = 0;
    if (x == NULL)
        return es_no_memory(err);
    for (size_t t = 0; t < taken_of(tasks); t++)
        ES_TRY(add(score, taken(task, tasks, n, t), n, x, x + n, &sum, &count, err));
    *out = count > 0 ? sum / (double)count : (double)NAN;
done:
    es_free(x);
    return st;
}

static es_status between_tasks(const double *task, size_t tasks, size_t n, double *out,
                               es_error *err) {
    es_status st = ES_OK;
    size_t count = 0;
    double *x = es_alloc(2 * n + 1, sizeof *x), sum = 0;
    if (x == NULL)
        return es_no_memory(err);
    for (size_t a = 0; a < taken_of(tasks); a++)
        for (size_t b = 0; b < a; b++)
            ES_TRY(add(taken(task, tasks, n, a), taken(task, tasks, n, b), n, x, x + n, &sum,
                       &count, err));
    *out = count > 0 ? sum / (double)count : (double)NAN;
done:
    es_free(x);
    return st;
}

/* Embedders with the score and a task. */
static size_t with_both(const double *score, const double *task, size_t tasks, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t t = 0;
        while (t < tasks && !isfinite(task[t * n + i]))
            t++;
        count += isfinite(score[i]) && t < tasks;
    }
    return count;
}

es_status es_worth_of(const double *score, const double *task, size_t tasks, size_t n,
                      es_worth *out, es_error *err) {
    es_worth found;
    ES_PASS(es_worth_with_task(score, task, tasks, n, &found.with_task, err));
    ES_PASS(between_tasks(task, tasks, n, &found.between, err));
    bool few = with_both(score, task, tasks, n) < ES_CORRELATE_ENOUGH;
    found.tasks = few ? (double)NAN : tasks_worth(found.with_task, found.between);
    *out = found;
    return ES_OK;
}

es_status es_normal_scores(const double *v, size_t n, double *out, es_error *err) {
    double *known = es_alloc(2 * n + 1, sizeof *known), *rank = known ? known + n : NULL;
    if (known == NULL)
        return es_no_memory(err);
    size_t count = es_stat_finite(v, n, known), at = 0;
    es_status st = es_stat_midranks(known, count, rank, err);
    for (size_t i = 0; st == ES_OK && i < n; i++)
        out[i] =
            isfinite(v[i]) ? es_normal_quantile((rank[at++] - 0.5) / (double)count) : (double)NAN;
    es_free(known);
    return st;
}

es_status es_combine_tasks(const double *score, double weight, const double *task, size_t tasks,
                           size_t n, double *out, es_error *err) {
    es_status st = ES_OK;
    double *one = es_alloc(n + 1, sizeof *one);
    double all = (double)tasks + (score ? weight : 0);
    if (one == NULL)
        return es_no_memory(err);
    memset(out, 0, n * sizeof *out);
    for (size_t t = 0; t < tasks; t++) {
        ES_TRY(es_normal_scores(task + t * n, n, one, err));
        for (size_t i = 0; i < n; i++)
            out[i] += isnan(one[i]) ? 0 : one[i] / all;
    }
    if (score == NULL)
        goto done;
    ES_TRY(es_normal_scores(score, n, one, err));
    for (size_t i = 0; i < n; i++)
        out[i] += weight * one[i] / all; /* NaN stays */
done:
    es_free(one);
    return st;
}
