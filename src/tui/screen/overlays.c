/* Small things that lie over a view: lists to choose from, questions, notes. */
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_corr.h"
#include "app_keys.h"
#include "app_lists.h"
#include "tui_draw.h"
#include "tui_screen.h"

/* ---- Lists to choose from ---- */

static void draw_options_page(const es_app *app, es_grid *grid);

void es_overlay_pick(const es_app *app, es_grid *grid) {
    static const char *const titles[] = {"Order",
                                         "Hidden embedders",
                                         "Columns",
                                         "Theme",
                                         "Rank and embedder for this side",
                                         "Measure",
                                         "Derive an embedder from this one"};
    static const char *const hints[] = {"↵ use · type to filter · Esc leave",
                                        "↵ show again · type to filter · Esc leave",
                                        "Space show or hide · type to filter · Esc",
                                        "↵ keep · type to filter · Esc as before",
                                        "↵ compare · type to filter · Esc leave",
                                        "↵ compute · Space several · type to filter · Esc leave",
                                        "↵ make · type to filter · Esc leave"};
    const es_pick *pick = &app->pick;
    if (pick->kind == ES_PICK_OPTIONS) {
        draw_options_page(app, grid);
        return;
    }
    int h = (int)(pick->all > 100 ? 100 : pick->all) + 2;
    char typed[80] = "";
    bool wide = pick->kind == ES_PICK_MEASURE || pick->kind == ES_PICK_DERIVE;
    es_rect rect = es_draw_centred(grid, wide ? 76 : 48, h < 5 ? 5 : h);
    if (pick->typed.length > 0)
        (void)snprintf(typed, sizeof typed, "filter: %.60s", pick->typed.text);
    es_rect in = es_draw_overlay(grid, rect, titles[pick->kind], typed[0] != '\0' ? typed : NULL,
                                 hints[pick->kind]);
    size_t top = es_draw_first_line(pick->at, pick->count, in.h);
    if (pick->count == 0)
        es_grid_text(grid, in.x + 2, in.y + 1, ES_ROLE_TEXT_DIM,
                     pick->all > 0 ? "Nothing has that in it: Backspace, Esc." : "Nothing here.");
    for (int y = 0; y < in.h && top + (size_t)y < pick->count; y++) {
        size_t row = top + (size_t)y;
        char text[300];
        es_pick_text(app, pick->item[row], text, sizeof text);
        es_grid_field(grid, in.x + 2, in.y + y, in.w - 3, -1, ES_ROLE_OVERLAY, text);
        es_grid_click_area(grid, (es_rect){in.x, in.y + y, in.w, 1}, ES_CLICK_LINE, row);
        if (row == pick->at) {
            es_grid_text(grid, in.x, in.y + y, ES_ROLE_CURSOR, "❯");
            es_grid_role(grid, (es_rect){in.x, in.y + y, in.w, 1}, ES_ROLE_SELECTION);
        }
    }
}

/* ---- Questions and notes ---- */

enum { ASKED_NAMES = 8 };

void es_overlay_ask(const es_app *app, es_grid *grid) {
    static const char *const titles[] = {
        "Quit while the run is on?",     "Cancel the run?",
        "Overwrite the file?",           "Are the rows of all folders the same items?",
        "Are these the same embedders?", "Write families.csv?"};
    const es_progress *p = &app->progress;
    const char *title = titles[app->ask];
    bool memory = app->source->store_path == NULL;
    char text[ES_EXPORT_FILE + 80];
    es_buf names = {0};
    const es_error *lost = &app->source->store_problem;
    if (app->ask == ES_ASK_FOLDERS)
        (void)snprintf(text, sizeof text,
                       "%.400s\n\ny: they are, one pool. n: no, open the folders as data sets.",
                       app->source->folders_question);
    else if (app->ask == ES_ASK_OVERWRITE)
        (void)snprintf(text, sizeof text, "%s is there already.", app->export.now.file);
    else if (app->ask == ES_ASK_NAMES) {
        es_corr_proposals_put(app, ASKED_NAMES, &names);
        (void)snprintf(text, sizeof text, "In %.60s, and here:\n\n%s", app->source->score_file,
                       names.data != NULL ? names.data : "");
        es_buf_free(&names);
    } else if (app->ask == ES_ASK_FAMILY) {
        es_family_question(app, text, sizeof text);
    } else if (app->ask == ES_ASK_QUIT && lost->code != ES_OK) {
        title = "Quit and lose results?";
        (void)snprintf(text, sizeof text,
                       "%.300s\n\nQuitting tries once more to store what is in memory only; what "
                       "cannot be stored then is lost.",
                       lost->message);
    } else if (app->ask == ES_ASK_QUIT && !es_app_running(app)) {
        title = app->beside.of_sets || app->sets.due ? "Quit while data sets are estimated?"
                                                     : "Quit while a sweep is on?";
        (void)snprintf(text, sizeof text, "Finished pairs are kept; the same command continues.");
    } else
        (void)snprintf(text, sizeof text, "%zu of %zu pairs are estimated. %s%s", p->done, p->total,
                       memory ? "They are in memory only and are lost when you quit."
                              : "Finished pairs are kept; the next run continues.",
                       app->ask == ES_ASK_QUIT ? "" : " Pairs at work now start anew.");
    int lines = es_draw_wrap(grid, (es_rect){0, 0, 56, 0}, ES_ROLE_OVERLAY, text, 0);
    es_rect rect = es_draw_centred(grid, 62, lines < 4 ? 7 : lines + 3);
    es_rect in = es_draw_overlay(grid, rect, title, NULL, "y yes · n no");
    int x = rect.x + rect.w - 15, y = rect.y + rect.h - 1; /* where the border's text begins */
    es_grid_click_area(grid, (es_rect){x, y, 5, 1}, ES_CLICK_KEY, 'y');
    es_grid_click_area(grid, (es_rect){x + 8, y, 4, 1}, ES_CLICK_KEY, 'n');
    es_draw_wrap(grid, (es_rect){in.x + 2, in.y + 1, in.w - 4, in.h - 1}, ES_ROLE_OVERLAY, text, 0);
}

