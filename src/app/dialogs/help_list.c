/* The help overlay: the table of commands, filtered as you type. */
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "help_list.h"

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

void es_help_filter(es_app *app) {
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
    es_help_filter(app);
}
