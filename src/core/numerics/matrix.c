/* Matrices of doubles: made, read from an embedder's rows, centred; and samples of rows by seed.
 */
#include "core_numerics.h"

#include <string.h>

es_status es_matrix_new(size_t n, size_t d, es_matrix *out, es_error *err) {
    double *x = d == 0 || n <= SIZE_MAX / d ? es_alloc_aligned(n * d, sizeof *x) : NULL;
    if (!x)
        return es_no_memory_for(err, "%zu rows of %zu columns", n, d);
    *out = (es_matrix){n, d, x};
    return ES_OK;
}

void es_matrix_free(es_matrix *m) {
    es_free(m->x);
    *m = (es_matrix){0};
}

es_status es_matrix_read(const es_rows *from, const uint32_t *rows, size_t count, es_matrix *out,
                         es_error *err) {
    enum { BLOCK = 1024 };
    uint32_t first[BLOCK];
    es_matrix m = {0};
    es_status st = es_matrix_new(count, from->d, &m, err);
    for (size_t at = 0; st == ES_OK && at < count; at += BLOCK) {
        size_t take = count - at < BLOCK ? count - at : BLOCK;
        for (size_t i = 0; i < take; i++)
            first[i] = rows ? rows[at + i] : (uint32_t)(at + i);
        st = from->read(from->context, first, take, m.x + at * from->d, err);
    }
    if (st != ES_OK)
        es_matrix_free(&m);
    else
        *out = m;
    return st;
}

static es_status read_matrix(const void *context, const uint32_t *rows, size_t count, double *out,
                             es_error *err) {
    const es_matrix *m = context;
    (void)err;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * m->d, m->x + rows[i] * m->d, m->d * sizeof *out);
    return ES_OK;
}

es_rows es_matrix_as_rows(const es_matrix *m) {
    return (es_rows){.n = m->n, .d = m->d, .context = m, .read = read_matrix};
}

es_status es_matrix_rows(const es_matrix *m, const uint32_t *rows, size_t count, es_matrix *out,
                         es_error *err) {
    es_matrix r = {0};
    ES_PASS(es_matrix_new(count, m->d, &r, err));
    for (size_t i = 0; i < count; i++)
        memcpy(r.x + i * m->d, m->x + rows[i] * m->d, m->d * sizeof *r.x);
    *out = r;
    return ES_OK;
}

es_status es_matrix_centred(const es_matrix *m, es_matrix *out, double *mean, es_error *err) {
    es_matrix c = {0};
    double *average = es_alloc_zero(m->d, sizeof *average);
    if (!average)
        return es_no_memory_for(err, "%zu means", m->d);
    es_status st = es_matrix_new(m->n, m->d, &c, err);
    if (st == ES_OK) {
        for (size_t i = 0; i < m->n; i++)
            for (size_t j = 0; j < m->d; j++)
                average[j] += m->x[i * m->d + j];
        for (size_t j = 0; j < m->d; j++)
            average[j] /= (double)(m->n > 0 ? m->n : 1);
        for (size_t i = 0; i < m->n; i++)
            for (size_t j = 0; j < m->d; j++)
                c.x[i * m->d + j] = m->x[i * m->d + j] - average[j];
        if (mean)
            memcpy(mean, average, m->d * sizeof *mean);
        *out = c;
    }
    es_free(average);
    return st;
}

size_t es_matrix_zero_rows(const es_matrix *m) {
    size_t zero = 0;
    for (size_t i = 0; i < m->n; i++) {
        size_t j = 0;
        while (j < m->d && m->x[i * m->d + j] == 0)
            j++;
        zero += j == m->d;
    }
    return zero;
}

es_status es_sample_rows(size_t n, size_t count, uint64_t seed, uint32_t *rows, es_error *err) {
    uint32_t *all = es_alloc(n, sizeof *all);
    unsigned char *taken = es_alloc_zero(n, 1);
    es_status st = ES_OK;
    size_t kept = 0;
    ES_FAIL_IF(!all || !taken, es_no_memory_for(err, "a sample of %zu rows", n));
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SAMPLE, n));
    for (size_t i = 0; i < n; i++)
        all[i] = (uint32_t)i;
    if (count < n)
        es_rng_shuffle(&rng, all, n);
    for (size_t i = 0; i < n && i < count; i++)
        taken[all[i]] = 1;
    for (size_t i = 0; i < n; i++)
        if (taken[i])
            rows[kept++] = (uint32_t)i;
done:
    es_free(all);
    es_free(taken);
    return st;
}
