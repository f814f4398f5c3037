/* Going to another view: the cursor is on something that it shows. */
#include "go.h"

#include "facts.h"
#include "select.h"

void es_go(es_app *app, es_view_id view) {
    const es_view_ops *next = es_view_ops_of(app, view);
    if (view != app->view) {
        if (next->enter != NULL)
            next->enter(app);
        if (app->range != ES_NONE) /* and so does what to do with it */
            app->toast_until = 0;
        app->range = ES_NONE;
        app->compare.away = false;
    }
    app->view = view;
    es_list_id list = es_view_table[view].list;
    if (list != ES_LIST_COUNT && es_select_index(app, list, app->cursor) == ES_NONE &&
        app->list[list].count > 0)
        app->cursor = app->list[list].item[0];
    es_select_first(app);
    es_select_scroll(app);
}
