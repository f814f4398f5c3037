/* Keys of lists to choose from. */
#ifndef ES_APP_PICK_KEYS_H
#define ES_APP_PICK_KEYS_H

#include "app_state.h"

void es_pick_key(es_app *app, uint32_t key, es_effects *effects);
void es_pick_moved(es_app *app, es_effects *effects); /* after a change of pick.at */

#endif
