/* The line through Corr's points: residuals, bands, places. */
#ifndef ES_APP_CORR_LINE_H
#define ES_APP_CORR_LINE_H

#include "corr_state.h"

/** The item's place in the plot; false: it has none. Excluded points have one. */
bool es_corr_place(const es_app *app, size_t task, size_t item, double *x, double *y);
bool es_corr_counts(const es_app *app, size_t task, size_t item);
double es_corr_residual(const es_app *app, size_t task, size_t item); /* NAN: none */
/** The fitted line at x, and the ends of its 95 % band, NAN without one; false: no line. */
bool es_corr_band(const es_app *app, double x, double *fit, double *low, double *high);
/** Rank among the points that count, 1 = best; 0: not among them. */
size_t es_corr_rank(const es_app *app, size_t task, size_t item, bool of_task);
/** The `count` largest residuals of one sign, largest first; returns how many there are. */
size_t es_corr_extremes(const es_app *app, size_t task, bool above, size_t count, size_t *item);

#endif
