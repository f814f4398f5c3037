/* What the rest of a run costs, as the session tells it (outlook.h). */
#include "run_cost.h"

#include <math.h>
#include <stdio.h>

double es_run_seconds(const es_app *app) {
    return app->source->outlook == NULL ? (double)NAN : app->source->outlook->seconds;
}

void es_run_seconds_text(const es_app *app, char *out, size_t capacity) {
    double seconds = es_run_seconds(app);
    out[0] = '\0';
    if (!isfinite(seconds))
        return;
    const char *of = app->source->waits ? " for the first sample" : ""; /* larger ones may follow */
    if (seconds < 90)
        (void)snprintf(out, capacity, "about %.0f s%s", seconds < 1 ? 1 : ceil(seconds), of);
    else if (seconds < 5400)
        (void)snprintf(out, capacity, "about %.0f min%s", seconds / 60, of);
    else
        (void)snprintf(out, capacity, "about %.0f h%s", ceil(seconds / 3600), of);
}
