/* Epochs of minibatches in shuffled order over network and head, and evaluation in batches of the
 * same size. With a gate, a second network makes the mixture's weights. */
#include "core_estimators_parts.h"

#include <math.h>
#include <string.h>

static void count_up(uint32_t *order, size_t n) {
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
}

es_status es_model_init(es_trainable *model, const es_head *head, const es_layer *layers,
                        size_t n_layers, bool gate, size_t batch, size_t n, es_arena *arena,
                        es_error *err) {
    es_layer own[ES_NET_LAYERS];
    memcpy(own, layers, n_layers * sizeof *own);
    size_t width = es_head_width(head, !gate), dx = layers[0].in;
    *model = (es_trainable){.head = *head, .batch = batch, .n = n};
    own[n_layers - 1].out = width;
    es_status st = es_net_init(&model->net, head->simd, own, n_layers, batch, arena, err);
    own[n_layers - 1].out = head->modes;
    if (st == ES_OK && head->modes > 1)
        st = es_net_part(&model->net, head->modes, es_head_width(head, false) / head->modes, arena,
                         err);
    if (st == ES_OK && gate)
        st = es_net_init(&model->gate, head->simd, own, n_layers, batch, arena, err);
    if (st != ES_OK)
        return st;
    model->order = es_arena_alloc(arena, n, sizeof *model->order);
    model->x_batch = es_arena_alloc(arena, batch * dx, sizeof *model->x_batch);
    model->d_bias = es_arena_alloc(arena, width, sizeof *model->d_bias);
    model->d_logit_bias = es_arena_alloc(arena, head->modes, sizeof *model->d_logit_bias);
    if (!model->order || !model->x_batch || !model->d_bias || !model->d_logit_bias)
        return es_no_memory_for(err, "a batch of %zu rows", batch);
    count_up(model->order, n);
    return ES_OK;
}

/* The listed rows of x, or those from `first` on, and what they are held against: b->y, by b->rows.
 */
static es_status take_rows(es_trainable *model, const es_sample *sample, const uint32_t *list,
                           size_t first, size_t count, const float **x, es_head_batch *b,
                           es_run *run, es_error *err) {
    size_t dx = model->net.layer[0].in, d = model->head.d;
    es_status st = ES_OK;
    *x = model->x_batch;
    if (sample->x_rows)
        st = es_fold_reader_gather(sample->x_rows, sample->part, list, first, count, run,
                                   model->x_batch, err);
    else if (!list)
        *x = sample->x + first * dx;
    for (size_t r = 0; !sample->x_rows && list && r < count; r++)
        memcpy(model->x_batch + r * dx, sample->x + list[r] * dx, dx * sizeof *sample->x);
    if (st == ES_OK && sample->y_rows) {
        st = es_fold_reader_gather(sample->y_rows, sample->part, list, first, count, run,
                                   model->y_batch, err);
        b->y = model->y_batch;
        return st;
    }
    size_t own = list || sample->turn ? 0 : first * d;
    b->y = sample->y + own;
    b->offset = sample->offset ? sample->offset + own : NULL;
    b->rows = list ? list : sample->turn ? sample->turn + first : NULL;
    return st;
}

/* Runs the network(s) on `count` rows of x; the head's view of the result. */
static es_head_batch forward(es_trainable *model, const float *x, size_t count) {
    const es_net *net = &model->net, *gate = &model->gate;
    es_head_batch b = {.n = count, .bias = net->bias[net->n_layers - 1]};
    b.out = es_net_forward(&model->net, x, count);
    if (gate->n_layers > 0) {
        b.logit = es_net_forward(&model->gate, x, count);
        b.logit_bias = gate->bias[gate->n_layers - 1];
    }
    return b;
}

