/* Series: training runs over their steps. Steps on the left, one quantity drawn over them on the
 * right, a line a run, and what the run under the cursor comes to. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axes.h"
#include "facts.h"
#include "series_state.h"
#include "shapes.h"
#include "view.h"
#include "number_text.h"

/* ---- steps ---- */

enum { STEP = 9, VALUE = 7 };

static void put_value(es_grid *grid, int x, int y, es_role role, double value, bool percent) {
    char text[32] = "-";
    if (isfinite(value))
        (void)snprintf(text, sizeof text, percent ? "%.1f" : "%.3f",
                       es_rounded_off(value, percent ? 1 : 3));
    es_grid_field(grid, x, y, VALUE, 1, role, text);
}

/* The columns of the list that there is room for: the one drawn first, then these. */
static size_t listed(const es_app *app, int w, size_t column[ES_SERIES_KNOWN]) {
    static const es_series_known usual[] = {ES_SERIES_SCORE, ES_SERIES_OF_BEFORE,
                                            ES_SERIES_BY_BEFORE, ES_SERIES_OF_FIRST};
    size_t count = 0, room = w > 2 + STEP ? (size_t)((w - 2 - STEP) / VALUE) : 0;
    if (room > 0)
        column[count++] = es_series_shown_at(app);
    for (size_t k = 0; k < sizeof usual / sizeof *usual && count < room; k++)
        if (usual[k] != column[0])
            column[count++] = usual[k];
    return count;
}

static const char *heading(const es_series_column *c) {
    static const char *const brief[][2] = {{"of_before", "of bef"},
                                           {"by_before", "by bef"},
                                           {"of_first", "of 1st"},
                                           {"of_last", "of lst"},
                                           {"downstream", "downst"}};
    for (size_t i = 0; i < sizeof brief / sizeof *brief; i++)
        if (strcmp(c->name, brief[i][0]) == 0)
            return brief[i][1];
    return c->name;
}

static void draw_step(const es_app *app, es_grid *grid, es_rect r, size_t i) {
    const es_series *s = &app->series->known;
    size_t column[ES_SERIES_KNOWN], count = listed(app, r.w, column);
    const es_series_run *run = &s->run[s->point[i].series];
    bool here = es_series_item(app, i) == app->cursor;
    es_role role = here ? ES_ROLE_SELECTION : i == run->best ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT;
    char text[32];
    es_grid_fill(grid, r, role, ' ');
    if (here)
        es_grid_text(grid, r.x, r.y, role, "❯");
    else if (i == run->best)
        es_grid_text(grid, r.x, r.y, ES_ROLE_TEXT_STRONG, grid->ascii ? "*" : "▲");
    (void)snprintf(text, sizeof text, "%g", s->point[i].step);
    es_grid_field(grid, r.x + 2, r.y, STEP - 1, 1, role, text);
    for (size_t k = 0; k < count; k++)
        put_value(grid, r.x + 2 + STEP + (int)k * VALUE, r.y,
                  here || i == run->best || k == 0 ? role : ES_ROLE_TEXT_DIM,
                  s->column[column[k]].value[i], column[k] == ES_SERIES_DOWNSTREAM);
    es_grid_click_area(grid, r, ES_CLICK_LINE, i);
}

static void draw_head(const es_app *app, es_grid *grid, es_rect r) {
    const es_series *s = &app->series->known;
    size_t column[ES_SERIES_KNOWN], count = listed(app, r.w, column);
    es_grid_fill(grid, (es_rect){r.x, r.y, r.w, 1}, ES_ROLE_COLUMN_HEADER, ' ');
    es_grid_field(grid, r.x + 2, r.y, STEP - 1, 1, ES_ROLE_COLUMN_HEADER, "step");
    for (size_t k = 0; k < count; k++)
        es_grid_field(grid, r.x + 2 + STEP + (int)k * VALUE + 1, r.y, VALUE - 1, 1,
                      k == 0 ? ES_ROLE_COLUMN_SORTED : ES_ROLE_COLUMN_HEADER,
                      heading(&s->column[column[k]]));
}

static const char *signs(const es_app *app) {
    static const char *const text[2][2] = {
        {"▲ the run's step with the highest score", "▲ the run's step with the lowest error"},
        {"* the run's step with the highest score", "* the run's step with the lowest error"}};
    return text[app->ascii][app->series != NULL && es_series_of_errors(&app->series->of)];
}

/* Below the steps, where there is room: what the run comes to, unless it has a pane of its own, and
 * what the columns and the sign say. */
