/* What can be said about a theme without looking at it: contrast of text and selection, whether
 * the colour maps rise in lightness and their values and the classes stay apart for colour-blind
 * eyes, whether roles differ where there are few colours or none. */
#ifndef ES_TEST_THEME_CHECK_H
#define ES_TEST_THEME_CHECK_H

#include "tui_draw.h"

/** Append one line per finding to `report` ("selection: contrast 3.9 in 256 colours, needs 4.5")
 * and return their number. The terminal's own colours have no value to take a contrast of. */
size_t es_theme_check(const es_theme *theme, es_buf *report);

/** A table for people: every role with its contrast in 24 bits and in 256 colours, and the
 * distances that es_theme_check looks at. */
void es_theme_table(const es_theme *theme, es_buf *out);

/** For --check-theme: load a file, or a theme by its name, and append table and findings, an
 * unknown role among them. *found: how many. Errors as es_theme_load. */
es_status es_theme_check_file(const char *file, const char *theme_dir, es_buf *out, size_t *found,
                              es_error *err);

#endif
