/* The plain twins: each loop is the formula of its line in core_numerics.h, evaluated in double and
 * rounded once, so that they are as right as float storage allows. */
#include "core_numerics.h"

#include <math.h>

static void exp_row(const float *x, float *out, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (float)exp((double)x[i]);
}

static void tanh_row(const float *x, float *out, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (float)tanh((double)x[i]);
}

static void log_row(const float *x, float *out, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (float)log((double)x[i]);
}

static void put(float *at, double value, float *sum) {
    *at = (float)value;
    if (sum)
        *sum += *at;
}

static double gauss(float *o, const float *b, const float *offset, const float *y, size_t d,
                    float range, bool gradient, float scale, float *sum) {
    double total = 0, R = (double)range;
    for (size_t j = 0; j < d; j++) {
        double z = (double)y[j] - ((double)o[j] + (double)b[j]);
        double l = (double)o[d + j] + (double)b[d + j] + (offset ? (double)offset[j] : 0);
        double bend = tanh(l / R), t = R * bend;
        double precision = exp(2 * t);
        total += t - precision * z * z / 2;
        if (gradient) {
            put(o + j, (double)scale * precision * z, sum ? sum + j : NULL);
            put(o + d + j, (double)scale * (1 - bend * bend) * (1 - precision * z * z),
                sum ? sum + d + j : NULL);
        }
    }
    return total;
}

static double bernoulli(float *o, const float *b, const float *offset, const float *y, size_t d,
                        float slope, bool gradient, float scale, float *sum) {
    double total = 0;
    for (size_t j = 0; j < d; j++) {
        double sign = y[j] > 0.5F ? (double)slope : -(double)slope;
        double a = sign * ((double)o[j] + (double)b[j] + (offset ? (double)offset[j] : 0));
        double q = 1 / (1 + exp(-a)), rest = 1 / (1 + exp(a)); /* 1 - q loses digits */
        total += log(q + (double)ES_MASS_FLOOR);
        if (gradient)
            put(o + j, (double)scale * sign * rest * (q / (q + (double)ES_MASS_FLOOR)),
                sum ? sum + j : NULL);
    }
    return total;
}

static void scale_sum(float *x, float a, float *sum, size_t n) {
    for (size_t i = 0; i < n; i++) {
        x[i] *= a;
        sum[i] += x[i];
    }
}

static void activate(float *x, const float *bias, bool relu, size_t n) {
    for (size_t i = 0; i < n; i++) {
        x[i] += bias[i];
        if (relu && x[i] < 0)
            x[i] = 0;
    }
}

static float normalize(const float *x, float *hat, size_t n) {
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        mean += (double)x[i];
    mean /= (double)n;
    for (size_t i = 0; i < n; i++)
        square += ((double)x[i] - mean) * ((double)x[i] - mean);
    double factor = 1 / sqrt(square / (double)n + 1e-5);
    for (size_t i = 0; i < n; i++)
        hat[i] = (float)(((double)x[i] - mean) * factor);
    return (float)factor;
}

static void activate_back(float *d, const float *x, const float *hat, float factor, bool relu,
                          float *sum, size_t n) {
    double mean = 0, along = 0;
    for (size_t i = 0; hat && i < n; i++) {
        mean += (double)d[i] / (double)n;
        along += (double)d[i] * (double)hat[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        if (hat)
            d[i] = (float)((double)factor * ((double)d[i] - mean - (double)hat[i] * along));
        if (relu && !(x[i] > 0))
            d[i] = 0;
        sum[i] += d[i];
    }
}

static void adam(const es_adam_row *row, size_t n, const es_adam_step *step) {
    for (size_t i = 0; i < n; i++) {
        float g = row->g[i];
        if (row->gain) {
            row->d_gain[i] += row->p[i] * g;
            row->d_shift[i] += row->p[i] * row->delta;
            g = g * row->gain[i] + row->delta * row->shift[i];
        }
        row->m[i] = step->beta1 * row->m[i] + (1 - step->beta1) * g;
        row->v[i] = step->beta2 * row->v[i] + (1 - step->beta2) * g * g;
        row->p[i] -= step->rate * row->m[i] / (step->root * sqrtf(row->v[i]) + step->eps);
    }
}

static void product(size_t m, size_t n, size_t k, const float *a, size_t row, size_t step,
                    const float *b, size_t ldb, float *c, size_t ldc) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t l = 0; l < k; l++)
                sum += (double)a[i * row + l * step] * (double)b[l * ldb + j];
            c[i * ldc + j] = (float)sum;
        }
}

static float fold(const float *p, const float *gain, const float *shift, float *folded, size_t n) {
    double dot = 0;
    for (size_t i = 0; i < n; i++) {
        dot += (double)p[i] * (double)shift[i];
        folded[i] = p[i] * gain[i];
    }
    return (float)dot;
}

static double misfit(const float *y, const float *p, const float *weight, size_t n) {
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        double e = (double)y[i] - (double)p[i];
        total += e * e * (double)weight[i];
    }
    return total;
}

static double widened(const float *y, const float *p, const float *inverse, const float *log_,
                      float wider, float least, size_t n) {
    double most = 1 / (double)least, more = log((double)wider), floor_ = log((double)least);
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        double e = (double)y[i] - (double)p[i], weight = (double)inverse[i] / (double)wider;
        double spread = (double)log_[i] + more;
        total += e * e * (weight < most ? weight : most) + (spread > floor_ ? spread : floor_);
    }
    return total;
}

const es_simd es_simd_ref = {exp_row,   tanh_row, log_row,   gauss,         bernoulli,
                             scale_sum, activate, normalize, activate_back, adam,
                             product,   fold,     misfit,    widened};
