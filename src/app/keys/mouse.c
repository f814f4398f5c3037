/* Clicks and the wheel. What a place means was noted while it was drawn (es_click), so nothing here
 * knows where anything is. */
#include <string.h>

#include "app_lists.h"
#include "app_commands.h"
#include "app_keys.h"

enum { WHEEL_LINES = 3 };
#define DOUBLE_CLICK 0.4 /* seconds */

static bool here(const es_mouse *mouse, es_click means) {
    return mouse->at[means] != ES_NONE;
}

/* ---- Overlays ---- */

/* A line of an open list: the first click goes there, the second takes it. */
static void click_line(es_app *app, size_t *at, size_t count, size_t line, es_effects *effects) {
    if (line >= count)
        return;
    if (*at == line) {
        es_keys_press(app, ES_KEY_ENTER, effects);
        return;
    }
    *at = line;
    if (app->mode == ES_MODE_PICK)
        es_pick_moved(app, effects);
}

static void click_overlay(es_app *app, const es_mouse *mouse, es_effects *effects) {
    size_t line = mouse->at[ES_CLICK_LINE];
    if (here(mouse, ES_CLICK_KEY))
        es_keys_press(app, (uint32_t)mouse->at[ES_CLICK_KEY], effects);
    else if (app->mode == ES_MODE_ASK)
        return; /* a question wants an answer */
    else if (!here(mouse, ES_CLICK_COVER))
        es_keys_press(app, ES_KEY_ESC, effects);
    else if (app->mode == ES_MODE_PICK)
        click_line(app, &app->pick.at, app->pick.count, line, effects);
    else if (app->mode == ES_MODE_HELP)
        click_line(app, &app->help.at, app->help.count, line, effects);
    else if (app->mode == ES_MODE_PROMPT && line != ES_NONE)
        es_prompt_take(app, line);
}

/* ---- Views ---- */

static void focus_pane(es_app *app, size_t pane) {
    if (pane < ES_PANE_COUNT && es_pane_focusable(app->view, (es_pane)pane)) {
        app->focus[app->view] = (es_pane)pane;
        es_select_scroll(app);
    }
}

/* The cursor to what was clicked; true when there was something. */
static bool select_place(es_app *app, const es_mouse *mouse, es_effects *effects) {
    size_t item = mouse->at[ES_CLICK_ITEM], column = mouse->at[ES_CLICK_COLUMN];
    es_list_id list = es_view_table[app->view].list;
    es_table_id table = es_view_table[app->view].table;
    if (item != ES_NONE && item == app->cursor && here(mouse, ES_CLICK_OTHER) &&
        mouse->at[ES_CLICK_TARGET] == app->column)
        item = mouse->at[ES_CLICK_OTHER]; /* again on the same cell: its lower half */
    if (column != ES_NONE && table != ES_TABLE_COUNT && column < es_columns_count(app, table) &&
        !app->set.table[table].hidden[column])
        app->set.table[table].column = (uint8_t)column;
    if (here(mouse, ES_CLICK_LINE))
        es_command_call(app, ES_COMMAND_TOP, mouse->at[ES_CLICK_LINE] + 1, NULL, effects);
    if (item >= app->n || (list != ES_LIST_COUNT && es_select_index(app, list, item) == ES_NONE))
        return here(mouse, ES_CLICK_LINE);
    if (mouse->at[ES_CLICK_TARGET] < app->n)
        app->column = mouse->at[ES_CLICK_TARGET];
    es_select_cursor(app, item);
    return true;
}

static bool is_double(const es_app *app, const es_mouse *mouse) {
    return app->now - app->clicked_at < DOUBLE_CLICK &&
           memcmp(app->clicked.at, mouse->at, sizeof mouse->at) == 0;
}

static void click_view(es_app *app, const es_mouse *mouse, es_effects *effects) {
    bool again = is_double(app, mouse), found = false;
    es_table_id table = es_view_table[app->view].table;
    es_keys_hold(app);
    app->count = 0;
    app->prefix = 0;
    if (mouse->at[ES_CLICK_COMMAND] < ES_COMMAND_COUNT) {
        es_command_call(app, (es_command)mouse->at[ES_CLICK_COMMAND], 0, NULL, effects);
        return;
    }
    focus_pane(app, mouse->at[ES_CLICK_PANE]);
    found = select_place(app, mouse, effects);
    if (!found && here(mouse, ES_CLICK_COLUMN) && table != ES_TABLE_COUNT)
        es_command_call(app, ES_COMMAND_SORT, 0, NULL, effects);
    if (again && found && !here(mouse, ES_CLICK_OTHER))
        es_keys_press(app, ES_KEY_ENTER, effects);
    app->clicked = *mouse;
    app->clicked_at = again ? -1e9 : app->now; /* three are not two doubles */
}

/* The wheel moves in the pane under the pointer; the focus stays where it is. */
static void turn_view(es_app *app, const es_mouse *mouse, bool up, es_effects *effects) {
    size_t pane = mouse->at[ES_CLICK_PANE], lines = es_view_shown(app)->wheel;
    es_pane focus = app->focus[app->view];
    bool other = pane < ES_PANE_COUNT && es_pane_focusable(app->view, (es_pane)pane);
    es_keys_hold(app);
    if (other)
        app->focus[app->view] = (es_pane)pane;
    es_command_call(app, up ? ES_COMMAND_UP : ES_COMMAND_DOWN, lines > 0 ? lines : WHEEL_LINES,
                    NULL, effects);
    app->focus[app->view] = focus;
}

void es_mouse_act(es_app *app, const es_mouse *mouse, es_effects *effects) {
    bool up = mouse->kind == ES_MOUSE_WHEEL_UP;
    if (mouse->kind == ES_MOUSE_CLICK) {
        if (app->mode == ES_MODE_NORMAL)
            click_view(app, mouse, effects);
        else
            click_overlay(app, mouse, effects);
        if (!app->mouse_said && app->toast_until <= 0)
            es_app_notice(app, ES_OK,
                          "Shift selects text; :mouse off leaves the mouse to the terminal");
        app->mouse_said = true;
    } else if (app->mode == ES_MODE_NORMAL)
        turn_view(app, mouse, up, effects);
    else if (app->mode != ES_MODE_ASK && app->mode != ES_MODE_PROMPT)
        es_keys_press(app, up ? ES_KEY_UP : ES_KEY_DOWN, effects);
}
