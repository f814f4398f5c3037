/* The whole screen: the current view in the frame of header, run line and footer, what lies over
 * it, and what a screen shows that is too small for it. */
#include "tui_screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_sheets.h"
#include "app_state.h"
#include "app_values.h"
#include "tui_draw.h"

/* ---- Header ---- */

/* Facts about the pool, shorter with each level; of a long name the middle gives way, never the
 * counts. That it is a sample of the rows is said before how wide the embedders are. */
enum { FACTS_LEVELS = 5 };
/* Columns from which tabs have their whole names; beside a sample's number of rows, more. */
enum { LONG_TABS = 110, LONG_TABS_OF_SAMPLE = 140 };

static bool is_sample(const es_app *app) {
    return app->source->rows < app->source->rows_of;
}

static void pool_facts(const es_app *app, int level, char *out, size_t capacity) {
    size_t dim = 0, rows = app->source->rows, controls = es_app_controls(app, false),
           derived = es_app_derived(app, false);
    char count[ES_COUNT_TEXT];
    for (size_t i = 0; i < app->n; i++)
        if (es_app_model(app, i)->state != ES_MODEL_EXCLUDED && es_app_model(app, i)->dim > dim)
            dim = es_app_model(app, i)->dim;
    bool sample = is_sample(app);
    if (app->source->table) {
        (void)snprintf(out, capacity, level < 3 ? " · %zu models · %zu tasks" : " %zu×%zu", app->n,
                       app->source->scores.tasks);
        return;
    }
    if (level < 3)
        (void)es_count_text(app->usable, controls, derived, count, sizeof count);
    else
        (void)es_count_brief(app->usable, controls, derived, count, sizeof count);
    bool named = level == 3 && controls > 0 && derived == 0;
    (void)snprintf(out, capacity, level < 3 || named ? " · %s%s" : " %s%s", count,
                   named ? " controls" : "");
    if (level < (sample ? 1 : 2) && rows > 0)
        es_phrase_add(out, capacity, " · d≤%zu", dim);
    if (level < (sample ? 2 : 1) && rows > 0)
        es_phrase_add(out, capacity, sample ? " · n=%zu of %zu" : " · n=%zu", rows,
                      app->source->rows_of);
}

static void draw_header(const es_app *app, es_grid *grid, es_rect r) {
    bool brief = r.w < (is_sample(app) ? LONG_TABS_OF_SAMPLE : LONG_TABS);
    char facts[256];
    es_grid_fill(grid, r, ES_ROLE_HEADER, ' ');
    int x = r.x + (brief ? 0 : 1);
    for (int v = 0; v < ES_VIEW_COUNT; v++) {
        bool active = (int)es_board_tab(app) == v;
        const char *name = brief ? es_views[v]->brief : es_view_table[v].name;
        int from = x;
        const char *keys = es_commands[ES_COMMAND_VIEW_OVERVIEW + v].keys;
        const char key[] = {keys[0], ' ', '\0'};
        x += es_grid_printf(grid, x, r.y, active ? ES_ROLE_HEADER_TAB_ACTIVE : ES_ROLE_HEADER_TAB,
                            active     ? "[%s%s]"
                            : r.w < 66 ? " %s%s"
                                       : " %s%s ",
                            keys[0] >= '0' && keys[0] <= '9' ? key : "", name);
        es_grid_click_area(grid, (es_rect){from, r.y, x - from, 1}, ES_CLICK_COMMAND,
                           (size_t)ES_COMMAND_VIEW_OVERVIEW + (size_t)v);
        x += brief ? 0 : 1;
    }
    const char *name = app->source->name;
    int room = r.x + r.w - 2 - x, level = r.w < 100 ? FACTS_LEVELS - 1 : 0;
    int width, wanted;
    do {
        pool_facts(app, level, facts, sizeof facts);
        width = es_grid_width(grid, facts);
        wanted = es_grid_width(grid, name);
    } while (width + wanted > room && ++level < FACTS_LEVELS);
    if (wanted > room - width && room - width < 4)
        return;
    wanted = wanted < room - width ? wanted : room - width;
    es_grid_field(grid, r.x + r.w - 1 - width - wanted, r.y, wanted, 1, ES_ROLE_HEADER, name);
    es_grid_text(grid, r.x + r.w - 1 - width, r.y, ES_ROLE_HEADER, facts);
}

/* ---- Small screens ---- */

