/* Keys of the help overlay. */
#ifndef ES_APP_HELP_KEYS_H
#define ES_APP_HELP_KEYS_H

#include "app_state.h"

void es_help_key(es_app *app, uint32_t key, es_effects *effects);

#endif