es_status es_model_epoch(es_trainable *model, const es_sample *sample, double rate, es_rng *rng,
                         es_run *run, double *loss, es_error *err) {
    double sum = 0;
    model->net.run = model->gate.run = run;
    es_rng_shuffle(rng, model->order, model->n);
    for (size_t first = 0; first < model->n; first += model->batch) {
        ES_PASS(es_run_check(run, err));
        size_t count = model->n - first < model->batch ? model->n - first : model->batch;
        const float *x = NULL;
        es_head_batch y = {0};
        ES_PASS(take_rows(model, sample, model->order + first, 0, count, &x, &y, run, err));
        es_head_batch b = forward(model, x, count);
        es_status st = es_run_check(run, err); /* after which the values are void */
        if (st != ES_OK)
            return st;
        b.y = y.y;
        b.offset = y.offset;
        b.rows = y.rows;
        b.d_bias = model->d_bias;
        b.d_logit_bias = model->d_logit_bias;
        b.live = model->net.parts.live;
        sum -= es_head_eval(&model->head, &b);
        es_net_step(&model->net, model->x_batch, count, b.out, b.d_bias, rate);
        if (b.logit)
            es_net_step(&model->gate, model->x_batch, count, b.logit, b.d_logit_bias, rate);
    }
    if (loss)
        *loss = sum / (double)model->n;
    return ES_OK;
}

/* The outputs of the next rows, with what they are held against. */
static es_status next(es_trainable *model, const es_sample *sample, size_t first, es_run *run,
                      es_head_batch *out, es_error *err) {
    size_t count = sample->n - first < model->batch ? sample->n - first : model->batch;
    const float *x = NULL;
    es_head_batch y = {0};
    model->net.run = model->gate.run = run;
    ES_PASS(es_run_check(run, err));
    ES_PASS(take_rows(model, sample, NULL, first, count, &x, &y, run, err));
    *out = forward(model, x, count);
    out->y = y.y;
    out->offset = y.offset;
    out->rows = y.rows;
    return es_run_check(run, err); /* after which the values are void */
}

/* One value of a single Gaussian mode: ln s, and z = s (y - m). */
typedef struct gauss_value {
    float log_s, z;
} gauss_value;

static gauss_value gauss_at(const es_head *head, const es_head_batch *b, size_t r, size_t j) {
    size_t d = head->d, row = b->rows ? b->rows[r] : r;
    const float *o = b->out + r * 2 * d;
    float sum = o[d + j] + b->bias[d + j] + (b->offset ? b->offset[row * d + j] : 0);
    float bend = (float)head->bend, l = sum / bend;
    float log_s = bend - 2 * bend / (expf(2 * l) + 1); /* bend tanh(l) */
    return (gauss_value){log_s, expf(log_s) * (b->y[row * d + j] - (o[j] + b->bias[j]))};
}

/* Of columns whose standard deviations are multiplied by exp(widen): s becomes s exp(-widen). */
static void widen(const es_trainable *model, const es_head_batch *b) {
    for (size_t j = 0; j < model->head.d; j++) {
        double more = (double)model->widen[j];
        for (size_t r = 0; more > 0 && r < b->n; r++) {
            double z = (double)gauss_at(&model->head, b, r, j).z;
            b->log_density[r] += -more - 0.5 * expm1(-2 * more) * z * z;
        }
    }
}

es_status es_model_eval(es_trainable *model, const es_sample *sample, double *log_density,
                        es_run *run, es_error *err) {
    es_head_batch b;
    for (size_t first = 0; first < sample->n; first += b.n) {
        ES_PASS(next(model, sample, first, run, &b, err));
        b.log_density = log_density + first;
        (void)es_head_eval(&model->head, &b);
        if (model->widen)
            widen(model, &b);
    }
    return ES_OK;
}

es_status es_model_spread(es_trainable *model, const es_sample *sample, const uint32_t *columns,
                          size_t n_columns, double *log_scale, double *square, es_run *run,
                          es_error *err) {
    es_head_batch b;
    double share = 1 / (double)sample->n;
    memset(log_scale, 0, model->head.d * sizeof *log_scale);
    memset(square, 0, model->head.d * sizeof *square);
    for (size_t first = 0; first < sample->n; first += b.n) {
        ES_PASS(next(model, sample, first, run, &b, err));
        for (size_t r = 0; r < b.n; r++)
            for (size_t k = 0; k < n_columns; k++) {
                gauss_value v = gauss_at(&model->head, &b, r, columns[k]);
                log_scale[columns[k]] += (double)v.log_s * share;
                square[columns[k]] += (double)v.z * (double)v.z * share;
            }
    }
    return ES_OK;
}

