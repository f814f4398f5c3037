/* Vertical motions, of whatever is counted: by lines, half pages, to an end, to a number. */
#include "app_commands.h"

size_t es_moved(const es_call *call, size_t at, size_t count, size_t page) {
    size_t by = call->count > 0 ? call->count : 1;
    if (count == 0)
        return 0;
    switch (call->command) {
    case ES_COMMAND_DOWN:
        at += by;
        break;
    case ES_COMMAND_UP:
        at -= by < at ? by : at;
        break;
    case ES_COMMAND_PAGE_DOWN:
        at += by * (page / 2 > 0 ? page / 2 : 1);
        break;
    case ES_COMMAND_PAGE_UP:
        by *= page / 2 > 0 ? page / 2 : 1;
        at -= by < at ? by : at;
        break;
    case ES_COMMAND_TOP:
        at = call->count > 0 ? call->count - 1 : 0;
        break;
    case ES_COMMAND_BOTTOM:
        at = call->count > 0 ? call->count - 1 : count - 1;
        break;
    default:
        break;
    }
    return at < count ? at : count - 1;
}

es_rect es_pane_inside(const es_app *app, es_pane pane) {
    es_layout layout =
        es_layout_make(app->view, app->focus[app->view], app->w, app->h, app->headline.lines);
    return es_layout_inside(layout.pane[pane]);
}
