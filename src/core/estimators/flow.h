/* Affine coupling flows (RealNVP: Dinh, Sohl-Dickstein and Bengio, ICLR 2017), of rows x alone or
 * given a condition c: log densities that are exact, gradients written by hand, Adam.
 *
 * From data to a standard normal, coupling after coupling:
 *   actnorm    x <- exp(a) (x - b), a and b a value a column (Kingma and Dhariwal, NeurIPS 2018)
 *   coupling   of the columns one half is kept, the other moved:
 *              x_moved <- exp(s) (x_moved - m),   (m, s) = network(clip(x_kept), c)
 *              s = range tanh(s' / range)
 *   log p(x | c) = log N(z; 0, I) + sum a + sum s
 * Which half is kept alternates; every other coupling halves the columns anew, in a seeded order,
 * so that all meet all. The networks' last layers start at zero and actnorm at one: before training
 * the flow is the identity, and log p that of a standard normal.
 *
 * Rows in float, log densities in double. Memory is the arena's; nothing is allocated after
 * es_flow_init. */
#ifndef ES_CORE_FLOW_H
#define ES_CORE_FLOW_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "net.h"
#include "rng.h"
#include "run.h"
#include "simd.h"
#include "embedscope/status.h"

enum { ES_FLOW_COUPLINGS = 16 };

typedef struct es_flow_shape {
    size_t d;      /* columns of x */
    size_t c;      /* columns of the condition; 0: none */
    size_t hidden; /* units of a coupling's network */
    size_t couplings;
    double range; /* |s| and |a| of one coupling stay below it */
    double clip;  /* what a network sees of a kept column is limited to +-clip */
} es_flow_shape;

typedef struct es_coupling {
    size_t kept, moved;       /* columns */
    const uint32_t *columns;  /* (d) the kept ones, then the moved ones */
    es_net net;               /* (kept + c) -> hidden -> m, s' (2 moved) */
    float *act, *act1, *act2; /* (2 d) raw a, then b; Adam's moments */
    float *in;                /* (batch, kept + c) what the network sees */
    float *x;                 /* (batch, d) the state behind actnorm, */
    float *y;                 /* (batch, moved) and what the moved columns became */
    float *bent, *grow;       /* (batch, moved) tanh(s' / range), exp(s) */
} es_coupling;

typedef struct es_flow {
    es_flow_shape shape;
    const es_simd *simd;
    size_t batch, n_params;
    unsigned steps; /* of Adam */
    es_coupling coupling[ES_FLOW_COUPLINGS];
    float *d_x, *d_out, *d_in; /* (batch, d), (batch, 2 d), (batch, d) */
    float *sum, *d_act;        /* (2 d) */
    float *c;                  /* (batch, c) conditions of a batch */
    double *log_density;       /* (batch) */
} es_flow;

/** Rows to learn from or to evaluate: x (n, d), c (n, c) or NULL when there is no condition. */
typedef struct es_flow_rows {
    size_t n;
    const float *x, *c;
} es_flow_rows;

/** The flow before training; `rng` draws its networks and halves. `batch`: most rows at a time. */
es_status es_flow_init(es_flow *flow, const es_flow_shape *shape, size_t batch, es_rng *rng,
                       es_arena *arena, es_run *run, es_error *err);

/** One step of Adam (0.9, 0.999, 1e-8) on the mean of -log p over the listed rows, at most a batch;
 *  returns the sum of log p before it. */
double es_flow_step(es_flow *flow, const es_flow_rows *rows, const uint32_t *list, size_t count,
                    double rate);

/** Steps over all rows in a new random order (order (n), any permutation, is shuffled), the last
 *  batch as short as it comes. */
es_status es_flow_epoch(es_flow *flow, const es_flow_rows *rows, uint32_t *order, double rate,
                        es_rng *rng, es_run *run, es_error *err);

/** log p(x | c) per row, (n). turn (n), or NULL: row i reads the condition of row turn[i]. z (n,
 * d), or NULL: what the rows became. */
es_status es_flow_eval(es_flow *flow, const es_flow_rows *rows, const uint32_t *turn, float *z,
                       double *log_density, es_run *run, es_error *err);

/** Copy all parameters out, or back in. (n_params) */
void es_flow_save(const es_flow *flow, float *out);
void es_flow_load(es_flow *flow, const float *in);

#endif
