/* The `linear` estimator, and a step it shares with others. */
#ifndef ES_CORE_EST_LINEAR_H
#define ES_CORE_EST_LINEAR_H

#include "embedscope/estimator.h"
#include "ridge.h"

extern const es_estimator es_estimator_linear;

/** Means, standard error and per-row differences of n evaluated rows. ES_ENONFINITE when a value is
 *  not finite; then *out is unchanged. */
es_status es_pair_summarise(size_t n, const double *h, const double *h_cond, es_pair_result *out,
                            es_error *err);

#endif
