/* Training by cMIM: settings, and the fit. */
#ifndef ES_CORE_CMIM_TRAIN_H
#define ES_CORE_CMIM_TRAIN_H

#include "cmim.h"
#include "cmim_net.h"

/* How an embedder is trained by cMIM: settings with names, and what is done to columns before. */

typedef enum es_cmim_scale {
    ES_CMIM_SCALE_AUTO,   /* Gaussian: to mean 0 and variance 1; Bernoulli: none */
    ES_CMIM_SCALE_ZSCORE, /* every column to mean 0 and variance 1 */
    ES_CMIM_SCALE_MINMAX, /* every column to 0..1 */
    ES_CMIM_SCALE_NONE
} es_cmim_scale;

typedef struct es_cmim_recipe {
    es_cmim_goal goal;
    bool bernoulli, relu, learned;
    bool sample; /* info at a sampled code, not at mu */
    es_cmim_scale scale;
    size_t k, h, layers; /* k 0: 64, or d where that is less */
    size_t batch, steps;
    double rate;          /* of Adam, between warm-up and decay */
    double warmup, decay; /* shares of the steps in which the rate rises and falls */
    double clip;          /* of the gradient's norm */
    double validation;    /* share of the rows; 0: none, and the last weights are kept */
    double corrupt;       /* ES_CMIM_INFONCE: share of the columns that a view has of other rows */
    uint64_t seed;
} es_cmim_recipe;

/** The settings, in the order of their values. */
extern const es_setting es_cmim_settings[];
extern const size_t es_cmim_setting_count;
enum { ES_CMIM_SETTINGS_MOST = 24 };

/** values (es_cmim_setting_count) as defaults. */
void es_cmim_defaults(double *values);
/** True if this setting has an effect beside the others (es_cmim_setting_count). */
bool es_cmim_setting_acts(size_t setting, const double *values);
es_cmim_recipe es_cmim_recipe_of(const double *values, uint64_t seed);

/** Columns of an input as a network takes them: (x[column[j]] - shift[j]) * factor[j]. */
typedef struct es_cmim_columns {
    size_t from, d;         /* columns of the input, and of these kept */
    uint32_t *column;       /* (d) ascending */
    double *shift, *factor; /* (d) */
} es_cmim_columns;

/** By all rows of m (n, from). Constant columns are left out. ES_EEMPTY: all are constant;
 *  ES_EINVAL: a Bernoulli decoder and a value outside [0, 1] that is left as it is. */
es_status es_cmim_columns_fit(const es_matrix *m, const es_cmim_recipe *recipe,
                              es_cmim_columns *out, es_error *err);
/** Empty arrays for d of `from` columns. */
es_status es_cmim_columns_new(size_t from, size_t d, es_cmim_columns *out, es_error *err);
void es_cmim_columns_deinit(es_cmim_columns *columns); /* all zero bytes is allowed */
/** rows (n, from) to out (n, d). */
void es_cmim_columns_apply(const es_cmim_columns *columns, const double *rows, size_t n,
                           float *out);

/* Training of cMIM one step after the other: Adam with warm-up, steady and falling rate, batches
 * without replacement, the weights of the lowest validation loss. What step t draws depends on the
 * seed and t alone, so that a state that was written down goes on to the same bytes. */

/** Loss of a batch on the way, and of the validation rows. */
typedef struct es_cmim_point {
    size_t step;
    es_cmim_parts batch;
    double validation; /* NaN without validation rows */
} es_cmim_point;

typedef struct es_cmim_trainer {
    es_cmim_recipe recipe; /* with the k and batch that are used */
    size_t n, d;
    const float *x; /* (n, d) borrowed */
    es_cmim_net *net;
    /* what a state is made of, beside net->param */
    float *moment1, *moment2; /* (net->n_params) */
    float *best;      /* (net->n_params) weights of the lowest validation loss so far; without
                         validation rows those of the last point */
    size_t step;      /* steps done */
    double best_loss; /* INFINITY: none was looked at yet */
    size_t best_step;
    es_cmim_point *curve; /* (n_points) */
    size_t n_points;
    /* scratch */
    uint32_t *train, *validation;
    size_t n_train, n_validation;
    float *batch, *noise;
    uint32_t *swap; /* (batch) */
} es_cmim_trainer;

enum {
    ES_CMIM_POINTS = 100, /* of a curve, about */
    ES_CMIM_POINTS_MOST = 200,
    ES_CMIM_ROWS_LEAST = 8,
    ES_CMIM_VALIDATION_MOST = 2000
};

/** Weights drawn by the seed, nothing trained yet. x stays the caller's until the end. Fewer than
 *  4 rows a batch make the batch smaller (trainer->recipe.batch says it). ES_EINVAL: fewer than
 *  ES_CMIM_ROWS_LEAST rows, k above d, tau not above 0. */
es_status es_cmim_trainer_new(const es_cmim_recipe *recipe, const float *x, size_t n, size_t d,
                              const es_simd *simd, es_cmim_trainer **out, es_error *err);
void es_cmim_trainer_free(es_cmim_trainer *trainer);

/** One step; at a hundredth of all steps and at the end the validation loss, too. parts: of the
 *  batch. ES_ECANCELED: the state is that before the step. ES_ENONFINITE: a loss or gradient is not
 *  finite, with the step; the weights are those of `best` again, or untrained when there are none.
 *  ES_EINVAL: all steps are done. */
es_status es_cmim_trainer_step(es_cmim_trainer *trainer, const es_run *run, es_cmim_parts *parts,
                               es_error *err);

/** Means over the validation rows at the weights as they are; false, zeros: there are none. */
bool es_cmim_validate(es_cmim_trainer *trainer, es_cmim_parts *out);

/** Takes the weights to keep: `best`. */
void es_cmim_finish(es_cmim_trainer *trainer);

/** mu (n, k) and info (n, h) of x (n, d), each of which may be NULL, in blocks that are always
 *  full, so that it does not matter how many rows there are. recipe->sample: info at a code drawn
 * by seed and row number. ES_ECANCELED, ES_ENOMEM. */
es_status es_cmim_embed_rows(const es_cmim_shape *shape, const float *param,
                             const es_cmim_recipe *recipe, const es_simd *simd, const float *x,
                             size_t n, double *mu, double *info, const es_run *run, es_error *err);

/** The rate of step t (1 ... steps). */
double es_cmim_rate(const es_cmim_recipe *recipe, size_t t);

#endif
