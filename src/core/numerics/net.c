/* Forward and backward passes of a small network and one step of Adam (Kingma and Ba, ICLR 2015).
 * Gradients of a weight matrix are made a block of rows at a time and consumed at once, while they
 * are in the cache. */
#include "core_numerics.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* Floats in a block of a weight matrix's gradient: half of a second-level cache. */
enum { BLOCK = 1 << 17 };

/* Multiplications of a product between two looks at the cancel token: some 20 ms on a slow core. */
enum { PRODUCT = 1 << 28 };

/* Wide networks take a good part of a second per step, so that one looks in between. */
static bool cancelled(const es_net *net) {
    return es_run_check(net->run, NULL) != ES_OK;
}

static size_t block_rows(size_t in, size_t out) {
    size_t rows = BLOCK / in / 16 * 16;
    if (rows < 16)
        rows = 16;
    return rows < out ? rows : out;
}

static void place(es_layer_tensors *t, const es_layer *layer, float **at) {
    t->gain = layer->norm ? *at : NULL;
    t->shift = layer->norm ? *at + layer->in : NULL;
    *at += layer->norm ? 2 * layer->in : 0;
    t->weight = *at;
    t->bias = *at + layer->out * layer->in;
    *at += layer->out * layer->in + layer->out;
}

static size_t count_params(const es_layer *layer) {
    return (layer->norm ? 2 * layer->in : 0) + layer->out * layer->in + layer->out;
}

static bool take(es_arena *arena, size_t count, float **out) {
    *out = es_arena_alloc(arena, count, sizeof **out);
    return *out != NULL;
}

es_status es_net_init(es_net *net, const es_simd *simd, const es_layer *layers, size_t n_layers,
                      size_t max_rows, es_arena *arena, es_error *err) {
    *net = (es_net){.simd = simd, .n_layers = n_layers, .max_rows = max_rows};
    size_t widest = 0, widest_in = 0, block = 0;
    for (size_t i = 0; i < n_layers; i++) {
        const es_layer *layer = layers + i;
        net->layer[i] = *layer;
        net->n_params += count_params(layer);
        size_t need = block_rows(layer->in, layer->out) * layer->in;
        block = need > block ? need : block;
        widest_in = layer->in > widest_in ? layer->in : widest_in;
        if (i + 1 < n_layers)
            widest = layer->out > widest ? layer->out : widest;
    }
    bool ok = take(arena, net->n_params, &net->param) &&
              take(arena, net->n_params, &net->moment1) &&
              take(arena, net->n_params, &net->moment2) && take(arena, block, &net->block) &&
              take(arena, max_rows * widest, &net->slope[0]) &&
              take(arena, max_rows * widest, &net->slope[1]) &&
              take(arena, widest, &net->d_bias[0]) && take(arena, widest, &net->d_bias[1]) &&
              take(arena, widest_in, &net->d_gain) && take(arena, widest_in, &net->d_shift);
    float *at = net->param;
    for (size_t i = 0; ok && i < n_layers; i++) {
        const es_layer *layer = layers + i;
        place(&net->tensor[i], layer, &at);
        net->weight[i] = net->tensor[i].weight;
        net->bias[i] = net->tensor[i].bias;
        ok = take(arena, max_rows * layer->out, &net->value[i]);
        if (ok && layer->norm)
            ok = take(arena, layer->out * layer->in, &net->weight[i]) &&
                 take(arena, layer->out, &net->bias[i]);
        if (ok && layer->norm && i > 0)
            ok = take(arena, max_rows * layer->in, &net->hat[i]) &&
                 take(arena, max_rows, &net->factor[i]);
    }
    return ok ? ES_OK : es_no_memory(err);
}

es_status es_net_part(es_net *net, size_t count, size_t width, es_arena *arena, es_error *err) {
    size_t in = net->layer[net->n_layers - 1].in, rows = net->max_rows;
    es_net_parts p = {.count = count, .width = width};
    p.live = es_arena_alloc(arena, rows * count, sizeof *p.live);
    p.rows = es_arena_alloc(arena, rows, sizeof *p.rows);
    if (!p.live || !p.rows || !take(arena, rows * width, &p.d_out) ||
        !take(arena, rows * in, &p.in) || !take(arena, rows * in, &p.d_in))
        return es_no_memory(err);
    net->parts = p;
    return ES_OK;
}

void es_net_fold(es_net *net) {
    for (size_t i = 0; i < net->n_layers; i++) {
        const es_layer *layer = net->layer + i;
        const es_layer_tensors *t = net->tensor + i;
        for (size_t o = 0; layer->norm && o < layer->out; o++)
            net->bias[i][o] =
                t->bias[o] + net->simd->fold(t->weight + o * layer->in, t->gain, t->shift,
                                             net->weight[i] + o * layer->in, layer->in);
    }
}

static void uniform(const es_net *net, es_rng *rng, float *out, size_t n, double bound) {
    for (size_t i = 0; i < n && (i % BLOCK || !cancelled(net)); i++)
        out[i] = (float)(bound * (2 * es_rng_uniform(rng) - 1));
}

