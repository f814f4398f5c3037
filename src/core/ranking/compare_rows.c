/* The rows of the pool on which two embedders differ most, from the per-row values of all targets.
 */
#include "embedscope/compare.h"

#include <string.h>

#include "base.h"

static bool is_compared(const es_comparison *c, size_t model) {
    for (size_t k = 0; k < c->count; k++)
        if (c->model[k] == model)
            return true;
    return false;
}

/* False when the values are not known for both. */
static bool add(size_t n, const float *x, const float *y, float *sum_a, float *sum_b) {
    if (!x || !y)
        return false;
    for (size_t k = 0; k < n; k++) {
        sum_a[k] += x[k];
        sum_b[k] += y[k];
    }
    return true;
}

/* Means over the targets of which both have values. Returns how many there are. */
static size_t mean_values(float *const *pmi, size_t n, size_t m, const es_comparison *c,
                          const es_compared_pair *pair, size_t only, bool compared_too,
                          float *mean_a, float *mean_b) {
    size_t targets = 0, a = c->model[pair->a], b = c->model[pair->b];
    memset(mean_a, 0, n * sizeof *mean_a);
    memset(mean_b, 0, n * sizeof *mean_b);
    for (size_t t = 0; t < m; t++) {
        bool wanted = only == SIZE_MAX
                          ? !(c->left_out && c->left_out[t]) && (compared_too || !is_compared(c, t))
                          : t == only;
        targets += wanted && add(n, pmi[a * m + t], pmi[b * m + t], mean_a, mean_b);
    }
    for (size_t k = 0; targets > 0 && k < n; k++) {
        mean_a[k] /= (float)targets;
        mean_b[k] /= (float)targets;
    }
    return targets;
}

void es_compared_rows_free(es_compared_rows *rows) {
    if (!rows)
        return;
    es_free(rows->difference);
    es_free(rows->row);
    es_free(rows);
}

es_status es_compared_rows_new(float *const *pmi, size_t n_eval, size_t m,
                               const es_comparison *comparison, size_t pair, size_t target,
                               es_compared_rows **out, es_error *err) {
    es_status st = ES_OK;
    const es_compared_pair *p = &comparison->pair[pair];
    float *mean = NULL;
    es_compared_rows *rows = NULL;
    if (!pmi || n_eval == 0)
        return es_fail(err, ES_EEMPTY, "no values per row are known");
    mean = es_alloc(n_eval, 2 * sizeof *mean);
    rows = es_alloc_zero(1, sizeof *rows);
    ES_FAIL_IF(!mean || !rows || !(rows->difference = es_alloc(n_eval, sizeof *rows->difference)) ||
                   !(rows->row = es_alloc(n_eval, sizeof *rows->row)),
               es_no_memory_for(err, "%zu rows", n_eval));
    rows->n = n_eval;
    for (int all = 0; all < 2 && rows->targets == 0; all++)
        rows->targets =
            mean_values(pmi, n_eval, m, comparison, p, target, all == 1, mean, mean + n_eval);
    ES_FAIL_IF(rows->targets == 0, es_fail(err, ES_EEMPTY, "no values per row are known"));
    ES_TRY(es_compare_rows(mean, mean + n_eval, n_eval, rows->row, err));
    for (size_t k = 0; k < n_eval; k++)
        rows->difference[k] = (double)mean[k] - (double)mean[n_eval + k];
    *out = rows;
    rows = NULL;
done:
    es_free(mean);
    es_compared_rows_free(rows);
    return st;
}
