/* The worst pairs of an embedder under EvalRank, over the view. They are found in the background
 * for as long as the list is open. */
#include <math.h>
#include <string.h>

#include "app_state.h"

void es_do_worst(es_call *call);

enum { PAGE = 5 }; /* pairs, of a few lines each */

/* Its number among the measures of embedders; ES_NONE: it was not asked for. */
static size_t evalrank(const es_app *app) {
    for (size_t k = 0; k < es_app_measures(app, false); k++)
        if (strcmp(es_measure_title(app, false, k), "evalrank") == 0)
            return k;
    return ES_NONE;
}

/* Of whom the view tells: the embedder under the cursor, in Compare that of the side. */
static size_t here(const es_app *app) {
    const es_compare_settings *set = &app->set.compare;
    if (app->view != ES_VIEW_COMPARE)
        return app->cursor;
    return app->compare.side < set->count ? set->item[app->compare.side]
           : set->count > 0               ? set->item[0]
                                          : ES_NONE;
}

/* Who comes after `item`: the other one of the cell, the next of those compared. */
static size_t next_of(const es_app *app, size_t item) {
    const es_compare_settings *set = &app->set.compare;
    if (app->view == ES_VIEW_HEATMAP && app->cursor != app->column)
        return item == app->cursor ? app->column : app->cursor;
    for (size_t i = 0; app->view == ES_VIEW_COMPARE && i < set->count; i++)
        if (set->item[i] == item)
            return set->item[(i + 1) % set->count];
    return ES_NONE;
}

const char *es_worst_refusal(const es_app *app) {
    size_t item = here(app);
    if (evalrank(app) == ES_NONE)
        return "first :measure evalrank";
    if (item == ES_NONE)
        return "no embedder is selected";
    return es_app_model(app, item)->state != ES_MODEL_READY ? "this embedder is not in use" : NULL;
}

double es_worst_score(const es_app *app) {
    size_t k = evalrank(app);
    return k == ES_NONE ? (double)NAN
                        : es_measure_of(app, false, k, app->worst.item, app->worst.item);
}

static void show(es_app *app, size_t item, es_effects *effects) {
    app->worst = (es_worst_list){.wanted = true, .item = item, .next = next_of(app, item)};
    app->mode = ES_MODE_WORST;
    es_effect_add(app, effects, ES_FX_WORST, item, true, NULL);
}

void es_do_worst(es_call *call) {
    show(call->app, here(call->app), call->effects);
}

static void move(es_app *app, size_t by, bool down) {
    es_source_worst worst;
    app->source->worst(app->source->context, &worst);
    size_t *at = &app->worst.at, last = worst.count > 0 ? worst.count - 1 : 0;
    if (down)
        *at = by < last - *at ? *at + by : last;
    else
        *at = by < *at ? *at - by : 0;
}

void es_worst_key(es_app *app, uint32_t key, es_effects *effects) {
    switch (key) {
    case 'j':
    case ES_KEY_DOWN:
        move(app, 1, true);
        break;
    case 'k':
    case ES_KEY_UP:
        move(app, 1, false);
        break;
    case 'd' - ES_KEY_CTRL:
    case ES_KEY_PAGE_DOWN:
        move(app, PAGE, true);
        break;
    case 'u' - ES_KEY_CTRL:
    case ES_KEY_PAGE_UP:
        move(app, PAGE, false);
        break;
    case 'G':
    case ES_KEY_END:
        move(app, SIZE_MAX, true);
        break;
    case 'g':
    case ES_KEY_HOME:
        move(app, SIZE_MAX, false);
        break;
    case ES_KEY_TAB:
        if (app->worst.next != ES_NONE)
            show(app, app->worst.next, effects);
        break;
    case ES_KEY_ENTER:
    case ES_KEY_ESC:
    case 'q':
        app->mode = ES_MODE_NORMAL;
        break;
    default:
        break;
    }
}

void es_worst_update(es_app *app, es_effects *effects) {
    if (!app->worst.wanted || app->mode == ES_MODE_WORST)
        return;
    app->worst.wanted = false;
    es_effect_add(app, effects, ES_FX_WORST, 0, false, NULL);
}
