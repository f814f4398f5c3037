/* The contrastive Mutual Information Machine (cMIM): an auto-encoder with a noisy code whose rows
 * are also distinguished by their angles, trained without labels. Its code and its decoder's hidden
 * layer are embedders.
 *
 *   cmim.h         this: shapes, objectives
 *   cmim_net.h     networks in single precision and, for tests, in double
 *   cmim_train.h   settings with names, columns brought to one scale, training from any state
 *
 * Encoder x (d) -> hidden (h) ... -> mean and log variance of the code (k); z = mu + sd noise;
 * decoder z -> hidden (h) ... -> x. What is maximised, a row (Livne, "cMIM: a contrastive mutual
 * information framework", 2025, eq. 4 and 9):
 *
 *   log p(x|z) + weight log p_k + (log q(z|x) + log N(z; 0, I)) / 2,
 *   p_k = sigmoid(1/tau - log mean_j exp(cos(z, z_j) / tau)) over the other rows j of the batch.
 *
 * Without the contrastive term this is MIM; with log N - log q in place of the half sum, a VAE;
 * with the first term alone and no noise, an auto-encoder. Constants are kept, sums are over
 * columns. VAE and auto-encoder may have the contrastive term as well (the paper's ablations). A
 * Gaussian decoder has variance 1, or one that is learned. */
#ifndef EMBEDSCOPE_CMIM_H
#define EMBEDSCOPE_CMIM_H

#include "core_numerics.h"

typedef enum es_cmim_mode {
    ES_CMIM,
    ES_CMIM_MIM,
    ES_CMIM_VAE,
    ES_CMIM_AE,
    /* No decoder and no noise: two views of each row, told from those of other rows by the
     * symmetrised InfoNCE loss (van den Oord et al. 2018). A batch is its first views, then its
     * second ones. */
    ES_CMIM_INFONCE,
    ES_CMIM_CVAE, /* a VAE and */
    ES_CMIM_CAE,  /* an auto-encoder with the contrastive term */
    ES_CMIM_MODES
} es_cmim_mode;

enum { ES_CMIM_LAYERS = 4, ES_CMIM_TENSORS = 4 * ES_CMIM_LAYERS + 7, ES_CMIM_NAME = 32 };

typedef struct es_cmim_shape {
    size_t d, h, k;
    size_t layers;  /* hidden ones on either side, 1 to ES_CMIM_LAYERS */
    bool relu;      /* hidden layers: max(0, .) instead of tanh */
    bool bernoulli; /* x in [0, 1] and the decoder gives log odds; else Gaussian */
    bool learned;   /* the Gaussian's variance, one of all columns; else it is 1 */
} es_cmim_shape;

typedef struct es_cmim_goal {
    es_cmim_mode mode;
    double tau, weight; /* of the contrastive term */
    double floor;       /* of log variances, below which they have no gradient */
} es_cmim_goal;

/** The contrastive term of codes beside a decoder. */
static inline bool es_cmim_contrasts(es_cmim_mode mode) {
    return mode == ES_CMIM || mode == ES_CMIM_CVAE || mode == ES_CMIM_CAE;
}

/** The code has noise, and so a variance. */
static inline bool es_cmim_has_noise(es_cmim_mode mode) {
    return mode != ES_CMIM_AE && mode != ES_CMIM_CAE && mode != ES_CMIM_INFONCE;
}

/** One array of parameters: weights (rows, columns) that stand to the right of what they multiply,
 *  x W + b, or a bias (columns) with rows 0. */
typedef struct es_cmim_tensor {
    char name[ES_CMIM_NAME];  /* "encoder.0.weight", "mu.bias", "decoder.1.weight", "output.bias" */
    size_t rows, columns, at; /* at: its place in the block of parameters */
} es_cmim_tensor;

/** Fills out (ES_CMIM_TENSORS) in the order encoder, mu, logvar, decoder, output, each a weight and
 *  a bias, and where it is learned the log variance of the output, "output.logvar" (1). Returns how
 *  many, and through n_params the size of their block. */
size_t es_cmim_tensors(const es_cmim_shape *shape, es_cmim_tensor *out, size_t *n_params);

/** Means over the rows of a batch, in nats. */
typedef struct es_cmim_parts {
    double loss;
    double reconstruction; /* log p(x|z) */
    double contrastive;    /* log p_k; of ES_CMIM_INFONCE minus the loss */
    double log_q, log_p;   /* of the code given x, and under N(0, I) */
    double cosine;         /* over pairs of different codes */
} es_cmim_parts;

#endif
