/* The default recipe: the ridge solution, refined by a density network and judged on held-out rows.
 *
 *   p(v|u) = sum_k w_k(u) prod_j N(v_j; r_j(u) + m_kj(u), exp(-2 t_kj(u)))        (one mode: w = 1)
 *   t = range tanh(l / range),  l = l0(u) + network,  m = network
 *
 * r is the ridge prediction, kept fixed; l0 of a row gives the predictive variance of `linear`,
 * s2 (1 + h). The network learns from leave-one-out residuals: in-sample ones
 * are too small, and would teach it that nothing is left. Its output layer starts at zero, so that
 * the state before training is exactly the `linear` estimate, which stays when no epoch does better
 * on the validation rows.
 *
 * Binary targets: logits = logit(clipped ridge prediction) + network, Bernoulli masses. */
#include "core_estimators_parts.h"

#include <math.h>
#include <string.h>

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* Predictions of standardised 0/1 values become logits, over the slope of the head. As in a
 * marginal of several modes (core_estimators_parts.h), half an observation of each kind is added to
 * the training rows. */
static void to_logits(const es_fold_data *v, size_t n, float *prediction) {
    for (size_t i = 0; i < n * v->d; i++) {
        double p = (double)prediction[i] * v->sd[i % v->d] + v->mean[i % v->d];
        double low = fmin(0.01, v->mean[i % v->d] / 2),
               high = fmax(0.99, (1 + v->mean[i % v->d]) / 2);
        p = clamp(p, low, high);
        p = (p * (double)v->n_train + 0.5) / ((double)v->n_train + 1);
        prediction[i] = (float)(log(p / (1 - p)) / ES_KNIFE_SLOPE);
    }
}

/* offset (d): from log variances to log inverse scales, before they are bent, of Gaussians. Short
 * of the ends of the range, where the gradient would be nil; that costs below 1e-3 nats. */
static void offsets(const es_head *head, float *offset) {
    const float most = 0.999F, scale = (float)(-0.5 / head->bend);
    for (size_t j = 0; j < head->d; j++) {
        float bent = offset[j] * scale;
        bent = bent < -most ? -most : bent > most ? most : bent;
        offset[j] = (1 + bent) / (1 - bent);
    }
    head->simd->log(offset, offset, head->d); /* atanh x = ln((1 + x) / (1 - x)) / 2 */
    for (size_t j = 0; j < head->d; j++)
        offset[j] *= (float)(head->bend / 2);
}

/* As a pair without a slope has it, so that no information is exactly 0. */
static void marginal_offsets(const es_problem *problem, const es_head *head, const es_fold_data *v,
                             float *offset) {
    for (size_t j = 0; j < v->d; j++)
        offset[j] = (float)log(es_fold_data_prior(v, j, es_knife_least_variance(problem)));
    offsets(head, offset);
}

/* With one mode, the marginal of a standardised target is Gaussian per dimension, or its frequency
 * of ones. */
es_status es_knife_refined_marginal(const es_problem *problem, uint64_t id, es_fold_state *target,
                                    es_arena *arena, es_run *run, es_error *err) {
    const es_fold_data *data = target->data;
    size_t n = data->n_val + data->n_test, d = data->d;
    es_head head = es_knife_head(problem, target, (size_t)problem->values[ES_KNIFE_MODES]);
    if (head.modes == 1) {
        /* Through the head, so that a network that says nothing gives the same bits. */
        float *zeros = es_arena_alloc(arena, 5 * d, sizeof *zeros);
        if (!zeros)
            return es_no_memory(err);
        float *offset = zeros + 4 * d;
        memset(zeros, 0, 5 * d * sizeof *zeros);
        es_fold_reader reader;
        es_status st = es_fold_reader_init(&reader, data, arena, err);
        if (target->bits)
            to_logits(data, 1, offset);
        else
            marginal_offsets(problem, &head, data, offset);
        for (size_t i = 0; st == ES_OK && i < n; i++) {
            es_head_batch row = {.n = 1, .out = zeros, .bias = zeros + 2 * d, .offset = offset};
            bool val = i < data->n_val;
            if (target->bits)
                row.y = target->bits + (data->n_train + i) * d;
            else
                st = es_fold_reader_read(&reader, val ? ES_PART_VAL : ES_PART_TEST,
                                         val ? i : i - data->n_val, 1, run, &row.y, err);
            row.log_density = &target->marginal[i];
            if (st == ES_OK)
                (void)es_head_eval(&head, &row);
        }
        return st;
    }
    const float *train = target->bits ? target->bits : data->train;
    es_kind kind = target->bits ? ES_KIND_BINARY : ES_KIND_CONTINUOUS;
    es_mixture mixture;
    es_rng rng;
    es_rng_init(&rng, problem->seed, es_rng_stream(ES_STREAM_INIT, id));
    es_status st = es_mixture_fit(kind, train, data->n_train, d, head.modes, head.bend, &rng, arena,
                                  run, &mixture, err);
    double *row = es_arena_alloc(arena, d, sizeof *row);
    if (st == ES_OK && !row)
        st = es_no_memory(err);
    if (st == ES_OK)
        es_mixture_log_rows(&mixture, train + data->n_train * d, n, row, target->marginal);
    return st;
}

