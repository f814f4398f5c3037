/* A pool of many rows whose choice is left open: a sample of them is shown while one of twice as
 * many rows is estimated beside it, until the ranking has settled. */
#ifndef ES_TUI_DRIVER_GROW_H
#define ES_TUI_DRIVER_GROW_H

#include "driver_state.h"

/** Sets whether the rest of the plan waits for the sample, when a pool is opened. */
void es_driver_grow_begin(es_driver *driver);
/** Look whether a larger sample is needed, and go on with one that is under way. */
void es_driver_step_growth(es_driver *driver);
/** True if the sample is to be judged soon without any event. */
bool es_driver_growth_due(const es_driver *driver);
/** es_driver.coming is a larger sample that can take the session's place. */
bool es_driver_grown_ready(const es_driver *driver);
/** Once it has: what is known of samples goes on with `next`. */
void es_driver_growth_pass(es_driver *driver, es_driver *next);
/** The run was started, paused, or stopped by the user. */
void es_driver_growth_run(es_driver *driver, bool on);
void es_driver_growth_pause(es_driver *driver, bool paused);
void es_driver_growth_close(es_driver *driver);

#endif
