/* The worst pairs of an embedder under EvalRank: the two rows, and the one that came between. */
#include <stdio.h>

#include "draw.h"

enum {
    WIDTH = 116,
    RANK = 8,
    WHAT = 8,
    ROW = 7,
    COSINE = 6,
    PAIR = 4 /* lines, one of them blank */
};

/* As much of a text as fits, from its beginning. */
static void put_text(es_grid *grid, int x, int y, int w, es_role role, const char *text) {
    int dots = grid->ascii ? 2 : 1;
    bool cut = es_grid_width(grid, text) > w;
    if (w <= dots)
        return;
    es_rect old = es_grid_clip(grid, (es_rect){x, y, cut ? w - dots : w, 1});
    es_grid_text(grid, x, y, role, text);
    es_grid_set_clip(grid, old);
    if (cut)
        es_grid_text(grid, x + w - dots, y, role, grid->ascii ? ".." : "…");
}

/* "partner  1234  0.812  its text"; from `x` on. */
static void put_row(const es_app *app, es_grid *grid, es_rect line, const char *what, size_t row,
                    double cosine) {
    char text[32];
    es_source_row known = {0};
    int x = line.x, end = line.x + line.w;
    es_grid_text(grid, x, line.y, ES_ROLE_OVERLAY, what);
    x += WHAT;
    if (row == ES_NONE) {
        put_text(grid, x + 1, line.y, end - x - 1, ES_ROLE_OVERLAY, "nothing");
        return;
    }
    if (!app->source->row(app->source->context, ES_NONE, row, &known))
        known.number = row;
    (void)snprintf(text, sizeof text, "%zu", known.number);
    es_grid_field(grid, x, line.y, ROW, 1, ES_ROLE_OVERLAY, text);
    x += ROW + 1;
    if (isfinite(cosine)) {
        (void)snprintf(text, sizeof text, "%.3f", cosine);
        es_grid_field(grid, x, line.y, COSINE, 1, ES_ROLE_OVERLAY, text);
    }
    x += COSINE + 2;
    put_text(grid, x, line.y, end - x, ES_ROLE_OVERLAY, known.text);
}

static void put_pair(const es_app *app, es_grid *grid, es_rect r, const es_source_pair *pair,
                     bool here) {
    char rank[32];
    es_rect line = {r.x + 2 + RANK + 2, r.y, r.w - 2 - RANK - 3, 1};
    if (here)
        es_grid_text(grid, r.x, r.y, ES_ROLE_CURSOR, "❯");
    (void)snprintf(rank, sizeof rank, "%.1f", pair->rank);
    es_grid_field(grid, r.x + 2, r.y, RANK, 1, ES_ROLE_OVERLAY, rank);
    put_row(app, grid, line, "row", pair->row, (double)NAN);
    line.y++;
    put_row(app, grid, line, "partner", pair->partner, pair->similarity);
    line.y++;
    put_row(app, grid, line, "between", pair->between, pair->between_similarity);
    if (here)
        es_grid_role(grid, (es_rect){r.x, r.y, r.w, PAIR - 1}, ES_ROLE_SELECTION);
}

static void put_titles(const es_app *app, es_grid *grid, es_rect in) {
    bool texts = app->source->row_texts(app->source->context, ES_NONE);
    int x = in.x + 2;
    es_grid_fill(grid, (es_rect){in.x, in.y, in.w, 1}, ES_ROLE_TEXT_DIM, ' ');
    es_grid_field(grid, x, in.y, RANK, 1, ES_ROLE_TEXT_DIM, "rank");
    x += RANK + 2 + WHAT;
    es_grid_field(grid, x, in.y, ROW, 1, ES_ROLE_TEXT_DIM, "number");
    es_grid_field(grid, x + ROW + 1, in.y, COSINE, 1, ES_ROLE_TEXT_DIM, "cosine");
    x += ROW + 1 + COSINE + 2;
    put_text(grid, x, in.y, in.x + in.w - 1 - x, ES_ROLE_TEXT_DIM,
             texts ? "text" : "rows.csv would give texts");
}

static void put_list(const es_app *app, es_grid *grid, es_rect in, const es_source_worst *worst) {
    size_t at = app->worst.at < worst->count ? app->worst.at : worst->count - 1;
    size_t page = in.h > PAIR ? (size_t)in.h / PAIR : 1;
    size_t top = at < page / 2 ? 0 : at - page / 2;
    if (top + page > worst->count)
        top = worst->count > page ? worst->count - page : 0;
    put_titles(app, grid, in);
    es_rect old = es_grid_clip(grid, in);
    for (size_t i = 0; i < page && top + i < worst->count; i++) {
        es_rect r = {in.x, in.y + 1 + PAIR * (int)i, in.w, PAIR};
        es_source_pair pair;
        app->source->worst_pair(app->source->context, top + i, &pair);
        put_pair(app, grid, r, &pair, top + i == at);
    }
    es_grid_set_clip(grid, old);
}

static void say(es_grid *grid, es_rect in, const char *head, const char *text) {
    es_grid_text(grid, in.x + 2, in.y + 1, ES_ROLE_OVERLAY, head);
    es_draw_wrap(grid, (es_rect){in.x + 2, in.y + 3, in.w - 4, in.h - 3}, ES_ROLE_OVERLAY, text, 0);
}

void es_overlay_worst(const es_app *app, es_grid *grid) {
    es_source_worst worst;
    char title[160], right[48] = "", bottom[240], other[160] = "";
    double score = es_worst_score(app);
    app->source->worst(app->source->context, &worst);
    (void)snprintf(title, sizeof title, "Worst pairs: %s",
                   es_app_model(app, app->worst.item)->name);
    if (isfinite(score))
        (void)snprintf(right, sizeof right, "EvalRank %.3f", score);
    if (app->worst.next != ES_NONE)
        (void)snprintf(other, sizeof other, "Tab: %.120s · ",
                       es_app_model(app, app->worst.next)->name);
    if (worst.count > 0)
        (void)snprintf(bottom, sizeof bottom, "%zu of %zu · j k scroll · %sEsc close",
                       app->worst.at + 1, worst.count, other);
    else
        (void)snprintf(bottom, sizeof bottom, "%s%s", other,
                       worst.busy ? "Esc stops" : "Esc close");
    es_rect rect = es_draw_centred(grid, grid->w - 2 < WIDTH ? grid->w - 2 : WIDTH, grid->h - 2);
    es_rect in = es_draw_overlay(grid, rect, title, right, bottom);
    if (worst.count > 0)
        put_list(app, grid, in, &worst);
    else if (worst.busy)
        say(grid, in, "Ranking the pairs ...",
            "The partner in each pair is looked for among all rows. The run gives way to this.");
    else
        say(grid, in, "The pairs cannot be ranked", worst.problem.message);
}
