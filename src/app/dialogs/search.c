/* Searching: names in the list that the view shows, or in the lines that it has instead. */
#include "app_dialogs.h"

#include "app_state.h"
#include "app_lists.h"

static const es_list *searched(const es_app *app) {
    es_list_id id = es_view_table[app->view].list;
    return &app->list[id == ES_LIST_COUNT ? ES_LIST_RANK : id];
}

static size_t places(const es_app *app) {
    const es_view_ops *view = es_view_shown(app);
    return view->lines != NULL ? view->lines(app) : searched(app)->count;
}

static bool found_at(const es_app *app, size_t place) {
    const es_view_ops *view = es_view_shown(app);
    size_t source = ES_NONE, target = ES_NONE;
    if (view->holds != NULL)
        return view->holds(app, place, app->search);
    if (view->line_of == NULL)
        source = searched(app)->item[place];
    else if (!view->line_of(app, place, &source, &target))
        return false;
    return es_select_matches(app, app->search, source) ||
           (target != ES_NONE && es_select_matches(app, app->search, target));
}

size_t es_search_place(const es_app *app) {
    const es_list *list = searched(app);
    const es_view_ops *view = es_view_shown(app);
    if (view->line != NULL)
        return view->line(app);
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i] == app->cursor)
            return i;
    return ES_NONE;
}

void es_search_go(es_app *app, size_t place) {
    const es_view_ops *view = es_view_shown(app);
    if (place >= places(app))
        return;
    if (view->to_line != NULL)
        view->to_line(app, place);
    else
        es_select_cursor(app, searched(app)->item[place]);
}

size_t es_search_find(const es_app *app, size_t from, bool backward, bool skip) {
    size_t count = places(app), start = from < count ? from : 0;
    for (size_t step = skip ? 1 : 0; step < count + (skip ? 1 : 0); step++) {
        size_t at = (backward ? start + count - step % count : start + step) % count;
        if (found_at(app, at))
            return at;
    }
    return ES_NONE;
}
