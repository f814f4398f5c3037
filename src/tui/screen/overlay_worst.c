/* Where a measure does worst: pairs with the row that came between, queries with an answer, rows
 * with their nearest by either of two embedders. */
#include <stdio.h>

#include "overlays.h"
#include "shapes.h"
#include "facts.h"
#include "number_text.h"
#include "worst_list.h"

static const struct {
    const char *title, *value, *row[ES_WORST_ROWS_SHOWN], *busy, *does, *failed;
} kinds[] = {
    [ES_WORST_PAIRS] = {"Worst pairs",
                        "rank",
                        {"row", "partner", "between"},
                        "Ranking the pairs ...",
                        "The partner in each pair is looked for among all rows.",
                        "The pairs cannot be ranked"},
    [ES_WORST_QUERIES] = {"Worst queries",
                          "M",
                          {"query", "answer", NULL},
                          "Testing the queries ...",
                          "Each query's answers are set against other documents.",
                          "The queries cannot be listed"},
    [ES_WORST_RETRIEVED] = {"Worst retrieved queries",
                            "nDCG",
                            {"query", "answer", "first"},
                            "Asking the queries ...",
                            "Each query's answers are looked for among all documents.",
                            "The queries cannot be listed"},
    [ES_WORST_ROWS] = {"Least shared neighbours",
                       "shared",
                       {"row", "by A", "by B"},
                       "Looking for neighbours ...",
                       "The nearest rows of each row are found, by either embedder.",
                       "The rows cannot be listed"},
    [ES_WORST_PMI] =
        {"Where they agree least (top) and most (G)",
         "pmi",
         {"row", "rival", NULL},
         "Training a critic ...",
         "A critic learns on other rows which row of A belongs to which of B. Its score "
         "of a row that it has not seen estimates the pointwise information.",
         "The rows cannot be listed"},
};

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

/* "partner  1234  0.812  its text"; from `x` on. `own`: its number is not a row's. */
static void put_row(const es_app *app, es_grid *grid, es_rect line, const char *what, size_t row,
                    double cosine, bool own) {
    char text[32];
    es_source_row known = {0};
    int x = line.x, end = line.x + line.w;
    es_grid_text(grid, x, line.y, ES_ROLE_OVERLAY, what);
    x += WHAT;
    if (row == UINT32_MAX) {
        put_text(grid, x + 1, line.y, end - x - 1, ES_ROLE_OVERLAY, "nothing");
        return;
    }
    if (own || !app->source->row(app->source->context, ES_NONE, row, &known))
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

/* The number that says how bad it is, and what qualifies it, below. */
static void put_value(const es_app *app, es_grid *grid, int x, int y, const es_worst_line *line) {
    char text[64];
    if (app->worst.kind == ES_WORST_ROWS)
        (void)snprintf(text, sizeof text, "%zu/%zu", line->count, line->of);
    else
        (void)snprintf(text, sizeof text, "%.*f",
                       app->worst.kind == ES_WORST_PAIRS ? 1
                       : app->worst.kind == ES_WORST_PMI ? 2
                                                         : 4,
                       line->value);
    es_grid_field(grid, x, y, RANK, 1, ES_ROLE_OVERLAY, text);
    if (app->worst.kind == ES_WORST_PMI) {
        (void)snprintf(text, sizeof text, "match %.2f", line->beside);
        es_grid_text(grid, x + RANK + 2, y + 2, ES_ROLE_TEXT_DIM, text);
    }
    if (app->worst.kind == ES_WORST_RETRIEVED) {
        (void)snprintf(text, sizeof text, "%zu of %zu", line->count, line->of);
        es_grid_field(grid, x, y + 1, RANK, 1, ES_ROLE_OVERLAY, text);
    }
    if (app->worst.kind != ES_WORST_QUERIES)
        return;
    (void)snprintf(text, sizeof text, "p %.3f", line->beside);
    es_grid_field(grid, x, y + 1, RANK, 1, ES_ROLE_OVERLAY, text);
    (void)snprintf(text, sizeof text, "%zu answer%s against %zu others", line->count,
                   line->count == 1 ? "" : "s", line->of);
    es_grid_text(grid, x + RANK + 2, y + 2, ES_ROLE_TEXT_DIM, text);
}

static void put_line(const es_app *app, es_grid *grid, es_rect r, const es_worst_line *worst,
                     bool own_ids, bool here) {
    es_rect line = {r.x + 2 + RANK + 2, r.y, r.w - 2 - RANK - 3, 1};
    if (here)
        es_grid_text(grid, r.x, r.y, ES_ROLE_CURSOR, "❯");
    put_value(app, grid, r.x + 2, r.y, worst);
    for (size_t k = 0; k < ES_WORST_ROWS_SHOWN; k++, line.y++)
        if (kinds[app->worst.kind].row[k] != NULL)
            put_row(app, grid, line, kinds[app->worst.kind].row[k], worst->row[k],
                    worst->similarity[k], own_ids && k == 0);
    if (here)
        es_grid_role(grid, (es_rect){r.x, r.y, r.w, PAIR - 1}, ES_ROLE_SELECTION);
}

static void put_titles(const es_app *app, es_grid *grid, es_rect in) {
    bool texts = app->source->row_texts(app->source->context, ES_NONE);
    int x = in.x + 2;
    es_grid_fill(grid, (es_rect){in.x, in.y, in.w, 1}, ES_ROLE_TEXT_DIM, ' ');
    es_grid_field(grid, x, in.y, RANK, 1, ES_ROLE_TEXT_DIM, kinds[app->worst.kind].value);
    x += RANK + 2 + WHAT;
    es_grid_field(grid, x, in.y, ROW, 1, ES_ROLE_TEXT_DIM, "number");
    if (app->worst.kind == ES_WORST_PAIRS)
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
        put_line(app, grid, r, &app->source->worst.line[top + i], worst->own_ids, top + i == at);
    }
    es_grid_set_clip(grid, old);
}