static void draw_below(const es_app *app, es_grid *grid, es_rect r, bool words) {
    const es_series *s = &app->series->known;
    size_t column[ES_SERIES_KNOWN], count = listed(app, r.w, column);
    es_rect at = {r.x + 2, r.y, r.w - 3, r.h};
    if (words && app->series->words != NULL) {
        int used = es_draw_statements(grid, at, ES_ROLE_TEXT, app->series->words) + 1;
        at.y += used;
        at.h -= used;
    }
    if (at.h < (int)count + 1)
        return;
    for (size_t k = 0; k < count; k++) {
        const es_series_column *c = &s->column[column[k]];
        es_grid_text(grid, at.x, at.y, ES_ROLE_COLUMN_HEADER, heading(c));
        es_draw_sentence(grid, at.x + VALUE + 1, at.y++, at.w - VALUE - 1, ES_ROLE_TEXT_DIM,
                         c->title);
    }
    es_draw_sentence(grid, at.x, at.y, at.w, ES_ROLE_TEXT_DIM, signs(app));
}

/* A line for the name of every run, then its steps; returns how many lines there are. */
static int draw_steps(const es_app *app, es_grid *grid, es_rect r) {
    const es_series *s = &app->series->known;
    size_t lines = s->points + s->runs, at = es_series_line(app), page = (size_t)r.h - 1;
    size_t place = at == ES_NONE ? 0 : at + s->point[at].series + 1;
    size_t top = es_draw_first_line(place, lines, (int)page), line = 0;
    draw_head(app, grid, r);
    for (size_t k = 0; k < s->runs; k++) {
        const es_series_run *run = &s->run[k];
        for (size_t i = 0; i <= run->count; i++, line++) {
            if (line < top || line >= top + page)
                continue;
            es_rect row = {r.x, r.y + 1 + (int)(line - top), r.w, 1};
            if (i > 0)
                draw_step(app, grid, row, run->first + i - 1);
            else
                es_grid_field(grid, row.x, row.y, row.w, -1, ES_ROLE_TEXT_DIM, run->name);
        }
    }
    return 1 + (int)(lines < page ? lines : page);
}

/* ---- the plot ---- */

typedef struct sketch {
    const es_app *app;
    const es_series *series;
    const es_series_column *column;
    es_axes axes;
} sketch;

static void find_ranges(const es_series *s, const es_series_column *c, es_range *x, es_range *y) {
    for (size_t i = 0; i < s->points; i++) {
        if (!isfinite(c->value[i]))
            continue;
        bool band = c->low && isfinite(c->low[i]) && isfinite(c->high[i]);
        es_range_take(x, s->point[i].step);
        es_range_take(y, band ? c->low[i] : c->value[i]);
        es_range_take(y, band ? c->high[i] : c->value[i]);
    }
}

static int dot_x(const sketch *s, size_t point) {
    return es_axes_x(&s->axes, s->series->point[point].step);
}

static int dot_y(const sketch *s, double value) {
    return es_axes_y(&s->axes, value);
}

/* Between two steps an interval is where a straight line would have it. */
static void draw_band(const sketch *s, size_t from, size_t to) {
    const es_series_column *c = s->column;
    int x0 = dot_x(s, from), x1 = dot_x(s, to);
    if (c->low == NULL || !isfinite(c->low[from]) || !isfinite(c->low[to]))
        return;
    for (int x = x0; x <= x1; x += 2) {
        double share = x1 > x0 ? (double)(x - x0) / (double)(x1 - x0) : 0;
        es_plot_under(&s->axes.plot, x,
                      dot_y(s, c->low[from] + share * (c->low[to] - c->low[from])), ES_ROLE_BAND);
        es_plot_under(&s->axes.plot, x,
                      dot_y(s, c->high[from] + share * (c->high[to] - c->high[from])),
                      ES_ROLE_BAND);
    }
}

static void draw_run(const sketch *s, const es_series_run *run, bool here) {
    size_t before = SIZE_MAX;
    for (size_t i = run->first; i < run->first + run->count; i++) {
        if (!isfinite(s->column->value[i]))
            continue;
        int x = dot_x(s, i), y = dot_y(s, s->column->value[i]);
        if (before != SIZE_MAX) {
            es_plot_line(&s->axes.plot, dot_x(s, before), dot_y(s, s->column->value[before]), x, y,
                         1, here ? ES_ROLE_FIT : ES_ROLE_TEXT_DIM);
            if (here)
                draw_band(s, before, i);
        }
        before = i;
    }
    for (size_t i = run->first; i < run->first + run->count; i++) {
        if (!isfinite(s->column->value[i]))
            continue;
        int x = dot_x(s, i), y = dot_y(s, s->column->value[i]);
        es_rect cell = {es_plot_column(&s->axes.plot, x), es_plot_row(&s->axes.plot, y), 1, 1};
        es_grid_click_area(s->axes.plot.grid, cell, ES_CLICK_ITEM, es_series_item(s->app, i));
        if (es_series_item(s->app, i) == s->app->cursor)
            es_plot_glyph(&s->axes.plot, x, y, ES_ROLE_POINT_CURSOR, s->app->ascii ? "@" : "◆");
        else if (here)
            es_plot_glyph(&s->axes.plot, x, y, ES_ROLE_POINT, s->app->ascii ? "o" : "●");
    }
}

