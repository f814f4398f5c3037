/* The `flow` estimator: p(v) and p(v|u) as normalizing flows (core_estimators_parts.h), the idea of
 * FLARE (Jiang et al., ACL 2026 Findings, arXiv 2604.17344), which has no public code. What is
 * ours: both flows start at the Gaussians of `linear` and leave them only for a clear gain on
 * validation rows; both are judged on held-out rows; and the second continues the first, so that no
 * information is exactly 0.
 *
 * The target's standardised columns are turned to their principal components, each divided by its
 * standard deviation (a rotation and a scale, so that densities are exact). On the leading ones:
 *   p(v)   = N(f(v); 0, I) |df/dv|                                  f: a flow, or the identity
 *   p(v|u) = N(g(w; c(u)); 0, I) |dg/dw| |df/dv| / prod s,   w = (f(v) - r(u)) / s
 * with the ridge prediction r of f(v) and its residual deviations s as `linear` makes them, g a
 * flow that reads the condition c, the leading directions of `linear`'s factor of the source.
 * Before g is trained, f or the identity in its place, whichever validation rows prefer. The other
 * components are Gaussian: N(0, 1), and N(r(u), s^2). What is learned is learned from leave-one-out
 * residuals, as in `knife`. */
#include <math.h>
#include <string.h>

#include "core_estimators_parts.h"

enum {
    COUPLINGS,
    HIDDEN,
    PCS,
    DIRECTIONS,
    LR,
    BATCH,
    EPOCHS,
    PATIENCE,
    SCALE,
    RANGE,
    CLIP,
    FOLDS,
    SETTINGS
};

#define NUMBER(k, h, v, lo, hi) .key = (k), .help = (h), .value = (v), .low = (lo), .high = (hi)

static const es_setting settings[SETTINGS] = {
    [COUPLINGS] = {NUMBER("couplings", "affine couplings of each flow", 4, 1, ES_FLOW_COUPLINGS),
                   .whole = true},
    [HIDDEN] = {NUMBER("hidden", "units of a coupling's hidden layer", 128, 1, 4096),
                .whole = true},
    [PCS] = {NUMBER(
                 "pcs",
                 "principal components of the target that the flows model; the others are Gaussian",
                 64, 1, 1024),
             .whole = true},
    [DIRECTIONS] = {NUMBER("directions",
                           "leading directions of the source that the conditional flow reads, "
                           "beside the ridge prediction from all of them",
                           64, 0, 1024),
                    .whole = true},
    [LR] = {NUMBER("lr", "learning rate of Adam", 1e-3, 0, 1)},
    [BATCH] = {NUMBER("batch", "rows per step", 128, 1, 65536), .whole = true},
    [EPOCHS] = {NUMBER("epochs", "passes over the training rows, at most; 0: linear", 100, 0, 1e5),
                .whole = true},
    [PATIENCE] = {NUMBER("patience",
                         "stop after so many epochs without a lower loss on the validation rows", 3,
                         1, 1e5),
                  .whole = true},
    [SCALE] = {NUMBER("scale", "a coupling changes log standard deviations by less than +-scale", 1,
                      0.01, 20)},
    [RANGE] = {NUMBER("range", "the ridge's residual standard deviation is at least exp(-range)", 1,
                      0, 20)},
    [CLIP] = {NUMBER("clip",
                     "inputs of networks, and standardised source values, are limited to +-clip", 3,
                     0.01, 1e9)},
    [FOLDS] = ES_FOLDS_SETTING,
};

static const es_preset presets[] = {
    {"default",
     "normalizing flows that start at the ridge's Gaussians; held out. The idea is FLARE's (Jiang "
     "et al., ACL 2026 Findings, arXiv:2604.17344; no public code). Ours: the start at linear, "
     "left only for a clear gain on validation rows",
     ""},
    {NULL, NULL, NULL},
};

/* Components of the target below this share of the largest variance are rounding of float. */
static const double RANK_TOLERANCE = 1e-8;

/* The leading `d` coordinates of all rows, each divided by its standard deviation and limited to
 * +-clip (0: not), the largest first. */
