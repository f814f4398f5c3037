/* The `linear` estimator: p(v|u) is Gaussian with a ridge mean and one residual variance per target
 * dimension; p(v) is standard normal. Everything is fitted on training rows, validation rows decide
 * whether the source has a say at all (ridge_fit.c), and held-out rows evaluate. */
#include <math.h>

#include "cost.h"
#include "estimator_rows.h"
#include "fold_state.h"

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

static es_status prepare_target(const es_problem *problem, const es_rows *rows, size_t k,
                                es_run *run, es_fold_state *out, es_error *err) {
    double bound = problem->values[BOUND];
    es_status st = (es_is_too_large(problem, rows->d) ? es_fold_data_stream : es_fold_data_new)(
        rows, &problem->split->folds[k], bound, run, &out->data, err);
    return st == ES_OK && bound > 0 ? es_fold_data_centre(out->data, run, err) : st;
}

ES_FOLD_STATES_NEW(source_new, problem->split->n_folds, prepare_source)
ES_FOLD_STATES_NEW(target_new, problem->split->n_folds, prepare_target)

/* Per row of a block, per dimension: h[i] = -log N(v_i; 0, prior) and h_cond[i] = -log N(v_i;
 * pred_i, variance), in nats divided by d. v and pred (n, d), prior and variance (d) > 0. */
static void gaussian_rows(size_t n, size_t d, const float *rows, const float *pred,
                          const double *prior, const double *variance, double *h, double *h_cond) {
    static const double half_log_2pi = 0.91893853320467274178;
    double log_sd = 0, log_prior = 0;
    for (size_t j = 0; j < d; j++) {
        log_sd += 0.5 * log(variance[j]);
        log_prior += 0.5 * log(prior[j]);
    }
    for (size_t i = 0; i < n; i++) {
        const float *v = rows + i * d, *p = pred + i * d;
        double marginal = 0, conditional = 0;
        for (size_t j = 0; j < d; j++) {
            double e = (double)v[j] - (double)p[j];
            marginal += (double)v[j] * (double)v[j] / prior[j];
            conditional += e * e / variance[j];
        }
        h[i] = half_log_2pi + (log_prior + 0.5 * marginal) / (double)d;
        h_cond[i] = half_log_2pi + (log_sd + 0.5 * conditional) / (double)d;
    }
}

/* The marginal is of the same family as the conditional, on the same training rows: what limiting a
 * target has done to its spread is no information. */
static es_status fold_pair(const es_problem *problem, const es_fold_state *source,
                           const es_fold_state *target, uint64_t stream, es_arena *arena,
                           es_run *run, double *h, double *h_cond, unsigned *epochs,
                           es_error *err) {
    (void)stream; /* nothing here is random, */
    (void)epochs; /* nor trained */
    const es_fold_data *v = target->data;
    double floor_var = exp(-2 * problem->values[RANGE]);
    es_ridge_result fit;
    double *prior = es_arena_alloc(arena, v->d, sizeof *prior);
    if (!prior)
        return es_no_memory(err);
    es_status st = es_ridge_fit(source->ridge, v, problem->values[LAMBDA], arena, run, &fit, err);
    for (size_t j = 0; st == ES_OK && j < v->d; j++) {
        prior[j] = v->spread ? fmax(v->spread[j], floor_var) : 1;
        fit.loo_var[j] = fmax(fit.loo_var[j], floor_var);
    }
    for (size_t at = 0; st == ES_OK && at < v->n_test; at += ES_FOLD_BLOCK) {
        const float *rows = NULL, *pred = NULL;
        size_t count = es_fold_block(at, v->n_test);
        st = es_run_check(run, err);
        if (st == ES_OK)
            st = es_ridge_predict(&fit, ES_PART_TEST, at, count, run, &rows, &pred, err);
        if (st == ES_OK)
            gaussian_rows(count, v->d, rows, pred, prior, fit.loo_var, h + at, h_cond + at);
    }
    return st;
}

ES_FOLD_STATES_PAIR(fold_pair)

static es_cost cost(const es_problem *problem, es_pair_shape shape) {
    return es_cost_of_ridge(
        problem, shape,
        (es_cost_ridge){.source_streamed = is_streamed(problem, shape.source),
                        .target_streamed = es_is_too_large(problem, shape.target)});
}

const es_estimator es_estimator_linear = {
    .name = "linear",
    .title = "linear Gaussian",
    .version = 2,
    .settings = settings,
    .n_settings = sizeof settings / sizeof settings[0],
    .presets = presets,
    .cost = cost,
    ES_FOLD_STATES,
};
