/* The stores of data sets that are not open, which another process may fill. */
#ifndef ES_TUI_DRIVER_SETS_H
#define ES_TUI_DRIVER_SETS_H

#include "driver_state.h"

/** A sheet of all of them is asked for: changes are counted from here. */
void es_driver_saw_sets(es_driver *driver);
/** While such a sheet is shown, looks now and then whether anybody has written there, and tells the
 * app: to be called at driver->sets_look, and after keys. */
void es_driver_watch_sets(es_driver *driver, double now);

#endif
