/* What the ranking comes to, in the lines that a view has for it. */
#ifndef ES_TUI_ANSWER_LINES_H
#define ES_TUI_ANSWER_LINES_H

#include "app_state.h"
#include "grid.h"

/** app->headline, who is first in the role of what is strong. Nothing where r has no lines. */
void es_draw_answer(const es_app *app, es_grid *grid, es_rect r);

#endif