es_status es_marginal_init(es_marginal *marginal, const es_head *head, double spread, size_t batch,
                           size_t n, es_rng *rng, es_arena *arena, es_error *err) {
    size_t width = es_head_width(head, true);
    *marginal = (es_marginal){.head = *head, .width = width, .batch = batch, .n = n};
    marginal->param = es_arena_alloc(arena, 4 * width, sizeof *marginal->param);
    marginal->zeros = es_arena_alloc(arena, batch * width, sizeof *marginal->zeros);
    marginal->order = es_arena_alloc(arena, n, sizeof *marginal->order);
    if (!marginal->param || !marginal->zeros || !marginal->order)
        return es_no_memory_for(err, "a marginal of %zu values", width);
    marginal->moment1 = marginal->param + width;
    marginal->moment2 = marginal->moment1 + width;
    marginal->d_param = marginal->moment2 + width;
    memset(marginal->moment1, 0, 2 * width * sizeof *marginal->moment1);
    size_t logits = head->modes > 1 ? head->modes : 0;
    for (size_t i = 0; i < width; i++)
        marginal->param[i] = i + logits < width ? (float)(spread * es_rng_normal(rng)) : 1;
    count_up(marginal->order, n);
    return ES_OK;
}

/* Rows of y and which of them count: listed ones, or those from `first` on. */
static es_status take_marginal(es_marginal *marginal, const float *y, const uint32_t *list,
                               size_t first, es_run *run, es_head_batch *b, es_error *err) {
    if (marginal->rows) {
        b->y = marginal->y_batch;
        return es_fold_reader_gather(marginal->rows, ES_PART_TRAIN, list, first, b->n, run,
                                     marginal->y_batch, err);
    }
    b->y = list ? y : y + first * marginal->head.d;
    b->rows = list;
    return ES_OK;
}

es_status es_marginal_epoch(es_marginal *marginal, const float *y, double rate, es_rng *rng,
                            es_run *run, es_error *err) {
    es_rng_shuffle(rng, marginal->order, marginal->n);
    for (size_t first = 0; first < marginal->n; first += marginal->batch) {
        ES_PASS(es_run_check(run, err));
        size_t left = marginal->n - first;
        size_t count = left < marginal->batch ? left : marginal->batch;
        memset(marginal->zeros, 0, count * marginal->width * sizeof *marginal->zeros);
        es_head_batch b = {.n = count,
                           .out = marginal->zeros,
                           .bias = marginal->param,
                           .d_bias = marginal->d_param};
        ES_PASS(take_marginal(marginal, y, marginal->order + first, 0, run, &b, err));
        (void)es_head_eval(&marginal->head, &b);
        es_adam_step step = es_adam_at(++marginal->steps, rate);
        es_adam_row row = {.p = marginal->param,
                           .m = marginal->moment1,
                           .v = marginal->moment2,
                           .g = marginal->d_param};
        marginal->head.simd->adam(&row, marginal->width, &step);
    }
    return ES_OK;
}

es_status es_marginal_eval(es_marginal *marginal, const float *y, size_t n, double *log_density,
                           es_run *run, es_error *err) {
    memset(marginal->zeros, 0, marginal->batch * marginal->width * sizeof *marginal->zeros);
    for (size_t first = 0; first < n; first += marginal->batch) {
        ES_PASS(es_run_check(run, err));
        es_head_batch b = {.n = n - first < marginal->batch ? n - first : marginal->batch,
                           .out = marginal->zeros,
                           .bias = marginal->param,
                           .log_density = log_density + first};
        ES_PASS(take_marginal(marginal, y, NULL, first, run, &b, err));
        (void)es_head_eval(&marginal->head, &b);
    }
    return ES_OK;
}
