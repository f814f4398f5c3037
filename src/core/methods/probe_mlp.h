/* The probe with one hidden layer: what a small network makes of an embedder. */
#ifndef ES_CORE_PROBE_MLP_H
#define ES_CORE_PROBE_MLP_H

#include "core_numerics.h"

/** Trains 400 ReLU units on x (n, d), which is standardised, for 1,000 steps of Adam at 1e-3 with
 *  batches of 200 (scikit-learn's MLPClassifier and MLPRegressor; their penalty of 1e-4 / 200 on
 *  weights is left out), and predicts `test`: out (test->n, width). y (n, width) are indicators of
 *  classes, and out log odds; or numbers at mean 0 and variance 1. Weights and batches by the seed.
 *  ES_ECANCELED, ES_ENOMEM. About 1.2e6 (d + width) * 400 operations. */
es_status es_probe_mlp(const es_matrix *x, const double *y, size_t width, bool classes,
                       const es_matrix *test, uint64_t seed, const es_run *run, double *out,
                       es_error *err);

#endif
