/* Measures, as columns beside downstream scores and as a metric of the matrix. */
#ifndef ES_APP_MEASURE_COLUMNS_H
#define ES_APP_MEASURE_COLUMNS_H

#include "app_state.h"
#include "base.h"

/* All fields of all measures, in one list to which new ones are added at the end; k below is a
 * place in it. Of each measure the first field is its own, which alone is a column. */
size_t es_app_measures(const es_app *app, bool pairwise);
size_t es_app_columns(const es_app *app, bool pairwise);
size_t es_app_column(const es_app *app, bool pairwise, size_t n); /* the n-th, as a k */
/** Appends the names of all measures as the command line takes them, with commas between. */
void es_measure_names_put(const es_app *app, es_buf *out);
const char *es_measure_title(const es_app *app, bool pairwise, size_t k);
/* As it is, whether higher or lower is better; as all values here but es_corr_score. */
double es_measure_of(const es_app *app, bool pairwise, size_t k, size_t a, size_t b);
/* Corr's score as es_settings.axis: 0 is the ranking's, then embedder measures, from
 * ES_AXIS_PAIRS on those of pairs. NULL: none of that number. */
enum { ES_AXIS_PAIRS = 1 << 20 };
const char *es_axis_title(const es_app *app, size_t axis);
size_t es_axis_find(const es_app *app, const char *name); /* ES_NONE: no measure is called that */
bool es_axis_lower(const es_app *app, size_t axis);       /* lower is better; false of 0 */
/* Higher is better: with its sign turned where lower is. Of pairs the median over the others of
 * those that are ranked, as `embedscope agree` has it. scratch (n). */
double es_corr_score(const es_app *app, size_t axis, size_t item, double *scratch);
/* Why the value of a pair is not known, or says little, such as "n <= d1 + d2"; NULL: it is sound.
 */
const char *es_pair_caveat(const es_app *app, size_t k, size_t a, size_t b);
/* Columns of scores.csv, then measures of embedders, as one list. */
size_t es_score_count(const es_app *app);
const char *es_score_title(const es_app *app, size_t k);
double es_score_value(const es_app *app, size_t item, size_t k);
int es_score_digits(const es_app *app, size_t k);
bool es_score_lower(const es_app *app, size_t k); /* lower is better: an error, a cost */

#endif
