/* What lies over a view: help, lists to choose from, questions, notes, and the prompt. */
#include <stdio.h>
#include <string.h>

#include "overlays.h"

#include "measure_names.h"
#include "shapes.h"
#include "views.h"

/* ---- Help ---- */

/* What a command is set to now, for the right column; "" when there is nothing to say. */
static void help_now(const es_app *app, es_command command, char *out, size_t capacity) {
    const char *refusal = es_command_refusal(app, command);
    out[0] = '\0';
    if (refusal != NULL)
        (void)snprintf(out, capacity, "%s", refusal);
    else if (command == ES_COMMAND_ORDER)
        (void)snprintf(out, capacity, "now: %s", es_order_title(app->set.order));
    else if (command == ES_COMMAND_METRIC)
        (void)snprintf(out, capacity, "now: %s", es_metric_title(app, app->set.metric));
    else if (command == ES_COMMAND_FREEZE)
        (void)snprintf(out, capacity, "now: %s", app->frozen ? "frozen" : "live");
    else if (command == ES_COMMAND_FILTER && app->set.filter[0] != '\0')
        (void)snprintf(out, capacity, "now: %.60s", app->set.filter);
    else if (command == ES_COMMAND_THEME && app->theme[0] != '\0')
        (void)snprintf(out, capacity, "now: %s", app->theme);
}

static void help_entry(const es_app *app, es_grid *grid, es_rect r, es_command command,
                       bool selected) {
    char keys[48], now[96];
    const char *text = es_commands[command].help;
    bool refused =
        es_command_refusal(app, command) != NULL || !es_command_in_view(command, app->view);
    es_role label = refused ? ES_ROLE_TEXT_DIM : ES_ROLE_OVERLAY;
    es_help_keys(app, app->view, command, keys, sizeof keys);
    help_now(app, command, now, sizeof now);
    int key_w = 12, name_w = r.w >= 90 ? 16 : 0, now_w = es_text_width(now);
    int room = r.w - 2 - key_w - name_w - 1;
    if (now_w + 12 > room)
        now_w = 0;
    es_grid_text(grid, r.x, r.y, ES_ROLE_CURSOR, selected ? "❯" : " ");
    es_grid_field(grid, r.x + 2, r.y, key_w - 1, -1, refused ? ES_ROLE_TEXT_DIM : ES_ROLE_KEY,
                  keys);
    if (name_w > 0)
        es_grid_field(grid, r.x + 2 + key_w, r.y, name_w - 1, -1, label, es_commands[command].name);
    es_draw_sentence(grid, r.x + 2 + key_w + name_w, r.y, room - (now_w > 0 ? now_w + 2 : 0), label,
                     text);
    if (now_w > 0)
        es_grid_field(grid, r.x + r.w - now_w - 1, r.y, now_w, 1, ES_ROLE_TEXT_DIM, now);
    if (selected)
        es_grid_role(grid, r, ES_ROLE_SELECTION);
}

/* The entry under the cursor in full: in the list it may be cut, and the reason with it. */
static void help_detail(const es_app *app, es_grid *grid, es_rect r) {
    es_command command = (es_command)app->help.match[app->help.at];
    const es_command_info *info = &es_commands[command];
    char now[96], text[400];
    help_now(app, command, now, sizeof now);
    es_grid_fill(grid, (es_rect){r.x, r.y, r.w, 1}, ES_ROLE_BORDER, 0x2500);
    (void)snprintf(text, sizeof text, ":%s%s%s  %s%s%s", info->name, info->argument ? " " : "",
                   info->argument ? info->argument : "", info->help, now[0] == '\0' ? "" : "; ",
                   now);
    es_draw_list(grid, (es_rect){r.x + 2, r.y + 1, r.w - 2, r.h - 1}, ES_ROLE_OVERLAY, text, 0);
}

/* What the signs mean, drawn into r as far as it has room. Returns the lines that it takes. */
static int help_symbols(const es_app *app, es_grid *grid, es_rect r) {
    static const char everywhere[] = "· pending  ∘ running  × failed  ╲ self  ● marked  ❯ cursor  "
                                     "▲ ▼ moved since the run began";
    int lines = es_draw_wrap(grid, r, ES_ROLE_OVERLAY, everywhere, 0);
    if (es_views[app->view]->signs != NULL)
        lines += es_draw_wrap(grid, (es_rect){r.x, r.y + lines, r.w, r.h - lines}, ES_ROLE_OVERLAY,
                              es_views[app->view]->signs(app), 0);
    return lines + es_draw_wrap(grid, (es_rect){r.x, r.y + lines, r.w, r.h - lines},
                                ES_ROLE_TEXT_DIM,
                                ":help rank is a page about a view, :doctor about this terminal, "
                                ":paths about files",
                                0);
}

