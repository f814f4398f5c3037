/* What estimators share that others call: fold states, ridge factors, costs. */
#ifndef ES_CORE_ESTIMATORS_H
#define ES_CORE_ESTIMATORS_H

#include "core_numerics.h"

/* What the parts that estimators are made of take: rows, a ridge, a network. Every estimator puts
 * its own together (es_estimator.cost); es_estimator_cost asks it. This one model of a pair's cost
 * is what the queue orders by, what shares of a pool are cut by, what the time that is left is
 * predicted by, what a plan says before it starts and what memory is reserved by. */

/** Epochs until a network stops that may stop by itself: by patience alone, and by a loss that has
 * become worse by standard errors; about the means over three real pools. */
enum { ES_COST_EPOCHS = 12, ES_COST_EPOCHS_WORSE = 5 };

/** The cost of a pair by any estimator. */
es_cost es_estimator_cost(const es_estimator *estimator, const es_problem *problem,
                          es_pair_shape shape);

/** How an estimator uses ridge regression. */
typedef struct es_cost_ridge {
    bool source_rows;                      /* a source's standardised rows are kept beside it */
    bool residuals;                        /* of all training rows, and all predictions */
    bool source_streamed, target_streamed; /* rows are read again for each pair */
} es_cost_ridge;

/** Sources with their factor, targets with their rows, and the fit of a pair. */
es_cost es_cost_of_ridge(const es_problem *problem, es_pair_shape shape, es_cost_ridge how);

/** Both sides as standardised rows alone. */
es_cost es_cost_of_rows(const es_problem *problem, es_pair_shape shape, bool source_streamed,
                        bool target_streamed);

/** A network of `layers` hidden layers and its training on every fold's training rows. */
typedef struct es_cost_network {
    double in, hidden, layers, out, batch, epochs;
    bool all_rows; /* trains on all rows, and evaluates them, once */
} es_cost_network;

/** Adds it to the pair. */
void es_cost_add_network(const es_problem *problem, const es_cost_network *network, es_cost *cost);

/** True if an embedder of so many columns takes more memory than the problem allows to keep. */
bool es_is_too_large(const es_problem *problem, size_t columns);

/* The rows of one embedder as estimators see them: split into folds and standardised. */

/** One embedder's rows for one fold, standardised by the training rows' mean and (population)
 *  standard deviation; columns that are constant on the training rows are left out. */
typedef struct es_fold_data {
    size_t n_train, n_val, n_test;
    size_t d;          /* columns kept */
    float *train;      /* (n_train, d); val and test follow in the same block; NULL: streamed */
    float *val, *test; /* (n_val, d), (n_test, d) */
    uint32_t *column;  /* (d) index of each kept column in the embedder */
    double *mean, *sd; /* (d) of the training rows, in the embedder's units */
    double *centre;    /* (d) that es_fold_data_centre has taken off; NULL: nothing */
    double *spread;    /* (d) mean square of what is left on the training rows; NULL: 1 */
    double *square;    /* (d) mean square of the training rows as they are; NULL: not asked for */
    float *low, *high; /* (d) range of the training rows; NULL: not asked for */
    size_t limited;    /* columns that es_fold_data_limits found limited in some row */
    es_rows rows;      /* where they come from */
    double clip;
    const es_fold *fold; /* which rows; NULL unless streamed */
    double unit;         /* streamed: standardised values are divided by it at last; 0: not */
    bool normal;         /* streamed: and each row is normalised (core_numerics.h) */
    es_fold all;         /* owned, where `fold` is it: all rows are training rows */
} es_fold_data;

/** clip > 0 limits standardised values to [-clip, clip] (sources); 0 leaves them (targets).
 *  ES_ENONFINITE names row and column; ES_EINVAL when every column is constant. O(n d). */
es_status es_fold_data_new(const es_rows *rows, const es_fold *fold, double clip, es_run *run,
                           es_fold_data **out, es_error *err);
/** The same without keeping the rows, for those that memory has no room for: they are read and
 *  standardised anew each time, which gives the same bits. `fold` and what `rows` refers to must
 *  outlive it. */
es_status es_fold_data_stream(const es_rows *rows, const es_fold *fold, double clip, es_run *run,
                              es_fold_data **out, es_error *err);
