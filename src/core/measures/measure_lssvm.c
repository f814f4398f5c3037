/* LS-SVM as a measure: which kernel should RetMMD use? */

#include "core_measures.h"

enum { SHARE, PENALTY, FOLDS, POWER };

static const es_setting settings[] = {
    {.key = "share",
     .help = "of the variance, which PCA keeps; 1: the vectors as they are",
     .value = 0.9,
     .low = 0.01,
     .high = 1},
    {.key = "c", .help = "weight of errors", .value = 1, .low = 1e-6, .high = 1e6},
    {.key = "folds",
     .help = "of the cross-validation",
     .value = 5,
     .low = 2,
     .high = 50,
     .whole = true},
    {.key = "power", .help = "of the kernel poly3", .value = 3, .low = 2, .high = 6, .whole = true},
};

enum { BEST, KERNEL, F1, QUERIES = F1 + ES_KERNELS, SKIPPED, COLUMNS };

static const es_measure_field fields[COLUMNS] = {
    [BEST] = {.name = "f1", .title = "F1 of answers, best kernel", .decimals = 3},
    [KERNEL] = {.name = "kernel",
                .title = "best kernel: 1 linear, 2 cosine, 3 poly2, 4 poly3, 5 rbf",
                .fact = true},
    [F1] = {.name = "linear", .title = "F1, linear", .decimals = 3},
    [F1 + 1] = {.name = "cosine", .title = "F1, cosine", .decimals = 3},
    [F1 + 2] = {.name = "poly2", .title = "F1, poly2", .decimals = 3},
    [F1 + 3] = {.name = "poly3", .title = "F1, poly3", .decimals = 3},
    [F1 + 4] = {.name = "rbf", .title = "F1, RBF", .decimals = 3},
    [QUERIES] = {.name = "queries", .title = "queries of the first draw", .fact = true},
    [SKIPPED] = {.name = "skipped", .title = "with too few documents for the folds", .fact = true},
};

static es_status lssvm(const es_matrix *m, const es_measure_data *data, const double *values,
                       const es_run *run, es_measure_value *out, es_error *err) {
    const es_retmmd_rules rules = {
        .variance = values[SHARE], .power = (unsigned)values[POWER], .seed = data->seed};
    es_matrix x = {0};
    es_lssvm r;
    es_status st = ES_OK;
    ES_TRY(es_retmmd_reduce(m, &rules, &x, err));
    st = es_lssvm_of(&x, data->queries, &rules, values[PENALTY], (size_t)values[FOLDS], run, &r,
                     err);
    if (st == ES_EEMPTY) { /* no value, but no failure either */
        st = ES_OK;
        for (size_t f = 0; f < COLUMNS; f++)
            out[f] = es_measure_value_of(
                es_stat_undefined("fewer documents a query than folds: set folds lower"));
        goto done;
    }
    if (st != ES_OK)
        goto done;
    out[BEST] = es_measure_number(r.f1[r.best]);
    out[KERNEL] = es_measure_number((double)r.best + 1);
    for (int k = 0; k < ES_KERNELS; k++)
        out[F1 + k] = es_measure_number(r.f1[k]);
    out[QUERIES] = es_measure_number((double)r.count);
    out[SKIPPED] = es_measure_number((double)r.skipped);
done:
    es_matrix_free(&x);
    return st;
}

const es_measure es_measure_lssvm = {
    .name = "lssvm",
    .title = "LS-SVM: are answers separated from others",
    .caveat = "helps to choose RetMMD's kernel; few documents a query, so look at the mean only",
    .version = 1,
    .needs = ES_NEED_QUERIES,
    .fields = fields,
    .n_fields = COLUMNS,
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .embedder = lssvm,
    .load_making = {.copies = 3, .squares = 4},
};
