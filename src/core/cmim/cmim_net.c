/* Networks of cMIM in single precision: products by OpenBLAS, functions by the vector kernels. */
#include "cmim_net.h"

#include <math.h>
#include <string.h>

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
