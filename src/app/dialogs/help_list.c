/* The help overlay: the table of commands, filtered as you type. */
#include <stdio.h>
#include <string.h>

#include "app_state.h"

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool holds(const char *text, const char *word) {
    for (; text != NULL && *text != '\0'; text++) {
        size_t i = 0;
        while (word[i] != '\0' && lower(text[i]) == lower(word[i]))
            i++;
        if (word[i] == '\0')
            return true;
    }
    return false;
}

static bool runs_on(const es_app *app, es_command command, const char *word) {
    char key[16];
    for (size_t i = 0; es_keymap_spelling(&app->keymap, app->view, command, i, key, sizeof key);
         i++)
        if (holds(key, word))
            return true;
    return false;
}

static bool passes(const es_app *app, es_command command) {
    const es_help *help = &app->help;
    char words[ES_APP_LINE], *rest = NULL;
    const es_command_info *info = &es_commands[command];
    (void)snprintf(words, sizeof words, "%s", help->filter.text);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (!holds(info->name, word + (word[0] == ':' && word[1] != '\0')) &&
            !holds(info->help, word) && !runs_on(app, command, word))
            return false;
    return true;
}

static void filter(es_app *app) {
    es_help *help = &app->help;
    help->count = 0;
    for (int group = 0; group < ES_GROUP_COUNT; group++)
        for (int c = 0; c < ES_COMMAND_COUNT; c++)
            if ((int)es_commands[c].group == group && passes(app, (es_command)c) &&
                (help->all || (es_command_in_view((es_command)c, app->view) &&
                               !es_command_is_shadowed((es_command)c, app->view))))
                help->match[help->count++] = (uint8_t)c;
    help->at = 0;
}

void es_help_keys(const es_app *app, es_view_id view, es_command command, char *out,
                  size_t capacity) {
    size_t used = 0;
    char key[16];
    out[0] = '\0';
    for (size_t i = 0;
         es_keymap_spelling(&app->keymap, view, command, i, key, sizeof key) && used < capacity;
         i++) {
        const char *shown = strcmp(key, "Enter") == 0 && !app->ascii ? "↵" : key;
        int wrote = snprintf(out + used, capacity - used, "%s%s", i == 0 ? "" : " ", shown);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    if (out[0] == '\0')
        (void)snprintf(out, capacity, ":%s", es_commands[command].name);
}

void es_help_open(es_app *app, const char *text) {
    app->mode = ES_MODE_HELP;
    app->help.all = false;
    es_line_set(&app->help.filter, text == NULL ? "" : text);
    filter(app);
}

static void run(es_app *app, es_effects *effects) {
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
        es_command_run(app, command, 0, NULL, effects);
}

void es_help_key(es_app *app, uint32_t key, es_effects *effects) {
    es_help *help = &app->help;
    switch (key) {
    case ES_KEY_ESC:
        app->mode = ES_MODE_NORMAL;
        break;
    case ES_KEY_ENTER:
        run(app, effects);
        break;
    case ES_KEY_UP:
    case 'p' - ES_KEY_CTRL:
        help->at -= help->at > 0;
        break;
    case ES_KEY_DOWN:
    case 'n' - ES_KEY_CTRL:
        help->at += help->at + 1 < help->count;
        break;
    case ES_KEY_PAGE_UP:
        help->at -= help->at < 10 ? help->at : 10;
        break;
    case ES_KEY_PAGE_DOWN:
        help->at = help->at + 10 < help->count ? help->at + 10 : help->count - (help->count > 0);
        break;
    case '?':
    case ES_KEY_F1:
        help->all = !help->all;
        filter(app);
        break;
    default:
        if (es_line_key(&help->filter, key))
            filter(app);
    }
}
