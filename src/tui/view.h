/* A view draws the model into a grid: one file view_<name>.c each, listed in views.c. */
#ifndef ES_TUI_VIEW_H
#define ES_TUI_VIEW_H

#include "app.h"
#include "grid.h"

/** Draw the whole screen (header, the current view, run line, footer, overlays) for any size. */
void es_screen_draw(const es_app *app, es_grid *grid);

#endif
