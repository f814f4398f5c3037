/* Tasks of a cluster in Jobs: a heading and a line each. */
#ifndef ES_TUI_TASK_PANE_H
#define ES_TUI_TASK_PANE_H

#include "app_state.h"
#include "tui_draw.h"

/** Lines that they take, the heading included; 0: there are none. */
size_t es_task_lines(const es_app *app);
/** As many as there is room for: those that are done go first, the last line says how many more. */
void es_draw_tasks(const es_app *app, es_grid *grid, es_rect r);

#endif
