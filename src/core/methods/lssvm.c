/* One kernel matrix and one factorisation a query and fold; a least-squares support vector machine
 * is a linear system (Suykens and Vandewalle 1999). */
#include "core_methods.h"

#include <math.h>
#include <string.h>

/* Room for one query: at most `widest` documents. */
typedef struct work {
    const es_matrix *x;
    const es_retmmd_rules *rules;
    double c, sigma2;
    size_t folds;
    double *rows, *dot, *kernel, *system; /* (widest, d), (widest, widest) each */
    double *a;                            /* (widest) */
    size_t *train;                        /* (widest) */
} work;

/* +1 for answers, which come first. */
static double side_of(size_t i, size_t half) {
    return i < half ? 1 : -1;
}

/* Answers that fold `fold` of 2 * half documents finds, rightly and wrongly. Document i and i +
 * half are in fold i % folds. */
static es_status try_fold(work *w, size_t half, size_t fold, double *right, double *wrong,
                          es_error *err) {
    size_t size = 2 * half, n = 0;
    for (size_t i = 0; i < size; i++)
        if (i % half % w->folds != fold)
            w->train[n++] = i;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            w->system[i * n + j] =
                w->kernel[w->train[i] * size + w->train[j]] + (i == j ? 1 / w->c : 0);
        w->a[i] = side_of(w->train[i], half);
    }
    es_status st = es_solve(n, w->system, 1, w->a, err);
    for (size_t i = 0; st == ES_OK && i < size; i++) {
        double sum = 0;
        if (i % half % w->folds != fold)
            continue;
        for (size_t j = 0; j < n; j++)
            sum += w->a[j] * w->kernel[i * size + w->train[j]];
        if (sum > 0)
            *(i < half ? right : wrong) += 1;
    }
    return st;
}

/* F1 of answers: 2 found / (2 found + falsely found + missed). */
static es_status try_kernel(work *w, size_t half, es_kernel kind, double *f1, es_error *err) {
    size_t size = 2 * half;
    double right = 0, wrong = 0;
    unsigned power = w->rules->power > 0 ? w->rules->power : 3;
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            w->kernel[i * size + j] =
                es_kernel_of(kind, w->dot[i * size + j], w->dot[i * size + i], w->dot[j * size + j],
                             (double)w->x->d, w->sigma2, power);
    for (size_t fold = 0; fold < w->folds; fold++) {
        ES_PASS(try_fold(w, half, fold, &right, &wrong, err));
    }
    *f1 += 2 * right / (right + wrong + (double)half);
    return ES_OK;
}

static size_t half_of(const es_query *q) {
    return q->positives < q->negatives ? q->positives : q->negatives;
}

/* Trains on half of a query's documents and returns F1 on the other half. */
static es_status try_query(work *w, const es_query *q, double *f1, es_error *err) {
    size_t half = half_of(q), d = w->x->d;
    es_status st = ES_OK;
    for (size_t i = 0; i < 2 * half; i++) {
        uint32_t row = q->doc[i < half ? i : q->positives + i - half];
        memcpy(w->rows + i * d, w->x->x + row * d, d * sizeof *w->rows);
    }
    es_dgemm(false, true, 2 * half, 2 * half, d, w->rows, w->rows, w->dot);
    for (int k = 0; st == ES_OK && k < ES_KERNELS; k++)
        st = try_kernel(w, half, (es_kernel)k, &f1[k], err);
    return st;
}

es_status es_lssvm_of(const es_matrix *reduced, const es_query_set *queries,
                      const es_retmmd_rules *rules, double c, size_t folds, const es_run *run,
                      es_lssvm *out, es_error *err) {
    work w = {.x = reduced, .rules = rules, .c = c, .folds = folds};
    es_lssvm r = {0};
    size_t widest = 1, documents = 0;
    es_status st = ES_OK;
    for (size_t q = 0; q < queries->count; q++)
        widest =
            2 * half_of(&queries->query[q]) > widest ? 2 * half_of(&queries->query[q]) : widest;
    w.rows = es_alloc(widest * reduced->d, sizeof *w.rows);
    w.dot = es_alloc(widest * widest, sizeof *w.dot);
    w.kernel = es_alloc(widest * widest, sizeof *w.kernel);
    w.system = es_alloc(widest * widest, sizeof *w.system);
    w.a = es_alloc(widest, sizeof *w.a);
    w.train = es_alloc(widest, sizeof *w.train);
    ES_FAIL_IF(!w.rows || !w.dot || !w.kernel || !w.system || !w.a || !w.train,
               es_no_memory_for(err, "queries of %zu documents", widest));
    ES_TRY(es_kernel_width(reduced, queries, rules->seed, run, &w.sigma2, &documents, err));
    for (size_t q = 0; q < queries->count; q++) {
        ES_TRY(es_run_check(run, err));
        if (half_of(&queries->query[q]) < folds) {
            r.skipped++;
            continue;
        }
        r.count++;
        ES_TRY(try_query(&w, &queries->query[q], r.f1, err));
    }
    ES_FAIL_IF(
        r.count == 0,
        es_fail(err, ES_EEMPTY,
                "no query has %zu documents that answer it and %zu that do not, one for each fold: "
                "set folds lower",
                folds, folds));
    for (int k = 0; k < ES_KERNELS; k++) {
        r.f1[k] /= (double)r.count;
        r.best = r.f1[k] > r.f1[r.best] ? (es_kernel)k : r.best;
    }
    *out = r;
done:
    es_free(w.rows);
    es_free(w.dot);
    es_free(w.kernel);
    es_free(w.system);
    es_free(w.a);
    es_free(w.train);
    return st;
}

