/* Categories from what Corr holds: coefficients when its values change, intervals at ticks. */
#include "kinds.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "corr_state.h"
#include "effects.h"
#include "tree.h"

enum { WORK = 12000 };

void es_kinds_forget(es_app *app) {
    struct es_kinds *s = app->kinds;
    if (s == NULL)
        return;
    es_task_kinds_free(s->found);
    es_correlator_free(s->work);
    es_free(s->tasks);
    es_free(s->all);
    es_free(s->community);
    es_free(s);
    app->kinds = NULL;
}

static bool begin(es_app *app) {
    struct es_kinds *s = app->kinds;
    if (s != NULL)
        return true;
    s = app->kinds = es_alloc_zero(1, sizeof *s);
    if (s == NULL || (s->tasks = es_alloc_zero(app->corr->columns + 1, sizeof *s->tasks)) == NULL ||
        (s->all = es_alloc_zero(app->n + 1, sizeof *s->all)) == NULL ||
        (s->community = es_alloc_zero(app->n + 1, sizeof *s->community)) == NULL) {
        es_kinds_forget(app);
        return false;
    }
    return true;
}

/* What the numbers stand on, counted by Corr; communities by their own count. */
static uint64_t stamp_of(const es_app *app) {
    const struct es_corr *c = app->corr;
    uint64_t stamp = 1 + app->tree.revision + (app->tree.found ? app->tree.found->groups : 0);
    for (size_t t = 0; t < c->tasks; t++)
        stamp += c->at[t].stamp * 1000003u;
    return stamp;
}

/* The set as `correlate` makes it, of Corr's own arrays; embedders that do not count have no score,
 * and none downstream. */
static es_status find(es_app *app, struct es_kinds *s) {
    const struct es_corr *c = app->corr;
    const es_correlate_options options = {.draws = 1, .permutations = 1};
    bool grouped = app->tree.found != NULL;
    es_task_kinds *found = NULL;
    double *y = es_alloc(c->columns * app->n + 1, sizeof *y);
    if (y == NULL)
        return ES_ENOMEM;
    for (size_t i = 0; i < app->n; i++) {
        size_t group = es_tree_group(app, i);
        s->all[i] = i;
        grouped = grouped && group != ES_NONE;
        s->community[i] = group == ES_NONE ? 0 : (uint32_t)es_tree_top(app, group);
        for (size_t t = 0; t < c->columns; t++)
            y[t * app->n + i] = isnan(c->x[i]) ? (double)NAN : c->y[t * app->n + i];
    }
    for (size_t t = 0; t < c->columns; t++)
        s->tasks[t] = c->at[t].report;
    const es_correlation_set set = {.n = app->n,
                                    .tasks = c->columns,
                                    .columns = c->tasks,
                                    .scores = &app->scores,
                                    .at = s->all,
                                    .score = c->x,
                                    .family = c->family,
                                    .y = y,
                                    .report = s->tasks};
    es_status st = es_task_kinds_new(&set, grouped ? s->community : NULL, &options, &found, NULL);
    es_free(y);
    if (st != ES_OK)
        return st;
    for (size_t k = 0; k < found->count; k++)
        for (size_t kind = 0; kind < ES_CORRELATIONS; kind++)
            found->kind[k].report.low[kind] = found->kind[k].report.high[kind] = (double)NAN;
    es_task_kinds_free(s->found);
    es_correlator_free(s->work);
    s->found = found;
    s->work = NULL;
    s->settled = 0;
    s->n = found->count + (isfinite(found->size.value) ? 1 : 0) + found->communities;
    s->at = s->at < s->n ? s->at : 0;
    return ES_OK;
}

static es_status step(const es_app *app, struct es_kinds *s) {
    es_correlate_options options = {.permutations = 1, .family = app->corr->family};
    es_task_kind *kind = &s->found->kind[s->settled];
    es_status st = ES_OK;
    if (s->work == NULL)
        ES_TRY(es_correlator_new(app->corr->x, s->found->y + s->settled * app->n, NULL, app->n,
                                 &options, &s->work, NULL));
    if (!es_correlator_step(s->work, (unsigned)(1 + WORK / (app->n + 1))))
        return ES_OK;
    kind->report = *es_correlator_report(s->work);
    es_correlator_free(s->work);
    s->work = NULL;
    s->settled++;
done:
    return st;
}

static bool is_fresh(const es_app *app) {
    for (size_t t = 0; t < app->corr->tasks; t++)
        if (!app->corr->at[t].fresh)
            return false;
    return true;
}

void es_kinds_update(es_app *app, bool idle) {
    es_status st = ES_OK;
    if (app->corr->tasks == 0 || !is_fresh(app))
        return;
    st = begin(app) ? ES_OK : ES_ENOMEM;
    struct es_kinds *s = app->kinds;
    if (st == ES_OK && s->stamp != stamp_of(app)) {
        s->stamp = stamp_of(app);
        st = find(app, s);
    }
    if (st == ES_OK && idle && s->found && s->settled < s->found->count)
        st = step(app, s);
    if (st != ES_OK)
        es_app_notice(app, ES_ENOMEM, "out of memory: categories are not the newest");
}

double es_kinds_deadline(const es_app *app) {
    const struct es_kinds *s = app->kinds;
    return s != NULL && s->found != NULL && s->settled < s->found->count ? app->now
                                                                         : (double)INFINITY;
}
