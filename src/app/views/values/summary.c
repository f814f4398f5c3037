/* The matrix on the whole: its extremes, and the sums that its profiles are means of. All cells are
 * looked at when values or the embedders shown have changed, and not for every frame. */
#include <math.h>

#include "app_values.h"

bool es_summary_new(es_app *app) {
    static const es_extreme none = {ES_NONE, ES_NONE, (double)NAN};
    app->summary = (es_summary){.most = none, .least = none, .skew = none};
    app->summary.item = es_alloc_zero(app->n + 1, sizeof *app->summary.item);
    return app->summary.item != NULL;
}

void es_summary_free(es_app *app) {
    es_free(app->summary.item);
}

/* A number for a set of embedders, whatever their order. */
static uint64_t mix(uint64_t item) {
    uint64_t x = (item + 1) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    return x ^ (x >> 27);
}

static es_summary_key key_of(const es_app *app) {
    const es_source *s = app->source;
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_summary_key key = {.made = true,
                          .results = app->results,
                          .revision = app->revision,
                          .entry = app->entry,
                          .metric = app->set.metric,
                          .matrix = app->set.matrix,
                          .count = list->count};
    for (size_t e = 0; e < s->plan; e++) {
        const es_results *r = s->results[e];
        key.revision += r == NULL ? 0 : r->revision;
    }
    if (key.metric == ES_METRIC_MEASURE) /* values come in without the results */
        key.fitted_at = app->fitted_at;
    for (size_t i = 0; i < list->count; i++)
        key.items += mix(list->item[i]);
    return key;
}

static bool is_same_key(const es_summary_key *a, const es_summary_key *b) {
    return a->made == b->made && a->results == b->results && a->revision == b->revision &&
           a->entry == b->entry && a->metric == b->metric && a->matrix == b->matrix &&
           a->count == b->count && a->items == b->items && !(a->fitted_at < b->fitted_at) &&
           !(a->fitted_at > b->fitted_at);
}

static void take(es_extreme *extreme, bool better, double value, size_t source, size_t target) {
    if (better)
        *extreme = (es_extreme){source, target, value};
}

/* Adds a cell to the extremes and to the means of its row and column. */
static void take_value(es_summary *sum, double v, size_t s, size_t t) {
    if (!isfinite(v))
        return;
    take(&sum->most, v > sum->most.value, v, s, t);
    take(&sum->least, v < sum->least.value, v, s, t);
    sum->item[s].as_source += v;
    sum->item[s].targets++;
    sum->item[t].as_target += v;
    sum->item[t].sources++;
}

static void take_skew(es_summary *sum, double skew, size_t s, size_t t) {
    take(&sum->skew, skew > sum->skew.value, skew, s, t);
    take(&sum->skew, -skew > sum->skew.value, -skew, t, s);
}

/* Values that lie in the results as they are: of hundreds of embedders all of them are looked at
 * several times a second while a run goes on. */
static void sum_plain(es_app *app, const double *value) {
    const es_results *r = app->results;
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_summary *sum = &app->summary;
    for (size_t i = 0; i < list->count; i++)
        for (size_t s = list->item[i], p = app->position[s], j = 0; p != ES_NONE && j < list->count;
             j++) {
            size_t t = list->item[j], q = app->position[t], cell = p * r->m + q;
            if (i == j || q == ES_NONE || r->state[cell] != ES_PAIR_DONE)
                continue;
            take_value(sum, value[cell], s, t);
            size_t back = q * r->m + p;
            if (i < j && r->state[back] == ES_PAIR_DONE && es_metric_alike(app, cell, back))
                take_skew(sum, r->is[cell] - r->is[back], s, t);
        }
}

static void sum_all(es_app *app, es_heat_metric metric) {
    const es_list *list = &app->list[ES_LIST_HEAT];
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < list->count; j++) {
            size_t s = list->item[i], t = list->item[j];
            take_value(&app->summary, es_metric_value(app, metric, s, t), s, t);
            if (i < j)
                take_skew(&app->summary, es_metric_value(app, ES_METRIC_ASYMMETRY, s, t), s, t);
        }
}

void es_summary_update(es_app *app) {
    es_summary *sum = &app->summary;
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_summary_key key = key_of(app);
    if (is_same_key(&key, &sum->key))
        return;
    sum->key = key;
    sum->most = (es_extreme){ES_NONE, ES_NONE, -(double)INFINITY};
    sum->least = (es_extreme){ES_NONE, ES_NONE, (double)INFINITY};
    sum->skew = (es_extreme){ES_NONE, ES_NONE, 0};
    for (size_t i = 0; i < list->count; i++)
        sum->item[list->item[i]] = (es_summary_item){0};
    const double *plain = es_metric_plain(app, key.metric);
    if (plain != NULL)
        sum_plain(app, plain);
    else
        sum_all(app, key.metric);
}
