/* Numbers that may be undefined, and coefficients of correlation. */
#ifndef EMBEDSCOPE_STAT_H
#define EMBEDSCOPE_STAT_H

#include <stddef.h>

#include "embedscope/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A value, or NaN and why: a static text such as "constant" or "n < 3"; NULL when defined. */
typedef struct es_stat {
    double value;
    const char *why;
} es_stat;

typedef enum es_correlation {
    ES_PEARSON,
    ES_SPEARMAN,     /* Pearson of mid-ranks */
    ES_KENDALL,      /* tau-b */
    ES_WEIGHTED_TAU, /* additive hyperbolic weights, mean of both rankings (Vigna, "A weighted
                        correlation index for rankings with ties", WWW 2015); SciPy's default */
    ES_CORRELATIONS
} es_correlation;

const char *es_correlation_name(es_correlation kind); /* "pearson" ... "weighted_tau" */

/** Correlation of x (n) and y (n) over the pairs where both are finite; in [-1, 1]. Two pairs are
 *  enough here (and always give -1 or 1); reports ask for three. Undefined: "constant", or
 *  "no values" below two pairs. ES_ENOMEM. O(n log n). */
es_status es_correlate(es_correlation kind, const double *x, const double *y, size_t n,
                       es_stat *out, es_error *err);

#ifdef __cplusplus
}
#endif
#endif
