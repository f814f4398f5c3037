/* Mean squared difference of labels between a row and its nearest ones (equation 26 of Darrin et
 * al., NeurIPS 2024), set against that of any two rows. */
#include "core_methods.h"

#include <math.h>

const size_t ES_SMOOTH_K[ES_SMOOTH_SIZES] = {1, 2, 4, 8};

static const char too_few[] = "too few rows";

static double label_difference(bool classes, double a, double b) {
    if (classes)
        return a == b ? 0 : 2;
    return (a - b) * (a - b);
}

/* Mean over all pairs: twice the variance for numbers, from class sizes for classes. */
static es_status baseline(const double *label, size_t n, bool classes, es_smoothness *out,
                          es_error *err) {
    double mean = 0, square = 0, same = 0, pairs = (double)n * (double)(n - 1) / 2;
    if (!classes) {
        for (size_t i = 0; i < n; i++)
            mean += label[i] / (double)n;
        for (size_t i = 0; i < n; i++)
            square += (label[i] - mean) * (label[i] - mean);
        out->baseline = es_labels_equal(label, n) ? 0 : 2 * square / (double)(n - 1);
        return ES_OK;
    }
    uint32_t *order = es_alloc(2 * n, sizeof *order);
    if (!order)
        return es_no_memory_for(err, "%zu labels", n);
    es_sort_order(label, order, order + n, n);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && label[order[to]] == label[order[from]]; to++)
            ;
        double size = (double)(to - from);
        same += size * (size - 1) / 2;
        out->singletons += to - from == 1;
    }
    es_free(order);
    out->baseline = 2 * (1 - same / pairs);
    return ES_OK;
}

static double loss_of(const uint32_t *index, const double *label, size_t n, size_t width, size_t k,
                      bool classes) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            sum += label_difference(classes, label[i], label[index[i * width + j]]);
    return sum / ((double)n * (double)k);
}

es_status es_smoothness_of(const es_matrix *m, const es_task *task, es_metric metric,
                           const es_run *run, es_smoothness *out, es_error *err) {
    es_smoothness s = {0};
    const es_task numbers = {task->n, task->value, false}; /* one class alone is welcome here */
    es_labelled l = {0};
    uint32_t *index = NULL;
    bool *tied = NULL;
    size_t n = 0, width = ES_SMOOTH_K[ES_SMOOTH_SIZES - 1];
    es_status st = ES_OK;
    ES_TRY(es_labelled_new(m, &numbers, &l, err));
    s.labelled = n = l.x.n;
    width = width < n ? width : n - 1;
    index = es_alloc(n * width, sizeof *index);
    tied = es_alloc(n * width, sizeof *tied);
    ES_FAIL_IF(!index || !tied, es_no_memory_for(err, "neighbours of %zu rows", n));
    ES_TRY(
        es_nearest(&l.x, metric, width, run, &(es_neighbours){.index = index, .tied = tied}, err));
    ES_TRY(baseline(l.label, n, task->classes, &s, err));
    for (int i = 0; i < ES_SMOOTH_SIZES; i++) {
        bool enough = ES_SMOOTH_K[i] <= width;
        double loss =
            enough ? loss_of(index, l.label, n, width, ES_SMOOTH_K[i], task->classes) : (double)NAN;
        s.loss[i] = enough ? es_stat_of(loss) : es_stat_undefined(too_few);
        s.skill[i] = !enough          ? es_stat_undefined(too_few)
                     : s.baseline > 0 ? es_stat_of(1 - loss / s.baseline)
                                      : es_stat_undefined(ES_WHY_CONSTANT);
        size_t by_number = 0;
        for (size_t row = 0; enough && row < n; row++)
            by_number += tied[row * width + ES_SMOOTH_K[i] - 1];
        s.by_number = by_number > s.by_number ? by_number : s.by_number;
    }
    *out = s;
done:
    es_labelled_free(&l);
    es_free(index);
    es_free(tied);
    return st;
}
