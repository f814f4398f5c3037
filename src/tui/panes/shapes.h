/* Small shapes that several views draw. */
#ifndef ES_TUI_SHAPES_H
#define ES_TUI_SHAPES_H

#include "app_state.h"
#include "grid.h"

/** A bar of `w` columns filled to `fraction` (0..1; NAN = empty), in eighths of a column. */
void es_draw_bar(es_grid *grid, int x, int y, int w, double fraction, es_role full, es_role empty);
/** Values as a line of blocks, scaled from least to most; NAN is a blank. Returns columns used. */
int es_draw_spark(es_grid *grid, int x, int y, es_role role, const float *value, size_t count);
/** One block for a value of 0..255. */
void es_draw_level(es_grid *grid, int x, int y, es_role role, int step);
/** Text broken at blanks into lines of rect.w, `skip` lines left out. Returns the lines it has. */
int es_draw_wrap(es_grid *grid, es_rect rect, es_role role, const char *text, int skip);
/** As es_draw_wrap, but what goes on below a line of the form "word  text" stands below its text.
 */
int es_draw_list(es_grid *grid, es_rect rect, es_role role, const char *text, int skip);
/** A sentence in w columns: what is too long is cut at its end, not in its middle. */
void es_draw_sentence(es_grid *grid, int x, int y, int w, es_role role, const char *text);
/** A pane over everything else: cleared, bordered, with a shadow. Returns its inside. */
es_rect es_draw_overlay(es_grid *grid, es_rect rect, const char *title, const char *right,
                        const char *bottom);
es_rect es_draw_centred(const es_grid *grid, int w, int h);
/** What stands for "source to target" between two names. */
void es_draw_pair(es_grid *grid, int x, int y, int w, es_role role, const char *source,
                  const char *target);

/** A text that is written line by line into a pane and may be scrolled. */
typedef struct es_pen {
    es_grid *grid;
    es_rect rect;
    int y;
    es_rect old_clip;
} es_pen;
es_pen es_pen_begin(es_grid *grid, es_rect rect, size_t top);
void es_pen_end(es_pen *pen);
/** After that: says in the bottom border of the pane around it that there is more below, and the
 * key that leads there. */
void es_pen_tell_more(const es_pen *pen, es_rect pane, bool focused);
/** One line; longer ones are cut. NULL format: an empty line. */
void es_pen_line(es_pen *pen, es_role role, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** A glyph of its own role, then text, broken at blanks. */
void es_pen_item(es_pen *pen, es_role glyph_role, const char *glyph, es_role role,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/** Centred lines for a view that has nothing to show. */
void es_draw_empty(es_grid *grid, es_rect inside, const char *head, const char *text);
/** Nothing of what is shown is known yet, though another estimator of the plan may know pairs; then
 *  what to do about it. */
void es_draw_no_pairs(const es_app *app, es_grid *grid, es_rect inside, const char *what);
/** A folder without embedders: what one is, and what to do. */
void es_draw_no_embedders(const es_app *app, es_grid *grid, es_rect inside);
/** Why there is nothing to rank or to draw; false when there is something. */
bool es_draw_nothing(const es_app *app, es_grid *grid, es_rect inside);

/** The first line shown of a list, so that line `at` (ES_NONE: none) is inside the page. */
size_t es_draw_first_line(size_t at, size_t count, int page);
/** The colour of a community of embedders, the same in every view. */
es_role es_draw_community(const es_app *app, size_t group);

#endif
