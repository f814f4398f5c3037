/* Measures in the explorer: columns beside the downstream scores, a metric of the heatmap, the
 * score of Corr. */
#include <math.h>

#include "app_state.h"
#include "measure_columns.h"

size_t es_app_measures(const es_app *app, bool pairwise) {
    return app->source->measures[pairwise];
}

const char *es_measure_title(const es_app *app, bool pairwise, size_t k) {
    return app->source->measure[pairwise][k].name;
}

double es_measure_of(const es_app *app, bool pairwise, size_t k, size_t a, size_t b) {
    return k < es_app_measures(app, pairwise)
               ? app->source->measure_value(app->source->context, pairwise, k, a, b)
               : (double)NAN;
}

const char *es_measure_doubt(const es_app *app, size_t k, size_t a, size_t b) {
    return k < es_app_measures(app, true)
               ? app->source->measure_doubt(app->source->context, k, a, b)
               : NULL;
}

/* ---- columns: scores.csv, then measures ---- */

size_t es_score_count(const es_app *app) {
    return app->source->scores.tasks + es_app_measures(app, false);
}

const char *es_score_title(const es_app *app, size_t k) {
    size_t scores = app->source->scores.tasks;
    return k < scores ? app->source->scores.task[k] : es_measure_title(app, false, k - scores);
}

double es_score_value(const es_app *app, size_t item, size_t k) {
    size_t scores = app->source->scores.tasks;
    return k < scores ? es_source_score(app->source, item, k)
                      : es_measure_of(app, false, k - scores, item, item);
}

bool es_score_lower(const es_app *app, size_t k) {
    return k < app->source->scores.tasks && es_score_is_lower_better(app->source->scores.task[k]);
}

int es_score_digits(const es_app *app, size_t k) {
    bool score = k < app->source->scores.tasks && k < ES_APP_SCORES;
    return score ? app->score_digits[k] : 3;
}
