/* After the first key of a sequence: the keys that can follow, and what each runs. */
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "tui_screen.h"

enum { WIDTH = 78, NAME = 14, KEY = 3 };

/* The key that runs a command after app->prefix, as it is typed; false: none does. */
static bool next_key(const es_app *app, es_command command, char *out, size_t capacity) {
    char spelling[32];
    uint32_t keys[ES_COMMAND_KEYS];
    bool longer;
    const char *argument;
    for (size_t k = 0;
         es_keymap_spelling(&app->keymap, app->view, command, k, spelling, sizeof spelling); k++) {
        if (es_command_parse(spelling, keys) != 2 || keys[0] != app->prefix ||
            es_keymap_find(&app->keymap, app->view, keys, 2, &longer, &argument) != command)
            continue;
        (void)snprintf(out, capacity, "%s", spelling + 1);
        return true;
    }
    return false;
}

static size_t count_followers(const es_app *app) {
    size_t count = 0;
    char key[32];
    for (int c = 0; c < ES_COMMAND_COUNT; c++)
        count += next_key(app, (es_command)c, key, sizeof key);
    return count;
}

void es_overlay_keys(const es_app *app, es_grid *grid) {
    char title[16], key[32];
    int h = (int)count_followers(app) + 2, w = grid->w < WIDTH ? grid->w : WIDTH;
    h = h > grid->h - 2 ? grid->h - 2 : h;
    if (h < 3 || w < 30)
        return;
    (void)snprintf(title, sizeof title, "%c ...", (char)app->prefix);
    es_rect rect = {grid->w - w, grid->h - 2 - h, w, h};
    es_rect in = es_draw_overlay(grid, rect, title, NULL, "Esc leave");
    int y = in.y;
    for (int c = 0; c < ES_COMMAND_COUNT && y < in.y + in.h; c++) {
        es_command command = (es_command)c;
        if (!next_key(app, command, key, sizeof key))
            continue;
        bool refused = es_command_refusal(app, command) != NULL;
        es_role role = refused ? ES_ROLE_TEXT_DIM : ES_ROLE_OVERLAY;
        int x = in.x + 1;
        es_grid_field(grid, x, y, KEY, -1, refused ? ES_ROLE_TEXT_DIM : ES_ROLE_KEY, key);
        es_grid_field(grid, x + KEY, y, NAME, -1, role, es_commands[command].name);
        es_draw_sentence(grid, x + KEY + NAME + 1, y, in.w - KEY - NAME - 3, role,
                         es_commands[command].help);
        es_grid_click_area(grid, (es_rect){in.x, y++, in.w, 1}, ES_CLICK_COMMAND, command);
    }
}
