/* Corr's table of every score against every task: sums over tasks first, coloured about 0, with the
 * cell under the cursor in numbers below. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "by_task.h"
#include "corr_panes.h"
#include "phrase.h"
#include "shapes.h"
#include "task_columns.h"
#include "task_runs.h"
#include "number_text.h"

enum { CELL = 10, LABEL = 22, DETAIL = 6 };

static const es_correlation_report *report_at(const struct es_by_task *s, size_t row,
                                              size_t column) {
    return &s->report[row * s->columns + column];
}

static const char *column_name(const es_app *app, size_t column) {
    return es_task_column_name(&app->scores, es_by_task_column(app, column));
}

/* Over measures by several seeds; NaN: none is known, or there is none. */
static double sd_at(const es_app *app, size_t row, size_t column) {
    return es_task_runs_sd(app, es_by_task_score(app, row), column_name(app, column),
                           es_corr_kind(app));
}

static void draw_cell(const es_app *app, es_grid *grid, es_rect r, size_t row, size_t column) {
    const struct es_by_task *s = app->by_task;
    const es_correlation_report *report = report_at(s, row, column);
    es_stat stat = report->value[es_corr_kind(app)];
    bool here = row == s->at && column == s->column;
    char text[32];
    double sd = sd_at(app, row, column);
    if (stat.why != NULL) {
        es_grid_field(grid, r.x, r.y, r.w - 1, 1, here ? ES_ROLE_SELECTION : ES_ROLE_CELL_PENDING,
                      "-");
        return;
    }
    int used =
        snprintf(text, sizeof text, "%s%.2f", here ? "❯" : "", es_rounded_off(stat.value, 2));
    if (isfinite(sd) && sd < 0.995)
        (void)snprintf(text + used, sizeof text - (size_t)used, "%s.%02d", app->ascii ? "+" : "±",
                       (int)lround(100 * sd));
    else
        (void)snprintf(text + used, sizeof text - (size_t)used, "%s", report->few ? "?" : " ");
    es_grid_field(grid, r.x, r.y, r.w - 1, 1, here ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT, text);
    for (int x = r.x; x < r.x + r.w - 1; x++) {
        es_cell *cell = es_grid_at(grid, x, r.y);
        if (cell != NULL)
            cell->bg = (es_paint)(ES_PAINT_DIVERGE + (int)lround((stat.value + 1) / 2 * 255));
    }
}

/* The first column that is shown, so that the cursor's is. */
static size_t first_column(const struct es_by_task *s, size_t fit) {
    return s->column >= fit && fit > 0 ? s->column + 1 - fit : 0;
}

static void draw_table(const es_app *app, es_grid *grid, es_rect in, int label) {
    const struct es_by_task *s = app->by_task;
    size_t fit = in.w - label > CELL ? (size_t)((in.w - label) / CELL) : 1;
    size_t page = in.h > 1 ? (size_t)in.h - 1 : 1, top = s->at >= page ? s->at + 1 - page : 0;
    size_t first = first_column(s, fit);
    es_grid_fill(grid, (es_rect){in.x, in.y, in.w, 1}, ES_ROLE_COLUMN_HEADER, ' ');
    es_grid_text(grid, in.x + 2, in.y, ES_ROLE_COLUMN_HEADER, "score");
    for (size_t c = 0; c < fit && first + c < s->columns; c++)
        es_grid_field(grid, in.x + label + (int)c * CELL, in.y, CELL - 1, 1,
                      first + c == s->column ? ES_ROLE_COLUMN_SORTED : ES_ROLE_COLUMN_HEADER,
                      column_name(app, first + c));
    for (size_t k = 0; k < page && top + k < s->k; k++) {
        int y = in.y + 1 + (int)k;
        bool here = top + k == s->at;
        if (here)
            es_grid_text(grid, in.x, y, ES_ROLE_SELECTION, "❯");
        es_grid_field(grid, in.x + 2, y, label - 3, -1, here ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT,
                      es_by_task_score(app, top + k));
        for (size_t c = 0; c < fit && first + c < s->columns; c++)
            draw_cell(app, grid, (es_rect){in.x + label + (int)c * CELL, y, CELL, 1}, top + k,
                      first + c);
        es_grid_click_area(grid, (es_rect){in.x, y, in.w, 1}, ES_CLICK_LINE, top + k);
    }
}

