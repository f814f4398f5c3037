/* The numbers that results hold of a pair, by name. */
#ifndef ES_REPORT_PAIR_VALUE_H
#define ES_REPORT_PAIR_VALUE_H

#include <stddef.h>

#include "engine_results.h"

typedef enum es_pair_value {
    ES_VALUE_IS,
    ES_VALUE_SE,
    ES_VALUE_H_COND,
    ES_VALUE_ASYMMETRY, /* what the source simulates of the target less what that does of it */
    ES_VALUE_SECONDS,
    ES_VALUE_TOTAL, /* is times the columns of the target in use: nats */
    ES_VALUE_H      /* of the target, per dimension: the same in all of its column */
} es_pair_value;

/** Returns this value of a pair; NaN: unknown. */
double es_pair_value_of(const es_results *results, es_pair_value value, size_t source,
                        size_t target);

/** Returns the title of the value if the estimator's number is an error. */
const char *es_pair_value_of_error(es_pair_value value);

#endif
