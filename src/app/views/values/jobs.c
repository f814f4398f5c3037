/* Lines of the Jobs view: one a thread, then one a failed pair, of whatever estimator. */
#include "app_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_state.h"

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

/* of the failures: what the filter shows */
static size_t jobs_shown(const es_app *app) {
    es_failure at = {0};
    size_t count = 0;
    if (app->set.filter[0] == '\0')
        return es_jobs_failures(app);
    while (es_jobs_next(app, &at))
        count++;
    return count;
}

size_t es_jobs_lines(const es_app *app) {
    return es_jobs_threads(app) + jobs_shown(app);
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

void es_took_free(es_took *took) {
    if (took == NULL)
        return;
    es_free(took->pairs);
    es_free(took->seconds);
    es_free(took);
}

static void add_took(es_took *took, size_t entry, const es_results *r, size_t cell) {
    double seconds = r->seconds[cell];
    size_t at = took->slowest;
    took->pairs[entry]++;
    if (!(seconds > 0))
        return;
    took->seconds[entry] += seconds;
    while (at > 0 && took->slow[at - 1].seconds < seconds) {
        if (at < ES_JOBS_SLOWEST)
            took->slow[at] = took->slow[at - 1];
        at--;
    }
    if (at == ES_JOBS_SLOWEST)
        return;
    took->slow[at].entry = entry;
    took->slow[at].source = r->model[cell / r->m];
    took->slow[at].target = r->model[cell % r->m];
    took->slow[at].seconds = seconds;
    took->slowest += took->slowest < ES_JOBS_SLOWEST;
}

static es_took *took_new(const es_source *s, uint64_t revision) {
    es_took *took = es_alloc_zero(1, sizeof *took);
    if (took == NULL)
        return NULL;
    *took = (es_took){.revision = revision,
                      .entries = s->plan,
                      .pairs = es_alloc_zero(s->plan + 1, sizeof *took->pairs),
                      .seconds = es_alloc_zero(s->plan + 1, sizeof *took->seconds)};
    if (took->pairs == NULL || took->seconds == NULL) {
        es_took_free(took);
        return NULL;
    }
    for (size_t e = 0; e < s->plan; e++)
        for (size_t i = 0; s->results[e] != NULL && i < s->results[e]->m * s->results[e]->m; i++)
            if (s->results[e]->state[i] == ES_PAIR_DONE)
                add_took(took, e, s->results[e], i);
    return took;
}

/* Keeps app->took as the results are; NULL while a run is on, and when nothing is done. */
static void follow_took(es_app *app) {
    const es_source *s = app->source;
    size_t done;
    uint64_t revision = es_source_revision(s, &done) + 1;
    bool shown = done > 0 && s->threads > 0 && !es_app_running(app);
    if (shown && app->took != NULL && app->took->revision == revision &&
        app->took->entries == s->plan)
        return;
    es_took_free(app->took);
    app->took = shown ? took_new(s, revision) : NULL;
}

/* A failed pair that is selected in Jobs stays selected while others fail. */
void es_jobs_follow(es_app *app) {
    size_t threads = es_jobs_threads(app), lines = es_jobs_lines(app);
    es_failure at = {0};
    follow_took(app);
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

/* What the rest of a run costs, as the session tells it (engine_session.h). */

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
        es_phrase_add(out, capacity, " for the first sample");
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

/* Which pairs the user waits for: those of the embedder put in front with P, of marked ones, and of
 * the rows on screen. */

enum { ON_SCREEN = 1, MARKED = 2, IN_FRONT = ES_URGENCY_MOST };

static void raise_to(const es_app *app, uint8_t *urgency, size_t item, uint8_t level) {
    size_t position = item < app->n ? app->position[item] : ES_NONE;
    if (position != ES_NONE && urgency[position] < level)
        urgency[position] = level;
}

/* Sources of the cells on screen: rows, or columns where these are the sources. */
static void add_visible(const es_app *app, uint8_t *urgency) {
    es_rect inside = es_pane_inside(app, ES_PANE_MAIN);
    if (app->view != ES_VIEW_HEATMAP || inside.h < 1 || inside.w < 1)
        return;
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_screen_sizes g = es_heat_geometry(app, inside);
    size_t from = app->set.transposed ? app->left : list->top;
    size_t count = app->set.transposed ? g.columns : g.rows;
    if (g.pool > 1) { /* the overview shows all */
        from = 0;
        count = list->count;
    }
    for (size_t i = from; i < from + count && i < list->count; i++)
        raise_to(app, urgency, list->item[i], ON_SCREEN);
}

void es_urgency_update(es_app *app, es_effects *effects) {
    uint8_t *fresh = app->urgency_scratch;
    if (app->results == NULL || app->source->read_only)
        return;
    memset(fresh, 0, app->n);
    add_visible(app, fresh);
    for (size_t i = 0; i < app->n; i++)
        if (app->marked[i])
            raise_to(app, fresh, i, MARKED);
    raise_to(app, fresh, app->first, IN_FRONT);
    if (memcmp(fresh, app->urgency, app->n) == 0)
        return;
    memcpy(app->urgency, fresh, app->n);
    es_effect_add(app, effects, ES_FX_PRIORITISE, 0, false, NULL);
}

const uint8_t *es_app_urgency(const es_app *app) {
    return app->urgency;
}
