/* Colours of communities and of values. */
#ifndef ES_FIGURE_PALETTE_H
#define ES_FIGURE_PALETTE_H

#include "canvas.h"

es_rgb es_rgb_mix(es_rgb a, es_rgb b, double share_of_b);
/** Relative luminance (WCAG 2), 0 to 1. */
double es_rgb_luminance(es_rgb colour);
/** Black or white, whichever is easier to read on it. */
es_rgb es_rgb_on(es_rgb colour);
enum { ES_GROUP_COLOURS = 16, ES_GROUP_MARK_EVERY = 8 };
/** Of community 1, 2, ...: sixteen colours that colour-blind eyes keep apart, Okabe and Ito's
 * first, or a theme's eight; from then on the same darker, then lighter, and so on: no two
 * communities share one.
 * `faint` without. */
es_rgb es_group_colour(const es_canvas *canvas, unsigned group);
/** A point of a group: a disc of radius r for the first eight, then a square, a triangle, a
 * diamond, so that the shape tells what colours do not. */
void es_put_group_mark(const es_canvas *canvas, unsigned group, double x, double y, double r);
#define ES_GROUP_BAR 6.0
/** A bar beside count lines (`down`) or above count columns, `cell` wide each, of group[i]: one
 * stretch for neighbours of one group, with its number where that fits. */
void es_put_group_bar(const es_canvas *canvas, const unsigned *group, size_t count, double cell,
                      double x, double y, bool down);
/** share from 0 to 1 (cut to it). Sequential: more is further from the paper, light or dark.
 * Diverging: blue over the middle to orange. A theme has its own, as on the screen. */
es_rgb es_heat_colour(const es_canvas *canvas, es_heat_map map, const es_gradient *gradient,
                      double share);

#endif