/** The same of all rows, as training rows. */
es_status es_fold_data_stream_all(const es_rows *rows, double clip, es_run *run, es_fold_data **out,
                                  es_error *err);
/** Where clipping has moved a column's mean, takes it off again, and notes how much of its variance
 *  of 1 is left: a marginal that did not know would lend each source the gain. */
es_status es_fold_data_centre(es_fold_data *data, es_run *run, es_error *err);
/** Limits and centres are set: notes the range of each training column, and how many columns have a
 *  limited value in some row. O(n d). */
es_status es_fold_data_limits(es_fold_data *data, es_run *run, es_error *err);
/** Returns the variance of column j's marginal, N(0, m_j): what limiting and centring have left of
 *  its variance of 1, at least `floor`. It is of the same family as a conditional and on the same
 *  training rows, so that what limiting has taken is not information. */
double es_fold_data_prior(const es_fold_data *data, size_t j, double floor);
/** Returns how many columns have a spread below `floor`: they are active in too few rows to show
 *  all that a source knows of them. */
size_t es_fold_data_rare(const es_fold_data *data, double floor);
/** Notes the mean squares of the training rows, for a target that is fitted many times. */
es_status es_fold_data_square(es_fold_data *data, es_run *run, es_error *err);
void es_fold_data_free(es_fold_data *data);
size_t es_fold_data_bytes(const es_fold_data *data);

/** Rows of all parts. */
size_t es_fold_data_rows(const es_fold_data *data);

typedef enum es_part { ES_PART_TRAIN, ES_PART_VAL, ES_PART_TEST } es_part;
size_t es_fold_data_count(const es_fold_data *data, es_part part);

/** Rows are worked through in blocks of so many, kept or streamed: sums over them are the same, and
 *  a pool of at most so many training rows is summed in one go. */
enum { ES_FOLD_BLOCK = 8192 };
/** Rows of the block that begins at `start` of n. */
size_t es_fold_block(size_t start, size_t n);

/** Reads standardised rows of either kind, blocks and single ones. One thread each. */
typedef struct es_fold_reader {
    const es_fold_data *data;
    double *buffer; /* for conversion; NULL when rows are kept */
    float *block;   /* (ES_FOLD_BLOCK, d) */
} es_fold_reader;

es_status es_fold_reader_init(es_fold_reader *reader, const es_fold_data *data, es_arena *arena,
                              es_error *err);
/** *out (count, d), count <= ES_FOLD_BLOCK: standardised rows from `start` of a part, until the
 * next call. */
es_status es_fold_reader_read(es_fold_reader *reader, es_part part, size_t start, size_t count,
                              es_run *run, const float **out, es_error *err);
/** out (count, d): the listed rows of a part; NULL: those from `start` on. Any count. */
es_status es_fold_reader_gather(es_fold_reader *reader, es_part part, const uint32_t *list,
                                size_t start, size_t count, es_run *run, float *out, es_error *err);

/* Ridge regression with one factorisation per source: the ground on which the `linear` and `knife`
 * estimators stand. Float32 storage, float64 sums. */

/** Factor of one source on one fold: eigenvectors of its training covariance (or of the Gram matrix
 *  when it has more columns than training rows), shared over all targets and penalties. */
typedef struct es_ridge es_ridge;

/** What a factor is made for. */
typedef struct es_ridge_plan {
    bool chosen;    /* fits choose their penalty: the leverage of validation and test rows */
    bool residuals; /* leave-one-out residuals: the leverage of training rows */
    bool once;      /* columns that repeat each other count once (es_ridge_multiplicity) */
    double least;   /* directions with less than this share of the largest variance are dropped; 0:
                       rounding alone */
} es_ridge_plan;

/** Borrows nothing from a source whose rows are kept; a streamed one must outlive it: its
 *  coordinates are computed again for each fit. O(n d^2 + d^3), d = min(columns, n_train); with
 *  `once` O(n columns^2). */
es_status es_ridge_new(const es_fold_data *source, const es_ridge_plan *plan, es_run *run,
                       es_ridge **out, es_error *err);
void es_ridge_free(es_ridge *ridge);
size_t es_ridge_bytes(const es_ridge *ridge);
/** Rank kept: directions with an eigenvalue above rounding. */
size_t es_ridge_rank(const es_ridge *ridge);

