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

const char *es_worst_refusal(const es_app *app) {
    if (evalrank(app) == ES_NONE)
        return "first :measure evalrank";
    if (app->cursor == ES_NONE)
        return "no embedder is selected";
    return es_app_model(app, app->cursor)->state != ES_MODEL_READY ? "this embedder is not in use"
                                                                   : NULL;
}

double es_worst_score(const es_app *app) {
    size_t k = evalrank(app);
    return k == ES_NONE ? (double)NAN
                        : es_measure_of(app, false, k, app->worst.item, app->worst.item);
}

void es_do_worst(es_call *call) {
    es_app *app = call->app;
    app->worst = (es_worst_list){.wanted = true, .item = app->cursor};
    app->mode = ES_MODE_WORST;
    es_effect_add(app, call->effects, ES_FX_WORST, app->cursor, true, NULL);
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

void es_worst_key(es_app *app, uint32_t key) {
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
