/* The `linear` estimator, and two steps it shares with others. */
#ifndef ES_CORE_EST_LINEAR_H
#define ES_CORE_EST_LINEAR_H

#include "embedscope/estimator.h"
#include "embedscope/ridge.h"

extern const es_estimator es_estimator_linear;

/** Per test row, per dimension: h[i] = -log N(v_i; 0, 1) and h_cond[i] = -log N(v_i; pred_i,
 *  variance), both (n_test), in nats divided by d. pred (n_test, d), variance (d) > 0. */
void es_gaussian_rows(const es_fold_data *target, const float *pred, const double *variance,
                      double *h, double *h_cond);

/** Means, standard error and per-row differences of n evaluated rows. ES_ENONFINITE when a value is
 *  not finite; then *out is unchanged. */
es_status es_pair_summarise(size_t n, const double *h, const double *h_cond, es_pair_result *out,
                            es_error *err);

#endif
