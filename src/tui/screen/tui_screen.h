/* The whole screen: views, footer, overlays. */
#ifndef ES_TUI_SCREEN_H
#define ES_TUI_SCREEN_H

#include "tui_panes.h"

/* What stands around a view. */

void es_frame_run_line(const es_app *app, es_grid *grid, es_rect r); /* run_line.c */

/* What lies over a view. */

void es_overlay_pick(const es_app *app, es_grid *grid);
void es_overlay_ask(const es_app *app, es_grid *grid);
void es_overlay_note(const es_app *app, es_grid *grid);

void es_overlay_help(const es_app *app, es_grid *grid);
void es_overlay_prompt(const es_app *app, es_grid *grid);
void es_overlay_export(const es_app *app, es_grid *grid);
void es_overlay_planner(const es_app *app, es_grid *grid);
void es_overlay_keys(const es_app *app, es_grid *grid);
void es_overlay_duel(const es_app *app, es_grid *grid);

/* The whole screen. */

/** Header, the current view, run line, footer and what lies over them, for any size. */
void es_screen_draw(const es_app *app, es_grid *grid);

/* The views there are, in the order of their tabs. */

extern const es_view *const es_views[ES_VIEW_COUNT];

#endif
