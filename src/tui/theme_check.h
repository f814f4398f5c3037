/* What can be said about a theme without looking at it: contrast of text and selection, steps of
 * the colour maps, whether classes stay apart for colour-blind eyes. */
#ifndef ES_TUI_THEME_CHECK_H
#define ES_TUI_THEME_CHECK_H

#include "colour.h"
#include "embedscope/buf.h"

/** Append one line per finding to `report` ("selection: contrast 3.9 in 256 colours, needs 4.5")
 * and return their number. The terminal's own colours have no value that could be checked and are
 *  skipped. */
size_t es_theme_check(const es_theme *theme, es_buf *report);

/** A table for people: every role with its contrast in 24 bits and in 256 colours, and the
 * distances that es_theme_check looks at. */
void es_theme_table(const es_theme *theme, es_buf *out);

#endif
