/* W: the sheet of where a measure does worst, of the embedder or the two that a view shows. */
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_values.h"

/* A measure and whom it is of. */
typedef struct worst {
    bool pairwise;
    size_t measure, item, other; /* other ES_NONE: of one embedder */
} worst;

static bool has_list(const es_app *app, bool pairwise, size_t k) {
    return k < es_app_measures(app, pairwise) &&
           app->source->measure[pairwise][k].worst != ES_WORST_NONE;
}

/* The measure that the view shows, where it has a list; ES_NONE: it has not. */
static size_t shown_measure(const es_app *app, bool pairwise) {
    const es_view_ops *view = es_view_shown(app);
    size_t shown = ES_NONE;
    if (pairwise)
        shown = app->set.metric == ES_METRIC_MEASURE ? app->set.matrix : ES_NONE;
    else if (view->measure != NULL)
        shown = view->measure(app);
    if (!has_list(app, pairwise, shown))
        return ES_NONE;
    return shown - app->source->measure[pairwise][shown].field; /* the list is of all its fields */
}

/* The one named, else the one shown, else the first that has a list; ES_NONE: none was computed. */
static size_t choose_measure(const es_app *app, bool pairwise, const char *name) {
    size_t k = name ? ES_NONE : shown_measure(app, pairwise);
    for (size_t i = 0; k == ES_NONE && i < es_app_measures(app, pairwise); i++)
        if (has_list(app, pairwise, i) &&
            (name == NULL || strcmp(es_measure_title(app, pairwise, i), name) == 0))
            k = i;
    return k;
}

static bool in_use(const es_app *app, size_t item) {
    return item != ES_NONE && es_app_model(app, item)->state == ES_MODEL_READY;
}

static bool is_known(const es_app *app, const worst *w) {
    return w->measure != ES_NONE && in_use(app, w->item) &&
           (!w->pairwise || (in_use(app, w->other) && w->item != w->other));
}

/* Both of a pair, if a measure of two is named or shown or no other has a list; else one of them.
 */
static bool find(const es_app *app, const char *name, worst *out) {
    static const size_t first[] = {0, 0, 1}, second[] = {1, 2, 2};
    const es_view_ops *view = es_view_shown(app);
    size_t item[ES_COMPARE_MOST] = {app->cursor}, pair = 0, side = 0;
    size_t items = view->compared ? view->compared(app, item, &pair, &side) : 1;
    size_t at = side < items ? side : 0;
    worst one = {false, choose_measure(app, false, name), items > 0 ? item[at] : ES_NONE, ES_NONE},
          both = {true, choose_measure(app, true, name), ES_NONE, ES_NONE};
    if (second[pair] < items) {
        both.item = item[first[pair]];
        both.other = item[second[pair]];
    }
    bool two =
        is_known(app, &both) && (!is_known(app, &one) || shown_measure(app, true) != ES_NONE);
    *out = two ? both : one;
    return is_known(app, out);
}

const char *es_refuse_worst(const es_app *app) {
    worst w;
    bool two = es_view_shown(app)->compared != NULL;
    if (find(app, NULL, &w))
        return NULL;
    if (w.measure == ES_NONE && (!two || choose_measure(app, true, NULL) == ES_NONE))
        return two ? "compute :measure evalrank, retmmd, knn-overlap or infonce first"
                   : "compute :measure evalrank or retmmd first";
    return app->cursor == ES_NONE      ? "no embedder is selected"
           : !in_use(app, app->cursor) ? "this embedder is not in use"
           : w.measure == ES_NONE      ? "this needs two embedders"
                                       : "no embedder is chosen";
}

void es_command_worst(es_call *call) {
    es_app *app = call->app;
    es_buf of = {0};
    worst w;
    if (!find(app, call->argument, &w)) {
        es_app_notice(app, ES_ENOTFOUND, "worst: %s has no list here",
                      call->argument ? call->argument : "no measure");
        return;
    }
    es_buf_printf(&of, "%s\n--worst-of\n%s", es_measure_title(app, w.pairwise, w.measure),
                  es_app_model(app, w.item)->name);
    if (w.pairwise)
        es_buf_printf(&of, "\n--other\n%s", es_app_model(app, w.other)->name);
    if (!of.failed)
        es_sheet_open(app, "worst", of.data);
    es_buf_free(&of);
}
