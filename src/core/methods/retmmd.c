/* Maximum mean discrepancy between the answers of a query and its other documents (Gretton et al.,
 * JMLR 2012), for every kernel at once, with a permutation test that costs sums over subsets of
 * one kernel matrix. */
#include "core_methods.h"

#include <math.h>
#include <string.h>

/* ---- kernels ---- */

/* A kernel matrix with what every relabelling needs of it. */
typedef struct gram {
    size_t size;
    double *k, *row; /* (size, size); (size) sums of rows */
    double total, trace, largest;
} gram;

/* Kernel matrix of a query's documents with its row sums. */
static void fill_gram(gram *g, es_kernel kind, const double *dot, double axes, double sigma2,
                      unsigned power) {
    size_t n = g->size;
    g->total = g->trace = g->largest = 0;
    for (size_t i = 0; i < n; i++) {
        g->row[i] = 0;
        for (size_t j = 0; j < n; j++) {
            double v = es_kernel_of(kind, dot[i * n + j], dot[i * n + i], dot[j * n + j], axes,
                                    sigma2, power);
            g->k[i * n + j] = v;
            g->row[i] += v;
            g->largest = fabs(v) > g->largest ? fabs(v) : g->largest;
        }
        g->total += g->row[i];
        g->trace += g->k[i * n + i];
    }
}

/* Sums over the documents in a (count) and over the others; O(count^2). */
static double mmd2(const gram *g, const uint32_t *a, size_t count, double *biased) {
    double aa = 0, rows = 0, diagonal = 0, n = (double)count, m = (double)(g->size - count);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++)
            aa += g->k[a[i] * g->size + a[j]];
        rows += g->row[a[i]];
        diagonal += g->k[a[i] * g->size + a[i]];
    }
    double ab = rows - aa, bb = g->total - rows - ab;
    if (biased)
        *biased = aa / (n * n) - 2 * ab / (n * m) + bb / (m * m);
    return (aa - diagonal) / (n * (n - 1)) - 2 * ab / (n * m) +
           (bb - (g->trace - diagonal)) / (m * (m - 1));
}

/* ---- one query ---- */

typedef struct work {
    const es_retmmd_rules *rules;
    unsigned permutations, power;
    double level;
    es_matrix x; /* reduced */
    double sigma2;
    size_t widest; /* documents of a query */
    double *rows;  /* (widest, axes) */
    double *dot;   /* (widest, widest) */
    gram g;
    uint32_t *subset;  /* (permutations, widest) */
    uint32_t *shuffle; /* (widest) */
    double *distance;  /* (widest (widest - 1) / 2) */
} work;

/* subset (permutations, positives). Keyed by the numbers of documents alone. */
static void draw_subsets(work *w, size_t positives, size_t size) {
    es_rng rng;
    es_rng_init(&rng, w->rules->seed, es_rng_stream(ES_STREAM_PERMUTE, positives << 32 | size));
    for (size_t i = 0; i < size; i++)
        w->shuffle[i] = (uint32_t)i;
    for (size_t b = 0; b < w->permutations; b++)
        for (size_t i = 0; i < positives; i++) {
            size_t j = i + es_rng_below(&rng, size - i);
            uint32_t swap = w->shuffle[i];
            w->shuffle[i] = w->shuffle[j];
            w->shuffle[j] = swap;
            w->subset[b * positives + i] =
                w->rules->given ? w->rules->given[b * w->rules->width + i] : w->shuffle[i];
        }
}

/* s^2 of the documents of one query, rows (size, d). */
static double sigma2_of_query(work *w, size_t size, size_t d) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < i; j++) {
            double sum = 0;
            for (size_t k = 0; k < d; k++) {
                double e = w->rows[i * d + k] - w->rows[j * d + k];
                sum += e * e;
            }
            w->distance[count++] = sum;
        }
    return es_kernel_width_of(w->distance, count, w->distance);
}

