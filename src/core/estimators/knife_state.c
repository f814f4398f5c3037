/* What the two recipes of `knife` share: the rows of a fold, standardised as the recipe has it, and
 * the head that fits a target (KNIFE, Pichler et al., ICML 2022, as Darrin et al., NeurIPS 2024,
 * use it).
 */
#include "knife_state.h"

#include <math.h>

#include "alloc.h"
#include "simd.h"

bool es_knife_published(const double *values) {
    return values[ES_KNIFE_RECIPE] == ES_KNIFE_PUBLISHED;
}

es_head es_knife_head(const es_problem *problem, const es_fold_state *target, size_t modes) {
    return (es_head){.kind = target->bits ? ES_HEAD_BERNOULLI : ES_HEAD_GAUSS,
                     .modes = modes,
                     .d = target->data->d,
                     .bend = target->bits ? ES_KNIFE_SLOPE : problem->values[ES_KNIFE_RANGE],
                     .simd = es_simd_get(es_isa_level())};
}

/* The published recipe divides by the unbiased standard deviation, as PyTorch does. */
es_status es_knife_load(const es_problem *problem, const es_rows *rows, size_t k, double clip,
                        es_run *run, es_fold_data **out, es_error *err) {
    if (!es_knife_published(problem->values))
        return es_fold_data_new(rows, &problem->split->folds[k], clip, run, out, err);
    es_fold all = {.train = es_alloc(rows->n, sizeof *all.train), .n_train = rows->n};
    if (!all.train)
        return es_no_memory_for(err, "%zu rows", rows->n);
    for (size_t i = 0; i < rows->n; i++)
        all.train[i] = (uint32_t)i;
    es_fold_data *data = NULL;
    es_status st = es_fold_data_new(rows, &all, clip, run, &data, err);
    es_free(all.train);
    if (st != ES_OK)
        return st;
    double unbiased = sqrt((double)rows->n / (double)(rows->n - 1));
    for (size_t j = 0; j < data->d; j++)
        data->sd[j] *= unbiased;
    for (size_t i = 0; i < rows->n * data->d; i++)
        data->train[i] = (float)((double)data->train[i] / unbiased);
    *out = data;
    return ES_OK;
}
