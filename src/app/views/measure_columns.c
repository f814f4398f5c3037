/* Measures in the explorer: columns beside the downstream scores, a metric of the heatmap, the
 * score of Corr. */
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "corr.h"

size_t es_app_measures(const es_app *app, bool pairwise) {
    return app->source->measures(app->source->context, pairwise);
}

const char *es_measure_title(const es_app *app, bool pairwise, size_t k) {
    return app->source->measure_name(app->source->context, pairwise, k);
}

double es_measure_of(const es_app *app, bool pairwise, size_t k, size_t a, size_t b) {
    return app->source->measure_value(app->source->context, pairwise, k, a, b);
}

const char *es_measure_doubt(const es_app *app, size_t k, size_t a, size_t b) {
    return k < es_app_measures(app, true)
               ? app->source->measure_doubt(app->source->context, k, a, b)
               : NULL;
}

/* ---- columns: scores.csv, then measures ---- */

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

bool es_score_lower(const es_app *app, size_t k) {
    return k < app->source->score_columns(app->source->context) &&
           app->source->score_lower(app->source->context, k);
}

int es_score_digits(const es_app *app, size_t k) {
    bool score = k < app->source->score_columns(app->source->context) && k < ES_APP_SCORES;
    return score ? app->score_digits[k] : 3;
}

/* ---- commands ---- */

void es_do_measure(es_call *call);
void es_do_axis(es_call *call);

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

/* ---- derived embedders ---- */

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
    {"concat", "with the marked one beside it"},
};

const char *es_derive_way(size_t k) {
    return k < sizeof ways / sizeof *ways ? ways[k].way : NULL;
}

const char *es_derive_about(size_t k) {
    return ways[k].about;
}

/* With the one that is marked; :derive concat NAME takes any. */
static void concat(es_call *call) {
    es_app *app = call->app;
    size_t other = ES_NONE, marks = 0;
    char way[300];
    for (size_t i = 0; i < app->n; i++)
        if (app->marked[i] && i != app->cursor) {
            other = i;
            marks++;
        }
    if (marks != 1) {
        es_app_notice(app, ES_EINVAL, "concat: mark the one other embedder, or give its name");
        return;
    }
    (void)snprintf(way, sizeof way, "concat %.280s", es_app_model(app, other)->name);
    es_effect_add(app, call->effects, ES_FX_DERIVE, app->cursor, false, way);
}

void es_do_derive(es_call *call) {
    es_app *app = call->app;
    if (app->cursor == ES_NONE)
        return;
    if (es_app_model(app, app->cursor)->state != ES_MODEL_READY)
        es_app_notice(app, ES_EINVAL, "%s is not in use", es_app_model(app, app->cursor)->name);
    else if (call->argument == NULL)
        es_pick_open(app, ES_PICK_DERIVE);
    else if (strcmp(call->argument, "concat") == 0)
        concat(call);
    else
        es_effect_add(app, call->effects, ES_FX_DERIVE, app->cursor, false, call->argument);
}
