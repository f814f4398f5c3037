/* The options page: every option with its value, its default if that differs, and what it changes;
 * below them the option under the cursor in full, with the values that it takes. */
#include <stdio.h>
#include <string.h>

#include "tui_screen.h"
#include "tui_draw.h"
#include "app_commands.h"

enum { WIDE = 100, NAME = 12, VALUE = 15, DEFAULT = 20, BELOW = 3, FEW_VALUES = 8, TEXT = 400 };

static void draw_typed(const es_app *app, es_grid *grid, es_rect r) {
    const es_line *line = &app->pick.value;
    char head[ES_APP_LINE];
    (void)snprintf(head, sizeof head, "%.*s", (int)line->cursor, line->text);
    int at = es_text_width(head), shift = at > r.w - 1 ? at - r.w + 1 : 0;
    es_grid_fill(grid, r, ES_ROLE_PROMPT, ' ');
    es_rect old = es_grid_clip(grid, r);
    es_grid_text(grid, r.x - shift, r.y, ES_ROLE_PROMPT, line->text);
    es_grid_set_clip(grid, old);
    grid->cursor_x = r.x - shift + at;
    grid->cursor_y = r.y;
    grid->cursor_visible = true;
}

static void draw_option(const es_app *app, es_grid *grid, es_rect r, size_t option, bool selected) {
    char now[ES_APP_LINE], standard[ES_APP_LINE];
    int x = r.x + 2 + NAME + 1, help = x + 2 + VALUE + (r.w > 90 ? DEFAULT : 0);
    bool differs = es_setting_default(app, option, standard, sizeof standard);
    es_setting_now(app, option, now, sizeof now);
    es_grid_field(grid, r.x + 2, r.y, NAME, -1, ES_ROLE_OVERLAY, es_setting_name(option));
    es_grid_text(grid, x, r.y, ES_ROLE_MARK, differs ? "*" : "");
    es_grid_field(grid, x + 1, r.y, VALUE, -1, ES_ROLE_TEXT_STRONG, now);
    if (differs && help > x + 2 + VALUE) {
        char text[ES_APP_LINE + 16];
        (void)snprintf(text, sizeof text, "default %s", standard);
        es_grid_field(grid, x + 2 + VALUE, r.y, DEFAULT - 1, -1, ES_ROLE_TEXT_DIM, text);
    }
    es_draw_sentence(grid, help, r.y, r.x + r.w - help, ES_ROLE_OVERLAY, es_setting_help(option));
    if (selected) {
        es_grid_text(grid, r.x, r.y, ES_ROLE_CURSOR, "❯");
        es_grid_role(grid, r, ES_ROLE_SELECTION);
        if (app->pick.typing)
            draw_typed(app, grid, (es_rect){x + 1, r.y, help - x - 2, 1});
    }
}

/* "threads  workers; takes a number; default ..." below the list. */
static void draw_detail(const es_app *app, es_grid *grid, es_rect r, size_t option) {
    const char *name = es_setting_name(option), *value;
    char text[TEXT], standard[ES_APP_LINE];
    size_t count = 0;
    while (es_setting_value(app, name, count) != NULL)
        count++;
    (void)snprintf(text, sizeof text, "%s: %s. ", name, es_setting_help(option));
    if (count > FEW_VALUES)
        es_phrase_add(text, sizeof text, "One of %zu", count);
    for (size_t i = 0; count <= FEW_VALUES && (value = es_setting_value(app, name, i)) != NULL; i++)
        es_phrase_add(text, sizeof text, "%s%s", i == 0 ? "" : ", ", value);
    if (count == 0)
        es_phrase_add(text, sizeof text, es_setting_is_number(option) ? "A number" : "Text");
    if (es_setting_default(app, option, standard, sizeof standard) || standard[0] != '\0')
        es_phrase_add(text, sizeof text, "; default %s", standard);
    es_grid_fill(grid, (es_rect){r.x, r.y, r.w, 1}, ES_ROLE_BORDER, 0x2500);
    es_draw_wrap(grid, (es_rect){r.x + 2, r.y + 1, r.w - 2, r.h - 1}, ES_ROLE_OVERLAY, text, 0);
}

void es_overlay_options(const es_app *app, es_grid *grid) {
    const es_pick *pick = &app->pick;
    char right[80] = "* differs from the default";
    es_rect rect = es_draw_centred(grid, WIDE, (int)pick->all + 2 + BELOW);
    if (pick->typed.length > 0)
        (void)snprintf(right, sizeof right, "filter: %.60s", pick->typed.text);
    es_rect in =
        es_draw_overlay(grid, rect, "Options", right,
                        pick->typing  ? "↵ set · Esc as before"
                        : rect.w < 76 ? "← → change · type to filter · Esc leave"
                                      : "← → ↵ change · type to filter · ^s save · Esc leave");
    int below = in.h > BELOW + 3 && pick->count > 0 ? BELOW : 0, page = in.h - below;
    size_t top = es_draw_first_line(pick->at, pick->count, page);
    if (pick->count == 0)
        es_grid_text(grid, in.x + 2, in.y + 1, ES_ROLE_TEXT_DIM,
                     "No option has that in its name or help: Backspace, Esc.");
    for (int y = 0; y < page && top + (size_t)y < pick->count; y++) {
        size_t row = top + (size_t)y;
        es_rect line = {in.x, in.y + y, in.w, 1};
        es_grid_click_area(grid, line, ES_CLICK_LINE, row);
        draw_option(app, grid, line, pick->item[row], row == pick->at);
    }
    if (below > 0)
        draw_detail(app, grid, (es_rect){in.x, in.y + page, in.w, below}, pick->item[pick->at]);
}
