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
    es_free(app->ranked.place);
    es_free(app->ranked.order);
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

es_score_rule es_ranked_rule(const es_app *app) {
    if (app->ranked.published)
        return (es_score_rule){.aggregate = ES_AGGREGATE_MEDIAN};
    return (es_score_rule){.aggregate = ES_AGGREGATE_MEAN};
}

/* A matrix from a file. */
static bool is_of_file(const es_app *app) {
    const es_results *r = app->ranked.results;
    return r != NULL && r->estimator == NULL && !app->ranked.published;
}

void es_ranked_rule_text(const es_app *app, char *out, size_t capacity) {
    const es_app_ranked *ranked = &app->ranked;
    if (is_of_file(app))
        (void)snprintf(out, capacity, "%s", es_ranked_title(app));
    else
        (void)snprintf(out, capacity, "%s%s%s", es_ranked_title(app),
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

const char *es_ranked_title(const es_app *app) {
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
                            .rule = es_ranked_rule(app)};
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
        .grave = s->grave};
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
