/* What the ranking decides. That takes from milliseconds to seconds, so workers do it: the
 * app asks when results have changed, shows what it last got, and asks again no sooner than two
 * seconds later. While a run goes on it asks so rarely that the workers spend less than a hundredth
 * of their time on it, more often only while the known pairs still double: meanwhile intervals move
 * with their scores. */
#include <math.h>
#include <string.h>

#include "app_state.h"
#include "app_values.h"

#define PAUSE 2.0  /* seconds between two requests, at least */
#define SETTLE 0.3 /* after the last change, when nothing is running */
#define SHARE 200  /* in a run the workers' time between requests is so many computations long */
#define EARLY 20   /* and so many while most pairs are newer than the last request */

es_status es_app_decision(const es_app *app, es_rank_problem *out, es_error *err) {
    const es_source *s = app->source;
    const es_results *r = app->ranked.results;
    const es_rank_source source = {.results = r,
                                   .is = es_ranked_is(app),
                                   .relations =
                                       s->predictive < s->plan && app->ranked.entry != s->predictive
                                           ? s->results[s->predictive]
                                           : NULL,
                                   .by_lead = !app->ranked.published,
                                   .rule = {.aggregate = ES_AGGREGATE_MEDIAN},
                                   .seed = r == NULL ? 0 : r->seed};
    if (r == NULL || source.is == NULL)
        return es_fail(err, ES_EEMPTY, "nothing to rank");
    return es_rank_problem_init(&source, out, err);
}

static double run_pause(const es_app *app) {
    unsigned threads = app->source->threads;
    double cost = app->source->decision.seconds;
    const es_results *r = app->ranked.results;
    bool most = r->done + r->failed >= 2 * app->intervals.asked_done;
    return fmax(PAUSE, (most ? EARLY : SHARE) * cost / fmax(threads, 1));
}

/* True if the shown ranking is not the one of the last request. */
static bool is_other(const es_app *app) {
    const es_ranking_intervals *s = &app->intervals;
    return s->entry != app->ranked.entry || s->published != app->ranked.published ||
           s->derived != app->ranked.derived;
}

/* When to ask; INFINITY: there is nothing to ask for. */
double es_ranking_intervals_due(const es_app *app) {
    const es_ranking_intervals *s = &app->intervals;
    const es_results *r = app->ranked.results;
    bool other = is_other(app);
    if (r == NULL || r->done == 0 || app->ranked.compared < 2 ||
        (!other && s->revision == app->ranked.revision) || (s->asking && !other))
        return (double)INFINITY;
    other = other || (es_ranked_complete(app) && !s->asked_complete); /* of a part of it */
    if (es_app_running(app))
        return other ? 0 : s->asked_at + run_pause(app);
    return fmax(other ? 0 : s->asked_at + PAUSE, s->changed_at + SETTLE);
}

/* Once all is decided. */
static void ask_width(es_app *app, es_effects *effects) {
    es_ranking_intervals *s = &app->intervals;
    bool wanted = s->known != NULL && s->known->by_lead && s->known->scored > 0 &&
                  s->asked_complete && !s->asking && app->source->plan > 0;
    if (!wanted || s->width_asked == s->shown)
        return;
    s->width_asked = s->shown;
    es_effect_add(app, effects, ES_FX_WIDTH, (size_t)s->shown, false, NULL);
}

/* Takes the widths that the worker has found; true: they are new. */
static bool take_width(es_app *app) {
    es_ranking_intervals *s = &app->intervals;
    const es_decision *d = s->known;
    const double *got = app->source->width.known;
    if (d == NULL || got == NULL || s->width == s->shown || app->source->width.tag != s->shown)
        return false;
    s->width = s->shown;
    app->ranked.width = es_alloc(d->m + 1, sizeof *app->ranked.width);
    if (app->ranked.width != NULL)
        es_rank_width_spread(d, got, app->ranked.width);
    es_ranked_say(app);
    return true;
}

static void forget_width(es_app *app) {
    es_free(app->ranked.width);
    app->ranked.width = NULL;
}

void es_ranking_intervals_ask(es_app *app, es_effects *effects) {
    es_ranking_intervals *s = &app->intervals;
    ask_width(app, effects);
    if (es_ranking_intervals_due(app) > app->now)
        return;
    if (is_other(app)) {
        s->known = NULL;
        forget_width(app);
    }
    s->tag++;
    s->asking = true;
    s->asked_at = app->now;
    s->revision = app->ranked.revision;
    s->asked_done = app->ranked.results->done + app->ranked.results->failed;
    s->asked_complete = es_ranked_complete(app);
    s->entry = app->ranked.entry;
    s->published = app->ranked.published;
    s->derived = app->ranked.derived;
    es_effect_add(app, effects, ES_FX_INTERVALS, (size_t)s->tag, false, NULL);
}

bool es_ranking_intervals_take(es_app *app) {
    es_ranking_intervals *s = &app->intervals;
    const es_decision *got = app->source->decision.known;
    const es_results *r = app->ranked.results;
    uint64_t tag = app->source->decision.tag;
    bool fits = got != NULL && r != NULL && got->m == r->m && !is_other(app);
    if (!app->source->decision.busy) /* it came, or was cancelled */
        s->asking = false;
    if (!fits || (s->known != NULL && s->shown == tag)) {
        bool lost = !fits && s->known != NULL;
        s->known = fits ? got : NULL;
        if (lost)
            forget_width(app);
        return lost || take_width(app);
    }
    if (tag != s->tag) { /* overtaken: its scores are gone, and so is the decision before it */
        bool lost = s->known != NULL;
        s->known = NULL;
        forget_width(app);
        return lost;
    }
    s->known = got;
    s->shown = tag;
    forget_width(app);
    es_ranked_say(app);
    return true;
}

const es_decision *es_ranking_decided(const es_app *app) {
    const es_decision *d = app->intervals.known;
    return d != NULL && 4 * d->known >= 3 * app->ranked.placed ? d : NULL;
}

void es_ranking_intervals_fill(const es_app *app, size_t item, es_live_rank *live) {
    const es_decision *d = es_ranking_decided(app);
    size_t p = es_ranked_place(app, item);
    if (d == NULL || p >= d->m)
        return;
    live->score = d->ranking->score[p];
    live->place = d->ranking->rank[p];
    live->low = d->low[p];
    live->high = d->high[p];
    live->rank_low = d->rank_low[p];
    live->rank_high = d->rank_high[p];
    live->best = d->best[p];
    live->information = d->information == NULL ? (double)NAN : d->information[p];
    live->width = app->ranked.width == NULL ? (double)NAN : app->ranked.width[p];
    live->kind = d->kind[p] == UINT32_MAX ? 0 : d->kind[p] + 1u;
}

es_apart es_ranking_apart(const es_app *app, size_t item, size_t other) {
    const es_decision *d = es_ranking_decided(app);
    if (item >= app->n || other >= app->n || item == other)
        return item == other && item < app->n ? ES_APART_SELF : ES_APART_UNKNOWN;
    size_t a = es_ranked_place(app, item), b = es_ranked_place(app, other);
    if (d == NULL || !d->said || a >= d->m || b >= d->m || d->ranking->rank[a] == 0 ||
        d->ranking->rank[b] == 0)
        return ES_APART_UNKNOWN;
    return d->ahead[a * d->m + b] || d->ahead[b * d->m + a] ? ES_APART_SHOWN : ES_APART_NOT;
}
