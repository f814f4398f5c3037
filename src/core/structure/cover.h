/* How much of a target a source can simulate, as a share of what can be had. */
#ifndef ES_CORE_COVER_H
#define ES_CORE_COVER_H

#include <stddef.h>

/** What target j says of itself, of which others can say a share: its IS with itself. NaN where
 * that is missing or not above 0: then no share of j is known. */
double es_cover_ceiling(const double *is, size_t m, size_t j);

/** is(i, j) over that ceiling, held between 0 and 1; an embedder covers itself entirely. NaN when
 * either is not known. */
double es_cover(const double *is, size_t m, size_t i, size_t j);
/** The same for two different embedders whose IS and ceiling are at hand. */
double es_cover_under(double is, double ceiling);

#endif
