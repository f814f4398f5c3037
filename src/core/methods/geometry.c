/* Alignment and uniformity of directions (Wang and Isola, ICML 2020): of all pairs of rows while
 * there are few, of a sample beyond. The mean of exponentials is kept as its largest term and a
 * rest, so that it never underflows. */
#include "core_methods.h"

#include <math.h>
#include <string.h>

enum { ALL_ROWS = 20000, SAMPLED = 20000000 };

/* Sum of exp(-2 d2) without overflow or underflow to log 0: the largest term is factored out. */
typedef struct log_sum {
    double largest, sum;
    size_t count;
} log_sum;

static void log_add(log_sum *s, double value) {
    if (value > s->largest) {
        s->sum = s->sum * exp(s->largest - value) + 1;
        s->largest = value;
    } else {
        s->sum += exp(value - s->largest);
    }
    s->count++;
}

/* The rows at length 1, worked out when they are looked at: a copy of a large matrix would be as
 * large again. As in es_space, the largest value is divided out first. */
typedef struct unit_rows {
    const es_matrix *m;
    size_t zeros;            /* rows that are all zero */
    double *largest, *scale; /* (n) a zero row: 1 and 0 */
} unit_rows;

static void unit_rows_free(unit_rows *u) {
    es_free(u->largest);
    es_free(u->scale);
}

static es_status unit_rows_new(const es_matrix *m, unit_rows *out, es_error *err) {
    unit_rows u = {.m = m};
    u.largest = es_alloc(m->n, sizeof *u.largest);
    u.scale = es_alloc(m->n, sizeof *u.scale);
    if (!u.largest || !u.scale) {
        unit_rows_free(&u);
        return es_no_memory_for(err, "%zu rows", m->n);
    }
    for (size_t i = 0; i < m->n; i++) {
        const double *x = m->x + i * m->d;
        double largest = 0, sum = 0;
        for (size_t j = 0; j < m->d; j++)
            largest = fabs(x[j]) > largest ? fabs(x[j]) : largest;
        u.zeros += largest == 0;
        u.largest[i] = largest == 0 ? 1 : largest;
        for (size_t j = 0; j < m->d && largest > 0; j++)
            sum += (x[j] / largest) * (x[j] / largest);
        u.scale[i] = largest == 0 ? 0 : 1 / sqrt(sum);
    }
    *out = u;
    return ES_OK;
}

static double unit_distance2(const unit_rows *u, size_t i, size_t j) {
    size_t d = u->m->d;
    const double *x = u->m->x + i * d, *y = u->m->x + j * d;
    double of_x = u->largest[i], by_x = u->scale[i], of_y = u->largest[j], by_y = u->scale[j];
    double sum = 0;
    if (by_x == 0 || by_y == 0) /* cosine 0 */
        return 2;
    for (size_t k = 0; k < d; k++) {
        double apart = x[k] / of_x * by_x - y[k] / of_y * by_y;
        sum += apart * apart;
    }
    return sum;
}

static es_status sample_pairs(const unit_rows *u, uint64_t seed, const es_run *run, log_sum *s,
                              es_error *err) {
    enum { STRETCH = 1 << 14 };
    es_status st = ES_OK;
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SAMPLE, u->m->n));
    while (s->count < SAMPLED && st == ES_OK) {
        size_t i = es_rng_below(&rng, u->m->n), j = es_rng_below(&rng, u->m->n);
        if (i != j)
            log_add(s, -2 * unit_distance2(u, i, j));
        if (s->count % STRETCH == 0)
            st = es_run_check(run, err);
    }
    return st;
}

static void add_row(void *context, const es_space *space, size_t i, const double *d2) {
    for (size_t j = i + 1; j < space->n; j++)
        log_add(context, -2 * d2[j]);
}

/* |sum of unit rows|^2 = rows not zero + sum over ordered pairs of their cosine, which is 0 with a
 * zero row. */
