/* The options page: Left, Right, Space and Enter change a value, and a number or a command is
 * typed. Every change is a line for :set, so both do the same. */
#include "app_keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_commands.h"

enum { VALUE = ES_APP_LINE };
#define FINE 0.1 /* step of a number that is no count */

static void set_option(es_app *app, size_t option, const char *value, bool save,
                       es_effects *effects) {
    char line[ES_APP_LINE + 32];
    (void)snprintf(line, sizeof line, "%s = %s%s", es_setting_name(option), value,
                   save ? " --save" : "");
    es_command_call(app, ES_COMMAND_SET, 0, line, effects);
}

/* The number one step on: a count by 1, others by a tenth. */
static void number_after(size_t option, const char *now, int by, char out[VALUE]) {
    double number = strtod(now, NULL);
    bool counts = strcmp(es_setting_name(option), "threads") == 0;
    number = counts ? number + by : round((number + by * FINE) / FINE) * FINE;
    double least = counts ? 1 : FINE;
    (void)snprintf(out, VALUE, "%.3g", number < least ? least : number);
}

/* Sets the choice before or after the present one, round. False: the value is typed. */
static bool step(es_app *app, size_t option, int by, es_effects *effects) {
    const char *name = es_setting_name(option);
    char now[VALUE], after[VALUE];
    size_t count = 0, at = 0;
    es_setting_now(app, option, now, sizeof now);
    for (const char *value; (value = es_setting_value(app, name, count)) != NULL; count++)
        if (strcmp(value, now) == 0)
            at = count;
    if (count > 0)
        (void)snprintf(after, sizeof after, "%s",
                       es_setting_value(app, name, (by < 0 ? at + count - 1 : at + 1) % count));
    else if (es_setting_is_number(option))
        number_after(option, now, by, after);
    else
        return false;
    set_option(app, option, after, false, effects);
    return true;
}

static void begin_typing(es_app *app, const char *text) {
    app->pick.typing = true;
    es_line_set(&app->pick.value, text);
}

static void typing_key(es_app *app, uint32_t key, size_t option, es_effects *effects) {
    es_pick *pick = &app->pick;
    if (key == ES_KEY_ENTER && pick->value.length > 0)
        set_option(app, option, pick->value.text, false, effects);
    if (key == ES_KEY_ENTER || key == ES_KEY_ESC)
        pick->typing = false;
    else
        (void)es_line_key(&pick->value, key);
}

bool es_option_key(es_app *app, uint32_t key, es_effects *effects) {
    es_pick *pick = &app->pick;
    char now[VALUE];
    if (pick->count == 0)
        return false;
    size_t option = pick->item[pick->at];
    bool enter = key == ES_KEY_ENTER || key == ' ',
         digit = key >= '0' && key <= '9' && pick->typed.length == 0;
    es_setting_now(app, option, now, sizeof now);
    if (pick->typing)
        typing_key(app, key, option, effects);
    else if (es_setting_is_number(option) && (digit || enter))
        begin_typing(app, digit ? (const char[]){(char)key, '\0'} : now);
    else if (key == 's' - ES_KEY_CTRL)
        set_option(app, option, now, true, effects);
    else if (enter || key == ES_KEY_RIGHT || key == ES_KEY_LEFT) {
        if (!step(app, option, key == ES_KEY_LEFT ? -1 : 1, effects))
            begin_typing(app, now);
    } else
        return false;
    return true;
}
