/* The `knife` estimator: a kernel density of the target, and of the target given the source, whose
 * parameters a network gives (Pichler et al., ICML 2022; Darrin et al., NeurIPS 2024). Its
 * settings, its presets, and the choice between two recipes. */
#include <math.h>

#include "core_estimators_parts.h"

static const char *const recipes[] = {"refined", "published", NULL};
static const char *const targets[] = {"pool", "continuous", "binary", NULL};

#define NUMBER(k, h, v, lo, hi) .key = (k), .help = (h), .value = (v), .low = (lo), .high = (hi)

static const es_setting settings[ES_KNIFE_SETTINGS] = {
    [ES_KNIFE_RECIPE] = {.key = "recipe",
                         .help = "refined: ridge plus a network, on held-out rows; published: the "
                                 "paper's training, evaluated on the rows it was trained on",
                         .choices = recipes},
    [ES_KNIFE_TARGET] = {.key = "target",
                         .help = "values of targets: numbers (continuous), 0 and 1 (binary), or as "
                                 "pool.json states (pool)",
                         .choices = targets},
    [ES_KNIFE_MODES] = {NUMBER("modes", "modes of the mixture p(v|u)", 1, 1, ES_MODES_MAX),
                        .whole = true},
    [ES_KNIFE_HIDDEN] = {NUMBER("hidden",
                                "units per hidden layer; 0: as many as the target has "
                                "dimensions",
                                128, 0, 16384),
                         .whole = true},
    [ES_KNIFE_LAYERS] = {NUMBER("layers", "hidden layers", 1, 0, ES_NET_LAYERS - 1), .whole = true},
    [ES_KNIFE_LR] = {NUMBER("lr", "learning rate of Adam", 1e-2, 0, 1)},
    [ES_KNIFE_BATCH] = {NUMBER("batch", "rows per step", 64, 1, 65536), .whole = true},
    [ES_KNIFE_EPOCHS] = {NUMBER("epochs", "passes over the training rows, at most", 100, 1, 1e5),
                         .whole = true},
    [ES_KNIFE_PATIENCE] = {NUMBER("patience",
                                  "refined: stop after so many epochs without a lower "
                                  "loss on the validation rows",
                                  2, 1, 1e5),
                           .whole = true},
    [ES_KNIFE_RANGE] = {NUMBER("range", "log standard deviations stay within +-range", 1, 0.01,
                               20)},
    [ES_KNIFE_CLIP] = {NUMBER("clip",
                              "standardised source values are limited to +-clip; 0: not "
                              "limited",
                              3, 0, 1e9)},
    [ES_KNIFE_FOLDS] = {NUMBER("folds",
                               "refined: cross-fit with K folds, so that every row is held "
                               "out once; 1: one 70/10/20 split; auto: 5 below 1,000 rows, "
                               "else 1",
                               NAN, 1, 100),
                        .whole = true, .automatic = true},
    [ES_KNIFE_MARGINAL_MODES] = {NUMBER("marginal_modes",
                                        "published: modes of p(v); refined uses "
                                        "`modes`",
                                        8, 1, ES_MODES_MAX),
                                 .whole = true},
    [ES_KNIFE_MARGINAL_LR] = {NUMBER("marginal_lr", "published: learning rate for p(v)", 1e-4, 0,
                                     1)},
    [ES_KNIFE_MARGINAL_EPOCHS] = {NUMBER("marginal_epochs", "published: passes to fit p(v)", 5, 0,
                                         1e5),
                                  .whole = true},
    [ES_KNIFE_LR_OUT] = {NUMBER("lr_out", "refined: learning rate of the last layer; 0: as lr",
                                2e-3, 0, 1),
                         .later = true},
    [ES_KNIFE_WORSE] = {NUMBER("worse",
                               "refined: stop at once when the validation rows are worse by so "
                               "many standard errors; 0: by patience alone",
                               1, 0, 100),
                        .later = true},
};

static const es_preset presets[] = {
    {"default", "ridge refined by a density network; held out, stopped early", ""},
    {"patient", "smaller steps and a patience of 3: takes twice as long as `default`",
     "lr=1e-3 batch=128 patience=3 lr_out=0 worse=0"},
    {"paper-nlp", "as the paper ran it on text embedders (in-sample)",
     "recipe=published modes=8 hidden=0 layers=2 lr=1e-3 batch=128 epochs=10 clip=0 "
     "patience=3 marginal_modes=8 marginal_lr=1e-4 marginal_epochs=5 lr_out=0 worse=0"},
    {"paper-mol", "as the paper ran it on molecular embedders (in-sample)",
     "recipe=published modes=2 hidden=512 layers=2 lr=1e-3 batch=1024 epochs=5 clip=0 "
     "patience=3 marginal_modes=2 marginal_lr=1e-2 marginal_epochs=5 lr_out=0 worse=0"},
    {NULL, NULL, NULL},
};

