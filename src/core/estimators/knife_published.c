/* KNIFE as published (Darrin et al. 2024; Pichler et al. 2022) and as its authors' code runs it:
 * both densities are trained from PyTorch's initial state for a fixed number of epochs, on all
 * rows, and evaluated on the same rows. The marginal of a target is fitted once and shared by all
 * sources. */
#include "core_estimators_parts.h"

#include <math.h>

/* Standard deviation of a marginal's initial means and scales; the Bernoulli kernel's is its slope
 * times larger. */
static const double initial_spread = 0.01;

static const float *values_of(const es_fold_state *target) {
    return target->bits ? target->bits : target->data->train;
}

/* For rows that are not kept: what reads them, and room for a batch. */
static es_status read_batches(const es_fold_data *data, size_t batch, es_arena *arena,
                              es_fold_reader *reader, float **rows, es_error *err) {
    *rows = es_arena_alloc(arena, batch * data->d, sizeof **rows);
    return *rows ? es_fold_reader_init(reader, data, arena, err)
                 : es_no_memory_for(err, "a batch of %zu rows", batch);
}

es_status es_knife_published_marginal(const es_problem *problem, uint64_t id, es_fold_state *target,
                                      es_arena *arena, es_run *run, es_error *err) {
    const double *v = problem->values;
    size_t n = target->data->n_train, epochs = (size_t)v[ES_KNIFE_MARGINAL_EPOCHS];
    es_head head = es_knife_head(problem, target, (size_t)v[ES_KNIFE_MARGINAL_MODES]);
    double spread = initial_spread * (target->bits ? ES_KNIFE_SLOPE : 1);
    es_rng rng;
    es_marginal marginal;
    es_rng_init(&rng, problem->seed, es_rng_stream(ES_STREAM_INIT, id));
    es_fold_reader reader;
    es_status st =
        es_marginal_init(&marginal, &head, spread, (size_t)v[ES_KNIFE_BATCH], n, &rng, arena, err);
    if (st == ES_OK && target->data->fold)
        st = read_batches(target->data, marginal.batch, arena, &reader, &marginal.y_batch, err);
    marginal.rows = target->data->fold ? &reader : NULL;
    for (size_t epoch = 0; st == ES_OK && epoch < epochs; epoch++)
        st = es_marginal_epoch(&marginal, values_of(target), v[ES_KNIFE_MARGINAL_LR], &rng, run,
                               err);
    if (st == ES_OK)
        st = es_marginal_eval(&marginal, values_of(target), n, target->marginal, run, err);
    return st;
}

es_status es_knife_published_pair(const es_problem *problem, const es_fold_states *source,
                                  const es_fold_states *target, uint64_t stream, es_arena *arena,
                                  es_run *run, es_pair_result *out, es_error *err) {
    const double *v = problem->values;
    const es_fold_state *y = &target->fold[0];
    const es_fold_data *u = source->fold[0].data;
    size_t n = y->data->n_train, d = y->data->d, dx = u->d;
    size_t hidden = v[ES_KNIFE_HIDDEN] > 0 ? (size_t)v[ES_KNIFE_HIDDEN] : d;
    size_t depth = (size_t)v[ES_KNIFE_LAYERS], epochs = (size_t)v[ES_KNIFE_EPOCHS];
    es_head head = es_knife_head(problem, y, (size_t)v[ES_KNIFE_MODES]);
    es_layer layers[ES_NET_LAYERS] = {{.in = dx, .norm = true}};
    for (size_t i = 0; i < depth; i++) {
        layers[i] = (es_layer){i ? hidden : dx, hidden, true, true};
        layers[i + 1].in = hidden;
    }
    es_trainable model;
    es_rng rng;
    double *log_density = es_arena_alloc(arena, 2 * n, sizeof *log_density);
    if (!log_density)
        return es_no_memory(err);
    es_status st = es_model_init(&model, &head, layers, depth + 1, y->bits != NULL,
                                 (size_t)v[ES_KNIFE_BATCH], n, arena, err);
    if (st != ES_OK)
        return st;
    model.net.run = model.gate.run = run;
    es_rng_init(&rng, problem->seed, es_rng_stream(ES_STREAM_INIT, stream));
    es_net_random(&model.net, &rng, 1);
    if (y->bits)
        es_net_random(&model.gate, &rng, 1);

    es_fold_reader x_rows, y_rows;
    es_sample rows = {.n = n, .x = u->train, .y = values_of(y), .part = ES_PART_TRAIN};
    if (u->fold) {
        st = es_fold_reader_init(&x_rows, u, arena, err);
        rows.x_rows = &x_rows;
    }
    if (st == ES_OK && y->data->fold) {
        st = read_batches(y->data, model.batch, arena, &y_rows, &model.y_batch, err);
        rows.y_rows = &y_rows;
    }
    if (st != ES_OK)
        return st;
    for (size_t epoch = 0; epoch < epochs; epoch++) {
        double loss;
        ES_PASS(es_model_epoch(&model, &rows, v[ES_KNIFE_LR], &rng, run, &loss, err));
        es_run_trace(run, loss / (double)d);
        es_run_progress(run, (unsigned)epoch + 1, (unsigned)epochs);
    }
    ES_PASS(es_model_eval(&model, &rows, log_density, run, err));
    double *h = log_density + n;
    for (size_t i = 0; i < n; i++) {
        h[i] = -y->marginal[i] / (double)d;
        log_density[i] /= -(double)d;
    }
    es_pair_result result;
    st = es_pair_summarise(n, h, log_density, &result, err);
    if (st == ES_OK) {
        result.epochs = (unsigned)epochs;
        result.limited = (unsigned)y->data->limited;
        *out = result;
    }
    return st;
}

/* What the two recipes of `knife` share: the rows of a fold, standardised as the recipe has it, and
 * the head that fits a target (KNIFE, Pichler et al., ICML 2022, as Darrin et al., NeurIPS 2024,
 * use it).
 */

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
