/* The best known value of every pair, previews among them. */
#ifndef ES_APP_REFINE_H
#define ES_APP_REFINE_H

#include "app_state.h"

/** Best known values of the plan; NULL when one entry alone is to be shown. */
const es_results *es_refine_merge(es_app *app);
void es_refine_free(es_app *app);
/** Plan entry that the value of a cell is of. */
size_t es_refine_entry(const es_app *app, size_t source, size_t target);
/** The value of a cell is of an earlier estimator than the one that is to come. */
bool es_refine_preview(const es_app *app, size_t source, size_t target);
/** Returns the estimator of the previews if there is a single one; "" otherwise. */
const char *es_refine_whose(const es_app *app);

/** The first plan entry of information sufficiency: what the ranking alone stands on is no preview.
 */
size_t es_refine_first(const es_app *app);

#endif
