/* The overview of a table of scores: what it settles, and the standing with rank intervals. */
#ifndef ES_TUI_BOARD_PANE_H
#define ES_TUI_BOARD_PANE_H

#include "app_state.h"
#include "grid.h"

/** Draws the sheet of the leaderboard that is shown; place: the line of how many. */
void es_draw_board(const es_app *app, es_grid *grid, es_rect body, const char *place);

#endif
