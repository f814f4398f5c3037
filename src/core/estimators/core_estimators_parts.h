/* What estimators are made of: mixtures, heads, flows and their training. */
#ifndef ES_CORE_ESTIMATORS_PARTS_H
#define ES_CORE_ESTIMATORS_PARTS_H

#include "core_estimators.h"

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
                       es_arena *arena, const es_run *run, es_error *err);

/** One step of Adam (0.9, 0.999, 1e-8) on the mean of -log p over the listed rows, at most a batch;
 *  returns the sum of log p before it. */
double es_flow_step(es_flow *flow, const es_flow_rows *rows, const uint32_t *list, size_t count,
                    double rate);

/** log p(x | c) per row, (n). turn (n), or NULL: row i reads the condition of row turn[i]. z (n,
 * d), or NULL: what the rows became. */
es_status es_flow_eval(es_flow *flow, const es_flow_rows *rows, const uint32_t *turn, float *z,
                       double *log_density, const es_run *run, es_error *err);

/** Copy all parameters out, or back in. (n_params) */
void es_flow_save(const es_flow *flow, float *out);
void es_flow_load(es_flow *flow, const float *in);

/* A flow trained until validation rows stop gaining. */

typedef struct es_flow_plan {
    double rate;
    unsigned epochs, patience;
    es_run *shown; /* where epochs and losses are shown; NULL: nowhere */
} es_flow_plan;

typedef struct es_flow_fitted {
    unsigned epoch; /* whose state is kept; 0: the one before training */
    double *before; /* (validation rows) log densities before training */
    double *now;    /* and in the kept state */
    double gain;    /* how clearly they gain, in standard errors */
    float *start;   /* (n_params) the state before training */
} es_flow_fitted;

/** At most plan->epochs passes over `train`, ended by plan->patience of them without a higher mean
 *  log density of `val`; the flow is left in its best state. Arrays are the arena's. */
es_status es_flow_fit(es_flow *flow, const es_flow_rows *train, const es_flow_rows *val,
                      const es_flow_plan *plan, es_rng *rng, es_arena *arena, const es_run *run,
                      es_flow_fitted *out, es_error *err);

/* Whether validation rows gain by a richer model. */

/** How clearly n rows gain from log density `before` to `now`, in standard errors: by the mean gain
 *  or by the share of rows that gain, whichever is clearer. The first sees rare large gains, the
 *  second is not blinded by one wild row. Not above 0 when the mean gain is not. *mean: of now. */
/** A gain above this many standard errors is no luck. */
#define ES_CLEAR_GAIN 2.0

double es_gain_over(const double *before, const double *now, size_t n, double *mean);

/* Mixtures of Gaussians or Bernoulli products in double precision: densities with gradients, fitted
 * by expectation maximisation. The plain twin of head.c, and the marginal of richer conditionals.
 */

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

/* The last step of a density network: from its output block to log densities and the block's own
 * gradient, in one pass. A row of output is [mode 0 | mode 1 | ... | logits], a mode being d means
 * and d log inverse scales (continuous) or d logits (binary); with one mode there are no logits. */

