/* How often the columns of a source repeat each other, for factors in which copies count once. The
 * power 16 of a correlation is 0.85 at 0.99 and 0.03 at 0.8: columns that are merely related keep
 * their weight. */
#include "core_estimators_parts.h"

#include <math.h>

size_t es_ridge_columns(const es_fold_data *source, const double *mean, const double *weight,
                        size_t j, double *block) {
    size_t n = source->n_train, d = source->d, left = d - j;
    size_t count = left < ES_RIDGE_COLUMNS ? left : ES_RIDGE_COLUMNS;
    for (size_t c = 0; c < count; c++) {
        double factor = weight ? weight[j + c] : 1;
        for (size_t i = 0; i < n; i++)
            block[c * n + i] = ((double)source->train[i * d + j + c] - mean[j + c]) * factor;
    }
    return count;
}

static double power16(double r) {
    double square = r * r, fourth = square * square, eighth = fourth * fourth;
    return eighth * eighth;
}

void es_ridge_count_once(size_t d, double *covariance, double *weight) {
    for (size_t j = 0; j < d; j++)
        weight[j] = 1;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < i; j++) {
            double product = covariance[i * d + i] * covariance[j * d + j];
            double alike = product > 0 ? power16(covariance[i * d + j] / sqrt(product)) : 0;
            weight[i] += alike;
            weight[j] += alike;
        }
    for (size_t j = 0; j < d; j++)
        weight[j] = 1 / sqrt(weight[j]);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++)
            covariance[i * d + j] *= weight[i] * weight[j];
}

/* scale (d): 1 / length of each centred column. */
static void lengths(const es_fold_data *source, const double *mean, double *block, double *scale) {
    size_t n = source->n_train;
    for (size_t j = 0; j < source->d; j += ES_RIDGE_COLUMNS) {
        size_t count = es_ridge_columns(source, mean, NULL, j, block);
        for (size_t c = 0; c < count; c++) {
            double square = 0;
            for (size_t i = 0; i < n; i++)
                square += block[c * n + i] * block[c * n + i];
            scale[j + c] = square > 0 ? 1 / sqrt(square) : 0;
        }
    }
}

/* Adds the powers of the correlations (columns_a, columns_b) of two blocks of columns. */
static void add_powers(const double *r, size_t columns_a, size_t columns_b, bool same,
                       double *sum_a, double *sum_b) {
    for (size_t i = 0; i < columns_a; i++)
        for (size_t j = 0; j < columns_b; j++) {
            double alike = same && i == j ? 1 : power16(r[i * columns_b + j]);
            sum_a[i] += alike;
            if (!same)
                sum_b[j] += alike;
        }
}

es_status es_ridge_count_columns(const es_fold_data *source, const double *mean, double *weight,
                                 es_run *run, es_error *err) {
    enum { C = ES_RIDGE_COLUMNS };
    size_t n = source->n_train, d = source->d;
    double *a = es_alloc_aligned((2 * n + C) * C, sizeof *a), *scale = es_alloc(d, sizeof *scale);
    es_status st = a && scale ? ES_OK : es_no_memory_for(err, "correlations of %zu columns", d);
    double *b = a ? a + C * n : NULL, *r = a ? b + C * n : NULL;
    if (st == ES_OK)
        lengths(source, mean, a, scale);
    for (size_t j = 0; st == ES_OK && j < d; j++)
        weight[j] = 0;
    for (size_t i = 0; i < d && st == ES_OK; i += C) {
        size_t rows = es_ridge_columns(source, mean, scale, i, a);
        for (size_t j = 0; j <= i && st == ES_OK; j += C) {
            size_t columns = es_ridge_columns(source, mean, scale, j, b);
            es_dgemm(false, true, rows, columns, n, a, b, r);
            add_powers(r, rows, columns, i == j, weight + i, weight + j);
            st = es_run_check(run, err);
        }
    }
    for (size_t j = 0; st == ES_OK && j < d; j++)
        weight[j] = 1 / sqrt(weight[j]);
    es_free(a);
    es_free(scale);
    return st;
}
