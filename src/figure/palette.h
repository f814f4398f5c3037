/* Colours of communities and of values. */
#ifndef ES_FIGURE_PALETTE_H
#define ES_FIGURE_PALETTE_H

#include "canvas.h"

es_rgb es_rgb_mix(es_rgb a, es_rgb b, double share_of_b);
/** Relative luminance (WCAG 2), 0 to 1. */
double es_rgb_luminance(es_rgb colour);
/** Black or white, whichever is easier to read on it. */
es_rgb es_rgb_on(es_rgb colour);
/** Of community 1, 2, ...: Okabe and Ito's colours, from the ninth on the same darker, then
 * lighter, and so on: no two communities share one. `faint` without. */
es_rgb es_group_colour(const es_canvas *canvas, unsigned group);
/** share from 0 to 1 (cut to it). Sequential: more is further from the paper, in both themes.
 * Diverging: blue over the middle to orange. */
es_rgb es_heat_colour(const es_canvas *canvas, es_heat_map map, const es_gradient *gradient,
                      double share);

#endif
