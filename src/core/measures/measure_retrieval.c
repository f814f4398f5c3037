/* Retrieval as a measure: means over queries with their intervals. */
#include <math.h>

#include "core_measures_parts.h"

enum { METRIC, K, DOCUMENTS };

static const char *const metrics[] = {"cosine", "l2", NULL};
static const char *const corpora[] = {"all", "judged", NULL};

static const es_setting settings[] = {
    {.key = "metric", .help = "documents are ranked by", .choices = metrics},
    {.key = "k",
     .help = "documents looked at",
     .value = 10,
     .low = 1,
     .high = 100000,
     .whole = true},
    {.key = "documents",
     .help = "that compete: all rows, or those that qrels.csv names",
     .choices = corpora},
};

enum { QUERIES = ES_RETRIEVAL_STATS, SKIPPED, COMPETE, ZERO_ROWS, COLUMNS };

static const es_measure_field fields[COLUMNS] = {
    [ES_RETRIEVAL_NDCG] = {.name = "ndcg", .title = "nDCG@k", .decimals = 4},
    [ES_RETRIEVAL_MAP] = {.name = "map", .title = "MAP@k", .decimals = 4},
    [ES_RETRIEVAL_RECALL] = {.name = "recall", .title = "R@k", .decimals = 4},
    [ES_RETRIEVAL_MRR] = {.name = "mrr", .title = "MRR@k", .decimals = 4},
    [ES_RETRIEVAL_SUCCESS] = {.name = "success", .title = "success@k", .decimals = 4},
    [QUERIES] = {.name = "queries", .title = "queries with an answer", .fact = true},
    [SKIPPED] = {.name = "skipped", .title = "queries without an answer", .fact = true},
    [COMPETE] = {.name = "documents", .title = "documents that compete", .fact = true},
    [ZERO_ROWS] = {.name = "zero-rows", .title = "rows that are all zero", .fact = true},
};

/* Of a share: a mean, and 1.96 of its standard errors each way. */
static es_measure_value mean_of(const es_retrieval *r, size_t stat) {
    double reach = 1.959964 * r->se[stat], mean = r->mean[stat];
    return (es_measure_value){
        .value = mean, .low = fmax(0, mean - reach), .high = fmin(1, mean + reach)};
}

es_status es_retrieval_detail(const es_matrix *m, const es_measure_data *data, const double *values,
                              const es_run *run, es_retrieval *out, es_error *err) {
    const es_retrieval_rules rules = {.metric = values[METRIC] > 0 ? ES_L2 : ES_COSINE,
                                      .k = (size_t)values[K],
                                      .judged_only = values[DOCUMENTS] > 0};
    return es_retrieval_of(m, data->query_vectors, data->judgements, data->judgement_count, &rules,
                           run, out, err);
}

static es_status retrieval(const es_matrix *m, const es_measure_data *data, const double *values,
                           const es_run *run, es_measure_value *out, es_error *err) {
    es_retrieval r;
    ES_PASS(es_retrieval_detail(m, data, values, run, &r, err));
    for (size_t s = 0; s < ES_RETRIEVAL_STATS; s++) {
        out[s] = mean_of(&r, s);
        if (r.count == 1)
            out[s].low = out[s].high = (double)NAN;
        out[s].warning = es_measure_ties(r.by_number, r.count);
    }
    out[QUERIES] = es_measure_number((double)r.count);
    out[SKIPPED] = es_measure_number((double)r.skipped);
    out[COMPETE] = es_measure_number((double)r.documents);
    out[ZERO_ROWS] = es_measure_number((double)es_matrix_zero_rows(m));
    es_retrieval_free(&r);
    return ES_OK;
}

const es_measure es_measure_retrieval = {
    .name = "retrieval",
    .title = "retrieval: are the answers among the first k documents",
    .caveat = "unjudged documents count as no answers; compare within one set of queries",
    .version = 2, /* 2: ties are told */
    .needs = ES_NEED_JUDGEMENTS,
    .fields = fields,
    .n_fields = COLUMNS,
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .embedder = retrieval,
    .load_making = {.copies = 3, .squares = 4, .lines = 1},
};
