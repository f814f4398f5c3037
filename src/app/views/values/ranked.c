/* Chooses what the ranking stands on. By the predictive score that is `linear` `shrunk` from the
 * first pair on; by the published one the best estimator that is complete. While not all of it is
 * known only embedders that are through with all targets are ranked: no rank ever rests on another
 * estimator, or on other targets, than its neighbours'. */
#include "app_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_state.h"

static bool is_known(const es_results *r) {
    return r != NULL && r->done > 0;
}

/* The published score also stands in where only it is stored and nothing is under way. */
static size_t choose(const es_app *app) {
    const es_source *s = app->source;
    bool predictive = s->predictive < s->plan && !app->set.published;
    if (predictive && !is_known(s->results[s->predictive]) && !es_app_running(app) &&
        s->best < s->plan)
        predictive = false;
    size_t entry = predictive                     ? s->predictive
                   : app->wanted_entry != ES_NONE ? app->wanted_entry
                                                  : s->best;
    if (entry >= s->plan ||
        (!predictive && entry == s->predictive && entry != app->wanted_entry && s->plan > 1))
        return ES_NONE;
    return entry;
}

/* A matrix from a file is ranked by its mean, as documents do. */
static bool is_published(const es_app *app, size_t entry) {
    const es_results *r = app->ranked.results;
    return app->set.published ||
           (r != NULL && r->estimator != NULL && entry != app->source->predictive);
}

bool es_ranked_complete(const es_app *app) {
    const es_results *r = app->ranked.results;
    return r != NULL && r->m > 0 && r->done > 0 && app->ranked.compared == r->m;
}

bool es_ranked_some(const es_app *app) {
    for (size_t i = 0; i < app->n; i++)
        if (app->live[i].place > 0)
            return true;
    return false;
}

/* Restricts the ranking to embedders whose pairs are all known. */
static void mask_incomplete(es_app *app) {
    es_app_ranked *ranked = &app->ranked;
    const es_results *r = ranked->results;
    bool last = app->source->read_only && r->estimator == NULL; /* the gaps of a file stay */
    if (!last && ranked->is == NULL)
        ranked->is = es_alloc(r->m, r->m * sizeof *ranked->is);
    ranked->compared = last || ranked->is == NULL ? 0 : es_rank_mask(r, ranked->is);
    if (last || ranked->compared == r->m) {
        es_free(ranked->is);
        ranked->is = NULL;
        ranked->compared = r->m;
    }
}

/* Frees the bottom line and the downstream agreement. */
static void forget_answer(es_app_ranked *ranked) {
    es_bottom_line_free(ranked->line);
    es_downstream_free(ranked->downstream);
    ranked->line = NULL;
    ranked->downstream = NULL;
}

/* Of the same results the score is renewed, row by row. */
static void forget_scores(es_app_ranked *ranked, bool renew) {
    if (ranked->live != NULL) {
        es_ranking_free(ranked->spare);
        ranked->spare = ranked->live;
    }
    ranked->live = NULL;
    es_ranking_free(ranked->beside);
    ranked->beside = NULL;
    ranked->beside_of = NULL;
    if (renew)
        return;
    es_ranking_free(ranked->spare);
    es_free(ranked->live_is);
    ranked->spare = NULL;
    ranked->live_is = NULL;
}

static void place_items(es_app *app) {
    es_app_ranked *ranked = &app->ranked;
    const es_results *r = ranked->results;
    for (size_t i = 0; i < app->n; i++)
        ranked->place[i] = ES_NONE;
    for (size_t p = 0; p < r->m; p++) {
        if (r->model[p] < app->n)
            ranked->place[r->model[p]] = p;
        ranked->order[p] = (uint32_t)p;
    }
    if (r->name != NULL) /* what is drawn does not depend on the order of a file */
        (void)es_rank_by_name(r, ranked->order, NULL);
}

/* The source's results, or of those alone that are not derived. Without memory for it nothing is
 * ranked. */
static void take_results(es_app *app, const es_results *of) {
    es_app_ranked *ranked = &app->ranked;
    es_results_free(ranked->originals);
    ranked->originals = NULL;
    ranked->of = ranked->results = of;
    ranked->derived = app->set.with_derived;
    if (of != NULL && !ranked->derived &&
        es_results_originals(of, &ranked->originals, NULL) != ES_OK)
        ranked->results = NULL;
    if (ranked->originals != NULL)
        ranked->results = ranked->originals;
}

/* Another score: what was said is not of it, and places are not to be compared with its. */
static void begin_anew(es_app *app) {
    forget_answer(&app->ranked);
    app->baseline_set = app->ordered = false;
    for (size_t i = 0; i < app->n; i++)
        app->live[i].baseline = 0;
}