/* Other runs first, the one under the cursor over them, with their names at their ends. */
static void draw_lines(const sketch *s, size_t own) {
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < s->series->runs; k++)
            if ((k == own) == (pass == 1))
                draw_run(s, &s->series->run[k], k == own);
    for (size_t k = 0; k < s->series->runs && s->series->runs > 1; k++) {
        const es_series_run *run = &s->series->run[k];
        size_t i = run->first + run->count - 1;
        while (i > run->first && !isfinite(s->column->value[i]))
            i--;
        if (isfinite(s->column->value[i]))
            (void)es_plot_label(&s->axes.plot, dot_x(s, i), dot_y(s, s->column->value[i]),
                                k == own ? ES_ROLE_TEXT : ES_ROLE_TEXT_DIM, run->name);
    }
}

static void draw_plot(const es_app *app, es_grid *grid, es_rect in) {
    const es_series *series = &app->series->known;
    const es_series_column *c = es_series_shown(app);
    es_range x = es_range_none(false), y = x;
    if (in.w < ES_AXES_W || in.h < ES_AXES_H)
        return;
    find_ranges(series, c, &x, &y);
    if (!es_range_known(&x)) {
        es_draw_empty(grid, in, "Not known yet",
                      app->progress.running > 0 ? "It is being estimated." : "r estimates it.");
        return;
    }
    const sketch s = {app, series, c, es_axes_begin(app, grid, in, x, y)};
    es_axes_draw(&s.axes);
    draw_lines(&s, es_series_run_at(app));
}

/* ---- the view ---- */

static bool draw_none(const es_app *app, es_grid *grid, es_rect in) {
    if (!es_series_there(app)) {
        es_draw_empty(
            grid, in, "No series",
            "Call checkpoints RUN@STEP, run@1000.npy and run@2000.npy, or give \"series\" "
            "and \"step\" in pool.json. What comes into the folder is taken in at once.");
        return true;
    }
    if (es_series_lines(app) == 0) {
        es_draw_empty(grid, in, "Not known yet",
                      es_app_running(app) ? "Steps are compared once two of a run are estimated."
                                          : "r estimates them.");
        return true;
    }
    return false;
}

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    char right[64];
    bool none = es_series_lines(app) == 0;
    es_rect pane = none ? layout->body : layout->pane[ES_PANE_MAIN];
    (void)snprintf(right, sizeof right, "%zu steps", es_series_lines(app));
    es_rect in = es_grid_pane(grid, pane, true, "Series", none ? NULL : right,
                              pane.w < 40 || none                     ? NULL
                              : es_series_of_errors(&app->series->of) ? "errors: lower is better"
                                                                      : "nats per dimension");
    if (draw_none(app, grid, in))
        return;
    es_rect old = es_grid_clip(grid, in);
    if (in.h > 1) {
        int used = draw_steps(app, grid, in) + 1;
        draw_below(app, grid, (es_rect){in.x, in.y + used, in.w, in.h - used},
                   layout->pane[ES_PANE_EXTRA].w == 0);
    }
    es_grid_set_clip(grid, old);
    if (layout->pane[ES_PANE_SIDE].w > 0) {
        char title[96];
        (void)snprintf(title, sizeof title, "%.80s, by step", es_series_shown(app)->title);
        in = es_grid_pane(grid, layout->pane[ES_PANE_SIDE], false, title, NULL, NULL);
        old = es_grid_clip(grid, in);
        draw_plot(app, grid, in);
        es_grid_set_clip(grid, old);
    }
    if (layout->pane[ES_PANE_EXTRA].w > 0) {
        in = es_grid_pane(grid, layout->pane[ES_PANE_EXTRA], false, "What it comes to", NULL, NULL);
        if (app->series->words != NULL)
            (void)es_draw_wrap(grid, in, ES_ROLE_TEXT, app->series->words, 0);
    }
}

static void row(const es_app *app, size_t item, char *out, size_t capacity) {
    const es_series_column *c = es_series_shown(app);
    size_t line = es_series_line(app);
    int used = snprintf(out, capacity, "%s", es_app_model(app, item)->name);
    if (c != NULL && line != ES_NONE && isfinite(c->value[line]) && used >= 0 &&
        (size_t)used < capacity)
        (void)snprintf(out + used, capacity - (size_t)used, ", %s %.3f", c->title,
                       es_rounded_off(c->value[line], 3));
}

const es_view es_view_series = {.brief = "Ser", .draw = draw, .row = row, .signs = signs};
