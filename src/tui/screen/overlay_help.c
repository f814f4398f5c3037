/* Help: the commands of this view or of all, as far as the filter lets them through, and what the
 * signs mean. */
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_values.h"
#include "tui_screen.h"
#include "tui_draw.h"

/* The views that a command is of, where those of all are listed. */
static void put_views(es_command command, char *out, size_t capacity) {
    for (int v = 0; v < ES_VIEW_COUNT; v++)
        if (es_command_in_view(command, (es_view_id)v))
            es_phrase_add(out, capacity, "%s%s", out[0] == '\0' ? "" : ", ", es_views[v]->brief);
}

/* What a command is set to now, for the right column; "" when there is nothing to say. */
static void help_now(const es_app *app, es_command command, char *out, size_t capacity) {
    const char *refusal = es_command_refusal(app, command);
    out[0] = '\0';
    if (app->help.all && es_command_is_own(command))
        put_views(command, out, capacity);
    else if (refusal != NULL)
        (void)snprintf(out, capacity, "%s", refusal);
    else if (command == ES_COMMAND_ORDER)
        (void)snprintf(out, capacity, "now: %s", es_matrix_order_names[app->set.order]);
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
    const es_view *view = es_views[app->view];
    const char *own = view->signs == NULL ? NULL : view->signs(app);
    int lines = es_draw_wrap(grid, r, ES_ROLE_OVERLAY, everywhere, 0);
    if (own != NULL)
        lines += es_draw_wrap(grid, (es_rect){r.x, r.y + lines, r.w, r.h - lines}, ES_ROLE_OVERLAY,
                              own, 0);
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
        if (i == 0 || i == help->ready ||
            (i < help->ready && group != es_commands[help->match[i - 1]].group)) {
            if (i > 0)
                line++;
            if (draw && line >= skip && line - skip < r.h)
                es_grid_text(grid, r.x, r.y + line - skip, ES_ROLE_TEXT_STRONG,
                             i == help->ready                      ? "Not now"
                             : help->all && group == ES_GROUP_VIEW ? "Views, each in its own"
                                                                   : es_command_group_name(group));
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

/* Lines of the paragraphs at the beginning of `text` that fit in `most` lines; 0: not even one. */
static int whole_paragraphs(es_grid *grid, es_rect r, const char *text, int most) {
    es_rect nowhere = {r.x, r.y, r.w, 0};
    int total = es_draw_wrap(grid, nowhere, ES_ROLE_OVERLAY, text, 0), lines = 0;
    if (total <= most)
        return total;
    for (const char *end = text; (end = strstr(end, "\n\n")) != NULL; end += 2) {
        int before = total - es_draw_wrap(grid, nowhere, ES_ROLE_OVERLAY, end + 2, 0) - 1;
        lines = before <= most ? before : lines;
    }
    return lines;
}

/* The page of this view as far as half of the room holds it, and how to move, above the list.
 * Returns the lines that it takes. */
static int help_intro(const es_app *app, es_grid *grid, es_rect r) {
    enum { LEAST = 12 };
    const char *page = es_topic_text(app->view);
    char more[160];
    if (app->help.all || app->help.filter.text[0] != '\0' || r.h < LEAST)
        return 0;
    int lines = whole_paragraphs(grid, r, page, r.h / 2);
    es_draw_wrap(grid, (es_rect){r.x, r.y, r.w, lines}, ES_ROLE_OVERLAY, page, 0);
    (void)snprintf(more, sizeof more,
                   "Move: arrows or hjkl. Esc goes back, 0 to 9 change the view. More: :help %s",
                   es_view_word(app->view));
    lines += lines > 0;
    lines += es_draw_wrap(grid, (es_rect){r.x, r.y + lines, r.w, 2}, ES_ROLE_TEXT_DIM, more, 0);
    return lines + 1;
}

void es_overlay_help(const es_app *app, es_grid *grid) {
    const es_help *help = &app->help;
    char title[64], bottom[96];
    es_rect rect = /* below it are the run and the keys */
        es_draw_centred(grid, grid->w >= 116 ? 108 : grid->w, grid->h - 3 > 36 ? 36 : grid->h - 3);
    (void)snprintf(title, sizeof title, "Help: %s",
                   help->all ? "all views" : es_view_table[app->view].name);
    (void)snprintf(bottom, sizeof bottom, "%zu of %d commands · ? %s", help->count,
                   (int)ES_COMMAND_COUNT, help->all ? "this view" : "all views");
    es_rect in =
        es_draw_overlay(grid, rect, title, "type to filter · ↵ runs it · Esc closes", bottom);
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
    int intro = help_intro(app, grid, list);
    list.y += intro;
    list.h -= intro;
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
