/* The whole screen: the current view in the frame of header, run line and footer, what lies over
 * it, and what a screen shows that is too small for it. */
#include "screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "overlays.h"
#include "shapes.h"
#include "views.h"
#include "command_call.h"
#include "facts.h"
#include "number_text.h"
#include "select.h"

/* ---- Header ---- */

/* Facts about the pool, shorter with each level; of a long name the middle gives way, never the
 * counts. */
enum { FACTS_LEVELS = 4 };

static void pool_facts(const es_app *app, int level, char *out, size_t capacity) {
    void *context = app->source->context;
    size_t dim = 0, used = 0, rows = app->source->rows(context);
    for (size_t i = 0; i < app->n; i++)
        if (es_app_model(app, i)->state != ES_MODEL_EXCLUDED && es_app_model(app, i)->dim > dim)
            dim = es_app_model(app, i)->dim;
    used = (size_t)snprintf(out, capacity, level < 3 ? " · %zu embedder%s" : " %zu", app->usable,
                            app->usable == 1 ? "" : "s");
    if (level < 2 && rows > 0)
        used += (size_t)snprintf(out + used, capacity - used, " · d≤%zu", dim);
    if (level < 1 && rows > 0)
        (void)snprintf(out + used, capacity - used, " · n=%zu", rows);
}

