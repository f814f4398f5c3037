/* The driver's measures, intervals and communities. */
#ifndef ES_TUI_DRIVER_MEASURE_H
#define ES_TUI_DRIVER_MEASURE_H

#include "driver_state.h"

/** Have a measure shown. What it needs of the pool's files is read in the background first; true:
 *  they are. */
bool es_driver_measure(es_driver *driver, const char *name, es_driver_how how);
/** Once a session is checked: has the measures shown whose values its store has. */
void es_driver_load_stored(es_driver *driver);
/** While a view shows measures and others have written to the store, looks there in the background
 *  for more: to be called at es_driver_measures_due. */
void es_driver_watch_measures(es_driver *driver, double now);
/** INFINITY: not before others write. */
double es_driver_measures_due(const es_driver *driver);
/** Has what that found shown. */
void es_driver_take_stored(es_driver *driver);
/** Files may have been read: go on with the measure that waits for them, and with the next ones. */
void es_driver_prepared(es_driver *driver);
/** Have the intervals of the ranking computed; `tag` comes back with them. */
void es_driver_intervals(es_driver *driver, uint64_t tag);
/** Has what Corr shows correlated. */
void es_driver_correlate(es_driver *driver, const es_effect *effect);
void es_driver_width(es_driver *driver, uint64_t tag);
/** Have communities or the dendrogram found; the effect's tag comes back with them. */
void es_driver_structure(es_driver *driver, const es_effect *effect);

#endif
