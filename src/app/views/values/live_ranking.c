/* The live ranking: what was decided last; before the first decision, an order of what is known. */
#include <math.h>
#include <string.h>

#include "app_state.h"
#include "app_values.h"

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
    es_score_rule rule = es_ranked_rule(app);
    live->pairs = app->ranked.compared < ranking->m ? es_rank_known(app->ranked.results, &rule, p)
                                                    : ranking->pairs[p];
    live->of = ranking->of[p];
    live->failed = count_failed(app->ranked.results, p);
    live->place = ranking->rank[p];
    es_ranking_intervals_fill(app, item, live);
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
    es_score_rule rule = es_ranked_rule(app);
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
