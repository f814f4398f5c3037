/* Random pools with known truths: IS(i, j) = a_i + b_j + c_ij, seen through rows with noise. */
#ifndef ES_TEST_POOL_SIM_H
#define ES_TEST_POOL_SIM_H

#include "table.h"

#include "base.h"

typedef struct pool_sim {
    size_t m, rows;
    double spread, targets, pairs, noise; /* standard deviations of a, b, c and of a pair's mean */
    double *a;                            /* (m) */
    double *truth, *is;                   /* (m, m) */
    float **pmi;                          /* (m, m) of (rows), NULL without rows */
} pool_sim;

static inline pool_sim pool_sim_new(size_t m, size_t rows, double spread, double targets,
                                    double pairs, double noise) {
    pool_sim p = {m, rows, spread, targets, pairs, noise, NULL, NULL, NULL, NULL};
    p.a = calloc(m + 1, sizeof *p.a);
    p.truth = calloc(m * m + 1, sizeof *p.truth);
    p.is = calloc(m * m + 1, sizeof *p.is);
    assert_true(p.a && p.truth && p.is);
    if (rows) {
        p.pmi = (float **)calloc(m * m + 1, sizeof *p.pmi);
        assert_non_null((void *)p.pmi);
        for (size_t k = 0; k < m * m; k++)
            assert_non_null(p.pmi[k] = calloc(rows, sizeof *p.pmi[k]));
    }
    return p;
}

static inline void pool_sim_free(pool_sim *p) {
    for (size_t k = 0; p->pmi && k < p->m * p->m; k++)
        free(p->pmi[k]);
    free((void *)p->pmi);
    free(p->a);
    free(p->truth);
    free(p->is);
}

/* A new pool. With twins, embedders 0 and 1 are equal as sources and as targets. A fifth of the
 * noise's variance is common to all targets of a source. */
static inline void pool_sim_draw(pool_sim *p, es_rng *rng, bool twins) {
    size_t m = p->m;
    double *b = calloc(m, sizeof *b), *common = calloc(p->rows + 1, sizeof *common);
    assert_true(b && common);
    for (size_t i = 0; i < m; i++) {
        p->a[i] = p->spread * es_rng_normal(rng);
        b[i] = p->targets * es_rng_normal(rng);
    }
    if (twins) {
        p->a[1] = p->a[0];
        b[1] = b[0];
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            p->truth[i * m + j] = p->a[i] + b[j] + p->pairs * es_rng_normal(rng);
    for (size_t j = 0; twins && p->rows && j < m; j++) { /* the same truths: only rows differ */
        p->truth[m + j] = p->truth[j];
        if (j < 2)
            p->truth[0] = p->truth[1] = p->truth[m] = p->truth[m + 1] = p->a[0] + b[0];
    }
    double scale = p->noise * sqrt((double)p->rows);
    for (size_t i = 0; i < m; i++) {
        for (size_t r = 0; r < p->rows; r++)
            common[r] = sqrt(0.2) * scale * es_rng_normal(rng);
        for (size_t j = 0; j < m; j++) {
            double sum = 0, truth = p->truth[i * m + j];
            for (size_t r = 0; r < p->rows; r++) {
                float v = (float)(truth + common[r] + sqrt(0.8) * scale * es_rng_normal(rng));
                p->pmi[i * m + j][r] = v;
                sum += (double)v;
            }
            p->is[i * m + j] = p->rows ? sum / (double)p->rows : truth;
        }
    }
    free(b);
    free(common);
}

#endif
