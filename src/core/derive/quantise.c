/* Values in fewer bits: levels from the columns' ranges, means and standard deviations. */
#include <math.h>
#include <string.h>

#include "core_derive.h"

enum { ARRAYS = 7 };

/* Step of 16 levels, in standard deviations: Max, "Quantizing for minimum distortion", IRE
 * Transactions on Information Theory 6 (1960), table II. */
static const double STEP_OF_16 = 0.3352;
static const double LARGEST_HALF = 65504;

const char *es_derive_storage(unsigned bits) {
    switch (bits) {
    case 0:
    case 32:
        return "float32";
    case 16:
        return "float16";
    case 8:
        return "int8";
    case 4:
        return "int4";
    case 1:
        return "binary";
    default:
        return NULL;
    }
}

es_status es_quantiser_new(unsigned bits, size_t d, es_quantiser *out, es_error *err) {
    es_quantiser q = {.bits = bits, .d = d};
    if (es_derive_storage(bits) == NULL)
        return es_fail(err, ES_EINVAL, "values are stored in 32, 16, 8, 4 or 1 bits, not %u", bits);
    q.low = es_alloc_zero(d, ARRAYS * sizeof *q.low);
    if (!q.low)
        return es_no_memory_for(err, "%zu columns", d);
    double **const part[] = {&q.high, &q.first, &q.sum, &q.square, &q.centre, &q.step};
    for (size_t i = 0; i + 1 < ARRAYS; i++)
        *part[i] = q.low + (i + 1) * d;
    *out = q;
    return ES_OK;
}

void es_quantiser_free(es_quantiser *q) {
    es_free(q->low);
    *q = (es_quantiser){0};
}

void es_quantiser_take(es_quantiser *q, const double *x, size_t count) {
    if (q->n == 0 && count > 0)
        for (size_t j = 0; j < q->d; j++)
            q->low[j] = q->high[j] = q->first[j] = x[j];
    q->n += count;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < q->d; j++) {
            double v = x[i * q->d + j], e = v - q->first[j];
            q->low[j] = v < q->low[j] ? v : q->low[j];
            q->high[j] = v > q->high[j] ? v : q->high[j];
            q->sum[j] += e;
            q->square[j] += e * e;
        }
}

void es_quantiser_settle(es_quantiser *q) {
    double n = q->n > 0 ? (double)q->n : 1, levels = (double)(1U << (q->bits & 15));
    for (size_t j = 0; j < q->d; j++) {
        double mean = q->sum[j] / n, variance = q->square[j] / n - mean * mean;
        double narrow = STEP_OF_16 * sqrt(variance > 0 ? variance : 0);
        q->step[j] = (q->high[j] - q->low[j]) / levels;
        q->centre[j] = q->low[j] + (q->high[j] - q->low[j]) / 2;
        if (q->bits == 1 || (q->bits == 4 && narrow < q->step[j])) {
            q->step[j] = narrow;
            q->centre[j] = q->first[j] + mean;
        }
    }
}

/* The nearest number of 11 significant bits; below 2^-14 the nearest multiple of 2^-24. */
static double round_half(double x) {
    int exponent;
    if (fabs(x) >= LARGEST_HALF)
        return copysign(LARGEST_HALF, x);
    (void)frexp(x, &exponent);
    double unit = ldexp(1, exponent < -13 ? -24 : exponent - 11);
    return nearbyint(x / unit) * unit;
}

/* The middle of the level that x lies in. */
static double round_level(double x, double centre, double step, double half) {
    if (!(step > 0))
        return centre;
    double level = floor((x - centre) / step);
    level = level < -half ? -half : level > half - 1 ? half - 1 : level;
    return centre + (level + 0.5) * step;
}

void es_quantiser_apply(const es_quantiser *q, double *x, size_t count) {
    double half = (double)(1U << (q->bits & 15)) / 2;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < q->d; j++) {
            double *v = x + i * q->d + j;
            if (q->bits == 16)
                *v = round_half(*v);
            else if (q->bits == 1)
                *v = *v > q->centre[j] ? 1 : -1;
            else if (q->bits < 16)
                *v = round_level(*v, q->centre[j], q->step[j], half);
        }
}
