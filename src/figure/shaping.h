/* Letters that join, stack or run from right to left: the order in which runs of them are seen, and
 * which glyphs stand for them. By FriBidi and HarfBuzz, which say when memory runs out. */
#ifndef ES_FIGURE_SHAPING_H
#define ES_FIGURE_SHAPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cairo.h>

/** Does a letter need it: Hebrew, Arabic, the scripts of India and South-East Asia, marks? */
bool es_shaping_needed(uint32_t letter);

/** Neighbouring letters that are shaped together. */
typedef struct es_shaped_run {
    size_t at, length; /* letters */
    int font;          /* in: the caller's */
    unsigned script;   /* hb_script_t */
    bool rightwards;   /* left to right */
} es_shaped_run;

/** Splits letters (n) into runs of one font (font[i]), script and direction, in the order in which
 *  they are seen from left to right. run (n). Returns how many; 0: out of memory. */
size_t es_shaping_runs(const uint32_t *letter, const int *font, size_t n, es_shaped_run *run);

/** The advance of a run in the scaled font `cr` has. glyph (most): the glyphs from (x, y) on,
 * *count of them; NULL: not wanted. */
double es_shaping_set(cairo_t *cr, double size, const uint32_t *letter, const es_shaped_run *run,
                      double x, double y, cairo_glyph_t *glyph, size_t most, size_t *count);

#endif