/* "0.71 [0.14, 0.98]". */
static void put_stat(char *out, size_t capacity, const es_correlation_report *r,
                     es_correlation kind) {
    double value = es_rounded_off(r->value[kind].value, 2);
    if (r->value[kind].why != NULL)
        (void)snprintf(out, capacity, "- (%s)", r->value[kind].why);
    else if (isfinite(r->low[kind]))
        (void)snprintf(out, capacity, "%.2f [%.2f, %.2f]", value, es_rounded_off(r->low[kind], 2),
                       es_rounded_off(r->high[kind], 2));
    else if (r->few)
        (void)snprintf(out, capacity, "%.2f", value);
    else
        (void)snprintf(out, capacity, "%.2f [ … , … ]", value);
}

static void draw_detail(const es_app *app, es_grid *grid, es_rect pane) {
    static const es_correlation kinds[] = {ES_SPEARMAN, ES_KENDALL, ES_PEARSON, ES_WEIGHTED_TAU};
    static const char *const names[] = {"Spearman", "Kendall", "Pearson", "weighted tau"};
    const struct es_by_task *s = app->by_task;
    const es_correlation_report *r = report_at(s, s->at, s->column);
    char title[200], text[80];
    (void)snprintf(title, sizeof title, "%.60s vs %.100s", es_by_task_score(app, s->at),
                   column_name(app, s->column));
    es_rect in = es_grid_pane(grid, pane, false, title, NULL,
                              es_by_task_axis(app, s->at) != ES_NONE ? "↵ shows the points" : NULL);
    es_rect old = es_grid_clip(grid, in);
    for (size_t i = 0; i < 4; i++) {
        int half = in.w / 2, x = in.x + 1 + (int)(i % 2) * half, y = in.y + (int)(i / 2);
        put_stat(text, sizeof text, r, kinds[i]);
        es_grid_text(grid, x, y, ES_ROLE_TEXT_DIM, names[i]);
        es_grid_text(grid, x + 13, y, ES_ROLE_TEXT, text);
    }
    double sd = sd_at(app, s->at, s->column);
    const char *category = es_by_task_column(app, s->column) < app->source->scores.tasks
                               ? es_score_category(&app->scores, es_by_task_column(app, s->column))
                               : NULL;
    es_grid_printf(grid, in.x + 1, in.y + 2, ES_ROLE_TEXT_DIM, "n %zu%s%s%s", r->n,
                   r->few ? " (too few)" : "", category ? " · category " : "",
                   category ? category : "");
    if (isfinite(sd))
        es_grid_printf(grid, in.x + 1 + in.w / 2, in.y + 2, ES_ROLE_TEXT_DIM,
                       "s.d. %.3f over %zu seeds", sd, app->task_runs->runs);
    es_grid_set_clip(grid, old);
}

void es_corr_draw_by_task(const es_app *app, es_grid *grid, es_rect body) {
    const struct es_by_task *s = app->by_task;
    char right[80];
    if (s == NULL || s->k == 0) {
        es_rect in = es_grid_pane(grid, body, true, "Every score against every task", NULL, NULL);
        if (app->source->scores.tasks > 0)
            es_draw_empty(grid, in, "Nothing is known yet",
                          "r starts the estimation; gm chooses a measure to compute.");
        else
            es_corr_draw_no_scores(app, grid, in);
        return;
    }
    int detail = body.h >= DETAIL + 5 ? DETAIL - 1 : 0,
        label = LABEL < body.w / 3 ? LABEL : body.w / 3;
    (void)snprintf(right, sizeof right, "%s%s%s", es_correlation_name(es_corr_kind(app)),
                   s->settled < s->columns ? ", drawing intervals" : "",
                   app->task_runs != NULL && app->task_runs->asking ? ", measuring more seeds"
                                                                    : "");
    char left[96];
    (void)snprintf(left, sizeof left, "Every score against every task%s",
                   body.w >= 100  ? " (? fewer than seven embedders)"
                   : body.w >= 70 ? " (? under seven)"
                                  : "");
    es_rect in =
        es_grid_pane(grid, (es_rect){body.x, body.y, body.w, body.h - detail}, true, left, right,
                     body.w >= 64 ? "K coefficient · R seeds · gm adds a measure · gt goes back"
                                  : "K coefficient · R seeds · gt goes back");
    es_rect old = es_grid_clip(grid, in);
    draw_table(app, grid, (es_rect){in.x, in.y, in.w, in.h}, label);
    es_grid_set_clip(grid, old);
    if (detail > 0)
        draw_detail(app, grid, (es_rect){body.x, body.y + body.h - detail, body.w, detail});
}
