/* Going to another view: the cursor is on something that it shows. */
#include "go.h"

#include "select.h"

void es_go(es_app *app, es_view_id view) {
    if (view != app->view)
        app->range = ES_NONE;
    if (view == ES_VIEW_TREE && view != app->view)
        app->tree.depth = ES_TREE_ITEM;
    if (view == ES_VIEW_COMPARE && app->view != ES_VIEW_COMPARE && !app->compare.away)
        app->compare.from = app->view;
    app->compare.away = app->compare.away && view == ES_VIEW_HEATMAP;
    app->view = view;
    es_list_id list = es_view_table[view].list;
    if (list != ES_LIST_COUNT && es_select_index(app, list, app->cursor) == ES_NONE &&
        app->list[list].count > 0)
        app->cursor = app->list[list].item[0];
    es_select_scroll(app);
}
