/* The `linear` estimator: p(v|u) is Gaussian with a ridge mean and one residual variance per target
 * dimension; p(v) is standard normal. Everything is fitted on training rows, validation rows decide
 * whether the source has a say at all (ridge_fit.c), and held-out rows evaluate. */
#include <math.h>
#include <string.h>

#include "alloc.h"
#include "cost.h"
#include "estimator_rows.h"
#include "fold_state.h"
#include "simd.h"

enum { LAMBDA, CLIP, BOUND, RANGE, FOLDS };

static const es_setting settings[] = {
    [LAMBDA] = {.key = "lambda",
                .help = "ridge penalty, in units of a standardised column's variance; auto: chosen "
                        "per target dimension by generalised cross-validation",
                .value = NAN,
                .low = 0,
                .high = 1e9,
                .automatic = true},
    [CLIP] = ES_CLIP_SETTING,
    [BOUND] = {.key = "bound",
               .help = "limit of standardised targets, in standard deviations, so that no single "
                       "row decides; 0: none",
               .value = 0,
               .low = 0,
               .high = 1e6},
    [RANGE] = {.key = "range",
               .help = "the residual standard deviation is at least exp(-range)",
               .value = 1,
               .low = 0,
               .high = 20},
    [FOLDS] = ES_FOLDS_SETTING,
};

static const es_preset presets[] = {
    {"default", "penalty chosen per target dimension", ""},
    {"shrunk",
     "what the predictive score is made of: fixed strong penalty, targets limited; lower values, "
     "closer to downstream order; independent data come out below 0, by at most about d / (32 n) "
     "nats of d source columns and n training rows: what a slope that is nothing costs on rows "
     "held "
     "out",
     "bound=5 lambda=3"},
    {NULL, NULL, NULL},
};

/* Embedders that are larger than the problem allows are streamed: what is kept of them is small,
 * and their rows are read again for each pair. With more columns than rows the factor is made of
 * all rows at once. */
static bool is_streamed(const es_problem *problem, size_t columns) {
    return es_is_too_large(problem, columns) && columns <= problem->split->folds[0].n_train;
}

/* Data is kept of a streamed source alone. */
static es_status prepare_source(const es_problem *problem, const es_rows *rows, size_t k,
                                es_run *run, es_fold_state *out, es_error *err) {
    const es_fold *fold = &problem->split->folds[k];
    double clip = problem->values[CLIP];
    bool streamed = is_streamed(problem, rows->d) && rows->d <= fold->n_train;
    es_status st =
        (streamed ? es_fold_data_stream : es_fold_data_new)(rows, fold, clip, run, &out->data, err);
    if (st == ES_OK)
        st = es_ridge_new(out->data, false, run, &out->ridge, err);
    if (!streamed) {
        es_fold_data_free(out->data);
        out->data = NULL;
    }
    return st;
}

/* Variance of a column's marginal. It is of the same family as the conditional, on the same
 * training rows: what limiting a target has done to its spread is no information. */
static double prior_variance(const es_problem *problem, const es_fold_data *v, size_t j) {
    return v->spread ? fmax(v->spread[j], exp(-2 * problem->values[RANGE])) : 1;
}

static void weigh_column(double variance, float *weight, double *log_sd) {
    *weight = (float)(1 / variance);
    *log_sd += 0.5 * log(variance);
}

/* out[i] = -log N(v_i; pred_i, variance), in nats divided by d. v (n, d), pred (n, d), or (d) for
 * all rows alike with `step` 0; weight (d) 1 / variance, log_sd the sum of log(variance) / 2. Of
 * both a marginal and a conditional, so that they are the same to the bit where a source has no
 * say. */
static void gaussian_rows(size_t n, size_t d, const float *rows, const float *pred, size_t step,
                          const float *weight, double log_sd, double *out) {
    static const double half_log_2pi = 0.91893853320467274178;
    const es_simd *simd = es_simd_get(es_isa_level());
    for (size_t i = 0; i < n; i++) {
        double sum = simd->misfit(rows + i * d, pred + i * step, weight, d);
        out[i] = half_log_2pi + (log_sd + 0.5 * sum) / (double)d;
    }
}