static void draw_header(const es_app *app, es_grid *grid, es_rect r) {
    bool brief = r.w < 100;
    char facts[256];
    es_grid_fill(grid, r, ES_ROLE_HEADER, ' ');
    int x = r.x + (brief ? 0 : 1);
    for (int v = 0; v < ES_VIEW_COUNT; v++) {
        bool active = (int)app->view == v;
        const char *name = brief ? es_views[v]->brief : es_view_name((es_view_id)v);
        int from = x;
        x += es_grid_printf(grid, x, r.y, active ? ES_ROLE_HEADER_TAB_ACTIVE : ES_ROLE_HEADER_TAB,
                            active ? "[%d %s]" : " %d %s ", v + 1, name);
        es_grid_click_area(grid, (es_rect){from, r.y, x - from, 1}, ES_CLICK_COMMAND,
                           es_views[v]->command);
        x += brief ? 0 : 1;
    }
    const char *name = app->source->name(app->source->context);
    int room = r.x + r.w - 2 - x, level = brief ? FACTS_LEVELS - 1 : 0, width, wanted;
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

/* ---- Run line ---- */

static int put(es_grid *grid, int x, int y, int end, es_role role, const char *text) {
    int width = es_grid_width(grid, text);
    return x + width <= end ? x + es_grid_text(grid, x, y, role, text) : x;
}

/* What the threads are at, which need not be what the views show; the last of the plan begins
 * before the first has quite ended. */
static const char *title_at_work(const es_app *app) {
    void *context = app->source->context;
    size_t plan = app->source->plan(context), least = plan;
    for (unsigned worker = 0; worker < app->source->threads(context); worker++) {
        es_activity a = {0};
        if (app->source->activity(context, worker, &a) && a.busy && a.entry < least)
            least = a.entry;
    }
    return least < plan ? app->source->title(context, least) : es_app_title(app);
}

static void draw_progress(const es_app *app, es_grid *grid, es_rect r) {
    const es_progress *p = &app->progress;
    bool wide = r.w >= 100, paused = app->phase == ES_PHASE_PAUSED;
    size_t ended = p->done + p->failed;
    double fraction = p->total == 0 ? 0 : (double)ended / (double)p->total;
    int bar = wide ? 18 : r.w >= 70 ? 10 : 6, end = r.x + r.w - 1;
    char text[128], eta[32];
    es_format_time(p->eta, eta, sizeof eta);
    int x = put(grid, r.x + 1, r.y, end, paused ? ES_ROLE_STATE_PAUSED : ES_ROLE_STATE_RUNNING,
                paused ? "⏸ PAUSED " : "▶ RUN ");
    es_draw_bar(grid, x, r.y, bar, fraction, ES_ROLE_PROGRESS_FULL, ES_ROLE_PROGRESS_EMPTY);
    (void)snprintf(text, sizeof text, wide ? " %zu/%zu pairs %.0f%%" : " %zu/%zu %.0f%%", ended,
                   p->total, floor(fraction * 100));
    x = put(grid, x + bar, r.y, end, ES_ROLE_TEXT, text);
    if (paused)
        (void)snprintf(text, sizeof text, "  p goes on");
    else
        (void)snprintf(text, sizeof text, "%sETA %s", wide ? "  " : " ", eta);
    x = put(grid, x, r.y, end, ES_ROLE_TEXT_STRONG, text);
    if (wide && !paused && p->rate > 0) {
        (void)snprintf(text, sizeof text, p->rate < 10 ? "  %.1f pair/s" : "  %.0f pair/s",
                       p->rate);
        x = put(grid, x, r.y, end, ES_ROLE_TEXT, text);
    }
    if (p->failed > 0) {
        (void)snprintf(text, sizeof text, "%s%zu failed", wide ? "  " : " ", p->failed);
        x = put(grid, x, r.y, end, ES_ROLE_STATE_FAILED, text);
    }
    if (wide) {
        unsigned threads = app->source->threads(app->source->context);
        (void)snprintf(text, sizeof text, " │ %s · %u thread%s", title_at_work(app), threads,
                       threads == 1 ? "" : "s");
        (void)put(grid, x, r.y, end, ES_ROLE_TEXT_DIM, text);
    }
}

static void draw_still(const es_app *app, es_grid *grid, es_rect r) {
    const es_progress *p = &app->progress;
    int end = r.x + r.w - 1, x = r.x + 1;
    char text[256], took[32];
    if (app->phase == ES_PHASE_CHECKING) {
        x = put(grid, x, r.y, end, ES_ROLE_STATE_RUNNING, "⟳ CHECKING ");
        es_draw_bar(grid, x, r.y, 10,
                    p->to_check == 0 ? 0 : (double)p->checked / (double)p->to_check,
                    ES_ROLE_PROGRESS_FULL, ES_ROLE_PROGRESS_EMPTY);
        (void)snprintf(text, sizeof text, " %zu/%zu embedders", p->checked, p->to_check);
        (void)put(grid, x + 10, r.y, end, ES_ROLE_TEXT, text);
        return;
    }
    if (app->usable < 2 && !app->source->read_only(app->source->context)) {
        x = put(grid, x, r.y, end, ES_ROLE_WARNING, "⚠ NOTHING TO COMPARE ");
        (void)snprintf(text, sizeof text, "two embedders are needed, %s usable%s",
                       app->usable == 0 ? "none is" : "one is",
                       app->n > app->usable ? "; Enter on an excluded one says why" : "");
        (void)put(grid, x, r.y, end, ES_ROLE_TEXT, text);
        return;
    }
    if (app->phase == ES_PHASE_DONE) {
        bool none = p->failed > 0 && p->done == 0;
        es_format_time(p->elapsed, took, sizeof took);
        x = put(grid, x, r.y, end,
                none            ? ES_ROLE_ERROR
                : p->failed > 0 ? ES_ROLE_WARNING
                                : ES_ROLE_STATE_DONE,
                none            ? "✗ FAILED "
                : p->failed > 0 ? "⚠ DONE "
                                : "✓ DONE ");
        (void)snprintf(text, sizeof text, " %zu/%zu pairs", p->done, p->total);
        x = put(grid, x, r.y, end, ES_ROLE_TEXT, text);
        if (none) {
            x = put(grid, x, r.y, end, ES_ROLE_STATE_FAILED, "  all failed: 7 says why, R retries");
        } else if (p->failed > 0) {
            (void)snprintf(text, sizeof text, "  %zu failed, R retries", p->failed);
            x = put(grid, x, r.y, end, ES_ROLE_STATE_FAILED, text);
        }
        if (p->reused > 0) {
            (void)snprintf(text, sizeof text, "  %zu from the store", p->reused);
            x = put(grid, x, r.y, end, ES_ROLE_TEXT_DIM, text);
        }
        if (p->elapsed >= 1) {
            (void)snprintf(text, sizeof text, "  took %s", took);
            x = put(grid, x, r.y, end, ES_ROLE_TEXT_DIM, text);
        }
    } else {
        size_t missing = p->total - p->done - p->failed;
        bool only = app->source->read_only(app->source->context);
        x = put(grid, x, r.y, end, ES_ROLE_STATE_READY, only ? "■ RESULTS " : "■ READY ");
        (void)snprintf(text, sizeof text,
                       only ? " %zu/%zu pairs known" : " %zu/%zu pairs known, %zu to estimate",
                       p->done, p->total, missing);
        x = put(grid, x, r.y, end, ES_ROLE_TEXT, text);
        if (!only && missing > 0 && es_command_refusal(app, ES_COMMAND_START) == NULL)
            x = put(grid, x, r.y, end, ES_ROLE_TEXT_STRONG, "  r starts");
    }
    if (es_app_title(app)[0] != '\0') {
        (void)snprintf(text, sizeof text, " │ %s", es_app_title(app));
        (void)put(grid, x, r.y, end, ES_ROLE_TEXT_DIM, text);
    }
}

/* A notice covers what it needs of the run line, from the right. */
static void draw_toast(const es_app *app, es_grid *grid, es_rect r) {
    int room = r.w - 2, width = es_grid_width(grid, app->toast) + 2;
    width = width < room ? width : room;
    es_role role = app->toast_status == ES_OK ? ES_ROLE_TOAST : ES_ROLE_WARNING;
    int x = r.x + r.w - 1 - width;
    if (width < 3)
        return;
    const es_cell *under = es_grid_at(grid, x, r.y);
    bool cuts = under != NULL && under->code[0] != ' ' && under->code[0] != 0;
    int from = x - 1; /* no half a word before it */
    for (const es_cell *cell; (cell = es_grid_at(grid, from - 1, r.y)) != NULL &&
                              cell->code[0] != ' ' && cell->code[0] != 0;)
        from--;
    es_grid_fill(grid, (es_rect){from, r.y, x - from, 1}, ES_ROLE_BACKGROUND, ' ');
    if (cuts && from + 1 < x)
        es_grid_text(grid, from, r.y, ES_ROLE_TEXT_DIM, "…");
    es_grid_fill(grid, (es_rect){x, r.y, width, 1}, role, ' ');
    es_grid_field(grid, x + 1, r.y, width - 2, -1, role, app->toast);
}

/* Rows stay where they are, in every view: at the right end, so that nobody takes them for the
 * newest order. */
static void draw_frozen(const es_app *app, es_grid *grid, es_rect r) {
    size_t changes = es_select_changes(app);
    char text[96];
    const char *what = r.w >= 100 ? " order frozen" : " frozen";
    if (changes == 0)
        (void)snprintf(text, sizeof text, "%s (F) ", what);
    else
        (void)snprintf(text, sizeof text, "%s: %zu %s%s (F) ", what, changes,
                       r.w >= 100 ? "rank change" : "change", changes == 1 ? "" : "s");
    int width = es_grid_width(grid, text);
    es_grid_text(grid, r.x + r.w - 1 - width, r.y, ES_ROLE_ROW_HELD, text);
}

static void draw_run(const es_app *app, es_grid *grid, es_rect r) {
    es_error error = {0};
    char text[600];
    es_grid_fill(grid, r, ES_ROLE_BACKGROUND, ' ');
    if (app->source->store_problem(app->source->context, &error) != ES_OK) {
        (void)snprintf(text, sizeof text, "⚠ Results are in memory only: %s", error.message);
        es_grid_field(grid, r.x + 1, r.y, r.w - 2, -1, ES_ROLE_ERROR, text);
    } else if (app->source->problem(app->source->context, &error) != ES_OK) {
        (void)snprintf(text, sizeof text, "✗ %s", error.message);
        es_grid_field(grid, r.x + 1, r.y, r.w - 2, -1, ES_ROLE_ERROR, text);
    } else if (es_app_running(app))
        draw_progress(app, grid, r);
    else
        draw_still(app, grid, r);
    if (app->frozen)
        draw_frozen(app, grid, r);
    if (app->toast_until > 0)
        draw_toast(app, grid, r);
}

/* ---- Footer ---- */

static const char *shown_key(const char *spelling, bool ascii) {
    if (strcmp(spelling, "Enter") == 0)
        return ascii ? "Enter" : "↵";
    return spelling;
}

static const char *footer_label(const es_app *app, es_command command) {
    bool goes_on = command == ES_COMMAND_PAUSE && app->phase == ES_PHASE_PAUSED;
    return goes_on ? "resume" : es_commands[command].footer;
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
           (app->n == 0 || (!es_views[app->view]->alone &&
                            app->source->problem(app->source->context, NULL) != ES_OK));
}

static bool in_footer(const es_app *app, es_command command) {
    return es_commands[command].footer != NULL && es_command_in_view(command, app->view) &&
           !is_idle(app, command) && command != ES_COMMAND_HELP && command != ES_COMMAND_EXPORT &&
           command != ES_COMMAND_QUIT && !es_command_is_shadowed(command, app->view) &&
           has_keys(app, command) && es_command_refusal(app, command) == NULL;
}

/* Moving, starting and pausing a run; then what can run now, in the order of the table. At the end
 * of what fits are always "e export" where there is something, "? help", and, on a wide screen,
 * "q quit". */
static bool comes_first(es_command command) {
    return command == ES_COMMAND_DOWN || command == ES_COMMAND_START || command == ES_COMMAND_PAUSE;
}

static void draw_footer(const es_app *app, es_grid *grid, es_rect r) {
    es_command tail[3];
    int gap = r.w >= 100 ? 2 : 1, x = r.x + 1, end = r.x + r.w - 1, count = 0;
    if (es_command_refusal(app, ES_COMMAND_EXPORT) == NULL &&
        !es_command_is_shadowed(ES_COMMAND_EXPORT, app->view) && has_keys(app, ES_COMMAND_EXPORT))
        tail[count++] = ES_COMMAND_EXPORT;
    tail[count++] = ES_COMMAND_HELP;
    if (r.w >= 100 && has_keys(app, ES_COMMAND_QUIT))
        tail[count++] = ES_COMMAND_QUIT;
    for (int i = 0; i < count; i++)
        end -= footer_entry(app, NULL, 0, 0, tail[i]) + (i > 0 ? gap : 0);
    es_grid_fill(grid, r, ES_ROLE_FOOTER, ' ');
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

/* ---- Small screens ---- */

static void draw_tiny(const es_app *app, es_grid *grid) {
    const es_progress *p = &app->progress;
    double fraction = p->total == 0 ? 0 : (double)(p->done + p->failed) / (double)p->total;
    es_grid_printf(grid, 0, 0, ES_ROLE_TEXT, "%.0f%%", floor(fraction * 100));
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
        double fraction = p->total == 0 ? 0 : (double)(p->done + p->failed) / (double)p->total;
        es_grid_printf(grid, x, y++, ES_ROLE_STATE_RUNNING, "run %s: %zu/%zu %.0f%%",
                       app->phase == ES_PHASE_PAUSED ? "is paused" : "continues",
                       p->done + p->failed, p->total, floor(fraction * 100));
        es_grid_printf(grid, x, y++, ES_ROLE_TEXT, "ETA %s", eta);
        y += grid->h >= 8;
    }
    const char *pause = !es_app_running(app)            ? ""
                        : app->phase == ES_PHASE_PAUSED ? "  p resume"
                                                        : "  p pause";
    es_grid_printf(grid, x, y, ES_ROLE_TEXT_DIM, "q quit%s  ? help", pause);
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
    [ES_MODE_WORST] = es_overlay_worst,
};

void es_screen_draw(const es_app *app, es_grid *grid) {
    es_layout layout = es_layout_make(app->view, app->focus[app->view], grid->w, grid->h);
    es_grid_clear(grid);
    grid->ascii = app->ascii;
    if (layout.size == ES_LAYOUT_TINY)
        draw_tiny(app, grid);
    else if (layout.size == ES_LAYOUT_SMALL)
        draw_small(app, grid);
    else {
        es_views[app->view]->draw(app, grid, &layout);
        for (int pane = 0; pane < ES_PANE_COUNT; pane++)
            es_grid_click_area(grid, layout.pane[pane], ES_CLICK_PANE, (size_t)pane);
        draw_header(app, grid, layout.header);
        draw_run(app, grid, layout.run);
        draw_footer(app, grid, layout.footer);
    }
    if (layout.size == ES_LAYOUT_TINY)
        return;
    if (overlays[app->mode] != NULL)
        overlays[app->mode](app, grid);
}
