/* Keys of the line at the bottom. */
#ifndef ES_APP_PROMPT_KEYS_H
#define ES_APP_PROMPT_KEYS_H

#include "app_state.h"

void es_prompt_key(es_app *app, uint32_t key, es_effects *effects);
void es_prompt_insert(es_app *app, const char *text);
void es_prompt_take(es_app *app, size_t candidate); /* into the line, as Tab does */

#endif
