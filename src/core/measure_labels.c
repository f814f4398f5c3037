/* Embedder measures from classes, numbers and queries. */
#include <math.h>

#include "embedscope/logme_gbc.h"
#include "embedscope/retmmd.h"
#include "measure_rows.h"

/* The mean skill over the numbers of neighbours that there are rows for. */
static es_status smoothness(const es_matrix *m, const es_measure_data *data, const es_run *run,
                            es_measure_value *out, es_error *err) {
    es_smoothness s;
    double sum = 0;
    size_t used = 0;
    es_status st = es_smoothness_of(m, data->task, ES_L2, run, &s, err);
    if (st != ES_OK)
        return st;
    for (int i = 0; i < ES_SMOOTH_SIZES; i++)
        if (!s.skill[i].why) {
            sum += s.skill[i].value;
            used++;
        }
    *out = es_measure_value_of(used > 0 ? es_stat_of(sum / (double)used) : s.skill[0]);
    return ES_OK;
}

static es_status retmmd_m(const es_matrix *m, const es_measure_data *data, const es_run *run,
                          es_measure_value *out, es_error *err) {
    const es_retmmd_rules rules = {.seed = data->seed, .permutations = 1};
    es_retmmd r;
    es_status st = es_retmmd_of(m, data->queries, &rules, run, &r, err);
    if (st != ES_OK)
        return st;
    *out = es_measure_value_of(es_stat_of(r.by[ES_KERNEL_RBF].mean));
    out->warning = r.sigma2 > 0 ? NULL : "all documents are equal";
    es_retmmd_free(&r);
    return ES_OK;
}

static es_status retmmd_c(const es_matrix *m, const es_measure_data *data, const es_run *run,
                          es_measure_value *out, es_error *err) {
    const es_retmmd_rules rules = {.seed = data->seed};
    es_retmmd r;
    es_status st = es_retmmd_of(m, data->queries, &rules, run, &r, err);
    if (st != ES_OK)
        return st;
    *out = es_measure_value_of(es_stat_of(r.by[r.best].share));
    out->warning = r.saturated ? "saturated: use retmmd-m" : NULL;
    es_retmmd_free(&r);
    return ES_OK;
}

static es_status logme(const es_matrix *m, const es_measure_data *data, const es_run *run,
                       es_measure_value *out, es_error *err) {
    double value = 0;
    es_status st = es_logme_of(m, data->task, run, &value, err);
    if (st == ES_OK)
        *out = es_measure_value_of(es_stat_of(value));
    return st;
}

static es_status gbc(const es_matrix *m, const es_measure_data *data, const es_run *run,
                     es_measure_value *out, es_error *err) {
    es_gbc g;
    if (!data->task->classes) {
        *out = es_measure_value_of(es_stat_undefined("needs classes"));
        return ES_OK;
    }
    es_status st = es_gbc_of(m, data->task, run, &g, err);
    if (st != ES_OK)
        return st;
    *out = es_measure_value_of(es_stat_of(g.diagonal));
    out->warning = g.floored > 0.1 ? "more than a tenth of the variances are below 1e-4" : NULL;
    return ES_OK;
}

const es_measure es_measure_smoothness = {
    .name = "smoothness",
    .title = "skill of 1, 2, 4, 8 nearest neighbours",
    .caveat = "rewards what the labels are about, nothing else: 0 is chance, 1 perfect",
    .version = 1,
    .needs = ES_NEED_TASK,
    .embedder = smoothness,
};

const es_measure es_measure_retmmd_m = {
    .name = "retmmd-m",
    .title = "RetMMD-M, RBF kernel",
    .caveat = "compare within one kernel and one draw of queries; may be negative",
    .version = 1,
    .needs = ES_NEED_QUERIES,
    .embedder = retmmd_m,
};

const es_measure es_measure_retmmd_c = {
    .name = "retmmd-c",
    .title = "RetMMD-C, best kernel",
    .caveat = "near 1 for every good embedder: it saturates",
    .version = 1,
    .needs = ES_NEED_QUERIES,
    .embedder = retmmd_c,
};

const es_measure es_measure_logme = {
    .name = "logme",
    .title = "LogME, evidence of a linear model",
    .caveat = "in nats a row; for numbers it depends on their scale",
    .version = 1,
    .needs = ES_NEED_TASK,
    .embedder = logme,
};

const es_measure es_measure_gbc = {
    .name = "gbc",
    .title = "GBC, overlap of classes as Gaussians",
    .caveat = "0 is best; small classes and small vectors spoil it",
    .version = 1,
    .needs = ES_NEED_TASK,
    .embedder = gbc,
};
