/* Embedder measures from pairs of rows. */
#include <math.h>

#include "embedscope/derive.h"
#include "embedscope/evalrank.h"
#include "embedscope/geometry.h"
#include "measure_rows.h"

static es_status evalrank(const es_matrix *m, const es_measure_data *data, es_metric metric,
                          es_rank_stat stat, const es_run *run, es_measure_value *out,
                          es_error *err) {
    const es_derive centre = {ES_DERIVE_CENTRE, 0, 0};
    const es_evalrank_rules rules = {.metric = metric, .seed = data->seed};
    es_matrix centred = {0};
    es_evalrank e = {0};
    es_status st = ES_OK;
    ES_TRY(es_derive_matrix(m, &centre, &centred, err));
    ES_TRY(es_evalrank_new(&centred, data->positives, &rules, run, &e, err));
    double width = fabs(e.value[ES_TIE_OPTIMISTIC][stat] - e.value[ES_TIE_PESSIMISTIC][stat]);
    *out = (es_measure_value){.value = e.value[ES_TIE_MID][stat],
                              .low = e.low[stat],
                              .high = e.high[stat],
                              .warning = e.collapsed     ? "all rows are equal"
                                         : width > 0.005 ? "ties change it by more than 0.005"
                                                         : NULL};
done:
    es_evalrank_free(&e);
    es_matrix_free(&centred);
    return st;
}

static es_status mrr(const es_matrix *m, const es_measure_data *data, const es_run *run,
                     es_measure_value *out, es_error *err) {
    return evalrank(m, data, ES_COSINE, ES_RANK_MRR, run, out, err);
}

static es_status mrr_l2(const es_matrix *m, const es_measure_data *data, const es_run *run,
                        es_measure_value *out, es_error *err) {
    return evalrank(m, data, ES_L2, ES_RANK_MRR, run, out, err);
}

static es_status hits1(const es_matrix *m, const es_measure_data *data, const es_run *run,
                       es_measure_value *out, es_error *err) {
    return evalrank(m, data, ES_COSINE, ES_RANK_HITS1, run, out, err);
}

static es_status hits10(const es_matrix *m, const es_measure_data *data, const es_run *run,
                        es_measure_value *out, es_error *err) {
    return evalrank(m, data, ES_COSINE, ES_RANK_HITS10, run, out, err);
}

static es_status similarity(const es_matrix *m, const es_measure_data *data, const es_run *run,
                            es_measure_value *out, es_error *err) {
    es_similarity_task task;
    es_status st = es_run_check(run, err);
    if (st == ES_OK)
        st = es_similarity_task_run(m, data->graded, data->graded_count, ES_COSINE, &task, err);
    if (st == ES_OK)
        *out = es_measure_value_of(task.spearman);
    return st;
}

static es_status alignment(const es_matrix *m, const es_measure_data *data, const es_run *run,
                           es_measure_value *out, es_error *err) {
    double value = 0;
    es_status st = es_run_check(run, err);
    if (st == ES_OK)
        st = es_alignment_of(m, data->positives, &value, err);
    if (st == ES_OK)
        *out = es_measure_value_of(isnan(value) ? es_stat_undefined("every pair has a zero row")
                                                : es_stat_of(value));
    return st;
}

const es_measure es_measure_evalrank = {
    .name = "evalrank",
    .title = "EvalRank, MRR by cosine",
    .caveat = "depends on the rows that compete: compare within one pool",
    .version = 1,
    .needs = ES_NEED_POSITIVES,
    .embedder = mrr,
};

const es_measure es_measure_evalrank_l2 = {
    .name = "evalrank-l2",
    .title = "EvalRank, MRR by distance",
    .caveat = "another order than by cosine hints at vectors fitted to cosine",
    .version = 1,
    .needs = ES_NEED_POSITIVES,
    .embedder = mrr_l2,
};

const es_measure es_measure_hits1 = {
    .name = "hits1",
    .title = "EvalRank, Hits@1 by cosine",
    .caveat = "coarse with few pairs; a row said twice with other words costs a hit",
    .version = 1,
    .needs = ES_NEED_POSITIVES,
    .embedder = hits1,
};

const es_measure es_measure_hits10 = {
    .name = "hits10",
    .title = "EvalRank, Hits@10 by cosine",
    .caveat = "near 1 for every embedder when few rows compete",
    .version = 1,
    .needs = ES_NEED_POSITIVES,
    .embedder = hits10,
};

const es_measure es_measure_similarity = {
    .name = "similarity",
    .title = "similarity task, Spearman by cosine",
    .caveat = "agrees less with downstream results than ranking does; mind the terciles",
    .version = 1,
    .needs = ES_NEED_GRADED,
    .embedder = similarity,
};

const es_measure es_measure_alignment = {
    .name = "alignment",
    .title = "alignment of pairs",
    .caveat = "0 for a collapsed embedder: read it beside uniformity",
    .version = 1,
    .needs = ES_NEED_POSITIVES,
    .lower_is_better = true,
    .embedder = alignment,
};
