/* What the rest of a run costs, before it is begun; and how far each of its passes is: a pass is an
 * entry of the plan. */
#ifndef ES_APP_RUN_COST_H
#define ES_APP_RUN_COST_H

#include "app_state.h"

#define ES_RUN_SMALL 60.0 /* seconds that need not be asked for */

/** Seconds that the missing pairs of the plan take, all threads together, by the cost of each
 * (core_estimators.h) and the pace of those that are known, else of this machine; 0: nothing is
 * missing. NAN: it cannot be told, or is being measured. */
double es_run_seconds(const es_app *app);
/** Returns how many entries of the plan, from the first, together take less than limit seconds, and
 * writes what these take. Where samples grow: the first entry of several, or none. */
size_t es_run_passes_within(const es_app *app, double limit, double *seconds);
/** Writes "about 20 s", "about 12 min"; "" for a time that is not finite. */
void es_seconds_about(double seconds, char *out, size_t capacity);
/** es_seconds_about of es_run_seconds, with what it is of where samples grow. */
void es_run_seconds_text(const es_app *app, char *out, size_t capacity);

/** Returns the share of the pass under way that has ended, 0 to 1. */
double es_run_share(const es_app *app);
/** Returns the name of a pass: "ranking", "matrix" or "refining"; "" where there is one alone. */
const char *es_run_pass(const es_app *app, size_t pass);
/** Writes "ranking done, matrix 12 of 841 pairs"; passes to come are left out. */
void es_run_passes_text(const es_app *app, char *out, size_t capacity);

#endif