bool es_ranked_read(es_app *app) {
    es_app_ranked *ranked = &app->ranked;
    size_t entry = choose(app);
    const es_results *r = entry == ES_NONE ? NULL : app->source->results[entry];
    bool published = ranked->published, derived = ranked->derived;
    size_t before = ranked->entry;
    if (r == ranked->of && entry == ranked->entry && app->set.published == ranked->by_wish &&
        app->set.with_derived == derived && (r == NULL || r->revision == ranked->revision))
        return false;
    if (r != ranked->of || entry != ranked->entry || app->set.with_derived != derived) {
        es_free(ranked->is);
        ranked->is = NULL;
        app->intervals.changed_at = app->now;
    }
    bool renew = r == ranked->of && entry == ranked->entry && derived == app->set.with_derived &&
                 ranked->by_wish == app->set.published;
    forget_scores(ranked, renew);
    take_results(app, r);
    r = ranked->results;
    ranked->entry = entry;
    ranked->by_wish = app->set.published;
    ranked->published = is_published(app, entry);
    ranked->revision = r == NULL ? 0 : r->revision;
    if (r != NULL && r->m <= app->n) {
        place_items(app);
        mask_incomplete(app);
    }
    if (published != ranked->published)
        forget_scores(ranked, false); /* another rule */
    if (published != ranked->published || entry != before || derived != ranked->derived)
        begin_anew(app);
    return true;
}

void es_ranked_free(es_app *app) {
    es_results_free(app->ranked.originals);
    es_free(app->ranked.width);
    es_free(app->ranked.is);
    forget_scores(&app->ranked, false);
    forget_answer(&app->ranked);
}

size_t es_ranked_place(const es_app *app, size_t item) {
    return item < app->n && app->ranked.results != NULL ? app->ranked.place[item] : ES_NONE;
}

bool es_ranked_leaves_out(const es_app *app, size_t item) {
    return es_app_model(app, item)->derived && !app->ranked.derived;
}

const char *es_ranked_beside_title(const es_app *app) {
    const es_source *s = app->source;
    if (es_app_of_file(app))
        return "the file";
    return s->best < s->plan ? s->title[s->best] : "";
}

size_t es_ranked_left_out(const es_app *app) {
    size_t count = 0;
    for (size_t i = 0; i < app->n; i++)
        count += es_ranked_leaves_out(app, i);
    return count;
}

const double *es_ranked_is(const es_app *app) {
    const es_app_ranked *ranked = &app->ranked;
    if (ranked->results == NULL)
        return NULL;
    return es_ranked_complete(app) ? ranked->results->is : ranked->is;
}

bool es_ranked_lower(const es_app *app) {
    return app->ranked.entry != ES_NONE && app->source->lower_is_better[app->ranked.entry];
}

static es_score_rule ranked_rule(const es_app *app) {
    if (app->ranked.published)
        return (es_score_rule){.aggregate = ES_AGGREGATE_MEDIAN};
    return (es_score_rule){.aggregate = ES_AGGREGATE_MEAN};
}

/* A matrix from a file. */
static bool is_of_file(const es_app *app) {
    const es_results *r = app->ranked.results;
    return r != NULL && r->estimator == NULL && !app->ranked.published;
}

/* "linear shrunk" */
static const char *ranked_title(const es_app *app);

void es_ranked_rule_text(const es_app *app, char *out, size_t capacity) {
    const es_app_ranked *ranked = &app->ranked;
    if (is_of_file(app))
        (void)snprintf(out, capacity, "%s", ranked_title(app));
    else
        (void)snprintf(out, capacity, "%s%s%s", ranked_title(app),
                       ranked->entry == ES_NONE ? "" : ", ",
                       ranked->published ? "median over targets" : "one vote a kind");
}

const char *es_ranked_score_name(const es_app *app) {
    return es_ranked_lower(app)    ? "reconstruction error"
           : app->ranked.published ? "published score"
                                   : "lead";
}

const char *es_ranked_short(const es_app *app) {
    return es_ranked_lower(app) ? "error" : app->ranked.published ? "published" : "lead";
}

const char *es_ranked_explained(const es_app *app) {
    if (es_ranked_lower(app))
        return "The error of predicting the other embedders; lower is better.";
    return es_score_kind_explained(app->ranked.published ? ES_SCORE_PUBLISHED : ES_SCORE_PREDICTIVE,
                                   is_of_file(app));
}

static const char *ranked_title(const es_app *app) {
    return app->ranked.entry == ES_NONE ? "" : app->source->title[app->ranked.entry];
}