void es_net_random(es_net *net, es_rng *rng, float last_scale) {
    for (size_t i = 0; i < net->n_layers; i++) {
        const es_layer *layer = net->layer + i;
        const es_layer_tensors *t = net->tensor + i;
        double bound = 1 / sqrt((double)layer->in);
        for (size_t j = 0; layer->norm && j < layer->in; j++) {
            t->gain[j] = 1;
            t->shift[j] = 0;
        }
        bool last = i + 1 == net->n_layers;
        if (last && last_scale == 0) { /* drawing them is 8 % of a training of one epoch */
            memset(t->weight, 0, layer->out * layer->in * sizeof *t->weight);
            es_rng_skip(rng, layer->out * layer->in);
        } else {
            uniform(net, rng, t->weight, layer->out * layer->in,
                    last ? bound * (double)last_scale : bound);
        }
        uniform(net, rng, t->bias, layer->out, bound);
        if (cancelled(net))
            return;
    }
    memset(net->moment1, 0, net->n_params * sizeof *net->moment1);
    memset(net->moment2, 0, net->n_params * sizeof *net->moment2);
    net->steps = 0;
    es_net_fold(net);
}

void es_net_save(const es_net *net, float *out) {
    memcpy(out, net->param, net->n_params * sizeof *out);
}

void es_net_load(es_net *net, const float *in) {
    memcpy(net->param, in, net->n_params * sizeof *in);
    es_net_fold(net);
}

void es_net_normalize(const es_simd *simd, const float *x, size_t rows, size_t n, float *out) {
    for (size_t r = 0; r < rows; r++)
        (void)simd->normalize(x + r * n, out + r * n, n);
}

/* What layer i saw: the caller's rows, or the normalised or plain values of the layer before. */
static const float *input_of(const es_net *net, size_t i, const float *x) {
    if (i == 0)
        return x;
    return net->hat[i] ? net->hat[i] : net->value[i - 1];
}

float *es_net_forward(es_net *net, const float *x, size_t rows) {
    for (size_t i = 0; i < net->n_layers; i++) {
        const es_layer *layer = net->layer + i;
        size_t at_once = PRODUCT / (rows * layer->in) + 1;
        for (size_t o = 0; o < layer->out && !cancelled(net); o += at_once) {
            size_t count = layer->out - o < at_once ? layer->out - o : at_once;
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)count,
                        (int)layer->in, 1, input_of(net, i, x), (int)layer->in,
                        net->weight[i] + o * layer->in, (int)layer->in, 0, net->value[i] + o,
                        (int)layer->out);
        }
        if (i + 1 == net->n_layers || cancelled(net))
            break;
        for (size_t r = 0; r < rows; r++) {
            float *row = net->value[i] + r * layer->out;
            net->simd->activate(row, net->bias[i], layer->relu, layer->out);
            if (net->hat[i + 1])
                net->factor[i + 1][r] =
                    net->simd->normalize(row, net->hat[i + 1] + r * layer->out, layer->out);
        }
    }
    return net->value[net->n_layers - 1];
}

/* The moments lie at the same places in their blocks as the parameters do in theirs. */
static es_adam_row moments_of(const es_net *net, float *p, const float *g) {
    ptrdiff_t at = p - net->param;
    return (es_adam_row){.p = p, .m = net->moment1 + at, .v = net->moment2 + at, .g = g};
}

static void update_vector(es_net *net, float *p, const float *g, size_t n,
                          const es_adam_step *step) {
    es_adam_row row = moments_of(net, p, g);
    net->simd->adam(&row, n, step);
}

/* Some columns of a derivative by the output of a layer, and the rows that have any of them. */
typedef struct columns {
    size_t first, count, rows, stride;
    const float *d_out; /* (rows, stride), its first `count` columns */
    bool all;           /* every row of the batch */
} columns;

/* Block k, its live rows moved together unless all of them live. */
static columns gather(es_net_parts *p, size_t k, size_t rows, const float *d_out, size_t stride) {
    columns c = {k * p->width, p->width, 0, p->width, p->d_out, false};
    for (size_t r = 0; r < rows; r++)
        if (p->live[r * p->count + k])
            p->rows[c.rows++] = (uint32_t)r;
    if (c.rows == rows)
        return (columns){c.first, c.count, rows, stride, d_out + c.first, true};
    for (size_t r = 0; r < c.rows; r++)
        memcpy(p->d_out + r * p->width, d_out + p->rows[r] * stride + c.first,
               p->width * sizeof *d_out);
    return c;
}

/* `in` holds the rows of the columns. */
static void update_weights(es_net *net, size_t i, const columns *c, const float *in,
                           const float *d_bias, const es_adam_step *step) {
    const es_layer *layer = net->layer + i;
    const es_layer_tensors *t = net->tensor + i;
    size_t at_once = block_rows(layer->in, layer->out), end = c->first + c->count;
    for (size_t first = c->first; first < end && !cancelled(net); first += at_once) {
        size_t count = end - first < at_once ? end - first : at_once;
        if (c->rows > 0)
            net->simd->product(count, layer->in, c->rows, c->d_out + (first - c->first), 1,
                               c->stride, in, layer->in, net->block, layer->in);
        else
            memset(net->block, 0, count * layer->in * sizeof *net->block);
        for (size_t o = first; o < first + count; o++) {
            es_adam_row row =
                moments_of(net, t->weight + o * layer->in, net->block + (o - first) * layer->in);
            if (layer->norm) {
                row.gain = t->gain;
                row.shift = t->shift;
                row.d_gain = net->d_gain;
                row.d_shift = net->d_shift;
                row.delta = d_bias[o];
            }
            net->simd->adam(&row, layer->in, step);
        }
    }
}

