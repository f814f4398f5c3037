/* The table of commands as data, and looking a command up by its keys or its name. What a command
 * does is above (app_commands.h). */
#include "app_bindings.h"

#include <stdio.h>
#include <string.h>

const es_command_info es_commands[ES_COMMAND_COUNT] = {
#define C(id, name, keys, views, group, footer_keys, footer, help, argument, ...)                  \
    [ES_COMMAND_##id] = {name, keys, views, ES_GROUP_##group, footer_keys, footer, help, argument},
#include "commands.def"
#undef C
};

const char *es_command_group_name(es_command_group group) {
    static const char *const name[ES_GROUP_COUNT] = {
        [ES_GROUP_VIEW] = "This view",
        [ES_GROUP_RUN] = "The run",
        [ES_GROUP_MARK] = "Marks",
        [ES_GROUP_FIND] = "Find",
        [ES_GROUP_MOVE] = "Move",
        [ES_GROUP_GO] = "Go to",
        [ES_GROUP_COPY] = "Copy and export",
        [ES_GROUP_MORE] = "More",
    };
    return name[group];
}

bool es_command_is_own(es_command command) {
    return es_commands[command].views[0] != '*';
}

bool es_command_in_view(es_command command, es_view_id view) {
    return !es_command_is_own(command) ||
           strchr(es_commands[command].views, es_view_table[view].letter) != NULL;
}

bool es_command_spelling(es_command command, size_t number, char *out, size_t capacity) {
    const char *at = es_commands[command].keys;
    for (;; number--) {
        size_t length = strcspn(at, " ");
        if (length == 0)
            return false;
        if (number == 0) {
            (void)snprintf(out, capacity, "%.*s", (int)length, at);
            return true;
        }
        at += length + (at[length] == ' ');
    }
}

size_t es_command_parse(const char *spelling, uint32_t keys[ES_COMMAND_KEYS]) {
    static const struct {
        const char *name;
        uint32_t key;
    } named[] = {
        {"Up", ES_KEY_UP},        {"Down", ES_KEY_DOWN},
        {"Left", ES_KEY_LEFT},    {"Right", ES_KEY_RIGHT},
        {"Home", ES_KEY_HOME},    {"End", ES_KEY_END},
        {"PgUp", ES_KEY_PAGE_UP}, {"PgDn", ES_KEY_PAGE_DOWN},
        {"Enter", ES_KEY_ENTER},  {"Esc", ES_KEY_ESC},
        {"Tab", ES_KEY_TAB},      {"S-Tab", ES_KEY_BACKTAB},
        {"Space", ' '},           {"F1", ES_KEY_F1},
        {"F10", ES_KEY_F10},      {"Backspace", ES_KEY_BACKSPACE},
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(spelling, named[i].name) == 0) {
            keys[0] = named[i].key;
            return 1;
        }
    if (spelling[0] == '^' && spelling[1] >= 'a' && spelling[1] <= 'z' && spelling[2] == '\0') {
        keys[0] = (uint32_t)(spelling[1] - ES_KEY_CTRL);
        return 1;
    }
    size_t count = 0, length = strlen(spelling);
    for (size_t at = 0; at < length; count++) {
        if (count == ES_COMMAND_KEYS)
            return 0;
        at += es_utf8_decode(spelling + at, length - at, &keys[count]);
    }
    return count;
}

es_command es_command_of_keys(es_view_id view, const uint32_t *keys, size_t count, bool *longer) {
    es_command found = ES_COMMAND_COUNT;
    *longer = false;
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        char spelling[16];
        if (!es_command_in_view((es_command)c, view))
            continue;
        for (size_t s = 0; es_command_spelling((es_command)c, s, spelling, sizeof spelling); s++) {
            uint32_t own[ES_COMMAND_KEYS];
            size_t length = es_command_parse(spelling, own);
            if (length < count || memcmp(own, keys, count * sizeof *keys) != 0)
                continue;
            if (length > count)
                *longer = true;
            else if (found == ES_COMMAND_COUNT)
                found = (es_command)c;
        }
    }
    return found;
}

bool es_command_is_shadowed(es_command command, es_view_id view) {
    char spelling[16];
    uint32_t keys[ES_COMMAND_KEYS];
    bool longer;
    if (es_command_is_own(command) || !es_command_spelling(command, 0, spelling, sizeof spelling))
        return false;
    size_t count = es_command_parse(spelling, keys);
    return es_command_of_keys(view, keys, count, &longer) != command;
}

es_command es_command_of_name(const char *name, size_t length) {
    es_command found = ES_COMMAND_COUNT;
    size_t matches = 0;
    if (length == 0)
        return ES_COMMAND_COUNT;
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        const char *own = es_commands[c].name;
        if (strncmp(own, name, length) != 0)
            continue;
        if (own[length] == '\0')
            return (es_command)c;
        /* "q" means quit although "quit!" begins like it, too. */
        if (matches == 0 ||
            strncmp(own, es_commands[found].name, strlen(es_commands[found].name)) != 0) {
            found = (es_command)c;
            matches++;
        }
    }
    return matches == 1 ? found : ES_COMMAND_COUNT;
}

bool es_command_moves(es_command command) {
    return command != ES_COMMAND_COUNT && es_commands[command].group == ES_GROUP_MOVE;
}
