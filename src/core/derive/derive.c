/* Centring, normalising, taking out or keeping principal axes, and random projection, each from a
 * matrix to a new one. */
#include "core_derive.h"

#include <math.h>
#include <string.h>

static const char *const names[ES_DERIVE_KINDS] = {
    [ES_DERIVE_NONE] = "none",   [ES_DERIVE_CENTRE] = "centre",
    [ES_DERIVE_ABTT] = "abtt",   [ES_DERIVE_NORMALISE] = "normalise",
    [ES_DERIVE_PCR] = "pcr",     [ES_DERIVE_WHITEN] = "whiten",
    [ES_DERIVE_PCA] = "pca",     [ES_DERIVE_RANDOM] = "random-projection",
    [ES_DERIVE_FIRST] = "first", [ES_DERIVE_FLOW] = "flow",
};

bool es_derive_is_random(es_derive_kind kind) {
    return kind == ES_DERIVE_RANDOM || kind == ES_DERIVE_FLOW;
}

const char *es_derive_name(es_derive_kind kind) {
    return names[kind];
}

static es_status copy_matrix(const es_matrix *m, es_matrix *out, es_error *err) {
    es_matrix r = {0};
    ES_PASS(es_matrix_new(m->n, m->d, &r, err));
    memcpy(r.x, m->x, m->n * m->d * sizeof *r.x);
    *out = r;
    return ES_OK;
}

/* out: the rows of m scaled to length 1. */
static es_status normalise_copy(const es_matrix *m, es_matrix *out, es_error *err) {
    es_status st = copy_matrix(m, out, err);
    for (size_t i = 0; st == ES_OK && i < m->n; i++) {
        double *x = out->x + i * m->d, sum = 0;
        for (size_t j = 0; j < m->d; j++)
            sum += x[j] * x[j];
        for (size_t j = 0; sum > 0 && j < m->d; j++)
            x[j] /= sqrt(sum);
    }
    return st;
}

es_status es_derive_leaves(const es_derive *how, size_t rank, es_error *err) {
    if (how->k < rank)
        return ES_OK;
    return es_fail(err, ES_EINVAL,
                   "%s: %zu direction%s variance: without %zu nothing but rounding would be left",
                   names[how->kind], rank, rank == 1 ? " has" : "s have", how->k);
}

/* x - (x V) V^T for the first k axes V; `x` is changed. */
static es_status take_out(es_matrix *x, const es_pca *pca, size_t k, es_error *err) {
    es_matrix along = {0};
    ES_PASS(es_pca_project(pca, x, k, &along, err));
    for (size_t i = 0; i < x->n * k; i++)
        along.x[i] = -along.x[i];
    es_dgemm_add(x->n, x->d, k, along.x, pca->axis, x->x);
    es_matrix_free(&along);
    return ES_OK;
}

static es_status by_axes(const es_matrix *m, const es_derive *how, es_matrix *out, es_error *err) {
    es_matrix x = {0}, r = {0};
    es_pca pca = {0};
    es_status st = ES_OK;
    if (how->kind == ES_DERIVE_PCR)
        ES_TRY(copy_matrix(m, &x, err));
    else
        ES_TRY(es_matrix_centred(m, &x, NULL, err));
    ES_TRY(es_pca_new(&x, ES_PCA_ALL, &pca, err));
    if (how->kind == ES_DERIVE_ABTT || how->kind == ES_DERIVE_PCR) {
        ES_TRY(es_derive_leaves(how, pca.rank, err));
        ES_TRY(take_out(&x, &pca, how->k, err));
        *out = x;
        x = (es_matrix){0};
        goto done;
    }
    size_t k = how->k > 0 && how->k < pca.rank ? how->k : pca.rank;
    ES_FAIL_IF(k == 0, es_fail(err, ES_EEMPTY, "all rows are equal: no axis has any variance"));
    ES_TRY(es_pca_project(&pca, &x, k, &r, err));
    for (size_t i = 0; how->kind == ES_DERIVE_WHITEN && i < r.n; i++)
        for (size_t j = 0; j < k; j++)
            r.x[i * k + j] /= sqrt(pca.var[j]);
    *out = r;
done:
    es_matrix_free(&x);
    es_pca_free(&pca);
    return st;
}

