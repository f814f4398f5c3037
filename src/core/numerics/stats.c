/* Order statistics by selection, ranks with ties, and the normal and Student's distributions: a
 * finite sum for few degrees of freedom, the continued fraction of the incomplete beta function
 * beyond. */
#include "core_numerics.h"

#include <assert.h>
#include <math.h>

const char ES_WHY_CONSTANT[] = "constant";
const char ES_WHY_FEW[] = "n < 3";
const char ES_WHY_EMPTY[] = "no values";

es_stat es_stat_of(double value) {
    return (es_stat){value, NULL};
}

es_stat es_stat_undefined(const char *why) {
    return (es_stat){NAN, why};
}

size_t es_stat_finite(const double *v, size_t n, double *out) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(v[i]))
            out[kept++] = v[i];
    return kept;
}

/* The smallest of v[k..n), where es_select has put v[k - 1] in its place. */
static double smallest(const double *v, size_t k, size_t n) {
    double low = v[k];
    for (size_t i = k + 1; i < n; i++)
        low = v[i] < low ? v[i] : low;
    return low;
}

double es_stat_median(double *v, size_t n) {
    return es_stat_quantile(v, n, 0.5);
}

double es_stat_quantile(double *v, size_t n, double q) {
    assert(q >= 0 && q <= 1);
    if (n == 0)
        return NAN;
    double position = q * (double)(n - 1);
    size_t k = (size_t)position;
    double part = position - (double)k, below = es_select(v, n, k);
    if (part <= 0 || k + 1 >= n)
        return below;
    double above = smallest(v, k + 1, n);
    return part == 0.5 ? 0.5 * below + 0.5 * above : below + part * (above - below);
}

double es_stat_mean(const double *v, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    if (n == 0)
        return NAN;
    return sum / (double)n;
}

es_status es_stat_midranks(const double *x, size_t n, double *rank, es_error *err) {
    return es_stat_midranks_within(x, n, 0, rank, err);
}

/* Few are counted sooner than put in order. */
static bool count_ranks(const double *x, size_t n, double *rank) {
    enum { FEW = 12 };
    if (n > FEW)
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t twice = 1;
        if (isnan(x[i]))
            return false;
        for (size_t k = 0; k < n; k++)
            twice += (size_t)(x[k] < x[i]) + (size_t)(x[k] <= x[i]);
        rank[i] = 0.5 * (double)twice;
    }
    return true;
}

es_status es_stat_midranks_within(const double *x, size_t n, double tolerance, double *rank,
                                  es_error *err) {
    if (tolerance == 0 && count_ranks(x, n, rank))
        return ES_OK;
    uint32_t *index = es_alloc(n, 2 * sizeof *index);
    if (!index)
        return es_no_memory_for(err, "%zu values", n);
    es_sort_order(x, index, index + n, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && x[index[end]] - x[index[end - 1]] <= tolerance;)
            end++;
        for (size_t k = i; k < end; k++)
            rank[index[k]] = 0.5 * (double)(i + 1 + end);
    }
    es_free(index);
    return ES_OK;
}

double es_normal_cdf(double z) {
    return 0.5 * erfc(-z * 0.70710678118654752440);
}

/* Finite sums for whole degrees of freedom: Abramowitz and Stegun, 26.7.3 and 26.7.4. O(df). */
static double student_sum(double t, size_t df) {
    double theta = atan(t / sqrt((double)df)), c = cos(theta), s = sin(theta);
    bool odd = df % 2 == 1;
    double term = odd ? c : 1, sum = 0;
    for (size_t k = odd ? 3 : 2; k <= df; k += 2) {
        sum += term;
        term *= c * c * (double)(k - 1) / (double)k;
    }
    const double half_pi = 1.57079632679489661923;
    double within = odd ? (theta + s * sum) / half_pi : s * sum;
    return 0.5 + 0.5 * within;
}

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8), from the
 * front by Lentz's method. O(sqrt(max(a, b))) steps where x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x) {
    enum { MOST_STEPS = 100000 };
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d;
    for (int m = 1; m < MOST_STEPS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        value *= c * d;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        value *= c * d;
        if (fabs(c * d - 1) < 4e-16)
            break;
    }
    return value;
}

/* Ratio of the gamma functions of a + 1/2 and a; the asymptotic series is good to 1e-11 from 50 on.
 */
static double gamma_ratio(double a) {
    enum { SERIES_FROM = 50 };
    return a < SERIES_FROM ? tgamma(a + 0.5) / tgamma(a)
                           : exp(0.5 * log(a) - 1 / (8 * a) + 1 / (192 * a * a * a));
}

/* By the incomplete beta function (26.7.1). */
double es_student_tail(double t, double df) {
    double a = 0.5 * df, x = df / (df + t * t), y = t * t / (df + t * t);
    double front = gamma_ratio(a) * exp(-a * log1p(t * t / df)) * sqrt(y / 3.14159265358979323846);
    return x < (a + 1) / (a + 2.5) ? front * beta_fraction(a, 0.5, x) / a
                                   : 1 - 2 * front * beta_fraction(0.5, a, y);
}

double es_student_cdf(double t, size_t df) {
    enum { SUM_MOST = 400 };
    if (df <= SUM_MOST)
        return student_sum(t, df);
    double outside = es_student_tail(t, (double)df);
    return t < 0 ? 0.5 * outside : 1 - 0.5 * outside;
}

typedef double (*cdf)(double x, size_t df);

static double normal(double z, size_t df) {
    (void)df;
    return es_normal_cdf(z);
}

/* Bisection on a distribution function; 200 halvings reach the last bit from any start. */
static double invert(cdf f, double p, size_t df) {
    double low = -1, high = 1;
    while (f(low, df) > p)
        low *= 2;
    while (f(high, df) < p)
        high *= 2;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + 0.5 * (high - low);
        if (middle <= low || middle >= high)
            break;
        if (f(middle, df) < p)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

double es_normal_quantile(double p) {
    assert(p > 0 && p < 1);
    return invert(normal, p, 0);
}

double es_student_quantile(double p, size_t df) {
    assert(p > 0 && p < 1 && df >= 1);
    return invert(es_student_cdf, p, df);
}
