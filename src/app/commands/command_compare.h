/* Motions in Compare. */
#ifndef ES_APP_COMMAND_COMPARE_H
#define ES_APP_COMMAND_COMPARE_H

#include "app_state.h"

void es_compare_move(es_call *call);

#endif
