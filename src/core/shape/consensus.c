/* Consensus: the Gram matrices of all embedders' blocks are summed over a sample of rows, so that
 * the components of the others joined are the leading eigenvectors of the sum less the embedder's
 * own. */
#include "core_shape.h"

#include <math.h>
#include <string.h>

struct es_consensus {
    es_consensus_rules rules;
    size_t n, count; /* rows of the sample; embedders */
    uint32_t *row;   /* (n) */
    double *gram;    /* (n, n) sum over embedders */
};

void es_consensus_free(es_consensus *c) {
    if (!c)
        return;
    es_free(c->row);
    es_free(c->gram);
    es_free(c);
}

size_t es_consensus_bytes(const es_consensus *c) {
    return sizeof *c + c->n * (c->n * sizeof *c->gram + sizeof *c->row);
}

/* The sampled rows of an embedder with columns standardised; constant ones are dropped. */
static es_status sampled(const es_consensus *c, const es_matrix *m, es_matrix *out, es_error *err) {
    es_status st = es_matrix_rows(m, c->row, c->n, out, err);
    size_t n = c->n, d = m->d, kept = 0;
    double *x = out->x;
    if (st != ES_OK)
        return st;
    for (size_t j = 0; j < d; j++) {
        double mean = 0, square = 0, largest = 0;
        for (size_t i = 0; i < n; i++)
            mean += x[i * d + j] / (double)n;
        for (size_t i = 0; i < n; i++) {
            double off = x[i * d + j] - mean;
            square += off * off / (double)n;
            largest = fmax(largest, fabs(x[i * d + j]));
        }
        if (!(sqrt(square) > 1e-12 * largest))
            continue;
        for (size_t i = 0; i < n; i++) /* columns to the left have been read */
            x[i * d + kept] = (x[i * d + j] - mean) / sqrt(square);
        kept++;
    }
    for (size_t i = 0; kept < d && i < n; i++)
        memmove(x + i * kept, x + i * d, kept * sizeof *x);
    out->d = kept;
    return ES_OK;
}

/* gram (n, n): of a block of total variance 1. */
static void block_gram(const es_matrix *z, double *gram) {
    es_dgemm(false, true, z->n, z->n, z->d, z->x, z->x, gram);
    for (size_t i = 0; i < z->n * z->n; i++)
        gram[i] /= (double)z->d;
}

es_status es_consensus_new(const es_embedders *all, const es_consensus_rules *rules,
                           const es_run *run, es_consensus **out, es_error *err) {
    es_consensus *c = es_alloc_zero(1, sizeof *c);
    es_matrix m = {0}, z = {0};
    double *own = NULL;
    es_status st = ES_OK;
    ES_FAIL_IF(!c, es_no_memory(err));
    c->rules = *rules;
    c->count = all->count;
    for (size_t k = 0; k < all->count; k++) {
        ES_TRY(es_run_check(run, err));
        ES_TRY(all->read(all->context, k, &m, err));
        if (k == 0) {
            size_t most = rules->rows < ES_CONSENSUS_ROWS ? rules->rows : ES_CONSENSUS_ROWS;
            c->n = m.n < most ? m.n : most;
            ES_FAIL_IF(c->n < 4, es_fail(err, ES_EEMPTY, "fewer than 4 rows"));
            c->row = es_alloc(c->n, sizeof *c->row);
            c->gram = es_alloc_zero(c->n * c->n, sizeof *c->gram);
            own = es_alloc_aligned(c->n * c->n, sizeof *own);
            ES_FAIL_IF(!c->row || !c->gram || !own, es_no_memory_for(err, "%zu rows", c->n));
            ES_TRY(es_sample_rows(m.n, c->n, rules->seed, c->row, err));
        }
        ES_TRY(sampled(c, &m, &z, err));
        es_matrix_free(&m);
        if (z.d > 0)
            block_gram(&z, own);
        for (size_t i = 0; z.d > 0 && i < c->n * c->n; i++)
            c->gram[i] += own[i];
        es_matrix_free(&z);
    }
    *out = c;
    c = NULL;
done:
    es_consensus_free(c);
    es_matrix_free(&m);
    es_matrix_free(&z);
    es_free(own);
    return st;
}

/* ---- one embedder ---- */

/* A ridge regression by the eigenvectors of its Gram matrix: scores (n, q) of the rows along q
 * axes, of length 1 over the rows, and the variance along each. */
typedef struct ridge_axes {
    size_t q;
    double *axis;     /* (q, n) orthonormal rows */
    double *variance; /* (q) */
} ridge_axes;

static void ridge_axes_free(ridge_axes *r) {
    es_free(r->axis);
    es_free(r->variance);
}

/* From the smaller of the two Gram matrices; `gram` (n, n) is z z^T over d. */
static es_status ridge_axes_new(const es_matrix *z, const double *gram, ridge_axes *out,
                                es_error *err) {
    size_t n = z->n, d = z->d, order = n < d ? n : d;
    double *square = es_alloc_zero(order * order, sizeof *square);
    double *value = es_alloc(order, sizeof *value);
    es_status st = ES_OK;
    out->axis = es_alloc_aligned(order * n, sizeof *out->axis);
    out->variance = es_alloc(order, sizeof *out->variance);
    ES_FAIL_IF(!square || !value || !out->axis || !out->variance,
               es_no_memory_for(err, "%zu axes", order));
    if (d < n)
        es_dsyrk_add(n, d, z->x, square);
    else
        for (size_t i = 0; i < n * n; i++)
            square[i] = gram[i] * (double)d;
    ES_TRY(es_eigen(order, square, value, err));
    size_t first = 0; /* of rank: what is below is rounding */
    while (first < order && !(value[first] > 1e-10 * value[order - 1]))
        first++;
    out->q = order - first;
    for (size_t a = 0; a < out->q; a++)
        out->variance[a] = value[first + a] / (double)n;
    if (d >= n) {
        memcpy(out->axis, square + first * n, out->q * n * sizeof *out->axis);
        goto done;
    }
    es_dgemm(false, true, out->q, n, d, square + first * d, z->x, out->axis);
    for (size_t a = 0; a < out->q; a++)
        for (size_t i = 0; i < n; i++)
            out->axis[a * n + i] /= sqrt(value[first + a]);
done:
    es_free(square);
    es_free(value);
    return st;
}