/* What one fold's network sees. */
typedef struct fold_task {
    es_sample train, val, test;
    float *start; /* (es_head_width) the output's initial bias */
} fold_task;

/* Predictions of a part become residuals. */
static es_status subtract(es_fold_reader *v, es_part part, float *pred, es_run *run,
                          es_error *err) {
    size_t n = es_fold_data_count(v->data, part), d = v->data->d;
    for (size_t at = 0; at < n; at += ES_FOLD_BLOCK) {
        const float *rows = NULL;
        size_t count = es_fold_block(at, n);
        ES_PASS(es_fold_reader_read(v, part, at, count, run, &rows, err));
        for (size_t i = 0; i < count * d; i++)
            pred[at * d + i] = rows[i] - pred[at * d + i];
    }
    return ES_OK;
}

/* offset (rows of the part, d): where the spread of each row starts. */
static void part_offsets(const es_head *head, const es_ridge_result *fit, es_part part, size_t n,
                         float *offset) {
    for (size_t i = 0; i < n; i++, offset += head->d) {
        es_ridge_log_variance(fit, part, i, offset);
        offsets(head, offset);
    }
}

/* One mode starts as `linear`. */
static es_status start_linear(const es_head *head, const es_fold_data *v,
                              const es_ridge_result *fit, fold_task *task, es_arena *arena,
                              es_error *err) {
    float *offset = es_arena_alloc(arena, es_fold_data_rows(v) * v->d, sizeof *offset);
    if (!offset)
        return es_no_memory_for(err, "the spreads of %zu rows", es_fold_data_rows(v));
    float *val = offset + v->n_train * v->d, *test = val + v->n_val * v->d;
    part_offsets(head, fit, ES_PART_TRAIN, v->n_train, offset);
    part_offsets(head, fit, ES_PART_VAL, v->n_val, val);
    part_offsets(head, fit, ES_PART_TEST, v->n_test, test);
    task->train.offset = offset;
    task->val.offset = val;
    task->test.offset = test;
    return ES_OK;
}

/* Targets become residuals, in the place of the predictions. */
static es_status residual_task(const es_head *head, const es_fold_data *v,
                               const es_ridge_result *fit, const es_ridge_rows *rows,
                               fold_task *task, es_arena *arena, es_run *run, es_error *err) {
    es_fold_reader reader;
    es_status st = es_fold_reader_init(&reader, v, arena, err);
    if (st == ES_OK)
        st = subtract(&reader, ES_PART_VAL, rows->val_pred, run, err);
    if (st == ES_OK)
        st = subtract(&reader, ES_PART_TEST, rows->test_pred, run, err);
    task->train.y = rows->loo;
    task->val.y = rows->val_pred;
    task->test.y = rows->test_pred;
    return st == ES_OK && head->modes == 1 ? start_linear(head, v, fit, task, arena, err) : st;
}

static void binary_task(const es_fold_state *target, const es_ridge_rows *rows, fold_task *task) {
    const es_fold_data *v = target->data;
    for (size_t i = 0; i < v->n_train * v->d; i++)
        rows->loo[i] = v->train[i] - rows->loo[i];
    to_logits(v, v->n_train, rows->loo);
    to_logits(v, v->n_val, rows->val_pred);
    to_logits(v, v->n_test, rows->test_pred);
    task->train.offset = rows->loo;
    task->val.offset = rows->val_pred;
    task->test.offset = rows->test_pred;
    task->train.y = target->bits;
    task->val.y = target->bits + v->n_train * v->d;
    task->test.y = task->val.y + v->n_val * v->d;
}