/* Downstream scores agree with what was decided, and while that lasts. */
static void compare_downstream(es_app *app, const es_decision *decision) {
    const es_results *r = app->ranked.results;
    es_downstream *downstream = NULL;
    double *score = app->source->scores.tasks == 0 ? NULL : es_alloc(r->m, sizeof *score);
    for (size_t p = 0; score != NULL && p < r->m; p++)
        score[p] = decision->ranking->rank[p] == 0
                       ? (double)NAN
                       : (es_ranked_lower(app) ? -1 : 1) * decision->ranking->score[p];
    if (score != NULL)
        (void)es_downstream_new(r, decision, score, &app->scores, &downstream, NULL);
    es_free(score);
    es_downstream_free(app->ranked.downstream);
    app->ranked.downstream = downstream;
}

bool es_ranked_report(const es_app *app, es_rank_report *out) {
    const es_app_ranked *ranked = &app->ranked;
    es_decision *decision = (es_decision *)(uintptr_t)app->intervals.known; /* only read */
    if (ranked->results == NULL || decision == NULL || decision->m != ranked->results->m ||
        !es_ranked_complete(app))
        return false;
    *out = (es_rank_report){.results = ranked->results,
                            .entry = ranked->entry,
                            .score = ranked->published ? ES_SCORE_PUBLISHED : ES_SCORE_PREDICTIVE,
                            .ranking = decision->ranking,
                            .decision = decision,
                            .order = decision->order,
                            .rule = ranked_rule(app)};
    return true;
}

void es_ranked_say_end(es_app *app) {
    if (app->ranked.so_far && !es_app_running(app))
        es_ranked_say(app);
}

es_bottom_line_of es_ranked_words(const es_app *app, const es_decision *decision) {
    const es_results *r = app->ranked.results;
    const es_source *s = app->source;
    return (es_bottom_line_of){
        .decision = decision,
        .results = r,
        .name = (const char *const *)r->name,
        .width = app->ranked.width,
        .score = es_ranked_score_name(app),
        .default_known = s->predictive < s->plan && is_known(s->results[s->predictive]),
        .known = app->intervals.asked_complete ? r->m * r->m : app->intervals.asked_done,
        .of = r->m * r->m,
        .grave = es_pool_grave_list(s->pool)};
}

const char *es_ranked_standing(const es_app *app, size_t item) {
    static const char *const why[] = {
        [ES_STANDING_RANKED] = NULL,
        [ES_STANDING_CONTROL] = "A control: not ranked, no vote.",
        [ES_STANDING_UNRELATED] = "It shares nothing with the others: not ranked, no vote. Are its "
                                  "rows in the same order?",
        [ES_STANDING_UNKNOWN] = NULL};
    const es_decision *d = es_ranking_decided(app);
    size_t p = es_ranked_place(app, item);
    return d != NULL && p < d->m ? why[d->standing[p]] : NULL;
}

/* Of the pairs that the decision is of: more may be known by now. */
void es_ranked_say(es_app *app) {
    const es_results *r = app->ranked.results;
    const es_decision *decision = app->intervals.known;
    es_bottom_line *line = NULL;
    if (r == NULL || decision == NULL || decision->m != r->m)
        return;
    const es_bottom_line_of of = es_ranked_words(app, decision);
    if (es_bottom_line_new(&of, &line, NULL) == ES_OK) {
        es_bottom_line_free(app->ranked.line);
        app->ranked.line = line;
        app->ranked.so_far = es_app_running(app) && app->ranked.published;
        compare_downstream(app, decision);
    }
}

/* What the ranking decides. That takes from milliseconds to seconds, so workers do it: the
 * app asks when results have changed, shows what it last got, and asks again no sooner than two
 * seconds later. While a run goes on it asks so rarely that the workers spend less than a hundredth
 * of their time on it, more often only while the known pairs still double: meanwhile intervals move
 * with their scores. */

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

