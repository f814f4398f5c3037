/* What the ranking decides. That takes from milliseconds to seconds, so workers do it: the
 * app asks when results have changed, shows what it last got, and asks again no sooner than two
 * seconds later. While a run goes on it asks so rarely that the workers spend less than a hundredth
 * of their time on it, more often only while the known pairs still double: meanwhile intervals move
 * with their scores. */
#include <math.h>
#include <string.h>

#include "app_state.h"
#include "effects.h"
#include "facts.h"
#include "ranked.h"
#include "ranking_intervals.h"

#define PAUSE 2.0  /* seconds between two requests, at least */
#define SETTLE 0.3 /* after the last change, when nothing is running */
#define SHARE 200  /* in a run the workers' time between requests is so many computations long */
#define EARLY 20   /* and so many while most pairs are newer than the last request */

es_decision_problem es_app_decision(const es_app *app) {
    const es_results *r = app->ranked.results;
    const double *is = es_ranked_is(app);
    if (r == NULL || is == NULL)
        return (es_decision_problem){0};
    bool series = app->ranked.grouped && !app->ranked.named && !app->ranked.published;
    return (es_decision_problem){.is = is,
                                 .se = r->se,
                                 .pmi = r->n_eval > 0 ? r->pmi : NULL,
                                 .m = r->m,
                                 .n_eval = r->n_eval,
                                 .order = app->ranked.order,
                                 .rule = es_ranked_rule(app),
                                 .cluster = series || app->ranked.named ? app->ranked.family : NULL,
                                 .here_only = series ? es_rank_here_only(ES_RANK_BY_SERIES) : NULL,
                                 .lower_is_better = es_ranked_lower(app),
                                 .seed = r->seed};
}

static double run_pause(const es_app *app) {
    unsigned threads = app->source->threads;
    double cost = app->source->decision.seconds;
    const es_results *r = app->ranked.results;
    bool most = r->done + r->failed >= 2 * app->intervals.asked_done;
    return fmax(PAUSE, (most ? EARLY : SHARE) * cost / fmax(threads, 1));
}

/* Is another ranking shown than the one that was asked about? */
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

void es_ranking_intervals_ask(es_app *app, es_effects *effects) {
    es_ranking_intervals *s = &app->intervals;
    if (es_ranking_intervals_due(app) > app->now)
        return;
    if (is_other(app))
        s->known = NULL;
    s->tag++;
    s->asking = true;
    s->asked_at = app->now;
    s->revision = app->ranked.revision;
    s->asked_done = app->ranked.results->done + app->ranked.results->failed;
    s->asked_complete = es_ranked_complete(app);
    s->entry = app->ranked.entry;
    s->published = app->ranked.published;
    s->derived = app->ranked.derived;
    for (size_t i = 0; i < app->n; i++)
        s->asked[i] = app->live[i].score;
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
        return lost;
    }
    if (tag != s->tag) /* overtaken: scores of that request are gone */
        return false;
    s->known = got;
    s->shown = tag;
    memcpy(s->base, s->asked, app->n * sizeof *s->base);
    es_ranked_say(app);
    return true;
}

const es_decision *es_ranking_decided(const es_app *app) {
    const es_decision *d = app->intervals.known;
    return d != NULL && 4 * d->scored >= 3 * app->ranked.placed ? d : NULL;
}

/* An interval moves with its score until a newer one comes; none is of a much smaller ranking. */
void es_ranking_intervals_fill(const es_app *app, size_t item, es_live_rank *live) {
    const es_ranking_intervals *s = &app->intervals;
    size_t p = es_ranked_place(app, item);
    if (es_ranking_decided(app) == NULL || p >= s->known->m)
        return;
    if (isnan(s->known->low[p])) { /* of one target nothing can be resampled */
        live->low = live->high = (double)NAN;
        return;
    }
    double by = isnan(s->base[item]) ? 0 : live->score - s->base[item];
    live->low = s->known->low[p] + by;
    live->high = s->known->high[p] + by;
    live->rank_low = s->known->rank_low[p];
    live->rank_high = s->known->rank_high[p];
    live->best = s->known->said && s->known->best[p];
}

es_apart es_ranking_apart(const es_app *app, size_t item, size_t other) {
    const es_decision *d = es_ranking_decided(app);
    if (item >= app->n || other >= app->n || item == other)
        return item == other && item < app->n ? ES_APART_SELF : ES_APART_UNKNOWN;
    size_t a = es_ranked_place(app, item), b = es_ranked_place(app, other);
    if (d == NULL || !d->said || a >= d->m || b >= d->m || isnan(d->ranking->score[a]) ||
        isnan(d->ranking->score[b]))
        return ES_APART_UNKNOWN;
    for (int scope = ES_SCOPES; scope-- > 0;)
        if (d->why_not[scope] == NULL && d->separated[scope][a * d->m + b])
            return scope == ES_SCOPE_NEW ? ES_APART_NEW : ES_APART_HERE;
    return ES_APART_TIED;
}