/* Several modes start as the mixture that EM finds in the residuals or, binary, in the values:
 * without information that is the marginal, and modes that start equal would stay equal. */
static es_status start_modes(const es_head *head, const es_fold_data *v, es_rng *rng,
                             es_arena *arena, es_run *run, fold_task *task, es_error *err) {
    bool binary = head->kind == ES_HEAD_BERNOULLI;
    size_t d = head->d, width = binary ? d : 2 * d;
    es_mixture m;
    es_status st = es_mixture_fit(binary ? ES_KIND_BINARY : ES_KIND_CONTINUOUS, task->train.y,
                                  v->n_train, d, head->modes, head->bend, rng, arena, run, &m, err);
    for (size_t k = 0; st == ES_OK && k < head->modes; k++) {
        float *start = task->start + k * width;
        for (size_t j = 0; j < d; j++) {
            double p = binary ? v->mean[j] : 0.5; /* the offsets hold the frequency already */
            start[j] = (float)(m.location[k * d + j] - log(p / (1 - p)) / head->bend);
            if (!binary)
                start[d + j] = (float)m.scale[k * d + j];
        }
        task->start[head->modes * width + k] = (float)m.logit[k];
    }
    return st;
}

static es_status new_model(const es_problem *problem, const es_head *head, size_t dx,
                           const fold_task *task, es_rng *rng, es_arena *arena, es_trainable *model,
                           es_error *err) {
    const double *v = problem->values;
    size_t hidden = v[ES_KNIFE_HIDDEN] > 0 ? (size_t)v[ES_KNIFE_HIDDEN] : head->d;
    size_t depth = (size_t)v[ES_KNIFE_LAYERS];
    es_layer layers[ES_NET_LAYERS];
    /* The source's rows are not normalised: its columns are standardised already, and a row's mean
     * and size may tell something. Held-out H(V|U) is 0.002 to 0.006 lower for it on two of three
     * real pools and no different on the third; a source of one column would be left with nothing.
     */
    for (size_t i = 0; i <= depth; i++)
        layers[i] = (es_layer){i ? hidden : dx, hidden, i > 0, i < depth};
    ES_PASS(es_model_init(model, head, layers, depth + 1, false, (size_t)v[ES_KNIFE_BATCH],
                          task->train.n, arena, err));
    model->net.last_rate = v[ES_KNIFE_LR_OUT];
    es_net_random(&model->net, rng, 0);
    memcpy(model->net.tensor[depth].bias, task->start,
           es_head_width(head, true) * sizeof *task->start);
    es_net_fold(&model->net);
    return ES_OK;
}

/* By how much the spread of a column has to grow so that its mean log density falls to `floor`:
 * log_scale - w - square exp(-2 w) / 2 = floor, the larger root, where it is above it at w = 0. */
static double growth(double log_scale, double square, double floor) {
    double low = fmax(0, 0.5 * log(square)), high = log_scale - floor;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        bool above = log_scale - middle - square * exp(-2 * middle) / 2 > floor;
        *(above ? &low : &high) = middle;
    }
    return high;
}

/* out (d): mean log density of each column over the rows before training; less ln(2 pi) / 2, here
 * and below. */
static void before_training(double bend, const es_sample *rows, size_t d, double *out) {
    memset(out, 0, d * sizeof *out);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = 0; j < d; j++) {
            double y = (double)rows->y[i * d + j];
            double l = bend * tanh((double)rows->offset[i * d + j] / bend);
            out[j] += (l - exp(2 * l) * y * y / 2) / (double)rows->n;
        }
}

/* What a network gains also when it reads the sources of other rows, it has not got from the
 * source. The marginal's variance is that of the training rows. Where few rows hold most of it, the
 * network drifts to the spread of the others, whatever the source: until Adam has seen one of the
 * rare large gradients, its steps follow the many small ones. Validation and test rows, mostly
 * without such a row, gain by it. So the spread of a column is widened until validation rows that
 * read the source of another gain nothing over the state before training; unless the source's own
 * part of the gain is larger than the blind one, since spreads that follow the source are narrower
 * for most rows too. Without this, columns with one nonzero row gave independent sources 0.87
 * nats. */
