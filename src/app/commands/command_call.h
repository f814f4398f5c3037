/* Commands by their number: why one cannot run, and running it. */
#ifndef ES_APP_COMMAND_CALL_H
#define ES_APP_COMMAND_CALL_H

#include "app_state.h"

/** Why the command cannot run now, a few words; NULL when it can. */
const char *es_command_refusal(const es_app *app, es_command command);
void es_command_call(es_app *app, es_command command, size_t count, const char *argument,
                     es_effects *effects);
/** Runs it, unless `refuse` says why not, which a notice says. */
void es_command_attempt(es_call *call, void (*run)(es_call *call),
                        const char *(*refuse)(const es_app *app));
/** Say of a command of other views where it works. */
void es_command_say_where(es_app *app, es_command command);

#endif
