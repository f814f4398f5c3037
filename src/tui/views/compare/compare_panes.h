/* The panes of Compare. */
#ifndef ES_TUI_COMPARE_PANES_H
#define ES_TUI_COMPARE_PANES_H

#include "app_state.h"
#include "tui_draw.h"

/** Colour of a side, the same in every pane. */
es_role es_side_role(size_t side);
char es_side_letter(size_t side);
/** A value with three decimals as ".571" or "-.031", to fit narrow columns; "-" when not known. */
void es_short_value(double value, int digits, char *out, size_t capacity);

void es_compare_targets_draw(const es_app *app, es_grid *grid, es_rect pane);
void es_compare_tasks_draw(const es_app *app, es_grid *grid, es_rect pane);
void es_compare_rows_draw(const es_app *app, es_grid *grid, es_rect pane);

#endif
