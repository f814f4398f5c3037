/* Lines of the Jobs view: one a thread, then one a failed pair, of whatever estimator. */
#include "app_state.h"
#include "jobs.h"

size_t es_jobs_threads(const es_app *app) {
    return app->source->threads;
}

size_t es_jobs_failures(const es_app *app) {
    const es_source *s = app->source;
    size_t failed = 0;
    for (size_t e = 0; e < s->plan; e++) {
        const es_results *r = s->results[e];
        failed += r == NULL ? 0 : r->failed + r->null_failed;
    }
    return failed;
}

/* A pair passes the filter with one of its two. */
static bool passes(const es_app *app, const es_failure *failure) {
    return app->set.filter[0] == '\0' || app->passes[failure->target] ||
           (failure->source != ES_NONE && app->passes[failure->source]);
}

size_t es_jobs_shown(const es_app *app) {
    es_failure at = {0};
    size_t count = 0;
    if (app->set.filter[0] == '\0')
        return es_jobs_failures(app);
    while (es_jobs_next(app, &at))
        count++;
    return count;
}

size_t es_jobs_lines(const es_app *app) {
    return es_jobs_threads(app) + es_jobs_shown(app);
}

/* Cells of the matrix, then the zero line. */
static bool next_of(const es_results *r, es_failure *at) {
    size_t cells = r->m * r->m, all = cells + (r->null == NULL ? 0 : r->m);
    for (; at->cell < all && r->failed + r->null_failed > 0; at->cell++) {
        bool zero = at->cell >= cells;
        size_t t = at->cell % (r->m > 0 ? r->m : 1);
        if ((zero ? r->null[t].state : r->state[at->cell]) != ES_PAIR_FAILED)
            continue;
        at->source = zero ? ES_NONE : r->model[at->cell / r->m];
        at->target = r->model[t];
        at->reason = zero ? r->null[t].reason : r->reason[at->cell];
        at->cell++;
        return true;
    }
    return false;
}

bool es_jobs_next(const es_app *app, es_failure *at) {
    const es_source *s = app->source;
    for (; at->entry < s->plan; at->entry++, at->cell = 0) {
        const es_results *r = s->results[at->entry];
        while (r != NULL && next_of(r, at))
            if (passes(app, at))
                return true;
    }
    return false;
}

bool es_jobs_failure(const es_app *app, size_t number, es_failure *out) {
    es_failure at = {0};
    while (es_jobs_next(app, &at))
        if (number-- == 0) {
            *out = at;
            return true;
        }
    return false;
}

bool es_jobs_pair(const es_app *app, size_t line, size_t *source, size_t *target) {
    size_t threads = es_jobs_threads(app);
    es_activity activity;
    es_failure failure;
    if (line >= threads) {
        if (!es_jobs_failure(app, line - threads, &failure))
            return false;
        *source = failure.source == ES_NONE ? failure.target : failure.source;
        *target = failure.target;
        return true;
    }
    if (!app->source->activity(app->source->context, (unsigned)line, &activity) || !activity.busy ||
        activity.entry >= app->source->plan)
        return false;
    const es_results *r = app->source->results[activity.entry];
    if (r == NULL || activity.source >= r->m)
        return false;
    *source = r->model[activity.source];
    *target = activity.target < r->m ? r->model[activity.target] : ES_NONE;
    return true;
}

size_t es_jobs_left(const es_app *app, size_t item) {
    size_t left = 0;
    for (size_t e = 0; e < app->source->plan; e++) {
        const es_results *r = app->source->results[e];
        size_t m = r == NULL ? 0 : r->m, row = 0;
        while (row < m && r->model[row] != item)
            row++;
        for (size_t t = 0; t < m && row < m; t++)
            left += t != row && r->state[row * m + t] == ES_PAIR_PENDING;
    }
    return left;
}

void es_jobs_pace(es_app *app) {
    const es_progress *p = &app->progress;
    double since = app->now - app->paced_at;
    if (app->phase != ES_PHASE_RUNNING || since < 1) {
        if (app->phase != ES_PHASE_RUNNING) {
            app->paced_at = app->now;
            app->paced_done = p->done;
        }
        return;
    }
    if (p->done >= app->paced_done && since < 10) /* not after a pause or a new pool of work */
        app->pace[app->paces++ % ES_APP_PACE] =
            (float)((double)(p->done - app->paced_done) / since);
    app->paced_done = p->done;
    app->paced_at = app->now;
}

void es_jobs_select(es_app *app, size_t line) {
    app->job = line;
    es_failure failure = {.source = ES_NONE, .target = ES_NONE};
    if (app->job >= es_jobs_threads(app))
        (void)es_jobs_failure(app, app->job - es_jobs_threads(app), &failure);
    app->job_entry = failure.entry;
    app->job_source = failure.source;
    app->job_target = failure.target;
}

/* A failed pair that is selected in Jobs stays selected while others fail. */
void es_jobs_follow(es_app *app) {
    size_t threads = es_jobs_threads(app), lines = es_jobs_lines(app);
    es_failure at = {0};
    if (app->job >= lines)
        app->job = lines == 0 ? 0 : lines - 1;
    if (app->job < threads || app->job_target == ES_NONE)
        return;
    for (size_t i = 0; es_jobs_next(app, &at); i++)
        if (at.entry == app->job_entry && at.source == app->job_source &&
            at.target == app->job_target) {
            app->job = threads + i;
            return;
        }
}
