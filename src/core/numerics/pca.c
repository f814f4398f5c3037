/* Principal axes from the eigenvectors of the smaller of the two Gram matrices. */
#include "pca.h"

#include <math.h>

#include "alloc.h"
#include "linalg.h"

/* The upper triangle from the lower is not needed: es_eigen reads the lower one. `gram` (n, n) is
 * X X^T; its vectors u, the last one of the largest value, give the axes X^T u / sqrt(value). */
static es_status axes_from_rows(const es_matrix *m, const double *vector, const double *value,
                                es_pca *pca, es_error *err) {
    size_t n = m->n;
    double *scaled = es_alloc_aligned(pca->rank * n, sizeof *scaled);
    if (!scaled)
        return es_no_memory_for(err, "%zu principal axes", n);
    for (size_t a = 0; a < pca->rank; a++)
        for (size_t i = 0; i < n; i++)
            scaled[a * n + i] = vector[(n - 1 - a) * n + i] / sqrt(value[n - 1 - a]);
    es_dgemm(false, false, pca->rank, m->d, n, scaled, m->x, pca->axis);
    es_free(scaled);
    return ES_OK;
}

static void axes_from_columns(const es_matrix *m, const double *vector, es_pca *pca) {
    for (size_t a = 0; a < pca->rank; a++)
        for (size_t j = 0; j < m->d; j++)
            pca->axis[a * m->d + j] = vector[(m->d - 1 - a) * m->d + j];
}

es_status es_pca_new(const es_matrix *m, es_pca *out, es_error *err) {
    size_t order = m->n < m->d ? m->n : m->d;
    es_pca pca = {.d = m->d};
    es_status st = ES_OK;
    double *gram = es_alloc_zero(order * order, sizeof *gram);
    double *value = es_alloc(order, sizeof *value);
    ES_FAIL_IF(!gram || !value, es_no_memory_for(err, "%zu principal axes", order));
    if (m->n < m->d)
        es_dgemm(false, true, m->n, m->n, m->d, m->x, m->x, gram);
    else
        es_dsyrk_add(m->n, m->d, m->x, gram);
    ES_TRY(es_eigen(order, gram, value, err));
    for (size_t i = 0; i < order; i++) {
        pca.total += value[i] > 0 ? value[i] : 0;
        pca.rank += value[i] > 1e-10 * value[order - 1] && value[i] > 0;
    }
    pca.axis = es_alloc(pca.rank * m->d, sizeof *pca.axis);
    pca.var = es_alloc(pca.rank, sizeof *pca.var);
    ES_FAIL_IF(!pca.axis || !pca.var, es_no_memory_for(err, "%zu principal axes", order));
    if (m->n < m->d)
        ES_TRY(axes_from_rows(m, gram, value, &pca, err));
    else
        axes_from_columns(m, gram, &pca);
    double free_rows = m->n > 1 ? (double)(m->n - 1) : 1;
    for (size_t a = 0; a < pca.rank; a++)
        pca.var[a] = value[order - 1 - a] / free_rows;
    pca.total /= free_rows;
    *out = pca;
done:
    es_free(gram);
    es_free(value);
    if (st != ES_OK)
        es_pca_free(&pca);
    return st;
}

void es_pca_free(es_pca *pca) {
    es_free(pca->axis);
    es_free(pca->var);
    *pca = (es_pca){0};
}

size_t es_pca_axes(const es_pca *pca, double share) {
    double sum = 0;
    for (size_t a = 0; a < pca->rank; a++) {
        sum += pca->var[a];
        if (sum >= (share - 1e-12) * pca->total)
            return a + 1;
    }
    return pca->rank;
}

es_status es_pca_project(const es_pca *pca, const es_matrix *m, size_t k, es_matrix *out,
                         es_error *err) {
    es_matrix r = {0};
    es_status st = es_matrix_new(m->n, k, &r, err);
    if (st != ES_OK)
        return st;
    es_dgemm(false, true, m->n, k, m->d, m->x, pca->axis, r.x);
    *out = r;
    return ES_OK;
}