/* Lines of the list with its group headings, then the signs; draws those from `skip` on. Returns
 * the line that must be seen: the selected entry's, or below the last one what still fits with it.
 */
static int help_lines(const es_app *app, es_grid *grid, es_rect r, int skip, bool draw) {
    const es_help *help = &app->help;
    int line = 0, at = 0;
    for (size_t i = 0; i < help->count; i++) {
        es_command command = (es_command)help->match[i];
        es_command_group group = es_commands[command].group;
        if (i == 0 || group != es_commands[help->match[i - 1]].group) {
            if (i > 0)
                line++;
            if (draw && line >= skip && line - skip < r.h)
                es_grid_text(grid, r.x, r.y + line - skip, ES_ROLE_TEXT_STRONG,
                             es_command_group_name(group));
            line++;
        }
        if (i == help->at)
            at = line;
        if (draw && line >= skip && line - skip < r.h) {
            es_rect entry = {r.x, r.y + line - skip, r.w, 1};
            help_entry(app, grid, entry, command, i == help->at);
            es_grid_click_area(grid, entry, ES_CLICK_LINE, i);
        }
        line++;
    }
    int y = r.y + line + 1 - skip, room = draw ? r.y + r.h - y - 1 : 0;
    if (room > 0)
        es_grid_text(grid, r.x, y, ES_ROLE_TEXT_STRONG, "Symbols");
    int last = line + 1 + help_symbols(app, grid, (es_rect){r.x + 2, y + 1, r.w - 2, room});
    if (help->at + 1 == help->count)
        at = last < at + r.h - 2 ? last : at + r.h - 2;
    return at;
}

void es_overlay_help(const es_app *app, es_grid *grid) {
    const es_help *help = &app->help;
    char title[64], bottom[96];
    es_rect rect =
        es_draw_centred(grid, grid->w >= 116 ? 108 : grid->w, grid->h - 4 > 36 ? 36 : grid->h - 2);
    (void)snprintf(title, sizeof title, "Help: %s",
                   help->all ? "all views" : es_view_name(app->view));
    (void)snprintf(bottom, sizeof bottom, "%zu of %d commands · ? %s", help->count,
                   (int)ES_COMMAND_COUNT, help->all ? "this view" : "all views");
    es_rect in = es_draw_overlay(grid, rect, title,
                                 grid->ascii ? "type to filter . Enter runs it . Esc closes"
                                             : "type to filter · ↵ runs it · Esc closes",
                                 bottom);
    if (in.h < 3)
        return;
    int x = in.x + 1 + es_grid_text(grid, in.x + 1, in.y, ES_ROLE_PROMPT_HINT, "filter ❯ ");
    es_grid_text(grid, x, in.y, ES_ROLE_PROMPT, help->filter.text);
    char head[ES_APP_LINE];
    (void)snprintf(head, sizeof head, "%.*s", (int)help->filter.cursor, help->filter.text);
    grid->cursor_x = x + es_text_width(head);
    grid->cursor_y = in.y;
    grid->cursor_visible = true;
    int below = in.h >= 10 && help->count > 0 ? 3 : 0;
    es_rect list = {in.x + 1, in.y + 2, in.w - 2, in.h - 2 - below};
    if (below > 0)
        help_detail(app, grid, (es_rect){in.x + 1, in.y + in.h - below, in.w - 2, below});
    if (help->count == 0) {
        es_grid_text(grid, list.x, list.y, ES_ROLE_TEXT_DIM,
                     help->all ? "Nothing matches."
                               : "Nothing here matches; ? looks in all views.");
        return;
    }
    int at = help_lines(app, grid, list, 0, false);
    int skip = at - list.h + 2 > 0 ? at - list.h + 2 : 0;
    (void)help_lines(app, grid, list, skip, true);
}

/* ---- Lists to choose from ---- */

