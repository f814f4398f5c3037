/* Where a measure does worst, over the view: EvalRank's pairs and RetMMD's queries of an embedder,
 * the rows whose neighbours two embedders share least. They are found in the background for as long
 * as the list is open. */

#include "app_state.h"
#include "effects.h"
#include "facts.h"
#include "handlers.h"
#include "measure_columns.h"
#include "pick.h"
#include "worst_list.h"

enum { PAGE = 5 }; /* of a few lines each */

/* ---- Which one ---- */

enum { STOPS = 8 };

static es_worst_kind kind_of(const es_app *app, bool pairwise, size_t k) {
    return k < es_app_measures(app, pairwise) ? app->source->measure[pairwise][k].worst
                                              : ES_WORST_NONE;
}

/* The measure that the view shows, where it has a list; ES_NONE: it has not. */
static size_t shown_measure(const es_app *app, bool pairwise) {
    const es_view_ops *view = es_view_shown(app);
    size_t shown = ES_NONE;
    if (pairwise)
        shown = app->set.metric == ES_METRIC_MEASURE ? app->set.matrix : ES_NONE;
    else if (view->measure != NULL)
        shown = view->measure(app);
    if (kind_of(app, pairwise, shown) == ES_WORST_NONE)
        return ES_NONE;
    return shown - app->source->measure[pairwise][shown].field; /* the list is of all its fields */
}

/* That one, else the first that has a list; ES_NONE: none was asked for. */
static size_t choose_measure(const es_app *app, bool pairwise) {
    size_t k = shown_measure(app, pairwise);
    for (size_t i = 0; k == ES_NONE && i < es_app_measures(app, pairwise); i++)
        if (kind_of(app, pairwise, i) != ES_WORST_NONE)
            k = i;
    return k;
}

static bool in_use(const es_app *app, size_t item) {
    return item != ES_NONE && es_app_model(app, item)->state == ES_MODEL_READY;
}

static size_t add_stop(const es_app *app, es_worst_stop *out, size_t count, es_worst_stop stop) {
    bool known = stop.measure != ES_NONE && in_use(app, stop.item);
    bool two = !stop.pairwise || (in_use(app, stop.other) && stop.item != stop.other);
    if (!known || !two || count == STOPS)
        return count;
    out[count] = stop;
    return count + 1;
}

/* Of the two under the cross-hair, or of those compared: each by itself, then both together. */
static size_t stops_of_pair(const es_app *app, es_worst_stop *out, size_t *side) {
    static const size_t first[] = {0, 0, 1}, second[] = {1, 2, 2};
    size_t one = choose_measure(app, false), both = choose_measure(app, true), count = 0;
    size_t item[ES_COMPARE_MOST], pair;
    size_t items = es_view_shown(app)->compared(app, item, &pair, side);
    for (size_t i = 0; i < items; i++)
        if (i == 0 || item[i] != item[0])
            count = add_stop(app, out, count, (es_worst_stop){false, one, item[i], ES_NONE});
    if (second[pair] < items)
        count = add_stop(app, out, count,
                         (es_worst_stop){true, both, item[first[pair]], item[second[pair]]});
    return count;
}

/* All lists that this place of the view can show, in Tab's order, and which comes first. */
static size_t find_stops(const es_app *app, es_worst_stop *out, size_t *begin) {
    size_t count = 0;
    *begin = 0;
    if (es_view_shown(app)->compared != NULL) {
        size_t side;
        count = stops_of_pair(app, out, &side);
        if (count > 0 && out[count - 1].pairwise && shown_measure(app, true) != ES_NONE)
            *begin = count - 1;
        else if (side < count)
            *begin = side;
        return count;
    }
    size_t chosen = choose_measure(app, false);
    for (size_t n = 0; n < es_app_columns(app, false); n++) {
        size_t before = count, k = es_app_column(app, false, n);
        if (kind_of(app, false, k) != ES_WORST_NONE)
            count = add_stop(app, out, count, (es_worst_stop){false, k, app->cursor, ES_NONE});
        if (count > before && k == chosen)
            *begin = before;
    }
    return count;
}

const char *es_worst_refusal(const es_app *app) {
    es_worst_stop stops[STOPS];
    size_t begin;
    bool two = es_view_shown(app)->compared != NULL;
    if (find_stops(app, stops, &begin) > 0)
        return NULL;
    if (choose_measure(app, false) == ES_NONE && (!two || choose_measure(app, true) == ES_NONE))
        return two ? "first :measure evalrank, retmmd, knn-overlap or infonce"
                   : "first :measure evalrank, or retmmd";
    return app->cursor == ES_NONE                  ? "no embedder is selected"
           : !in_use(app, app->cursor)             ? "this embedder is not in use"
           : choose_measure(app, false) == ES_NONE ? "this needs two embedders"
                                                   : "no embedder is chosen";
}

double es_worst_score(const es_app *app) {
    const es_worst_stop *s = &app->worst.now;
    return es_measure_of(app, s->pairwise, s->measure, s->item, s->pairwise ? s->other : s->item);
}

es_worst_request es_app_worst(const es_app *app) {
    const es_worst_stop *s = &app->worst.now;
    return (es_worst_request){es_measure_title(app, s->pairwise, s->measure), s->item, s->other};
}

const char *es_worst_next(const es_app *app) {
    const es_worst_stop *now = &app->worst.now, *next = &app->worst.next;
    return next->pairwise || (next->item == now->item && !now->pairwise)
               ? es_measure_title(app, next->pairwise, next->measure)
               : es_app_name(app, next->item);
}

/* ---- The list ---- */

static void show(es_app *app, const es_worst_stop *stops, size_t count, size_t at,
                 es_effects *effects) {
    app->worst = (es_worst_state){.wanted = true,
                                  .kind = kind_of(app, stops[at].pairwise, stops[at].measure),
                                  .now = stops[at],
                                  .next = stops[(at + 1) % count],
                                  .more = count > 1};
    app->mode = ES_MODE_WORST;
    es_effect_add(app, effects, ES_FX_WORST, stops[at].item, true, NULL);
}

void es_command_worst(es_call *call) {
    es_worst_stop stops[STOPS];
    size_t begin, count = find_stops(call->app, stops, &begin);
    if (count > 0)
        show(call->app, stops, count, begin, call->effects);
}

static void go_on(es_app *app, es_effects *effects) {
    es_worst_stop stops[STOPS], wanted = app->worst.next;
    size_t begin, count = find_stops(app, stops, &begin);
    for (size_t i = 0; i < count && app->worst.more; i++)
        if (stops[i].pairwise == wanted.pairwise && stops[i].measure == wanted.measure &&
            stops[i].item == wanted.item) {
            show(app, stops, count, i, effects);
            return;
        }
}

void es_worst_key(es_app *app, uint32_t key, es_effects *effects) {
    if (key == ES_KEY_TAB)
        go_on(app, effects);
    else if (key == ES_KEY_ENTER || key == ES_KEY_ESC || key == 'q')
        app->mode = ES_MODE_NORMAL;
    else
        (void)es_pick_move(&app->worst.at, app->source->worst.count, PAGE, key);
}

void es_worst_update(es_app *app, es_effects *effects) {
    if (!app->worst.wanted || app->mode == ES_MODE_WORST)
        return;
    app->worst.wanted = false;
    es_effect_add(app, effects, ES_FX_WORST, 0, false, NULL);
}
