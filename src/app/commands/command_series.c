/* Commands of Series. */
#include <string.h>

#include "compare_state.h"
#include "effects.h"
#include "facts.h"
#include "go.h"
#include "handlers.h"
#include "history.h"
#include "series_state.h"

const char *es_refuse_series(const es_app *app) {
    return es_series_lines(app) == 0 ? "no run has two steps with results" : NULL;
}

void es_command_over_steps(es_call *call) {
    es_app *app = call->app;
    const es_series *s = &app->series->known;
    size_t at = es_series_shown_at(app), to = (at + 1) % s->columns;
    if (call->argument != NULL) {
        for (to = 0; to < s->columns; to++)
            if (strcmp(s->column[to].name, call->argument) == 0)
                break;
        if (to == s->columns) {
            es_app_notice(app, ES_ENOTFOUND,
                          "over-steps: score, of_before, by_before, of_first, "
                          "of_last, downstream, or a measure that was computed");
            return;
        }
    }
    if (call->argument == NULL && to == ES_SERIES_DOWNSTREAM && app->source->scores.tasks == 0)
        to = (to + 1) % s->columns;
    es_history_push(app);
    app->set.series_value = to;
}

void es_command_compare_steps(es_call *call) {
    es_app *app = call->app;
    size_t item[2];
    if (!es_view_shown(app)->pair(app, &item[0], &item[1])) {
        es_app_notice(app, ES_EINVAL,
                      "The first step has none before it; c compares it with the best");
        return;
    }
    es_compare_choose(app, item, 2);
    app->compare.away = false;
    app->focus[ES_VIEW_COMPARE] = ES_PANE_TARGETS;
    es_go(app, ES_VIEW_COMPARE);
}
