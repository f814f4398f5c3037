/* The network of core_numerics.h written down plainly in double precision, one row at a time: the
 * value and the gradient that the fast one must have. Parameters lie in one block in the order of
 * es_layer_tensors. */
#ifndef TESTS_CORE_NET_TWIN_H
#define TESTS_CORE_NET_TWIN_H

#include <math.h>
#include <string.h>

#include "core_numerics.h"

enum { TWIN_WIDEST = 64 };

typedef struct twin_trace {
    double value[ES_NET_LAYERS][TWIN_WIDEST]; /* output of each layer after ReLU */
    double hat[ES_NET_LAYERS][TWIN_WIDEST];   /* normalised input of each layer */
    double factor[ES_NET_LAYERS];
} twin_trace;

static inline size_t twin_params(const es_layer *layers, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += (layers[i].norm ? 2 * layers[i].in : 0) + layers[i].out * (layers[i].in + 1);
    return count;
}

static inline void twin_forward(const es_layer *layers, size_t n, const double *p, const double *x,
                                twin_trace *t) {
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < n; i++) {
        const es_layer *l = layers + i;
        const double *in = i ? t->value[i - 1] : x;
        double mean = 0, var = 0;
        for (size_t j = 0; j < l->in; j++)
            mean += in[j] / (double)l->in;
        for (size_t j = 0; j < l->in; j++)
            var += (in[j] - mean) * (in[j] - mean) / (double)l->in;
        t->factor[i] = 1 / sqrt(var + 1e-5);
        for (size_t j = 0; j < l->in; j++)
            t->hat[i][j] = l->norm ? (in[j] - mean) * t->factor[i] : in[j];
        const double *gain = p, *shift = p + l->in, *w = p + (l->norm ? 2 * l->in : 0);
        for (size_t o = 0; o < l->out; o++) {
            double sum = w[l->out * l->in + o];
            for (size_t j = 0; j < l->in; j++)
                sum +=
                    w[o * l->in + j] * (l->norm ? t->hat[i][j] * gain[j] + shift[j] : t->hat[i][j]);
            t->value[i][o] = l->relu && sum < 0 ? 0 : sum;
        }
        p = w + l->out * (l->in + 1);
    }
}

/* Adds the gradient to g (laid out like p); d_out (out of the last layer). */
static inline void twin_backward(const es_layer *layers, size_t n, const double *p,
                                 const double *d_out, const twin_trace *t, double *g) {
    double d[TWIN_WIDEST], below[TWIN_WIDEST];
    memcpy(d, d_out, layers[n - 1].out * sizeof *d);
    for (size_t i = n; i-- > 0;) {
        const es_layer *l = layers + i;
        size_t first = twin_params(layers, i), at = first + (l->norm ? 2 * l->in : 0);
        const double *gain = p + first, *shift = p + first + l->in, *w = p + at;
        memset(below, 0, sizeof below);
        for (size_t o = 0; o < l->out; o++) {
            if (l->relu && !(t->value[i][o] > 0))
                d[o] = 0;
            g[at + l->out * l->in + o] += d[o];
            for (size_t j = 0; j < l->in; j++) {
                double in = l->norm ? t->hat[i][j] * gain[j] + shift[j] : t->hat[i][j];
                g[at + o * l->in + j] += d[o] * in;
                below[j] += d[o] * w[o * l->in + j];
            }
        }
        if (l->norm) {
            double mean = 0, along = 0;
            for (size_t j = 0; j < l->in; j++) {
                g[first + j] += below[j] * t->hat[i][j];
                g[first + l->in + j] += below[j];
                below[j] *= gain[j];
                mean += below[j] / (double)l->in;
                along += below[j] * t->hat[i][j] / (double)l->in;
            }
            for (size_t j = 0; j < l->in; j++)
                below[j] = t->factor[i] * (below[j] - mean - t->hat[i][j] * along);
        }
        memcpy(d, below, sizeof d);
    }
}

#endif