static void say(es_grid *grid, es_rect in, const char *head, const char *text) {
    es_grid_text(grid, in.x + 2, in.y + 1, ES_ROLE_OVERLAY, head);
    es_draw_wrap(grid, (es_rect){in.x + 2, in.y + 3, in.w - 4, in.h - 3}, ES_ROLE_OVERLAY, text, 0);
}

void es_overlay_worst(const es_app *app, es_grid *grid) {
    const es_source_worst *worst = &app->source->worst;
    char title[160], right[48] = "", bottom[240], other[160] = "";
    double score = es_worst_score(app);
    const es_worst_state *w = &app->worst;
    const char *name = es_app_name(app, w->now.item);
    if (w->now.other != ES_NONE)
        (void)snprintf(title, sizeof title, "%s: A %.50s, B %.50s", kinds[w->kind].title, name,
                       es_app_name(app, w->now.other));
    else
        (void)snprintf(title, sizeof title, "%s: %.120s", kinds[w->kind].title, name);
    if (w->more)
        (void)snprintf(other, sizeof other, "Tab: %.120s · ", es_worst_next(app));
    if (isfinite(score)) {
        es_format_number(score, 3, bottom, 32);
        (void)snprintf(right, sizeof right, "%.30s %.16s", es_app_worst(app).measure, bottom);
    }
    if (worst->count > 0)
        (void)snprintf(bottom, sizeof bottom, "%zu of %zu · j k scroll · %sEsc close",
                       app->worst.at + 1, worst->count, other);
    else
        (void)snprintf(bottom, sizeof bottom, "%s%s", other,
                       worst->busy ? "Esc stops" : "Esc close");
    es_rect rect = es_draw_centred(grid, grid->w - 2 < WIDTH ? grid->w - 2 : WIDTH, grid->h - 2);
    es_rect in = es_draw_overlay(grid, rect, title, right, bottom);
    if (worst->count > 0)
        put_list(app, grid, in, worst);
    else if (worst->busy)
        say(grid, in, kinds[w->kind].busy, kinds[w->kind].does);
    else
        say(grid, in, kinds[w->kind].failed, worst->problem.message);
}