static void test_query(work *w, const es_query *q, double *m, double *p, double *biased) {
    size_t size = w->g.size = q->positives + q->negatives, d = w->x.d;
    for (size_t i = 0; i < size; i++)
        memcpy(w->rows + i * d, w->x.x + q->doc[i] * d, d * sizeof *w->rows);
    es_dgemm(false, true, size, size, d, w->rows, w->rows, w->dot);
    draw_subsets(w, q->positives, size);
    double sigma2 = w->rules->per_query ? sigma2_of_query(w, size, d) : w->sigma2;
    for (size_t i = 0; i < size; i++)
        w->shuffle[i] = (uint32_t)i; /* the first `positives` documents are the positives */
    for (int kind = 0; kind < ES_KERNELS; kind++) {
        fill_gram(&w->g, (es_kernel)kind, w->dot, (double)d, sigma2, w->power);
        m[kind] = mmd2(&w->g, w->shuffle, q->positives, &biased[kind]);
        double tolerance = 1e-12 * w->g.largest;
        size_t as_large = 0;
        for (size_t b = 0; b < w->permutations; b++)
            as_large += mmd2(&w->g, w->subset + b * q->positives, q->positives, NULL) >=
                        m[kind] - tolerance;
        p[kind] = (1 + (double)as_large) / (1 + (double)w->permutations);
    }
}

/* ---- the whole ---- */

es_status es_retmmd_reduce(const es_matrix *m, const es_retmmd_rules *rules, es_matrix *out,
                           es_error *err) {
    es_matrix centred = {0}, x = {0};
    es_pca pca = {0};
    es_status st = ES_OK;
    size_t axes = 0;
    double share = rules->variance > 0 ? rules->variance : 0.9;
    if (share >= 1 && rules->axes == 0) {
        ES_TRY(es_matrix_new(m->n, m->d, &x, err));
        memcpy(x.x, m->x, m->n * m->d * sizeof *m->x);
        goto done;
    }
    ES_TRY(es_matrix_centred(m, &centred, NULL, err));
    ES_TRY(es_pca_new(&centred, rules->axes > 0 ? rules->axes : ES_PCA_ALL, &pca, err));
    axes = rules->axes > 0 ? rules->axes : es_pca_axes(&pca, share);
    axes = axes < pca.rank ? axes : pca.rank;
    if (axes > 0) {
        ES_TRY(es_pca_project(&pca, &centred, axes, &x, err));
    } else { /* all rows are one point: one axis of zeros */
        ES_TRY(es_matrix_new(m->n, 1, &x, err));
        memset(x.x, 0, m->n * sizeof *x.x);
    }
done:
    if (st == ES_OK)
        *out = x;
    es_matrix_free(&centred);
    es_pca_free(&pca);
    return st;
}

static es_status check_queries(const es_matrix *m, const es_query_set *queries, work *w,
                               es_error *err) {
    if (queries->count == 0)
        return es_fail(err, ES_EEMPTY, "there are no queries");
    for (size_t q = 0; q < queries->count; q++) {
        const es_query *one = &queries->query[q];
        size_t size = (size_t)one->positives + one->negatives;
        w->widest = size > w->widest ? size : w->widest;
        if (one->positives < 2 || one->negatives < 2)
            return es_fail(err, ES_EINVAL, "query %lu has fewer than 2 documents of a kind",
                           (unsigned long)one->row);
        if (w->rules->given && w->rules->width != size)
            return es_fail(err, ES_EINVAL, "permutations of %zu documents, query %lu has %zu",
                           w->rules->width, (unsigned long)one->row, size);
        for (size_t i = 0; i < size; i++)
            if (one->doc[i] >= m->n)
                return es_fail(err, ES_EINVAL, "document %lu: there are only %zu rows",
                               (unsigned long)one->doc[i], m->n);
    }
    return ES_OK;
}

