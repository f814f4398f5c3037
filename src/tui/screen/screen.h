/* The whole screen. */
#ifndef ES_TUI_SCREEN_H
#define ES_TUI_SCREEN_H

#include "app_state.h"
#include "grid.h"

/** Header, the current view, run line, footer and what lies over them, for any size. */
void es_screen_draw(const es_app *app, es_grid *grid);

#endif
