/* Ranks by every score: a line an embedder, the best on top, names at both ends. The embedder under
 * the cursor stands out, and so does the score. */
#include <stdio.h>

#include "agreement.h"
#include "corr_panes.h"
#include "facts.h"
#include "phrase.h"
#include "axes.h"
#include "shapes.h"
#include "tree.h"

enum { PITCH = 11, NAMES = 20, ROWS = 96, BEST = 12 };

typedef struct bump {
    const es_app *app;
    es_grid *grid;
    const struct es_agree_state *s;
    const es_agreement *a;
    const es_results *r;
    es_plot plot;
    size_t first, count; /* columns that are shown */
    uint32_t most;       /* the last rank */
} bump;

static uint32_t rank_of(const bump *b, size_t column, size_t p) {
    return b->a->rank[(b->first + column) * b->a->n + p];
}

static int dot_x(const bump *b, size_t column) {
    int steps = b->count > 1 ? (int)b->count - 1 : 1;
    return 1 + (int)column * (b->plot.w - 3) / steps;
}

/* The middle of a line of cells where there are enough; with a line between where there are twice
 * as many. */
static int dot_y(const bump *b, uint32_t rank) {
    int cell = b->plot.h / b->plot.rect.h, last = (int)b->most - 1;
    if (b->most <= (uint32_t)b->plot.rect.h)
        return ((int)rank - 1) * cell * (2 * b->most <= (uint32_t)b->plot.rect.h ? 2 : 1) +
               cell / 2;
    return ((int)rank - 1) * (b->plot.h - 1) / (last > 0 ? last : 1);
}

static es_role role_of(const bump *b, size_t p) {
    size_t item = b->r->model[p], group = es_tree_group(b->app, item);
    return item == b->app->cursor ? ES_ROLE_FIT
           : group != ES_NONE     ? es_draw_community(b->app, group)
                                  : ES_ROLE_TEXT_DIM;
}

/* Where the screen has no room for all, the best by the score under the cursor, the marked and the
 * one under the cursor. */
static bool is_drawn(const bump *b, size_t p) {
    size_t item = b->r->model[p];
    uint32_t rank = b->a->rank[b->s->at * b->a->n + p];
    return b->most <= 2 * (uint32_t)b->plot.rect.h || item == b->app->cursor ||
           b->app->marked[item] || (rank > 0 && rank <= BEST);
}

static void draw_strand(const bump *b, size_t p) {
    bool here = b->r->model[p] == b->app->cursor;
    for (size_t c = 0; c + 1 < b->count; c++) {
        uint32_t from = rank_of(b, c, p), to = rank_of(b, c + 1, p);
        if (from > 0 && to > 0)
            es_plot_line(&b->plot, dot_x(b, c), dot_y(b, from), dot_x(b, c + 1), dot_y(b, to),
                         here ? 1 : 2, role_of(b, p));
    }
    for (size_t c = 0; c < b->count; c++) {
        uint32_t rank = rank_of(b, c, p);
        if (rank == 0)
            continue;
        int x = dot_x(b, c), y = dot_y(b, rank);
        es_rect cell = {es_plot_column(&b->plot, x), es_plot_row(&b->plot, y), 1, 1};
        es_grid_click_area(b->grid, cell, ES_CLICK_ITEM, b->r->model[p]);
        es_plot_glyph(&b->plot, x, y, here ? ES_ROLE_POINT_CURSOR : role_of(b, p),
                      b->app->ascii ? (here ? "@" : "o")
                      : here        ? "◆"
                                    : "●");
    }
}

/* Names beside the first or the last column, the one under the cursor first; equal ranks share a
 * line, and who finds none near goes without. */
static size_t draw_names(const bump *b, bool last, es_rect r) {
    bool taken[ROWS] = {false};
    size_t left_out = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t p = 0; p < b->a->n; p++) {
            size_t item = b->r->model[p];
            uint32_t rank = rank_of(b, last ? b->count - 1 : 0, p);
            if (rank == 0 || (item == b->app->cursor) != (pass == 0) || !is_drawn(b, p))
                continue;
            int y = es_plot_row(&b->plot, dot_y(b, rank)) - r.y, limit = y + 3;
            while (y < r.h && y < ROWS && y < limit && taken[y])
                y++;
            if (y >= r.h || y >= ROWS || y >= limit) {
                left_out++;
                continue;
            }
            taken[y] = true;
            es_role role = pass == 0 ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
            es_grid_field(b->grid, r.x, r.y + y, r.w, last ? -1 : 1, role,
                          es_app_name(b->app, item));
            es_grid_click_area(b->grid, (es_rect){r.x, r.y + y, r.w, 1}, ES_CLICK_ITEM, item);
        }
    return left_out;
}

