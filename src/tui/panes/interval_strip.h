/* A score with its interval as a strip, in Rank and in the overview. */
#ifndef ES_TUI_INTERVAL_STRIP_H
#define ES_TUI_INTERVAL_STRIP_H

#include "app_state.h"
#include "grid.h"

/** Ends of the axis that the strips of all listed embedders share; false: nothing is known. */
bool es_strip_axis(const es_app *app, double *low, double *high);
/** Column 0..w-1 of a value on an axis; values beyond its ends are at them. */
int es_strip_place(double value, double low, double high, int w);
/** role: of a selected row, else ES_ROLE_TEXT. */
void es_draw_strip(const es_app *app, es_grid *grid, es_rect at, size_t item, es_role role);

#endif
