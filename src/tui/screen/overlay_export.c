/* The export dialog: what will be written, and the command line that writes it. */
#include <stdio.h>

#include "tui_screen.h"
#include "app_dialogs.h"
#include "app_sheets.h"

enum { WIDTH = 84, HEIGHT = 17, LABEL = 10 };

typedef struct row {
    es_grid *grid;
    es_rect in;
    int y;
} row;

static int begin_row(row *r, const char *label) {
    es_grid_text(r->grid, r->in.x + 1, r->y, ES_ROLE_TEXT_DIM, label);
    return r->in.x + 1 + LABEL;
}

/* "k what": a key and what it chooses; the chosen one stands out. */
static int put_key(row *r, int x, const char *key, const char *text, bool chosen) {
    int from = x;
    x += es_grid_text(r->grid, x, r->y, ES_ROLE_KEY, key) + 1;
    x += es_grid_text(r->grid, x, r->y, chosen ? ES_ROLE_TEXT_STRONG : ES_ROLE_KEY_LABEL, text);
    if (chosen) {
        es_grid_text(r->grid, from - 1, r->y, ES_ROLE_CURSOR, "❯");
        es_grid_role(r->grid, (es_rect){from - 1, r->y, x - from + 2, 1}, ES_ROLE_SELECTION);
    }
    es_grid_click_area(r->grid, (es_rect){from, r->y, x - from, 1}, ES_CLICK_KEY,
                       (unsigned char)key[0]);
    return x + 2;
}

/* Those that lead to another view, too. Two lines where one does not hold them. */
static void put_forms(const es_app *app, row *r) {
    const es_export_request *now = &app->export.now;
    int x = begin_row(r, "format");
    for (int form = 0; form < ES_EXPORT_FORMS; form++) {
        const char key[2] = {es_export_keys[form], '\0'};
        bool part = form == ES_EXPORT_HTML && es_export_is_of_board(now->view);
        const char *title = part ? "HTML" : es_export_form_title((es_export_form)form);
        bool leads = now->view == ES_EXPORT_REPORT || form == ES_EXPORT_HTML;
        es_export_view view = leads ? es_export_of_view(app) : now->view;
        if (form != ES_EXPORT_HTML &&
            es_export_form_refusal(app, view, (es_export_form)form) != NULL)
            continue;
        if (x + 2 + es_text_width(title) >= r->in.x + r->in.w) {
            r->y++;
            x = begin_row(r, "");
        }
        x = put_key(r, x, key, title, now->form == (es_export_form)form);
    }
    r->y++;
}

static void put_file(const es_app *app, row *r) {
    const es_export_state *e = &app->export;
    int x = begin_row(r, "file"), room = r->in.x + r->in.w - x - 1;
    char head[ES_APP_LINE];
    if (!e->naming) {
        int used = es_text_width(e->now.file) < room - 16 ? es_text_width(e->now.file) : room - 16;
        es_grid_field(r->grid, x, r->y, used, 0, ES_ROLE_TEXT_STRONG, e->now.file);
        put_key(r, x + used + 2, "f", "other name", false);
        r->y++;
        return;
    }
    (void)snprintf(head, sizeof head, "%.*s", (int)e->line_edit.cursor, e->line_edit.text);
    int at = es_text_width(head), shift = at > room - 1 ? at - room + 1 : 0;
    es_grid_fill(r->grid, (es_rect){x, r->y, room, 1}, ES_ROLE_PROMPT, ' ');
    es_rect old = es_grid_clip(r->grid, (es_rect){x, r->y, room, 1});
    es_grid_text(r->grid, x - shift, r->y, ES_ROLE_PROMPT, e->line_edit.text);
    es_grid_set_clip(r->grid, old);
    r->grid->cursor_x = x - shift + at;
    r->grid->cursor_y = r->y++;
    r->grid->cursor_visible = true;
}

