/* What lies over a view. */
#ifndef ES_TUI_OVERLAYS_H
#define ES_TUI_OVERLAYS_H

#include "app_state.h"
#include "grid.h"

void es_overlay_pick(const es_app *app, es_grid *grid);
void es_overlay_ask(const es_app *app, es_grid *grid);
void es_overlay_note(const es_app *app, es_grid *grid);

void es_overlay_help(const es_app *app, es_grid *grid);    /* overlay_help.c */
void es_overlay_prompt(const es_app *app, es_grid *grid);  /* overlay_prompt.c */
void es_overlay_export(const es_app *app, es_grid *grid);  /* overlay_export.c */
void es_overlay_options(const es_app *app, es_grid *grid); /* overlay_options.c */
void es_overlay_planner(const es_app *app, es_grid *grid); /* overlay_planner.c */
void es_overlay_keys(const es_app *app, es_grid *grid);    /* overlay_keys.c */
void es_overlay_duel(const es_app *app, es_grid *grid);    /* overlay_duel.c */

#endif
