/* Commands about measures: computing one, taking one for the score of Corr, deriving embedders. */
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_compare.h"
#include "app_corr.h"
#include "app_dialogs.h"
#include "app_lists.h"
#include "app_state.h"
#include "app_values.h"

/* With settings, once for every combination of their values. */
static void measure_with(es_call *call) {
    enum { MOST = 16 };
    size_t count = 1;
    for (size_t at = 0; at < count; at++) {
        es_buf name = {0};
        count = es_combination(call->argument, at, &name);
        if (count > 0 && count <= MOST && es_buf_check(&name, NULL) == ES_OK)
            es_effect_add(call->app, call->effects, ES_FX_MEASURE, 0, false, name.data);
        else
            es_app_notice(call->app, ES_EINVAL,
                          "measure: NAME KEY=VALUE,VALUE, at most %d combinations", (int)MOST);
        es_buf_free(&name);
        if (count > MOST)
            return;
    }
}

/* "evalrank,cka" as the command line takes it: one after the other. */
static void measure_each(es_call *call) {
    char name[ES_APP_LINE];
    for (const char *at = call->argument; *at != '\0';) {
        size_t length = strcspn(at, ",");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (length > 0)
            es_effect_add(call->app, call->effects, ES_FX_MEASURE, 0, false, name);
        at += length + (at[length] == ',');
    }
}

/* As `measure POOL all` of the command line: those of embedders that the pool has data for. */
static void measure_all(es_call *call) {
    for (size_t k = 0; es_measure_at(k) != NULL; k++)
        if (es_measure_at(k)->pair == NULL)
            es_effect_add(call->app, call->effects, ES_FX_MEASURE, 0, true, es_measure_at(k)->name);
}

void es_command_measure(es_call *call) {
    if (call->argument == NULL)
        es_pick_open(call->app, ES_PICK_MEASURE);
    else if (strcmp(call->argument, "all") == 0)
        measure_all(call);
    else if (strchr(call->argument, '[') != NULL)
        es_effect_add(call->app, call->effects, ES_FX_MEASURE, 0, false, call->argument);
    else if (strchr(call->argument, ' ') != NULL)
        measure_with(call);
    else
        measure_each(call);
}

/* Measures by their first fields, those of embedders, then those of pairs; then the ranking. */
static size_t next_axis(const es_app *app) {
    for (int pairwise = app->set.axis >= ES_AXIS_PAIRS; pairwise < 2; pairwise++) {
        size_t from = pairwise ? ES_AXIS_PAIRS : 1;
        for (size_t n = 0; n < es_app_columns(app, pairwise); n++)
            if (from + es_app_column(app, pairwise, n) > app->set.axis)
                return from + es_app_column(app, pairwise, n);
    }
    return 0;
}

void es_command_axis(es_call *call) {
    es_app *app = call->app;
    size_t count = es_app_measures(app, false) + es_app_measures(app, true), axis = next_axis(app);
    if (call->argument != NULL)
        axis = strcmp(call->argument, "is") == 0 ? 0 : es_axis_find(app, call->argument);
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

void es_command_derive(es_call *call) {
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

const char *es_refuse_derived(const es_app *app) {
    return es_app_derived(app, true) == 0 ? "no embedder here is derived" : NULL;
}

/* The pool is opened again without it, or with it; a run would lose what it reads. */
const char *es_refuse_edit(const es_app *app) {
    return es_app_running(app)               ? "not in the middle of a run"
           : app->phase == ES_PHASE_CHECKING ? "files are still being checked"
           : es_refuse_derived(app) != NULL  ? es_refuse_derived(app)
                                             : es_app_unsaved(app);
}

void es_command_derived(es_call *call) {
    es_app *app = call->app;
    es_history_push(app);
    app->set.with_derived = !app->set.with_derived;
    es_app_rerank(app);
    es_app_notice(app, ES_OK,
                  app->set.with_derived
                      ? "Derived embedders vote too: their sources rank higher for it"
                      : "Derived embedders neither vote nor rank");
}

/* What is removed is noted as a step that u takes back once it is: es_app_edited. */
void es_command_remove(es_call *call) {
    es_app *app = call->app;
    size_t item = call->argument != NULL ? es_app_find(app, call->argument) : app->cursor;
    if (call->argument != NULL && item == ES_NONE)
        es_app_notice(app, ES_ENOTFOUND, "remove: no embedder is called %.200s", call->argument);
    else if (item == ES_NONE || !es_app_model(app, item)->derived)
        es_app_notice(app, ES_EINVAL, "%s is not derived; x hides it",
                      item == ES_NONE ? "Nothing here" : es_app_model(app, item)->name);
    else
        es_effect_add(app, call->effects, ES_FX_REMOVE, item, false, NULL);
}

/* W: the sheet of where a measure does worst, of the embedder or the two that a view shows. */

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
    const es_view_ops *view = es_view_shown(app);
    size_t item[ES_COMPARE_MOST] = {app->cursor}, pair = 0, side = 0;
    size_t items = view->compared ? view->compared(app, item, &pair, &side) : 1;
    size_t at = side < items ? side : 0;
    worst one = {false, choose_measure(app, false, name), items > 0 ? item[at] : ES_NONE, ES_NONE},
          both = {true, choose_measure(app, true, name), ES_NONE, ES_NONE};
    if (es_pair_sides[pair][1] < items) {
        both.item = item[es_pair_sides[pair][0]];
        both.other = item[es_pair_sides[pair][1]];
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
