/* Means over settings, and a least-squares slope for each of them. */
#include "core_downstream.h"

#include <math.h>

#include "core_numerics.h"

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
