/* What the rest of a run costs, before it is begun. */
#ifndef ES_APP_RUN_COST_H
#define ES_APP_RUN_COST_H

#include "app_state.h"

#define ES_RUN_SMALL 60.0 /* seconds that need not be asked for */

/** Seconds that the missing pairs of the plan take, all threads together, by the cost of each
 * (cost.h) and the pace of those that are known, else of this machine; 0: nothing is missing. NAN:
 * it cannot be told, or is being measured. */
double es_run_seconds(const es_app *app);
/** "about 20 s", "about 12 min"; empty: it cannot be told. */
void es_run_seconds_text(const es_app *app, char *out, size_t capacity);

#endif
