/* Clicks and the wheel. */
#ifndef ES_APP_MOUSE_H
#define ES_APP_MOUSE_H

#include "app_state.h"

void es_mouse_act(es_app *app, const es_mouse *mouse, es_effects *effects);

#endif
