/* What of a comparison goes together while values are being refined. */
#ifndef ES_APP_COMPARE_MASK_H
#define ES_APP_COMPARE_MASK_H

#include "app_state.h"

/** Takes out, into state.is and .pmi, what is not to be set against each other while values are
 * being refined; model: positions in the results. */
es_status es_compare_mask(es_app *app, const size_t *model, size_t count);
void es_compare_unmask(es_compare_state *state);
/** Is the pair known as a preview alone, while others of the comparison are refined? */
bool es_compare_waits(const es_app *app, size_t source, size_t target);

#endif
