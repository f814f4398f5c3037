/* The last step of a density network: from its output block to log densities and the block's own
 * gradient, in one pass. A row of output is [mode 0 | mode 1 | ... | logits], a mode being d means
 * and d log inverse scales (continuous) or d logits (binary); with one mode there are no logits. */
#ifndef ES_CORE_HEAD_H
#define ES_CORE_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mixture.h"
#include "simd.h"

typedef enum es_head_kind {
    ES_HEAD_GAUSS,     /* mixture of Gaussians as in mixture.h */
    ES_HEAD_BERNOULLI, /* mixture of Bernoulli products as in mixture.h */
    ES_HEAD_SQUARE     /* one mode: minus the sum of squared errors; no density */
} es_head_kind;

typedef struct es_head {
    es_head_kind kind;
    size_t modes, d;
    double bend; /* as in es_mixture; not used by ES_HEAD_SQUARE */
    const es_simd *simd;
} es_head;

/** One batch. What it points to is borrowed for the call. */
typedef struct es_head_batch {
    size_t n;
    float *out;              /* (n, es_head_width) without its bias; becomes the gradient */
    const float *bias;       /* (es_head_width) */
    float *logit;            /* (n, modes) when another network makes them, else NULL */
    const float *logit_bias; /* (modes) */
    const float *y;          /* targets (any, d) */
    const float *offset;     /* (any, d) added to binary logits, or to the log inverse scales of a
                                Gaussian before they are bent; NULL: none */
    const uint32_t *rows;    /* (n) rows of y and offset; NULL: 0, 1, 2 ... */
    float *d_bias;           /* (es_head_width) gradient; NULL: evaluate, leave `out` alone */
    float *d_logit_bias;     /* (modes) when `logit` is given */
    double *log_density;     /* (n); may be NULL */
    unsigned char *live; /* (n, modes) set to 0 where a mode's gradient is zero and is not written;
                            NULL: it is written everywhere */
} es_head_batch;

/** Values in a row of output. */
size_t es_head_width(const es_head *head, bool own_logits);

/** Sum over rows of log p(y | x). The gradient is that of the mean negative log density. */
double es_head_eval(const es_head *head, const es_head_batch *batch);

#endif
