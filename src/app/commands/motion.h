/* Where a vertical motion leads. */
#ifndef ES_APP_MOTION_H
#define ES_APP_MOTION_H

#include "app_state.h"

/** The new place of something at `at` of count after a vertical motion. */
size_t es_moved(const es_call *call, size_t at, size_t count, size_t page);
/** Inside the frame of a pane of the view shown. */
es_rect es_pane_inside(const es_app *app, es_pane pane);

#endif
