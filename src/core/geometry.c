#include "embedscope/geometry.h"

#include <math.h>

#include "embedscope/alloc.h"
#include "embedscope/rng.h"
#include "pca.h"
#include "space.h"

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

static void sample_pairs(const es_space *space, uint64_t seed, log_sum *s) {
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SAMPLE, space->n));
    while (s->count < SAMPLED) {
        size_t i = es_rng_below(&rng, space->n), j = es_rng_below(&rng, space->n);
        if (i != j)
            log_add(s, -2 * es_space_exact(space, i, j));
    }
}

static es_status all_pairs(const es_space *space, const es_run *run, log_sum *s, es_error *err) {
    double *scratch = es_alloc(ES_SPACE_BLOCK * space->d, sizeof *scratch);
    double *block = es_alloc(ES_SPACE_BLOCK * space->n, sizeof *block);
    es_status st = ES_OK;
    if (!scratch || !block) {
        st = es_fail(err, ES_ENOMEM, "out of memory to compare %zu rows", space->n);
        goto done;
    }
    for (size_t at = 0; at < space->n; at += ES_SPACE_BLOCK) {
        uint32_t rows[ES_SPACE_BLOCK];
        size_t count = space->n - at < ES_SPACE_BLOCK ? space->n - at : ES_SPACE_BLOCK;
        for (size_t i = 0; i < count; i++)
            rows[i] = (uint32_t)(at + i);
        ES_TRY(es_run_check(run, err));
        es_space_block(space, rows, count, scratch, block);
        for (size_t i = 0; i < count; i++)
            for (size_t j = at + i + 1; j < space->n; j++)
                log_add(s, -2 * block[i * space->n + j]);
    }
done:
    es_free(scratch);
    es_free(block);
    return st;
}

/* |sum of unit rows|^2 = n + sum over ordered pairs of their cosine. */
static es_status mean_cosine(const es_space *space, double *out, es_error *err) {
    double *sum = es_alloc_zero(space->d, sizeof *sum), square = 0;
    if (!sum)
        return es_fail(err, ES_ENOMEM, "out of memory for %zu columns", space->d);
    for (size_t i = 0; i < space->n; i++)
        for (size_t j = 0; j < space->d; j++)
            sum[j] += space->x[i * space->d + j];
    for (size_t j = 0; j < space->d; j++)
        square += sum[j] * sum[j];
    double n = (double)space->n;
    *out = (square - n) / (n * (n - 1));
    es_free(sum);
    return ES_OK;
}

es_status es_spread_of(const es_matrix *m, es_spread *out, es_error *err) {
    es_matrix centred = {0};
    es_pca pca = {0};
    es_status st = ES_OK;
    double entropy = 0, squares = 0;
    ES_TRY(es_matrix_centred(m, &centred, NULL, err));
    ES_TRY(es_pca_new(&centred, &pca, err));
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

es_status es_alignment_of(const es_matrix *m, const es_positives *positives, double *out,
                          es_error *err) {
    es_space space = {0};
    es_status st = es_space_new(m, ES_COSINE, &space, err);
    if (st != ES_OK)
        return st;
    double sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < positives->count; i++) {
        size_t a = positives->item[i].query, b = positives->item[i].partner;
        if (a >= m->n || b >= m->n || space.zero[a] || space.zero[b])
            continue;
        sum += es_space_exact(&space, a, b); /* both directions alike, where both are asked */
        used++;
    }
    es_space_free(&space);
    *out = used > 0 ? sum / (double)used : (double)NAN;
    return ES_OK;
}

es_status es_geometry_of(const es_matrix *m, const es_positives *positives, uint64_t seed,
                         const es_run *run, es_geometry *out, es_error *err) {
    es_geometry g = {.zero_rows = es_matrix_zero_rows(m)};
    es_space all = {0}, space = {0};
    es_matrix left = {0};
    uint32_t *rows = NULL;
    log_sum s = {-INFINITY, 0, 0};
    es_status st = ES_OK;
    size_t kept = 0;
    if (m->n - g.zero_rows < 2)
        return es_fail(err, ES_EEMPTY, "fewer than 2 rows are not all zero");
    g.alignment = NAN;
    if (positives)
        ES_TRY(es_alignment_of(m, positives, &g.alignment, err));
    ES_TRY(es_space_new(m, ES_COSINE, &all, err));
    rows = es_alloc(m->n, sizeof *rows);
    if (!rows) {
        st = es_fail(err, ES_ENOMEM, "out of memory for %zu rows", m->n);
        goto done;
    }
    for (size_t i = 0; i < m->n; i++)
        if (!all.zero[i])
            rows[kept++] = (uint32_t)i;
    es_space_free(&all);
    ES_TRY(es_matrix_rows(m, rows, kept, &left, err));
    ES_TRY(es_space_new(&left, ES_COSINE, &space, err));
    if (space.n > ALL_ROWS)
        sample_pairs(&space, seed, &s);
    else
        ES_TRY(all_pairs(&space, run, &s, err));
    g.sampled = space.n > ALL_ROWS ? s.count : 0;
    g.uniformity = s.largest + log(s.sum / (double)s.count);
    ES_TRY(mean_cosine(&space, &g.mean_cosine, err));
    ES_TRY(es_spread_of(m, &g.spread, err));
    *out = g;
done:
    es_free(rows);
    es_matrix_free(&left);
    es_space_free(&all);
    es_space_free(&space);
    return st;
}
