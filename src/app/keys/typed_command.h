/* Command lines, typed or from elsewhere. */
#ifndef ES_APP_TYPED_COMMAND_H
#define ES_APP_TYPED_COMMAND_H

#include "app_state.h"

void es_prompt_run(es_app *app, const char *line, es_effects *effects); /* a command line */

#endif
