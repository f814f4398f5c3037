/* Names of embedders in fields that are too narrow for them: cut so that no two read the same,
 * wherever one is drawn (short_names.h). */
#ifndef ES_TUI_GRID_NAMES_H
#define ES_TUI_GRID_NAMES_H

#include "grid.h"

/** The names that es_grid_field is to tell apart in this and the next frames; copied when they have
 *  changed. Out of memory: fields cut them as any text. name(context, i): 0 <= i < n. */
void es_grid_set_names(es_grid *grid, size_t n, const char *(*name)(const void *context, size_t i),
                       const void *context);
/** Is it one of the names, what is shown of it in `w` columns; else NULL. */
const char *es_grid_short_name(es_grid *grid, const char *utf8, int w);
/** A name in r, from top to bottom, a letter a line, its end in the last line. */
void es_grid_upright(es_grid *grid, es_rect r, es_role role, const char *name);
/** A name in the lines of r, broken behind a sign where that leaves room for the rest, its end in
 * the last line. */
void es_grid_wrapped(es_grid *grid, es_rect r, es_role role, const char *name);
void es_grid_names_free(es_grid_names *names);

#endif