/** The grid of penalties, in units of a standardised column's variance: 1e-3 ... 1e3. */
enum { ES_RIDGE_GRID = 10 };
extern const double es_ridge_grid[ES_RIDGE_GRID];

/** Returns the sum of the variances of all directions. */
double es_ridge_total(const es_ridge *ridge);

/** How to fit one target. */
typedef struct es_ridge_how {
    double lambda; /* NAN: chosen, and judged on the validation rows */
    double floor;  /* least variance of a residual */
    double
        clear;   /* gain of validation rows, in standard errors, that a slope must exceed; 0: 0.5 */
    double rest; /* least share of the residuals' degrees of freedom, 1 - df / n; 0: 1e-6 */
} es_ridge_how;

/** A fitted mean for one target; all arrays are in the arena given to es_ridge_fit. */
typedef struct es_ridge_result {
    double lambda;   /* INFINITY: the mean alone, the pair is silent */
    double *loo_var; /* (dv) generalised leave-one-out variance, not floored; of a silent pair the
                        marginal's */
    struct es_ridge_fitted *fitted; /* for es_ridge_predict; one thread each */
} es_ridge_result;

/** Predictions of all rows, for training on them. */
typedef struct es_ridge_rows {
    float *loo;       /* (n_train, dv) leave-one-out residuals of the training rows; predictions
                         are limited to the range of the column, if the target knows it */
    float *val_pred;  /* (n_val, dv) */
    float *test_pred; /* (n_test, dv) */
} es_ridge_rows;

/** Fits all columns of `target` (same fold) with one penalty.
 *
 *  lambda NAN: the penalty of the grid, or an infinite one, that minimises
 *    sum_j ln v_j + G_j / v_j,  v_j = max(G_j, floor),
 *  the Gaussian loss of the generalised leave-one-out residuals G_j (loo_var); ties take the
 * larger. A row's variance is then max(s2_j (1 + h), floor), s2_j = RSS_j / (n - df), h its
 * leverage. The pair is silent, which leaves the mean alone, if the penalty is infinite or if the
 * validation rows do not show that this density is better than the marginal and than that of
 * another row.
 *
 *  A number: that penalty, with G_j as the variance of all rows; nothing is judged.
 *  O(n rank dv); memory O(ES_FOLD_BLOCK (d + rank + dv) + rank dv). */
es_status es_ridge_fit(const es_ridge *ridge, const es_fold_data *target, const es_ridge_how *how,
                       es_arena *arena, es_run *run, es_ridge_result *out, es_error *err);

/** Fits again with another given penalty, from the same cross products; `fit` becomes that fit.
 *  O(rank dv). */
void es_ridge_refit(es_ridge_result *fit, const es_ridge_how *how);

/** A block of a part: the target's standardised rows and what the fit predicts for them, both
 *  (count, dv), count <= ES_FOLD_BLOCK, until the next call. */
es_status es_ridge_predict(const es_ridge_result *fit, es_part part, size_t start, size_t count,
                           es_run *run, const float **rows, const float **predicted, es_error *err);

/** Of a chosen penalty. out (count): sum over columns of e^2 / variance + ln variance for a block
 *  of validation or test rows as es_ridge_predict returns it. */
void es_ridge_misfit(const es_ridge_result *fit, es_part part, size_t start, size_t count,
                     const float *rows, const float *predicted, double *out);
/** Of a chosen penalty. out (dv): the logarithms of a row's variances. Training rows (with
 *  residuals): those of the leave-one-out residual, with 1 / (1 - h) in place of 1 + h. Silent: the
 *  marginal's. */
void es_ridge_log_variance(const es_ridge_result *fit, es_part part, size_t row, float *out);

/** All predictions, and the exact leave-one-out residuals e_i / (1 - h_ii), which cost as much as
 * all the rest. The ridge must be made for residuals, the penalty chosen. O(n rank dv). */
es_status es_ridge_whole(const es_ridge_result *fit, es_arena *arena, es_run *run,
                         es_ridge_rows *out, es_error *err);

/* Both sides of a pair as estimators hold them: what is prepared once of an embedder, fold by fold,
 * and then shared by all its pairs. */

