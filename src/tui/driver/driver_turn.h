/* A pool whose folder changes while it is shown: checkpoints of a run in training, say. */
#ifndef ES_TUI_DRIVER_TURN_H
#define ES_TUI_DRIVER_TURN_H

#include "driver_state.h"

/** Begin to watch, where the pool can be opened again. */
void es_driver_watch_folder(es_driver *driver);
/** A descriptor that becomes readable when there is something to do; -1: none. */
int es_driver_folder_fd(const es_driver *driver);
/** Look for a change, and go on with one that is under way. */
void es_driver_step_folder(es_driver *driver);
/** When that has more to do whatever happens; INFINITY: never. */
double es_driver_folder_deadline(const es_driver *driver);
/** es_driver.coming can take the session's place. */
bool es_driver_folder_ready(const es_driver *driver);
void es_driver_folder_close(es_driver *driver);

#endif
