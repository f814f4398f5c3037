/* Estimators of information sufficiency: which there are, and their settings.
 *
 * IS(U->V) = H(V) - H(V|U): how many nats of target V can be simulated from source U; here always
 * divided by V's dimension (Darrin et al., "When is an Embedding Model More Promising than
 * Another?", NeurIPS 2024). A session computes it (session.h). Everything here is constant, from
 * any thread; functions answer NULL and numbers beyond the end with NULL or 0. */
#ifndef EMBEDSCOPE_ESTIMATOR_H
#define EMBEDSCOPE_ESTIMATOR_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Continuous targets are standardised and get a density; binary ones (all 0 or 1) a mass. */
typedef enum es_kind { ES_KIND_CONTINUOUS, ES_KIND_BINARY } es_kind;

/** A setting of an estimator or a measure. Values are doubles; a choice is the index of its name.
 */
typedef struct es_setting {
    const char *key, *help;
    double value;          /* default; NaN is the word "auto" */
    double low, high;      /* inclusive range of numbers */
    bool whole, automatic; /* integers only; "auto" allowed */
    bool later; /* came after results were stored: at 0, which is what was before, it is not part of
                   the text under which results are kept */
    const char *const *choices; /* NULL-terminated names, or NULL for numbers */
} es_setting;

/** A named set of overrides, "key=value key=value". The first preset of an estimator is "default".
 */
typedef struct es_preset {
    const char *name, *help, *overrides;
} es_preset;

typedef struct es_estimator es_estimator;

/** Estimator number `index`, best known first. */
const es_estimator *es_estimator_at(size_t index);
/** By name ("linear", "knife", "flow", "l2"). */
const es_estimator *es_estimator_find(const char *name);

const char *es_estimator_name(const es_estimator *estimator); /* as es_session_options takes it */
const char *es_estimator_summary(const es_estimator *estimator); /* a few words */
/** True for errors ("l2"): the best source has the lowest value. */
bool es_estimator_is_lower_better(const es_estimator *estimator);
const es_setting *es_estimator_setting_at(const es_estimator *estimator, size_t index);
const es_preset *es_estimator_preset_at(const es_estimator *estimator, size_t index);

#ifdef __cplusplus
}
#endif
#endif
