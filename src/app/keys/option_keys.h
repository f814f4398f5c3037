/* Keys that change the option under the cursor of the options page. */
#ifndef ES_APP_OPTION_KEYS_H
#define ES_APP_OPTION_KEYS_H

#include "app_state.h"

/** Changes the option under the cursor as :set does, or edits the value being typed. Returns false
 *  for a key of the list: one that moves, filters or leaves. */
bool es_option_key(es_app *app, uint32_t key, es_effects *effects);

#endif
