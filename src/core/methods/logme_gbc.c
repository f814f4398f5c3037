/* LogME (You et al., ICML 2021): the evidence of a Bayesian linear model, its two precisions found
 * by fixed-point steps on singular values. GBC (Pandy et al., CVPR 2022): how much Gaussians of
 * the classes overlap on principal axes. */
#include "core_methods.h"

#include <math.h>
#include <string.h>

/* ---- LogME ---- */

/* A regression on singular directions: squared singular values and what y has along them. */
typedef struct spectrum {
    size_t n, d, rank;
    const double *s2, *along2; /* (rank) */
    double beyond;             /* squared length of y outside all directions */
} spectrum;

/* Fixed-point iteration for alpha and beta; returns the evidence of one output (LogME, algorithm
 * 3). */
static es_logme_output maximise_evidence(const spectrum *f) {
    static const double log_2pi = 1.83787706640934548356;
    double alpha = 1, beta = 1, squares = 0, residual = 0;
    unsigned steps = 0;
    while (steps < 11) {
        double t = alpha / beta, gamma = 0;
        steps++;
        squares = 0;
        residual = f->beyond;
        for (size_t i = 0; i < f->rank; i++) {
            double s2 = f->s2[i], z2 = f->along2[i];
            gamma += s2 / (s2 + t);
            squares += s2 * z2 / ((s2 + t) * (s2 + t));
            residual += z2 / ((1 + s2 / t) * (1 + s2 / t));
        }
        alpha = gamma / (squares + 1e-5);
        beta = ((double)f->n - gamma) / (residual + 1e-5);
        if (fabs(alpha / beta - t) <= 1e-3 * t)
            break;
    }
    double determinant = 0, n = (double)f->n;
    for (size_t i = 0; i < f->rank; i++)
        determinant += log(alpha + beta * f->s2[i]);
    double published = ((double)f->d * log(alpha) + n * log(beta) - determinant - beta * residual -
                        alpha * squares - n * log_2pi) /
                       (2 * n);
    double no_data = (double)(f->d - f->rank) * log(alpha) / (2 * n);
    return (es_logme_output){published - no_data, published, steps};
}

/* y (n) is 1 for rows of the class, else 0; or the numbers themselves. */
static void target(const es_labelled *l, const es_task *task, size_t which, double *y) {
    for (size_t i = 0; i < l->x.n; i++)
        y[i] = !task->classes ? l->label[i] : l->label[i] == l->classes[which] ? 1 : 0;
}

es_status es_logme_of(const es_matrix *m, const es_task *task, const es_run *run, es_logme *out,
                      es_logme_output *each, es_error *err) {
    es_labelled l = {0};
    es_logme sum = {0};
    double *u = NULL, *s = NULL, *vt = NULL, *y = NULL, *along = NULL;
    size_t k = 0, targets = 1;
    es_status st = ES_OK;
    ES_TRY(es_labelled_new(m, task, &l, err));
    spectrum f = {.n = l.x.n, .d = l.x.d};
    k = l.x.n < l.x.d ? l.x.n : l.x.d;
    u = es_alloc_aligned(l.x.n * k, sizeof *u);
    s = es_alloc(k, sizeof *s);
    vt = es_alloc_aligned(k * l.x.d, sizeof *vt);
    y = es_alloc(l.x.n, sizeof *y);
    along = es_alloc(k, sizeof *along);
    ES_FAIL_IF(!u || !s || !vt || !y || !along, es_no_memory_for(err, "%zu columns", l.x.d));
    ES_TRY(es_run_check(run, err));
    ES_TRY(es_svd(l.x.n, l.x.d, l.x.x, u, s, vt, err));
    while (f.rank < k && s[f.rank] > 1e-10 * s[0])
        f.rank++;
    for (size_t i = 0; i < f.rank; i++)
        s[i] *= s[i];
    f.s2 = s;
    f.along2 = along;
    targets = task->classes ? l.n_classes : 1;
    for (size_t c = 0; c < targets; c++) {
        ES_TRY(es_run_check(run, err));
        target(&l, task, c, y);
        f.beyond = 0;
        for (size_t i = 0; i < l.x.n; i++)
            f.beyond += y[i] * y[i];
        es_dgemm(true, false, k, 1, l.x.n, u, y, along);
        for (size_t i = 0; i < f.rank; i++) {
            along[i] *= along[i];
            f.beyond -= along[i];
        }
        f.beyond = f.beyond > 0 ? f.beyond : 0;
        es_logme_output one = maximise_evidence(&f);
        sum.value += one.evidence;
        sum.published += one.published;
        if (each)
            each[c] = one;
    }
    *out = (es_logme){.value = sum.value / (double)targets,
                      .published = sum.published / (double)targets,
                      .rank = f.rank,
                      .columns = f.d,
                      .outputs = targets};
done:
    es_labelled_free(&l);
    es_free(u);
    es_free(s);
    es_free(vt);
    es_free(y);
    es_free(along);
    return st;
}