static void ranking_intervals_fill(const es_app *app, size_t item, es_live_rank *live) {
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

/* The live ranking: what was decided last; before the first decision, an order of what is known. */

static size_t count_failed(const es_results *r, size_t source) {
    size_t failed = 0;
    for (size_t t = 0; t < r->m; t++)
        failed += r->state[source * r->m + t] == ES_PAIR_FAILED;
    return failed;
}

/* ranking, published: NULL where nothing is known. */
static void fill(es_app *app, size_t item, const es_ranking *ranking, const es_ranking *published) {
    size_t at = app->position[item], p = ranking == NULL ? ES_NONE : es_ranked_place(app, item);
    es_live_rank *live = &app->live[item];
    bool judged = published != NULL && at < published->m;
    *live = (es_live_rank){.score = (double)NAN,
                           .low = (double)NAN,
                           .high = (double)NAN,
                           .published = judged ? published->score[at] : (double)NAN,
                           .simulated = judged ? published->in[at] : (double)NAN,
                           .entropy = (double)NAN,
                           .information = (double)NAN,
                           .width = (double)NAN,
                           .baseline = live->baseline};
    if (p == ES_NONE)
        return;
    live->entropy = app->ranked.results->h == NULL ? (double)NAN : app->ranked.results->h[p];
    live->score = app->ranked.published ? ranking->score[p] : (double)NAN; /* the lead is decided */
    es_score_rule rule = ranked_rule(app);
    live->pairs = app->ranked.compared < ranking->m ? es_rank_known(app->ranked.results, &rule, p)
                                                    : ranking->pairs[p];
    live->of = ranking->of[p];
    live->failed = count_failed(app->ranked.results, p);
    live->place = ranking->rank[p];
    ranking_intervals_fill(app, item, live);
}

/* By the best estimator; positions are those of the matrix. Only what has changed is ranked anew:
 * while others are refined, a frame costs nothing here. */
static es_status rank_published(es_app *app) {
    es_app_ranked *ranked = &app->ranked;
    const es_source *s = app->source;
    bool apart = s->best < s->plan && (s->best != s->predictive || s->plan == 1);
    const es_results *best = apart ? s->results[s->best] : NULL;
    const es_score_rule rule = {.aggregate = ES_AGGREGATE_MEDIAN};
    if (best == NULL || app->results == NULL || best->m != app->results->m ||
        (best->done + best->failed < es_app_pairs(app) && !app->source->read_only))
        best = NULL;
    if (best == ranked->beside_of && (best == NULL || best->revision == ranked->beside_revision))
        return ES_OK;
    es_ranking_free(ranked->beside);
    ranked->beside = NULL;
    ranked->beside_of = NULL;
    if (best == NULL)
        return ES_OK;
    ES_PASS(ranked->originals != NULL
                ? es_rank_results(best, s->lower_is_better[s->best], &ranked->beside, NULL)
                : es_ranking_new(best->is, best->m, &rule, &ranked->beside, NULL));
    for (size_t p = 0; best->estimator && p < best->m; p++)
        if (!es_rank_is_through(best, p)) /* of some of the targets it would be another score */
            ranked->beside->score[p] = (double)NAN;
    ranked->beside_of = best;
    ranked->beside_revision = best->revision;
    return ES_OK;
}

/* Results come a few times a second, and of few sources: rows that have not changed are not scored
 * again. Without memory for that, or once all is known, everything is. */
static es_status make_live(es_app *app, const double *is, const es_score_rule *rule,
                           es_ranking **live) {
    es_app_ranked *ranked = &app->ranked;
    size_t m = ranked->results->m;
    es_ranking *spare = ranked->spare;
    ranked->spare = NULL;
    if (spare != NULL && spare->m == m && ranked->live_is != NULL &&
        es_ranking_renew(spare, is, ranked->live_is, rule, NULL) == ES_OK) {
        *live = spare;
        return ES_OK;
    }
    es_ranking_free(spare);
    es_free(ranked->live_is);
    ranked->live_is = es_app_running(app) ? es_alloc(m * m + 1, sizeof *is) : NULL;
    if (ranked->live_is != NULL)
        memcpy(ranked->live_is, is, m * m * sizeof *is);
    return es_ranking_new(is, m, rule, live, NULL);
}

static es_status rank_live(es_app *app) {
    es_app_ranked *ranked = &app->ranked;
    const es_results *r = ranked->results;
    const double *is = es_ranked_is(app);
    es_score_rule rule = ranked_rule(app);
    rule.sources_alone = true;
    if (ranked->live != NULL || r == NULL || r->m == 0 || is == NULL)
        return ES_OK;
    es_ranking *live = NULL;
    es_status st = make_live(app, is, &rule, &live);
    if (st == ES_OK && es_ranked_lower(app))
        st = es_rank_competition(live->score, r->m, true, live->rank, NULL);
    if (st != ES_OK) {
        es_ranking_free(live);
        return st;
    }
    ranked->live = live;
    ranked->placed = 0;
    for (size_t p = 0; p < live->m; p++)
        ranked->placed += live->rank[p] > 0;
    return ES_OK;
}

void es_live_ranking_update(es_app *app) {
    const es_app_ranked *ranked = &app->ranked;
    if (rank_live(app) != ES_OK || rank_published(app) != ES_OK) {
        es_app_notice(app, ES_ENOMEM, "out of memory: the ranking shown is not the newest");
        return;
    }
    for (size_t i = 0; i < app->n; i++)
        fill(app, i, ranked->live, ranked->live == NULL ? NULL : ranked->beside);
    if (!app->baseline_set)
        es_live_ranking_baseline(app, false);
}

/* Places to compare with: the ranking when the run began, by the same score. When it was not
 * complete by then, the first complete one: earlier ones are mostly chance. */
void es_live_ranking_baseline(es_app *app, bool restart) {
    bool complete = es_ranked_complete(app);
    if (restart || complete)
        for (size_t i = 0; i < app->n; i++)
            app->live[i].baseline = complete ? app->live[i].place : 0;
    app->baseline_set = complete;
}
