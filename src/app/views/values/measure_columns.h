/* Measures, as columns beside downstream scores and as a metric of the matrix. */
#ifndef ES_APP_MEASURE_COLUMNS_H
#define ES_APP_MEASURE_COLUMNS_H

#include "app_state.h"

size_t es_app_measures(const es_app *app, bool pairwise);
const char *es_measure_title(const es_app *app, bool pairwise, size_t k);
double es_measure_of(const es_app *app, bool pairwise, size_t k, size_t a, size_t b);
/* Why the value of a pair is not known, or says little, such as "n <= d1 + d2"; NULL: it is sound.
 */
const char *es_measure_doubt(const es_app *app, size_t k, size_t a, size_t b);
/* Columns of scores.csv, then measures of embedders, as one list. */
size_t es_score_count(const es_app *app);
const char *es_score_title(const es_app *app, size_t k);
double es_score_value(const es_app *app, size_t item, size_t k);
int es_score_digits(const es_app *app, size_t k);
bool es_score_lower(const es_app *app, size_t k); /* lower is better: an error, a cost */

#endif
