/* The line at the bottom, when it opens and what it remembers. */
#ifndef ES_APP_PROMPT_H
#define ES_APP_PROMPT_H

#include "app_state.h"

void es_prompt_open(es_app *app, es_prompt_kind kind);
/** The command line, with its first words. */
void es_prompt_open_with(es_app *app, const char *begin);
void es_prompt_free(es_app *app);
void es_prompt_remember(es_history *history, const char *text);

#endif
