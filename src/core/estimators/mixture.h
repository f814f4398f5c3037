/* Mixtures of Gaussians or Bernoulli products in double precision: densities with gradients, fitted
 * by expectation maximisation. The plain twin of head.h, and the marginal of richer conditionals.
 */
#ifndef ES_CORE_MIXTURE_H
#define ES_CORE_MIXTURE_H

#include <stddef.h>

#include "arena.h"
#include "estimator.h"
#include "rng.h"
#include "run.h"
#include "embedscope/status.h"

enum { ES_MODES_MAX = 64 };

/** log p(y) = logsumexp_k(log_softmax(logit)_k + e_k(y)) (the kernels of Pichler et al., ICML 2022,
 * d values a row): continuous  e = -(d/2) ln 2 pi + sum_j ln(s + 1e-8) - (s (y - location))^2 / 2
 * with s = exp(bend tanh(scale / bend)), an inverse standard deviation; binary      e = sum_j ln((y
 * ? mu : 1 - mu) + 1e-8), mu = sigmoid(bend location). */
typedef struct es_mixture {
    es_kind kind;
    size_t modes, d;
    double bend;      /* range of ln s, or slope of the sigmoid */
    double *location; /* (modes, d) */
    double *scale;    /* (modes, d); continuous only */
    double *logit;    /* (modes) */
} es_mixture;

/** log p(y), y (d). d_location, d_scale (modes, d) and d_logit (modes) get its derivatives; all
 * three NULL, or, for binary ones, d_scale alone. modes <= ES_MODES_MAX. */
double es_mixture_log(const es_mixture *mixture, const double *y, double *d_location,
                      double *d_scale, double *d_logit);

/** As above for float rows (n, d), densities only: out (n). */
void es_mixture_log_rows(const es_mixture *mixture, const float *rows, size_t n, double *row,
                         double *out);

/** Fit by EM to rows (n, d), started at rows drawn at random; arrays are the arena's. Stops when a
 *  round gains less than 1e-5 nats per dimension, after 100 rounds at the latest. Scales stay
 * within `bend`; Bernoulli means are drawn towards 1/2 by one half observation of each kind.
 *  ES_EINVAL: more modes than rows. O(n modes d) per round. */
es_status es_mixture_fit(es_kind kind, const float *rows, size_t n, size_t d, size_t modes,
                         double bend, es_rng *rng, es_arena *arena, es_run *run, es_mixture *out,
                         es_error *err);

#endif
