/* Computes a measure once more and keeps what it sums up: pairs, queries or rows, sorted with the
 * worst first. */

#include <math.h>
#include <string.h>

#include "core_alike.h"
#include "core_measures_parts.h"

es_worst_kind es_worst_kind_of(const es_measure *measure) {
    return strcmp(measure->name, "evalrank") == 0    ? ES_WORST_PAIRS
           : strcmp(measure->name, "retmmd") == 0    ? ES_WORST_QUERIES
           : strcmp(measure->name, "retrieval") == 0 ? ES_WORST_RETRIEVED
           : strcmp(measure->name, "infonce") == 0   ? ES_WORST_PMI
           : strncmp(measure->name, "knn-", 4) == 0  ? ES_WORST_ROWS
                                                     : ES_WORST_NONE;
}

bool es_worst_of_two(es_worst_kind kind) {
    return kind == ES_WORST_ROWS || kind == ES_WORST_PMI;
}

void es_worst_list_free(es_worst_list *list) {
    es_free(list->line);
    *list = (es_worst_list){0};
}

static es_status lines_new(size_t count, es_worst_list *out, es_error *err) {
    out->line = es_alloc(count, sizeof *out->line);
    if (!out->line)
        return es_no_memory_for(err, "a list of %zu", count);
    for (size_t k = 0; k < count; k++) {
        out->line[k] = (es_worst_line){.value = NAN, .beside = NAN};
        for (size_t r = 0; r < ES_WORST_ROWS_SHOWN; r++) {
            out->line[k].row[r] = UINT32_MAX;
            out->line[k].similarity[r] = NAN;
        }
    }
    return ES_OK;
}

/* ---- pairs ---- */

static es_status list_pairs(const es_matrix *m, const es_measure_data *data, const double *values,
                            const es_run *run, es_worst_list *out, es_error *err) {
    es_evalrank e = {0};
    uint32_t *index = NULL;
    es_status st = ES_OK;
    ES_TRY(es_evalrank_detail(m, data, values, ES_COSINE, run, &e, err));
    ES_FAIL_IF(!(index = es_alloc(e.count, sizeof *index)),
               es_no_memory_for(err, "%zu pairs", e.count));
    ES_TRY(lines_new(e.count, out, err));
    ES_TRY(es_evalrank_worst(&e, index, e.count, &out->count, err));
    for (size_t k = 0; k < out->count; k++) {
        const es_pair_rank *p = &e.pair[index[k]];
        es_worst_line *line = &out->line[k];
        line->value = es_pair_rank_value(p, ES_TIE_MID);
        line->count = p->ties;
        line->row[0] = p->query;
        line->row[1] = p->partner;
        line->row[2] = p->nearest;
        line->similarity[1] = p->similarity;
        line->similarity[2] = p->nearest_similarity;
    }
done:
    es_free(index);
    es_evalrank_free(&e);
    return st;
}

/* ---- queries and rows ---- */

/* Of queries of the first draw; one answer stands for all. */
static es_status list_queries(const es_matrix *m, const es_measure_data *data, const double *values,
                              const es_run *run, es_worst_list *out, es_error *err) {
    es_retmmd r = {0};
    double *value = NULL;
    uint32_t *order = NULL;
    es_status st = ES_OK;
    ES_TRY(es_retmmd_detail(m, data, values, run, &r, err));
    value = es_alloc(r.count, sizeof *value);
    order = es_alloc(r.count, 2 * sizeof *order);
    ES_FAIL_IF(!value || !order, es_no_memory_for(err, "%zu queries", r.count));
    for (size_t q = 0; q < r.count; q++)
        value[q] = r.m[q][ES_KERNEL_RBF];
    es_sort_order(value, order, order + r.count, r.count);
    ES_TRY(lines_new(r.count, out, err));
    out->count = r.count;
    out->own_ids = data->queries->own_ids;
    for (size_t k = 0; k < r.count; k++) {
        const es_query *query = &data->queries->query[order[k]];
        es_worst_line *line = &out->line[k];
        line->value = value[order[k]];
        line->beside = r.p[order[k]][ES_KERNEL_RBF];
        line->count = query->positives;
        line->of = query->negatives;
        line->row[0] = query->row;
        line->row[1] = query->doc[0];
    }
done:
    es_free(value);
    es_free(order);
    es_retmmd_free(&r);
    return st;
}

/* Those with the least nDCG first; of equal ones the query with the lower number. */
static es_status list_retrieved(const es_matrix *m, const es_measure_data *data,
                                const double *values, const es_run *run, es_worst_list *out,
                                es_error *err) {
    es_retrieval r = {0};
    double *value = NULL;
    uint32_t *order = NULL;
    es_status st = ES_OK;
    ES_TRY(es_retrieval_detail(m, data, values, run, &r, err));
    value = es_alloc(r.count, sizeof *value);
    order = es_alloc(r.count, 2 * sizeof *order);
    ES_FAIL_IF(!value || !order, es_no_memory_for(err, "%zu queries", r.count));
    for (size_t q = 0; q < r.count; q++)
        value[q] = r.value[q * ES_RETRIEVAL_STATS + ES_RETRIEVAL_NDCG];
    es_sort_order(value, order, order + r.count, r.count);
    ES_TRY(lines_new(r.count, out, err));
    out->count = r.count;
    out->own_ids = data->own_queries;
    for (size_t k = 0; k < r.count; k++) {
        const es_retrieval_seen *seen = &r.seen[order[k]];
        es_worst_line *line = &out->line[k];
        line->value = value[order[k]];
        line->beside = r.value[order[k] * ES_RETRIEVAL_STATS + ES_RETRIEVAL_MRR];
        line->count = seen->found;
        line->of = seen->answers;
        line->row[0] = r.query[order[k]];
        line->row[1] = seen->answer;
        line->row[2] = seen->nearest;
    }
done:
    es_free(value);
    es_free(order);
    es_retrieval_free(&r);
    return st;
}

