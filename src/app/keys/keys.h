/* Keys to commands. */
#ifndef ES_APP_KEYS_H
#define ES_APP_KEYS_H

#include "app_state.h"

void es_keys_hold(es_app *app); /* rows keep their places for a while */
void es_keys_press(es_app *app, uint32_t key, es_effects *effects);
void es_keys_paste(es_app *app, const char *text, es_effects *effects);
/** The keys so far are complete: what comes next does not make a count or a sequence with them. */
void es_app_settle(es_app *app);

#endif
