/* Training and evaluating a conditional density p(y | x): network, head, minibatches. */
#ifndef ES_CORE_TRAIN_H
#define ES_CORE_TRAIN_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "fold_data.h"
#include "head.h"
#include "net.h"
#include "rng.h"
#include "run.h"
#include "embedscope/status.h"

/** Rows to learn from or to evaluate. x is normalised per row if the first layer normalises. */
typedef struct es_sample {
    size_t n;
    const float *x;       /* (n, dx) */
    const float *y;       /* (n, d) */
    const float *offset;  /* (n, d) of es_head_batch; NULL: none */
    const uint32_t *turn; /* (n) row of y and offset that x goes with; NULL: its own. Evaluation
                             alone looks at it */
    /* What is too large to be kept is read a batch at a time, in place of x or y (then without
     * offset and turn): rows of this part. NULL: kept. */
    es_fold_reader *x_rows, *y_rows;
    es_part part;
} es_sample;

typedef struct es_trainable {
    es_head head;
    es_net net;
    es_net gate; /* makes the mixture's logits when n_layers > 0 */
    size_t batch, n;
    const float *widen;           /* (d) what evaluation adds to the log standard deviations of a
                                     single Gaussian mode; NULL: nothing */
    uint32_t *order;              /* (n) training rows, shuffled in place */
    float *x_batch;               /* (batch, dx) */
    float *y_batch;               /* (batch, d) of y_rows; NULL: there are none */
    float *d_bias, *d_logit_bias; /* widths of the outputs */
} es_trainable;

/** A network of these layers before `head`; the last one's `out` is set here. With `gate`, a second
 *  network of the same hidden layers makes the logits of the modes. Memory is the arena's:
 * parameters and activations of `batch` rows; n is the number of training rows. */
es_status es_model_init(es_trainable *model, const es_head *head, const es_layer *layers,
                        size_t n_layers, bool gate, size_t batch, size_t n, es_arena *arena,
                        es_error *err);

/** One pass over the rows in a new random order, the last batch as short as it comes. loss (may be
 *  NULL): mean over rows of the negative log density each batch had before its step. */
es_status es_model_epoch(es_trainable *model, const es_sample *sample, double rate, es_rng *rng,
                         es_run *run, double *loss, es_error *err);

/** Log densities (n) of the rows in order of x. */
es_status es_model_eval(es_trainable *model, const es_sample *sample, double *log_density,
                        es_run *run, es_error *err);

/** What a single Gaussian mode says of the rows, per listed column of the target: the mean of its
 *  log inverse standard deviations, and of its squared errors in units of its standard deviations.
 *  Both (d), 0 in other columns. */
es_status es_model_spread(es_trainable *model, const es_sample *sample, const uint32_t *columns,
                          size_t n_columns, double *log_scale, double *square, es_run *run,
                          es_error *err);

/** A mixture trained by Adam alone, without an x: parameters in the layout of a head's output. */
typedef struct es_marginal {
    es_head head;
    size_t width, batch, n;
    float *param, *moment1, *moment2, *d_param; /* (width) */
    float *zeros;                               /* (batch, width) */
    uint32_t *order;                            /* (n) */
    unsigned steps;
    es_fold_reader *rows; /* training rows are read from it a batch at a time; NULL: y is kept */
    float *y_batch;       /* (batch, d) of them */
} es_marginal;

/** The published start: locations and scales spread x standard normal, equal weights. */
es_status es_marginal_init(es_marginal *marginal, const es_head *head, double spread, size_t batch,
                           size_t n, es_rng *rng, es_arena *arena, es_error *err);
es_status es_marginal_epoch(es_marginal *marginal, const float *y, double rate, es_rng *rng,
                            es_run *run, es_error *err);
es_status es_marginal_eval(es_marginal *marginal, const float *y, size_t n, double *log_density,
                           es_run *run, es_error *err);

#endif