/* ---- GBC ---- */

static const double least_variance = 1e-4;
enum { GBC_AXES = 64 };

/* mean, var (classes, d); returns how many variances were raised to the floor. */
static size_t moments(const es_labelled *l, const es_matrix *x, double *mean, double *var) {
    size_t d = x->d, floored = 0;
    for (size_t c = 0; c < l->n_classes; c++) {
        double *m = mean + c * d, *v = var + c * d, count = 0;
        memset(m, 0, d * sizeof *m);
        memset(v, 0, d * sizeof *v);
        for (int pass = 0; pass < 2; pass++) {
            for (size_t i = 0; i < x->n; i++) {
                if (l->label[i] != l->classes[c])
                    continue;
                count += pass == 0;
                for (size_t j = 0; j < d; j++) {
                    double e = x->x[i * d + j] - m[j];
                    if (pass == 0)
                        m[j] += x->x[i * d + j];
                    else
                        v[j] += e * e;
                }
            }
            for (size_t j = 0; j < d; j++)
                *(pass == 0 ? &m[j] : &v[j]) /= count;
        }
        for (size_t j = 0; j < d; j++)
            if (v[j] < least_variance) {
                v[j] = least_variance;
                floored++;
            }
    }
    return floored;
}

/* Minus the sum of exp(-distance) over ordered pairs of classes. logs: in how many dimensions the
 * variances' own term counts. */
static double coefficient(const double *mean, const double *var, size_t classes, size_t d,
                          size_t logs) {
    double sum = 0;
    for (size_t a = 0; a < classes; a++)
        for (size_t b = 0; b < a; b++) {
            double distance = 0;
            for (size_t j = 0; j < d; j++) {
                double va = var[a * d + j], vb = var[b * d + j], v = (va + vb) / 2;
                double e = mean[a * d + j] - mean[b * d + j];
                distance += e * e / v / 8;
                if (j < logs)
                    distance += log(v / sqrt(va * vb)) / 2;
            }
            sum -= 2 * exp(-distance);
        }
    return sum;
}

static es_status few_axes(es_labelled *l, es_error *err) {
    es_matrix centred = {0}, few = {0};
    es_pca pca = {0};
    es_status st = ES_OK;
    if (l->x.d <= GBC_AXES)
        return ES_OK;
    ES_TRY(es_matrix_centred(&l->x, &centred, NULL, err));
    ES_TRY(es_pca_new(&centred, GBC_AXES, &pca, err));
    ES_FAIL_IF(pca.rank == 0, es_fail(err, ES_EEMPTY, "all labelled rows are equal"));
    ES_TRY(es_pca_project(&pca, &centred, pca.rank < GBC_AXES ? pca.rank : GBC_AXES, &few, err));
    es_matrix_free(&l->x);
    l->x = few;
done:
    es_matrix_free(&centred);
    es_pca_free(&pca);
    return st;
}

