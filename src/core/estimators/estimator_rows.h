/* The estimators there are, the best known first: E(NAME) is es_estimator_NAME in est_NAME.c. */
#ifndef ES_CORE_ESTIMATOR_ROWS_H
#define ES_CORE_ESTIMATOR_ROWS_H

#include "core_numerics.h"

#define ES_ESTIMATORS(E)                                                                           \
    E(linear)                                                                                      \
    E(knife)                                                                                       \
    E(flow)                                                                                        \
    E(l2)                                                                                          \
    /* the next one here */

#define ES_ESTIMATOR_DECLARE(name) extern const es_estimator es_estimator_##name;
ES_ESTIMATORS(ES_ESTIMATOR_DECLARE)

#endif
