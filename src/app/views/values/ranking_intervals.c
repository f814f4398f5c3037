/* Intervals of the ranking. A bootstrap takes from milliseconds to seconds, so workers do it: the
 * app asks when results have changed, shows what it last got, and asks again no sooner than two
 * seconds later. While a run goes on it asks so rarely that the workers spend less than a hundredth
 * of their time on it, more often only while the known pairs still double: meanwhile intervals move
 * with their scores. */
#include <math.h>
#include <string.h>

#include "app_state.h"
#include "results_rank.h"
#include "text.h"
#include "effects.h"
#include "facts.h"
#include "ranking_intervals.h"

#define PAUSE 2.0  /* seconds between two requests, at least */
#define SETTLE 0.3 /* after the last change, when nothing is running */
#define SHARE 200  /* in a run the workers' time between requests is so many computations long */
#define EARLY 20   /* and so many while most pairs are newer than the last request */

es_bootstrap es_app_bootstrap(const es_app *app) {
    const es_results *r = app->results;
    return r == NULL ? (es_bootstrap){0} : es_rank_bootstrap(r, NULL, es_app_lower(app), r->seed);
}

static double run_pause(const es_app *app) {
    unsigned threads = app->source->threads;
    double cost = app->source->intervals.seconds;
    bool most = app->results->done >= 2 * app->intervals.asked_done;
    return fmax(PAUSE, (most ? EARLY : SHARE) * cost / fmax(threads, 1));
}

/* When to ask; INFINITY: there is nothing to ask for. */
double es_ranking_intervals_due(const es_app *app) {
    const es_ranking_intervals *s = &app->intervals;
    const es_results *r = app->results;
    bool other = s->wanted_entry != app->wanted_entry;
    if (r == NULL || r->done == 0 || (!other && s->revision == app->revision) ||
        (s->asking && !other))
        return (double)INFINITY;
    if (es_app_running(app))
        return other ? 0 : s->asked_at + run_pause(app);
    return fmax(other ? 0 : s->asked_at + PAUSE, s->changed_at + SETTLE);
}

void es_ranking_intervals_ask(es_app *app, es_effects *effects) {
    es_ranking_intervals *s = &app->intervals;
    if (es_ranking_intervals_due(app) > app->now)
        return;
    if (s->wanted_entry != app->wanted_entry)
        s->known = NULL; /* of other results */
    s->tag++;
    s->asking = true;
    s->asked_at = app->now;
    s->revision = app->revision;
    s->asked_done = app->results->done;
    s->wanted_entry = app->wanted_entry;
    for (size_t i = 0; i < app->n; i++)
        s->asked[i] = app->live[i].score;
    es_effect_add(app, effects, ES_FX_INTERVALS, (size_t)s->tag, false, NULL);
}

bool es_ranking_intervals_take(es_app *app) {
    es_ranking_intervals *s = &app->intervals;
    const es_intervals *got = app->source->intervals.known;
    uint64_t tag = app->source->intervals.tag;
    bool fits = got != NULL && app->results != NULL && got->m == app->results->m &&
                s->wanted_entry == app->wanted_entry;
    if (!app->source->intervals.busy) /* it came, or was cancelled */
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
    return true;
}

/* An interval moves with its score until a newer one comes. */
void es_ranking_intervals_fill(const es_app *app, size_t item, es_live_rank *live) {
    const es_ranking_intervals *s = &app->intervals;
    size_t p = app->position[item];
    if (s->known == NULL || p >= s->known->m)
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
    es_text_clean_into(live->tie, sizeof live->tie, s->known->tie[p], strlen(s->known->tie[p]));
}
