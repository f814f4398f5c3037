/* Rows brought to a standard normal by a coupling flow: fitted by maximum likelihood, and applied.
 */
#include <math.h>
#include <string.h>

#include "core_estimators_parts.h"

/* As the estimator's defaults (est_flow.c). */
enum { COUPLINGS = 4, HIDDEN = 128, BATCH = 128, EPOCHS = 100, PATIENCE = 3, VALIDATION = 10 };
static const double scale = 1, clip = 3, rate = 1e-3;

struct es_normalizing_flow {
    size_t from, d;         /* columns of a row, and of these the ones that vary */
    uint32_t *column;       /* (d) ascending */
    double *shift, *factor; /* (d) to mean 0 and variance 1 */
    es_flow flow;
    es_arena *arena;
    float *x, *z; /* (BATCH, d) */
};

void es_normalizing_flow_free(es_normalizing_flow *f) {
    if (!f)
        return;
    if (f->arena)
        es_arena_free(f->arena);
    es_free(f->column);
    es_free(f->shift);
    es_free(f->factor);
    es_free(f->x);
    es_free(f->z);
    es_free(f);
}

/* Finds the columns that vary, their means and standard deviations. */
static es_status find_columns(const es_matrix *m, es_normalizing_flow *f, es_error *err) {
    f->column = es_alloc(m->d, sizeof *f->column);
    f->shift = es_alloc(m->d, sizeof *f->shift);
    f->factor = es_alloc(m->d, sizeof *f->factor);
    double *mean = es_alloc_zero(2 * m->d, sizeof *mean), *sd = mean + m->d, n = (double)m->n;
    if (!f->column || !f->shift || !f->factor || !mean) {
        es_free(mean);
        return es_no_memory_for(err, "%zu columns", m->d);
    }
    for (size_t i = 0; i < m->n * m->d; i++)
        mean[i % m->d] += m->x[i] / n;
    for (size_t i = 0; i < m->n * m->d; i++) {
        double e = m->x[i] - mean[i % m->d];
        sd[i % m->d] += e * e / n;
    }
    for (size_t j = 0; j < m->d; j++) {
        sd[j] = sqrt(sd[j]);
        if (!(sd[j] > 1e-12 * fabs(mean[j])) || sd[j] <= 0)
            continue;
        f->column[f->d] = (uint32_t)j;
        f->shift[f->d] = mean[j];
        f->factor[f->d++] = 1 / sd[j];
    }
    es_free(mean);
    return f->d > 0 ? ES_OK
                    : es_fail(err, ES_EEMPTY, "flow: all rows are equal: no column has a variance");
}

static void standardise(const es_normalizing_flow *f, const double *row, float *out) {
    for (size_t j = 0; j < f->d; j++)
        out[j] = (float)((row[f->column[j]] - f->shift[j]) * f->factor[j]);
}

/* All rows in an order of their own, standardised: (n, d). */
static float *shuffled_rows(const es_normalizing_flow *f, const es_matrix *m, es_rng *rng) {
    float *x = es_alloc_aligned(m->n * f->d, sizeof *x);
    uint32_t *order = es_alloc(m->n, sizeof *order);
    for (size_t i = 0; order && i < m->n; i++)
        order[i] = (uint32_t)i;
    if (order)
        es_rng_shuffle(rng, order, m->n);
    for (size_t i = 0; x && order && i < m->n; i++)
        standardise(f, m->x + order[i] * m->d, x + i * f->d);
    if (!order) {
        es_free(x);
        x = NULL;
    }
    es_free(order);
    return x;
}

static es_status fit(es_normalizing_flow *f, const es_matrix *m, uint64_t seed, const es_run *run,
                     es_error *err) {
    const es_flow_shape shape = {f->d, 0, HIDDEN, COUPLINGS, scale, clip};
    const es_flow_plan plan = {rate, EPOCHS, PATIENCE, NULL};
    size_t n_val = m->n / VALIDATION;
    es_flow_fitted fitted;
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_INIT, f->d));
    float *x = shuffled_rows(f, m, &rng);
    es_arena *arena = es_arena_new(); /* of what is needed while it is fitted */
    es_status st = ES_OK;
    ES_FAIL_IF(!x || !arena, es_no_memory_for(err, "%zu rows of %zu columns", m->n, f->d));
    const es_flow_rows val = {n_val, x, NULL}, train = {m->n - n_val, x + n_val * f->d, NULL};
    ES_TRY(es_flow_init(&f->flow, &shape, BATCH, &rng, f->arena, run, err));
    ES_TRY(es_flow_fit(&f->flow, &train, &val, &plan, &rng, arena, run, &fitted, err));
done:
    if (arena)
        es_arena_free(arena);
    es_free(x);
    return st;
}

es_status es_normalizing_flow_fit(const es_matrix *m, uint64_t seed, const es_run *run,
                                  es_normalizing_flow **out, es_error *err) {
    if (m->n < 2 * VALIDATION)
        return es_fail(err, ES_EINVAL, "flow: %zu rows are too few to train on (at least %d)", m->n,
                       2 * VALIDATION);
    es_normalizing_flow *f = es_alloc_zero(1, sizeof *f);
    es_status st = ES_OK;
    ES_FAIL_IF(!f, es_no_memory(err));
    f->from = m->d;
    ES_TRY(find_columns(m, f, err));
    f->arena = es_arena_new();
    f->x = es_alloc_aligned(BATCH * f->d, sizeof *f->x);
    f->z = es_alloc_aligned(BATCH * f->d, sizeof *f->z);
    ES_FAIL_IF(!f->arena || !f->x || !f->z, es_no_memory_for(err, "%zu columns", f->d));
    ES_TRY(fit(f, m, seed, run, err));
    *out = f;
    f = NULL;
done:
    es_normalizing_flow_free(f);
    return st;
}

size_t es_normalizing_flow_columns(const es_normalizing_flow *f) {
    return f->d;
}

es_status es_normalizing_flow_apply(es_normalizing_flow *f, const double *x, size_t count,
                                    double *z, es_error *err) {
    double log_density[BATCH];
    for (size_t first = 0; first < count; first += BATCH) {
        size_t rows = count - first < BATCH ? count - first : BATCH;
        for (size_t i = 0; i < rows; i++)
            standardise(f, x + (first + i) * f->from, f->x + i * f->d);
        const es_flow_rows part = {rows, f->x, NULL};
        ES_PASS(es_flow_eval(&f->flow, &part, NULL, f->z, log_density, NULL, err));
        for (size_t i = 0; i < rows * f->d; i++)
            z[first * f->d + i] = (double)f->z[i];
    }
    return ES_OK;
}

double es_normalizing_flow_bytes(size_t n, size_t d) {
    double rows = (double)n, columns = (double)d;
    double params = COUPLINGS * (1.5 * columns + 2) * (HIDDEN + 1);
    return rows * columns * (sizeof(double) + sizeof(float)) + /* the matrix, and standardised */
           6 * params * sizeof(float) +                        /* moments, gradients, two states */
           BATCH * columns * sizeof(float) * (4 * COUPLINGS + 6) + 6 * rows * sizeof(double);
}
