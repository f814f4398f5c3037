/* The live ranking. */
#ifndef ES_APP_LIVE_RANKING_H
#define ES_APP_LIVE_RANKING_H

#include "app_state.h"

void es_live_ranking_update(es_app *app);
void es_live_ranking_baseline(es_app *app, bool restart);

#endif
