/* The `linear` estimator: p(v|u) is Gaussian with a ridge mean and an independent residual per
 * target dimension; p(v) is Gaussian. Everything is fitted on training rows, validation rows decide
 * whether the source predicts anything (ridge_fit.c), and held-out rows evaluate. A chosen penalty
 * gives a row the predictive variance s2 (1 + h); a given one the leave-one-out variance. */
#include <math.h>
#include <string.h>

#include "core_estimators.h"

enum { LAMBDA, CLIP, BOUND, RANGE, FOLDS, PER, COPIES, BESIDE };
enum { PER_COLUMN, PER_MEAN, PER_TOTAL };

static const char *const units[] = {"column", "mean", "total", NULL};
static const char *const copies[] = {"all", "once", NULL};

static const es_setting settings[] = {
    [LAMBDA] = {.key = "lambda",
                .help = "ridge penalty; auto: chosen per pair by generalised cross-validation",
                .value = NAN,
                .low = 0,
                .high = 1e9,
                .automatic = true},
    [CLIP] = ES_CLIP_SETTING,
    [BOUND] = {.key = "bound",
               .help = "limit of standardised targets, in standard deviations, so that no single "
                       "row decides; 0: none",
               .value = ES_TARGET_BOUND,
               .low = 0,
               .high = 1e6},
    [RANGE] = {.key = "range",
               .help = "the residual standard deviation is at least exp(-range)",
               .value = 1,
               .low = 0,
               .high = 20},
    [FOLDS] = ES_FOLDS_SETTING,
    [PER] = {.key = "per",
             .help = "unit of a given lambda: the variance of a standardised column (column), of "
                     "the source's mean direction, at least 1 (mean), or of all directions (total)",
             .later = true,
             .choices = units},
    [COPIES] = {.key = "copies",
                .help = "source columns that repeat each other count each (all) or together as one "
                        "(once)",
                .later = true,
                .choices = copies},
    [BESIDE] = {.key = "beside",
                .help = "penalty of the information, a second value of the pair, in units of the "
                        "variance of all directions; 0: none",
                .value = 0,
                .low = 0,
                .high = 1e9,
                .later = true},
};

static const es_preset presets[] = {
    {"default", "penalty chosen per pair", ""},
    {"shrunk",
     "the basis of the predictive score: a strong penalty, repeated source columns counted once; "
     "lower values, closer to downstream order; independent data give at most about d / (32 n) "
     "nats below 0 for d source columns and n training rows. Also gives the information: the same "
     "with a weak penalty",
     "lambda=3 per=mean copies=once beside=0.03"},
    {NULL, NULL, NULL},
};

/* With a penalty per direction: directions below this share of the largest variance are dropped, as
 * they would count in the mean; and least share of the residuals' degrees of freedom. */
static const double LEAST_DIRECTION = 1e-6, LEAST_REST = 0.02;

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
    const double *v = problem->values;
    es_ridge_plan plan = {.chosen = isnan(v[LAMBDA]),
                          .once = v[COPIES] > 0,
                          .least = v[PER] == PER_COLUMN ? 0 : LEAST_DIRECTION};
    if (st == ES_OK)
        st = es_ridge_new(out->data, &plan, run, &out->ridge, err);
    if (!streamed) {
        es_fold_data_free(out->data);
        out->data = NULL;
    }
    return st;
}

static double least_variance(const es_problem *problem) {
    return exp(-2 * problem->values[RANGE]);
}

static const double half_log_2pi = 0.91893853320467274178;

static void weigh_column(double variance, float *weight, double *log_sd) {
    *weight = (float)(1 / variance);
    *log_sd += 0.5 * log(variance);
}

/* out[i] = -log N(v_i; pred_i, variance), in nats divided by d. v (n, d), pred (n, d), or (d) for
 * all rows alike with `step` 0; weight (d) 1 / variance, log_sd the sum of log(variance) / 2. */
static void gaussian_rows(size_t n, size_t d, const float *rows, const float *pred, size_t step,
                          const float *weight, double log_sd, double *out) {
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
        weigh_column(es_fold_data_prior(v, j, least_variance(problem)), weight + j, &log_sd);
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
    if (st == ES_OK && bound > 0)
        st = es_fold_data_limits(out->data, run, err);
    if (st == ES_OK)
        st = es_fold_data_square(out->data, run, err);
    if (st == ES_OK)
        out->rare = es_fold_data_rare(out->data, least_variance(problem));
    return st == ES_OK ? prepare_marginal(problem, run, out, err) : st;
}