static void put_choice(const es_app *app, row *r) {
    const es_export_request *now = &app->export.now;
    es_export_choice choice = es_export_choose(app, now);
    char text[96];
    int x = begin_row(r, "what");
    if (now->view == ES_EXPORT_COMPARE)
        (void)snprintf(text, sizeof text, "the %zu compared", app->set.compare.count);
    else if (now->view == ES_EXPORT_MAP)
        (void)snprintf(text, sizeof text, "the rows, coloured as here");
    else if (now->view == ES_EXPORT_SHEET)
        (void)snprintf(text, sizeof text, "the sheet that is shown");
    else if (now->view == ES_EXPORT_SETS)
        (void)snprintf(text, sizeof text, "all data sets and embedders");
    else if (es_export_is_of_board(now->view))
        (void)snprintf(text, sizeof text, "the scores, as here");
    else if (now->view == ES_EXPORT_REPORT)
        (void)snprintf(text, sizeof text, "all of the pool, on one page to send");
    else if (choice.shown == choice.of || es_export_is_of_all(now->view))
        (void)snprintf(text, sizeof text, "all %zu embedders", choice.of);
    else if (es_export_counts_all(now->view))
        (void)snprintf(text, sizeof text, "coefficients over all %zu embedders%s", choice.of,
                       !es_export_is_picture(now->form) ? ""
                       : choice.marked                  ? "; drawn: marked ones"
                                                        : "; drawn: those not hidden");
    else
        (void)snprintf(text, sizeof text, "%zu of %zu embedders: %s", choice.shown, choice.of,
                       choice.marked ? "the marked ones" : "not hidden, not filtered out");
    x += es_grid_text(r->grid, x, r->y, ES_ROLE_OVERLAY, text) + 2;
    if (!es_export_is_of_all(now->view) && (choice.marked || now->all))
        put_key(r, x, "a", now->all ? "marked only" : "all", false);
    r->y++;
}

static void put_look(const es_app *app, row *r) {
    static const char *const widths[] = {"width: usual", "width: single column",
                                         "width: double column"};
    const es_export_request *now = &app->export.now;
    char look[80];
    if (es_export_is_picture(now->form)) {
        int x = begin_row(r, "look");
        x = put_key(r, x, "w", widths[now->width], false);
        (void)snprintf(look, sizeof look, "theme: %s",
                       now->look == ES_EXPORT_THEME  ? app->theme
                       : now->look == ES_EXPORT_DARK ? "dark"
                                                     : "light");
        put_key(r, x, "t", look, false);
    }
    r->y++;
}

void es_overlay_export(const es_app *app, es_grid *grid) {
    const es_export_state *e = &app->export;
    char title[64], remark[160];
    const es_analysis *shown = e->now.view == ES_EXPORT_SHEET ? es_sheets_shown(app) : NULL;
    (void)snprintf(title, sizeof title, "Export: %s",
                   shown ? shown->id : es_export_view_name(e->now.view));
    es_rect rect = es_draw_centred(grid, WIDTH, HEIGHT);
    es_rect in = es_draw_overlay(grid, rect, title, NULL,
                                 e->naming ? "↵ take this name · Esc as before"
                                           : "↵ write · y copy the command · v view · Esc leave");
    row r = {grid, in, in.y + (in.h > 12)};
    put_forms(app, &r);
    put_file(app, &r);
    put_choice(app, &r);
    put_look(app, &r);
    es_export_remark(app, &e->now, remark, sizeof remark);
    if (remark[0] != '\0')
        r.y += es_draw_wrap(grid, (es_rect){in.x + 1, r.y, in.w - 2, in.y + in.h - r.y},
                            ES_ROLE_WARNING, remark, 0);
    r.y++;
    es_grid_text(grid, in.x + 1, r.y++, ES_ROLE_TEXT_DIM, "The same from a shell or a Makefile:");
    char *line = es_export_text(app, &e->now);
    if (line != NULL)
        es_draw_wrap(grid, (es_rect){in.x + 1, r.y, in.w - 2, in.y + in.h - r.y}, ES_ROLE_OVERLAY,
                     line, 0);
    es_free(line);
}
