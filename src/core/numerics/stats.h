/* Descriptive statistics and rank correlation, as used on scores and on downstream results.
 *
 * Nothing here takes a missing value for a number: NaN and infinities are left out (in pairs where
 * there are pairs), and what cannot be computed is NaN with the reason beside it. The results do
 * not depend on the order in which the values are given. Errors: ES_ENOMEM only. */
#ifndef EMBEDSCOPE_STATS_H
#define EMBEDSCOPE_STATS_H

#include <stddef.h>

#include "embedscope/stat.h"

extern const char ES_WHY_CONSTANT[]; /* "constant": one side has one value only */
extern const char ES_WHY_FEW[];      /* "n < 3" */
extern const char ES_WHY_EMPTY[];    /* "no values" */

es_stat es_stat_of(double value);
es_stat es_stat_undefined(const char *why);

/** Copies the finite values of v (n) to out (n); returns how many. out may be v. */
size_t es_stat_finite(const double *v, size_t n, double *out);

/* The next four give NaN for n = 0. They reorder v (n), which must be finite. O(n). */

/** The middle value, or the midpoint of the two in the middle. */
double es_stat_median(double *v, size_t n);
/** Linear interpolation between order statistics at position q (n - 1), q in [0, 1] (NumPy's and
 * R's default, type 7). */
double es_stat_quantile(double *v, size_t n, double q);
double es_stat_mean(const double *v, size_t n);
/** Ranks 1..n in ascending order; equal values share the mean of their ranks. x finite, rank (n).
 */
es_status es_stat_midranks(const double *x, size_t n, double *rank, es_error *err);
/** Values no further from the next one than `tolerance` count as equal: what rounding has parted.
 */
es_status es_stat_midranks_within(const double *x, size_t n, double tolerance, double *rank,
                                  es_error *err);

/** Student's t and the standard normal: distribution functions and quantiles. df >= 1, 0 < p < 1.
 *  Accurate to 1e-14 for df up to 400, to 1e-12 beyond; O(sqrt(df)) there. */
double es_normal_cdf(double z);
double es_normal_quantile(double p);
double es_student_cdf(double t, size_t df);
double es_student_quantile(double p, size_t df);
/** Probability that |T| exceeds |t|; df > 0 need not be a whole number. Accurate to 1e-10. */
double es_student_tail(double t, double df);

#endif
