/* Names of embedders in several lines, where one is too short for them. */
#ifndef ES_TUI_GRID_NAMES_H
#define ES_TUI_GRID_NAMES_H

#include "grid.h"

/** A name in the lines of r, broken behind a sign where that leaves room for the rest, its end in
 * the last line. */
void es_grid_wrapped(es_grid *grid, es_rect r, es_role role, const char *name);

#endif
