/* Lines of the Jobs view: one a thread, then one a failed pair. */
#include "app_state.h"

size_t es_jobs_threads(const es_app *app) {
    return app->source->threads(app->source->context);
}

size_t es_jobs_lines(const es_app *app) {
    return es_jobs_threads(app) + (app->results == NULL ? 0 : app->results->failed);
}

bool es_jobs_failure(const es_app *app, size_t number, size_t *source, size_t *target) {
    const es_results *r = app->results;
    if (r == NULL || number >= r->failed)
        return false;
    for (size_t cell = 0; cell < r->m * r->m; cell++)
        if (r->state[cell] == ES_PAIR_FAILED && number-- == 0) {
            *source = r->model[cell / r->m];
            *target = r->model[cell % r->m];
            return true;
        }
    return false;
}

bool es_jobs_pair(const es_app *app, size_t line, size_t *source, size_t *target) {
    size_t threads = es_jobs_threads(app);
    es_activity activity;
    if (line >= threads)
        return es_jobs_failure(app, line - threads, source, target);
    if (!app->source->activity(app->source->context, (unsigned)line, &activity) || !activity.busy ||
        activity.entry >= app->source->plan(app->source->context))
        return false;
    const es_results *r = app->source->results(app->source->context, activity.entry);
    if (r == NULL || activity.source >= r->m)
        return false;
    *source = r->model[activity.source];
    *target = activity.target < r->m ? r->model[activity.target] : ES_NONE;
    return true;
}
