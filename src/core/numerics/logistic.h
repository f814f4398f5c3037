/* Multinomial logistic regression by L-BFGS. */
#ifndef ES_CORE_LOGISTIC_H
#define ES_CORE_LOGISTIC_H

#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "embedscope/status.h"

/** Weights w (classes, d), then a constant each (classes), that minimise the mean negative log
 *  likelihood of y (n) given x (n, d) plus penalty / 2 |w|^2, constants free. At most 200 steps
 * (Liu and Nocedal 1989, memory 10), until no slope is above 1e-4. Starts from zero, so nothing is
 *  random. ES_ENOMEM, ES_ECANCELED. */
es_status es_logistic_fit(const double *x, const uint32_t *y, size_t n, size_t d, size_t classes,
                          double penalty, const es_run *run, double *w, es_error *err);

/** The value that es_logistic_fit minimises, and its gradient (as w); z (n, classes) is scratch. */
double es_logistic_loss(const double *x, const uint32_t *y, size_t n, size_t d, size_t classes,
                        double penalty, const double *w, double *z, double *gradient);

#endif
