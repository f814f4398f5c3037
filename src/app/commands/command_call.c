/* Commands by their number: commands.def read once more, for what each does and what refuses it. */
#include "app_commands.h"

#include <stdio.h>

static const struct {
    void (*run)(es_call *call);
    const char *(*refuse)(const es_app *app);
} deeds[ES_COMMAND_COUNT] = {
#define C(id, name, keys, views, group, footer_keys, footer, help, argument, run, refuse)          \
    [ES_COMMAND_##id] = {run, refuse},
#include "commands.def"
#undef C
};

void es_command_attempt(es_call *call, void (*run)(es_call *call),
                        const char *(*refuse)(const es_app *app)) {
    const char *refusal = refuse(call->app);
    if (refusal != NULL)
        es_app_notice(call->app, ES_EINVAL, "%s: %s", es_commands[call->command].name, refusal);
    else
        run(call);
}

const char *es_command_refusal(const es_app *app, es_command command) {
    return deeds[command].refuse(app);
}

void es_command_call(es_app *app, es_command command, size_t count, const char *argument,
                     es_effects *effects) {
    if (command == ES_COMMAND_START && argument != NULL)
        command = ES_COMMAND_PLAN; /* of another run */
    es_call call = {app, effects, command, count, argument};
    es_command_attempt(&call, deeds[command].run, deeds[command].refuse);
}

void es_command_say_where(es_app *app, es_command command) {
    char where[128];
    size_t used = 0;
    where[0] = '\0';
    for (int v = 0; v < ES_VIEW_COUNT; v++)
        if (es_command_in_view(command, (es_view_id)v) && used < sizeof where)
            used += (size_t)snprintf(where + used, sizeof where - used, "%s%s (%s)",
                                     used > 0 ? ", " : "", es_view_table[v].name,
                                     es_commands[ES_COMMAND_VIEW_OVERVIEW + v].keys);
    es_app_notice(app, ES_EINVAL, "%s: works in %s", es_commands[command].name, where);
}
