/* The live ranking: scores of what is known now, and what was decided of them last. */
#include <math.h>

#include "app_state.h"
#include "effects.h"
#include "facts.h"
#include "live_ranking.h"
#include "ranked.h"
#include "ranking_intervals.h"
#include "results_rank.h"

static size_t count_failed(const es_results *r, size_t source) {
    size_t failed = 0;
    for (size_t t = 0; t < r->m; t++)
        failed += r->state[source * r->m + t] == ES_PAIR_FAILED;
    return failed;
}

/* published: of the best estimator's results; NULL where it knows nothing. */
static void fill(es_app *app, size_t item, const es_ranking *ranking, const es_ranking *published) {
    size_t p = app->position[item];
    es_live_rank *live = &app->live[item];
    *live = (es_live_rank){.score = ranking->score[p],
                           .low = (double)NAN,
                           .high = (double)NAN,
                           .published = published == NULL ? (double)NAN : published->score[p],
                           .simulated = published == NULL ? (double)NAN : published->in[p],
                           .pairs = ranking->pairs[p],
                           .of = ranking->of[p],
                           .failed = count_failed(app->ranked.results, p),
                           .place = ranking->rank[p],
                           .baseline = live->baseline};
    es_ranking_intervals_fill(app, item, live);
}

static es_status rank(es_app *app, es_ranking **ranking, es_ranking **published) {
    const es_results *r = app->ranked.results;
    const es_source *s = app->source;
    const double *is = es_ranked_is(app);
    es_score_rule rule = es_ranked_rule(app);
    es_status st = ES_OK;
    if (r == NULL || r->m == 0 || r->m != (app->results ? app->results->m : 0) || is == NULL)
        return ES_OK;
    st = es_ranking_new(is, r->m, &rule, ranking, NULL);
    if (st == ES_OK && es_ranked_lower(app))
        st = es_rank_competition((*ranking)->score, r->m, true, (*ranking)->rank, NULL);
    const es_results *best = s->best < s->plan ? s->results[s->best] : NULL;
    bool complete = best != NULL && best->done + best->failed >= best->m * best->m;
    if (st == ES_OK && best != NULL && best->m == r->m && (complete || !es_app_running(app)) &&
        (s->best != s->predictive || s->plan == 1))
        st = es_rank_results(best, NULL, s->lower_is_better[s->best], published, NULL);
    return st;
}

void es_live_ranking_update(es_app *app) {
    es_ranking *ranking = NULL, *published = NULL;
    if (rank(app, &ranking, &published) != ES_OK)
        es_app_notice(app, ES_ENOMEM, "out of memory: the ranking shown is not the newest");
    else {
        for (size_t i = 0; i < app->n; i++) {
            size_t baseline = app->live[i].baseline;
            if (ranking != NULL && app->position[i] != ES_NONE)
                fill(app, i, ranking, published);
            else
                app->live[i] = (es_live_rank){.score = (double)NAN,
                                              .low = (double)NAN,
                                              .high = (double)NAN,
                                              .published = (double)NAN,
                                              .simulated = (double)NAN,
                                              .baseline = baseline};
        }
        if (!app->baseline_set)
            es_live_ranking_baseline(app, false);
    }
    es_ranking_free(ranking);
    es_ranking_free(published);
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
