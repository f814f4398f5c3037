/* The data sets that are not open: estimated in the background, here or by another process. */
#ifndef ES_TUI_DRIVER_SETS_H
#define ES_TUI_DRIVER_SETS_H

#include "driver_state.h"

/** Has a data set estimated (app->sets->at_work). */
void es_driver_estimate_set(es_driver *driver, size_t set);
/** Takes in how far that is; true when it is over. */
bool es_driver_read_set(es_driver *driver);
/** The document on all of them is asked for: changes are counted from here. */
void es_driver_saw_sets(es_driver *driver);
/** While they are shown, looks now and then whether anybody has written there, and tells the app:
 * to be called at driver->sets_look, and after keys. */
void es_driver_watch_sets(es_driver *driver, double now);

#endif
