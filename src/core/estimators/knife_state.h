/* What the two recipes of the `knife` estimator share: its settings and its states. */
#ifndef ES_CORE_KNIFE_STATE_H
#define ES_CORE_KNIFE_STATE_H

#include <stdbool.h>

#include "estimator.h"
#include "fold_state.h"
#include "head.h"

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

/** Does a setting's values name the published recipe? */
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

#endif
