/* The `knife` estimator's two recipes on one set of settings and states.
 *
 *   est_knife.c        settings, presets, per-source and per-target work
 *   knife_refined.c    preset `default`: the ridge solution refined by a density network, held out
 *   knife_published.c  presets `paper-*`: the method of the paper as its authors ran it, in-sample
 */
#ifndef ES_CORE_EST_KNIFE_H
#define ES_CORE_EST_KNIFE_H

#include "embedscope/estimator.h"
#include "head.h"
#include "mixture.h"
#include "net.h"
#include "ridge.h"

extern const es_estimator es_estimator_knife;

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
    ES_KNIFE_SETTINGS
};

/** Slope of the sigmoid of Bernoulli means (the published kernel's temperature). */
#define ES_KNIFE_SLOPE 10.0

/** One fold of a source; one that holds all rows as training rows for the published recipe. */
typedef struct es_knife_source_fold {
    es_fold_data *data; /* published: every row normalised, ready for a network */
    es_ridge *ridge;    /* NULL for the published recipe */
} es_knife_source_fold;

typedef struct es_knife_target_fold {
    es_fold_data *data;
    float *bits;      /* (all rows, d) 0 and 1 in the order of data; NULL: continuous */
    double *marginal; /* log p(v) of validation and test rows, or of all rows (published) */
} es_knife_target_fold;

typedef struct es_knife_source {
    size_t folds;
    es_knife_source_fold fold[];
} es_knife_source;

typedef struct es_knife_target {
    size_t folds;
    es_knife_target_fold fold[];
} es_knife_target;

/** The head that a pair's network, or a marginal of `modes` modes, needs for this target. */
es_head es_knife_head(const es_problem *problem, const es_knife_target_fold *target, size_t modes);

/** Fill target->marginal of a fold. */
es_status es_knife_refined_marginal(const es_problem *problem, uint64_t id,
                                    es_knife_target_fold *target, es_arena *arena, es_run *run,
                                    es_error *err);
es_status es_knife_published_marginal(const es_problem *problem, uint64_t id,
                                      es_knife_target_fold *target, es_arena *arena, es_run *run,
                                      es_error *err);

/** As es_estimator.pair. */
es_status es_knife_refined_pair(const es_problem *problem, const es_knife_source *source,
                                const es_knife_target *target, uint64_t stream, es_arena *arena,
                                es_run *run, es_pair_result *out, es_error *err);
es_status es_knife_published_pair(const es_problem *problem, const es_knife_source *source,
                                  const es_knife_target *target, uint64_t stream, es_arena *arena,
                                  es_run *run, es_pair_result *out, es_error *err);

#endif
