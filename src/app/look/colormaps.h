/* Maps of colours to choose from in place of the theme's. */
#ifndef ES_APP_COLORMAPS_H
#define ES_APP_COLORMAPS_H

#include "theme.h"

/** Maps to choose from in place of the theme's for values from low to high. Number 0 is "theme",
 * its own; names end with NULL. es_colormap_find: ES_COLORMAPS if there is none of this name. */
enum { ES_COLORMAPS = 5 };
extern const char *const es_colormap_names[ES_COLORMAPS + 1];
size_t es_colormap_find(const char *name);
void es_colormap_choose(es_theme *theme, size_t number);

#endif
