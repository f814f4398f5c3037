/* Commands about measures: computing one, taking one for the score of Corr, deriving embedders. */
#include <stdio.h>
#include <string.h>

#include "corr.h"
#include "effects.h"
#include "facts.h"
#include "handlers.h"
#include "history.h"
#include "measure_columns.h"
#include "pick.h"

void es_command_measure(es_call *call) {
    if (call->argument == NULL)
        es_pick_open(call->app, ES_PICK_MEASURE);
    else
        es_effect_add(call->app, call->effects, ES_FX_MEASURE, 0, false, call->argument);
}

void es_command_axis(es_call *call) {
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