static es_status mean_cosine(const unit_rows *u, double *out, es_error *err) {
    size_t d = u->m->d, rows = u->m->n;
    double *sum = es_alloc_zero(d, sizeof *sum), square = 0;
    if (!sum)
        return es_no_memory_for(err, "%zu columns", d);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < d; j++)
            sum[j] += u->m->x[i * d + j] / u->largest[i] * u->scale[i];
    for (size_t j = 0; j < d; j++)
        square += sum[j] * sum[j];
    double n = (double)rows;
    *out = (square - (n - (double)u->zeros)) / (n * (n - 1));
    es_free(sum);
    return ES_OK;
}

es_status es_uniformity_of(const es_matrix *m, uint64_t seed, const es_run *run, es_uniformity *out,
                           es_error *err) {
    es_space space = {0};
    unit_rows u = {0};
    log_sum s = {-INFINITY, 0, 0};
    double cosine = 0;
    es_status st = ES_OK;
    ES_TRY(unit_rows_new(m, &u, err));
    ES_FAIL_IF(m->n - u.zeros < 2, es_fail(err, ES_EEMPTY, "fewer than 2 rows are not all zero"));
    if (m->n > ALL_ROWS) {
        ES_TRY(sample_pairs(&u, seed, run, &s, err));
    } else {
        ES_TRY(es_space_new(m, ES_COSINE, &space, err));
        ES_TRY(es_space_each(&space, run, add_row, &s, err));
    }
    ES_TRY(mean_cosine(&u, &cosine, err));
    *out = (es_uniformity){.uniformity = s.largest + log(s.sum / (double)s.count),
                           .mean_cosine = cosine,
                           .zero_rows = u.zeros,
                           .sampled = m->n > ALL_ROWS ? s.count : 0};
done:
    unit_rows_free(&u);
    es_space_free(&space);
    return st;
}

es_status es_spread_of(const es_matrix *m, es_spread *out, es_error *err) {
    es_matrix centred = {0};
    es_pca pca = {0};
    es_status st = ES_OK;
    double entropy = 0, squares = 0;
    ES_TRY(es_matrix_centred(m, &centred, NULL, err));
    ES_TRY(es_pca_new(&centred, 0, &pca, err));
    for (size_t a = 0; a < pca.rank; a++) {
        double p = pca.var[a] / pca.total;
        entropy -= p * log(p);
        squares += p * p;
    }
    out->effective_rank = pca.rank > 0 ? exp(entropy) : (double)NAN;
    out->participation = pca.rank > 0 ? 1 / squares : (double)NAN;
done:
    es_matrix_free(&centred);
    es_pca_free(&pca);
    return st;
}

es_status es_rankme_of(const es_matrix *m, double *out, es_error *err) {
    static const double floor_share = 1e-7, tolerance = 1e-9;
    size_t k = m->n < m->d ? m->n : m->d;
    double *copy = es_alloc_aligned(m->n * m->d, sizeof *copy), *s = es_alloc(k, sizeof *s);
    double sum = 0, entropy = 0;
    es_status st = ES_OK;
    ES_FAIL_IF(!copy || !s, es_no_memory_for(err, "%zu columns", m->d));
    memcpy(copy, m->x, m->n * m->d * sizeof *copy);
    ES_TRY(es_singular_values(m->n, m->d, copy, tolerance, s, err));
    for (size_t i = 0; i < k; i++)
        sum += s[i];
    for (size_t i = 0; i < k && sum > 0; i++) {
        double p = s[i] / sum + floor_share;
        entropy -= p * log(p);
    }
    *out = sum > 0 ? exp(entropy) : (double)NAN;
done:
    es_free(copy);
    es_free(s);
    return st;
}

es_status es_alignment_of(const es_matrix *m, const es_positives *positives, double *out,
                          size_t *zeros, es_error *err) {
    es_space space = {0};
    ES_PASS(es_space_new(m, ES_COSINE, &space, err));
    double sum = 0;
    size_t used = 0;
    *zeros = 0;
    for (size_t i = 0; i < positives->count; i++) {
        size_t a = positives->item[i].query, b = positives->item[i].partner;
        if (a >= m->n || b >= m->n)
            continue;
        sum += es_space_exact(&space, a, b); /* both directions alike, where both are asked */
        *zeros += space.zero[a] || space.zero[b];
        used++;
    }
    es_space_free(&space);
    *out = used > 0 ? sum / (double)used : (double)NAN;
    return ES_OK;
}
