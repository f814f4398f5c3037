/* Which arrays a network of cMIM has, in which order they lie, and what they are called. */
#include "cmim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmim_net.h"

/* Appends the weight and bias of one layer and moves *at behind them. */
static void put_layer(es_cmim_tensor *out, size_t *count, size_t *at, const char *name, size_t in,
                      size_t width) {
    es_cmim_tensor *weight = &out[(*count)++], *bias = &out[(*count)++];
    *weight = (es_cmim_tensor){.rows = in, .columns = width, .at = *at};
    *bias = (es_cmim_tensor){.columns = width, .at = *at + in * width};
    (void)snprintf(weight->name, sizeof weight->name, "%s.weight", name);
    (void)snprintf(bias->name, sizeof bias->name, "%s.bias", name);
    *at += (in + 1) * width;
}

size_t es_cmim_tensors(const es_cmim_shape *s, es_cmim_tensor *out, size_t *n_params) {
    size_t count = 0, at = 0;
    char name[20];
    for (size_t l = 0; l < s->layers; l++) {
        (void)snprintf(name, sizeof name, "encoder.%u", (unsigned)l);
        put_layer(out, &count, &at, name, l > 0 ? s->h : s->d, s->h);
    }
    put_layer(out, &count, &at, "mu", s->h, s->k);
    put_layer(out, &count, &at, "logvar", s->h, s->k);
    for (size_t l = 0; l < s->layers; l++) {
        (void)snprintf(name, sizeof name, "decoder.%u", (unsigned)l);
        put_layer(out, &count, &at, name, l > 0 ? s->h : s->k, s->h);
    }
    put_layer(out, &count, &at, "output", s->h, s->d);
    if (s->learned)
        out[count++] = (es_cmim_tensor){.name = "output.logvar", .columns = 1, .at = at++};
    *n_params = at;
    return count;
}

/* Networks of cMIM in single precision: products by OpenBLAS, functions by the vector kernels. */

/* Some 20 ms of a slow core. */
enum { PRODUCT = 1 << 28 };

#define REAL float
#define NET(name) es_cmim_net##name

static void gemm(bool add, bool turn_a, bool turn_b, size_t m, size_t n, size_t k, const float *a,
                 const float *b, float *c) {
    if (turn_b)
        es_sgemm_turned(m, n, k, a, b, c);
    else if (add)
        es_sgemm_add(turn_a, m, n, k, 1, a, b, c);
    else
        es_sgemm(turn_a, m, n, k, 1, a, b, c);
}

static void map_tanh(const es_cmim_net *net, float *x, size_t n) {
    net->simd->tanh(x, x, n);
}

static void map_exp(const es_cmim_net *net, float *x, size_t n) {
    net->simd->exp(x, x, n);
}

static void map_log(const es_cmim_net *net, float *x, size_t n) {
    net->simd->log(x, x, n);
}

#include "cmim_net_body.h"
