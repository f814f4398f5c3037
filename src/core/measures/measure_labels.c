/* Embedder measures from classes or numbers. */
#include <math.h>

#include "core_measures.h"

/* ---- smoothness ---- */

static const char *const metric_names[] = {"cosine", "l2", NULL};

static const es_setting smoothness_settings[] = {
    {.key = "metric", .help = "how neighbours are found", .value = ES_L2, .choices = metric_names},
};

enum {
    SKILL,
    SKILL_1,
    LOSS_1 = SKILL_1 + ES_SMOOTH_SIZES,
    DISAGREE = LOSS_1 + ES_SMOOTH_SIZES,
    BASELINE,
    LABELLED,
    SINGLETONS,
    COLUMNS
};

static const es_measure_field smoothness_fields[COLUMNS] = {
    {.name = "skill", .title = "mean skill of 1, 2, 4, 8 neighbours", .decimals = 4},
    {.name = "skill-1", .title = "skill of the nearest", .decimals = 4},
    {.name = "skill-2", .title = "skill of 2", .decimals = 4},
    {.name = "skill-4", .title = "skill of 4", .decimals = 4},
    {.name = "skill-8", .title = "skill of 8", .decimals = 4},
    {.name = "loss-1",
     .title = "mean squared difference to the nearest",
     .lower_is_better = true,
     .decimals = 4},
    {.name = "loss-2", .title = "to 2 neighbours", .lower_is_better = true, .decimals = 4},
    {.name = "loss-4", .title = "to 4 neighbours", .lower_is_better = true, .decimals = 4},
    {.name = "loss-8", .title = "to 8 neighbours", .lower_is_better = true, .decimals = 4},
    {.name = "disagree",
     .title = "share of nearest neighbours of another class",
     .lower_is_better = true,
     .decimals = 4},
    {.name = "baseline",
     .title = "mean squared difference of any two rows",
     .fact = true,
     .decimals = 4},
    {.name = "labelled", .title = "rows with a label", .fact = true},
    {.name = "singletons", .title = "classes with one row", .fact = true},
};

/* The mean skill is over the numbers of neighbours that there are rows for. */
static es_status smoothness(const es_matrix *m, const es_measure_data *data, const double *values,
                            const es_run *run, es_measure_value *out, es_error *err) {
    es_smoothness s;
    double sum = 0;
    size_t used = 0;
    ES_PASS(es_smoothness_of(m, data->task, (es_metric)values[0], run, &s, err));
    for (size_t i = 0; i < ES_SMOOTH_SIZES; i++) {
        out[SKILL_1 + i] = es_measure_value_of(s.skill[i]);
        out[LOSS_1 + i] = es_measure_value_of(s.loss[i]);
        sum += s.skill[i].why ? 0 : s.skill[i].value;
        used += !s.skill[i].why;
    }
    out[SKILL] = es_measure_value_of(used > 0 ? es_stat_of(sum / (double)used) : s.skill[0]);
    for (size_t i = 0; i < SKILL_1 + ES_SMOOTH_SIZES; i++)
        out[i].warning = es_measure_ties(s.by_number, s.labelled);
    out[DISAGREE] = data->task->classes ? es_measure_number(s.loss[0].value / 2)
                                        : es_measure_value_of(es_stat_undefined("needs classes"));
    out[BASELINE] = es_measure_number(s.baseline);
    out[LABELLED] = es_measure_number((double)s.labelled);
    out[SINGLETONS] = es_measure_number((double)s.singletons);
    return ES_OK;
}

const es_measure es_measure_smoothness = {
    .name = "smoothness",
    .title = "skill of the nearest neighbours",
    .caveat = "rewards what the labels are about, nothing else: 0 is chance, 1 perfect",
    .version = 3, /* 3: equal numbers are constant, also 0.1 */
    .needs = ES_NEED_TASK,
    .fields = smoothness_fields,
    .n_fields = COLUMNS,
    .settings = smoothness_settings,
    .n_settings = ES_COUNT_OF(smoothness_settings),
    .embedder = smoothness,
    .load_making = {.copies = 1, .lines = 1},
};

/* ---- LogME ---- */

static const es_measure_field logme_fields[] = {
    {.name = "logme", .title = "log evidence a row", .decimals = 4},
};

/* Numbers are z-scored, as the value depends on their scale. */
static es_status logme(const es_matrix *m, const es_measure_data *data, const double *values,
                       const es_run *run, es_measure_value *out, es_error *err) {
    es_matrix z = {0};
    es_task task = *data->task;
    es_logme value;
    double mean = 0, square = 0, n = 0;
    es_status st = ES_OK;
    (void)values;
    if (!task.classes) {
        ES_TRY(es_matrix_new(task.n, 1, &z, err));
        for (size_t i = 0; i < task.n; i++)
            if (isfinite(task.value[i])) {
                mean += task.value[i];
                n += 1;
            }
        mean /= n > 0 ? n : 1;
        for (size_t i = 0; i < task.n; i++)
            square += isfinite(task.value[i]) ? (task.value[i] - mean) * (task.value[i] - mean) : 0;
        if (es_labels_equal(task.value, task.n) || !(square > 0)) {
            *out = es_measure_value_of(es_stat_undefined(ES_WHY_CONSTANT));
            goto done;
        }
        for (size_t i = 0; i < task.n; i++)
            z.x[i] = (task.value[i] - mean) / sqrt(square / n);
        task.value = z.x;
    }
    ES_TRY(es_logme_of(m, &task, run, &value, NULL, err));
    *out = es_measure_number(value.value);
done:
    es_matrix_free(&z);
    return st;
}

