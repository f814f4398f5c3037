/* Principal axes from the eigenvectors of the smaller of the two Gram matrices. */
#include "core_numerics.h"

#include <math.h>
#include <string.h>

/* Vectors of the smaller product, the leading one first, and their values: to axes (pca->axes, d)
 * of the rows. With more columns than rows an axis is X^T u / sqrt(value). */
static es_status make_axes(const es_matrix *m, double *vector, const double *value, es_pca *pca,
                           es_error *err) {
    size_t n = m->n, d = m->d, axes = pca->axes;
    pca->axis = es_alloc(axes * d + 1, sizeof *pca->axis);
    if (!pca->axis)
        return es_no_memory_for(err, "%zu principal axes", axes);
    if (n >= d) {
        memcpy(pca->axis, vector, axes * d * sizeof *vector);
        return ES_OK;
    }
    for (size_t a = 0; a < axes; a++)
        for (size_t i = 0; i < n; i++)
            vector[a * n + i] /= sqrt(value[a]);
    es_dgemm(false, false, axes, d, n, vector, m->x, pca->axis);
    return ES_OK;
}

static void turn_round(size_t count, size_t width, double *x) {
    for (size_t i = 0; i < count / 2; i++)
        for (size_t j = 0; j < width; j++) {
            double swap = x[i * width + j];
            x[i * width + j] = x[(count - 1 - i) * width + j];
            x[(count - 1 - i) * width + j] = swap;
        }
}

/* The eigenvalues of gram (order, order; its lower triangle), the largest first, and as many of
 * their vectors as are wanted in its place. How many values there are. */
static es_status eigen(size_t order, size_t most, double *gram, double *value, size_t *found,
                       es_error *err) {
    *found = order;
    if (most > 0 && order >= ES_PCA_LARGE && most <= order / ES_PCA_FEW) {
        double *vector = es_alloc_aligned(most * order, sizeof *vector);
        if (!vector)
            return es_no_memory_for(err, "%zu principal axes", most);
        for (size_t i = 0; i < order; i++)
            for (size_t j = 0; j < i; j++)
                gram[j * order + i] = gram[i * order + j];
        es_status st = es_eigen_leading(order, gram, most, order, NULL, vector, value, err);
        memcpy(gram, vector, most * order * sizeof *vector);
        es_free(vector);
        *found = most;
        return st;
    }
    es_status st =
        most > 0 ? es_eigen(order, gram, value, err) : es_eigenvalues(order, gram, value, err);
    turn_round(order, 1, value);
    if (most > 0)
        turn_round(order, order, gram);
    return st;
}

/* From the products of columns, or of rows where these are fewer; m is looked at there alone. */
static es_status of_products(const es_matrix *m, double *gram, size_t most, es_pca *out,
                             es_error *err) {
    size_t order = m->n < m->d ? m->n : m->d, found = 0;
    es_pca pca = {.d = m->d};
    es_status st = ES_OK;
    double *value = es_alloc(order, sizeof *value);
    ES_FAIL_IF(!value, es_no_memory_for(err, "%zu principal axes", order));
    for (size_t i = 0; i < order; i++)
        pca.total += gram[i * order + i];
    ES_TRY(eigen(order, most, gram, value, &found, err));
    while (pca.rank < found && value[pca.rank] > 1e-10 * value[0] && value[pca.rank] > 0)
        pca.rank++;
    pca.axes = pca.rank < most ? pca.rank : most;
    pca.var = es_alloc(pca.rank + 1, sizeof *pca.var);
    ES_FAIL_IF(!pca.var, es_no_memory_for(err, "%zu principal axes", order));
    ES_TRY(make_axes(m, gram, value, &pca, err));
    double free_rows = m->n > 1 ? (double)(m->n - 1) : 1;
    for (size_t a = 0; a < pca.rank; a++)
        pca.var[a] = value[a] / free_rows;
    pca.total /= free_rows;
    *out = pca;
done:
    es_free(value);
    if (st != ES_OK)
        es_pca_free(&pca);
    return st;
}

es_status es_pca_new(const es_matrix *m, size_t most, es_pca *out, es_error *err) {
    size_t order = m->n < m->d ? m->n : m->d;
    double *gram = es_alloc_zero(order * order, sizeof *gram);
    if (!gram)
        return es_no_memory_for(err, "%zu principal axes", order);
    if (m->n < m->d)
        es_dsyrk_rows(m->n, m->d, m->x, gram);
    else
        es_dsyrk_add(m->n, m->d, m->x, gram);
    es_status st = of_products(m, gram, most, out, err);
    es_free(gram);
    return st;
}

es_status es_pca_of_columns(size_t n, size_t d, double *gram, size_t most, es_pca *out,
                            es_error *err) {
    return of_products(&(es_matrix){n, d, NULL}, gram, most, out, err);
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
    ES_PASS(es_matrix_new(m->n, k, &r, err));
    es_dgemm(false, true, m->n, k, m->d, m->x, pca->axis, r.x);
    *out = r;
    return ES_OK;
}
