/* A table of scores that is open alone: the views that need no matrix are sheets, one kept for each
 * view (tab). */
#ifndef ES_APP_BOARD_TABS_H
#define ES_APP_BOARD_TABS_H

#include "app_state.h"

/** Goes to a view: to its sheet, or, where it needs matrices, a notice says so. */
void es_board_go(es_app *app, es_view_id view);
/** Compares two models by name; Esc comes back to this view. */
void es_board_compare(es_app *app, const char *a, const char *b);
/** Compares the two marked models, or that under the cursor with the first of the board; the first
 *  with the second. A notice says why that cannot be. */
void es_board_compare_here(es_app *app);
/** Enter: compares the model of this line, shows what correlates with its task; false: neither. */
bool es_board_open(es_app *app);
/** Esc: closes what Enter has opened; false: nothing was. */
bool es_board_close(es_app *app);
/** Returns the view after the one whose tab is shown, or the one before it, round. */
es_view_id es_board_next(const es_app *app, bool forward);
/** Returns the view whose tab is shown: where a table is open alone, that of its sheet. */
es_view_id es_board_tab(const es_app *app);

#endif
