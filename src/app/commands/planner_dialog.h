/* The run dialog: its keys, and :run. */
#ifndef ES_APP_PLANNER_DIALOG_H
#define ES_APP_PLANNER_DIALOG_H

#include "planner.h"

/** Why it cannot be started now; NULL when it can. */
const char *es_planner_hindrance(const es_app *app, const es_planner_request *request);
void es_planner_key(es_app *app, uint32_t key, es_effects *effects);
void es_planner_paste(es_app *app, const char *text); /* its digits */
/** Returns what Tab offers as word number `word` after ":run"; the first word is `estimator`. */
const char *es_planner_word(const char *estimator, size_t length, size_t word, size_t index);

#endif
