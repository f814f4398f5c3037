/* The line through Corr's points: how far each is from it, and how sure it is. */
#include <math.h>

#include "alloc.h"
#include "rng.h"
#include "corr_line.h"
#include "stats.h"

bool es_corr_place(const es_app *app, size_t task, size_t item, double *x, double *y) {
    *x = app->corr->place[item];
    *y = app->corr->y[task * app->n + item];
    return isfinite(*x) && isfinite(*y);
}

bool es_corr_counts(const es_app *app, size_t task, size_t item) {
    return isfinite(app->corr->x[item]) && isfinite(app->corr->y[task * app->n + item]);
}

double es_corr_residual(const es_app *app, size_t task, size_t item) {
    const es_correlation_report *r = &app->corr->at[task].report;
    if (!es_corr_counts(app, task, item))
        return (double)NAN;
    return app->corr->y[task * app->n + item] -
           (r->intercept.value + r->slope.value * app->corr->x[item]);
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

/* ---- Bands ---- */

/* At least squares: 95 % where residuals are normal and alike. */
static void band_of_line(const es_corr_task *t, double x, double fit, double *low, double *high) {
    double n = (double)t->report.n, d = x - t->mean;
    double half = t->half * sqrt(1 / n + d * d / t->spread);
    *low = fit - half;
    *high = fit + half;
}

/* Between the two places beside x; the outer ones go on as they are. */
static void band_of_boot(const es_corr_boots *b, double x, double *low, double *high) {
    double at = b->step > 0 ? (x - b->from) / b->step : 0;
    at = fmin(fmax(at, 0), ES_CORR_BOOT - 1.0);
    size_t k = (size_t)at < ES_CORR_BOOT - 1 ? (size_t)at : ES_CORR_BOOT - 2;
    double part = at - (double)k;
    *low = (1 - part) * b->low[k] + part * b->low[k + 1];
    *high = (1 - part) * b->high[k] + part * b->high[k + 1];
}

bool es_corr_band(const es_app *app, double x, double *fit, double *low, double *high) {
    const struct es_corr *c = app->corr;
    const es_corr_task *t = &c->at[c->task];
    const es_correlation_report *r = &t->report;
    *low = *high = (double)NAN;
    if (!t->fresh || r->slope.why != NULL || r->n < 3)
        return false;
    *fit = r->intercept.value + r->slope.value * x;
    if (app->set.corr_band == ES_BAND_LINE)
        band_of_line(t, x, *fit, low, high);
    else if (app->set.corr_band == ES_BAND_BOOTSTRAP && c->boot.known && c->boot.task == c->task)
        band_of_boot(&c->boot, x, low, high);
    return isfinite(*fit);
}

enum { BOOT_DRAWS = 500 };

typedef struct line {
    double slope, intercept;
} line;

/* Least squares through as many points as there are, drawn with replacement; false: all drawn have
 * the same score. */
static bool draw_line(const double *x, const double *y, size_t n, es_rng *rng, line *out) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0, count = (double)n;
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)es_rng_below(rng, n);
        sx += x[k];
        sy += y[k];
        sxx += x[k] * x[k];
        sxy += x[k] * y[k];
    }
    double spread = sxx - sx * sx / count;
    if (!(spread > 1e-12 * sxx))
        return false;
    out->slope = (sxy - sx * sy / count) / spread;
    out->intercept = (sy - out->slope * sx) / count;
    return true;
}

/* x with its mean taken off, so that sums of squares keep their digits; returns how many. */
static size_t take_points(const es_app *app, double *x, double *y, double *mean) {
    const struct es_corr *c = app->corr;
    size_t n = 0;
    *mean = c->at[c->task].mean;
    for (size_t i = 0; i < app->n; i++)
        if (es_corr_counts(app, c->task, i)) {
            x[n] = c->x[i] - *mean;
            y[n++] = c->y[c->task * app->n + i];
        }
    return n;
}

static void spread_places(es_corr_boots *b, const double *x, size_t n) {
    double least = x[0], most = x[0];
    for (size_t i = 1; i < n; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    double margin = 0.1 * (most - least); /* the plot goes a little further than its points */
    b->from = least - margin;
    b->step = (most - least + 2 * margin) / (ES_CORR_BOOT - 1);
}

static void draw_lines(es_corr_boots *b, const double *x, const double *y, size_t n, line *lines,
                       double *at) {
    es_rng rng;
    size_t count = 0;
    es_rng_init(&rng, 0, es_rng_stream(ES_STREAM_BOOTSTRAP, n));
    for (size_t d = 0; d < BOOT_DRAWS; d++)
        count += draw_line(x, y, n, &rng, &lines[count]);
    b->known = 2 * count > BOOT_DRAWS;
    for (size_t k = 0; k < ES_CORR_BOOT && b->known; k++) {
        for (size_t d = 0; d < count; d++)
            at[d] = lines[d].intercept + lines[d].slope * (b->from + (double)k * b->step);
        b->low[k] = es_stat_quantile(at, count, 0.025);
        b->high[k] = es_stat_quantile(at, count, 0.975);
    }
}

es_status es_corr_boot(es_app *app) {
    struct es_corr *c = app->corr;
    es_corr_boots *b = &c->boot;
    const es_corr_task *task = &c->at[c->task];
    if (app->set.corr_band != ES_BAND_BOOTSTRAP || !task->fresh ||
        (b->low != NULL && b->task == c->task && b->stamp == task->stamp))
        return ES_OK;
    size_t n = app->n;
    double *x = es_alloc(2 * n + BOOT_DRAWS + 1, sizeof *x), mean;
    line *lines = es_alloc(BOOT_DRAWS, sizeof *lines);
    if (b->low == NULL && (b->low = es_alloc_zero(2 * ES_CORR_BOOT, sizeof *b->low)) != NULL)
        b->high = b->low + ES_CORR_BOOT;
    es_status st = x == NULL || lines == NULL || b->low == NULL ? ES_ENOMEM : ES_OK;
    if (st == ES_OK) {
        double *y = x + n;
        size_t points = take_points(app, x, y, &mean);
        b->task = c->task;
        b->stamp = task->stamp;
        b->known = false;
        if (points >= 3) {
            spread_places(b, x, points);
            draw_lines(b, x, y, points, lines, y + n);
            b->from += mean;
        }
    }
    es_free(lines);
    es_free(x);
    return st;
}

/* ---- The plot ---- */

bool es_corr_plot(const es_app *app, size_t item, double *x, double *y) {
    const struct es_corr *c = app->corr;
    const es_correlation_report *r = &c->at[c->task].report;
    if (!es_corr_place(app, c->task, item, x, y))
        return false;
    if (app->set.corr_residuals)
        *y -= r->intercept.value + r->slope.value * *x;
    return isfinite(*y);
}
