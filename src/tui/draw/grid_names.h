/* Names of embedders where a line is too short for them: upright, or in several lines. */
#ifndef ES_TUI_GRID_NAMES_H
#define ES_TUI_GRID_NAMES_H

#include "grid.h"

/** A name in r, from top to bottom, a letter a line, its end in the last line. */
void es_grid_upright(es_grid *grid, es_rect r, es_role role, const char *name);
/** A name in the lines of r, broken behind a sign where that leaves room for the rest, its end in
 * the last line. */
void es_grid_wrapped(es_grid *grid, es_rect r, es_role role, const char *name);

#endif