const es_measure es_measure_logme = {
    .name = "logme",
    .title = "LogME, evidence of a linear model",
    .caveat = "in nats a row; on vectors as they are, so their scale counts a little",
    .version = 2, /* 2: equal numbers are constant, also 0.1 */
    .needs = ES_NEED_TASK,
    .fields = logme_fields,
    .n_fields = ES_COUNT_OF(logme_fields),
    .embedder = logme,
    .load_making = {.copies = 3, .squares = 4},
};

/* ---- GBC ---- */

static const es_measure_field gbc_fields[] = {
    {.name = "gbc", .title = "overlap of classes, a variance each direction", .decimals = 4},
    {.name = "spherical", .title = "with one variance a class", .decimals = 4},
    {.name = "published", .title = "spherical as the published program counts it", .decimals = 4},
    {.name = "floored", .title = "share of variances below 1e-4", .fact = true, .decimals = 3},
    {.name = "axes", .title = "directions, after PCA to at most 64", .fact = true},
};

static es_status gbc(const es_matrix *m, const es_measure_data *data, const double *values,
                     const es_run *run, es_measure_value *out, es_error *err) {
    es_gbc g;
    (void)values;
    if (!data->task->classes) {
        for (size_t f = 0; f < ES_COUNT_OF(gbc_fields); f++)
            out[f] = es_measure_value_of(es_stat_undefined("needs classes"));
        return ES_OK;
    }
    ES_PASS(es_gbc_of(m, data->task, run, &g, err));
    const double all[] = {g.diagonal, g.spherical, g.published, g.floored, (double)g.axes};
    for (size_t f = 0; f < ES_COUNT_OF(all); f++)
        out[f] = es_measure_number(all[f]);
    for (size_t f = 0; f < 3; f++)
        out[f].warning =
            g.floored > 0.1 ? "more than a tenth of the variances are below 1e-4" : NULL;
    return ES_OK;
}

const es_measure es_measure_gbc = {
    .name = "gbc",
    .title = "GBC, overlap of classes as Gaussians",
    .about = "Pandy et al., CVPR 2022. Above 64 dimensions PCA to 64 first, of all labelled rows, "
             "centred; variances are floored at 1e-4; one variance a direction. O(n d^2).",
    .caveat = "0 is best; small classes and small vectors spoil it",
    .version = 1,
    .needs = ES_NEED_TASK,
    .fields = gbc_fields,
    .n_fields = ES_COUNT_OF(gbc_fields),
    .embedder = gbc,
    .load_making = {.copies = 3, .squares = 4},
};

/* LS-SVM as a measure: which kernel should RetMMD use? */

enum { SHARE, LSSVM_PENALTY, LSSVM_FOLDS, POWER };

static const es_setting lssvm_settings[] = {
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

enum { BEST, KERNEL, F1, QUERIES = F1 + ES_KERNELS, SKIPPED, LSSVM_COLUMNS };

static const es_measure_field lssvm_fields[LSSVM_COLUMNS] = {
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
    st = es_lssvm_of(&x, data->queries, &rules, values[LSSVM_PENALTY], (size_t)values[LSSVM_FOLDS],
                     run, &r, err);
    if (st == ES_EEMPTY) { /* no value, but no failure either */
        st = ES_OK;
        for (size_t f = 0; f < LSSVM_COLUMNS; f++)
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
    .fields = lssvm_fields,
    .n_fields = LSSVM_COLUMNS,
    .settings = lssvm_settings,
    .n_settings = ES_COUNT_OF(lssvm_settings),
    .embedder = lssvm,
    .load_making = {.copies = 3, .squares = 4},
};

/* The probe as a measure: a downstream score made on the spot. */

static const char *const kinds[] = {"linear", "ridge", "knn", "mlp", "svm", NULL};
static const char *const metrics[] = {"cosine", "l2", NULL};

enum { KIND, PROBE_FOLDS, PROBE_PENALTY, K, METRIC };

static const es_setting probe_settings[] = {
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

static const es_measure_field probe_fields[] = {
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
                                  .folds = (size_t)values[PROBE_FOLDS],
                                  .penalty = values[PROBE_PENALTY],
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
    .fields = probe_fields,
    .n_fields = ES_COUNT_OF(probe_fields),
    .settings = probe_settings,
    .n_settings = ES_COUNT_OF(probe_settings),
    .embedder = probe,
    .load_making = {.copies = 4, .squares = 4, .lines = 1},
};