static void draw_tiny(const es_app *app, es_grid *grid) {
    es_grid_printf(grid, 0, 0, ES_ROLE_TEXT, "%.0f%%", floor(es_run_share(app) * 100));
}

/* Room for a box of text; a question of one line needs less. */
static bool has_box(const es_grid *grid) {
    return grid->w >= 30 && grid->h >= 8;
}

static void draw_small(const es_app *app, es_grid *grid) {
    const es_progress *p = &app->progress;
    char eta[32];
    int x = grid->w >= 30 ? 2 : 0, y = grid->h >= 10 ? 2 : 0;
    es_format_time(p->eta, eta, sizeof eta);
    es_grid_printf(grid, x, y++, ES_ROLE_TEXT_STRONG, "Window is %d×%d.", grid->w, grid->h);
    es_grid_printf(grid, x, y++, ES_ROLE_TEXT, "This needs 60×16.");
    y += grid->h >= 8;
    if (es_app_running(app)) {
        es_grid_printf(grid, x, y++, ES_ROLE_STATE_RUNNING, "run %s: %zu/%zu %.0f%%",
                       app->phase == ES_PHASE_PAUSED ? "is paused" : "continues", p->pass_ended,
                       p->pass_total, floor(es_run_share(app) * 100));
        es_grid_printf(grid, x, y++, ES_ROLE_TEXT, "ETA %s", eta);
        y += grid->h >= 8;
    }
    const char *pause = !es_app_running(app)            ? ""
                        : app->phase == ES_PHASE_PAUSED ? "  p resume"
                                                        : "  p pause";
    es_grid_printf(grid, x, y, ES_ROLE_TEXT_DIM, "q quit%s%s", pause,
                   has_box(grid) ? "  ? help" : "");
}

/* ---- The screen ---- */

static void (*const overlays[])(const es_app *app, es_grid *grid) = {
    [ES_MODE_NORMAL] = NULL,
    [ES_MODE_PROMPT] = es_overlay_prompt,
    [ES_MODE_HELP] = es_overlay_help,
    [ES_MODE_PICK] = es_overlay_pick,
    [ES_MODE_ASK] = es_overlay_ask,
    [ES_MODE_NOTE] = es_overlay_note,
    [ES_MODE_EXPORT] = es_overlay_export,
    [ES_MODE_PLANNER] = es_overlay_planner,
    [ES_MODE_DUEL] = es_overlay_duel,
};

static const char *name_of(const void *context, size_t item) {
    return es_app_name(context, item);
}

/* footer.c */
static void frame_footer(const es_app *app, es_grid *grid, es_rect r);

void es_screen_draw(const es_app *app, es_grid *grid) {
    es_layout layout =
        es_layout_make(app->view, app->focus[app->view], grid->w, grid->h, app->headline.lines);
    es_grid_clear(grid);
    grid->ascii = app->ascii;
    es_grid_set_names(grid, app->n, name_of, app);
    if (layout.size == ES_LAYOUT_TINY)
        draw_tiny(app, grid);
    else if (layout.size == ES_LAYOUT_SMALL)
        draw_small(app, grid);
    else {
        es_views[app->view]->draw(app, grid, &layout);
        for (int pane = 0; pane < ES_PANE_COUNT; pane++)
            es_grid_click_area(grid, layout.pane[pane], ES_CLICK_PANE, (size_t)pane);
        draw_header(app, grid, layout.header);
        es_draw_answer(app, grid, layout.answer);
        es_frame_run_line(app, grid, layout.run);
        frame_footer(app, grid, layout.footer);
    }
    if (layout.size == ES_LAYOUT_TINY)
        return;
    bool small = app->mode == ES_MODE_ASK || app->mode == ES_MODE_PROMPT;
    if (overlays[app->mode] != NULL && (small || has_box(grid)))
        overlays[app->mode](app, grid);
    if (es_app_lists_keys(app) && has_box(grid))
        es_overlay_keys(app, grid);
}

/* The footer: the keys of what can be done here and now, in the order of the table of commands. */

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

static void frame_footer(const es_app *app, es_grid *grid, es_rect r) {
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

/* The table of views, made from view_table.def. */

const es_view *const es_views[ES_VIEW_COUNT] = {
#define V(id, letter, name, word, ...) [ES_VIEW_##id] = &es_view_##word,
#include "view_table.def"
#undef V
};
