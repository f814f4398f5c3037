/* The live ranking: scores of what is known now, with an interval for each. */
#include <math.h>

#include "app_state.h"
#include "effects.h"
#include "facts.h"
#include "live_ranking.h"
#include "ranking_intervals.h"
#include "results_rank.h"

/* Standard error of a row's median: that of the cell in the middle, or the mean of the two. They
 * share the source's rows, so no gain from averaging is assumed. */
static double median_se(const es_results *r, size_t source, double score) {
    double below = -(double)INFINITY, above = (double)INFINITY;
    double se_below = (double)NAN, se_above = (double)NAN;
    for (size_t t = 0; t < r->m; t++) {
        size_t cell = source * r->m + t;
        double value = r->is[cell];
        if (t == source || !isfinite(value))
            continue;
        if (value <= score && value > below) {
            below = value;
            se_below = r->se[cell];
        }
        if (value >= score && value < above) {
            above = value;
            se_above = r->se[cell];
        }
    }
    return (se_below + se_above) / 2;
}

static size_t count_failed(const es_results *r, size_t source) {
    size_t failed = 0;
    for (size_t t = 0; t < r->m; t++)
        failed += r->state[source * r->m + t] == ES_PAIR_FAILED;
    return failed;
}

static void fill(es_app *app, size_t item, const es_ranking *ranking) {
    const es_results *r = app->results;
    size_t p = app->position[item];
    double se = median_se(r, p, ranking->score[p]);
    es_live_rank *live = &app->live[item];
    *live = (es_live_rank){.score = ranking->score[p],
                           .low = ranking->score[p] - 1.959964 * se,
                           .high = ranking->score[p] + 1.959964 * se,
                           .simulated = ranking->in[p],
                           .pairs = ranking->pairs[p],
                           .of = ranking->of[p],
                           .failed = count_failed(r, p),
                           .place = ranking->rank[p],
                           .baseline = live->baseline};
    es_ranking_intervals_fill(app, item, live);
}

void es_live_ranking_update(es_app *app) {
    const es_results *r = app->results;
    es_ranking *ranking = NULL;
    if (r != NULL && r->m > 0 &&
        es_rank_results(r, NULL, es_app_lower(app), &ranking, NULL) != ES_OK) {
        es_app_notice(app, ES_ENOMEM, "out of memory: the ranking shown is not the newest");
        return;
    }
    for (size_t i = 0; i < app->n; i++) {
        size_t baseline = app->live[i].baseline;
        if (ranking != NULL && app->position[i] != ES_NONE)
            fill(app, i, ranking);
        else
            app->live[i] = (es_live_rank){.score = (double)NAN,
                                          .low = (double)NAN,
                                          .high = (double)NAN,
                                          .simulated = (double)NAN,
                                          .baseline = baseline};
    }
    es_ranking_free(ranking);
    if (!app->baseline_set)
        es_live_ranking_baseline(app, false);
}

/* Places to compare with: the ranking when the run began. When it was not complete by then, the
 * first one that all pairs of the plan's entry stand behind: earlier ones are mostly chance. */
void es_live_ranking_baseline(es_app *app, bool restart) {
    const es_results *r = app->results;
    bool complete = r != NULL && r->done > 0 && r->done + r->failed >= es_app_pairs(app);
    if (restart || complete)
        for (size_t i = 0; i < app->n; i++)
            app->live[i].baseline = complete ? app->live[i].place : 0;
    app->baseline_set = complete;
}