static es_status widen_blind(es_trainable *model, const fold_task *task, const es_sample *blind,
                             es_arena *arena, es_run *run, es_error *err) {
    size_t d = model->head.d, gaining = 0;
    double *log_scale = es_arena_alloc(arena, 4 * d, sizeof *log_scale);
    uint32_t *column = es_arena_alloc(arena, d, sizeof *column);
    float *widen = es_arena_alloc(arena, d, sizeof *widen);
    if (!log_scale || !column || !widen)
        return es_no_memory(err);
    double *square = log_scale + d, *floor = square + d, *blind_square = floor + d;
    before_training(model->head.bend, &task->val, d, floor);
    for (size_t j = 0; j < d; j++) {
        column[j] = (uint32_t)j;
        widen[j] = 0;
    }
    es_status st = es_model_spread(model, blind, column, d, log_scale, blind_square, run, err);
    for (size_t j = 0; j < d; j++)
        if (log_scale[j] - blind_square[j] / 2 > floor[j])
            column[gaining++] = (uint32_t)j;
    if (st == ES_OK && gaining > 0)
        st = es_model_spread(model, &task->val, column, gaining, log_scale, square, run, err);
    for (size_t k = 0; st == ES_OK && k < gaining; k++) {
        uint32_t j = column[k];
        double gain = log_scale[j] - square[j] / 2 - floor[j];
        double blind_gain = log_scale[j] - blind_square[j] / 2 - floor[j];
        if (blind_gain > 0 && gain < 2 * blind_gain) {
            widen[j] = (float)growth(log_scale[j], blind_square[j], floor[j]);
            model->widen = widen;
        }
    }
    return st;
}

/* Is what the trained network says of the validation rows clearly better than what was said before
 * training, and than what it says when each row reads the source of another? `now` (n) is what it
 * says, and is made anew when spreads are widened. */
static es_status is_informed(es_trainable *model, const fold_task *task, const double *before,
                             double *now, es_arena *arena, es_run *run, bool *out, es_error *err) {
    size_t n = task->val.n;
    es_sample blind = task->val;
    uint32_t *turn = es_arena_alloc(arena, n, sizeof *turn);
    double *other = es_arena_alloc(arena, 2 * n, sizeof *other), mean;
    if (!turn || !other)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++)
        turn[i] = (uint32_t)((i + n / 2) % n);
    blind.turn = turn;
    es_status st = ES_OK;
    if (model->head.kind == ES_HEAD_GAUSS && model->head.modes == 1)
        st = widen_blind(model, task, &blind, arena, run, err);
    if (st == ES_OK && model->widen)
        st = es_model_eval(model, &task->val, now, run, err);
    *out = st == ES_OK && es_gain_over(before, now, n, &mean) > ES_CLEAR_GAIN;
    if (*out)
        st = es_model_eval(model, &blind, other, run, err);
    if (st != ES_OK)
        return st;
    for (size_t i = 0; *out && i < n; i++)
        other[n + turn[i]] = other[i];
    *out = *out && es_gain_over(other + n, now, n, &mean) > ES_CLEAR_GAIN;
    return ES_OK;
}

/* Train until the validation rows stop gaining; leaves the model in its best state. That is the
 * state before training unless the gain is clear of the noise of so few rows: the best of several
 * epochs is above 0 by luck alone, and a source without information would be charged for what it
 * fitted (without this, -0.005 +- 0.002 nats at 1,000 rows of 2 dimensions). On three real pools it
 * costs 0.0002. */
