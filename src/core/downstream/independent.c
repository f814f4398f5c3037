/* How many independent embedders a correlation rests on. Both correlation matrices have blocks of
 * equal entries, so the traces need only the sizes of the families. */
#include "core_downstream.h"

#include <math.h>
#include <string.h>

#include "core_numerics.h"

/* The embedders that have both values. */
typedef struct work {
    size_t n, families;
    double *x, *y;    /* (n) values, then their ranks */
    double *rank;     /* (n) scratch */
    double *mean;     /* (families) scratch */
    double *size;     /* (families) */
    uint32_t *family; /* (n) 0 .. families - 1 */
} work;

static void work_deinit(work *w) {
    es_free(w->x);
    es_free(w->family);
}

size_t es_independent_families(const uint32_t *family, const bool *keep, size_t n, uint32_t *out) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        out[i] = UINT32_MAX;
        if (keep != NULL && !keep[i])
            continue;
        while (family != NULL && k < i && (out[k] == UINT32_MAX || family[k] != family[i]))
            k++;
        out[i] = family != NULL && k < i ? out[k] : (uint32_t)count++;
    }
    return count;
}

static es_status work_init(const double *x, const double *y, const uint32_t *family, size_t n,
                           work *w, es_error *err) {
    *w = (work){.x = es_alloc(n + 1, 5 * sizeof *w->x),
                .family = es_alloc(n + 1, sizeof *w->family)};
    bool *keep = es_alloc(n + 1, sizeof *keep);
    if (!w->x || !w->family || !keep) {
        es_free(keep);
        return es_no_memory_for(err, "the correlation of %zu embedders", n);
    }
    w->y = w->x + n;
    w->rank = w->y + n;
    w->mean = w->rank + n;
    w->size = w->mean + n;
    for (size_t i = 0; i < n; i++)
        keep[i] = isfinite(x[i]) && isfinite(y[i]);
    w->families = es_independent_families(family, keep, n, w->family);
    memset(w->size, 0, n * sizeof *w->size);
    for (size_t i = 0; i < n; i++) {
        if (!keep[i])
            continue;
        w->x[w->n] = x[i];
        w->y[w->n] = y[i];
        w->size[w->family[i]] += 1;
        w->family[w->n++] = w->family[i];
    }
    es_free(keep);
    return ES_OK;
}

/* Values to ranks less their mean. */
static es_status to_ranks(work *w, double *v, es_error *err) {
    es_status st = es_stat_midranks(v, w->n, w->rank, err);
    for (size_t i = 0; st == ES_OK && i < w->n; i++)
        v[i] = w->rank[i] - 0.5 * ((double)w->n + 1);
    return st;
}

/* Share of the variance of v (n, mean 0) that lies between families, within 0 .. 1. */
static double intraclass(work *w, const double *v) {
    double between = 0, within = 0, squares = 0, n = (double)w->n, f = (double)w->families;
    if (w->families < 2 || w->families == w->n)
        return 0;
    memset(w->mean, 0, w->families * sizeof *w->mean);
    for (size_t i = 0; i < w->n; i++)
        w->mean[w->family[i]] += v[i] / w->size[w->family[i]];
    for (size_t k = 0; k < w->families; k++) {
        between += w->size[k] * w->mean[k] * w->mean[k] / (f - 1);
        squares += w->size[k] * w->size[k];
    }
    for (size_t i = 0; i < w->n; i++) {
        double own = v[i] - w->mean[w->family[i]];
        within += own * own / (n - f);
    }
    double usual = (n - squares / n) / (f - 1); /* the size of a family */
    double share = (between - within) / fmax(between + (usual - 1) * within, 1e-12);
    return fmin(fmax(share, 0), 1);
}

/* 1 + tr(P) tr(Q) / tr(PQ) of blocks with a and b beside the diagonal. */
static double effective(const work *w, double a, double b) {
    double n = (double)w->n, pairs = 0, in_a = 0, in_b = 0, both = 0;
    for (size_t k = 0; k < w->families; k++) {
        double size = w->size[k], row_a = 1 + (size - 1) * a, row_b = 1 + (size - 1) * b;
        pairs += size * (size - 1);
        in_a += size * row_a; /* sums of all entries */
        in_b += size * row_b;
        both += size * row_a * row_b;
    }
    double product = n + pairs * a * b - 2 * both / n + in_a * in_b / (n * n);
    return fmin(1 + (n - in_a / n) * (n - in_b / n) / product, n);
}

/* rho, or half a step of Spearman's below 1 for two equal orders: Fisher's z would call them
 * certain, however few the embedders. */
static double less_than_sure(double rho, double n) {
    double most = 1 - 6 / fmax(n * (n * n - 1), 6);
    return fabs(rho) < 1 - 1e-9 ? rho : copysign(most, rho);
}

/* Interval and p-value of rho from the effective number of independent embedders. */
static void effective_statistics(work *w, double rho, double level, es_independent *out) {
    double n = effective(w, intraclass(w, w->x), intraclass(w, w->y)), df = fmax(n - 2, 1);
    double sure = less_than_sure(rho, n), at = atanh(sure);
    double t = fabs(sure) * sqrt(df / fmax(1 - sure * sure, 1e-12));
    double half =
        es_normal_quantile(0.5 + 0.5 * level) * sqrt((1 + 0.5 * sure * sure) / fmax(n - 3, 1));
    out->effective = n;
    out->p = es_student_tail(t, df);
    out->low = fmin(rho, tanh(at - half));
    out->high = fmax(rho, tanh(at + half));
}

es_status es_independent_spearman(const double *x, const double *y, const uint32_t *family,
                                  size_t n, double level, es_independent *out, es_error *err) {
    work w;
    es_status st = ES_OK;
    ES_TRY(work_init(x, y, family, n, &w, err));
    es_independent found = {.rho = es_stat_undefined(ES_WHY_FEW),
                            .n = w.n,
                            .families = w.families,
                            .effective = (double)NAN,
                            .p = (double)NAN,
                            .low = (double)NAN,
                            .high = (double)NAN};
    if (w.n >= 3) {
        ES_TRY(es_correlate(ES_SPEARMAN, w.x, w.y, w.n, &found.rho, err));
        ES_TRY(to_ranks(&w, w.x, err));
        ES_TRY(to_ranks(&w, w.y, err));
    }
    if (!found.rho.why)
        effective_statistics(&w, found.rho.value, level, &found);
    *out = found;
done:
    work_deinit(&w);
    return st;
}
