/* A screen as a picture: the grid in a theme's colours, as an SVG file. */
#ifndef ES_TUI_SCREEN_SVG_H
#define ES_TUI_SCREEN_SVG_H

#include "grid.h"
#include "theme.h"

/** SVG text of the whole grid in 24-bit colours; NULL when out of memory. Free with es_free. */
char *es_screen_svg(const es_grid *grid, const es_theme *theme);

#endif
