/* Chooses what the ranking stands on. By the predictive score that is `linear` `shrunk` from the
 * first pair on; by the published one the best estimator that is complete. While not all of it is
 * known only embedders that are through with all targets are ranked: no rank ever rests on another
 * estimator, or on other targets, than its neighbours'. */
#include "ranked.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "facts.h"
#include "rank_report.h"

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

static void mask(es_app *app) {
    es_app_ranked *ranked = &app->ranked;
    const es_results *r = ranked->results;
    if (ranked->is == NULL)
        ranked->is = es_alloc(r->m, r->m * sizeof *ranked->is);
    ranked->compared = ranked->is == NULL ? 0 : es_rank_mask(r, ranked->is);
    bool last =
        app->source->read_only && !es_app_running(app); /* what is not there will not come */
    if (last || ranked->compared == r->m) {
        es_free(ranked->is);
        ranked->is = NULL;
        ranked->compared = r->m;
    }
}

bool es_ranked_read(es_app *app) {
    es_app_ranked *ranked = &app->ranked;
    size_t entry = choose(app);
    const es_results *r = entry == ES_NONE ? NULL : app->source->results[entry];
    bool published = ranked->published;
    if (r == ranked->results && entry == ranked->entry && app->set.published == ranked->by_wish &&
        (r == NULL || r->revision == ranked->revision))
        return false;
    if (r != ranked->results || entry != ranked->entry) {
        es_free(ranked->is);
        ranked->is = NULL;
        app->intervals.changed_at = app->now;
    }
    ranked->results = r;
    ranked->entry = entry;
    ranked->by_wish = app->set.published;
    ranked->published = is_published(app, entry);
    ranked->revision = r == NULL ? 0 : r->revision;
    if (r != NULL && r->m <= app->n) {
        ranked->named = es_rank_named_families(r, ranked->family);
        mask(app);
    }
    if (published != ranked->published) {
        es_bottom_line_free(ranked->line);
        ranked->line = NULL;
    }
    return true;
}

void es_ranked_free(es_app *app) {
    es_free(app->ranked.family);
    es_free(app->ranked.is);
    es_bottom_line_free(app->ranked.line);
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
    return es_rank_predictive_rule(app->ranked.named ? app->ranked.family : NULL);
}

const char *es_ranked_title(const es_app *app) {
    return app->ranked.entry == ES_NONE ? "" : app->source->title[app->ranked.entry];
}

void es_ranked_say(es_app *app) {
    const es_results *r = app->ranked.results;
    const es_decision *decision = app->intervals.known;
    es_bottom_line *line = NULL;
    if (r == NULL || decision == NULL || decision->m != r->m)
        return;
    const char **name = es_alloc(r->m, 2 * sizeof *name), **family = name + r->m;
    for (size_t p = 0; name != NULL && p < r->m; p++) {
        name[p] = es_app_model(app, r->model[p])->name;
        family[p] = es_app_model(app, r->model[p])->family;
    }
    bool complete = es_ranked_complete(app);
    const es_bottom_line_of of = {.decision = decision,
                                  .name = name,
                                  .family = family,
                                  .families = decision->families,
                                  .named = app->ranked.named,
                                  .score = app->ranked.published ? "published" : "predictive",
                                  .known = complete ? r->m * r->m : r->done + r->failed,
                                  .of = r->m * r->m,
                                  .so_far = es_app_running(app) && app->ranked.published};
    if (name != NULL && es_bottom_line_new(&of, &line, NULL) == ES_OK) {
        es_bottom_line_free(app->ranked.line);
        app->ranked.line = line;
    }
    es_free(name);
}

const char *es_ranked_sentence(const es_app *app) {
    return app->ranked.line == NULL ? "" : app->ranked.line->sentence;
}
