/* What estimators prepare of an embedder, one entry a fold, and how the values of a pair's rows
 * become its result: the mean, and a standard error over the evaluated rows as if they were
 * independent. */
#include "core_estimators.h"

#include <math.h>

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
                            .pmi = pmi,
                            .information = (double)NAN,
                            .information_se = (double)NAN,
                            .lambda = (double)NAN};
    return ES_OK;
}

/* Mean and standard error of before - after over n rows; NaN unless all are numbers. */
static void mean_drop(size_t n, const double *before, const double *after, double *mean,
                      double *se) {
    double sum = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        sum += before[i] - after[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double e = before[i] - after[i] - *mean;
        square += e * e;
    }
    *se = n > 1 ? sqrt(square / (double)(n - 1) / (double)n) : (double)NAN;
}

/* What the folds have in common: values of rows in their places, the largest counts, and the
 * penalty if it is one. */
typedef struct gathered {
    double *h, *h_cond, *beside; /* (n_eval) */
    double lambda;
    unsigned epochs;
    size_t rare, limited;
} gathered;

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Puts the per-row values of a fold's test rows at their places among all. */
static void gather_fold(const es_split *split, size_t k, const es_fold_values *fold,
                        const es_fold_state *target, gathered *all) {
    for (size_t i = 0; i < split->folds[k].n_test; i++) {
        size_t at = es_split_place(split, k, i);
        all->h[at] = fold->h[i];
        all->h_cond[at] = fold->h_cond[i];
        all->beside[at] = fold->beside[i];
    }
    all->epochs = fold->epochs > all->epochs ? fold->epochs : all->epochs;
    all->lambda = k == 0 || fold->lambda == all->lambda ? fold->lambda : (double)NAN;
    all->rare = larger(all->rare, target->rare);
    all->limited = larger(all->limited, target->data ? target->data->limited : 0);
}

es_status es_fold_states_pair(const es_problem *problem, const void *source, const void *target,
                              uint64_t stream, es_arena *arena, es_run *run, es_fold_pair *pair,
                              es_pair_result *out, es_error *err) {
    const es_fold_states *u = source, *v = target;
    const es_split *split = problem->split;
    size_t n_eval = split->n_eval;
    es_pair_result result;
    double *h = es_arena_alloc(arena, 6 * n_eval, sizeof *h);
    if (!h)
        return es_no_memory(err);
    gathered all = {.h = h, .h_cond = h + n_eval, .beside = h + 2 * n_eval};
    for (size_t k = 0; k < split->n_folds; k++) {
        es_fold_values fold = {.h = h + 3 * n_eval,
                               .h_cond = h + 4 * n_eval,
                               .beside = h + 5 * n_eval,
                               .lambda = (double)NAN};
        for (size_t i = 0; i < split->folds[k].n_test; i++)
            fold.beside[i] = (double)NAN;
        es_status st = pair(problem, &u->fold[k], &v->fold[k], stream + k, arena, run, &fold, err);
        if (st != ES_OK)
            return st;
        gather_fold(split, k, &fold, &v->fold[k], &all);
    }
    ES_PASS(es_pair_summarise(n_eval, all.h, all.h_cond, &result, err));
    mean_drop(n_eval, all.h, all.beside, &result.information, &result.information_se);
    result.lambda = all.lambda;
    result.epochs = all.epochs;
    result.rare = (unsigned)all.rare;
    result.limited = (unsigned)all.limited;
    *out = result;
    return ES_OK;
}
