/* Measures in the explorer: columns beside the downstream scores, a metric of the heatmap, the
 * score of Corr, and how they agree. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "corr.h"
#include "embedscope/alloc.h"
#include "embedscope/buf.h"
#include "embedscope/stats.h"

size_t es_app_measures(const es_app *app, bool pairwise) {
    return app->source->measures(app->source->context, pairwise);
}

const char *es_measure_title(const es_app *app, bool pairwise, size_t k) {
    return app->source->measure_name(app->source->context, pairwise, k);
}

double es_measure_of(const es_app *app, bool pairwise, size_t k, size_t a, size_t b) {
    return app->source->measure_value(app->source->context, pairwise, k, a, b);
}

/* ---- columns: scores.csv, then measures ------------------------------------------------------ */

size_t es_score_count(const es_app *app) {
    return app->source->score_columns(app->source->context) + es_app_measures(app, false);
}

const char *es_score_title(const es_app *app, size_t k) {
    size_t scores = app->source->score_columns(app->source->context);
    return k < scores ? app->source->score_name(app->source->context, k)
                      : es_measure_title(app, false, k - scores);
}

double es_score_value(const es_app *app, size_t item, size_t k) {
    size_t scores = app->source->score_columns(app->source->context);
    return k < scores ? app->source->score(app->source->context, item, k)
                      : es_measure_of(app, false, k - scores, item, item);
}

int es_score_digits(const es_app *app, size_t k) {
    bool score = k < app->source->score_columns(app->source->context) && k < ES_APP_SCORES;
    return score ? app->score_digits[k] : 3;
}

/* ---- commands -------------------------------------------------------------------------------- */

void es_do_measure(es_call *call);
void es_do_axis(es_call *call);
void es_do_agree(es_call *call);

void es_do_measure(es_call *call) {
    if (call->argument == NULL)
        es_pick_open(call->app, ES_PICK_MEASURE);
    else
        es_effect_add(call->app, call->effects, ES_FX_MEASURE, 0, false, call->argument);
}

void es_do_axis(es_call *call) {
    es_app *app = call->app;
    size_t count = es_app_measures(app, false), axis = (app->set.axis + 1) % (count + 1);
    if (call->argument != NULL) {
        axis = strcmp(call->argument, "is") == 0 ? 0 : ES_NONE;
        for (size_t k = 0; k < count; k++)
            if (strcmp(es_measure_title(app, false, k), call->argument) == 0)
                axis = k + 1;
    }
    if (axis == ES_NONE || count == 0) {
        es_app_notice(app, ES_ENOTFOUND,
                      count == 0 ? "No measure yet: gm chooses one to compute"
                                 : "axis: is, or a measure that was computed");
        return;
    }
    es_history_push(app);
    app->set.axis = axis;
    es_app_notice(app, ES_OK, "The score is %s", es_corr_axis(app));
}

/* ---- agreement ------------------------------------------------------------------------------- */

enum { MOST_LINES = 40 };

/* Column c of what can agree: IS, then measures; higher is better, as the ranking has it. */
static double column_value(const es_app *app, size_t c, size_t item) {
    if (c > 0)
        return es_measure_of(app, false, c - 1, item, item);
    double score = app->standing[item].score;
    return es_app_lower(app) ? -score : score;
}

/* The mean of an embedder's scores, where it has them all. */
static double downstream_of(const es_app *app, size_t item) {
    size_t tasks = app->source->score_columns(app->source->context);
    double sum = tasks > 0 ? 0 : (double)NAN;
    for (size_t t = 0; t < tasks; t++)
        sum += app->source->score(app->source->context, item, t) / (double)tasks;
    return sum;
}

/* "0.89 0.80": rho and tau of two lists. */
static void put_two(es_buf *out, const double *x, const double *y, size_t n) {
    es_stat rho = {0}, tau = {0};
    if (es_correlate(ES_SPEARMAN, x, y, n, &rho, NULL) != ES_OK ||
        es_correlate(ES_KENDALL, x, y, n, &tau, NULL) != ES_OK || rho.why || tau.why)
        es_buf_puts(out, "      -      -");
    else
        es_buf_printf(out, "%7.2f%7.2f", rho.value, tau.value);
}

void es_do_agree(es_call *call) {
    es_app *app = call->app;
    size_t columns = es_app_measures(app, false) + 1, n = app->n;
    double *first = es_alloc(n, 3 * sizeof *first);
    es_buf out = {0};
    if (first == NULL)
        return;
    double *other = first + n, *downstream = other + n;
    for (size_t i = 0; i < n; i++) {
        first[i] = column_value(app, 0, i);
        downstream[i] = downstream_of(app, i);
    }
    es_buf_printf(&out, "%-24s%14s%14s\n%-24s%7s%7s%7s%7s\n", "", "with IS", "downstream", "",
                  "rho", "tau", "rho", "tau");
    for (size_t c = 0; c < columns && c < MOST_LINES; c++) {
        for (size_t i = 0; i < n; i++)
            other[i] = column_value(app, c, i);
        es_buf_printf(&out, "%-24.24s", c == 0 ? "IS" : es_measure_title(app, false, c - 1));
        put_two(&out, first, other, n);
        put_two(&out, other, downstream, n);
        es_buf_putc(&out, '\n');
    }
    es_buf_puts(&out, "\nrho: Spearman; tau: Kendall's tau-b; downstream: the mean of scores.csv.\n"
                      "Intervals: embedscope agree POOL. gm adds a measure.");
    if (out.failed)
        es_app_notice(app, ES_ENOMEM, "out of memory");
    else
        es_app_show_note(app, "Agreement of measures", es_strdup(out.data));
    es_buf_free(&out);
    es_free(first);
}

/* ---- derived embedders ----------------------------------------------------------------------- */

void es_do_derive(es_call *call);

/* What the list offers; :derive takes any number of axes. */
static const struct {
    const char *way, *about;
} ways[] = {
    {"whiten", "all directions at the same variance"},
    {"whiten 64", "the 64 of most variance, at the same variance"},
    {"abtt 1", "centred, without the direction of most variance"},
    {"abtt 2", "without two"},
    {"abtt 3", "without three"},
    {"center", "without the mean"},
    {"normalize", "every row at length 1"},
    {"pca 64", "the 64 directions of most variance"},
    {"random-projection 64", "64 random directions"},
};

const char *es_derive_way(size_t k) {
    return k < sizeof ways / sizeof *ways ? ways[k].way : NULL;
}

const char *es_derive_about(size_t k) {
    return ways[k].about;
}

void es_do_derive(es_call *call) {
    es_app *app = call->app;
    if (app->cursor == ES_NONE)
        return;
    if (es_app_model(app, app->cursor)->state != ES_MODEL_READY)
        es_app_notice(app, ES_EINVAL, "%s is not in use", es_app_model(app, app->cursor)->name);
    else if (call->argument == NULL)
        es_pick_open(app, ES_PICK_DERIVE);
    else
        es_effect_add(app, call->effects, ES_FX_DERIVE, app->cursor, false, call->argument);
}