typedef enum es_head_kind {
    ES_HEAD_GAUSS,     /* mixture of Gaussians as in mixture.c */
    ES_HEAD_BERNOULLI, /* mixture of Bernoulli products as in mixture.c */
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

/* What the two recipes of the `knife` estimator share: its settings and its states. */

enum { ES_KNIFE_REFINED, ES_KNIFE_PUBLISHED };
enum { ES_KNIFE_TARGET_POOL, ES_KNIFE_TARGET_CONTINUOUS, ES_KNIFE_TARGET_BINARY };

/** Indices of the settings. */
enum {
    ES_KNIFE_RECIPE,
    ES_KNIFE_TARGET,
    ES_KNIFE_MODES,
    ES_KNIFE_HIDDEN,
    ES_KNIFE_LAYERS,
    ES_KNIFE_LR,
    ES_KNIFE_BATCH,
    ES_KNIFE_EPOCHS,
    ES_KNIFE_PATIENCE,
    ES_KNIFE_RANGE,
    ES_KNIFE_CLIP,
    ES_KNIFE_FOLDS,
    ES_KNIFE_MARGINAL_MODES,
    ES_KNIFE_MARGINAL_LR,
    ES_KNIFE_MARGINAL_EPOCHS,
    ES_KNIFE_LR_OUT,
    ES_KNIFE_WORSE,
    ES_KNIFE_SETTINGS
};

/** Slope of the sigmoid of Bernoulli means (the published kernel's temperature). */
#define ES_KNIFE_SLOPE 10.0

/* Of its fold states the refined recipe has data and ridge of sources, log p(v) of validation and
 * test rows of targets. The published one has a single fold that holds all rows as training rows:
 * of sources every row normalised, ready for a network, of targets log p(v) of all rows. */

/** Values of a target beyond so many standard deviations are noted where they are not limited. */
#define ES_KNIFE_WILD 20.0

/** True if the values choose the published recipe. */
bool es_knife_published(const double *values);

/** Are rows of so many columns too many to keep, and can do without: a source's that has no more of
 *  them than training rows, a target's that is not binary and whose
 *  marginal is of one mode or trained? */
bool es_knife_streams_source(const es_problem *problem, size_t columns);
bool es_knife_streams_target(const es_problem *problem, size_t columns, es_kind kind);
/** A target holds 0 and 1, by the settings or by what the pool says of it. */
bool es_knife_binary(const es_problem *problem, es_kind kind);

/** Least variance of a Gaussian: exp(-2 range). */
double es_knife_least_variance(const es_problem *problem);

/** Standardised rows of fold k, kept or `streamed`. */
es_status es_knife_load(const es_problem *problem, const es_rows *rows, size_t k, double clip,
                        bool streamed, es_run *run, es_fold_data **out, es_error *err);

/** The head that a pair's network, or a marginal of `modes` modes, needs for this target. */
es_head es_knife_head(const es_problem *problem, const es_fold_state *target, size_t modes);

/* The two recipes of the `knife` estimator.
 *
 *   est_knife.c        settings, presets, the choice of a recipe
 *   knife_refined.c    preset `default`: the ridge solution refined by a density network, held out
 *   knife_published.c  what the recipes share, and presets `paper-*`: the method of the paper as
 * its authors ran it, in-sample
 */

/** Fill target->marginal of a fold. */
es_status es_knife_refined_marginal(const es_problem *problem, uint64_t id, es_fold_state *target,
                                    es_arena *arena, es_run *run, es_error *err);
es_status es_knife_published_marginal(const es_problem *problem, uint64_t id, es_fold_state *target,
                                      es_arena *arena, es_run *run, es_error *err);

/** Estimates a pair; as es_estimator.pair. */
es_status es_knife_refined_pair(const es_problem *problem, const es_fold_states *source,
                                const es_fold_states *target, uint64_t stream, es_arena *arena,
                                es_run *run, es_pair_result *out, es_error *err);
es_status es_knife_published_pair(const es_problem *problem, const es_fold_states *source,
                                  const es_fold_states *target, uint64_t stream, es_arena *arena,
                                  es_run *run, es_pair_result *out, es_error *err);

/* Columns of a source in blocks, and how often they repeat each other. */

/** Columns of a source with more of them than training rows, at once. */
enum { ES_RIDGE_COLUMNS = 256 };
/** Fills block (result, n_train) with the centred training columns from j on, each times its weight
 *  (NULL: 1), at most ES_RIDGE_COLUMNS. The source is kept. */
size_t es_ridge_columns(const es_fold_data *source, const double *mean, const double *weight,
                        size_t j, double *block);

/** Weights weight (d) of columns, m^-1/2 for the multiplicity m_j = sum_k |r_jk|^16 over
 *  correlations of training columns: a column that is there ten times counts once.
 *  From the lower triangle of the covariance, which becomes that of the weighted columns. O(d^2).
 */
void es_ridge_count_once(size_t d, double *covariance, double *weight);
/** The same weights without room for (d, d), in blocks of columns. O(n d^2). */
es_status es_ridge_count_columns(const es_fold_data *source, const double *mean, double *weight,
                                 es_run *run, es_error *err);

/* Training and evaluating a conditional density p(y | x): network, head, minibatches. */

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
