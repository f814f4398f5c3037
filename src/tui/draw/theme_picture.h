/* A theme's colours for pictures on paper. */
#ifndef ES_TUI_THEME_PICTURE_H
#define ES_TUI_THEME_PICTURE_H

#include "app_look.h"

/** ES_EUNSUPPORTED: a theme of the terminal's own colours, which have no value. `remarks` gets a
 * line for each colour with too little contrast to the paper. */
es_status es_theme_picture(const es_theme *theme, es_picture_colours *out, es_buf *remarks,
                           es_error *err);

/** The same of a theme by name or path; errors as es_theme_load. A role that this program does not
 * know is a remark, too. */
es_status es_theme_picture_load(const char *name, const char *theme_dir, es_picture_colours *out,
                                es_buf *remarks, es_error *err);

#endif
