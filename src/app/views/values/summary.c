/* The matrix on the whole: its extremes, and the sums that its profiles are means of. All cells are
 * looked at when values or the embedders shown have changed, and not for every frame. */
#include <math.h>

#include "alloc.h"
#include "app_state.h"
#include "heat.h"
#include "summary.h"

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

static bool same(const es_summary_key *a, const es_summary_key *b) {
    return a->made == b->made && a->results == b->results && a->revision == b->revision &&
           a->entry == b->entry && a->metric == b->metric && a->matrix == b->matrix &&
           a->count == b->count && a->items == b->items && !(a->fitted_at < b->fitted_at) &&
           !(a->fitted_at > b->fitted_at);
}

static void take(es_extreme *extreme, bool better, double value, size_t source, size_t target) {
    if (better)
        *extreme = (es_extreme){source, target, value};
}

void es_summary_update(es_app *app) {
    es_summary *sum = &app->summary;
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_summary_key key = key_of(app);
    if (same(&key, &sum->key))
        return;
    sum->key = key;
    sum->most = (es_extreme){ES_NONE, ES_NONE, -(double)INFINITY};
    sum->least = (es_extreme){ES_NONE, ES_NONE, (double)INFINITY};
    sum->skew = (es_extreme){ES_NONE, ES_NONE, 0};
    for (size_t i = 0; i < list->count; i++)
        sum->item[list->item[i]] = (es_summary_item){0};
    for (size_t r = 0; r < list->count; r++)
        for (size_t c = 0; c < list->count; c++) {
            size_t s = list->item[r], t = list->item[c];
            double v = es_metric_value(app, key.metric, s, t),
                   skew = r < c ? es_metric_value(app, ES_METRIC_ASYMMETRY, s, t) : 0;
            take(&sum->skew, skew > sum->skew.value, skew, s, t);
            take(&sum->skew, -skew > sum->skew.value, -skew, t, s);
            if (!isfinite(v))
                continue;
            take(&sum->most, v > sum->most.value, v, s, t);
            take(&sum->least, v < sum->least.value, v, s, t);
            sum->item[s].as_source += v;
            sum->item[s].targets++;
            sum->item[t].as_target += v;
            sum->item[t].sources++;
        }
}
