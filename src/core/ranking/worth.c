/* The worth of a score in labelled tasks, by the correlation that a mean of k tasks reaches, and
 * means of normal scores. */
#include "worth.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "embedscope/stat.h"
#include "stats.h"

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
    return c <= q * q ? (double)INFINITY : q * q * (1 - c) / (c * (c - q * q));
}

es_status es_worth_of(const double *score, const double *task, size_t tasks, size_t n,
                      es_worth *out, es_error *err) {
    es_status st = ES_OK;
    size_t taken = tasks < ES_WORTH_TASKS ? tasks : ES_WORTH_TASKS, with = 0, pairs = 0;
    double *x = es_alloc(2 * n + 1, sizeof *x), q = 0, c = 0;
    if (x == NULL)
        return es_no_memory(err);
    for (size_t a = 0; a < taken; a++) {
        const double *own = task + a * tasks / taken * n;
        ES_TRY(add(score, own, n, x, x + n, &q, &with, err));
        for (size_t b = 0; b < a; b++)
            ES_TRY(add(own, task + b * tasks / taken * n, n, x, x + n, &c, &pairs, err));
    }
    q = with > 0 ? q / (double)with : (double)NAN;
    c = pairs > 0 ? c / (double)pairs : (double)NAN;
    *out = (es_worth){.with_task = q, .between = c, .tasks = tasks_worth(q, c)};
done:
    es_free(x);
    return st;
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
