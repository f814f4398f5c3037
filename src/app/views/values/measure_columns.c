/* Measures in the explorer: columns beside the downstream scores, a metric of the heatmap, the
 * score of Corr. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "app_values.h"

size_t es_app_measures(const es_app *app, bool pairwise) {
    return app->source->measures[pairwise];
}

size_t es_app_columns(const es_app *app, bool pairwise) {
    size_t count = 0;
    for (size_t k = 0; k < es_app_measures(app, pairwise); k++)
        count += app->source->measure[pairwise][k].field == 0;
    return count;
}

size_t es_app_column(const es_app *app, bool pairwise, size_t n) {
    size_t k = 0;
    for (; k < es_app_measures(app, pairwise); k++)
        if (app->source->measure[pairwise][k].field == 0 && n-- == 0)
            return k;
    return k;
}

const char *es_measure_title(const es_app *app, bool pairwise, size_t k) {
    return app->source->measure[pairwise][k].name;
}

size_t es_measure_titled(const es_app *app, bool pairwise, const char *title) {
    size_t k = 0, count = es_app_measures(app, pairwise);
    while (k < count && strcmp(es_measure_title(app, pairwise, k), title) != 0)
        k++;
    return k < count ? k : ES_NONE;
}

double es_measure_of(const es_app *app, bool pairwise, size_t k, size_t a, size_t b) {
    return k < es_app_measures(app, pairwise)
               ? app->source->measure_value(app->source->context, pairwise, k, a, b)
               : (double)NAN;
}

const char *es_pair_caveat(const es_app *app, size_t k, size_t a, size_t b) {
    return k < es_app_measures(app, true)
               ? app->source->measure_caveat(app->source->context, k, a, b)
               : NULL;
}

static double median_of(const es_app *app, size_t k, size_t item, double *scratch) {
    const es_results *r = app->ranked.results != NULL ? app->ranked.results : app->results;
    size_t n = 0;
    for (size_t p = 0; r != NULL && p < r->m; p++) {
        double value =
            r->model[p] == item ? (double)NAN : es_measure_of(app, true, k, item, r->model[p]);
        if (isfinite(value))
            scratch[n++] = value;
    }
    return es_stat_median(scratch, n);
}

/* ---- the score of Corr ---- */

const char *es_axis_title(const es_app *app, size_t axis) {
    bool pairwise = axis >= ES_AXIS_PAIRS;
    size_t k = pairwise ? axis - ES_AXIS_PAIRS : axis - 1;
    return axis > 0 && k < es_app_measures(app, pairwise) ? es_measure_title(app, pairwise, k)
                                                          : NULL;
}

size_t es_axis_find(const es_app *app, const char *name) {
    size_t k = es_measure_titled(app, false, name);
    if (k != ES_NONE)
        return k + 1;
    k = es_measure_titled(app, true, name);
    return k == ES_NONE ? ES_NONE : ES_AXIS_PAIRS + k;
}

bool es_axis_lower(const es_app *app, size_t axis) {
    bool pairwise = axis >= ES_AXIS_PAIRS;
    size_t k = pairwise ? axis - ES_AXIS_PAIRS : axis - 1;
    return axis > 0 && k < es_app_measures(app, pairwise) &&
           app->source->measure[pairwise][k].lower;
}

double es_corr_score(const es_app *app, size_t axis, size_t item, double *scratch) {
    if (es_axis_title(app, axis) == NULL)
        return (double)NAN;
    double value = axis >= ES_AXIS_PAIRS ? median_of(app, axis - ES_AXIS_PAIRS, item, scratch)
                                         : es_measure_of(app, false, axis - 1, item, item);
    return es_axis_lower(app, axis) ? -value : value;
}

/* ---- columns: scores.csv, then measures ---- */

size_t es_score_count(const es_app *app) {
    return app->source->scores.tasks + es_app_columns(app, false);
}

const char *es_score_title(const es_app *app, size_t k) {
    size_t scores = app->source->scores.tasks;
    return k < scores ? app->scores.task[k]
                      : es_measure_title(app, false, es_app_column(app, false, k - scores));
}

double es_score_value(const es_app *app, size_t item, size_t k) {
    size_t scores = app->source->scores.tasks;
    return k < scores
               ? es_app_score(app, item, k)
               : es_measure_of(app, false, es_app_column(app, false, k - scores), item, item);
}

bool es_score_lower(const es_app *app, size_t k) {
    size_t scores = app->source->scores.tasks;
    return k < scores ? es_score_is_lower_better(&app->scores, k)
                      : es_axis_lower(app, es_app_column(app, false, k - scores) + 1);
}

int es_score_digits(const es_app *app, size_t k) {
    bool score = k < app->source->scores.tasks && k < ES_APP_SCORES;
    return score ? app->score_digits[k] : 3;
}

/* "smoothness:topic[metric=cosine]" as the command line takes it, which has every label column:
 * without. */
static void plain_name(const char *title, char *out, size_t capacity) {
    size_t length = strcspn(title, ":.[");
    const char *settings = strchr(title, '[');
    (void)snprintf(out, capacity, "%.*s%s", (int)length, title, settings ? settings : "");
}

static bool is_listed(const es_buf *names, const char *name) {
    size_t length = strlen(name);
    const char *at = names->data;
    while (at && (at = strstr(at, name)) != NULL) {
        if ((at == names->data || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
        at += length;
    }
    return false;
}

void es_measure_names_put(const es_app *app, es_buf *out) {
    char name[256];
    for (int pairwise = 0; pairwise < 2; pairwise++)
        for (size_t n = 0; n < es_app_columns(app, pairwise == 1); n++) {
            size_t k = es_app_column(app, pairwise == 1, n);
            plain_name(es_measure_title(app, pairwise == 1, k), name, sizeof name);
            if (!is_listed(out, name))
                es_buf_printf(out, "%s%s", out->length > 0 ? "," : "", name);
        }
}