static void draw_heads(const bump *b, int y) {
    int pitch = b->count > 1 ? b->plot.rect.w / ((int)b->count - 1) : b->plot.rect.w;
    for (size_t c = 0; c < b->count; c++) {
        const char *title = es_agreement_title(b->app, b->first + c);
        bool here = b->first + c == b->s->at;
        int at = es_plot_column(&b->plot, dot_x(b, c)), w = es_grid_width(b->grid, title);
        w = w < pitch - 1 ? w : pitch - 1;
        int x = at - w / 2, low = b->plot.rect.x - NAMES / 2,
            high = b->plot.rect.x + b->plot.rect.w + NAMES / 2;
        x = x < low ? low : x + w > high ? high - w : x;
        es_grid_field(b->grid, x, y, w, 0, here ? ES_ROLE_COLUMN_SORTED : ES_ROLE_COLUMN_HEADER,
                      title);
        es_grid_click_area(b->grid, (es_rect){x, y, w, 1}, ES_CLICK_LINE, b->first + c);
    }
}

static void choose_columns(bump *b, int room) {
    size_t fit = room > PITCH ? (size_t)(room / PITCH) + 1 : 1;
    b->count = b->a->k < fit ? b->a->k : fit;
    b->first = b->s->at >= b->count ? b->s->at + 1 - b->count : 0;
    for (size_t i = 0; i < b->a->k * b->a->n; i++)
        b->most = b->a->rank[i] > b->most ? b->a->rank[i] : b->most;
}

/* "12 of 200 lines, 3 names without room, 4 of 9 scores": what is not to be seen. */
static void put_hidden(const bump *b, size_t nameless, char *out, size_t capacity) {
    size_t lines = 0;
    out[0] = '\0';
    for (size_t p = 0; p < b->a->n; p++)
        lines += is_drawn(b, p);
    if (lines < b->a->n)
        es_phrase_add(out, capacity, "%zu of %zu lines: the best here, the marked", lines, b->a->n);
    if (nameless > 0)
        es_phrase_add(out, capacity, "%s%zu name%s without room", out[0] ? ", " : "", nameless,
                      nameless == 1 ? "" : "s");
    if (b->count < b->a->k)
        es_phrase_add(out, capacity, "%s%zu of %zu scores", out[0] ? ", " : "", b->count, b->a->k);
}

static void draw_lines(bump *b, es_rect in) {
    int names = in.w >= 3 * NAMES ? NAMES : in.w / 4;
    es_rect r = {in.x + names + 1, in.y + 1, in.w - 2 * names - 2, in.h - 2};
    char hidden[96];
    if (r.w < 8 || r.h < 3)
        return;
    choose_columns(b, r.w);
    b->plot = es_plot_begin(b->grid, r, es_axes_style(b->app), ES_ROLE_BACKGROUND);
    es_grid_fill(b->grid, (es_rect){in.x, in.y, in.w, 1}, ES_ROLE_COLUMN_HEADER, ' ');
    draw_heads(b, in.y);
    for (int pass = 0; pass < 2; pass++) /* the one under the cursor over the others */
        for (size_t p = 0; p < b->a->n; p++)
            if ((b->r->model[p] == b->app->cursor) == (pass == 1) && is_drawn(b, p))
                draw_strand(b, p);
    size_t left = draw_names(b, false, (es_rect){in.x, r.y, names, r.h}),
           right = draw_names(b, true, (es_rect){r.x + r.w + 1, r.y, names, r.h});
    put_hidden(b, left > right ? left : right, hidden, sizeof hidden);
    es_grid_field(b->grid, in.x, in.y + in.h - 1, in.w, 0, ES_ROLE_TEXT_DIM, hidden);
}

void es_corr_draw_bump(const es_app *app, es_grid *grid, es_rect body) {
    const struct es_agree_state *s = app->agree;
    es_rect in = es_grid_pane(grid, body, true, "Ranks by every score, the best on top", NULL,
                              "gm adds a measure · gb goes back");
    if (s == NULL || s->known == NULL || es_agreement_of(app) == NULL) {
        es_draw_empty(grid, in, "Nothing is known yet",
                      "r starts the estimation; gm chooses a measure to compute.");
        return;
    }
    bump b = {.app = app,
              .grid = grid,
              .s = s,
              .a = es_agreer_report(s->known),
              .r = es_agreement_of(app)};
    es_rect old = es_grid_clip(grid, in);
    if (b.a->n <= b.r->m)
        draw_lines(&b, in);
    es_grid_set_clip(grid, old);
}