static es_status share_neighbours(const es_measure *measure, const es_matrix *m,
                                  const es_matrix *other, const es_measure_data *data,
                                  const double *values, const es_run *run, uint32_t *shared,
                                  es_error *err) {
    void *a = NULL, *b = NULL;
    es_overlap whole;
    es_status st = ES_OK;
    ES_TRY(es_measure_side(measure, m, data, values, run, &a, err));
    ES_TRY(es_measure_side(measure, other, data, values, run, &b, err));
    ES_TRY(es_neighbour_overlap(a, b, shared, &whole, err));
done:
    if (a)
        measure->side_free(a);
    if (b)
        measure->side_free(b);
    return st;
}

static es_status list_rows(const es_measure *measure, const es_matrix *m, const es_matrix *other,
                           const es_measure_data *data, const double *values, const es_run *run,
                           es_worst_list *out, es_error *err) {
    size_t n = m->n;
    const es_setting *settings = measure->settings;
    es_metric metric = (es_metric)values[es_setting_find(settings, measure->n_settings, "metric")];
    double k = values[es_setting_find(settings, measure->n_settings, "k")];
    uint32_t *block = es_alloc(n, 5 * sizeof *block), *shared = block;
    double *key = es_alloc(n, sizeof *key);
    es_status st = ES_OK;
    ES_FAIL_IF(!block || !key, es_no_memory_for(err, "%zu rows", n));
    uint32_t *nearest = block + n, *nearest_other = block + 2 * n;
    uint32_t *order = block + 3 * n;
    ES_TRY(share_neighbours(measure, m, other, data, values, run, shared, err));
    ES_TRY(es_nearest(m, metric, 1, run, &(es_neighbours){.index = nearest}, err));
    ES_TRY(es_nearest(other, metric, 1, run, &(es_neighbours){.index = nearest_other}, err));
    for (size_t i = 0; i < n; i++)
        key[i] = shared[i];
    es_sort_order(key, order, block + 4 * n, n);
    ES_TRY(lines_new(n, out, err));
    out->count = n;
    for (size_t i = 0; i < n; i++) {
        size_t at = order[i];
        es_worst_line *line = &out->line[i];
        line->count = shared[at];
        line->of = (size_t)k;
        line->row[0] = (uint32_t)at;
        line->row[1] = nearest[at];
        line->row[2] = nearest_other[at];
    }
done:
    es_free(key);
    es_free(block);
    return st;
}

/* Of the rows that the critic has not seen. */
static es_status list_pmi(const es_measure *measure, const es_matrix *m, const es_matrix *other,
                          const es_measure_data *data, const double *values, const es_run *run,
                          es_worst_list *out, es_error *err) {
    void *a = NULL, *b = NULL;
    es_infonce whole;
    es_infonce_row *rows = NULL;
    double *key = NULL;
    uint32_t *order = NULL;
    es_status st = ES_OK;
    ES_TRY(es_measure_side(measure, m, data, values, run, &a, err));
    ES_TRY(es_measure_side(measure, other, data, values, run, &b, err));
    ES_TRY(es_infonce_rows(a, b, run, &whole, &rows, err));
    ES_FAIL_IF(!rows, es_fail(err, ES_EINVAL, "one of the two embedders is constant"));
    size_t n = whole.batches * whole.batch;
    key = es_alloc(n, sizeof *key);
    order = es_alloc(n, 2 * sizeof *order);
    ES_FAIL_IF(!key || !order, es_no_memory_for(err, "%zu rows", n));
    for (size_t i = 0; i < n; i++)
        key[i] = rows[i].pmi;
    es_sort_order(key, order, order + n, n);
    ES_TRY(lines_new(n, out, err));
    out->count = n;
    for (size_t k = 0; k < n; k++) {
        const es_infonce_row *row = &rows[order[k]];
        out->line[k].value = row->pmi;
        out->line[k].beside = 1 / (1 + exp(-row->pmi));
        out->line[k].row[0] = row->row;
        out->line[k].row[1] = row->rival;
    }
done:
    if (a)
        measure->side_free(a);
    if (b)
        measure->side_free(b);
    es_free(rows);
    es_free(key);
    es_free(order);
    return st;
}

es_status es_worst_list_new(const es_measure *measure, const es_matrix *m, const es_matrix *other,
                            const es_measure_data *data, const double *values, const es_run *run,
                            es_worst_list *out, es_error *err) {
    es_worst_list list = {.kind = es_worst_kind_of(measure)};
    es_status st = ES_OK;
    if (list.kind == ES_WORST_NONE || es_worst_of_two(list.kind) != (other != NULL))
        return es_fail(err, ES_EINVAL, "%s: no list of what is worst%s", measure->name,
                       es_worst_of_two(list.kind)   ? " without a second embedder"
                       : list.kind == ES_WORST_NONE ? ""
                                                    : " of two embedders");
    if (list.kind == ES_WORST_PAIRS)
        st = list_pairs(m, data, values, run, &list, err);
    else if (list.kind == ES_WORST_QUERIES)
        st = list_queries(m, data, values, run, &list, err);
    else if (list.kind == ES_WORST_RETRIEVED)
        st = list_retrieved(m, data, values, run, &list, err);
    else if (list.kind == ES_WORST_PMI)
        st = list_pmi(measure, m, other, data, values, run, &list, err);
    else
        st = list_rows(measure, m, other, data, values, run, &list, err);
    if (st == ES_OK)
        *out = list;
    else
        es_worst_list_free(&list);
    return st;
}
