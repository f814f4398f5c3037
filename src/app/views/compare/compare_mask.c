/* Compare while values are being refined: a preview and a refined value come from two estimators,
 * and their difference says nothing about the embedders. So it is of one that is through with all
 * pairs. Where none is, of what is set against each other only the values of the furthest estimator
 * stay; the others are as if not known yet. */
#include <math.h>
#include <string.h>

#include "alloc.h"
#include "app_state.h"
#include "compare_mask.h"
#include "facts.h"
#include "ranked.h"

/* Is the best, which the command line is by, through with all pairs? */
static bool has_complete(const es_app *app) {
    const es_source *s = app->source;
    if (!es_app_merged(app) || s->best >= s->plan || s->best == s->predictive ||
        s->results[s->best] == NULL)
        return false;
    const es_results *r = s->results[s->best];
    return r->done + r->failed >= r->m * r->m;
}

size_t es_compare_entry(const es_app *app) {
    return has_complete(app) ? app->source->best : app->entry;
}

const es_results *es_compare_results(const es_app *app) {
    return has_complete(app) ? app->source->results[app->source->best] : app->results;
}

bool es_compare_mixed(const es_app *app) {
    return es_app_merged(app) && !has_complete(app);
}

const char *es_compare_by(const es_app *app) {
    return has_complete(app) ? app->source->title[app->source->best] : "";
}

es_pair_state es_compare_pair_state(const es_app *app, size_t source, size_t target) {
    const es_results *r = es_compare_results(app);
    size_t s = app->position[source], t = app->position[target];
    if (r == NULL || s == ES_NONE || t == ES_NONE)
        return ES_PAIR_PENDING;
    return (es_pair_state)r->state[s * r->m + t];
}

static uint8_t furthest(const es_app *app, const size_t *row, size_t rows, size_t column) {
    const es_results *r = app->merged;
    uint8_t most = 0;
    for (size_t k = 0; k < rows; k++) {
        size_t cell = row[k] * r->m + column;
        if (row[k] != column && r->state[cell] == ES_PAIR_DONE && app->origin[cell] > most)
            most = app->origin[cell];
    }
    return most;
}

static void mask(const es_app *app, es_compare_state *c, size_t row, size_t column, uint8_t least) {
    size_t cell = row * app->merged->m + column;
    if (app->origin[cell] >= least)
        return;
    c->awaited = least > c->awaited ? least : c->awaited;
    c->is[cell] = (double)NAN;
    c->pmi[cell] = NULL;
}

void es_compare_unmask(es_compare_state *c) {
    es_free(c->is);
    es_free(c->pmi);
    c->is = NULL;
    c->pmi = NULL;
    c->awaited = 0;
}

es_status es_compare_mask(es_app *app, const size_t *model, size_t count) {
    es_compare_state *c = &app->compare;
    const es_results *r = app->merged;
    es_compare_unmask(c);
    if (!es_compare_mixed(app))
        return ES_OK;
    c->is = es_alloc(r->m * r->m, sizeof *c->is);
    c->pmi = es_alloc(r->m * r->m, sizeof *c->pmi);
    if (c->is == NULL || c->pmi == NULL) {
        es_compare_unmask(c);
        return ES_ENOMEM;
    }
    memcpy(c->is, r->is, r->m * r->m * sizeof *c->is);
    memcpy(c->pmi, r->pmi, r->m * r->m * sizeof *c->pmi);
    uint8_t between = 0; /* the compared among themselves: they are one table */
    for (size_t k = 0; k < count; k++) {
        uint8_t own = furthest(app, model, count, model[k]);
        between = own > between ? own : between;
    }
    for (size_t t = 0; t < r->m; t++) {
        bool one = false;
        for (size_t k = 0; k < count; k++)
            one = one || model[k] == t;
        uint8_t least = one ? between : furthest(app, model, count, t);
        for (size_t k = 0; k < count; k++)
            mask(app, c, model[k], t, least);
        for (size_t s = 0; s < r->m && one; s++) /* what covers are shares of */
            mask(app, c, s, t, least);
    }
    return ES_OK;
}

bool es_compare_waits(const es_app *app, size_t a, size_t b) {
    const es_results *r = app->merged;
    size_t s = app->position[a], t = app->position[b];
    return app->compare.is != NULL && es_compare_mixed(app) && s != ES_NONE && t != ES_NONE &&
           r->state[s * r->m + t] == ES_PAIR_DONE && isnan(app->compare.is[s * r->m + t]);
}

size_t es_compare_waiting(const es_app *app) {
    const es_compare_settings *set = &app->set.compare;
    size_t count = 0;
    for (size_t t = 0; app->compare.is != NULL && t < app->n; t++) {
        bool waits = false, one = es_ranked_leaves_out(app, t);
        for (size_t k = 0; k < set->count; k++) {
            one = one || set->item[k] == t;
            waits = waits || es_compare_waits(app, set->item[k], t);
        }
        count += waits && !one;
    }
    return count;
}

const char *es_compare_awaited(const es_app *app) {
    return app->source->title[app->compare.awaited];
}
