/* The prompt in the last line, and above it what could be typed. */
#include <stdio.h>
#include <string.h>

#include "app_keys.h"
#include "tui_screen.h"

enum { CANDIDATES = 8 };

/* Commands that begin like what is typed, above the line. */
static void draw_candidates(const es_app *app, es_grid *grid, es_rect line) {
    const es_prompt *prompt = &app->prompt;
    const char *typed = prompt->complete_at > 0 ? prompt->complete : prompt->line.text;
    bool argument = strchr(typed, ' ') != NULL;
    char text[ES_APP_LINE];
    size_t count = 0;
    while (es_prompt_candidate(app, typed, count, text, sizeof text))
        count++;
    if (count == 0 || line.y < 6 || (prompt->kind != ES_PROMPT_COMMAND && prompt->complete_at == 0))
        return;
    size_t chosen = prompt->complete_at == 0 ? ES_NONE : prompt->complete_at - 1;
    size_t top = es_draw_first_line(chosen == ES_NONE ? 0 : chosen, count, CANDIDATES);
    int h = count < CANDIDATES ? (int)count : CANDIDATES, w = line.w < 80 ? line.w : 80;
    char bottom[48] = "";
    if (count > CANDIDATES)
        (void)snprintf(bottom, sizeof bottom, "%zu, Tab goes on", count);
    es_rect in =
        es_draw_overlay(grid, (es_rect){line.x, line.y - h - 2, w, h + 2}, NULL, NULL, bottom);
    for (int y = 0; y < h; y++) {
        size_t i = top + (size_t)y;
        (void)es_prompt_candidate(app, typed, i, text, sizeof text);
        const char *word = argument ? strrchr(text, ' ') + 1 : text;
        es_command command = argument || prompt->kind != ES_PROMPT_COMMAND
                                 ? ES_COMMAND_COUNT
                                 : es_command_of_name(text, strlen(text));
        es_grid_field(grid, in.x + 1, in.y + y, command == ES_COMMAND_COUNT ? in.w - 2 : 18, -1,
                      ES_ROLE_KEY, word);
        if (command != ES_COMMAND_COUNT)
            es_grid_field(grid, in.x + 20, in.y + y, in.w - 21, -1, ES_ROLE_OVERLAY,
                          es_commands[command].help);
        es_grid_click_area(grid, (es_rect){in.x, in.y + y, in.w, 1}, ES_CLICK_LINE, i);
        if (i == chosen)
            es_grid_role(grid, (es_rect){in.x, in.y + y, in.w, 1}, ES_ROLE_SELECTION);
    }
}

void es_overlay_prompt(const es_app *app, es_grid *grid) {
    es_rect line = {0, grid->h - 1, grid->w, 1};
    static const char *const head[ES_PROMPT_COUNT] = {":", "/", "filter ❯ "};
    const es_prompt *prompt = &app->prompt;
    char before[ES_APP_LINE];
    const char *hint = prompt->error[0] != '\0'           ? prompt->error
                       : prompt->kind == ES_PROMPT_SEARCH ? "↵ keep · Esc back"
                       : prompt->kind == ES_PROMPT_FILTER
                           ? "words · dim>512 · score>0.3 · c:C1 · !fail · marked · /regex/"
                           : "Tab completes · ↑ recalls";
    draw_candidates(app, grid, line);
    es_grid_click_area(grid, line, ES_CLICK_COVER, 0);
    es_grid_fill(grid, line, ES_ROLE_PROMPT, ' ');
    int x = line.x + 1 +
            es_grid_text(grid, line.x + 1, line.y, ES_ROLE_PROMPT_HINT, head[prompt->kind]);
    (void)snprintf(before, sizeof before, "%.*s", (int)prompt->line.cursor, prompt->line.text);
    int at = es_text_width(before), room = line.x + line.w - 2 - x,
        shift = at > room ? at - room : 0;
    es_rect old = es_grid_clip(grid, (es_rect){x, line.y, room + 1, 1});
    es_grid_text(grid, x - shift, line.y, ES_ROLE_PROMPT, prompt->line.text);
    es_grid_set_clip(grid, old);
    int width = es_text_width(hint), used = x - shift + es_text_width(prompt->line.text);
    if (used + 3 + width < line.x + line.w)
        es_grid_text(grid, line.x + line.w - 1 - width, line.y,
                     prompt->error[0] != '\0' ? ES_ROLE_ERROR : ES_ROLE_PROMPT_HINT, hint);
    grid->cursor_x = x - shift + at;
    grid->cursor_y = line.y;
    grid->cursor_visible = true;
}
