/* The probe of support vectors: a linear machine of squared losses beyond a margin. */
#ifndef ES_CORE_PROBE_SVM_H
#define ES_CORE_PROBE_SVM_H

#include "core_numerics.h"

/** Width of the tube around numbers within which nothing is lost. */
#define ES_PROBE_TUBE 0.1

/** Fits w (d + 1, the last is the constant, which is penalised too) to x (n, d) by coordinate
 * descent in the dual (Hsieh et al., ICML 2008; Ho and Lin, JMLR 2012): the least of penalty n
 * |w|^2 / 2 + the sum of l^2 / 2, where l = max(0, 1 - y w.x) of classes (y 1 and -1) and max(0, |y
 * - w.x| - ES_PROBE_TUBE) of numbers (y at mean 0 and variance 1). At most 1,000 passes of O(n d).
 *  ES_ECANCELED, ES_ENOMEM. */
es_status es_probe_svm(const es_matrix *x, const double *y, bool classes, double penalty,
                       const es_run *run, double *w, es_error *err);

/* The probe with one hidden layer: what a small network makes of an embedder. */

/** Trains 400 ReLU units on x (n, d), which is standardised, for 1,000 steps of Adam at 1e-3 with
 *  batches of 200 (scikit-learn's MLPClassifier and MLPRegressor; their penalty of 1e-4 / 200 on
 *  weights is left out), and predicts `test`: out (test->n, width). y (n, width) are indicators of
 *  classes, and out log odds; or numbers at mean 0 and variance 1. Weights and batches by the seed.
 *  ES_ECANCELED, ES_ENOMEM. About 1.2e6 (d + width) * 400 operations. */
es_status es_probe_mlp(const es_matrix *x, const double *y, size_t width, bool classes,
                       const es_matrix *test, uint64_t seed, const es_run *run, double *out,
                       es_error *err);

#endif