static es_status leading(const es_ridge *ridge, size_t d, double clip, es_fold_data **out,
                         es_error *err) {
    size_t n = ridge->n_train + ridge->n_val + ridge->n_test, rank = ridge->rank;
    float limit = clip > 0 ? (float)clip : INFINITY;
    es_fold_data *data = es_alloc_zero(1, sizeof *data);
    if (!data)
        return es_no_memory(err);
    data->d = d;
    data->n_train = ridge->n_train;
    data->n_val = ridge->n_val;
    data->n_test = ridge->n_test;
    data->mean = es_alloc_zero(2 * d + 1, sizeof *data->mean);
    data->train = es_alloc_aligned(n * d + 1, sizeof *data->train);
    if (!data->mean || !data->train) {
        es_fold_data_free(data);
        return es_no_memory_for(err, "%zu x %zu components", n, d);
    }
    data->sd = data->mean + d;
    data->val = data->train + data->n_train * d;
    data->test = data->val + data->n_val * d;
    for (size_t j = 0; j < d; j++)
        data->sd[j] = sqrt(ridge->s[rank - 1 - j]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            float x = (float)((double)ridge->z_train[i * rank + rank - 1 - j] / data->sd[j]);
            x = x < -limit ? -limit : x;
            data->train[i * d + j] = x > limit ? limit : x;
        }
    *out = data;
    return ES_OK;
}

static size_t smaller(size_t a, double b) {
    return (double)a < b ? a : (size_t)b;
}

/* The factor of an embedder's standardised rows. */
static es_status factor(const es_fold_data *rows, bool source, es_run *run, es_ridge **out,
                        es_error *err) {
    const es_ridge_plan plan = {.chosen = source, .residuals = source};
    return es_ridge_new(rows, &plan, run, out, err);
}

/* data: the condition. */
static es_status prepare_source(const es_problem *problem, const es_rows *rows, size_t k,
                                es_run *run, es_fold_state *out, es_error *err) {
    double clip = problem->values[CLIP];
    es_fold_data *data = NULL;
    es_status st = es_fold_data_new(rows, &problem->split->folds[k], clip, run, &data, err);
    if (st == ES_OK)
        st = factor(data, true, run, &out->ridge, err);
    es_fold_data_free(data);
    if (st == ES_OK)
        st = leading(out->ridge, smaller(out->ridge->rank, problem->values[DIRECTIONS]), clip,
                     &out->data, err);
    return st;
}

static es_status new_flow(const es_problem *problem, size_t d, size_t c, es_rng *rng,
                          es_arena *arena, es_run *run, es_flow *flow, es_error *err) {
    const double *v = problem->values;
    es_flow_shape shape = {d, c, (size_t)v[HIDDEN], (size_t)v[COUPLINGS], v[SCALE], v[CLIP]};
    return es_flow_init(flow, &shape, (size_t)v[BATCH], rng, arena, run, err);
}

static es_flow_plan plan_of(const es_problem *problem, es_run *run) {
    const double *v = problem->values;
    return (es_flow_plan){v[LR], (unsigned)v[EPOCHS], (unsigned)v[PATIENCE], run};
}

/* The columns that a flow is of, row by row: (n, d) of x (n, width). */
static float *first_columns(const float *x, size_t n, size_t width, size_t d, es_arena *arena) {
    float *out = es_arena_alloc(arena, n * d, sizeof *out);
    for (size_t i = 0; out && i < n; i++)
        memcpy(out + i * d, x + i * width, d * sizeof *out);
    return out;
}

static const double half_log_2pi = 0.91893853320467274178;

/* log N(x; 0, I) of a row. */
static double log_normal(const float *x, size_t d) {
    double square = 0;
    for (size_t j = 0; j < d; j++)
        square += (double)x[j] * (double)x[j];
    return -0.5 * square - half_log_2pi * (double)d;
}

/* target->normal: the leading components of all rows as the flow makes them standard normal. */
static es_status keep_normal(es_flow *flow, const es_flow_rows *all, const es_ridge *ridge,
                             es_fold_state *target, es_arena *arena, es_run *run, es_error *err) {
    size_t d = flow->shape.d;
    double *density = es_arena_alloc(arena, all->n, sizeof *density);
    float *z = es_arena_alloc(arena, all->n * d, sizeof *z);
    if (!density || !z)
        return es_no_memory(err);
    es_status st = leading(ridge, d, 0, &target->normal, err);
    if (st == ES_OK)
        st = es_flow_eval(flow, all, NULL, z, density, run, err);
    if (st == ES_OK)
        memcpy(target->normal->train, z, all->n * d * sizeof *z);
    return st;
}