/** One fold. What an estimator does not need of a side is NULL. */
typedef struct es_fold_state {
    es_fold_data *data;
    es_ridge *ridge;      /* of a source */
    float *bits;          /* of a binary target: (all rows, d) 0 and 1 in the order of data */
    es_fold_data *normal; /* of a target: its leading components as a model of p(v) makes them
                             standard normal */
    double *marginal;     /* of a target: log p(v) of rows, as the estimator has it */
    size_t marginals;     /* count */
    size_t rare;          /* of a target: columns whose spread is below the least variance */
} es_fold_state;

typedef struct es_fold_states {
    size_t folds;
    es_fold_state fold[];
} es_fold_states;

/** Fills fold k; what it leaves in *out on failure is released by the caller. */
typedef es_status es_fold_prepare(const es_problem *problem, const es_rows *rows, size_t k,
                                  es_run *run, es_fold_state *out, es_error *err);

/** *out: an es_fold_states, the `void *` of es_estimator's functions. */
es_status es_fold_states_new(const es_problem *problem, const es_rows *rows, size_t folds,
                             es_fold_prepare *prepare, es_run *run, void **out, es_error *err);
void es_fold_states_free(void *states);
size_t es_fold_states_bytes(const void *states);

/** What one fold of a pair fills, in nats per target dimension. */
typedef struct es_fold_values {
    double *h, *h_cond; /* (n_test) -log p(v) and -log p(v|u) of the fold's test rows */
    double *beside;     /* (n_test) -log p(v|u) of the companion (information); NaN on entry */
    unsigned epochs;    /* of training; 0 on entry */
    double lambda;      /* penalty, INFINITY: silent; NaN on entry */
} es_fold_values;

/** Computes one fold of a pair. `stream` keys the fold's random draws. */
typedef es_status es_fold_pair(const es_problem *problem, const es_fold_state *source,
                               const es_fold_state *target, uint64_t stream, es_arena *arena,
                               es_run *run, es_fold_values *out, es_error *err);

/** A pair of es_fold_states, fold by fold: the values of all evaluated rows in their places, summed
 *  up; the most epochs, rare and limited columns of a fold; the penalty if all folds have the same.
 *  On failure *out is unchanged. */
es_status es_fold_states_pair(const es_problem *problem, const void *source, const void *target,
                              uint64_t stream, es_arena *arena, es_run *run, es_fold_pair *pair,
                              es_pair_result *out, es_error *err);

/** Means, standard error and per-row differences of n evaluated rows, h (n) before and h_cond (n)
 *  after the source is known. ES_ENONFINITE when a value is not finite; then *out is unchanged. */
es_status es_pair_summarise(size_t n, const double *h, const double *h_cond, es_pair_result *out,
                            es_error *err);

/* What an estimator is made of whose states are es_fold_states. */

/** Defines `name`, a source_new or target_new, from an es_fold_prepare. */
#define ES_FOLD_STATES_NEW(name, folds, prepare)                                                   \
    static es_status name(const es_problem *problem, const es_rows *rows, es_run *run, void **out, \
                          es_error *err) {                                                         \
        return es_fold_states_new(problem, rows, folds, prepare, run, out, err);                   \
    }
/** Defines `pair` from an es_fold_pair. */
#define ES_FOLD_STATES_PAIR(fold_pair)                                                             \
    static es_status pair(const es_problem *problem, const void *source, const void *target,       \
                          uint64_t stream, es_arena *arena, es_run *run, es_pair_result *out,      \
                          es_error *err) {                                                         \
        return es_fold_states_pair(problem, source, target, stream, arena, run, fold_pair, out,    \
                                   err);                                                           \
    }
/** Of its row: source_new, target_new and pair are the file's own. */
#define ES_FOLD_STATES                                                                             \
    .source_new = source_new, .source_free = es_fold_states_free,                                  \
    .source_bytes = es_fold_states_bytes, .target_new = target_new,                                \
    .target_free = es_fold_states_free, .target_bytes = es_fold_states_bytes, .pair = pair

/** Targets are limited to so many standard deviations, so that no single row decides. */
#define ES_TARGET_BOUND 5.0

/* Settings of estimators that fit ridge regression on clipped rows. */
#define ES_CLIP_SETTING                                                                            \
    {                                                                                              \
        .key = "clip", .help = "standardised source values are limited to +-clip; 0: not limited", \
        .value = 3, .low = 0, .high = 1e9                                                          \
    }
