/* Keys of the help overlay: typing filters, Enter runs the command under the cursor. */
#include "app_keys.h"

#include <stdio.h>

#include "app_commands.h"

/* Runs the selected command, or opens the prompt if it needs an argument. */
static void run_selected(es_app *app, es_effects *effects) {
    es_help *help = &app->help;
    if (help->at >= help->count)
        return;
    es_command command = (es_command)help->match[help->at];
    const char *takes = es_commands[command].argument;
    app->mode = ES_MODE_NORMAL;
    if (!es_command_in_view(command, app->view))
        es_command_say_where(app, command);
    else if (takes != NULL && takes[0] != '[') {
        char line[64];
        (void)snprintf(line, sizeof line, "%s ", es_commands[command].name);
        es_prompt_open(app, ES_PROMPT_COMMAND);
        es_line_set(&app->prompt.line, line);
    } else
        es_command_call(app, command, 0, NULL, effects);
}

void es_help_key(es_app *app, uint32_t key, es_effects *effects) {
    es_help *help = &app->help;
    switch (key) {
    case ES_KEY_ESC:
        app->mode = ES_MODE_NORMAL;
        break;
    case ES_KEY_ENTER:
        run_selected(app, effects);
        break;
    case ES_KEY_UP:
    case ES_KEY_DOWN:
    case 'p' - ES_KEY_CTRL:
    case 'n' - ES_KEY_CTRL:
    case ES_KEY_PAGE_UP:
    case ES_KEY_PAGE_DOWN: /* letters and the line's own keys filter */
        (void)es_pick_move(&help->at, help->count, 10, key);
        break;
    case '?':
    case ES_KEY_F1:
        help->all = !help->all;
        es_help_filter(app);
        break;
    default:
        if (es_line_key(&help->filter, key))
            es_help_filter(app);
    }
}
