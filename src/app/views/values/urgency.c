/* Which pairs the user waits for: those of the embedder put in front with P, of marked ones, and of
 * the rows on screen. */
#include <string.h>

#include "app_state.h"
#include "app_values.h"

enum { ON_SCREEN = 1, MARKED = 2, IN_FRONT = ES_URGENCY_MOST };

static void raise_to(const es_app *app, uint8_t *urgency, size_t item, uint8_t level) {
    size_t position = item < app->n ? app->position[item] : ES_NONE;
    if (position != ES_NONE && urgency[position] < level)
        urgency[position] = level;
}

/* Sources of the cells on screen: rows, or columns where these are the sources. */
static void add_visible(const es_app *app, uint8_t *urgency) {
    es_layout layout =
        es_layout_make(app->view, app->focus[app->view], app->w, app->h, app->headline.lines);
    es_rect inside = es_layout_inside(layout.pane[ES_PANE_MAIN]);
    if (app->view != ES_VIEW_HEATMAP || inside.h < 1 || inside.w < 1)
        return;
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_screen_sizes g = es_heat_geometry(app, inside);
    size_t from = app->set.transposed ? app->left : list->top;
    size_t count = app->set.transposed ? g.columns : g.rows;
    if (g.pool > 1) { /* the overview shows all */
        from = 0;
        count = list->count;
    }
    for (size_t i = from; i < from + count && i < list->count; i++)
        raise_to(app, urgency, list->item[i], ON_SCREEN);
}

void es_urgency_update(es_app *app, es_effects *effects) {
    uint8_t *fresh = app->urgency_scratch;
    if (app->results == NULL || app->source->read_only)
        return;
    memset(fresh, 0, app->n);
    add_visible(app, fresh);
    for (size_t i = 0; i < app->n; i++)
        if (app->marked[i])
            raise_to(app, fresh, i, MARKED);
    raise_to(app, fresh, app->first, IN_FRONT);
    if (memcmp(fresh, app->urgency, app->n) == 0)
        return;
    memcpy(app->urgency, fresh, app->n);
    es_effect_add(app, effects, ES_FX_PRIORITISE, 0, false, NULL);
}

const uint8_t *es_app_urgency(const es_app *app) {
    return app->urgency;
}