/* Leave-one-out R2 of targets (k, n) under a penalty, weighted. along (k, q) is of the targets on
 * the axes; fitted (k, n) and kept (k, q) are scratch. */
static double loo_r2(const ridge_axes *r, size_t n, size_t k, const double *target,
                     const double *weight, const double *along, double penalty, double *kept,
                     double *fitted) {
    double sum = 0, weights = 0, whole = 1 - 1 / (double)n; /* the mean is left out, too */
    for (size_t c = 0; c < k; c++)
        for (size_t a = 0; a < r->q; a++)
            kept[c * r->q + a] = along[c * r->q + a] * r->variance[a] / (r->variance[a] + penalty);
    es_dgemm(false, false, k, n, r->q, kept, r->axis, fitted);
    for (size_t i = 0; i < n; i++) {
        double leverage = 1 / (double)n;
        for (size_t a = 0; a < r->q; a++)
            leverage += r->axis[a * n + i] * r->axis[a * n + i] * r->variance[a] /
                        (r->variance[a] + penalty);
        for (size_t c = 0; c < k; c++)
            fitted[c * n + i] = (target[c * n + i] - fitted[c * n + i]) / fmax(1 - leverage, 1e-9);
    }
    for (size_t c = 0; c < k; c++) {
        double off = 0, all = 0;
        for (size_t i = 0; i < n; i++) {
            off += fitted[c * n + i] * fitted[c * n + i];
            all += target[c * n + i] * target[c * n + i] / (whole * whole);
        }
        sum += weight[c] * (1 - off / all);
        weights += weight[c];
    }
    return sum / weights;
}

static es_status best_r2(const ridge_axes *r, size_t n, size_t k, const double *target,
                         const double *weight, es_consensus_value *out, es_error *err) {
    static const double penalties[] = {1e3, 1e2, 1e1, 1, 1e-1, 1e-2, 1e-3};
    double *along = es_alloc_aligned(k * (r->q + 1), sizeof *along);
    double *kept = es_alloc_aligned(k * (r->q + 1), sizeof *kept);
    double *fitted = es_alloc_aligned(k * n, sizeof *fitted);
    es_status st = ES_OK;
    ES_FAIL_IF(!along || !kept || !fitted, es_no_memory_for(err, "%zu components", k));
    es_dgemm(false, true, k, r->q, n, target, r->axis, along);
    out->r2 = es_stat_of(-HUGE_VAL);
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++) {
        double r2 = loo_r2(r, n, k, target, weight, along, penalties[p], kept, fitted);
        if (r2 > out->r2.value) {
            out->r2.value = r2;
            out->penalty = penalties[p];
        }
    }
done:
    es_free(along);
    es_free(kept);
    es_free(fitted);
    return st;
}

es_status es_consensus_of(const es_consensus *c, const es_matrix *m, const es_run *run,
                          es_consensus_value *out, es_error *err) {
    size_t n = c->n, k = c->rules.components < n - 1 ? c->rules.components : n - 1;
    es_matrix z = {0};
    ridge_axes axes = {0};
    double *own = es_alloc_aligned(n * n, sizeof *own), total = 0, held = 0;
    double *others = es_alloc_aligned(n * n, sizeof *others);
    double *target = es_alloc_aligned(k * n, sizeof *target), *weight = es_alloc(k, sizeof *weight);
    es_consensus_value v = {es_stat_undefined("no other embedder"), NAN, NAN, 0};
    es_status st = ES_OK;
    ES_FAIL_IF(!own || !others || !target || !weight, es_no_memory_for(err, "%zu rows", n));
    ES_TRY(sampled(c, m, &z, err));
    memset(own, 0, n * n * sizeof *own);
    if (z.d > 0)
        block_gram(&z, own);
    for (size_t i = 0; i < n * n; i++)
        others[i] = c->gram[i] - own[i];
    for (size_t i = 0; i < n; i++)
        total += others[i * n + i];
    if (c->count < 2 || !(total > 0.5 * (double)n)) /* each one adds n */
        goto given;
    ES_TRY(es_eigen_leading(n, others, k, c->rules.seed, run, target, weight, err));
    while (v.components < k && weight[v.components] > 1e-10 * weight[0])
        held += weight[v.components++];
    v.share = held / total;
    if (z.d == 0) {
        v.r2 = es_stat_undefined(ES_WHY_CONSTANT);
        goto given;
    }
    ES_TRY(es_run_check(run, err));
    ES_TRY(ridge_axes_new(&z, own, &axes, err));
    ES_TRY(best_r2(&axes, n, v.components, target, weight, &v, err));
given:
    *out = v;
done:
    es_free(own);
    es_free(others);
    es_free(target);
    es_free(weight);
    es_matrix_free(&z);
    ridge_axes_free(&axes);
    return st;
}