static double mean_square(const es_fold_data *v, size_t j) {
    double sum = 0;
    for (size_t i = 0; i < v->n_train; i++)
        sum += (double)v->train[i * v->d + j] * (double)v->train[i * v->d + j];
    return sum / (double)v->n_train;
}

/* The target's rows with their leading components so: not kept, since with thousands of components
 * a second copy of each target would push the others out of memory, and their factors are dear. */
static es_status make_normal(const es_fold_state *target, es_arena *arena, const es_fold_data **out,
                             es_error *err) {
    const es_fold_data *v = target->data, *leading_ones = target->normal;
    size_t n = es_fold_data_rows(v), d = leading_ones->d;
    es_fold_data *all = es_arena_alloc(arena, 1, sizeof *all);
    float *x = es_arena_alloc(arena, n * v->d, sizeof *x);
    double *spread = es_arena_alloc(arena, v->d, sizeof *spread);
    if (!all || !x || !spread)
        return es_no_memory_for(err, "%zu x %zu components", n, v->d);
    memcpy(x, v->train, n * v->d * sizeof *x);
    for (size_t i = 0; i < n; i++)
        memcpy(x + i * v->d, leading_ones->train + i * d, d * sizeof *x);
    for (size_t j = 0; j < v->d; j++)
        spread[j] = j < d ? mean_square(leading_ones, j) : 1;
    *all = *v;
    all->spread = spread;
    all->train = x;
    all->val = x + v->n_train * v->d;
    all->test = all->val + v->n_val * v->d;
    *out = all;
    return ES_OK;
}

/* target->marginal: log p(v) of the leading components of validation and test rows, and then what
 * of it is log |df/dv|. */
static es_status fit_marginal(const es_problem *problem, uint64_t id, const es_ridge *ridge,
                              es_fold_state *target, es_arena *arena, es_run *run, es_error *err) {
    const es_fold_data *v = target->data;
    size_t d = smaller(v->d, problem->values[PCS]), n = es_fold_data_rows(v), held = n - v->n_train;
    float *x = first_columns(v->train, n, v->d, d, arena);
    es_flow flow;
    es_rng rng;
    es_flow_fitted fit;
    if (!x)
        return es_no_memory(err);
    es_flow_rows all = {n, x, NULL}, train = {v->n_train, x, NULL};
    es_flow_rows val = {v->n_val, x + v->n_train * d, NULL}, rest = {held, val.x, NULL};
    es_flow_plan plan = plan_of(problem, run);
    es_rng_init(&rng, problem->seed, es_rng_stream(ES_STREAM_INIT, id));
    es_status st = new_flow(problem, d, 0, &rng, arena, run, &flow, err);
    if (st == ES_OK)
        st = es_flow_fit(&flow, &train, &val, &plan, &rng, arena, run, &fit, err);
    if (st != ES_OK)
        return st;
    if (fit.gain > ES_CLEAR_GAIN)
        st = keep_normal(&flow, &all, ridge, target, arena, run, err);
    else
        es_flow_load(&flow, fit.start);
    if (st == ES_OK)
        st = es_flow_eval(&flow, &rest, NULL, NULL, target->marginal, run, err);
    const es_fold_data *z = target->normal ? target->normal : v;
    for (size_t i = 0; st == ES_OK && i < held; i++)
        target->marginal[held + i] = target->marginal[i] - log_normal(z->val + i * z->d, d);
    return st;
}

/* Columns are limited before they are turned: one wild value would be a component of its own. */
static es_status factor_target(const es_problem *problem, const es_rows *rows, size_t k,
                               es_run *run, es_ridge **ridge, size_t *rare, size_t *limited,
                               es_error *err) {
    es_fold_data *data = NULL;
    es_status st =
        es_fold_data_new(rows, &problem->split->folds[k], ES_TARGET_BOUND, run, &data, err);
    if (st == ES_OK)
        st = es_fold_data_centre(data, run, err);
    if (st == ES_OK)
        st = es_fold_data_limits(data, run, err);
    if (st == ES_OK)
        st = factor(data, false, run, ridge, err);
    if (st == ES_OK) {
        *rare = es_fold_data_rare(data, exp(-2 * problem->values[RANGE]));
        *limited = data->limited;
    }
    es_fold_data_free(data);
    return st;
}