void es_overlay_note(const es_app *app, es_grid *grid) {
    int w = grid->w - 4 < 84 ? grid->w - 4 : 84;
    int lines = es_draw_list(grid, (es_rect){0, 0, w - 4, 0}, ES_ROLE_OVERLAY, app->note.text, 0);
    es_rect rect = es_draw_centred(grid, w, lines + 4);
    int page = rect.h - 4, scroll = (int)app->note.scroll;
    scroll = scroll > lines - page ? (lines > page ? lines - page : 0) : scroll;
    es_rect in = es_draw_overlay(grid, rect, app->note.title, NULL,
                                 lines > page ? "j k scroll · Esc close" : "Esc close");
    es_draw_list(grid, (es_rect){in.x + 1, in.y + 1, in.w - 2, in.h - 2}, ES_ROLE_OVERLAY,
                 app->note.text, scroll);
}

/* The prompt in the last line, and above it what could be typed. */

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
    int end = es_draw_typed(grid, (es_rect){x, line.y, line.x + line.w - 1 - x, 1}, &prompt->line),
        width = es_text_width(hint);
    if (end + 3 + width < line.x + line.w)
        es_grid_text(grid, line.x + line.w - 1 - width, line.y,
                     prompt->error[0] != '\0' ? ES_ROLE_ERROR : ES_ROLE_PROMPT_HINT, hint);
}

/* After the first key of a sequence: the keys that can follow, and what each runs. */

enum { WIDTH = 78, KEYS_NAME = 14, KEY = 3 };

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
        es_grid_field(grid, x + KEY, y, KEYS_NAME, -1, role, es_commands[command].name);
        es_draw_sentence(grid, x + KEY + KEYS_NAME + 1, y, in.w - KEY - KEYS_NAME - 3, role,
                         es_commands[command].help);
        es_grid_click_area(grid, (es_rect){in.x, y++, in.w, 1}, ES_CLICK_COMMAND, command);
    }
}

/* The options page: every option with its value, its default if that differs, and what it changes;
 * below them the option under the cursor in full, with the values that it takes. */

enum {
    WIDE = 100,
    OPTIONS_NAME = 12,
    VALUE = 15,
    DEFAULT = 20,
    BELOW = 3,
    FEW_VALUES = 8,
    TEXT = 400
};

static void draw_option(const es_app *app, es_grid *grid, es_rect r, size_t option, bool selected) {
    char now[ES_APP_LINE], standard[ES_APP_LINE];
    int x = r.x + 2 + OPTIONS_NAME + 1, help = x + 2 + VALUE + (r.w > 90 ? DEFAULT : 0);
    bool differs = es_setting_default(app, option, standard, sizeof standard);
    es_setting_now(app, option, now, sizeof now);
    es_grid_field(grid, r.x + 2, r.y, OPTIONS_NAME, -1, ES_ROLE_OVERLAY, es_setting_name(option));
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
            (void)es_draw_typed(grid, (es_rect){x + 1, r.y, help - x - 2, 1}, &app->pick.value);
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

static void draw_options_page(const es_app *app, es_grid *grid) {
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
