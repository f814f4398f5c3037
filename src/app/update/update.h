/* The one function that changes the state, and what every change is followed by. */
#ifndef ES_APP_UPDATE_H
#define ES_APP_UPDATE_H

#include "app_state.h"

/** Bring up to date what depends on the rest. `idle`: more than a key may cost is allowed. */
void es_app_follow(es_app *app, bool idle, es_effects *effects);

/** Apply one message; effects are appended. Never blocks, never computes for more than 5 ms. */
void es_app_update(es_app *app, const es_msg *msg, es_effects *effects);

#endif
