/* A question about rows: the row, and below it the two that may be nearer, side by side. */
#include <stdio.h>

#include "app_dialogs.h"
#include "tui_screen.h"

enum { WIDTH = 118, HEIGHT = 30, GAP = 3, SAYS = 3 /* lines for what the answers say */ };

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
        es_grid_text(grid, in.x + half + 1, y + i, ES_ROLE_BORDER, app->ascii ? "|" : "│");
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
    es_rect rect = es_draw_centred(grid, WIDTH, HEIGHT);
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
