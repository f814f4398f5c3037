/* Networks of cMIM in double by plain functions: what the other precision must agree with, and what
 * references and finite differences are held against. */
#include <math.h>
#include <string.h>

#include "cmim_net.h"

enum { PRODUCT = 1 << 28 };

#define REAL double
#define NET(name) es_cmim_twin##name

static void gemm(bool add, bool turn_a, bool turn_b, size_t m, size_t n, size_t k, const double *a,
                 const double *b, double *c) {
    (void)add; /* batches of tests are one piece */
    es_dgemm_ref(turn_a, turn_b, m, n, k, a, b, c);
}

static void map_tanh(const es_cmim_twin *net, double *x, size_t n) {
    (void)net;
    for (size_t i = 0; i < n; i++)
        x[i] = tanh(x[i]);
}

static void map_exp(const es_cmim_twin *net, double *x, size_t n) {
    (void)net;
    for (size_t i = 0; i < n; i++)
        x[i] = exp(x[i]);
}

static void map_log(const es_cmim_twin *net, double *x, size_t n) {
    (void)net;
    for (size_t i = 0; i < n; i++)
        x[i] = log(x[i]);
}

#include "cmim_net_body.h"
