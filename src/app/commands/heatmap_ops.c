/* Heatmap among the views: its cursor is on a pair, and its values are summed up beside it. */
#include "app_lists.h"
#include "app_values.h"
#include "app_state.h"

/* Back to Compare, if that is where one came from. */
static void leave(es_app *app) {
    if (app->compare.away)
        es_go(app, ES_VIEW_COMPARE);
}

static bool cursor_pair(const es_app *app, size_t *source, size_t *target) {
    *source = app->cursor;
    *target = app->column;
    return true;
}

/* The row and the column under the cursor. */
static size_t compared_items(const es_app *app, size_t item[ES_COMPARE_MOST], size_t *two,
                             size_t *side) {
    item[0] = app->cursor;
    item[1] = app->column;
    *two = *side = 0;
    return 2;
}

static void update(es_app *app, bool idle) {
    (void)idle;
    es_summary_update(app);
}

const es_view_ops es_view_ops_heatmap = {
    .leave = leave, .pair = cursor_pair, .compared = compared_items, .update = update};
