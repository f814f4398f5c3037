/* Where a measure ranks an embedder on average over label columns or sets of pairs: ranks can be
 * averaged where values of different columns cannot. */
#include "cli_measures.h"

#include <string.h>

#include <math.h>

void es_mean_ranks_free(es_mean_ranks *ranks, size_t count) {
    for (size_t i = 0; ranks && i < count; i++)
        es_free(ranks[i].rank);
    es_free(ranks);
}

static bool is_same(const es_choice *a, const es_choice *b) {
    return a->measured->task && b->measured->task && strcmp(a->label, b->label) == 0 &&
           a->measured->measure == b->measured->measure && a->field == b->field;
}

/* The label columns or sets of the measure of choice number `first`; 0 where an earlier one says
 * it. */
static size_t count_tasks(const es_choices *choices, size_t first) {
    size_t tasks = 0;
    for (size_t k = 0; k < choices->count; k++) {
        bool same = is_same(&choices->item[first], &choices->item[k]);
        if (same && k < first)
            return 0;
        tasks += same;
    }
    return tasks;
}

/* A measure of classes has no value for a column of numbers, whatever the embedder: such a column
 * says nothing of ranks. */
static bool any_known(const double *value, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (isfinite(value[i]))
            return true;
    return false;
}

/* Columns are "higher is better". Fewer than two that have values: out->tasks says so, and there
 * are no ranks. */
static es_status rank_tasks(const es_choices *choices, size_t first, size_t tasks,
                            es_mean_ranks *out, es_error *err) {
    const es_choice *lead = &choices->item[first];
    size_t m = lead->measured->m, t = 0;
    double *all = es_alloc(m * tasks, sizeof *all); // (m, t) of the columns with values
    double *one = es_alloc(m * tasks, sizeof *one); // (t, m)
    es_status st = ES_OK;
    out->measure = lead->measured->measure;
    out->label = lead->label;
    out->field = lead->field == SIZE_MAX ? 0 : lead->field;
    out->rank = es_alloc(m, sizeof *out->rank);
    ES_FAIL_IF(!all || !one || !out->rank, es_no_memory(err));
    for (size_t k = first; k < choices->count; k++) {
        if (!is_same(lead, &choices->item[k]))
            continue;
        ES_TRY(es_measured_column(choices->item[k].measured, out->field, one + t * m, err));
        t += any_known(one + t * m, m);
    }
    out->tasks = t;
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < t; k++)
            all[i * t + k] = one[k * m + i];
    if (t > 1)
        ES_TRY(es_mean_rank(all, m, t, NULL, out->rank, &out->ranked, err));
done:
    es_free(all);
    es_free(one);
    return st;
}

es_status es_mean_ranks_new(const es_choices *choices, es_mean_ranks **out, size_t *count,
                            es_error *err) {
    es_mean_ranks *ranks = es_alloc_zero(choices->count, sizeof *ranks);
    size_t n = 0;
    es_status st = ranks ? ES_OK : es_no_memory(err);
    for (size_t k = 0; st == ES_OK && k < choices->count; k++) {
        size_t tasks = choices->item[k].measured->measure->pair ? 0 : count_tasks(choices, k);
        if (tasks < 2)
            continue;
        st = rank_tasks(choices, k, tasks, &ranks[n++], err);
        if (st == ES_OK && ranks[n - 1].tasks < 2)
            es_free(ranks[--n].rank);
    }
    if (st != ES_OK) {
        es_mean_ranks_free(ranks, n);
        return st;
    }
    *out = ranks;
    *count = n;
    return ES_OK;
}
