/* The export dialog: what will be written, and the command line that writes it. */
#include <stdio.h>

#include "app_commands.h"
#include "app_dialogs.h"
#include "app_sheets.h"
#include "tui_screen.h"

enum { EXPORT_WIDTH = 84, EXPORT_HEIGHT = 17, EXPORT_LABEL = 10 };

typedef struct choice_row {
    es_grid *grid;
    es_rect in;
    int y;
} choice_row;

static int begin_row(choice_row *r, const char *label) {
    es_grid_text(r->grid, r->in.x + 1, r->y, ES_ROLE_TEXT_DIM, label);
    return r->in.x + 1 + EXPORT_LABEL;
}

/* "k what": a key and what it chooses; the chosen one stands out. */
static int put_key(choice_row *r, int x, const char *key, const char *text, bool chosen) {
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
static void put_forms(const es_app *app, choice_row *r) {
    const es_export_request *now = &app->export.now;
    int x = begin_row(r, "format");
    for (int form = 0; form < ES_EXPORT_FORMS; form++) {
        const char key[2] = {es_export_keys[form], '\0'};
        bool part = form == ES_EXPORT_HTML && es_export_is(now->view, ES_EXPORT_OF_BOARD);
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

static void put_file(const es_app *app, choice_row *r) {
    const es_export_state *e = &app->export;
    int x = begin_row(r, "file"), room = r->in.x + r->in.w - x - 1;
    if (!e->naming) {
        int used = es_text_width(e->now.file) < room - 16 ? es_text_width(e->now.file) : room - 16;
        es_grid_field(r->grid, x, r->y, used, 0, ES_ROLE_TEXT_STRONG, e->now.file);
        put_key(r, x + used + 2, "f", "other name", false);
    } else
        (void)es_draw_typed(r->grid, (es_rect){x, r->y, room, 1}, &e->line_edit);
    r->y++;
}
static void put_choice(const es_app *app, choice_row *r) {
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
    else if (es_export_is(now->view, ES_EXPORT_OF_BOARD))
        (void)snprintf(text, sizeof text, "the scores, as here");
    else if (now->view == ES_EXPORT_REPORT)
        (void)snprintf(text, sizeof text, "all of the pool, on one page to send");
    else if (choice.shown == choice.of || es_export_is(now->view, ES_EXPORT_OF_ALL))
        (void)snprintf(text, sizeof text, "all %zu embedders", choice.of);
    else if (es_export_is(now->view, ES_EXPORT_COUNTS_ALL))
        (void)snprintf(text, sizeof text, "coefficients over all %zu embedders%s", choice.of,
                       !es_export_is_picture(now->form) ? ""
                       : choice.marked                  ? "; drawn: marked ones"
                                                        : "; drawn: those not hidden");
    else
        (void)snprintf(text, sizeof text, "%zu of %zu embedders: %s", choice.shown, choice.of,
                       choice.marked ? "the marked ones" : "not hidden, not filtered out");
    x += es_grid_text(r->grid, x, r->y, ES_ROLE_OVERLAY, text) + 2;
    if (!es_export_is(now->view, ES_EXPORT_OF_ALL) && (choice.marked || now->all))
        put_key(r, x, "a", now->all ? "marked only" : "all", false);
    r->y++;
}

static void put_look(const es_app *app, choice_row *r) {
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
    es_rect rect = es_draw_centred(grid, EXPORT_WIDTH, EXPORT_HEIGHT);
    es_rect in = es_draw_overlay(
        grid, rect, title, NULL,
        e->naming ? "↵ take this name · Esc as before"
                  : "↵ write, P: as PDF at once · y copy the command · v view · Esc leave");
    choice_row r = {grid, in, in.y + (in.h > 12)};
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

/* The run dialog: what will be estimated, what that costs, and the command line that does the same.
 */

enum { PLANNER_WIDTH = 84, PLANNER_HEIGHT = 16, PLANNER_LABEL = 12 };

/* An arrow that a click turns into its key. */
static int put_arrow(es_grid *grid, int x, int y, bool right, bool ascii) {
    es_grid_text(grid, x, y, ES_ROLE_KEY, right ? (ascii ? ">" : "▸") : (ascii ? "<" : "◂"));
    es_grid_click_area(grid, (es_rect){x, y, 1, 1}, ES_CLICK_KEY,
                       right ? ES_KEY_RIGHT : ES_KEY_LEFT);
    return x + 2;
}

/* Behind a choice: what it is, in its own table's words. */
static const char *explain(const es_planner_request *request, es_planner_field field) {
    const es_estimator *estimator = es_planner_estimator(request);
    const es_preset *preset = es_planner_preset(request);
    if (field == ES_PLANNER_ESTIMATOR)
        return estimator != NULL ? estimator->title : "a preview of all pairs, then each refined";
    if (field == ES_PLANNER_PRESET)
        return preset != NULL ? preset->help : "";
    return "";
}

static void put_field(const es_app *app, es_grid *grid, es_rect in, int y, es_planner_field field) {
    const es_planner_request *request = &app->planner.now;
    bool here = app->planner.field == field;
    char text[96];
    int x = in.x + 1 + PLANNER_LABEL, end = in.x + in.w - 1;
    es_grid_text(grid, in.x + 3, y, here ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT_DIM,
                 es_planner_name(field));
    es_planner_shown(app, request, field, text, sizeof text);
    if (here) {
        es_grid_text(grid, in.x + 1, y, ES_ROLE_CURSOR, "❯");
        x = put_arrow(grid, x, y, false, app->ascii);
    } else
        x += 2;
    int from = x;
    x += es_grid_text(grid, x, y, here ? ES_ROLE_TEXT_STRONG : ES_ROLE_OVERLAY, text);
    if (here) {
        es_grid_role(grid, (es_rect){from, y, x - from, 1}, ES_ROLE_SELECTION);
        put_arrow(grid, x + 1, y, true, app->ascii);
    }
    es_draw_sentence(grid, x + 4, y, end - x - 4, ES_ROLE_TEXT_DIM, explain(request, field));
}

static void put_outlook(const es_app *app, es_grid *grid, es_rect in, int y) {
    es_planner_outlook look = es_planner_look(app, &app->planner.now);
    char text[160], time[32];
    size_t left = look.pairs - (look.known < look.pairs ? look.known : look.pairs);
    es_format_time(look.seconds, time, sizeof time);
    if (app->planner.from.command == NULL || look.pairs == 0)
        (void)snprintf(text, sizeof text, "known when the pool is checked");
    else if (left == 0)
        (void)snprintf(text, sizeof text, "%zu, all known already", look.pairs);
    else if (look.known > 0 || isfinite(look.seconds))
        (void)snprintf(text, sizeof text, "%zu, %zu of them known%s%s", look.pairs, look.known,
                       isfinite(look.seconds) ? "; the rest about " : "",
                       isfinite(look.seconds) ? time : "");
    else
        (void)snprintf(text, sizeof text, "%zu; those in the store are taken from there",
                       look.pairs);
    es_grid_text(grid, in.x + 3, y, ES_ROLE_TEXT_DIM, "pairs");
    es_draw_sentence(grid, in.x + 3 + PLANNER_LABEL, y, in.w - PLANNER_LABEL - 4, ES_ROLE_OVERLAY,
                     text);
}

/* What is wrong with it, or stands in its way, or is to be known. */
static int put_notes(const es_app *app, es_grid *grid, es_rect at) {
    const es_planner_request *request = &app->planner.now;
    const char *hindrance = es_planner_hindrance(app, request);
    char text[sizeof(es_error)];
    es_error err = {0};
    es_planner_remark(app, request, text, sizeof text);
    if (es_planner_problem(app, request, &err) != ES_OK)
        return es_draw_wrap(grid, at, ES_ROLE_ERROR, err.message, 0);
    if (hindrance != NULL && (app->phase != ES_PHASE_DONE || es_planner_differs(app, request)))
        (void)snprintf(text, sizeof text, "Not now: %s.", hindrance);
    return text[0] != '\0' ? es_draw_wrap(grid, at, ES_ROLE_WARNING, text, 0) : 0;
}

void es_overlay_planner(const es_app *app, es_grid *grid) {
    es_rect rect = es_draw_centred(grid, PLANNER_WIDTH, PLANNER_HEIGHT);
    es_rect in = es_draw_overlay(grid, rect, "Run", NULL,
                                 "↵ start · y copy the command · ←/→ change · Esc leave");
    es_rect old = es_grid_clip(grid, in);
    bool roomy = in.h > 12;
    int y = in.y + roomy;
    for (int field = 0; field < ES_PLANNER_FIELDS; field++)
        put_field(app, grid, in, y++, (es_planner_field)field);
    y += roomy;
    put_outlook(app, grid, in, y++);
    y += put_notes(app, grid, (es_rect){in.x + 3, y, in.w - 4, in.y + in.h - y});
    y += roomy;
    es_grid_text(grid, in.x + 1, y++, ES_ROLE_TEXT_DIM, "The same from a shell or a Makefile:");
    char *line = es_planner_text(app, &app->planner.now);
    if (line != NULL && y < in.y + in.h)
        es_draw_wrap(grid, (es_rect){in.x + 1, y, in.w - 2, in.y + in.h - y}, ES_ROLE_OVERLAY, line,
                     0);
    es_free(line);
    es_grid_set_clip(grid, old);
}

/* A question about rows: the row, and below it the two that may be nearer, side by side. */

enum { DUEL_WIDTH = 118, DUEL_HEIGHT = 30, GAP = 3, SAYS = 3 /* lines for what the answers say */ };

static const char *text_of(const es_duels_asked *asked, int which) {
    return asked->text[which] != NULL ? asked->text[which] : "(no text: the pool has no rows.csv)";
}

static int lines_of(es_grid *grid, int w, const char *text) {
    return es_draw_wrap(grid, (es_rect){0, 0, w, 0}, ES_ROLE_OVERLAY, text, 0);
}

/* A heading, and the text below it, so many lines left out as there are below the last that shows.
 */
static void put_row(es_grid *grid, es_rect at, const char *key, const char *says, uint32_t row,
                    const char *text, int scroll) {
    char number[96];
    int below = lines_of(grid, at.w, text) - (at.h - 1);
    int skip = below < 0 ? 0 : scroll < below ? scroll : below;
    int x = at.x + es_grid_text(grid, at.x, at.y, ES_ROLE_KEY, key);
    (void)snprintf(number, sizeof number, "%s%s row %u%s", key[0] != '\0' ? " " : "", says, row,
                   key[0] != '\0' ? "" : ": which of the two below is nearer in meaning?");
    es_grid_text(grid, x, at.y, ES_ROLE_TEXT_DIM, number);
    es_draw_wrap(grid, (es_rect){at.x, at.y + 1, at.w, at.h - 1}, ES_ROLE_OVERLAY, text, skip);
}

/* The half that answers by a click, with its key. */
static void put_side(es_grid *grid, es_rect at, const es_duels_asked *asked, bool right,
                     int scroll) {
    const es_duel_question *q = &asked->question;
    es_grid_click_area(grid, at, ES_CLICK_KEY, right ? 'l' : 'h');
    put_row(grid, at, right ? "l" : "h", right ? "right" : "left", right ? q->right : q->left,
            text_of(asked, right ? 2 : 1), scroll);
}

static void put_question(const es_app *app, es_grid *grid, es_rect in) {
    const es_duels_asked *asked = &app->duels->next[0];
    int half = (in.w - GAP) / 2, third = in.h / 3 > 2 ? in.h / 3 : 2;
    int lines = lines_of(grid, in.w, text_of(asked, 0)), scroll = app->duels->scroll;
    es_rect top = {in.x, in.y, in.w, 1 + (lines < third ? lines : third)};
    int y = top.y + top.h + 1, h = in.y + in.h - y;
    put_row(grid, top, "", "This is", asked->question.row, text_of(asked, 0), scroll);
    put_side(grid, (es_rect){in.x, y, half, h}, asked, false, scroll);
    put_side(grid, (es_rect){in.x + half + GAP, y, half, h}, asked, true, scroll);
    for (int i = 0; i < h; i++)
        es_grid_text(grid, in.x + half + 1, y + i, ES_ROLE_BORDER, "│");
}

/* Why there is no question to show. */
static void put_none(const es_app *app, es_grid *grid, es_rect in) {
    const es_duels *d = app->duels;
    const char *text = d->why.code != ES_OK ? d->why.message : "Looking for the next question";
    es_draw_wrap(grid, in, d->why.code != ES_OK ? ES_ROLE_WARNING : ES_ROLE_TEXT_DIM, text, 0);
}

static void put_standing(const es_app *app, es_grid *grid, es_rect in) {
    const es_error *why = app->source->duel.report_why;
    const char *sentence = es_duels_sentence(app);
    if (sentence != NULL)
        es_draw_wrap(grid, in, ES_ROLE_TEXT_STRONG, sentence, 0);
    else if (why != NULL && why->code != ES_OK)
        es_draw_wrap(grid, in, ES_ROLE_ERROR, why->message, 0);
}

void es_overlay_duel(const es_app *app, es_grid *grid) {
    const es_duels *d = app->duels;
    char title[64], right[48];
    size_t number = d->answered + 1;
    size_t goal = (number + ES_DUELS_GOAL - 1) / ES_DUELS_GOAL * ES_DUELS_GOAL;
    (void)snprintf(title, sizeof title, "Duel: question %zu of %zu", number, goal);
    (void)snprintf(right, sizeof right, "%zu candidates", d->k);
    es_rect rect = es_draw_centred(grid, DUEL_WIDTH, DUEL_HEIGHT);
    es_rect in = es_draw_overlay(grid, rect, title, right,
                                 grid->w < 84 ? "h left · l right · = equal · s skip · "
                                                "u undo · jk scroll · q stop"
                                              : "h left · l right · = neither or both · s skip · "
                                                "u undo · o show · j k scroll · q stop");
    es_rect old = es_grid_clip(grid, in);
    es_rect body = {in.x + 1, in.y, in.w - 2, in.h - SAYS - 1};
    if (d->count > 0)
        put_question(app, grid, body);
    else
        put_none(app, grid, body);
    put_standing(app, grid, (es_rect){in.x + 1, in.y + in.h - SAYS, in.w - 2, SAYS});
    es_grid_set_clip(grid, old);
}
