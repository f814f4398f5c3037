/* Drawn by hand from the sheet of the leaderboard, whose columns are found by their keys. */
#include "tui_panes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_sheets.h"

enum { BAND = 2, RANK = 5, MEAN = 8, RANKS = 10, STRIP = 12 };

typedef struct columns {
    const es_table_out *table;
    size_t rank, model, mean, low, high, best;
} columns;

static size_t find(const es_table_out *t, const char *key) {
    size_t j = 0;
    while (j + 1 < es_table_out_columns(t) && strcmp(es_table_out_column(t, j)->key, key) != 0)
        j++;
    return j;
}

static columns find_columns(const es_table_out *t) {
    return (columns){t,
                     find(t, "rank"),
                     find(t, "model"),
                     find(t, "mean"),
                     find(t, "rank_low"),
                     find(t, "rank_high"),
                     find(t, "in_best_set")};
}

/* Every sentence of the answer; returns the lines it takes. */
static int draw_answer(const es_app *app, es_grid *grid, es_rect in) {
    const es_sheet *sheet = app->sheets->sheet;
    int y = 0;
    for (size_t i = 0; i < sheet->statements; i++)
        if (sheet->statement[i].kind != ES_SAYS_NOTE)
            y += es_draw_wrap(grid, (es_rect){in.x, in.y + y, in.w, in.h - y < 0 ? 0 : in.h - y},
                              sheet->statement[i].kind == ES_SAYS_WARNING ? ES_ROLE_WARNING
                                                                          : ES_ROLE_TEXT_STRONG,
                              sheet->statement[i].text, 0);
    return y;
}

static void draw_row(const es_app *app, es_grid *grid, es_rect r, const columns *c, int name,
                     size_t line) {
    const struct es_sheets_state *s = app->sheets;
    size_t row = s->order[line], item = es_sheets_item(app, line);
    es_role role = line == s->line ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
    const char *model = es_table_out_text_at(c->table, row, c->model);
    double rank = es_table_out_number_at(c->table, row, c->rank),
           low = es_table_out_number_at(c->table, row, c->low),
           high = es_table_out_number_at(c->table, row, c->high);
    char text[64] = "-";
    int x = r.x + BAND, end = r.x + r.w;
    es_grid_fill(grid, r, role, ' ');
    es_grid_click_area(grid, r, ES_CLICK_LINE, line);
    if (es_table_out_number_at(c->table, row, c->best) > 0)
        es_grid_text(grid, r.x, r.y, role == ES_ROLE_TEXT ? ES_ROLE_BEST : role,
                     grid->ascii ? "|" : "▌");
    if (item != ES_NONE && app->marked[item])
        es_grid_text(grid, r.x + 1, r.y, role == ES_ROLE_TEXT ? ES_ROLE_MARK : role, "●");
    if (!isnan(rank))
        (void)snprintf(text, sizeof text, "%.0f", rank);
    es_grid_field(grid, x, r.y, RANK - 1, 1, role, text);
    es_grid_field(grid, x + RANK, r.y, name, -1, role, model ? model : "-");
    x += RANK + name + 1;
    (void)snprintf(text, sizeof text, "%.3f", es_table_out_number_at(c->table, row, c->mean));
    es_grid_field(grid, x, r.y, MEAN - 1, 1, role, text);
    x += MEAN;
    if (isnan(rank) || end - x < RANKS + STRIP)
        return;
    (void)snprintf(text, sizeof text, low < high ? "#%.0f-%.0f" : "#%.0f", low, high);
    es_grid_field(grid, end - RANKS, r.y, RANKS, 1, role, text);
    es_draw_interval(grid, (es_rect){x, r.y, end - RANKS - x, 1},
                     (double[]){1, (double)(s->rows > 1 ? s->rows : 2)},
                     (double[]){low, rank, high}, role, grid->ascii ? "o" : "●");
}

static void draw_standing(const es_app *app, es_grid *grid, es_rect pane, const char *place) {
    const struct es_sheets_state *s = app->sheets;
    const columns c = find_columns(es_sheets_table(app));
    size_t best = 0;
    int name = 4;
    char bottom[96] = "";
    for (size_t i = 0; i < s->rows; i++) {
        const char *model = es_table_out_text_at(c.table, i, c.model);
        int own = model ? es_grid_width(grid, model) : 0;
        best += es_table_out_number_at(c.table, i, c.best) > 0;
        name = own > name ? own : name;
    }
    if (best > 0)
        (void)snprintf(bottom, sizeof bottom, "%s candidates: %zu of %zu · Enter compares",
                       grid->ascii ? "|" : "▌", best, s->rows);
    es_rect in = es_grid_pane(grid, pane, true, "4 Standing: rank, mean, interval of the rank",
                              place, bottom);
    int most = in.w - BAND - RANK - MEAN - RANKS - STRIP - 1;
    name = name < most ? name : most < 8 ? 8 : most;
    size_t top = es_draw_first_line(s->line, s->rows, in.h);
    for (int y = 0; y < in.h && top + (size_t)y < s->rows; y++)
        draw_row(app, grid, (es_rect){in.x, in.y + y, in.w, 1}, &c, name, top + (size_t)y);
}

void es_draw_board(const es_app *app, es_grid *grid, es_rect body, const char *place) {
    enum { BORDERS = 2 };
    es_rect measure = {body.x, body.y, body.w - 4, 0};
    int lines = draw_answer(app, grid, measure), most = body.h / 2;
    es_rect answer = {body.x, body.y, body.w, (lines < most ? lines : most) + BORDERS};
    es_rect in = es_grid_pane(grid, answer, false, "The answer", app->source->name,
                              lines > most ? "a larger window shows all of it" : "");
    (void)draw_answer(app, grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h});
    draw_standing(app, grid, (es_rect){body.x, body.y + answer.h, body.w, body.h - answer.h},
                  place);
}

/* The lines above Pool and Rank, and the first tile of the overview: what the ranking comes to. Who
 * is first stands out, the rest is what may be said of it. */

void es_draw_answer(const es_app *app, es_grid *grid, es_rect r) {
    const es_headline *headline = &app->headline;
    char lead[512];
    if (r.h < 1 || headline->text == NULL)
        return;
    es_rect old = es_grid_clip(grid, r);
    es_draw_wrap(grid, r, ES_ROLE_TEXT, headline->text, 0);
    size_t length = headline->lead < sizeof lead ? headline->lead : sizeof lead - 1;
    memcpy(lead, headline->text, length);
    lead[length] = '\0';
    for (int left = es_grid_width(grid, lead), y = 0; left > 0 && y < r.h; left -= r.w, y++)
        es_grid_role(grid, (es_rect){r.x, r.y + y, left < r.w ? left : r.w, 1},
                     ES_ROLE_TEXT_STRONG);
    es_grid_set_clip(grid, old);
}
