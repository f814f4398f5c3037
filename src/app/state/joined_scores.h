/* Downstream scores under the names of the embedders: the file's own, and rows whose names were
 * accepted. What asks for scores by name asks here (app->scores), and then finds them. */
#ifndef ES_APP_JOINED_SCORES_H
#define ES_APP_JOINED_SCORES_H

#include "app_state.h"

bool es_app_scores_init(es_app *app); /* false: out of memory */
void es_app_scores_free(es_app *app);

/** taken (n): for each item the row that was accepted as its, or SIZE_MAX. True: that is news. */
bool es_app_scores_take(es_app *app, const size_t *taken);

/** NAN: none. */
double es_app_score(const es_app *app, size_t item, size_t column);

#endif