static es_status project_at_random(const es_matrix *m, const es_derive *how, es_matrix *out,
                                   es_error *err) {
    es_matrix axes = {0}, r = {0};
    es_status st = ES_OK;
    es_rng rng;
    es_rng_init(&rng, how->seed, es_rng_stream(ES_STREAM_SAMPLE, m->d * 65536 + how->k));
    ES_TRY(es_matrix_new(m->d, how->k, &axes, err));
    ES_TRY(es_matrix_new(m->n, how->k, &r, err));
    for (size_t i = 0; i < m->d * how->k; i++)
        axes.x[i] = es_rng_normal(&rng) / sqrt((double)how->k);
    es_dgemm(false, false, m->n, how->k, m->d, m->x, axes.x, r.x);
    *out = r;
done:
    es_matrix_free(&axes);
    return st;
}

static es_status keep_first(const es_matrix *m, size_t k, es_matrix *out, es_error *err) {
    es_status st = es_matrix_new(m->n, k, out, err);
    for (size_t i = 0; st == ES_OK && i < m->n; i++)
        memcpy(out->x + i * k, m->x + i * m->d, k * sizeof *out->x);
    return st;
}

static es_status to_normal(const es_matrix *m, const es_derive *how, es_matrix *out,
                           es_error *err) {
    es_normalizing_flow *flow = NULL;
    es_matrix r = {0};
    es_status st = es_normalizing_flow_fit(m, how->seed, NULL, &flow, err);
    if (st == ES_OK)
        st = es_matrix_new(m->n, es_normalizing_flow_columns(flow), &r, err);
    if (st == ES_OK)
        st = es_normalizing_flow_apply(flow, m->x, m->n, r.x, err);
    es_normalizing_flow_free(flow);
    if (st == ES_OK)
        *out = r;
    else
        es_matrix_free(&r);
    return st;
}

static es_status by_kind(const es_matrix *m, const es_derive *how, es_matrix *out, es_error *err) {
    bool needs = how->kind == ES_DERIVE_ABTT || how->kind == ES_DERIVE_PCR ||
                 how->kind == ES_DERIVE_PCA || how->kind == ES_DERIVE_RANDOM ||
                 how->kind == ES_DERIVE_FIRST;
    bool limited = how->kind != ES_DERIVE_RANDOM;
    if (m->n == 0 || m->d == 0)
        return es_fail(err, ES_EEMPTY, "%s: there are no rows", names[how->kind]);
    if ((needs && how->k == 0) || (limited && how->k > m->d))
        return es_fail(err, ES_EINVAL, "%s: %zu is not a number of axes from 1 to %zu",
                       names[how->kind], how->k, m->d);
    switch (how->kind) {
    case ES_DERIVE_CENTRE:
        return es_matrix_centred(m, out, NULL, err);
    case ES_DERIVE_NORMALISE:
        return normalise_copy(m, out, err);
    case ES_DERIVE_RANDOM:
        return project_at_random(m, how, out, err);
    case ES_DERIVE_FLOW:
        return to_normal(m, how, out, err);
    case ES_DERIVE_FIRST:
        return keep_first(m, how->k, out, err);
    case ES_DERIVE_ABTT:
    case ES_DERIVE_PCR:
    case ES_DERIVE_WHITEN:
    case ES_DERIVE_PCA:
        return by_axes(m, how, out, err);
    default:
        return copy_matrix(m, out, err);
    }
}

es_status es_derive_matrix(const es_matrix *m, const es_derive *how, es_matrix *out,
                           es_error *err) {
    es_quantiser q = {0};
    es_matrix r = {0};
    es_status st = by_kind(m, how, &r, err);
    if (st == ES_OK && how->bits > 0)
        st = es_quantiser_new(how->bits, r.d, &q, err);
    if (st != ES_OK) {
        es_matrix_free(&r);
        return st;
    }
    if (how->bits > 0) {
        es_quantiser_take(&q, r.x, r.n);
        es_quantiser_settle(&q);
        es_quantiser_apply(&q, r.x, r.n);
    }
    es_quantiser_free(&q);
    *out = r;
    return ES_OK;
}
