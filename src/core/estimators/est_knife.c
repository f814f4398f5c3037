#include "est_knife.h"

#include <math.h>
#include <string.h>

#include "alloc.h"

static const char *const recipes[] = {"refined", "published", NULL};
static const char *const targets[] = {"pool", "continuous", "binary", NULL};

#define NUMBER(k, h, v, lo, hi) .key = (k), .help = (h), .value = (v), .low = (lo), .high = (hi)

static const es_setting settings[ES_KNIFE_SETTINGS] = {
    [ES_KNIFE_RECIPE] = {.key = "recipe",
                         .help = "refined: ridge plus a network, on held-out rows; published: the "
                                 "paper's training, evaluated on the rows it was trained on",
                         .choices = recipes},
    [ES_KNIFE_TARGET] = {.key = "target",
                         .help = "what targets hold: numbers (continuous), 0 and 1 (binary), or "
                                 "what pool.json says of each (pool)",
                         .choices = targets},
    [ES_KNIFE_MODES] = {NUMBER("modes", "modes of the mixture p(v|u)", 1, 1, ES_MODES_MAX),
                        .whole = true},
    [ES_KNIFE_HIDDEN] = {NUMBER("hidden",
                                "units per hidden layer; 0: as many as the target has "
                                "dimensions",
                                128, 0, 16384),
                         .whole = true},
    [ES_KNIFE_LAYERS] = {NUMBER("layers", "hidden layers", 1, 0, ES_NET_LAYERS - 1), .whole = true},
    [ES_KNIFE_LR] = {NUMBER("lr", "learning rate of Adam", 1e-3, 0, 1)},
    [ES_KNIFE_BATCH] = {NUMBER("batch", "rows per step", 128, 1, 65536), .whole = true},
    [ES_KNIFE_EPOCHS] = {NUMBER("epochs", "passes over the training rows, at most", 100, 0, 1e5),
                         .whole = true},
    [ES_KNIFE_PATIENCE] = {NUMBER("patience",
                                  "refined: stop after so many epochs without a lower "
                                  "loss on the validation rows",
                                  3, 1, 1e5),
                           .whole = true},
    [ES_KNIFE_RANGE] = {NUMBER("range", "log standard deviations stay within +-range", 1, 0.01,
                               20)},
    [ES_KNIFE_CLIP] = {NUMBER("clip",
                              "standardised source values are limited to +-clip; 0: not "
                              "limited",
                              3, 0, 1e9)},
    [ES_KNIFE_FOLDS] = {NUMBER("folds",
                               "refined: cross-fit with K folds, so that every row is held "
                               "out once; 1: one 70/10/20 split; auto: 5 below 200 rows, "
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
};

static const es_preset presets[] = {
    {"default", "ridge refined by a density network; held out, stopped early", ""},
    {"paper-nlp", "as the paper ran it on text embedders (in-sample)",
     "recipe=published modes=8 hidden=0 layers=2 lr=1e-3 batch=128 epochs=10 clip=0 "
     "marginal_modes=8 marginal_lr=1e-4 marginal_epochs=5"},
    {"paper-mol", "as the paper ran it on molecular embedders (in-sample)",
     "recipe=published modes=2 hidden=512 layers=2 lr=1e-3 batch=1024 epochs=5 clip=0 "
     "marginal_modes=2 marginal_lr=1e-2 marginal_epochs=5"},
    {NULL, NULL, NULL},
};

static bool published(const double *values) {
    return values[ES_KNIFE_RECIPE] == ES_KNIFE_PUBLISHED;
}

es_head es_knife_head(const es_problem *problem, const es_knife_target_fold *target, size_t modes) {
    return (es_head){.kind = target->bits ? ES_HEAD_BERNOULLI : ES_HEAD_GAUSS,
                     .modes = modes,
                     .d = target->data->d,
                     .bend = target->bits ? ES_KNIFE_SLOPE : problem->values[ES_KNIFE_RANGE],
                     .simd = es_simd_get(es_isa_level())};
}

static size_t fold_count(const es_problem *problem) {
    return published(problem->values) ? 1 : problem->split->n_folds;
}

/* Standardised rows of fold k. The published recipe has one fold of all rows and divides by the
 * unbiased standard deviation, as PyTorch does. */
static es_status load(const es_problem *problem, const es_rows *rows, size_t k, double clip,
                      es_run *run, es_fold_data **out, es_error *err) {
    if (!published(problem->values))
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

static size_t all_rows(const es_fold_data *data) {
    return data->n_train + data->n_val + data->n_test;
}

/* ---- sources ---- */

static void source_free(void *state) {
    es_knife_source *s = state;
    for (size_t k = 0; s && k < s->folds; k++) {
        es_fold_data_free(s->fold[k].data);
        es_ridge_free(s->fold[k].ridge);
    }
    es_free(s);
}

static es_status source_new(const es_problem *problem, const es_rows *rows, es_run *run, void **out,
                            es_error *err) {
    size_t folds = fold_count(problem);
    es_knife_source *s = es_alloc_zero(1, sizeof *s + folds * sizeof s->fold[0]);
    if (!s)
        return es_no_memory(err);
    s->folds = folds;
    es_status st = ES_OK;
    for (size_t k = 0; k < folds; k++) {
        es_knife_source_fold *f = &s->fold[k];
        ES_TRY(load(problem, rows, k, problem->values[ES_KNIFE_CLIP], run, &f->data, err));
        if (published(problem->values)) /* the first layer's part, once for all targets (net.h) */
            es_net_normalize(es_simd_get(es_isa_level()), f->data->train, rows->n, f->data->d,
                             f->data->train);
        else
            ES_TRY(es_ridge_new(f->data, true, run, &f->ridge, err));
    }
    *out = s;
    s = NULL;
done:
    source_free(s);
    return st;
}

static size_t source_bytes(const void *state) {
    const es_knife_source *s = state;
    size_t bytes = sizeof *s + s->folds * sizeof s->fold[0];
    for (size_t k = 0; k < s->folds; k++)
        bytes += es_fold_data_bytes(s->fold[k].data) +
                 (s->fold[k].ridge ? es_ridge_bytes(s->fold[k].ridge) : 0);
    return bytes;
}

/* ---- targets ---- */

static void target_free(void *state) {
    es_knife_target *t = state;
    for (size_t k = 0; t && k < t->folds; k++) {
        es_fold_data_free(t->fold[k].data);
        es_free(t->fold[k].bits);
        es_free(t->fold[k].marginal);
    }
    es_free(t);
}

/* The 0 and 1 that standardised values came from. */
static es_status recover_bits(es_knife_target_fold *f, es_error *err) {
    const es_fold_data *data = f->data;
    size_t n = all_rows(data), d = data->d;
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

static es_status target_new(const es_problem *problem, const es_rows *rows, es_run *run, void **out,
                            es_error *err) {
    size_t folds = fold_count(problem);
    double wish = problem->values[ES_KNIFE_TARGET];
    bool binary = wish == ES_KNIFE_TARGET_BINARY ||
                  (wish == ES_KNIFE_TARGET_POOL && rows->kind == ES_KIND_BINARY);
    es_knife_target *t = es_alloc_zero(1, sizeof *t + folds * sizeof t->fold[0]);
    es_arena *arena = es_arena_new();
    es_status st = ES_OK;
    if (!t || !arena) {
        st = es_no_memory(err);
        goto done;
    }
    t->folds = folds;
    for (size_t k = 0; k < folds; k++) {
        es_knife_target_fold *f = &t->fold[k];
        ES_TRY(load(problem, rows, k, 0, run, &f->data, err));
        if (binary)
            ES_TRY(recover_bits(f, err));
        f->marginal = es_alloc(all_rows(f->data), sizeof *f->marginal);
        if (!f->marginal) {
            st = es_no_memory(err);
            goto done;
        }
        ES_TRY(published(problem->values)
                   ? es_knife_published_marginal(problem, rows->id, f, arena, run, err)
                   : es_knife_refined_marginal(problem, rows->id + k, f, arena, run, err));
        es_arena_reset(arena);
    }
    *out = t;
    t = NULL;
done:
    es_arena_free(arena);
    target_free(t);
    return st;
}

static size_t target_bytes(const void *state) {
    const es_knife_target *t = state;
    size_t bytes = sizeof *t + t->folds * sizeof t->fold[0];
    for (size_t k = 0; k < t->folds; k++) {
        const es_knife_target_fold *f = &t->fold[k];
        size_t n = all_rows(f->data);
        bytes += es_fold_data_bytes(f->data) + n * sizeof *f->marginal +
                 (f->bits ? n * f->data->d * sizeof *f->bits : 0);
    }
    return bytes;
}

static es_status pair(const es_problem *problem, const void *source, const void *target,
                      uint64_t stream, es_arena *arena, es_run *run, es_pair_result *out,
                      es_error *err) {
    return (published(problem->values) ? es_knife_published_pair : es_knife_refined_pair)(
        problem, source, target, stream, arena, run, out, err);
}

const es_estimator es_estimator_knife = {
    .name = "knife",
    .title = "density network",
    .version = 1,
    .in_sample = published,
    .settings = settings,
    .n_settings = ES_KNIFE_SETTINGS,
    .presets = presets,
    .source_new = source_new,
    .source_free = source_free,
    .source_bytes = source_bytes,
    .target_new = target_new,
    .target_free = target_free,
    .target_bytes = target_bytes,
    .pair = pair,
};
