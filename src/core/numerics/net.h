/* Feed-forward networks with hand-written gradients, trained by Adam.
 *
 * A layer is [layer normalisation] -> linear -> [ReLU]. What a normalised layer's gain and shift do
 * is folded into its weights (weight' = weight * gain, bias' = bias + weight shift), so that
 * forward and backward passes see plain linear layers; the gradients of gain and shift follow from
 * the one of weight'. The input of the first layer needs no gradient, unless it was made by
 * something that learns too (d_in). Since the rows of
 * the input do not change in training, callers normalise them once (es_net_normalize) when the
 * first layer asks for it. Float storage; the forward products are OpenBLAS's, the backward ones
 * es_simd.product's; gradients of a weight matrix are consumed by Adam block by block while they
 * are in the cache.
 *
 * Memory is the arena's; nothing is allocated after es_net_init. */
#ifndef ES_CORE_NET_H
#define ES_CORE_NET_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "rng.h"
#include "run.h"
#include "simd.h"
#include "embedscope/status.h"

enum { ES_NET_LAYERS = 8 };

typedef struct es_layer {
    size_t in, out;
    bool norm; /* normalises its input */
    bool relu; /* max(., 0) on its output */
} es_layer;

/** One layer's tensors, in this order in a block of parameters. */
typedef struct es_layer_tensors {
    float *gain, *shift; /* (in); only when norm */
    float *weight;       /* (out, in) */
    float *bias;         /* (out) */
} es_layer_tensors;

/** A derivative by the output that is zero almost everywhere, as that of a mixture is once its
 * modes have parted: in each row only the modes that hold a share of it count. The output's columns
 * fall into `count` blocks of `width`, which other columns may follow. */
typedef struct es_net_parts {
    size_t count, width;
    unsigned char *live; /* (max_rows, count) 0: this block of this row is zero, and never read */
    uint32_t *rows;      /* scratch of one block: (max_rows) its live rows, */
    float *d_out, *in;   /* (max_rows, width) and (max_rows, in) what they hold, */
    float *d_in;         /* (max_rows, in) and the derivative by their input */
} es_net_parts;

typedef struct es_net {
    const es_simd *simd;
    size_t n_layers, max_rows;
    es_layer layer[ES_NET_LAYERS];

    size_t n_params;
    float *param, *moment1, *moment2; /* (n_params) */
    es_layer_tensors tensor[ES_NET_LAYERS];
    float *weight[ES_NET_LAYERS]; /* (out, in) with gain folded in */
    float *bias[ES_NET_LAYERS];   /* (out) with shift folded in */
    unsigned steps;               /* of Adam so far */
    double last_rate;             /* of the last layer; 0: as the others'. The caller's */

    float
        *value[ES_NET_LAYERS]; /* (max_rows, out) after ReLU; of the last layer without its bias */
    float *hat[ES_NET_LAYERS]; /* (max_rows, in) normalised input of layer i > 0; NULL: value */
    float *factor[ES_NET_LAYERS]; /* (max_rows) 1 / standard deviation of those */
    float *slope[2];              /* (max_rows, widest) derivatives by outputs, turn about */
    float *d_bias[2];             /* (widest) their sums over rows */
    float *d_gain, *d_shift;      /* (widest in) */
    float *block;                 /* gradient of some rows of a weight matrix */
    es_net_parts parts;           /* count 0: none */
    float *d_in; /* (max_rows, d_ins) derivative by the first d_ins columns of x, which es_net_step
                    makes; NULL: not wanted. The caller's; the first layer must not normalise */
    size_t d_ins;
    const es_run *run; /* once it is cancelled, es_net_random, _forward and _step leave early and
                          what they hold is void; NULL: never */
} es_net;

/** Sizes and memory for batches up to max_rows; parameters are undefined until es_net_random. */
es_status es_net_init(es_net *net, const es_simd *simd, const es_layer *layers, size_t n_layers,
                      size_t max_rows, es_arena *arena, es_error *err);

/** From now on es_net_step skips what net->parts.live, to be filled before each step, calls zero.
 */
es_status es_net_part(es_net *net, size_t count, size_t width, es_arena *arena, es_error *err);

/** PyTorch's initial state: weights and biases uniform on +-1/sqrt(in), gain 1, shift 0; clears
 *  Adam. The last layer's weights are multiplied by last_scale. */
void es_net_random(es_net *net, es_rng *rng, float last_scale);

/** Call after writing to tensor[] from outside. */
void es_net_fold(es_net *net);

/** Copy the parameters out, or back in. (n_params) */
void es_net_save(const es_net *net, float *out);
void es_net_load(es_net *net, const float *in);

/** (rows, in) row by row to mean 0 and variance 1; out == x is allowed. */
void es_net_normalize(const es_simd *simd, const float *x, size_t rows, size_t n, float *out);

/** x (rows, in), rows <= max_rows. Returns (rows, out) of the last layer, to which the caller adds
 *  net->bias[last]; valid, and free to be overwritten, until the next call. */
float *es_net_forward(es_net *net, const float *x, size_t rows);

/** One Adam step after es_net_forward with the same x. `d_out` (rows, out) holds the derivative of
 *  the loss by the output, `d_bias` (out) its sum over rows. */
void es_net_step(es_net *net, const float *x, size_t rows, const float *d_out, const float *d_bias,
                 double rate);

/** Floating-point operations of one forward and backward pass of one row, matrix products only;
 *  parts that are skipped count too. */
double es_net_flops(const es_net *net);

#endif
