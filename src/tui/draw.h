/* Small shapes that several views draw. */
#ifndef ES_TUI_DRAW_H
#define ES_TUI_DRAW_H

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
/** The same, but what goes on below a line of the form "word  text" stands below its text. */
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
/** One line; longer ones are cut. NULL format: an empty line. */
void es_pen_line(es_pen *pen, es_role role, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** A glyph of its own role, then text, broken at blanks. */
void es_pen_item(es_pen *pen, es_role glyph_role, const char *glyph, es_role role,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/** The two tables (table.c). `cell` draws what is not plain text and returns true if it did. */
typedef bool (*es_cell_drawer)(const es_app *app, es_grid *grid, es_rect at, size_t column,
                               size_t item, es_role role);
void es_draw_table(const es_app *app, es_grid *grid, es_rect pane, es_table_id table,
                   const char *title, const char *right, es_cell_drawer cell);
/** Centred lines for a view that has nothing to show. */
void es_draw_empty(es_grid *grid, es_rect inside, const char *head, const char *text);
/** Why there is nothing to rank or to draw; false when there is something. */
bool es_draw_nothing(const es_app *app, es_grid *grid, es_rect inside);

/** A view: one file view_<name>.c, listed in views.c. */
typedef struct es_view {
    const char *name, *brief; /* tab titles: long and short */
    void (*draw)(const es_app *app, es_grid *grid, const es_layout *layout);
} es_view;
extern const es_view es_views[ES_VIEW_COUNT]; /* name NULL: not there */

void es_view_pool_draw(const es_app *app, es_grid *grid, const es_layout *layout);
void es_view_heatmap_draw(const es_app *app, es_grid *grid, const es_layout *layout);
void es_view_tree_draw(const es_app *app, es_grid *grid, const es_layout *layout);
void es_view_rank_draw(const es_app *app, es_grid *grid, const es_layout *layout);
void es_view_compare_draw(const es_app *app, es_grid *grid, const es_layout *layout);
void es_view_corr_draw(const es_app *app, es_grid *grid, const es_layout *layout);
void es_view_jobs_draw(const es_app *app, es_grid *grid, const es_layout *layout);
/** Corr's other face (view_agree.c). */
void es_draw_agreement(const es_app *app, es_grid *grid, es_rect body);
/** The Tree view's other face (view_graph.c), and what both say in their borders. */
void es_draw_graph(const es_app *app, es_grid *grid, es_rect pane);
void es_draw_tree_borders(const es_app *app, bool wide, char *right, size_t right_capacity,
                          char *bottom, size_t bottom_capacity);
bool es_draw_no_tree(const es_app *app, es_grid *grid, es_rect in); /* says why there is none */
es_role es_draw_community(const es_app *app, size_t group);         /* its colour */
/** Panes that two views share. */
/** One leaf before each row of the matrix; nothing while the rows are in another order. */
void es_draw_dendrogram(const es_app *app, es_grid *grid, es_rect at, const es_screen_sizes *g);
void es_draw_threads(const es_app *app, es_grid *grid, es_rect pane);
void es_inspect_cell(const es_app *app, es_grid *grid, es_rect pane, bool focused);
void es_inspect_extremes(const es_app *app, es_grid *grid, es_rect pane);

/* overlays.c */
void es_overlay_help(const es_app *app, es_grid *grid);
void es_overlay_pick(const es_app *app, es_grid *grid);
void es_overlay_ask(const es_app *app, es_grid *grid);
void es_overlay_note(const es_app *app, es_grid *grid);
void es_overlay_export(const es_app *app, es_grid *grid);  /* overlay_export.c */
void es_overlay_planner(const es_app *app, es_grid *grid); /* overlay_planner.c */
void es_overlay_worst(const es_app *app, es_grid *grid);   /* overlay_worst.c */
void es_overlay_prompt(const es_app *app, es_grid *grid, es_rect line);

#endif
