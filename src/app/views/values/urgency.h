/* Which pairs the user waits for. */
#ifndef ES_APP_URGENCY_H
#define ES_APP_URGENCY_H

#include "app_state.h"

void es_urgency_update(es_app *app, es_effects *effects);
/** For ES_FX_PRIORITISE: how urgent each model is as a source, by position in the results; as
 *  es_session_prioritise takes it. */
const uint8_t *es_app_urgency(const es_app *app);

#endif
