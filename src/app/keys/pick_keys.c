/* Keys of lists to choose from: a theme is shown while the cursor is on it, the rest when it is
 * chosen. */
#include "app_keys.h"

#include <stdio.h>
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
        es_effect_add(app, effects, ES_FX_MEASURE, 0, false, es_measure_name_at(item));
        break;
    case ES_PICK_OPTIONS: /* es_option_key */
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

void es_pick_key(es_app *app, uint32_t key, es_effects *effects) {
    es_pick *pick = &app->pick;
    if (pick->kind == ES_PICK_OPTIONS && es_option_key(app, key, effects))
        return;
    if (key == ' ' || key == ES_KEY_ENTER)
        choose(app, key == ES_KEY_ENTER, effects);
    else if (key == ES_KEY_ESC && pick->typed.length > 0) {
        es_line_set(&pick->typed, "");
        es_pick_fill(app);
    } else if (key == ES_KEY_ESC || (key == 'q' && pick->typed.length == 0)) {
        app->mode = ES_MODE_NORMAL;
        if (pick->kind == ES_PICK_THEME)
            use_theme(app, pick->before, effects);
        return;
    } else if (!moves(pick, key)) {
        if (!es_line_key(&pick->typed, key))
            return;
        es_pick_typed(app);
    }
    es_pick_moved(app, effects);
}
