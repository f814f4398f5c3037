/* Two data sets as two clouds of mean answers: maximum mean discrepancy between them, and
 * Wasserstein's distance by the cheapest way to carry one to the other. */
#include "core_methods.h"

#include <math.h>
#include <string.h>

#include "core_structure.h"

/* ---- the queries' mean answers ---- */

/* Adds the mean of the documents that answer each query. */
static void add_means(const es_matrix *m, const es_query_set *set, double *to) {
    for (size_t q = 0; q < set->count; q++) {
        const es_query *one = &set->query[q];
        for (size_t i = 0; i < one->positives; i++)
            for (size_t j = 0; j < m->d; j++)
                to[q * m->d + j] += m->x[one->doc[i] * m->d + j] / (double)one->positives;
    }
}

static es_status mean_answers(const es_matrix *a, const es_query_set *in_a, const es_matrix *b,
                              const es_query_set *in_b, es_matrix *out, es_error *err) {
    if (a->d != b->d)
        return es_fail(err, ES_EINVAL, "%zu and %zu columns are not of one embedder", a->d, b->d);
    if (in_a->count < 2 || in_b->count < 2)
        return es_fail(err, ES_EEMPTY, "a data set has fewer than 2 queries");
    ES_PASS(es_matrix_new(in_a->count + in_b->count, a->d, out, err));
    memset(out->x, 0, out->n * out->d * sizeof *out->x);
    add_means(a, in_a, out->x);
    add_means(b, in_b, out->x + in_a->count * a->d);
    return ES_OK;
}

/* ---- MMD ---- */

/* d2 (size (size - 1) / 2); the first n points are of one side. */
static void mmd(const double *d2, size_t size, size_t n, es_set_distance *out) {
    double aa = 0, ab = 0, bb = 0, k = (double)n, m = (double)(size - n);
    for (size_t i = 0; i < size; i++)
        for (size_t j = i + 1; j < size; j++, d2++) {
            double value = out->sigma2 > 0 ? exp(-*d2 / (2 * out->sigma2)) : 1;
            *(j < n ? &aa : i < n ? &ab : &bb) += value;
        }
    out->mmd2 = 2 * aa / (k * (k - 1)) - 2 * ab / (k * m) + 2 * bb / (m * (m - 1));
    out->biased = (2 * aa + k) / (k * k) - 2 * ab / (k * m) + (2 * bb + m) / (m * m);
}

static es_status kernel_distance(const es_matrix *mean, size_t n, const es_run *run,
                                 es_set_distance *out, es_error *err) {
    size_t pairs = mean->n * (mean->n - 1) / 2;
    double *d2 = es_alloc(pairs, sizeof *d2), *sorted = es_alloc(pairs, sizeof *sorted);
    es_space space = {0};
    es_status st = ES_OK;
    ES_FAIL_IF(!d2 || !sorted, es_no_memory_for(err, "distances of %zu queries", mean->n));
    ES_TRY(es_space_new(mean, ES_L2, &space, err));
    ES_TRY(es_space_all(&space, run, d2, err));
    out->sigma2 = es_kernel_width_of(d2, pairs, sorted);
    mmd(d2, mean->n, n, out);
done:
    es_space_free(&space);
    es_free(d2);
    es_free(sorted);
    return st;
}

/* ---- Wasserstein ---- */

/* cost (a->n, b->n): Euclidean distances. */
static void distances(const es_matrix *a, const es_matrix *b, double *cost) {
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++) {
            double square = 0;
            for (size_t k = 0; k < a->d; k++) {
                double e = a->x[i * a->d + k] - b->x[j * b->d + k];
                square += e * e;
            }
            cost[i * b->n + j] = sqrt(square);
        }
}

static es_status match_equal(const double *cost, size_t n, const es_run *run, double *out,
                             es_error *err) {
    uint32_t *match = es_alloc(n, sizeof *match);
    double sum = 0;
    if (!match)
        return es_no_memory_for(err, "%zu queries", n);
    es_status st = es_assign(cost, n, run, match, err);
    for (size_t i = 0; st == ES_OK && i < n; i++)
        sum += cost[i * n + match[i]];
    *out = st == ES_OK ? sum / (double)n : *out;
    es_free(match);
    return st;
}

