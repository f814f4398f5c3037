/* That a filter hides rows, in a pane's top border. */
#ifndef ES_TUI_FILTER_MARK_H
#define ES_TUI_FILTER_MARK_H

#include "app_state.h"
#include "grid.h"

/** Puts "filter: WORDS" before what a pane says at the right of its top border, if there is a
 *  filter. In a pane of `width` columns that has no room for all, the filter is shortened, then the
 *  rest of `right` gives way from its end, then `title` is cut: that rows are missing is said
 *  always. */
void es_filter_mark(const es_app *app, const es_grid *grid, int width, char *title, char *right,
                    size_t capacity);
/** Columns that this takes of `right` where there is room; 0: there is no filter. */
int es_filter_width(const es_app *app, const es_grid *grid);

#endif
