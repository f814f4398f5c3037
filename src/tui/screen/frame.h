/* What stands around a view. */
#ifndef ES_TUI_FRAME_H
#define ES_TUI_FRAME_H

#include "app_state.h"
#include "grid.h"

void es_frame_run_line(const es_app *app, es_grid *grid, es_rect r); /* run_line.c */
void es_frame_footer(const es_app *app, es_grid *grid, es_rect r);   /* footer.c */

#endif
