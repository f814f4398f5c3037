/* The `l2` estimator: how well V is reconstructed from U, as mean squared error. */
#ifndef ES_CORE_EST_L2_H
#define ES_CORE_EST_L2_H

#include "embedscope/estimator.h"

extern const es_estimator es_estimator_l2;

#endif
