/* The help overlay: the table of commands, filtered as you type. */
#include <stdio.h>
#include <string.h>

#include "app_dialogs.h"

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* True: the text contains the word; case does not count. */
static bool contains_word(const char *text, const char *word) {
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
        if (contains_word(key, word))
            return true;
    return false;
}

/* True: every word of the filter is in the command's name, help or keys. */
static bool matches_filter(const es_app *app, es_command command) {
    const es_help *help = &app->help;
    char words[ES_APP_LINE], *rest = NULL;
    const es_command_info *info = &es_commands[command];
    (void)snprintf(words, sizeof words, "%s", help->filter.text);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (!contains_word(info->name, word + (word[0] == ':' && word[1] != '\0')) &&
            !contains_word(info->help, word) && !runs_on(app, command, word))
            return false;
    return true;
}

static bool is_listed(const es_app *app, es_command command) {
    return app->help.all ||
           (es_command_in_view(command, app->view) && !es_command_is_shadowed(command, app->view));
}

/* In the list of all views, nothing is put last. */
static bool is_ready(const es_app *app, es_command command) {
    return app->help.all || !app->help.refusal || app->help.refusal(app, command) == NULL;
}

void es_help_filter(es_app *app) {
    es_help *help = &app->help;
    help->count = 0;
    for (int ready = 1; ready >= 0; ready--) {
        for (int group = 0; group < ES_GROUP_COUNT; group++)
            for (int c = 0; c < ES_COMMAND_COUNT; c++)
                if ((int)es_commands[c].group == group && matches_filter(app, (es_command)c) &&
                    is_listed(app, (es_command)c) && is_ready(app, (es_command)c) == (ready == 1))
                    help->match[help->count++] = (uint8_t)c;
        if (ready == 1)
            help->ready = help->count;
    }
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

void es_help_open(es_app *app, const char *text,
                  const char *(*refusal)(const es_app *app, es_command command)) {
    app->mode = ES_MODE_HELP;
    app->help.all = false;
    app->help.refusal = refusal;
    es_line_set(&app->help.filter, text == NULL ? "" : text);
    es_help_filter(app);
}
