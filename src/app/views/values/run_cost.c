/* What the rest of a run costs, as the session tells it (engine_session.h). */
#include "app_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double es_run_seconds(const es_app *app) {
    return app->source->outlook == NULL ? (double)NAN : app->source->outlook->seconds;
}

size_t es_run_passes_within(const es_app *app, double limit, double *seconds) {
    const es_outlook *o = app->source->outlook;
    size_t passes = 0, most = o == NULL ? 0 : o->parts;
    *seconds = 0;
    if (app->source->waits) /* the first sample alone: who starts the whole plan takes more rows */
        most = most > 1 ? 1 : 0;
    while (passes < most && *seconds + o->part[passes].seconds / o->at_once < limit)
        *seconds += o->part[passes++].seconds / o->at_once;
    return passes;
}

void es_seconds_about(double seconds, char *out, size_t capacity) {
    out[0] = '\0';
    if (seconds < 90)
        (void)snprintf(out, capacity, "about %.0f s", seconds < 1 ? 1 : ceil(seconds));
    else if (seconds < 5400)
        (void)snprintf(out, capacity, "about %.0f min", seconds / 60);
    else if (isfinite(seconds))
        (void)snprintf(out, capacity, "about %.0f h", ceil(seconds / 3600));
}

void es_run_seconds_text(const es_app *app, char *out, size_t capacity) {
    es_seconds_about(es_run_seconds(app), out, capacity);
    if (out[0] != '\0' && app->source->waits) /* larger ones may follow */
        (void)snprintf(out + strlen(out), capacity - strlen(out), " for the first sample");
}

double es_run_share(const es_app *app) {
    const es_progress *p = &app->progress;
    return p->pass_total == 0 ? 0 : (double)p->pass_ended / (double)p->pass_total;
}

const char *es_run_pass(const es_app *app, size_t pass) {
    size_t passes = app->progress.entries;
    return passes < 2                        ? ""
           : pass == app->source->predictive ? "ranking"
           : pass + 1 == passes              ? "refining"
                                             : "matrix";
}

void es_run_passes_text(const es_app *app, char *out, size_t capacity) {
    const es_progress *p = &app->progress;
    size_t length = 0;
    out[0] = '\0';
    for (size_t pass = 0; pass < p->pass && length < capacity; pass++)
        length +=
            (size_t)snprintf(out + length, capacity - length, "%s done, ", es_run_pass(app, pass));
    if (length < capacity)
        (void)snprintf(out + length, capacity - length, "%s%s%zu of %zu pairs",
                       es_run_pass(app, p->pass), p->entries < 2 ? "" : " ", p->pass_ended,
                       p->pass_total);
}
