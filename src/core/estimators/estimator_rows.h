/* The rows of es_estimators, by file. */
#ifndef ES_CORE_ESTIMATOR_ROWS_H
#define ES_CORE_ESTIMATOR_ROWS_H

#include "embedscope/estimator.h"

extern const es_estimator es_estimator_linear; /* est_linear.c */
extern const es_estimator es_estimator_knife;  /* est_knife.c */
extern const es_estimator es_estimator_l2;     /* est_l2.c */

#endif
