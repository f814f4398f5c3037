/* What estimators prepare of an embedder, one entry a fold, and how the values of a pair's rows
 * become its result: the mean, and a standard error over the evaluated rows as if they were
 * independent. */
#include "fold_state.h"

#include <math.h>

#include "alloc.h"

void es_fold_states_free(void *states) {
    es_fold_states *s = states;
    for (size_t k = 0; s && k < s->folds; k++) {
        es_fold_data_free(s->fold[k].data);
        es_fold_data_free(s->fold[k].normal);
        es_ridge_free(s->fold[k].ridge);
        es_free(s->fold[k].bits);
        es_free(s->fold[k].marginal);
    }
    es_free(s);
}

es_status es_fold_states_new(const es_problem *problem, const es_rows *rows, size_t folds,
                             es_fold_prepare *prepare, es_run *run, void **out, es_error *err) {
    es_fold_states *s = es_alloc_zero(1, sizeof *s + folds * sizeof s->fold[0]);
    if (!s)
        return es_no_memory(err);
    s->folds = folds;
    es_status st = ES_OK;
    for (size_t k = 0; k < folds && st == ES_OK; k++)
        st = prepare(problem, rows, k, run, &s->fold[k], err);
    if (st == ES_OK)
        *out = s;
    else
        es_fold_states_free(s);
    return st;
}

size_t es_fold_states_bytes(const void *states) {
    const es_fold_states *s = states;
    size_t bytes = sizeof *s + s->folds * sizeof s->fold[0];
    for (size_t k = 0; k < s->folds; k++) {
        const es_fold_state *f = &s->fold[k];
        bytes +=
            (f->data ? es_fold_data_bytes(f->data) : 0) +
            (f->normal ? es_fold_data_bytes(f->normal) : 0) +
            (f->ridge ? es_ridge_bytes(f->ridge) : 0) + f->marginals * sizeof *f->marginal +
            (f->bits && f->data ? es_fold_data_rows(f->data) * f->data->d * sizeof *f->bits : 0);
    }
    return bytes;
}

es_status es_pair_summarise(size_t n, const double *h, const double *h_cond, es_pair_result *out,
                            es_error *err) {
    float *pmi = es_alloc(n, sizeof *pmi);
    if (!pmi)
        return es_no_memory_for(err, "%zu per-row values", n);
    double sum_h = 0, sum_c = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        sum_h += h[i];
        sum_c += h_cond[i];
        pmi[i] = (float)(h[i] - h_cond[i]);
    }
    double mean = (sum_h - sum_c) / (double)n;
    for (size_t i = 0; i < n; i++) {
        double e = h[i] - h_cond[i] - mean;
        square += e * e;
    }
    if (!isfinite(mean) || !isfinite(square)) {
        es_free(pmi);
        return es_fail(err, ES_ENONFINITE,
                       "the estimate is not a finite number; a column may hold extreme values");
    }
    *out = (es_pair_result){.is = mean,
                            .se = n > 1 ? sqrt(square / (double)(n - 1) / (double)n) : (double)NAN,
                            .h = sum_h / (double)n,
                            .h_cond = sum_c / (double)n,
                            .n_eval = n,
                            .pmi = pmi};
    return ES_OK;
}

es_status es_fold_states_pair(const es_problem *problem, const void *source, const void *target,
                              uint64_t stream, es_arena *arena, es_run *run, es_fold_pair *pair,
                              es_pair_result *out, es_error *err) {
    const es_fold_states *u = source, *v = target;
    const es_split *split = problem->split;
    es_pair_result result;
    unsigned most = 0;
    double *h = es_arena_alloc(arena, 4 * split->n_eval, sizeof *h);
    if (!h)
        return es_no_memory(err);
    double *h_cond = h + split->n_eval, *fold_h = h_cond + split->n_eval;
    for (size_t k = 0; k < split->n_folds; k++) {
        size_t n = split->folds[k].n_test;
        unsigned epochs = 0;
        es_status st = pair(problem, &u->fold[k], &v->fold[k], stream + k, arena, run, fold_h,
                            fold_h + n, &epochs, err);
        if (st != ES_OK)
            return st;
        most = epochs > most ? epochs : most;
        for (size_t i = 0; i < n; i++) {
            size_t at = es_split_place(split, k, i);
            h[at] = fold_h[i];
            h_cond[at] = fold_h[n + i];
        }
    }
    es_status st = es_pair_summarise(split->n_eval, h, h_cond, &result, err);
    if (st == ES_OK) {
        result.epochs = most;
        *out = result;
    }
    return st;
}
