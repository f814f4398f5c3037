/* Gaussian information of two embedders from their canonical correlations. A side is reduced to its
 * principal axes and scaled once, so that a pair is one product of matrices and the singular values
 * of a small one. */
#include "core_alike.h"

#include <math.h>

enum { LEAST_ROWS = 20 };

/* The nearest to 1 that a correlation counts as. */
static const double nearest = 1 - 1e-12;

/* Columns of standard deviation 1; what does not vary, up to the rounding of floats, becomes 0. */
static void standardise(es_matrix *x, const double *mean) {
    for (size_t j = 0; j < x->d; j++) {
        double sum = 0;
        for (size_t i = 0; i < x->n; i++)
            sum += x->x[i * x->d + j] * x->x[i * x->d + j];
        double sd = sqrt(sum / (double)(x->n - 1));
        double scale = sd > 1e-6 * fabs(mean[j]) && sd > 0 ? 1 / sd : 0;
        for (size_t i = 0; i < x->n; i++)
            x->x[i * x->d + j] *= scale;
    }
}

/* Rows along the leading axes with variance 1, as float. */
static es_status fill_side(es_cca_side *s, const es_matrix *x, const es_pca *pca, es_error *err) {
    es_matrix along = {0};
    double mean = 0, rows = sqrt((double)(s->n - 1));
    s->stretch = es_alloc(s->axes, sizeof *s->stretch);
    if (!s->stretch)
        return es_no_memory(err);
    ES_PASS(es_pca_project(pca, x, s->axes, &along, err));
    for (size_t k = 0; k < s->axes; k++)
        mean += pca->var[k] / (double)s->axes;
    for (size_t k = 0; k < s->axes; k++) {
        double shrunk = pca->var[k] + s->shrink * mean;
        s->stretch[k] = sqrt(shrunk / pca->var[k]);
        for (size_t i = 0; i < s->n; i++)
            along.x[i * s->axes + k] /= sqrt(shrunk) * rows;
    }
    s->x = along.x;
    return ES_OK;
}

es_status es_cca_side_new(const es_matrix *m, const es_cca_rules *rules, const es_run *run,
                          es_cca_side **out, es_error *err) {
    es_matrix x = {0};
    es_pca pca = {0};
    double *mean = NULL;
    es_status st = ES_OK;
    if (m->n < LEAST_ROWS)
        return es_fail(err, ES_EINVAL,
                       "%zu rows are too few for canonical correlations: at least %d", m->n,
                       LEAST_ROWS);
    es_cca_side *s = es_alloc_zero(1, sizeof *s);
    mean = es_alloc(m->d, sizeof *mean);
    ES_FAIL_IF(!s || !mean, es_no_memory_for(err, "%zu columns", m->d));
    ES_TRY(es_matrix_centred(m, &x, mean, err));
    if (!rules->raw)
        standardise(&x, mean);
    ES_TRY(es_run_check(run, err));
    ES_TRY(es_pca_new(&x, m->n / 10 < rules->axes ? m->n / 10 : rules->axes, &pca, err));
    s->n = m->n;
    s->shrink = rules->shrink;
    s->axes = pca.axes;
    if (s->axes > 0)
        ES_TRY(fill_side(s, &x, &pca, err));
    *out = s;
    s = NULL;
done:
    es_cca_side_free(s);
    es_free(mean);
    es_matrix_free(&x);
    es_pca_free(&pca);
    return st;
}

void es_cca_side_free(es_cca_side *side) {
    if (!side)
        return;
    es_free(side->x);
    es_free(side->stretch);
    es_free(side);
}

size_t es_cca_side_bytes(const es_cca_side *side) {
    return sizeof *side + (side->n + 1) * side->axes * sizeof(double);
}

/* Squared canonical correlations before shrinking add up to the smaller number of axes exactly
 * where those are linear maps of the others. */
static bool is_image(const es_cca_side *a, const es_cca_side *b, const double *product) {
    double sum = 0;
    size_t least = a->axes < b->axes ? a->axes : b->axes;
    for (size_t i = 0; i < a->axes; i++)
        for (size_t j = 0; j < b->axes; j++) {
            double rho = product[i * b->axes + j] * a->stretch[i] * b->stretch[j];
            sum += rho * rho;
        }
    return sum >= (double)least * (1 - 1e-9);
}

es_status es_cca_information_of(const es_cca_side *a, const es_cca_side *b, es_cca_information *out,
                                es_error *err) {
    es_cca_information v = {.axes = {a->axes, b->axes}};
    size_t k = a->axes < b->axes ? a->axes : b->axes;
    double *product = NULL, *rho = NULL, sum = 0;
    es_status st = ES_OK;
    if (a->n != b->n || a->shrink != b->shrink)
        return es_fail(err, ES_EINVAL, "two embedders were prepared with different rows or rules");
    v.value = es_stat_undefined(ES_WHY_CONSTANT);
    if (k > 0) {
        product = es_alloc_aligned(a->axes * b->axes, sizeof *product);
        rho = es_alloc(k, sizeof *rho);
        ES_FAIL_IF(!product || !rho, es_no_memory_for(err, "%zu by %zu axes", a->axes, b->axes));
        es_dgemm(true, false, a->axes, b->axes, a->n, a->x, b->x, product);
        v.linear_image = is_image(a, b, product);
        ES_TRY(es_svd(a->axes, b->axes, product, NULL, rho, NULL, err));
        for (size_t i = 0; i < k; i++) {
            double r = rho[i] < nearest ? rho[i] : nearest;
            sum -= log1p(-r * r) / 2;
        }
        v.value = es_stat_of(sum);
        v.strongest = rho[0] < 1 ? rho[0] : 1;
        v.chance = (double)a->axes * (double)b->axes / (2 * (double)a->n);
    }
    *out = v;
done:
    es_free(product);
    es_free(rho);
    return st;
}
