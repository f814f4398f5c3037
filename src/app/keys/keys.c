/* Keys to commands. */
#include <string.h>

#include "app_commands.h"
#include "app_keys.h"

/* A digit goes to its view at once. It is part of a count after # and while a range is marked
 * ("v7jv"). */
static bool take_digit(es_app *app, uint32_t key) {
    if (key < '0' || key > '9' || !(app->counting || app->range != ES_NONE))
        return false;
    app->count = app->count < 1000 ? app->count * 10 + (key - '0') : app->count;
    return true;
}

static size_t take_count(es_app *app, es_command command) {
    size_t count = app->count;
    app->count = 0;
    app->counting = false;
    return es_command_moves(command) ? count : 0;
}

/* After a key that does something, rows keep their places for a while. */
void es_keys_hold(es_app *app) {
    if (app->now >= app->hold_until && !app->frozen)
        for (size_t i = 0; i < app->n; i++)
            app->held_place[i] = app->live[i].place;
    app->hold_until = app->now + ES_APP_HOLD;
}

/* A key that is a command and also begins a sequence runs at once; when the rest of the sequence
 * follows quickly, that is taken back. So g shows the graph without waiting, and gg still goes to
 * the top. */
static bool take_back(es_app *app, es_command sequence) {
    bool quick = app->now - app->prefix_at < ES_APP_COUNT;
    if (app->prefix_ran && (!quick || sequence == ES_COMMAND_COUNT))
        return false; /* the first key is over: this one stands alone */
    if (app->prefix_ran && app->prefix_changed)
        es_history_cancel(app);
    return true;
}

static void normal_key(es_app *app, uint32_t key, es_effects *effects) {
    uint32_t keys[ES_COMMAND_KEYS] = {app->prefix, key};
    bool longer, began = app->prefix != 0;
    if (!began && take_digit(app, key)) {
        es_keys_hold(app);
        return;
    }
    const char *argument;
    es_command command = es_keymap_find(&app->keymap, app->view, began ? keys : keys + 1,
                                        began ? 2 : 1, &longer, &argument);
    bool alone = app->prefix_ran && !take_back(app, command);
    app->prefix = 0;
    app->prefix_ran = false;
    if (alone) {
        normal_key(app, key, effects);
        return;
    }
    if (longer && !began) {
        app->prefix = key;
        app->prefix_at = app->now;
        app->prefix_ran = command != ES_COMMAND_COUNT;
        if (!app->prefix_ran)
            return;
    }
    if (command == ES_COMMAND_COUNT) {
        (void)take_count(app, command);
        if (!began && key > ' ' && key < ES_KEY_UP)
            es_app_notice(app, ES_OK, "This key has no function here; ? lists the keys");
        return;
    }
    es_keys_hold(app);
    size_t count = take_count(app, command);
    uint64_t changes = app->changes;
    es_command_call(app, command, count, argument, effects);
    app->counting = command == ES_COMMAND_COUNTED;
    app->prefix_changed = app->changes != changes;
}

static void ask_key(es_app *app, uint32_t key, es_effects *effects) {
    bool yes = key == 'y' || key == 'Y';
    if (!yes && key != 'n' && key != 'N' && key != ES_KEY_ESC && key != 'q')
        return; /* no other key decides */
    app->mode = ES_MODE_NORMAL;
    if (app->ask == ES_ASK_FOLDERS) {
        app->set.same_rows = app->set.same_rows || yes;
        if (key == 'n' || key == 'N') {
            es_effect_add(app, effects, ES_FX_FOLDERS, 0, false, NULL);
        } else if (!yes) { /* Esc decides nothing, so nothing begins by itself */
            app->may_start = false;
            es_app_notice(app, ES_OK, "Left open: r estimates all folders as one pool");
        }
        return;
    }
    if (!yes)
        return;
    if (app->ask == ES_ASK_QUIT)
        es_effect_add(app, effects, ES_FX_QUIT, app->quit_code, false, NULL);
    else if (app->ask == ES_ASK_OVERWRITE)
        es_export_write(app, true, effects);
    else if (app->ask == ES_ASK_NAMES)
        es_command_call(app, ES_COMMAND_ACCEPT_ALL, 0, NULL, effects);
    else if (app->ask == ES_ASK_FAMILY)
        es_effect_add(app, effects, ES_FX_FAMILY, 0, false, app->family);
    else {
        app->may_start = false; /* nor when files come */
        es_effect_add(app, effects, ES_FX_CANCEL, 0, false, NULL);
    }
}

enum { PAGE = 10 }; /* lines of a note */

/* Handles a key while a note is open: scrolls or closes it. */
static void note_key(es_app *app, uint32_t key) {
    size_t lines = 1;
    for (const char *c = app->note.text; *c != '\0'; c++)
        lines += *c == '\n';
    if (key == ES_KEY_ENTER || key == ES_KEY_ESC || key == ES_KEY_BACKSPACE || key == 'q')
        app->mode = ES_MODE_NORMAL;
    else
        (void)es_pick_move(&app->note.scroll, lines, PAGE, key);
}

void es_app_settle(es_app *app) {
    app->count = 0;
    app->counting = false;
    app->prefix = 0;
    app->prefix_ran = false;
}

void es_keys_press(es_app *app, uint32_t key, es_effects *effects) {
    if (key == '\n')
        key = ES_KEY_ENTER;
    if (key == 8)
        key = ES_KEY_BACKSPACE;
    if (key == 'z' - ES_KEY_CTRL && app->mode != ES_MODE_NORMAL) { /* what is open stays so */
        es_command_call(app, ES_COMMAND_SUSPEND, 0, NULL, effects);
        return;
    }
    if (key == ES_KEY_F10 && app->mode != ES_MODE_NORMAL && app->mode != ES_MODE_ASK) {
        es_keys_press(app, ES_KEY_ESC, effects); /* closes what is open, then quits */
        app->mode = ES_MODE_NORMAL;
    }
    switch (app->mode) {
    case ES_MODE_PROMPT:
        es_prompt_key(app, key, effects);
        break;
    case ES_MODE_HELP:
        es_help_key(app, key, effects);
        break;
    case ES_MODE_PICK:
        es_pick_key(app, key, effects);
        break;
    case ES_MODE_ASK:
        ask_key(app, key, effects);
        break;
    case ES_MODE_NOTE:
        note_key(app, key);
        break;
    case ES_MODE_EXPORT:
        es_export_key(app, key, effects);
        break;
    case ES_MODE_PLANNER:
        es_planner_key(app, key, effects);
        break;
    case ES_MODE_DUEL:
        es_duel_key(app, key, effects);
        break;
    case ES_MODE_NORMAL:
        normal_key(app, key, effects);
        break;
    }
}

/* Pasted text goes into a line that is open, and never runs keys. */
void es_keys_paste(es_app *app, const char *text) {
    if (app->mode == ES_MODE_PROMPT)
        es_prompt_insert(app, text);
    else if (app->mode == ES_MODE_EXPORT)
        es_export_paste(app, text);
    else if (app->mode == ES_MODE_PLANNER)
        es_planner_paste(app, text);
    else if (app->mode == ES_MODE_PICK && app->pick.typing)
        es_line_insert(&app->pick.value, text, strcspn(text, "\r\n"));
    else
        es_app_notice(app, ES_OK, "No line to paste into: open / f or : first");
}