es_status es_wasserstein(const es_matrix *a, const es_matrix *b, const es_run *run, double *out,
                         es_error *err) {
    if (a->n == 0 || b->n == 0 || a->d != b->d)
        return es_fail(err, ES_EINVAL, "%zu x %zu and %zu x %zu values cannot be matched", a->n,
                       a->d, b->n, b->d);
    double *cost = es_alloc(a->n * b->n, sizeof *cost);
    if (!cost)
        return es_no_memory_for(err, "%zu and %zu queries", a->n, b->n);
    distances(a, b, cost);
    es_status st = a->n == b->n ? match_equal(cost, a->n, run, out, err)
                                : es_transport(cost, a->n, b->n, run, out, err);
    es_free(cost);
    return st;
}

/* `count` of the rows from..from+of of m. */
static es_status take_rows(const es_matrix *m, size_t from, size_t of, size_t count, uint64_t seed,
                           es_matrix *out, es_error *err) {
    uint32_t *rows = es_alloc(count, sizeof *rows);
    es_status st = ES_OK;
    if (!rows)
        return es_no_memory_for(err, "%zu queries", count);
    ES_TRY(es_sample_rows(of, count, seed, rows, err));
    for (size_t i = 0; i < count; i++)
        rows[i] += (uint32_t)from;
    ES_TRY(es_matrix_rows(m, rows, count, out, err));
done:
    es_free(rows);
    return st;
}

/* Distance by optimal transport between samples of both sets. */
static es_status match_rows(const es_matrix *mean, size_t n, uint64_t seed, const es_run *run,
                            es_set_distance *out, es_error *err) {
    es_matrix a = {0}, b = {0};
    size_t most = ES_SET_MATCHED, m = mean->n - n;
    es_status st = ES_OK;
    out->matched = n < most ? n : most;
    out->matched_other = m < most ? m : most;
    ES_TRY(take_rows(mean, 0, n, out->matched, seed, &a, err));
    ES_TRY(take_rows(mean, n, m, out->matched_other, seed, &b, err));
    ES_TRY(es_wasserstein(&a, &b, run, &out->w1, err));
done:
    es_matrix_free(&a);
    es_matrix_free(&b);
    return st;
}

es_status es_set_distance_of(const es_matrix *a, const es_query_set *in_a, const es_matrix *b,
                             const es_query_set *in_b, uint64_t seed, const es_run *run,
                             es_set_distance *out, es_error *err) {
    es_matrix mean = {0};
    es_set_distance d = {0};
    es_status st = ES_OK;
    ES_TRY(mean_answers(a, in_a, b, in_b, &mean, err));
    ES_TRY(kernel_distance(&mean, in_a->count, run, &d, err));
    ES_TRY(match_rows(&mean, in_a->count, seed, run, &d, err));
    *out = d;
done:
    es_matrix_free(&mean);
    return st;
}

/* A sample of m in the rows of `out` from `to` on. */
static es_status put_sample(const es_matrix *m, size_t count, uint64_t seed, es_matrix *out,
                            size_t to, es_error *err) {
    es_matrix taken = {0};
    es_status st = take_rows(m, 0, m->n, count, seed, &taken, err);
    if (st == ES_OK)
        memcpy(out->x + to * out->d, taken.x, count * out->d * sizeof *out->x);
    es_matrix_free(&taken);
    return st;
}

es_status es_set_distance_of_rows(const es_matrix *a, const es_matrix *b, size_t count,
                                  uint64_t seed, const es_run *run, es_set_distance *out,
                                  es_error *err) {
    size_t n = a->n < count ? a->n : count, m = b->n < count ? b->n : count;
    es_matrix both = {0};
    es_set_distance d = {0};
    es_status st = ES_OK;
    if (a->d != b->d)
        return es_fail(err, ES_EINVAL, "%zu and %zu columns are not of one embedder", a->d, b->d);
    if (n < 2 || m < 2)
        return es_fail(err, ES_EEMPTY, "a data set has fewer than 2 rows");
    ES_TRY(es_matrix_new(n + m, a->d, &both, err));
    ES_TRY(put_sample(a, n, seed, &both, 0, err));
    ES_TRY(put_sample(b, m, seed, &both, n, err));
    ES_TRY(kernel_distance(&both, n, run, &d, err));
    ES_TRY(match_rows(&both, n, seed, run, &d, err));
    *out = d;
done:
    es_matrix_free(&both);
    return st;
}

es_stat es_transferability(double transferred, double own) {
    if (!isfinite(transferred) || !isfinite(own))
        return es_stat_undefined("no recalls");
    return own < 1 ? es_stat_of((transferred - own) / (1 - own)) : es_stat_undefined("recall is 1");
}