/* Kernel values from dot products, and the width of the RBF kernel by the median of distances
 * (Gretton et al., JMLR 2012). */

enum { MEDIAN_ROWS = 2000 };

double es_kernel_of(es_kernel kind, double dot, double xx, double yy, double axes, double sigma2,
                    unsigned power) {
    double poly = dot / axes + 1;
    switch (kind) {
    case ES_KERNEL_LINEAR:
        return dot;
    case ES_KERNEL_COSINE:
        return xx > 0 && yy > 0 ? dot / (sqrt(xx) * sqrt(yy)) : 0;
    case ES_KERNEL_POLY2:
        return poly * poly;
    case ES_KERNEL_POLY3: {
        double v = poly;
        for (unsigned p = 1; p < power; p++)
            v *= poly;
        return v;
    }
    default: {
        double d2 = xx + yy - 2 * dot;
        return sigma2 > 0 ? exp(-(d2 > 0 ? d2 : 0) / (2 * sigma2)) : 1;
    }
    }
}

double es_kernel_width_of(const double *d2, size_t count, double *scratch) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (d2[i] > 0)
            scratch[left++] = sqrt(d2[i]);
    double s = left > 0 ? es_stat_median(scratch, left) : 0;
    return s * s;
}

/* s^2 of the listed rows. */
static es_status median2(const es_matrix *x, const uint32_t *rows, size_t count, const es_run *run,
                         double *out, es_error *err) {
    es_matrix part = {0};
    es_space space = {0};
    size_t pairs = count * (count - (count > 0)) / 2;
    double *d2 = es_alloc(pairs, sizeof *d2);
    es_status st = ES_OK;
    ES_FAIL_IF(!d2, es_no_memory_for(err, "distances of %zu documents", count));
    ES_TRY(es_matrix_rows(x, rows, count, &part, err));
    ES_TRY(es_space_new(&part, ES_L2, &space, err));
    ES_TRY(es_space_all(&space, run, d2, err));
    *out = es_kernel_width_of(d2, pairs, d2);
done:
    es_free(d2);
    es_matrix_free(&part);
    es_space_free(&space);
    return st;
}

es_status es_kernel_width(const es_matrix *reduced, const es_query_set *queries, uint64_t seed,
                          const es_run *run, double *sigma2, size_t *documents, es_error *err) {
    size_t n = reduced->n, count = 0, kept = 0;
    unsigned char *used = es_alloc_zero(n, 1);
    uint32_t *rows = es_alloc(2 * n, sizeof *rows);
    es_status st = ES_OK;
    ES_FAIL_IF(!used || !rows, es_no_memory_for(err, "%zu documents", n));
    for (size_t q = 0; q < queries->count; q++)
        for (size_t i = 0; i < queries->query[q].positives + queries->query[q].negatives; i++)
            used[queries->query[q].doc[i]] = 1;
    for (size_t i = 0; i < n; i++)
        if (used[i])
            rows[count++] = (uint32_t)i;
    kept = count < MEDIAN_ROWS ? count : MEDIAN_ROWS;
    *documents = kept;
    ES_TRY(es_sample_rows(count, kept, seed, rows + n, err));
    for (size_t i = 0; i < kept; i++)
        rows[i] = rows[rows[n + i]]; /* ascending: never behind what is still read */
    ES_TRY(median2(reduced, rows, kept, run, sigma2, err));
done:
    es_free(used);
    es_free(rows);
    return st;
}
