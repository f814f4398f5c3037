/* What the worker threads are at. */
#ifndef ES_TUI_THREAD_PANE_H
#define ES_TUI_THREAD_PANE_H

#include "app_state.h"
#include "grid.h"

/** The name of a job's embedder, or that it is being prepared (ES_NONE). */
const char *es_thread_name(const es_app *app, size_t item);
/** The loss curve of a job, the newest `w` points. */
void es_draw_loss(es_grid *grid, int x, int y, int w, const es_activity *a);
/** A pane that lists the threads at work. */
void es_draw_threads(const es_app *app, es_grid *grid, es_rect pane);

#endif
