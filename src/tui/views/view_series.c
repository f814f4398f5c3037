/* Series: training runs over their steps. Steps on the left, one quantity drawn over them on the
 * right, a line a run, and what the run under the cursor comes to. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "facts.h"
#include "number_text.h"
#include "plot.h"
#include "series_state.h"
#include "shapes.h"
#include "view.h"

/* ---- steps ---- */

enum { STEP = 9, VALUE = 7 };

static void put_value(es_grid *grid, int x, int y, es_role role, double value, bool percent) {
    char text[32] = "-";
    if (isfinite(value))
        (void)snprintf(text, sizeof text, percent ? "%.1f" : "%.3f", value);
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

/* A line for the name of every run, then its steps. */
static void draw_steps(const es_app *app, es_grid *grid, es_rect r) {
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
}

/* ---- the plot ---- */

typedef struct sketch {
    const es_app *app;
    const es_series *series;
    const es_series_column *column;
    es_plot plot;
    es_axis x, y;
    double step_x, step_y;
    int width; /* of the numbers on the left */
} sketch;

static bool find_ranges(const es_series *s, const es_series_column *c, double x[2], double y[2]) {
    x[0] = y[0] = (double)INFINITY;
    x[1] = y[1] = -(double)INFINITY;
    for (size_t i = 0; i < s->points; i++) {
        if (!isfinite(c->value[i]))
            continue;
        bool band = c->low && isfinite(c->low[i]) && isfinite(c->high[i]);
        x[0] = fmin(x[0], s->point[i].step);
        x[1] = fmax(x[1], s->point[i].step);
        y[0] = fmin(y[0], band ? c->low[i] : c->value[i]);
        y[1] = fmax(y[1], band ? c->high[i] : c->value[i]);
    }
    return x[0] <= x[1];
}

static void tick_text(double value, double step, char out[32]) {
    int digits = es_axis_digits(step);
    es_format_number(fabs(value) < step / 2 ? 0 : value, step < 1e-5 ? ES_FORMAT_E : digits, out,
                     32);
}

static int widest_tick(const es_axis *axis, double step) {
    char text[32];
    long first, last;
    int widest = 1;
    es_axis_ticks(axis, step, &first, &last);
    for (long k = first; k <= last; k++) {
        tick_text((double)k * step, step, text);
        widest = (int)strlen(text) > widest ? (int)strlen(text) : widest;
    }
    return widest > 8 ? 8 : widest;
}

static void draw_axes(const sketch *s) {
    es_grid *grid = s->plot.grid;
    es_rect r = s->plot.rect;
    char text[32];
    long first, last;
    int line = r.y + r.h, taken = r.x - 2;
    es_grid_fill(grid, (es_rect){r.x - 1, r.y, 1, r.h}, ES_ROLE_AXIS, 0x2502);
    es_grid_fill(grid, (es_rect){r.x, line, r.w, 1}, ES_ROLE_AXIS, 0x2500);
    es_grid_text(grid, r.x - 1, line, ES_ROLE_AXIS, "└");
    es_axis_ticks(&s->y, s->step_y, &first, &last);
    for (long k = first; k <= last; k++) {
        int row = es_plot_row(&s->plot, s->plot.h - 1 - es_axis_dot(&s->y, (double)k * s->step_y));
        tick_text((double)k * s->step_y, s->step_y, text);
        es_grid_field(grid, r.x - 1 - s->width, row, s->width, 1, ES_ROLE_TICK, text);
        es_grid_text(grid, r.x - 1, row, ES_ROLE_AXIS, "┤");
    }
    es_axis_ticks(&s->x, s->step_x, &first, &last);
    for (long k = first; k <= last; k++) {
        int column = es_plot_column(&s->plot, es_axis_dot(&s->x, (double)k * s->step_x));
        tick_text((double)k * s->step_x, s->step_x, text);
        int w = (int)strlen(text), x = column - w / 2;
        es_grid_text(grid, column, line, ES_ROLE_AXIS, "┬");
        if (x <= taken || x + w > r.x + r.w)
            continue;
        es_grid_text(grid, x, line + 1, ES_ROLE_TICK, text);
        taken = x + w;
    }
}

static int dot_y(const sketch *s, double value) {
    return s->plot.h - 1 - es_axis_dot(&s->y, value);
}

/* Between two steps an interval is where a straight line would have it. */
static void draw_band(const sketch *s, size_t from, size_t to) {
    const es_series_column *c = s->column;
    int x0 = es_axis_dot(&s->x, s->series->point[from].step),
        x1 = es_axis_dot(&s->x, s->series->point[to].step);
    if (c->low == NULL || !isfinite(c->low[from]) || !isfinite(c->low[to]))
        return;
    for (int x = x0; x <= x1; x += 2) {
        double share = x1 > x0 ? (double)(x - x0) / (double)(x1 - x0) : 0;
        es_plot_under(&s->plot, x, dot_y(s, c->low[from] + share * (c->low[to] - c->low[from])),
                      ES_ROLE_BAND);
        es_plot_under(&s->plot, x, dot_y(s, c->high[from] + share * (c->high[to] - c->high[from])),
                      ES_ROLE_BAND);
    }
}

static void draw_run(const sketch *s, const es_series_run *run, bool here) {
    size_t before = SIZE_MAX;
    for (size_t i = run->first; i < run->first + run->count; i++) {
        if (!isfinite(s->column->value[i]))
            continue;
        int x = es_axis_dot(&s->x, s->series->point[i].step), y = dot_y(s, s->column->value[i]);
        if (before != SIZE_MAX) {
            es_plot_line(&s->plot, es_axis_dot(&s->x, s->series->point[before].step),
                         dot_y(s, s->column->value[before]), x, y, 1,
                         here ? ES_ROLE_FIT : ES_ROLE_TEXT_DIM);
            if (here)
                draw_band(s, before, i);
        }
        before = i;
    }
    for (size_t i = run->first; i < run->first + run->count; i++) {
        if (!isfinite(s->column->value[i]))
            continue;
        int x = es_axis_dot(&s->x, s->series->point[i].step), y = dot_y(s, s->column->value[i]);
        es_rect cell = {es_plot_column(&s->plot, x), es_plot_row(&s->plot, y), 1, 1};
        es_grid_click_area(s->plot.grid, cell, ES_CLICK_ITEM, es_series_item(s->app, i));
        if (es_series_item(s->app, i) == s->app->cursor)
            es_plot_glyph(&s->plot, x, y, ES_ROLE_POINT_CURSOR, s->app->ascii ? "@" : "◆");
        else if (here)
            es_plot_glyph(&s->plot, x, y, ES_ROLE_POINT, s->app->ascii ? "o" : "●");
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
            (void)es_plot_label(&s->plot, es_axis_dot(&s->x, s->series->point[i].step),
                                dot_y(s, s->column->value[i]),
                                k == own ? ES_ROLE_TEXT : ES_ROLE_TEXT_DIM, run->name);
    }
}

static void draw_plot(const es_app *app, es_grid *grid, es_rect in) {
    const es_series *series = &app->series->known;
    const es_series_column *c = es_series_shown(app);
    es_plot_style style = app->ascii    ? ES_PLOT_ASCII
                          : app->coarse ? ES_PLOT_BLOCKS
                                        : ES_PLOT_BRAILLE;
    double x[2], y[2];
    if (in.w < 16 || in.h < 5)
        return;
    if (!find_ranges(series, c, x, y)) {
        es_draw_empty(grid, in, "Not known yet",
                      app->progress.running > 0 ? "It is being estimated." : "r estimates it.");
        return;
    }
    sketch s = {.app = app, .series = series, .column = c};
    es_axis cells = es_axis_make(y[0], y[1], in.h - 2);
    s.step_y = es_axis_step(&cells, (in.h - 2) / 4 + 1);
    s.width = widest_tick(&cells, s.step_y);
    es_rect r = {in.x + s.width + 2, in.y, in.w - s.width - 3, in.h - 2};
    s.plot = es_plot_begin(grid, r, style, ES_ROLE_BACKGROUND);
    s.x = es_axis_make(x[0], x[1], s.plot.w);
    s.y = es_axis_make(y[0], y[1], s.plot.h);
    s.step_x = es_axis_step(&s.x, r.w / 10 + 1);
    draw_axes(&s);
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
                              pane.w >= 40 && !none ? "nats per dimension" : NULL);
    if (draw_none(app, grid, in))
        return;
    es_rect old = es_grid_clip(grid, in);
    if (in.h > 1)
        draw_steps(app, grid, in);
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
        (void)snprintf(out + used, capacity - (size_t)used, ", %s %.3f", c->title, c->value[line]);
}

const es_view es_view_series = {.brief = "Ser", .draw = draw, .row = row};
