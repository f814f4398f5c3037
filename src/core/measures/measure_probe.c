/* The probe as a measure: a downstream score made on the spot. */
#include <math.h>

#include "core_measures.h"

static const char *const kinds[] = {"linear", "ridge", "knn", "mlp", "svm", NULL};
static const char *const metrics[] = {"cosine", "l2", NULL};

enum { KIND, FOLDS, PENALTY, K, METRIC };

static const es_setting settings[] = {
    {.key = "probe",
     .help = "linear (logistic for classes, ridge for numbers), ridge, knn, mlp (one hidden "
             "layer), or svm (linear support vectors)",
     .choices = kinds},
    {.key = "folds",
     .help = "of the cross-validation",
     .value = 5,
     .low = 2,
     .high = 100,
     .whole = true},
    {.key = "penalty", .help = "of squared weights", .value = 1e-3, .low = 1e-9, .high = 1e6},
    {.key = "k",
     .help = "neighbours, for probe=knn; no more than it learns from",
     .value = 5,
     .low = 1,
     .high = 1000,
     .whole = true},
    {.key = "metric", .help = "of neighbours", .value = ES_L2, .choices = metrics},
};

static const es_measure_field fields[] = {
    {.name = "score", .title = "accuracy, or R^2 of numbers", .decimals = 4},
    {.name = "fold-sd", .title = "standard deviation over folds", .fact = true, .decimals = 4},
    {.name = "chance", .title = "accuracy of the most frequent class", .fact = true, .decimals = 4},
    {.name = "labelled", .title = "rows with a label", .fact = true},
    {.name = "rmse",
     .title = "root of the mean squared error, in the unit of the numbers",
     .lower_is_better = true,
     .decimals = 4},
};

static es_status probe(const es_matrix *m, const es_measure_data *data, const double *values,
                       const es_run *run, es_measure_value *out, es_error *err) {
    const es_probe_rules rules = {.kind = (es_probe_kind)values[KIND],
                                  .folds = (size_t)values[FOLDS],
                                  .penalty = values[PENALTY],
                                  .k = (size_t)values[K],
                                  .metric = (es_metric)values[METRIC],
                                  .seed = data->seed};
    es_probe p;
    ES_PASS(es_probe_of(m, data->task, &rules, run, &p, err));
    out[0] = (es_measure_value){.value = p.score, .low = p.low, .high = p.high};
    out[1] = es_measure_number(p.fold_sd);
    out[2] = es_measure_number(p.chance);
    out[3] = es_measure_number((double)p.labelled);
    out[4] = isfinite(p.rmse) ? es_measure_number(p.rmse)
                              : es_measure_value_of(es_stat_undefined("classes have none"));
    return ES_OK;
}

const es_measure es_measure_probe = {
    .name = "probe",
    .title = "cross-validated score of a plain model",
    .caveat = "needs labels; on few of them its interval is wide",
    .version = 3, /* 3: rmse */
    .needs = ES_NEED_TASK,
    .fields = fields,
    .n_fields = ES_COUNT_OF(fields),
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .embedder = probe,
    .load_making = {.copies = 4, .squares = 4, .lines = 1},
};
