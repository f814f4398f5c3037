/* A screen as a picture: the grid as a terminal shows it, as an SVG file. */
#ifndef ES_TUI_SCREEN_SVG_H
#define ES_TUI_SCREEN_SVG_H

#include "grid.h"
#include "term_look.h"

/** Returns SVG text of the whole grid, with the colours and characters that `look` has; NULL when
 *  out of memory. Free with es_free. */
char *es_screen_svg(const es_grid *grid, const es_look *look);

#endif
