/* Letters for every script: the first font of a figure has Latin, Greek and Cyrillic; what it lacks
 * comes from whichever installed font has it, a run of letters at a time.
 *
 * Scripts whose letters join or stack, and those written from right to left, are shaped
 * (shaping.h). A letter that no font has is drawn as an empty box. */
#ifndef ES_FIGURE_FONTS_H
#define ES_FIGURE_FONTS_H

#include <stdbool.h>
#include <stddef.h>

#include <cairo.h>

#include "embedscope/status.h"

typedef struct es_fonts es_fonts;

es_status es_fonts_new(es_fonts **out, es_error *err);
void es_fonts_free(es_fonts *fonts);

/** The name of the first font as this system has it, fit for an attribute; NULL: unknown. Lives as
 * long as `fonts`. */
const char *es_fonts_family(es_fonts *fonts);
/** Different letters of what has been measured or set that no font has. */
size_t es_fonts_missing(const es_fonts *fonts);
/** How far `text` reaches, in units of cr. */
double es_fonts_width(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text);
/** The outlines of `text`, appended to the path from the current point on. */
void es_fonts_path(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text);
/** Sets `text` (UTF-8) from the current point on. */
void es_fonts_show(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text);

#endif