/* Of the test rows, once for all sources. */
static es_status prepare_marginal(const es_problem *problem, es_run *run, es_fold_state *out,
                                  es_error *err) {
    const es_fold_data *v = out->data;
    double log_sd = 0;
    es_fold_reader reader;
    es_arena *arena = es_arena_new();
    float *mean = es_alloc_zero(2 * v->d, sizeof *mean), *weight = mean ? mean + v->d : NULL;
    out->marginal = es_alloc(v->n_test, sizeof *out->marginal);
    out->marginals = v->n_test;
    es_status st = ES_OK;
    if (!arena || !mean || !out->marginal)
        st = es_no_memory_for(err, "the marginal of %zu rows", v->n_test);
    else
        st = es_fold_reader_init(&reader, v, arena, err);
    for (size_t j = 0; st == ES_OK && j < v->d; j++)
        weigh_column(prior_variance(problem, v, j), weight + j, &log_sd);
    for (size_t at = 0; st == ES_OK && at < v->n_test; at += ES_FOLD_BLOCK) {
        const float *rows = NULL;
        size_t count = es_fold_block(at, v->n_test);
        st = es_fold_reader_read(&reader, ES_PART_TEST, at, count, run, &rows, err);
        if (st == ES_OK)
            gaussian_rows(count, v->d, rows, mean, 0, weight, log_sd, out->marginal + at);
    }
    es_arena_free(arena);
    es_free(mean);
    return st;
}

static es_status prepare_target(const es_problem *problem, const es_rows *rows, size_t k,
                                es_run *run, es_fold_state *out, es_error *err) {
    double bound = problem->values[BOUND];
    es_status st = (es_is_too_large(problem, rows->d) ? es_fold_data_stream : es_fold_data_new)(
        rows, &problem->split->folds[k], bound, run, &out->data, err);
    if (st == ES_OK && bound > 0)
        st = es_fold_data_centre(out->data, run, err);
    if (st == ES_OK)
        st = es_fold_data_square(out->data, run, err);
    return st == ES_OK ? prepare_marginal(problem, run, out, err) : st;
}

ES_FOLD_STATES_NEW(source_new, problem->split->n_folds, prepare_source)
ES_FOLD_STATES_NEW(target_new, problem->split->n_folds, prepare_target)

static es_status fold_pair(const es_problem *problem, const es_fold_state *source,
                           const es_fold_state *target, uint64_t stream, es_arena *arena,
                           es_run *run, double *h, double *h_cond, unsigned *epochs,
                           es_error *err) {
    (void)stream; /* nothing here is random, */
    (void)epochs; /* nor trained */
    const es_fold_data *v = target->data;
    double floor_var = exp(-2 * problem->values[RANGE]), log_sd = 0;
    es_ridge_result fit;
    float *weight = es_arena_alloc(arena, v->d, sizeof *weight);
    if (!weight)
        return es_no_memory(err);
    es_status st = es_ridge_fit(source->ridge, v, problem->values[LAMBDA], arena, run, &fit, err);
    for (size_t j = 0; st == ES_OK && j < v->d; j++)
        weigh_column(fmax(fit.loo_var[j], floor_var), weight + j, &log_sd);
    memcpy(h, target->marginal, v->n_test * sizeof *h);
    for (size_t at = 0; st == ES_OK && at < v->n_test; at += ES_FOLD_BLOCK) {
        const float *rows = NULL, *pred = NULL;
        size_t count = es_fold_block(at, v->n_test);
        st = es_run_check(run, err);
        if (st == ES_OK)
            st = es_ridge_predict(&fit, ES_PART_TEST, at, count, run, &rows, &pred, err);
        if (st == ES_OK)
            gaussian_rows(count, v->d, rows, pred, v->d, weight, log_sd, h_cond + at);
    }
    return st;
}

ES_FOLD_STATES_PAIR(fold_pair)

static es_cost cost(const es_problem *problem, es_pair_shape shape) {
    es_cost c = es_cost_of_ridge(
        problem, shape,
        (es_cost_ridge){.source_streamed = is_streamed(problem, shape.source),
                        .target_streamed = es_is_too_large(problem, shape.target)});
    /* squares of columns, and the marginal */
    c.target_bytes += (double)problem->split->n_folds * (double)shape.target * sizeof(double) +
                      (double)problem->split->n_eval * sizeof(double);
    return c;
}

const es_estimator es_estimator_linear = {
    .name = "linear",
    .title = "linear Gaussian",
    .version = 5,
    .settings = settings,
    .n_settings = sizeof settings / sizeof settings[0],
    .presets = presets,
    .cost = cost,
    ES_FOLD_STATES,
};
