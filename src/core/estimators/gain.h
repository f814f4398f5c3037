/* Whether validation rows gain by a richer model. */
#ifndef ES_CORE_GAIN_H
#define ES_CORE_GAIN_H

#include <stddef.h>

/** How clearly n rows gain from log density `before` to `now`, in standard errors: by the mean gain
 *  or by the share of rows that gain, whichever is clearer. The first sees rare large gains, the
 *  second is not blinded by one wild row. Not above 0 when the mean gain is not. *mean: of now. */
/** A gain above this many standard errors is no luck. */
#define ES_CLEAR_GAIN 2.0

double es_gain_over(const double *before, const double *now, size_t n, double *mean);

#endif
