/* Compare while values are being refined: a preview and a refined value come from two estimators,
 * and their difference says nothing about the embedders. So of what is set against each other only
 * the values of the furthest estimator stay; the others are as if not known yet. */
#include <math.h>
#include <string.h>

#include "alloc.h"
#include "app_state.h"
#include "compare_mask.h"

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
    c->is[cell] = (double)NAN;
    c->pmi[cell] = NULL;
}

void es_compare_unmask(es_compare_state *c) {
    es_free(c->is);
    es_free(c->pmi);
    c->is = NULL;
    c->pmi = NULL;
}

es_status es_compare_mask(es_app *app, const size_t *model, size_t count) {
    es_compare_state *c = &app->compare;
    const es_results *r = app->results;
    es_compare_unmask(c);
    if (r == NULL || r != app->merged)
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
    const es_results *r = app->results;
    size_t s = app->position[a], t = app->position[b];
    return app->compare.is != NULL && s != ES_NONE && t != ES_NONE &&
           r->state[s * r->m + t] == ES_PAIR_DONE && isnan(app->compare.is[s * r->m + t]);
}
