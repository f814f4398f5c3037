/* Running what a command does, if it can. */
#ifndef ES_APP_ATTEMPT_H
#define ES_APP_ATTEMPT_H

#include "handlers.h"

/** Run it, unless `refuse` says why not, which the user is told. */
void es_command_attempt(es_call *call, void (*run)(es_call *call),
                        const char *(*refuse)(const es_app *app));

#endif
