/* How an embedder is trained by cMIM: settings with names, and what is done to columns before. */
#ifndef EMBEDSCOPE_CMIM_RECIPE_H
#define EMBEDSCOPE_CMIM_RECIPE_H

#include "cmim.h"

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

#endif