static void pick_row(const es_app *app, size_t row, char *out, size_t capacity) {
    const es_pick *pick = &app->pick;
    es_table_id table = es_table_of_view(app->view);
    switch (pick->kind) {
    case ES_PICK_ORDER:
        (void)snprintf(out, capacity, "%s%s", es_order_title((es_order)row),
                       (size_t)app->set.order == row ? "  (now)" : "");
        break;
    case ES_PICK_HIDDEN:
        (void)snprintf(out, capacity, "%s", es_app_model(app, pick->item[row])->name);
        break;
    case ES_PICK_COLUMNS: {
        const char *title = es_columns_at(app, table, row).title;
        (void)snprintf(out, capacity, "[%s] %s", app->set.table[table].hidden[row] ? " " : "x",
                       title[0] == '\0' ? "interval" : title);
        break;
    }
    case ES_PICK_THEME:
        (void)snprintf(out, capacity, "%s%s", app->themes[row],
                       strcmp(app->themes[row], pick->before) == 0 ? "  (was)" : "");
        break;
    case ES_PICK_MEASURE:
        (void)snprintf(out, capacity, "%-20s %s", es_measure_name_at(row),
                       es_measure_title_at(row));
        break;
    case ES_PICK_DERIVE:
        (void)snprintf(out, capacity, "%-20s %s", es_derive_way(row), es_derive_about(row));
        break;
    case ES_PICK_SIDE: {
        const es_live_rank *live = &app->live[pick->item[row]];
        const char *name = es_app_model(app, pick->item[row])->name;
        if (live->place > 0)
            (void)snprintf(out, capacity, "%3zu  %s", live->place, name);
        else
            (void)snprintf(out, capacity, "  -  %s", name);
        break;
    }
    }
}

void es_overlay_pick(const es_app *app, es_grid *grid) {
    static const char *const titles[] = {"Order",
                                         "Hidden embedders",
                                         "Columns",
                                         "Theme",
                                         "Rank and embedder for this side",
                                         "Measure",
                                         "Derive an embedder from this one"};
    static const char *const hints[] = {"↵ use · Esc leave",
                                        "↵ show again · Esc leave",
                                        "Space show or hide · Esc leave",
                                        "↵ keep · Esc as before",
                                        "↵ compare · Esc leave",
                                        "↵ compute · Space several · Esc leave",
                                        "↵ make · Esc leave"};
    const es_pick *pick = &app->pick;
    int h = (int)(pick->count > 100 ? 100 : pick->count) + 2;
    bool wide = pick->kind == ES_PICK_MEASURE || pick->kind == ES_PICK_DERIVE;
    es_rect rect = es_draw_centred(grid, wide ? 76 : 48, h < 5 ? 5 : h);
    es_rect in = es_draw_overlay(grid, rect, titles[pick->kind], NULL, hints[pick->kind]);
    size_t top = es_draw_first_line(pick->at, pick->count, in.h);
    if (pick->count == 0)
        es_grid_text(grid, in.x + 2, in.y + 1, ES_ROLE_TEXT_DIM, "Nothing here.");
    for (int y = 0; y < in.h && top + (size_t)y < pick->count; y++) {
        size_t row = top + (size_t)y;
        char text[300];
        pick_row(app, row, text, sizeof text);
        es_grid_field(grid, in.x + 2, in.y + y, in.w - 3, -1, ES_ROLE_OVERLAY, text);
        es_grid_click_area(grid, (es_rect){in.x, in.y + y, in.w, 1}, ES_CLICK_LINE, row);
        if (row == pick->at) {
            es_grid_text(grid, in.x, in.y + y, ES_ROLE_CURSOR, "❯");
            es_grid_role(grid, (es_rect){in.x, in.y + y, in.w, 1}, ES_ROLE_SELECTION);
        }
    }
}

/* ---- Questions and notes ---- */

void es_overlay_ask(const es_app *app, es_grid *grid) {
    static const char *const titles[] = {"Quit while the run is on?", "Cancel the run?",
                                         "Overwrite the file?"};
    const es_progress *p = &app->progress;
    const char *title = titles[app->ask];
    bool memory = app->source->store_path(app->source->context) == NULL;
    char text[ES_EXPORT_FILE + 80];
    es_error lost = {0};
    if (app->ask == ES_ASK_OVERWRITE)
        (void)snprintf(text, sizeof text, "%s is there already.", app->export.now.file);
    else if (app->ask == ES_ASK_QUIT &&
             app->source->store_problem(app->source->context, &lost) != ES_OK) {
        title = "Quit and lose results?";
        (void)snprintf(text, sizeof text,
                       "%.300s\n\nQuitting tries once more to store what is in memory only; what "
                       "cannot be stored then is lost.",
                       lost.message);
    } else
        (void)snprintf(text, sizeof text, "%zu of %zu pairs are estimated. %s%s", p->done, p->total,
                       memory ? "They are in memory only and are lost when you quit."
                              : "Finished pairs are kept; the next run goes on from there.",
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

/* ---- The prompt ---- */

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
