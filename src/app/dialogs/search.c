/* Searching: names in the list that the view shows, in the targets of Compare, in the lines of
 * Jobs. */
#include "search.h"

#include "compare_state.h"
#include "filter.h"
#include "jobs.h"
#include "select.h"

static const es_list *searched(const es_app *app) {
    es_list_id id = es_view_table[app->view].list;
    return &app->list[id == ES_LIST_COUNT ? ES_LIST_RANK : id];
}

static size_t places(const es_app *app) {
    return app->view == ES_VIEW_COMPARE ? app->compare.lines
           : app->view == ES_VIEW_JOBS  ? es_jobs_lines(app)
                                        : searched(app)->count;
}

static bool found_at(const es_app *app, size_t place) {
    size_t source = ES_NONE, target = ES_NONE;
    if (app->view == ES_VIEW_COMPARE)
        source = es_compare_item(app, place);
    else if (app->view == ES_VIEW_JOBS) {
        if (!es_jobs_pair(app, place, &source, &target))
            return false;
    } else
        source = searched(app)->item[place];
    return es_select_matches(app, app->search, source) ||
           (target != ES_NONE && es_select_matches(app, app->search, target));
}

size_t es_search_place(const es_app *app) {
    const es_list *list = searched(app);
    if (app->view == ES_VIEW_COMPARE)
        return es_compare_line(app);
    if (app->view == ES_VIEW_JOBS)
        return app->job;
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i] == app->cursor)
            return i;
    return ES_NONE;
}

void es_search_go(es_app *app, size_t place) {
    if (place >= places(app))
        return;
    if (app->view == ES_VIEW_COMPARE) {
        app->focus[ES_VIEW_COMPARE] = ES_PANE_TARGETS;
        app->compare.target = es_compare_item(app, place);
    } else if (app->view == ES_VIEW_JOBS)
        es_jobs_select(app, place);
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
