/* Which items a list shows, in which order, and where the cursor is. */
#ifndef ES_APP_SELECT_H
#define ES_APP_SELECT_H

#include "app_state.h"

/** Goes to another view, with the cursor on something that it shows. */
void es_go(es_app *app, es_view_id view);
/** Put the lists in order. `now`: also when the order is held (the user asked for it). */
void es_select_refresh(es_app *app, bool now);
size_t es_select_index(const es_app *app, es_list_id list, size_t item); /* ES_NONE: not shown */
void es_select_cursor(es_app *app, size_t item);                         /* and scroll to it */
void es_select_first(es_app *app);           /* before it was ever moved: on the best */
void es_select_scroll(es_app *app);          /* keep cursors inside their panes */
size_t es_select_changes(const es_app *app); /* places changed since the order was frozen */
void es_select_freeze(es_app *app, bool frozen);
size_t es_select_hidden(const es_app *app);
/** True if a list holds this embedder unless it is hidden or filtered out. */
bool es_select_belongs(const es_app *app, es_list_id list, size_t item);
bool es_select_in_matrix(const es_app *app, size_t item);
es_order es_order_find(const char *name); /* ES_ORDER_COUNT: none */

#endif
