/* What an estimator of information sufficiency (embedscope/estimator.h) is made of: a row of
 * functions and settings. To add an estimator, write one file that defines an es_estimator and
 * add it to the table in src/core/estimators/estimators.c; settings, presets, help, storage and
 * scheduling follow from it.
 *
 * Estimators are pure: they get rows through es_rows, draw from streams of es_rng, use the arena
 * for scratch, and never look at files, clocks, threads or other pairs. A result depends on the two
 * embedders, the split, the settings and the seed only. */
#ifndef ES_CORE_ESTIMATOR_H
#define ES_CORE_ESTIMATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "run.h"
#include "split.h"
#include "embedscope/estimator.h"

/** Read access to one embedder: n usable rows of d columns. `read` converts the listed rows
 * (indices below n) to double, row-major (count, d). It may be called from several threads at once.
 */
typedef struct es_rows {
    size_t n, d;
    es_kind kind;
    uint64_t id; /* from the content digest: keys this embedder's random streams */
    const void *context;
    es_status (*read)(const void *context, const uint32_t *rows, size_t count, double *out,
                      es_error *err);
} es_rows;

/** What the functions below get in common. `values` are in the order of the estimator's settings.
 */
typedef struct es_problem {
    const es_split *split;
    const double *values;
    uint64_t seed;
    size_t keep_bytes; /* an embedder whose values need more may be read again for each pair
                        * rather than kept; 0: no limit. Results do not depend on it */
} es_problem;

/** One finished pair, in nats per target dimension. `pmi` (n_eval) holds log p(v|u) - log p(v) per
 *  evaluated row, divided by the target's dimension, in the order of es_split_eval_rows (held-out
 *  estimators) or of all rows (in-sample ones); is = mean of pmi, se = its standard error. A pair
 *  with is == 0 and se == 0 is silent: the rows do not show that the source predicts the target. */
typedef struct es_pair_result {
    double is, se, h, h_cond;
    size_t n_eval;
    float *pmi;                         /* owned; es_free */
    unsigned epochs;                    /* of training until the kept state; 0 for closed forms */
    double information, information_se; /* IS by a companion fit with a weaker penalty, and its
                                           standard error; NaN: the estimator gives none */
    double lambda;    /* ridge penalty of the pair; INFINITY: silent; NaN: none, or folds differ */
    unsigned rare;    /* columns of the target that are active too rarely to count fully */
    unsigned limited; /* columns of the target that are limited in some row; in-sample: that have
                         values beyond 20 standard deviations, which are not limited */
} es_pair_result;

/** Two embedders by what their costs depend on: columns in use, and what the target holds. */
typedef struct es_pair_shape {
    size_t source, target;
    es_kind kind; /* of the target */
} es_pair_shape;

/** What a pair and its sides take at most, told before any of it is made. Operations are of
 * floating point, a multiplication and an addition being two; what trains until it stops is counted
 * at the epochs that real pools took. */
typedef struct es_cost {
    double source_bytes, target_bytes; /* of the prepared states */
    double making_bytes;               /* besides, while one of them is made */
    double pair_bytes;                 /* besides, while the pair is computed */
    double source_operations, target_operations, pair_operations;
} es_cost;

struct es_estimator {
    const char *name;  /* as given to --estimator */
    const char *title; /* a few words for lists */
    unsigned version;  /* part of a result's key: raise it when values change */
    bool lower_is_better;
    bool without_whole; /* a value with itself is no whole of which others say a share */
    bool trains;        /* values depend on the seed, by more than rounding */
    /** True when these values make it evaluate on all rows instead of the split's held-out ones;
     *  NULL: never. */
    bool (*in_sample)(const double *values);
    const es_setting *settings;
    size_t n_settings;
    const es_preset *presets; /* name == NULL ends the list */

    /* Work done once per source and once per target, shared by their pairs (read-only then, from
     * any thread). A state may keep a copy of *rows and read from it as long as it lives. `*_bytes`
     * tells a cache how much memory it holds. */
    es_status (*source_new)(const es_problem *problem, const es_rows *rows, es_run *run, void **out,
                            es_error *err);
    void (*source_free)(void *source);
    size_t (*source_bytes)(const void *source);
    es_status (*target_new)(const es_problem *problem, const es_rows *rows, es_run *run, void **out,
                            es_error *err);
    void (*target_free)(void *target);
    size_t (*target_bytes)(const void *target);

    /** One ordered pair. `stream` keys its random draws. Scratch comes from `arena`. */
    es_status (*pair)(const es_problem *problem, const void *source, const void *target,
                      uint64_t stream, es_arena *arena, es_run *run, es_pair_result *out,
                      es_error *err);

    /** A line of what to mind of values by these settings with so many rows, static text; NULL:
     *  nothing. The member NULL: never anything. */
    const char *(*remark)(const es_problem *problem);

    /** Called for every pair of a pool, so O(1). NULL: as a ridge and its rows would take. */
    es_cost (*cost)(const es_problem *problem, es_pair_shape shape);
};

/** All estimators, best known first; NULL ends the list. */
extern const es_estimator *const es_estimators[];

/** Index of a setting, or n_settings when the estimator has none of that key. */
size_t es_estimator_setting(const es_estimator *estimator, const char *key);

/** Fill values[n_settings] with the defaults, then the preset's overrides. preset NULL: "default".
 *  ES_ENOTFOUND names the presets that exist. */
es_status es_estimator_preset(const es_estimator *estimator, const char *preset, double *values,
                              es_error *err);

/** Its remark; NULL: none. */
const char *es_estimator_remark(const es_estimator *estimator, const es_problem *problem);

/** Apply one "key=value". ES_EINVAL says the range or the choices; ES_ENOTFOUND the known keys. */
es_status es_estimator_set(const es_estimator *estimator, const char *assignment, double *values,
                           es_error *err);

/** Canonical text "clip=3 folds=1 lambda=auto", keys in table order; part of a result's key.
 *  Writes at most capacity bytes with the NUL; returns the full length. */
size_t es_estimator_text(const es_estimator *estimator, const double *values, char *out,
                         size_t capacity);

#endif
