/* Running what a command does, if it can. Preferences and dialogs, which end in a command, name its
 * two functions here, so that they need not know the table, which names theirs. */
#include "attempt.h"

#include "effects.h"

void es_command_attempt(es_call *call, void (*run)(es_call *call),
                        const char *(*refuse)(const es_app *app)) {
    const char *refusal = refuse(call->app);
    if (refusal != NULL)
        es_app_notice(call->app, ES_EINVAL, "%s: %s", es_commands[call->command].name, refusal);
    else
        run(call);
}