/* Weighted mean of the statistic over queries, and the share below the level, for each kernel;
 * finds the best kernel. */
static void summarise_queries(es_retmmd *r, const es_query_set *queries, double level) {
    double weights = 0;
    for (size_t q = 0; q < r->count; q++) {
        double weight = queries->query[q].weight;
        weights += weight;
        for (int k = 0; k < ES_KERNELS; k++) {
            r->by[k].sum += weight * r->m[q][k];
            r->by[k].count += r->p[q][k] < level ? weight : 0;
        }
    }
    for (int k = 0; k < ES_KERNELS; k++) {
        r->by[k].mean = r->by[k].sum / weights;
        r->by[k].share = r->by[k].count / weights;
        r->by[k].biased_mean /= weights;
        /* Sums of weights in another order differ in the last digit; that is no better. */
        if (r->by[k].count > r->by[r->best].count * (1 + 1e-12))
            r->best = (es_kernel)k;
    }
    r->saturated = r->by[r->best].share >= 0.95;
}

static es_status allocate_work(work *w, size_t queries, es_retmmd *r, es_error *err) {
    r->m = es_alloc(queries, sizeof *r->m);
    r->p = es_alloc(queries, sizeof *r->p);
    w->rows = es_alloc(w->widest * w->x.d, sizeof *w->rows);
    w->dot = es_alloc(w->widest * w->widest, sizeof *w->dot);
    w->g.k = es_alloc(w->widest * w->widest, sizeof *w->g.k);
    w->g.row = es_alloc(w->widest, sizeof *w->g.row);
    w->subset = es_alloc(w->permutations * w->widest, sizeof *w->subset);
    w->shuffle = es_alloc(w->widest, sizeof *w->shuffle);
    w->distance = es_alloc(w->widest * w->widest / 2, sizeof *w->distance);
    if (!w->distance || !r->m || !r->p || !w->rows || !w->dot || !w->g.k || !w->g.row ||
        !w->subset || !w->shuffle)
        return es_no_memory_for(err, "%zu queries", queries);
    return ES_OK;
}

es_status es_retmmd_of(const es_matrix *m, const es_query_set *queries,
                       const es_retmmd_rules *rules, const es_run *run, es_retmmd *out,
                       es_error *err) {
    work w = {.rules = rules,
              .permutations = rules->permutations > 0 ? rules->permutations : 499,
              .power = rules->power > 0 ? rules->power : 3,
              .level = rules->level > 0 ? rules->level : 0.05};
    es_retmmd r = {.count = queries->count};
    es_status st = ES_OK;
    ES_TRY(check_queries(m, queries, &w, err));
    ES_TRY(es_retmmd_reduce(m, rules, &w.x, err));
    ES_TRY(allocate_work(&w, queries->count, &r, err));
    ES_TRY(es_kernel_width(&w.x, queries, rules->seed, run, &w.sigma2, &r.documents, err));
    r.axes = w.x.d;
    r.sigma2 = w.sigma2;
    for (size_t q = 0; q < r.count; q++) {
        double biased[ES_KERNELS];
        ES_TRY(es_run_check(run, err));
        test_query(&w, &queries->query[q], r.m[q], r.p[q], biased);
        for (int k = 0; k < ES_KERNELS; k++)
            r.by[k].biased_mean += queries->query[q].weight * biased[k];
    }
    summarise_queries(&r, queries, w.level);
    *out = r;
done:
    es_matrix_free(&w.x);
    es_free(w.rows);
    es_free(w.dot);
    es_free(w.g.k);
    es_free(w.g.row);
    es_free(w.subset);
    es_free(w.shuffle);
    es_free(w.distance);
    if (st != ES_OK)
        es_retmmd_free(&r);
    return st;
}

void es_retmmd_free(es_retmmd *result) {
    es_free(result->m);
    es_free(result->p);
    *result = (es_retmmd){0};
}
