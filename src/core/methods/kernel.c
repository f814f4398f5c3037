/* Kernel values from dot products, and the width of the RBF kernel by the median of distances
 * (Gretton et al., JMLR 2012). */
#include "core_methods.h"

#include <math.h>

enum { MEDIAN_ROWS = 2000 };

static const char *const names[ES_KERNELS] = {"linear", "cosine", "poly2", "poly3", "rbf"};

const char *es_kernel_name(es_kernel kernel) {
    return names[kernel];
}

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