/* data: all components of the target. */
static es_status prepare_target(const es_problem *problem, const es_rows *rows, size_t k,
                                es_run *run, es_fold_state *out, es_error *err) {
    es_ridge *ridge = NULL;
    es_arena *arena = es_arena_new();
    es_status st = arena ? ES_OK : es_no_memory(err);
    if (st != ES_OK)
        return st;
    size_t d = 1, limited = 0;
    ES_TRY(factor_target(problem, rows, k, run, &ridge, &out->rare, &limited, err));
    while (d < ridge->rank &&
           ridge->s[ridge->rank - 1 - d] > RANK_TOLERANCE * ridge->s[ridge->rank - 1])
        d++;
    ES_TRY(leading(ridge, d, 0, &out->data, err));
    out->data->limited = limited;
    out->marginals = 2 * (out->data->n_val + out->data->n_test);
    out->marginal = es_alloc(out->marginals, sizeof *out->marginal);
    ES_FAIL_IF(!out->marginal, es_no_memory(err));
    st = fit_marginal(problem, rows->id + k, ridge, out, arena, run, err);
done:
    es_ridge_free(ridge);
    es_arena_free(arena);
    return st;
}

ES_FOLD_STATES_NEW(source_new, problem->split->n_folds, prepare_source)
ES_FOLD_STATES_NEW(target_new, problem->split->n_folds, prepare_target)

/* What one fold's conditional flow sees. */
typedef struct fold_task {
    const es_fold_state *source, *target;
    const es_fold_data *v; /* the target's rows, as they are or made normal by f */
    const double *log_det; /* (val and test) log |df/dv| of them; NULL: 0 */
    es_ridge_rows rows;    /* of the ridge */
    size_t d;              /* leading components */
    double lambda;         /* its penalty */
    double *sd;            /* (all) residual standard deviations */
    double log_sd;         /* sum over the leading ones */
    es_flow_rows train, val, test;
    double *start; /* (val) log p(v|u) before training */
} fold_task;

/* (n, d) of (v - predicted) / sd, `predicted` row by row as turned; v NULL: residuals already. */
static float *residuals(const fold_task *t, const float *v, const float *predicted,
                        const uint32_t *turn, size_t n, es_arena *arena) {
    size_t all = t->v->d, d = t->d;
    float *out = es_arena_alloc(arena, n * d, sizeof *out);
    for (size_t i = 0; out && i < n; i++) {
        const float *p = predicted + (turn ? turn[i] : i) * all;
        for (size_t j = 0; j < d; j++)
            out[i * d + j] =
                (float)((v ? (double)v[i * all + j] - (double)p[j] : (double)p[j]) / t->sd[j]);
    }
    return out;
}

/* log densities of the flow's rows become those of the leading components. first: 0 of validation
 * rows, n_val of test rows. */
static void add_scale(const fold_task *t, size_t first, size_t n, double *log_density) {
    for (size_t i = 0; i < n; i++)
        log_density[i] += (t->log_det ? t->log_det[first + i] : 0) - t->log_sd;
}

static es_status new_task(const es_problem *problem, fold_task *t, es_arena *arena, es_run *run,
                          es_error *err) {
    const es_fold_data *v = t->v, *c = t->source->data;
    es_ridge_result fit;
    double least = exp(-problem->values[RANGE]);
    const es_ridge_how how = {.lambda = NAN, .floor = least * least, .clear = ES_CLEAR_GAIN};
    ES_PASS(es_ridge_fit(t->source->ridge, v, &how, arena, run, &fit, err));
    ES_PASS(es_ridge_whole(&fit, arena, run, &t->rows, err));
    t->d = smaller(v->d, problem->values[PCS]);
    t->sd = es_arena_alloc(arena, v->d, sizeof *t->sd);
    t->start = es_arena_alloc(arena, v->n_val, sizeof *t->start);
    if (!t->sd || !t->start)
        return es_no_memory(err);
    t->lambda = fit.lambda;
    /* What is left of the spread of a component: the flow of p(v) does not give its rows a spread
     * of exactly 1, and what the ridge would mend of that is not from the source. */
    for (size_t j = 0; j < v->d; j++) {
        double share = fit.loo_var[j] / es_fold_data_prior(v, j, how.floor);
        t->sd[j] = fmax(sqrt(share), least);
        t->log_sd += j < t->d ? log(t->sd[j]) : 0;
    }
    const es_ridge_rows *r = &t->rows;
    float *train = residuals(t, NULL, r->loo, NULL, v->n_train, arena);
    float *val = residuals(t, v->val, r->val_pred, NULL, v->n_val, arena);
    float *test = residuals(t, v->test, r->test_pred, NULL, v->n_test, arena);
    if (!train || !val || !test)
        return es_no_memory(err);
    t->train = (es_flow_rows){v->n_train, train, c->train};
    t->val = (es_flow_rows){v->n_val, val, c->val};
    t->test = (es_flow_rows){v->n_test, test, c->test};
    for (size_t i = 0; i < v->n_val; i++)
        t->start[i] = log_normal(val + i * t->d, t->d);
    add_scale(t, 0, v->n_val, t->start);
    return ES_OK;
}

