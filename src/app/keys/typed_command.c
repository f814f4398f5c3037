/* A command line: the command by its name or an unambiguous beginning of it, and its argument. */
#include "app_keys.h"

#include <stdio.h>
#include <string.h>

#include "app_commands.h"

/* No command, or too many that begin like this: say which, or what is near. */
static void refuse_name(es_app *app, const char *text, size_t length) {
    char name[64], list[256] = "";
    size_t used = 0, count = 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    es_suggestion near = {.word = name};
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        es_suggestion_offer(&near, es_commands[c].name);
        if (strncmp(es_commands[c].name, name, strlen(name)) != 0)
            continue;
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", count++ == 0 ? "" : ", ",
                             es_commands[c].name);
        used = wrote < 0 || used + (size_t)wrote >= sizeof list ? sizeof list - 1
                                                                : used + (size_t)wrote;
    }
    if (count > 0)
        es_app_notice(app, ES_ENOTFOUND, "%s could be %s", name, list);
    else if (near.best != NULL)
        es_app_notice(app, ES_ENOTFOUND, "%s: no such command; did you mean %s?", name, near.best);
    else
        es_app_notice(app, ES_ENOTFOUND, "%s: no such command; Tab completes", name);
}

void es_prompt_run(es_app *app, const char *line, es_effects *effects) {
    char clean[ES_APP_LINE];
    (void)es_text_clean_into(clean, sizeof clean, line, strlen(line));
    const char *text = clean + strspn(clean, " :");
    size_t length = strcspn(text, " ");
    if (length == 0)
        return;
    if (strcmp(text, "q!") == 0) {
        es_command_call(app, ES_COMMAND_QUIT_NOW, 0, NULL, effects);
        return;
    }
    es_command command = es_command_of_name(text, length);
    if (command == ES_COMMAND_COUNT) {
        refuse_name(app, text, length);
        return;
    }
    const char *argument = text + length + strspn(text + length, " ");
    const char *takes = es_commands[command].argument;
    bool given = argument[0] != '\0';
    if (given && takes == NULL)
        es_app_notice(app, ES_EINVAL, "%s takes no argument", es_commands[command].name);
    else if (!given && takes != NULL && takes[0] != '[')
        es_app_notice(app, ES_EINVAL, "%s: give a %s", es_commands[command].name, takes);
    else if (!es_command_in_view(command, app->view))
        es_command_say_where(app, command);
    else
        es_command_call(app, command, 0, given ? argument : NULL, effects);
}
