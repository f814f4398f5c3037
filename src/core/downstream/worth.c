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

/* Means over settings, and a least-squares slope for each of them. */

/* Scores of one setting to z, NaN where they differ by no more than rounding; how many are known.
 */
static size_t standardise(const double *score, size_t n, double *z) {
    double mean = 0, square = 0;
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(score[i])) {
            mean += score[i];
            known++;
        }
    mean /= known > 0 ? (double)known : 1;
    for (size_t i = 0; i < n; i++)
        if (isfinite(score[i]))
            square += (score[i] - mean) * (score[i] - mean);
    double sd = known > 1 ? sqrt(square / (double)(known - 1)) : 0;
    for (size_t i = 0; i < n; i++)
        z[i] = sd > 1e-12 * fabs(mean) && isfinite(score[i]) ? (score[i] - mean) / sd : (double)NAN;
    return known;
}

/* Adds the ranks of one setting to sum and count. scratch (2 n), which (n). */
static es_status add_ranks(const double *score, size_t n, double *scratch, size_t *which,
                           double *sum, size_t *count, es_error *err) {
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(score[i])) {
            scratch[known] = -score[i];
            which[known++] = i;
        }
    es_status st = es_stat_midranks_within(scratch, known, 1e-12, scratch + n, err);
    for (size_t k = 0; st == ES_OK && k < known; k++) {
        sum[which[k]] += scratch[n + k];
        count[which[k]]++;
    }
    return st;
}

es_status es_rivals_summarise(const double *score, size_t settings, size_t rivals, double *z,
                              double *mean_z, double *mean_rank, es_error *err) {
    double *scratch = es_alloc(2 * rivals, sizeof *scratch);
    size_t *which = es_alloc(rivals, sizeof *which), *count = es_alloc_zero(rivals, sizeof *count);
    es_status st = ES_OK;
    ES_FAIL_IF(!scratch || !which || !count, es_no_memory_for(err, "%zu rivals", rivals));
    for (size_t i = 0; i < rivals; i++)
        mean_z[i] = mean_rank[i] = 0;
    for (size_t s = 0; s < settings; s++) {
        (void)standardise(score + s * rivals, rivals, z + s * rivals);
        ES_TRY(add_ranks(score + s * rivals, rivals, scratch, which, mean_rank, count, err));
    }
    for (size_t i = 0; i < rivals; i++) {
        size_t known = 0;
        for (size_t s = 0; s < settings; s++)
            if (isfinite(z[s * rivals + i])) {
                mean_z[i] += z[s * rivals + i];
                known++;
            }
        mean_z[i] = known > 0 ? mean_z[i] / (double)known : (double)NAN;
        mean_rank[i] = count[i] > 0 ? mean_rank[i] / (double)count[i] : (double)NAN;
    }
done:
    es_free(scratch);
    es_free(which);
    es_free(count);
    return st;
}

/* Of y[rival[i]] on x[i]; NaN: fewer than two different x are known. */
static double slope_of(const double *y, const size_t *rival, const double *x, size_t count) {
    double n = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(y[rival[i]])) {
            n += 1;
            mean_x += x[i];
            mean_y += y[rival[i]];
        }
    if (n < 2)
        return (double)NAN;
    mean_x /= n;
    mean_y /= n;
    for (size_t i = 0; i < count; i++)
        if (isfinite(y[rival[i]])) {
            xx += (x[i] - mean_x) * (x[i] - mean_x);
            xy += (x[i] - mean_x) * (y[rival[i]] - mean_y);
        }
    return xx > 0 ? xy / xx : (double)NAN;
}

es_rivals_slope es_rivals_slope_of(const double *z, size_t settings, size_t of, const size_t *rival,
                                   const double *x, size_t count) {
    const double unknown = (double)NAN;
    es_rivals_slope out = {0, unknown, unknown, unknown, unknown, unknown};
    double sum = 0, square = 0;
    for (size_t s = 0; s < settings; s++) {
        double slope = slope_of(z + s * of, rival, x, count);
        if (isfinite(slope)) {
            sum += slope;
            out.settings++;
        }
    }
    if (out.settings == 0)
        return out;
    double n = (double)out.settings;
    out.mean = sum / n;
    for (size_t s = 0; s < settings; s++) {
        double slope = slope_of(z + s * of, rival, x, count);
        if (isfinite(slope))
            square += (slope - out.mean) * (slope - out.mean);
    }
    if (out.settings < 2)
        return out;
    double error = sqrt(square / (n - 1) / n), reach = es_student_quantile(0.975, out.settings - 1);
    out.low = out.mean - reach * error;
    out.high = out.mean + reach * error;
    if (error > 0) {
        out.t = out.mean / error;
        out.p = 2 * (1 - es_student_cdf(fabs(out.t), out.settings - 1));
    }
    return out;
}
