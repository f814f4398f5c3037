/* Intrinsic dimension from distances to the nearest neighbours: TwoNN (Facco et al., Scientific
 * Reports 2017) and Levina and Bickel's estimate (NeurIPS 2004) with MacKay and Ghahramani's way
 * to average it. */
#include "core_methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 10000, LEAST = 25, K_FROM = 10, K_TO = 20 };

/* A row with its content's hash, so that equal rows meet when sorted. */
typedef struct hashed {
    uint64_t hash;
    uint32_t row;
} hashed;

static int by_hash(const void *x, const void *y) {
    const hashed *a = x, *b = y;
    int order = (a->hash > b->hash) - (a->hash < b->hash);
    return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

static uint64_t hash_row(const double *x, size_t d) {
    uint64_t h = 1469598103934665603u;
    for (size_t j = 0; j < d; j++) {
        uint64_t word = 0;
        double v = x[j] == 0 ? 0 : x[j]; /* -0 equals 0 */
        memcpy(&word, &v, sizeof word);
        h = (h ^ (word >> 32) ^ word) * 1099511628211u;
        h ^= h >> 29;
    }
    return h;
}

static bool same_row(const es_matrix *m, uint32_t a, uint32_t b) {
    for (size_t j = 0; j < m->d; j++)
        if (m->x[a * m->d + j] != m->x[b * m->d + j])
            return false;
    return true;
}

/* Rows that differ from all before them, ascending. */
static es_status different_rows(const es_matrix *m, uint32_t *rows, size_t *count, es_error *err) {
    hashed *list = es_alloc(m->n, sizeof *list);
    bool *repeated = es_alloc_zero(m->n, sizeof *repeated);
    es_status st = ES_OK;
    ES_FAIL_IF(!list || !repeated, es_no_memory_for(err, "%zu rows", m->n));
    for (size_t i = 0; i < m->n; i++)
        list[i] = (hashed){hash_row(m->x + i * m->d, m->d), (uint32_t)i};
    qsort(list, m->n, sizeof *list, by_hash);
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = i; j-- > 0 && list[j].hash == list[i].hash && !repeated[list[i].row];)
            repeated[list[i].row] = !repeated[list[j].row] && same_row(m, list[i].row, list[j].row);
    *count = 0;
    for (size_t i = 0; i < m->n; i++)
        if (!repeated[i])
            rows[(*count)++] = (uint32_t)i;
done:
    es_free(list);
    es_free(repeated);
    return st;
}

/* distance, tied (n, width) ascending; order, scratch and mu are (n). What is left of a ratio of
 * two equal distances is rounding, which a slope must not hang on. */
static void two_nn(const double *distance, const bool *tied, size_t n, size_t width, double *mu,
                   uint32_t *order, uint32_t *scratch, es_intrinsic *out) {
    double sum = 0, xy = 0, xx = 0;
    for (size_t i = 0; i < n; i++) {
        mu[i] = tied[i * width] ? 0 : log(distance[i * width + 1] / distance[i * width]);
        out->tied += tied[i * width];
        sum += mu[i];
    }
    es_sort_order(mu, order, scratch, n);
    size_t used = (size_t)((double)n * 0.9);
    for (size_t i = 0; i < used; i++) {
        double x = mu[order[i]], y = -log(1 - (double)(i + 1) / (double)n);
        xy += x * y;
        xx += x * x;
    }
    out->two_nn = xy / xx;
    out->two_nn_mle = (double)n / sum;
    out->two_nn_unbiased = (double)(n - 1) / sum;
}

static void levina_bickel(const double *distance, size_t n, size_t width, es_intrinsic *out) {
    double direct = 0, inverse = 0;
    for (size_t k = K_FROM; k <= K_TO; k++) {
        double mean = 0, mean_inverse = 0;
        for (size_t i = 0; i < n; i++) {
            const double *r = distance + i * width;
            double sum = 0;
            for (size_t j = 0; j + 1 < k; j++)
                sum += log(r[k - 1] / r[j]);
            mean += (double)(k - 2) / sum / (double)n;
            mean_inverse += sum / (double)(k - 1) / (double)n;
        }
        direct += mean / (K_TO - K_FROM + 1);
        inverse += 1 / mean_inverse / (K_TO - K_FROM + 1);
    }
    out->levina_bickel = direct;
    out->mackay = inverse;
}

es_status es_intrinsic_of(const es_matrix *m, uint64_t seed, const es_run *run, es_intrinsic *out,
                          es_error *err) {
    es_intrinsic r = {0};
    es_matrix sample = {0}, part = {0};
    size_t n = m->n < ROWS ? m->n : ROWS, left = 0;
    uint32_t *rows = es_alloc(2 * n, sizeof *rows), *index = NULL;
    double *distance = NULL, *mu = NULL;
    bool *tied = NULL;
    es_status st = ES_OK;
    ES_FAIL_IF(!rows, es_no_memory_for(err, "%zu rows", n));
    ES_TRY(es_sample_rows(m->n, n, seed, rows, err));
    ES_TRY(es_matrix_rows(m, rows, n, &sample, err));
    ES_TRY(different_rows(&sample, rows, &left, err));
    ES_FAIL_IF(
        left < LEAST,
        es_fail(err, ES_EEMPTY, "%zu different rows: intrinsic dimension needs %d", left, LEAST));
    ES_TRY(es_matrix_rows(&sample, rows, left, &part, err));
    r.rows = left;
    r.equal = n - left;
    index = es_alloc(left * K_TO, sizeof *index);
    distance = es_alloc(left * K_TO, sizeof *distance);
    tied = es_alloc(left * K_TO, sizeof *tied);
    mu = es_alloc(left, sizeof *mu);
    ES_FAIL_IF(!index || !distance || !tied || !mu,
               es_no_memory_for(err, "neighbours of %zu rows", left));
    const es_neighbours wanted = {index, distance, tied};
    ES_TRY(es_nearest(&part, ES_L2, K_TO, run, &wanted, err));
    two_nn(distance, tied, left, K_TO, mu, rows, index, &r);
    levina_bickel(distance, left, K_TO, &r);
    *out = r;
done:
    es_free(rows);
    es_free(index);
    es_free(distance);
    es_free(tied);
    es_free(mu);
    es_matrix_free(&sample);
    es_matrix_free(&part);
    return st;
}
