/* Where a measure does worst: the list, and its keys. */
#ifndef ES_APP_WORST_LIST_H
#define ES_APP_WORST_LIST_H

#include "app_state.h"

const char *es_worst_refusal(const es_app *app);
double es_worst_score(const es_app *app);     /* the measure's value that the list is about */
const char *es_worst_next(const es_app *app); /* what Tab shows, in a word or two */
void es_worst_key(es_app *app, uint32_t key, es_effects *effects);
void es_worst_update(es_app *app, es_effects *effects); /* after every message */
es_worst_request es_app_worst(const es_app *app);       /* for ES_FX_WORST */

#endif
