/* What a comparison is of while values are being refined, and what of it goes together. */
#ifndef ES_APP_COMPARE_MASK_H
#define ES_APP_COMPARE_MASK_H

#include "app_state.h"

/** What is compared: while values are refined those of the best estimator that is through with all
 * pairs, as `embedscope compare` has them. Where none is, what other views show: the best known
 * values, masked. NULL: nothing is known. */
const es_results *es_compare_results(const es_app *app);
size_t es_compare_entry(const es_app *app); /* of the plan; ES_NONE */
/** Values of several estimators, of which some wait for the one that refines them. */
bool es_compare_mixed(const es_app *app);
/** The estimator, where other views show the best known values; else "". */
const char *es_compare_by(const es_app *app);
es_pair_state es_compare_pair_state(const es_app *app, size_t source, size_t target);

/** Takes out, into state.is and .pmi, what is not to be set against each other while values are
 * being refined; model: positions in the results. */
es_status es_compare_mask(es_app *app, const size_t *model, size_t count);
void es_compare_unmask(es_compare_state *state);
/** Is the pair known as a preview alone, while others of the comparison are refined? */
bool es_compare_waits(const es_app *app, size_t source, size_t target);
/** Targets of which one of the compared waits so. */
size_t es_compare_waiting(const es_app *app);
const char *es_compare_awaited(const es_app *app); /* the estimator that they wait for */

#endif