ES_FOLD_STATES_NEW(source_new, problem->split->n_folds, prepare_source)
ES_FOLD_STATES_NEW(target_new, problem->split->n_folds, prepare_target)

/* Penalty in the unit of the source's variances. */
static double penalty(const es_ridge *ridge, double lambda, double per) {
    double total = es_ridge_total(ridge);
    if (per == PER_MEAN)
        return lambda * fmax(1, total / (double)es_ridge_rank(ridge));
    return per == PER_TOTAL ? lambda * total : lambda;
}

/* h_cond (n_test) of a fit. */
static es_status conditional(const es_ridge_result *fit, const es_fold_data *v, bool chosen,
                             const float *weight, double log_sd, es_run *run, double *h_cond,
                             es_error *err) {
    es_status st = ES_OK;
    for (size_t at = 0; st == ES_OK && at < v->n_test; at += ES_FOLD_BLOCK) {
        const float *rows = NULL, *pred = NULL;
        size_t count = es_fold_block(at, v->n_test);
        st = es_run_check(run, err);
        if (st == ES_OK)
            st = es_ridge_predict(fit, ES_PART_TEST, at, count, run, &rows, &pred, err);
        if (st == ES_OK && !chosen)
            gaussian_rows(count, v->d, rows, pred, v->d, weight, log_sd, h_cond + at);
        if (st != ES_OK || !chosen)
            continue;
        es_ridge_misfit(fit, ES_PART_TEST, at, count, rows, pred, h_cond + at);
        for (size_t i = 0; i < count; i++)
            h_cond[at + i] = half_log_2pi + 0.5 * h_cond[at + i] / (double)v->d;
    }
    return st;
}

/* h_cond (n_test) with the leave-one-out variances of a given penalty. */
static es_status conditional_given(const es_problem *problem, const es_ridge_result *fit,
                                   const es_fold_data *v, float *weight, es_run *run,
                                   double *h_cond, es_error *err) {
    double log_sd = 0;
    for (size_t j = 0; j < v->d; j++)
        weigh_column(fmax(fit->loo_var[j], least_variance(problem)), weight + j, &log_sd);
    return conditional(fit, v, false, weight, log_sd, run, h_cond, err);
}

/* Nothing here is random, and `stream` is not read. */
static es_status fold_pair(const es_problem *problem, const es_fold_state *source,
                           const es_fold_state *target, uint64_t stream, es_arena *arena,
                           es_run *run, es_fold_values *out, es_error *err) {
    (void)stream;
    const double *set = problem->values;
    const es_fold_data *v = target->data;
    bool chosen = isnan(set[LAMBDA]), per = set[PER] != PER_COLUMN;
    es_ridge_how how = {.lambda = penalty(source->ridge, set[LAMBDA], set[PER]),
                        .floor = least_variance(problem),
                        .rest = per ? LEAST_REST : 0};
    es_ridge_result fit;
    float *weight = es_arena_alloc(arena, v->d, sizeof *weight);
    if (!weight)
        return es_no_memory(err);
    es_status st = es_ridge_fit(source->ridge, v, &how, arena, run, &fit, err);
    if (st != ES_OK)
        return st;
    memcpy(out->h, target->marginal, v->n_test * sizeof *out->h);
    out->lambda = fit.lambda;
    if (isinf(fit.lambda)) /* to the bit */
        memcpy(out->h_cond, out->h, v->n_test * sizeof *out->h);
    else
        st = chosen ? conditional(&fit, v, true, NULL, 0, run, out->h_cond, err)
                    : conditional_given(problem, &fit, v, weight, run, out->h_cond, err);
    if (st != ES_OK || set[BESIDE] == 0)
        return st;
    how.lambda = penalty(source->ridge, set[BESIDE], PER_TOTAL);
    es_ridge_refit(&fit, &how);
    return conditional_given(problem, &fit, v, weight, run, out->beside, err);
}

ES_FOLD_STATES_PAIR(fold_pair)

static es_cost linear_cost(const es_problem *problem, es_pair_shape shape) {
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
    .version = 6,
    .settings = settings,
    .n_settings = sizeof settings / sizeof settings[0],
    .presets = presets,
    .cost = linear_cost,
    ES_FOLD_STATES,
};