static size_t fold_count(const es_problem *problem) {
    return es_knife_published(problem->values) ? 1 : problem->split->n_folds;
}

static es_status prepare_source(const es_problem *problem, const es_rows *rows, size_t k,
                                es_run *run, es_fold_state *out, es_error *err) {
    bool streamed = es_knife_streams_source(problem, rows->d);
    ES_PASS(es_knife_load(problem, rows, k, problem->values[ES_KNIFE_CLIP], streamed, run,
                          &out->data, err));
    const es_ridge_plan plan = {.chosen = true, .residuals = true};
    if (!es_knife_published(problem->values))
        return es_ridge_new(out->data, &plan, run, &out->ridge, err);
    /* the first layer's part, once for all targets (core_numerics.h) */
    float *x = out->data->train;
    out->data->normal = streamed;
    if (streamed)
        return ES_OK;
    es_net_normalize(es_simd_get(es_isa_level()), x, rows->n, out->data->d, x);
    return ES_OK;
}

/* The 0 and 1 that standardised values came from. */
static es_status recover_bits(es_fold_state *f, es_error *err) {
    const es_fold_data *data = f->data;
    size_t n = es_fold_data_rows(data), d = data->d;
    f->bits = es_alloc_aligned(n * d, sizeof *f->bits);
    if (!f->bits)
        return es_no_memory_for(err, "%zu x %zu bits", n, d);
    for (size_t i = 0; i < n * d; i++) {
        double x = (double)data->train[i] * data->sd[i % d] + data->mean[i % d];
        f->bits[i] = x > 0.5 ? 1 : 0;
        if (!(fabs(x - (double)f->bits[i]) < 1e-3))
            return es_fail(err, ES_EINVAL,
                           "column %u holds %.6g: a binary target holds 0 and 1 only",
                           data->column[i % d], x);
    }
    return ES_OK;
}

/* Continuous targets of the refined recipe, limited as `linear` limits them. */
static es_status load_limited(const es_problem *problem, const es_rows *rows, size_t k, es_run *run,
                              es_fold_state *out, es_error *err) {
    bool streamed = es_knife_streams_target(problem, rows->d, rows->kind);
    es_status st = es_knife_load(problem, rows, k, ES_TARGET_BOUND, streamed, run, &out->data, err);
    if (st == ES_OK)
        st = es_fold_data_centre(out->data, run, err);
    if (st == ES_OK)
        st = es_fold_data_limits(out->data, run, err);
    if (st == ES_OK)
        out->rare = es_fold_data_rare(out->data, es_knife_least_variance(problem));
    return st;
}

/* The published recipe limits nothing; how many columns have wild values is noted. */
static es_status load_published(const es_problem *problem, const es_rows *rows, size_t k,
                                es_run *run, es_fold_state *out, es_error *err) {
    bool streamed = es_knife_streams_target(problem, rows->d, rows->kind);
    es_status st = es_knife_load(problem, rows, k, 0, streamed, run, &out->data, err);
    if (st == ES_OK)
        st = es_fold_data_limits(out->data, run, err);
    for (size_t j = 0; st == ES_OK && j < out->data->d; j++)
        out->data->limited +=
            fmax((double)out->data->high[j], -(double)out->data->low[j]) > ES_KNIFE_WILD;
    return st;
}

static es_status load_target(const es_problem *problem, const es_rows *rows, size_t k, es_run *run,
                             es_fold_state *out, es_error *err) {
    bool streamed = es_knife_streams_target(problem, rows->d, rows->kind);
    bool binary = es_knife_binary(problem, rows->kind);
    if (!binary)
        return (es_knife_published(problem->values) ? load_published : load_limited)(
            problem, rows, k, run, out, err);
    es_status st = es_knife_load(problem, rows, k, 0, streamed, run, &out->data, err);
    return st == ES_OK && binary ? recover_bits(out, err) : st;
}

