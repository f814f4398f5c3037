/* Cell values, colour limits and geometry of the matrix. */
#ifndef ES_APP_HEAT_H
#define ES_APP_HEAT_H

#include "app_state.h"

double es_metric_value(const es_app *app, es_heat_metric metric, size_t source,
                       size_t target); /* items */
/** Returns the matrix (m, m) that holds a metric as shown, for pairs that are done. For who looks
 * at all of them. NULL: ask es_metric_value. */
const double *es_metric_plain(const es_app *app, es_heat_metric metric);
/** True if both directions of a pair are by one estimator, so that they can be compared. By cell of
 * the results. */
bool es_metric_alike(const es_app *app, size_t cell, size_t back);
/** As es_results_copy_low, by the estimator of this cell. */
bool es_heat_copy_low(const es_app *app, size_t source, size_t target, double *is);
/** Returns the zero line of the target by the estimator of this cell; NAN: not measured. */
double es_heat_null(const es_app *app, size_t source, size_t target, double *se);
/** The value of per-row values that alone decides a cell, and in *entry whose they are; ES_NONE:
 * none does. *without: what the other rows give. Either may be NULL. */
size_t es_heat_deciding(const es_app *app, size_t source, size_t target, size_t *entry,
                        double *without);
/** True if the metric is a mean over rows, so that a single row may decide it. */
bool es_metric_of_rows(es_heat_metric metric);
const char *es_metric_name(es_heat_metric metric);
const char *es_metric_title(const es_app *app, es_heat_metric metric);
bool es_metric_possible(const es_app *app, es_heat_metric metric); /* with this plan */
bool es_metric_diverging(es_heat_metric metric);
es_heat_metric es_metric_find(const char *name);
void es_metric_format(es_heat_metric metric, double value, int digits, char *out, size_t capacity);
void es_limits_fit(es_app *app, bool now);
int es_limits_step(const es_limits *limits, double value); /* 0..255 */
es_screen_sizes es_heat_geometry(const es_app *app, es_rect inside);

#endif