static double sum_values(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* The ridge on the rows as they are or on those that f makes normal: what validation rows prefer.
 */
static es_status choose_task(const es_problem *problem, fold_task *t, es_arena *arena, es_run *run,
                             es_error *err) {
    const es_fold_state *y = t->target;
    fold_task normal = *t;
    t->v = y->data;
    es_status st = new_task(problem, t, arena, run, err);
    if (st != ES_OK || !y->normal)
        return st;
    normal.log_det = y->marginal + y->data->n_val + y->data->n_test;
    st = make_normal(y, arena, &normal.v, err);
    if (st == ES_OK)
        st = new_task(problem, &normal, arena, run, err);
    if (st == ES_OK && sum_values(normal.start, t->val.n) > sum_values(t->start, t->val.n))
        *t = normal;
    return st;
}

/* Is what the trained flow says of the validation rows (now) clearly better than what the ridge's
 * Gaussian says, than what the marginal does, and than what the flow says of rows that read the
 * source of another? */
static es_status is_informed(es_flow *flow, const fold_task *t, const double *now, es_arena *arena,
                             es_run *run, bool *out, es_error *err) {
    size_t n = t->val.n;
    double *other = es_arena_alloc(arena, n, sizeof *other), mean;
    uint32_t *turn = es_arena_alloc(arena, n, sizeof *turn);
    if (!other || !turn)
        return es_no_memory(err);
    *out = es_gain_over(t->start, now, n, &mean) > ES_CLEAR_GAIN &&
           es_gain_over(t->target->marginal, now, n, &mean) > ES_CLEAR_GAIN;
    if (!*out)
        return ES_OK;
    for (size_t i = 0; i < n; i++)
        turn[i] = (uint32_t)((i + n / 2) % n);
    es_flow_rows blind = {n, residuals(t, t->v->val, t->rows.val_pred, turn, n, arena), t->val.c};
    if (!blind.x)
        return es_no_memory(err);
    es_status st = es_flow_eval(flow, &blind, turn, NULL, other, run, err);
    add_scale(t, 0, n, other);
    *out = st == ES_OK && es_gain_over(other, now, n, &mean) > ES_CLEAR_GAIN;
    return st;
}

/* log p(v|u) (n_test) of the leading components of one fold's test rows. Of the two states that
 * were not trained, the ridge's Gaussian and p(v), the one that validation rows prefer stays where
 * the flow does not gain: a p(v) that is a flow may know more of v than a Gaussian that knows u. */
static es_status flow_pair(const es_problem *problem, const fold_task *t, uint64_t stream,
                           es_arena *arena, es_run *run, double *log_density, unsigned *epochs,
                           es_error *err) {
    const double *marginal = t->target->marginal;
    es_flow flow;
    es_flow_fitted fit;
    es_rng rng;
    bool informed = false;
    es_flow_plan plan = plan_of(problem, run);
    es_rng_init(&rng, problem->seed, es_rng_stream(ES_STREAM_INIT, stream));
    es_status st = new_flow(problem, t->d, t->source->data->d, &rng, arena, run, &flow, err);
    if (st == ES_OK)
        st = es_flow_fit(&flow, &t->train, &t->val, &plan, &rng, arena, run, &fit, err);
    if (st == ES_OK) {
        add_scale(t, 0, t->val.n, fit.now);
        st = is_informed(&flow, t, fit.now, arena, run, &informed, err);
    }
    if (st != ES_OK)
        return st;
    *epochs = informed ? fit.epoch : 0;
    double rounding = 1e-6 * (double)t->val.n;
    if (!informed && sum_values(t->start, t->val.n) <= sum_values(marginal, t->val.n) + rounding) {
        memcpy(log_density, marginal + t->val.n, t->test.n * sizeof *log_density);
        return ES_OK;
    }
    if (!informed)
        es_flow_load(&flow, fit.start);
    st = es_flow_eval(&flow, &t->test, NULL, NULL, log_density, run, err);
    add_scale(t, t->val.n, t->test.n, log_density);
    return st;
}

/* Adds the other components, Gaussian before and after the source is known, and what the divisions
 * by standard deviations have done; in nats per component. h, h_cond (n_test): log densities of the
 * leading ones, which become entropies. */
static void finish(const fold_task *t, double *h, double *h_cond) {
    const es_fold_data *v = t->v; /* the other components are the same in both */
    double scale = 0;
    for (size_t j = 0; j < v->d; j++)
        scale += log(v->sd[j]);
    for (size_t i = 0; i < v->n_test; i++) {
        for (size_t j = t->d; j < v->d; j++) {
            double x = (double)v->test[i * v->d + j];
            double e = (x - (double)t->rows.test_pred[i * v->d + j]) / t->sd[j];
            h[i] -= half_log_2pi + 0.5 * x * x;
            h_cond[i] -= half_log_2pi + log(t->sd[j]) + 0.5 * e * e;
        }
        h[i] = (scale - h[i]) / (double)v->d;
        h_cond[i] = (scale - h_cond[i]) / (double)v->d;
    }
}

static es_status fold_pair(const es_problem *problem, const es_fold_state *source,
                           const es_fold_state *target, uint64_t stream, es_arena *arena,
                           es_run *run, es_fold_values *out, es_error *err) {
    fold_task t = {.source = source, .target = target};
    ES_PASS(choose_task(problem, &t, arena, run, err));
    ES_PASS(flow_pair(problem, &t, stream, arena, run, out->h_cond, &out->epochs, err));
    out->lambda = t.lambda;
    memcpy(out->h, target->marginal + t.val.n, t.test.n * sizeof *out->h);
    finish(&t, out->h, out->h_cond);
    return ES_OK;
}

ES_FOLD_STATES_PAIR(fold_pair)

/* Both sides are factored; a target keeps its components twice where a flow made them normal; of a
 * pair both ways to begin are fitted, with residuals and predictions of all rows. */
static es_cost cost(const es_problem *problem, es_pair_shape shape) {
    const double *v = problem->values;
    const es_fold *fold = &problem->split->folds[0];
    double n = (double)(fold->n_train + fold->n_val + fold->n_test), train = (double)fold->n_train;
    double folds = (double)problem->split->n_folds, ds = (double)shape.source;
    double dv = fmin((double)shape.target, train), pcs = fmin(dv, v[PCS]);
    double directions = fmin(fmin(ds, train), v[DIRECTIONS]);
    es_cost c = es_cost_of_ridge(problem, shape, (es_cost_ridge){.residuals = true});
    es_cost other = es_cost_of_ridge(problem, (es_pair_shape){shape.target, shape.source, 0},
                                     (es_cost_ridge){.residuals = false});
    es_cost_network net = {.in = pcs / 2 + directions,
                           .hidden = v[HIDDEN],
                           .layers = 1,
                           .out = pcs,
                           .batch = v[BATCH],
                           .epochs = fmin(ES_COST_EPOCHS, v[EPOCHS])};
    c.source_bytes += folds * (n * sizeof(float) + 32) * directions;
    c.target_bytes += folds * n * (dv * sizeof(float) + 2 * sizeof(double));
    /* the flow of p(v), and all components before and after it */
    c.making_bytes = fmax(c.making_bytes, other.making_bytes + other.source_bytes / folds) +
                     n * (2 * pcs * sizeof(float) + 6 * sizeof(double));
    c.target_operations = other.source_operations;
    es_cost one = {0};
    es_cost_add_network(problem, &net, &one);
    c.target_operations += v[COUPLINGS] * one.pair_operations;
    c.making_bytes += v[COUPLINGS] * one.pair_bytes;
    /* the second fit, residuals of both, those that read the source of another row */
    c.pair_bytes *= 2;
    c.pair_bytes += v[COUPLINGS] * one.pair_bytes + folds * n * 3 * pcs * sizeof(float);
    c.pair_operations = 2 * c.pair_operations + v[COUPLINGS] * one.pair_operations;
    return c;
}

const es_estimator es_estimator_flow = {
    .name = "flow",
    .without_whole = true,
    .trains = true,
    .title = "normalizing flows",
    .version = 5,
    .settings = settings,
    .n_settings = SETTINGS,
    .presets = presets,
    .cost = cost,
    ES_FOLD_STATES,
};