static es_status prepare_target(const es_problem *problem, const es_rows *rows, size_t k,
                                es_run *run, es_fold_state *out, es_error *err) {
    es_arena *arena = es_arena_new();
    es_status st = arena ? ES_OK : es_no_memory(err);
    if (st != ES_OK)
        return st;
    ES_TRY(load_target(problem, rows, k, run, out, err));
    out->marginals = es_fold_data_rows(out->data);
    out->marginal = es_alloc(out->marginals, sizeof *out->marginal);
    ES_FAIL_IF(!out->marginal, es_no_memory(err));
    st = (es_knife_published(problem->values)
              ? es_knife_published_marginal
              : es_knife_refined_marginal)(problem, rows->id + k, out, arena, run, err);
done:
    es_arena_free(arena);
    return st;
}

ES_FOLD_STATES_NEW(source_new, fold_count(problem), prepare_source)
ES_FOLD_STATES_NEW(target_new, fold_count(problem), prepare_target)

static es_status pair(const es_problem *problem, const void *source, const void *target,
                      uint64_t stream, es_arena *arena, es_run *run, es_pair_result *out,
                      es_error *err) {
    return (es_knife_published(problem->values) ? es_knife_published_pair : es_knife_refined_pair)(
        problem, source, target, stream, arena, run, out, err);
}

/* Of a binary target the bits are kept too; several modes are fitted by EM, whose shares of rows
 * are doubles. */
static es_cost cost(const es_problem *given, es_pair_shape shape) {
    const double *v = given->values;
    bool published = es_knife_published(v);
    es_split one = *given->split;
    es_problem own = *given, *problem = &own;
    own.split = &one;
    one.n_folds = fold_count(given);
    bool binary = es_knife_binary(problem, shape.kind);
    bool from = es_knife_streams_source(problem, shape.source);
    bool to = es_knife_streams_target(problem, shape.target, shape.kind);
    double stops = v[ES_KNIFE_WORSE] > 0 ? ES_COST_EPOCHS_WORSE : ES_COST_EPOCHS;
    double n = (double)problem->split->n, folds = (double)one.n_folds;
    double dv = (double)shape.target, modes = v[ES_KNIFE_MODES];
    double hidden = v[ES_KNIFE_HIDDEN] > 0 ? v[ES_KNIFE_HIDDEN] : dv;
    es_cost_network net = {.in = (double)shape.source,
                           .hidden = hidden,
                           .layers = v[ES_KNIFE_LAYERS],
                           .out = modes * (binary ? 1 : 2) * dv + (modes > 1 ? modes : 0),
                           .batch = v[ES_KNIFE_BATCH],
                           .epochs =
                               published ? v[ES_KNIFE_EPOCHS] : fmin(v[ES_KNIFE_EPOCHS], stops),
                           .all_rows = published};
    es_cost c = published ? es_cost_of_rows(problem, shape, from, to)
                          : es_cost_of_ridge(problem, shape,
                                             (es_cost_ridge){.source_rows = true,
                                                             .residuals = true,
                                                             .source_streamed = from,
                                                             .target_streamed = to});
    es_cost_add_network(problem, &net, &c);
    c.target_bytes += folds * n * (sizeof(double) + (binary ? dv * sizeof(float) : 0));
    if (published) {
        c.source_bytes += from ? n * sizeof(uint32_t) : 0; /* which rows */
        c.target_bytes += to ? n * sizeof(uint32_t) : 0;
        double width = v[ES_KNIFE_MARGINAL_MODES] * (2 * dv + 1);
        c.target_operations += n * width * 40 * (v[ES_KNIFE_MARGINAL_EPOCHS] + 1);
        c.making_bytes += width * (5 + v[ES_KNIFE_BATCH]) * sizeof(float) + n * 8 +
                          v[ES_KNIFE_BATCH] * dv * sizeof(float);
        c.pair_bytes += 2 * n * sizeof(double) +
                        v[ES_KNIFE_BATCH] * (dv + (double)shape.source) * sizeof(float);
    } else if (modes == 1 && !binary) {
        c.pair_bytes += folds * n * dv * sizeof(float); /* where each row's spread starts */
    } else if (modes > 1) {
        double em = (6 * modes * dv + n * modes) * sizeof(double) + n * sizeof(uint32_t);
        c.making_bytes += em;
        c.pair_bytes += folds * em;
    }
    return c;
}

const es_estimator es_estimator_knife = {
    .name = "knife",
    .trains = true,
    .title = "density network",
    .version = 7,
    .in_sample = es_knife_published,
    .settings = settings,
    .n_settings = ES_KNIFE_SETTINGS,
    .presets = presets,
    .cost = cost,
    ES_FOLD_STATES,
};
