/* Keys of lists to choose from: a theme is shown while the cursor is on it, the rest when it is
 * chosen. */
#include "app_keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_commands.h"
#include "app_compare.h"
#include "app_lists.h"

enum { PAGE = 10 };

static void use_theme(es_app *app, const char *name, es_effects *effects) {
    if (strcmp(app->theme, name) == 0)
        return;
    (void)snprintf(app->theme, sizeof app->theme, "%s", name);
    es_effect_add(app, effects, ES_FX_THEME, 0, false, name);
}

static void toggle_column(es_app *app) {
    es_table_id table = es_view_table[app->view].table;
    es_table_settings *set = &app->set.table[table];
    size_t column = app->pick.item[app->pick.at];
    if (column == (table == ES_TABLE_POOL ? (size_t)ES_POOL_NAME : (size_t)ES_RANK_NAME)) {
        es_app_notice(app, ES_EINVAL, "The name stays");
        return;
    }
    es_history_push(app);
    set->hidden[column] = !set->hidden[column];
    if (set->hidden[column] && set->column == column)
        set->column =
            (uint8_t)(table == ES_TABLE_POOL ? (size_t)ES_POOL_NAME : (size_t)ES_RANK_NAME);
}

/* Changes the option under the cursor as :set does, or edits the value being typed. Returns false
 * for a key of the list: one that moves, filters or leaves. */
static bool option_key(es_app *app, uint32_t key, es_effects *effects);

/* Applies the row under the cursor of the open list. */
static void choose(es_app *app, bool close, es_effects *effects) {
    es_pick *pick = &app->pick;
    if (pick->count == 0)
        return;
    size_t item = pick->item[pick->at];
    switch (pick->kind) {
    case ES_PICK_ORDER:
        es_history_push(app);
        app->set.order = (es_order)item;
        close = true;
        break;
    case ES_PICK_HIDDEN:
        es_history_push(app);
        app->hidden[item] = false;
        close = false;
        break;
    case ES_PICK_COLUMNS:
        if (!close)
            toggle_column(app);
        break;
    case ES_PICK_THEME:
        break;
    case ES_PICK_MEASURE:
        es_effect_add(app, effects, ES_FX_MEASURE, 0, false, es_measure_at(item)->name);
        break;
    case ES_PICK_OPTIONS: /* option_key */
        return;
    case ES_PICK_DERIVE:
        es_command_call(app, ES_COMMAND_DERIVE, 0, es_derive_way(item), effects);
        close = true;
        break;
    case ES_PICK_SIDE:
        es_compare_assign(app, item);
        close = true;
        break;
    }
    es_select_refresh(app, true);
    es_pick_fill(app);
    if (close || pick->all == 0)
        app->mode = ES_MODE_NORMAL;
}

/* A list of themes shows them at once. */
void es_pick_moved(es_app *app, es_effects *effects) {
    if (app->pick.kind == ES_PICK_THEME && app->pick.count > 0 && app->mode == ES_MODE_PICK)
        use_theme(app, app->themes.word[app->pick.item[app->pick.at]], effects);
    app->pick.typing = false;
}

/* Letters filter; those that move in every list do so as long as nothing is typed. */
static bool moves(es_pick *pick, uint32_t key) {
    bool letter = key > ' ' && key < ES_KEY_BACKSPACE;
    return (!letter || pick->typed.length == 0) && es_pick_move(&pick->at, pick->count, PAGE, key);
}

void es_pick_close(es_app *app, es_effects *effects) {
    app->mode = ES_MODE_NORMAL;
    if (app->pick.kind == ES_PICK_THEME)
        use_theme(app, app->pick.before, effects);
}

void es_pick_key(es_app *app, uint32_t key, es_effects *effects) {
    es_pick *pick = &app->pick;
    if (pick->kind == ES_PICK_OPTIONS && option_key(app, key, effects))
        return;
    if (key == ' ' || key == ES_KEY_ENTER)
        choose(app, key == ES_KEY_ENTER, effects);
    else if (key == ES_KEY_ESC && pick->typed.length > 0) {
        es_line_set(&pick->typed, "");
        es_pick_fill(app);
    } else if (key == ES_KEY_ESC || (key == 'q' && pick->typed.length == 0)) {
        es_pick_close(app, effects);
        return;
    } else if (!moves(pick, key)) {
        if (!es_line_key(&pick->typed, key))
            return;
        es_pick_typed(app);
    }
    es_pick_moved(app, effects);
}

/* The options page: Left, Right, Space and Enter change a value, and a number or a command is
 * typed. Every change is a line for :set, so both do the same. */

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

static bool option_key(es_app *app, uint32_t key, es_effects *effects) {
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

/* Keys of the help overlay: typing filters, Enter runs the command under the cursor. */

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
