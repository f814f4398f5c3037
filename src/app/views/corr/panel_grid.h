/* Corr's small multiples: how many panels a page has, and which matrices there are. */
#ifndef ES_APP_PANEL_GRID_H
#define ES_APP_PANEL_GRID_H

#include "app_state.h"

/** On w x h cells: how many on a page, with as much room for each as can be. */
void es_panels_fit(size_t panels, int w, int h, size_t *across, size_t *down);

/** Fields of measures of two embedders, but for facts, a panel each. */
size_t es_panel_matrices(const es_app *app);
/** Panel number `at` as a place in the list of measures of pairs; ES_NONE: there is none. */
size_t es_panel_matrix(const es_app *app, size_t at);
/** The panel under the cursor, which is the Heatmap's measure. */
size_t es_panel_at(const es_app *app);

#endif
