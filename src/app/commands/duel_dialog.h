/* The keys of the dialog that asks about rows. */
#ifndef ES_APP_DUEL_DIALOG_H
#define ES_APP_DUEL_DIALOG_H

#include "duels.h"

void es_duel_key(es_app *app, uint32_t key, es_effects *effects);

#endif