#define ES_FOLDS_SETTING                                                                           \
    {                                                                                              \
        .key = "folds",                                                                            \
        .help = "cross-fit with K folds, so that every row is held out once; 1: one 70/10/20 "     \
                "split; auto: 5 below 1,000 rows, else 1",                                         \
        .value = NAN, .low = 1, .high = 100, .whole = true, .automatic = true                      \
    }

/* The two halves of ridge regression: the factor of a source (ridge_factor.c) and fits on it
 * (ridge_fit.c). */

enum { ES_RIDGE_MEAN_ALONE = ES_RIDGE_GRID, ES_RIDGE_GAINS = ES_RIDGE_GRID + 1 };

struct es_ridge {
    size_t n_train, n_val, n_test, rank;
    double *s;      /* (rank) variance along each direction */
    double *weight; /* (GRID, rank) of the grid's penalties, as es_ridge_weigh lays them out */
    double rest[ES_RIDGE_GRID]; /* es_ridge_mean_rest of each */
    float *z_train; /* (n_train, rank) coordinates of the centred rows; val and test follow */
    float *z_val, *z_test;
    double *outside; /* (n_val + n_test) squared length of a row outside all directions, if the
                        source has more columns than training rows; NULL: 0 */
    float *leverage; /* (n_val + n_test, GRID) h of validation and test rows; NULL: not asked for */
    float *loo_gain; /* (n_train, GAINS) 1 / (1 - h_ii) at each penalty; last: the mean alone */
    /* of a streamed source, which has no z: */
    const es_fold_data *source;
    float *basis; /* (d, rank) */
    float *shift; /* (rank) coordinates of the mean */
};

/** 1 - df / n of a fit with this penalty: what is left to a row's residual on average. */
double es_ridge_mean_rest(const es_ridge *ridge, double lambda);
/** Directions whose squares are summed at once, and of the block from direction k on how many. */
enum { ES_RIDGE_DIRECTIONS = 64 };
size_t es_ridge_block(const es_ridge *ridge, size_t k);
/** Are sums of squares made of what a penalty leaves, in place of what it explains? */
bool es_ridge_is_left(const es_ridge *ridge, double rest);
/** weight (count, rows of the block): what the square of each direction from k on counts under each
 *  penalty, with its `rest`. */
void es_ridge_weigh(const es_ridge *ridge, const double *lambda, const double *rest, size_t count,
                    size_t k, double *weight);

/** Reads blocks of coordinates, kept or made again from streamed rows. One thread each. */
typedef struct es_ridge_reader {
    const es_ridge *ridge;
    es_fold_reader source;
    float *z; /* (ES_FOLD_BLOCK, rank); NULL when coordinates are kept */
} es_ridge_reader;

es_status es_ridge_reader_init(es_ridge_reader *reader, const es_ridge *ridge, es_arena *arena,
                               es_error *err);
/** *out (count, rank), count <= ES_FOLD_BLOCK, until the next call. */
es_status es_ridge_reader_read(es_ridge_reader *reader, es_part part, size_t start, size_t count,
                               es_run *run, const float **out, es_error *err);

/* Rows brought to a standard normal by an invertible flow that is fitted to them by maximum
 * likelihood: couplings of core_estimators_parts.h without a condition, on columns of mean 0 and
 * variance 1. A tenth of the rows says when to stop. Columns that do not vary are left out. */

typedef struct es_normalizing_flow es_normalizing_flow;

/** Of rows m (n, d). ES_EINVAL: fewer than 20 rows; ES_EEMPTY: no column varies; ES_ECANCELED. */
es_status es_normalizing_flow_fit(const es_matrix *m, uint64_t seed, const es_run *run,
                                  es_normalizing_flow **out, es_error *err);
void es_normalizing_flow_free(es_normalizing_flow *flow); /* NULL is allowed */
/** Columns of what rows become, d or fewer. */
size_t es_normalizing_flow_columns(const es_normalizing_flow *flow);
/** x (count, d) to z (count, columns). One thread at a time. */
es_status es_normalizing_flow_apply(es_normalizing_flow *flow, const double *x, size_t count,
                                    double *z, es_error *err);
/** Bytes at most while it is fitted to m (n, d). */
double es_normalizing_flow_bytes(size_t n, size_t d);

#endif
