/* Going to another view. */
#ifndef ES_APP_GO_H
#define ES_APP_GO_H

#include "app_state.h"

void es_go(es_app *app, es_view_id view);

#endif
