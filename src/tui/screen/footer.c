/* The footer: the keys of what can be done here and now, in the order of the table of commands. */
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "tui_screen.h"

static const char *shown_key(const char *spelling, bool ascii) {
    if (strcmp(spelling, "Enter") == 0)
        return ascii ? "Enter" : "↵";
    return spelling;
}

static const char *footer_label(const es_app *app, es_command command) {
    bool goes_on = command == ES_COMMAND_PAUSE && app->phase == ES_PHASE_PAUSED;
    bool at_points = command == ES_COMMAND_PANE_NEXT && app->focus[app->view] == ES_PANE_SIDE;
    return goes_on ? "resume" : at_points ? "tasks" : es_commands[command].footer;
}

/* Width of an entry "key label"; drawn when grid is not NULL. */
static int footer_entry(const es_app *app, es_grid *grid, int x, int y, es_command command) {
    const es_command_info *info = &es_commands[command];
    char key[32];
    if (info->footer_keys != NULL && !es_keymap_changed(&app->keymap, app->view, command))
        (void)snprintf(key, sizeof key, "%s", info->footer_keys);
    else if (!es_keymap_spelling(&app->keymap, app->view, command, 0, key, sizeof key))
        (void)snprintf(key, sizeof key, ":%s", info->name);
    const char *shown = shown_key(key, app->ascii), *label = footer_label(app, command);
    int width = es_text_width(shown) + 1 + es_text_width(label);
    if (grid != NULL) {
        int used = es_grid_text(grid, x, y, ES_ROLE_KEY, shown);
        es_grid_text(grid, x + used + 1, y, ES_ROLE_KEY_LABEL, label);
        if (!es_command_moves(command))
            es_grid_click_area(grid, (es_rect){x, y, width, 1}, ES_CLICK_COMMAND, command);
    }
    return width;
}

/* A command whose keys the user has taken away is not in the footer. */
static bool has_keys(const es_app *app, es_command command) {
    char key[16];
    return (es_commands[command].footer_keys != NULL &&
            !es_keymap_changed(&app->keymap, app->view, command)) ||
           es_keymap_spelling(&app->keymap, app->view, command, 0, key, sizeof key);
}

/* With no embedders, or none that can be compared, a view's commands have nothing to work on. */
static bool is_idle(const es_app *app, es_command command) {
    return es_commands[command].group != ES_GROUP_MORE && command != ES_COMMAND_OPEN &&
           (app->n == 0 || (!es_views[app->view]->alone && app->source->problem.code != ES_OK));
}

static const es_command last[] = {ES_COMMAND_COMMAND, ES_COMMAND_HELP, ES_COMMAND_QUIT};
enum { LAST = sizeof last / sizeof *last };

static bool is_last(es_command command) {
    bool found = false;
    for (int i = 0; i < LAST; i++)
        found = found || last[i] == command;
    return found;
}

/* Tab is listed only in Corr, if there are points to go to. */
static bool in_footer(const es_app *app, es_command command) {
    bool points = app->view == ES_VIEW_CORR && es_command_refusal(app, ES_COMMAND_LABELS) == NULL;
    return (command != ES_COMMAND_PANE_NEXT || points) && es_commands[command].footer != NULL &&
           es_command_in_view(command, app->view) && !is_idle(app, command) &&
           command != ES_COMMAND_EXPORT && !is_last(command) &&
           !es_command_is_shadowed(command, app->view) && has_keys(app, command) &&
           es_command_refusal(app, command) == NULL;
}

/* Moving, the other pane, starting and pausing a run; then what can run now, in the order of the
 * table. At the end are always "e export" where there is something, ": command", "? help" and "q
 * quit". */
static bool comes_first(es_command command) {
    return command == ES_COMMAND_DOWN || command == ES_COMMAND_PANE_NEXT ||
           command == ES_COMMAND_START || command == ES_COMMAND_PAUSE;
}

static bool is_first_start(const es_app *app) {
    return app->newcomer && app->view == ES_VIEW_OVERVIEW && app->n > 0;
}

/* How to begin, for a user who has never opened a pool, in place of the other keys except help. */
static void welcome(const es_app *app, es_grid *grid, es_rect r) {
    const char *text = " arrows move · Enter opens · ? explains this screen · q quits ";
    int help = r.w - 1 - footer_entry(app, NULL, 0, 0, ES_COMMAND_HELP);
    if (es_grid_width(grid, text) >= help)
        text = " arrows move · Enter opens · q quits ";
    es_grid_text(grid, r.x, r.y, ES_ROLE_TOAST, text);
    (void)footer_entry(app, grid, r.x + help, r.y, ES_COMMAND_HELP);
}

void es_frame_footer(const es_app *app, es_grid *grid, es_rect r) {
    es_command tail[1 + LAST];
    int gap = r.w >= 100 ? 2 : 1, x = r.x + 1, end = r.x + r.w - 1, count = 0;
    if (es_command_refusal(app, ES_COMMAND_EXPORT) == NULL &&
        !es_command_is_shadowed(ES_COMMAND_EXPORT, app->view) && has_keys(app, ES_COMMAND_EXPORT))
        tail[count++] = ES_COMMAND_EXPORT;
    for (int i = 0; i < LAST; i++)
        if (has_keys(app, last[i]))
            tail[count++] = last[i];
    for (int i = 0; i < count; i++)
        end -= footer_entry(app, NULL, 0, 0, tail[i]) + (i > 0 ? gap : 0);
    es_grid_fill(grid, r, ES_ROLE_FOOTER, ' ');
    if (is_first_start(app)) {
        welcome(app, grid, r);
        return;
    }
    bool room = true;
    for (int pass = 0; pass < 2; pass++)
        for (int c = 0; c < ES_COMMAND_COUNT && room; c++) {
            es_command command = (es_command)c;
            if (comes_first(command) != (pass == 0) || !in_footer(app, command))
                continue;
            room = x + footer_entry(app, NULL, 0, 0, command) + gap <= end;
            if (room)
                x += footer_entry(app, grid, x, r.y, command) + gap;
        }
    for (int i = 0; i < count; i++)
        x += footer_entry(app, grid, x, r.y, tail[i]) + gap;
}