static void update_layer(es_net *net, size_t i, const float *in, size_t rows, const float *d_out,
                         const float *d_bias, const es_adam_step *step) {
    const es_layer *layer = net->layer + i;
    const es_layer_tensors *t = net->tensor + i;
    if (layer->norm) {
        memset(net->d_gain, 0, layer->in * sizeof *net->d_gain);
        memset(net->d_shift, 0, layer->in * sizeof *net->d_shift);
    }
    es_net_parts *p = &net->parts;
    size_t parts = i + 1 == net->n_layers ? p->count : 0, done = parts * p->width;
    for (size_t k = 0; k < parts; k++) {
        columns c = gather(p, k, rows, d_out, layer->out);
        for (size_t r = 0; !c.all && r < c.rows; r++)
            memcpy(p->in + r * layer->in, in + p->rows[r] * layer->in, layer->in * sizeof *in);
        update_weights(net, i, &c, c.all ? in : p->in, d_bias, step);
    }
    columns rest = {done, layer->out - done, rows, layer->out, d_out + done, true};
    update_weights(net, i, &rest, in, d_bias, step);
    update_vector(net, t->bias, d_bias, layer->out, step);
    if (layer->norm) {
        update_vector(net, t->gain, net->d_gain, layer->in, step);
        update_vector(net, t->shift, net->d_shift, layer->in, step);
    }
}

/* out (rows, in) = d_out weights of layer i. */
static void through_weights(es_net *net, size_t i, size_t rows, const float *d_out, float *out) {
    const es_layer *layer = net->layer + i;
    es_net_parts *p = &net->parts;
    size_t in = layer->in, parts = i + 1 == net->n_layers ? p->count : 0, done = parts * p->width;
    if (done < layer->out)
        net->simd->product(rows, in, layer->out - done, d_out + done, layer->out, 1,
                           net->weight[i] + done * in, in, out, in);
    else
        memset(out, 0, rows * in * sizeof *out);
    for (size_t k = 0; k < parts; k++) {
        columns c = gather(p, k, rows, d_out, layer->out);
        if (c.rows == 0 || cancelled(net))
            continue;
        net->simd->product(c.rows, in, c.count, c.d_out, c.stride, 1, net->weight[i] + c.first * in,
                           in, p->d_in, in);
        for (size_t r = 0; r < c.rows; r++)
            for (size_t j = 0; j < in; j++)
                out[p->rows[r] * in + j] += p->d_in[r * in + j];
    }
}

/* The derivative by the output of layer i - 1, before its activation, and its sum over rows. */
static float *step_back(es_net *net, size_t i, size_t rows, const float *d_out) {
    const es_layer *layer = net->layer + i, *below = layer - 1;
    float *out = net->slope[i % 2];
    through_weights(net, i, rows, d_out, out);
    float *sum = net->d_bias[i % 2];
    memset(sum, 0, layer->in * sizeof *sum);
    for (size_t r = 0; r < rows; r++) {
        size_t at = r * layer->in;
        net->simd->activate_back(out + at, net->value[i - 1] + at,
                                 net->hat[i] ? net->hat[i] + at : NULL,
                                 net->hat[i] ? net->factor[i][r] : 1, below->relu, sum, layer->in);
    }
    return out;
}

void es_net_step(es_net *net, const float *x, size_t rows, const float *d_out, const float *d_bias,
                 double rate) {
    es_adam_step step = es_adam_at(++net->steps, rate), last = step;
    if (net->last_rate > 0)
        last = es_adam_at(net->steps, net->last_rate);
    for (size_t i = net->n_layers; i-- > 0;) {
        /* The derivative goes back through the weights as they were in the forward pass. */
        const float *below = i ? step_back(net, i, rows, d_out) : NULL;
        if (i == 0 && net->d_in)
            net->simd->product(rows, net->d_ins, net->layer[0].out, d_out, net->layer[0].out, 1,
                               net->weight[0], net->layer[0].in, net->d_in, net->d_ins);
        update_layer(net, i, input_of(net, i, x), rows, d_out, d_bias,
                     i + 1 == net->n_layers ? &last : &step);
        d_out = below;
        d_bias = net->d_bias[i % 2];
    }
    if (!cancelled(net))
        es_net_fold(net);
}

double es_net_flops(const es_net *net) {
    double sum = 0;
    for (size_t i = 0; i < net->n_layers; i++)
        sum += (i ? 6.0 : 4.0) * (double)net->layer[i].in * (double)net->layer[i].out;
    return sum;
}