static es_status refine(const es_problem *problem, es_trainable *model, const fold_task *task,
                        es_rng *rng, es_arena *arena, es_run *run, unsigned *best_epoch,
                        es_error *err) {
    const double *v = problem->values;
    unsigned epochs = (unsigned)v[ES_KNIFE_EPOCHS], patience = (unsigned)v[ES_KNIFE_PATIENCE];
    size_t n = task->val.n;
    double *before = es_arena_alloc(arena, 3 * n, sizeof *before);
    float *start = es_arena_alloc(arena, 2 * model->net.n_params, sizeof *start);
    if (!before || !start)
        return es_no_memory(err);
    double *now = before + n, *at_best = now + n, best = -INFINITY, best_gain = 0;
    float *kept = start + model->net.n_params;
    unsigned best_at = 0;
    for (unsigned epoch = 0; epoch <= epochs && epoch <= best_at + patience; epoch++) {
        es_status st = ES_OK;
        if (epoch > 0)
            st = es_model_epoch(model, &task->train, v[ES_KNIFE_LR], rng, run, NULL, err);
        if (st == ES_OK)
            st = es_model_eval(model, &task->val, epoch ? now : before, run, err);
        if (st != ES_OK)
            return st;
        double mean, gain = es_gain_over(before, epoch ? now : before, n, &mean);
        es_run_trace(run, -mean / (double)model->head.d);
        es_run_progress(run, epoch, 0);
        /* The first state even where its mean is no number or -inf (a validation row beyond float's
         * range): what is loaded below must not be what another pair left in memory. */
        if (epoch == 0 || mean > best) {
            best = mean;
            best_at = epoch;
            best_gain = gain;
            es_net_save(&model->net, epoch ? kept : start);
            memcpy(at_best, epoch ? now : before, n * sizeof *now);
        } else if (v[ES_KNIFE_WORSE] > 0 &&
                   es_gain_over(now, at_best, n, &mean) > v[ES_KNIFE_WORSE])
            break;
    }
    bool better = best_at > 0 && best_gain > 0;
    es_status st = ES_OK;
    es_net_load(&model->net, better ? kept : start);
    if (better)
        st = is_informed(model, task, before, at_best, arena, run, &better, err);
    if (st == ES_OK && !better) {
        es_net_load(&model->net, start);
        model->widen = NULL;
    }
    *best_epoch = better ? best_at : 0;
    return st;
}

static es_status fold_pair(const es_problem *problem, const es_fold_state *source,
                           const es_fold_state *target, uint64_t stream, es_arena *arena,
                           es_run *run, es_fold_values *out, es_error *err) {
    const es_fold_data *u = source->data, *v = target->data;
    es_head head = es_knife_head(problem, target, (size_t)problem->values[ES_KNIFE_MODES]);
    fold_task task = {.train = {.n = v->n_train, .x = u->train, .part = ES_PART_TRAIN},
                      .val = {.n = v->n_val, .x = u->val, .part = ES_PART_VAL},
                      .test = {.n = v->n_test, .x = u->test, .part = ES_PART_TEST}};
    es_fold_reader streamed;
    es_ridge_result fit;
    es_ridge_rows rows;
    es_trainable model;
    es_rng rng;
    const es_ridge_how how = {.lambda = NAN, .floor = es_knife_least_variance(problem)};
    size_t width = es_head_width(&head, true);
    task.start = es_arena_alloc(arena, width, sizeof *task.start);
    if (!task.start)
        return es_no_memory(err);
    memset(task.start, 0, width * sizeof *task.start);
    es_status st = ES_OK;
    ES_PASS(es_fold_reader_init(&streamed, u, arena, err));
    if (u->fold)
        task.train.x_rows = task.val.x_rows = task.test.x_rows = &streamed;
    ES_PASS(es_ridge_fit(source->ridge, v, &how, arena, run, &fit, err));
    ES_PASS(es_ridge_whole(&fit, arena, run, &rows, err));
    if (target->bits)
        binary_task(target, &rows, &task);
    else
        st = residual_task(&head, v, &fit, &rows, &task, arena, run, err);
    es_rng_init(&rng, problem->seed, es_rng_stream(ES_STREAM_INIT, stream));
    if (st == ES_OK && head.modes > 1)
        st = start_modes(&head, v, &rng, arena, run, &task, err);
    if (st == ES_OK)
        st = new_model(problem, &head, u->d, &task, &rng, arena, &model, err);
    if (st == ES_OK)
        st = refine(problem, &model, &task, &rng, arena, run, &out->epochs, err);
    if (st == ES_OK)
        st = es_model_eval(&model, &task.test, out->h_cond, run, err);
    out->lambda = st == ES_OK ? fit.lambda : (double)NAN;
    for (size_t i = 0; st == ES_OK && i < v->n_test; i++) {
        out->h[i] = -target->marginal[v->n_val + i] / (double)v->d;
        out->h_cond[i] = -out->h_cond[i] / (double)v->d;
    }
    return st;
}

es_status es_knife_refined_pair(const es_problem *problem, const es_fold_states *source,
                                const es_fold_states *target, uint64_t stream, es_arena *arena,
                                es_run *run, es_pair_result *out, es_error *err) {
    return es_fold_states_pair(problem, source, target, stream, arena, run, fold_pair, out, err);
}
