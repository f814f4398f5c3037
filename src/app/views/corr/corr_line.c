/* The line through Corr's points: how far each is from it, and how sure it is. */
#include <math.h>

#include "app_corr.h"

bool es_corr_place(const es_app *app, size_t task, size_t item, double *x, double *y) {
    *x = app->corr->place[item];
    *y = es_corr_y(app, task, item);
    return isfinite(*x) && isfinite(*y);
}

double es_corr_residual(const es_app *app, size_t task, size_t item) {
    const es_correlation_set *set = es_corr_set(app);
    size_t at = app->corr->at[item];
    return set == NULL || at == ES_NONE ? (double)NAN : set->residual[task * set->n + at];
}

bool es_corr_counts(const es_app *app, size_t task, size_t item) {
    const es_correlation_set *set = es_corr_set(app);
    size_t at = app->corr->at[item];
    return set != NULL && at != ES_NONE && isfinite(set->score[at]) &&
           isfinite(set->y[task * set->n + at]);
}

size_t es_corr_extremes(const es_app *app, size_t task, bool above, size_t count, size_t *item) {
    size_t found = 0;
    for (size_t i = 0; i < app->n; i++) {
        double own = es_corr_residual(app, task, i) * (above ? 1 : -1);
        size_t k = found;
        if (!(own > 0))
            continue;
        for (; k > 0 && es_corr_residual(app, task, item[k - 1]) * (above ? 1 : -1) < own; k--)
            if (k < count)
                item[k] = item[k - 1];
        if (k < count)
            item[k] = i;
        found += found < count;
    }
    return found;
}

/* At least squares: 95 % where residuals are normal and alike. */
static void band_of_line(const es_app *app, double x, double fit, double *low, double *high) {
    const es_correlation_set *set = es_corr_set(app);
    const double *residual = set->residual + app->corr->task * set->n;
    double n = (double)set->report[app->corr->task].n, sum = 0, spread = 0, squares = 0;
    for (size_t k = 0; k < set->n; k++)
        sum += isfinite(residual[k]) ? set->score[k] : 0;
    for (size_t k = 0; k < set->n; k++)
        if (isfinite(residual[k])) {
            spread += pow(set->score[k] - sum / n, 2);
            squares += residual[k] * residual[k];
        }
    double half = n > 2 ? es_student_quantile(0.975, (size_t)n - 2) * sqrt(squares / (n - 2)) *
                              sqrt(1 / n + pow(x - sum / n, 2) / spread)
                        : (double)NAN;
    *low = fit - half;
    *high = fit + half;
}

bool es_corr_band(const es_app *app, double x, double *fit, double *low, double *high) {
    const es_correlation_report *r = es_corr_report(app, app->corr->task);
    *low = *high = (double)NAN;
    if (r == NULL || r->slope.why != NULL || r->n < 3)
        return false;
    *fit = r->intercept.value + r->slope.value * x;
    if (app->set.corr_band == ES_BAND_LINE)
        band_of_line(app, x, *fit, low, high);
    return isfinite(*fit);
}
