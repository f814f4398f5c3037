/* What the two recipes of `knife` share: the rows of a fold, standardised as the recipe has it, and
 * the head that fits a target (KNIFE, Pichler et al., ICML 2022, as Darrin et al., NeurIPS 2024,
 * use it).
 */
#include "core_estimators_parts.h"

#include <math.h>

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

double es_knife_least_variance(const es_problem *problem) {
    return exp(-2 * problem->values[ES_KNIFE_RANGE]);
}

bool es_knife_binary(const es_problem *problem, es_kind kind) {
    double wish = problem->values[ES_KNIFE_TARGET];
    return wish == ES_KNIFE_TARGET_BINARY ||
           (wish == ES_KNIFE_TARGET_POOL && kind == ES_KIND_BINARY);
}

bool es_knife_streams_source(const es_problem *problem, size_t columns) {
    return es_is_too_large(problem, columns) &&
           (es_knife_published(problem->values) || columns <= problem->split->folds[0].n_train);
}

bool es_knife_streams_target(const es_problem *problem, size_t columns, es_kind kind) {
    return es_is_too_large(problem, columns) && !es_knife_binary(problem, kind) &&
           (es_knife_published(problem->values) || problem->values[ES_KNIFE_MODES] == 1);
}

/* The published recipe divides by the unbiased standard deviation, as PyTorch does. */
es_status es_knife_load(const es_problem *problem, const es_rows *rows, size_t k, double clip,
                        bool streamed, es_run *run, es_fold_data **out, es_error *err) {
    if (!es_knife_published(problem->values))
        return (streamed ? es_fold_data_stream : es_fold_data_new)(rows, &problem->split->folds[k],
                                                                   clip, run, out, err);
    double unbiased = sqrt((double)rows->n / (double)(rows->n - 1));
    if (streamed) {
        es_status st = es_fold_data_stream_all(rows, clip, run, out, err);
        if (st == ES_OK)
            (*out)->unit = unbiased;
        return st;
    }
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
    for (size_t j = 0; j < data->d; j++)
        data->sd[j] *= unbiased;
    for (size_t i = 0; i < rows->n * data->d; i++)
        data->train[i] = (float)((double)data->train[i] / unbiased);
    *out = data;
    return ES_OK;
}