es_status es_gbc_of(const es_matrix *m, const es_task *task, const es_run *run, es_gbc *out,
                    es_error *err) {
    es_labelled l = {0};
    double *mean = NULL, *var = NULL;
    es_status st = ES_OK;
    if (!task->classes)
        return es_fail(err, ES_EINVAL, "this measure needs classes, not numbers");
    ES_TRY(es_labelled_new(m, task, &l, err));
    ES_TRY(es_run_check(run, err));
    ES_TRY(few_axes(&l, err));
    size_t d = l.x.d, values = l.n_classes * d;
    es_gbc g = {.axes = d};
    mean = es_alloc(values, sizeof *mean);
    var = es_alloc(values, sizeof *var);
    ES_FAIL_IF(!mean || !var, es_no_memory_for(err, "%zu classes", l.n_classes));
    g.floored = (double)moments(&l, &l.x, mean, var) / (double)values;
    g.diagonal = coefficient(mean, var, l.n_classes, d, d);
    for (size_t c = 0; c < l.n_classes; c++) {
        double average = 0;
        for (size_t j = 0; j < d; j++)
            average += var[c * d + j] / (double)d;
        for (size_t j = 0; j < d; j++)
            var[c * d + j] = average;
    }
    g.spherical = coefficient(mean, var, l.n_classes, d, d);
    g.published = coefficient(mean, var, l.n_classes, d, 1);
    *out = g;
done:
    es_labelled_free(&l);
    es_free(mean);
    es_free(var);
    return st;
}

/* Takes the rows that have a label out of a matrix and lists the different classes. */

/* Numbers the classes that the labels name. */
static es_status find_classes(es_labelled *l, es_error *err) {
    size_t n = l->x.n;
    uint32_t *order = es_alloc(2 * n, sizeof *order);
    l->classes = es_alloc(n, sizeof *l->classes);
    if (!order || !l->classes) {
        es_free(order);
        return es_no_memory_for(err, "%zu labels", n);
    }
    es_sort_order(l->label, order, order + n, n);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || l->label[order[i]] != l->label[order[i - 1]])
            l->classes[l->n_classes++] = l->label[order[i]];
    es_free(order);
    if (l->n_classes < 2)
        return es_fail(err, ES_EINVAL, "all %zu labels are of one class: nothing to tell apart", n);
    return ES_OK;
}

es_status es_labelled_new(const es_matrix *m, const es_task *task, es_labelled *out,
                          es_error *err) {
    es_labelled l = {0};
    uint32_t *rows = NULL;
    size_t n = 0;
    es_status st = ES_OK;
    if (task->n != m->n)
        return es_fail(err, ES_EINVAL, "labels for %zu rows, but the embedder has %zu", task->n,
                       m->n);
    rows = es_alloc(m->n, sizeof *rows);
    l.label = es_alloc(m->n, sizeof *l.label);
    ES_FAIL_IF(!rows || !l.label, es_no_memory_for(err, "%zu labels", m->n));
    for (size_t i = 0; i < m->n; i++)
        if (isfinite(task->value[i])) {
            l.label[n] = task->value[i];
            rows[n++] = (uint32_t)i;
        }
    if (n < 2) {
        st =
            es_fail(err, ES_EEMPTY, "%zu of %zu rows have a label: at least 2 are needed", n, m->n);
        goto done;
    }
    ES_TRY(es_matrix_rows(m, rows, n, &l.x, err));
    if (task->classes)
        ES_TRY(find_classes(&l, err));
    *out = l;
done:
    es_free(rows);
    if (st != ES_OK)
        es_labelled_free(&l);
    return st;
}

bool es_labels_equal(const double *label, size_t n) {
    size_t first = 0;
    while (first < n && !isfinite(label[first]))
        first++;
    for (size_t i = first; i < n; i++)
        if (isfinite(label[i]) && label[i] != label[first])
            return false;
    return true;
}

void es_labelled_free(es_labelled *labelled) {
    es_matrix_free(&labelled->x);
    es_free(labelled->label);
    es_free(labelled->classes);
    *labelled = (es_labelled){0};
}
