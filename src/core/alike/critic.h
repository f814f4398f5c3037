/* A critic of two embedders: trained to tell row i of one with row i of the other from row i with
 * any other, by the symmetrised InfoNCE loss over a batch.
 *
 * Each side has a tower: a linear map to h columns, or one hidden ReLU layer before it, or none
 * where the rows are taken as they come. s_ij is exp(t) times the cosine of the towers' outputs, or
 * of a bilinear critic their plain product. Products are OpenBLAS's in single precision, sums in
 * double. */
#ifndef ES_CORE_CRITIC_H
#define ES_CORE_CRITIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simd.h"
#include "embedscope/status.h"

typedef enum es_critic_kind { ES_CRITIC_COSINE, ES_CRITIC_BILINEAR, ES_CRITIC_MLP } es_critic_kind;

typedef struct es_critic_shape {
    es_critic_kind kind;
    size_t d[2];   /* columns of either side */
    size_t h;      /* of the towers' outputs */
    size_t hidden; /* of ES_CRITIC_MLP */
    bool fixed;    /* the second side has no tower: d[1] == h */
} es_critic_shape;

/** Parameters: the towers of both sides, each [weight (d, h)] or [weight (d, hidden), bias
 *  (hidden), weight (hidden, h)], then t. */
size_t es_critic_params(const es_critic_shape *shape);

/** 1 / exp(t) stays within these. */
extern const double es_critic_coldest, es_critic_warmest;

typedef struct es_critic {
    es_critic_shape shape;
    size_t batch, n_params;
    float *param, *grad, *moment1, *moment2; /* (n_params) */
    unsigned steps;
    const es_simd *simd;
    float *out[2], *unit[2], *length[2]; /* (batch, h), (batch, h), (batch) of a batch */
    float *hidden[2];                    /* (batch, hidden) */
    float *s, *turned, *share;           /* (batch, batch) */
    float *wide;                         /* scratch */
} es_critic;

/** For batches of up to `batch` rows. ES_EINVAL: fewer than 2 rows, or a fixed side of another
 *  width; parameters are undefined until es_critic_random. */
es_status es_critic_new(const es_critic_shape *shape, size_t batch, const es_simd *simd,
                        es_critic **out, es_error *err);
void es_critic_free(es_critic *critic);

/** Normal weights of variance 1 over their inputs, by seed; sides of the same width start alike.
 *  exp(t) is 1 / temperature. Clears Adam. */
void es_critic_random(es_critic *critic, uint64_t seed, double temperature);

/** Turns the second side's map round where images of matching rows are opposite at the start, by
 *  their mean cosine, so that v and -v are learnt alike: the maps of u and -u would move alike for
 *  ever, and matching rows score least. u (rows, d[0]), v (rows, d[1]). Not of a fixed side, nor of
 *  ES_CRITIC_MLP. */
void es_critic_face(es_critic *critic, const float *u, const float *v, size_t rows);

/** u (rows, d[0]), v (rows, d[1]); the scores (rows, rows) are valid until the next call. */
const float *es_critic_scores(es_critic *critic, const float *u, const float *v, size_t rows);

/** The symmetrised InfoNCE loss of a batch: log rows less what it shows of the information. */
double es_critic_loss(es_critic *critic, const float *u, const float *v, size_t rows);

/** The same; its gradient goes to critic->grad. */
double es_critic_gradient(es_critic *critic, const float *u, const float *v, size_t rows);

/** One step of Adam (0.9, 0.999, 1e-8) along critic->grad; weights first shrink by rate * decay. */
void es_critic_step(es_critic *critic, double rate, double decay);

/** The same loss in double by plain loops; gradient (n_params) and scores (rows, rows) may be NULL.
 *  NaN: out of memory. */
double es_critic_loss_ref(const es_critic_shape *shape, const double *param, const double *u,
                          const double *v, size_t rows, double *gradient, double *scores);

#endif
