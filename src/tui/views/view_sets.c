/* Sets: several data sets at once. What they come to, embedders best first with their share and its
 * interval, and under each data set a coloured cell. */
#include <math.h>
#include <stdio.h>

#include "phrase.h"
#include "shapes.h"
#include "view.h"
#include "facts.h"
#include "number_text.h"
#include "sets.h"

enum { NAME_LEAST = 12, NAME_MOST = 30, CELL_LEAST = 6, CELL_MOST = 12, FOOT = 3 };

/* Columns of the table, by what there is room for. */
typedef struct columns {
    int name, interval, in; /* widths; 0: left out */
    int cells, cell;        /* x of the first data set, width of each */
    size_t left, fit;       /* first data set shown, and how many */
} columns;

static columns lay_out(const es_sets *s, es_rect in) {
    columns c = {.interval = in.w >= 90 ? 13 : 0, .in = in.w >= 60 ? 6 : 0, .cell = CELL_LEAST};
    int name = NAME_LEAST, fixed = 2 + 4 + 1 + 6 + c.interval + c.in + 1;
    for (size_t k = 0; k < s->rows; k++) {
        int w = es_text_width(s->row[k].name);
        name = w > name ? w : name;
    }
    for (size_t k = 0; k < s->count; k++) {
        int w = es_text_width(s->set[k].name) + 1;
        c.cell = w > c.cell ? w : c.cell;
    }
    c.cell = c.cell < CELL_MOST ? c.cell : CELL_MOST;
    name = name < NAME_MOST ? name : NAME_MOST;
    int wanted = fixed + name + c.cell * (int)s->count;
    if (wanted > in.w) /* names give way first */
        name = name - (wanted - in.w) > NAME_LEAST ? name - (wanted - in.w) : NAME_LEAST;
    c.name = name;
    c.cells = in.x + fixed + name;
    int room = in.x + in.w - c.cells;
    c.fit = room >= c.cell ? (size_t)(room / c.cell) : 0;
    c.fit = c.fit < s->count ? c.fit : s->count;
    c.left = c.fit > 0 && s->at >= c.fit ? s->at + 1 - c.fit : 0;
    return c;
}

/* Ends of the colours of scores: those of all data sets; of ranks the worst. */
static void limits(const es_sets *s, es_within what, double *low, double *high) {
    *low = what == ES_WITHIN_RANK ? 1 : what == ES_WITHIN_SHARE ? 0 : (double)INFINITY;
    *high = what == ES_WITHIN_SHARE ? 1 : -(double)INFINITY;
    for (size_t k = 0; k < s->rows && what != ES_WITHIN_SHARE; k++)
        for (size_t d = 0; d < s->count; d++) {
            double v = es_sets_value(s, what, k, d);
            if (isfinite(v)) {
                *low = fmin(*low, v);
                *high = fmax(*high, v);
            }
        }
}

static void draw_cell(es_grid *grid, int x, int y, int w, const es_sets *s, es_within what,
                      size_t row, size_t set, const double ends[2]) {
    double v = es_sets_value(s, what, row, set);
    char text[24];
    if (!isfinite(v)) {
        es_grid_field(grid, x, y, w, 0, ES_ROLE_CELL_PENDING,
                      s->set[set].column == ES_NONE ? "·" : "-");
        return;
    }
    double part = ends[1] > ends[0] ? (v - ends[0]) / (ends[1] - ends[0]) : 0.5;
    int step = (int)lround(255 * (what == ES_WITHIN_RANK ? 1 - part : part));
    step = step < 0 ? 0 : step > 255 ? 255 : step;
    if (what == ES_WITHIN_RANK)
        (void)snprintf(text, sizeof text, "%.0f", v);
    else
        es_format_number(v, what == ES_WITHIN_SHARE ? 2 : 3, text, sizeof text);
    es_grid_field(grid, x, y, w - 1, 0, ES_ROLE_TEXT, text);
    for (int i = 0; i < w - 1; i++) {
        es_cell *cell = es_grid_at(grid, x + i, y);
        if (cell == NULL)
            continue;
        cell->fg = (es_paint)(ES_PAINT_HEAT + (step >= 128 ? 0 : 255));
        cell->bg = (es_paint)(ES_PAINT_HEAT + step);
    }
}

static void draw_head(const es_app *app, es_grid *grid, es_rect in, const columns *c) {
    const es_sets *s = app->sets;
    int x = in.x + 2;
    es_grid_text(grid, x, in.y, ES_ROLE_COLUMN_HEADER, "rank");
    es_grid_text(grid, x += 5, in.y, ES_ROLE_COLUMN_HEADER, "embedder");
    es_grid_field(grid, x += c->name, in.y, 6, 1, ES_ROLE_COLUMN_HEADER, "share");
    x += 6;
    if (c->interval > 0)
        es_grid_field(grid, x, in.y, c->interval, 1, ES_ROLE_COLUMN_HEADER, "95 %");
    if (c->in > 0)
        es_grid_field(grid, x + c->interval, in.y, c->in, 1, ES_ROLE_COLUMN_HEADER, "in");
    for (size_t k = 0; k < c->fit; k++) {
        size_t set = c->left + k;
        es_rect r = {c->cells + (int)k * c->cell, in.y, c->cell - 1, 1};
        es_grid_field(grid, r.x, r.y, r.w, 0,
                      set == s->at     ? ES_ROLE_SELECTION
                      : set == s->here ? ES_ROLE_TEXT_STRONG
                                       : ES_ROLE_COLUMN_HEADER,
                      s->set[set].name);
        es_grid_click_area(grid, (es_rect){r.x, in.y, r.w, in.h}, ES_CLICK_COLUMN, set);
    }
}

static void draw_row(const es_app *app, es_grid *grid, es_rect r, const columns *c, size_t k,
                     const double ends[2]) {
    const es_sets *s = app->sets;
    const es_set_row *row = &s->row[k];
    bool selected = k == s->line, marked = row->item != ES_NONE && app->marked[row->item];
    es_role role = selected ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
    char text[48];
    int x = r.x + 2;
    es_grid_fill(grid, (es_rect){r.x, r.y, c->cells - r.x - 1, 1}, role, ' ');
    es_grid_click_area(grid, r, ES_CLICK_LINE, k);
    es_grid_text(grid, r.x, r.y, role,
                 selected               ? "❯"
                 : marked               ? "●"
                 : s->said && row->best ? "▌"
                                        : " ");
    if (row->rank > 0)
        es_grid_printf(grid, x, r.y, role, "%4zu", row->rank);
    es_grid_field(grid, x += 5, r.y, c->name, -1, role, row->name);
    if (isfinite(row->share))
        (void)snprintf(text, sizeof text, "%.2f", row->share);
    else
        (void)snprintf(text, sizeof text, "-");
    es_grid_field(grid, x += c->name, r.y, 6, 1, role, text);
    x += 6;
    if (c->interval > 0 && isfinite(row->low)) {
        (void)snprintf(text, sizeof text, "[%.2f,%.2f]", row->low, row->high);
        es_grid_field(grid, x, r.y, c->interval, 1, role, text);
    }
    if (c->in > 0) {
        (void)snprintf(text, sizeof text, "%zu/%zu", row->in, s->columns);
        es_grid_field(grid, x + c->interval, r.y, c->in, 1, role, text);
    }
    for (size_t d = 0; d < c->fit; d++)
        draw_cell(grid, c->cells + (int)d * c->cell, r.y, c->cell, s, (es_within)app->set.within, k,
                  c->left + d, ends);
}

/* What is known of the data set under the cursor. */
static void about_set(const es_app *app, char *out, size_t capacity) {
    const es_sets *s = app->sets;
    const es_set_about *set = &s->set[s->at];
    if (set->column != ES_NONE)
        (void)snprintf(out, capacity, "%.80s: %zu embedders, %zu rows, %zu of %zu pairs known",
                       set->name, set->embedders, set->rows, set->known, set->pairs);
    else if (set->missing != NULL)
        (void)snprintf(out, capacity, "%.300s", set->missing);
    else
        (void)snprintf(out, capacity, "%.80s%s", set->name,
                       s->problem != NULL ? "" : ": not looked at yet");
    es_phrase_add(out, capacity, "%s", s->at == s->here ? "; it is open" : "; Enter opens it");
}

static void about_row(const es_app *app, char *out, size_t capacity) {
    const es_sets *s = app->sets;
    const es_set_row *row = &s->row[s->line];
    char score[24];
    (void)snprintf(out, capacity, "%.100s: ", row->name);
    if (!isfinite(row->share))
        es_phrase_add(out, capacity, "in no data set with others");
    else
        es_phrase_add(out, capacity,
                      "before %.0f %% of the others over %zu data sets, first in %zu",
                      100 * row->share, row->in, row->first);
    double rank = es_sets_value(s, ES_WITHIN_RANK, s->line, s->at);
    if (isfinite(rank)) {
        es_format_number(es_sets_value(s, ES_WITHIN_SCORE, s->line, s->at), 3, score, sizeof score);
        es_phrase_add(out, capacity, "; in %.60s rank %.0f, score %s", s->set[s->at].name, rank,
                      score);
    } else if (s->set[s->at].column != ES_NONE)
        es_phrase_add(out, capacity, "; not in %.60s", s->set[s->at].name);
}

static void draw_foot(const es_app *app, es_grid *grid, es_rect r) {
    char text[600];
    es_grid_fill(grid, (es_rect){r.x, r.y, r.w, 1}, ES_ROLE_AXIS, grid->ascii ? '-' : 0x2500);
    about_set(app, text, sizeof text);
    es_draw_sentence(grid, r.x + 1, r.y + 1, r.w - 2, ES_ROLE_TEXT, text);
    if (app->sets->line < app->sets->rows) {
        about_row(app, text, sizeof text);
        es_draw_sentence(grid, r.x + 1, r.y + 2, r.w - 2, ES_ROLE_TEXT_DIM, text);
    }
}

/* What it comes to, above the table; returns the lines it took. */
static int draw_answer(const es_app *app, es_grid *grid, es_rect in) {
    const es_sets *s = app->sets;
    int most = in.h >= 24 ? 5 : in.h >= 16 ? 4 : 1;
    es_rect r = {in.x + 1, in.y, in.w - 2, most};
    bool soon = s->problem && es_sets_soon(app);
    soon = soon || (!s->problem && !s->sentence && s->asking);
    const char *text = soon          ? "The data sets are being put together ..."
                       : s->problem  ? s->problem
                       : s->sentence ? s->sentence
                                     : "Nothing is known of the data sets yet.";
    es_role role = s->problem && !soon ? ES_ROLE_WARNING : ES_ROLE_TEXT_STRONG;
    return es_draw_statements(grid, r, role, text) + 1;
}

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    const es_sets *s = app->sets;
    es_rect pane = layout->pane[ES_PANE_MAIN];
    char title[64], right[64] = "", bottom[64] = "";
    double ends[2];
    if (s == NULL || s->count == 0) {
        es_rect in = es_grid_pane(grid, pane, true, "Sets", NULL, NULL);
        es_draw_empty(grid, in, "One pool is open",
                      "embedscope POOL1 POOL2, a folder of pools, or --set-rows all open several.");
        return;
    }
    columns c = lay_out(s, (es_rect){pane.x + 1, pane.y + 1, pane.w - 2, pane.h - 2});
    (void)snprintf(title, sizeof title, "Sets: %s within each of %zu",
                   es_within_names[app->set.within % 3], s->count);
    if (c.fit < s->count)
        (void)snprintf(right, sizeof right, "%s%zu-%zu of %zu%s", c.left > 0 ? "‹ " : "",
                       c.left + 1, c.left + c.fit, s->count, c.left + c.fit < s->count ? " ›" : "");
    if (s->rows > 0)
        (void)snprintf(bottom, sizeof bottom, "%s%zu/%zu", s->asking ? "being made anew · " : "",
                       s->line + 1, s->rows);
    es_rect in = es_grid_pane(grid, pane, true, title, right, bottom);
    es_rect old = es_grid_clip(grid, in);
    int above = draw_answer(app, grid, in), foot = in.h >= 12 ? FOOT : 0;
    es_rect table = {in.x, in.y + above, in.w, in.h - above - foot};
    limits(s, (es_within)app->set.within, &ends[0], &ends[1]);
    draw_head(app, grid, table, &c);
    size_t page = table.h > 1 ? (size_t)table.h - 1 : 0;
    size_t top = es_draw_first_line(s->line, s->rows, (int)page);
    for (size_t y = 0; y < page && top + y < s->rows; y++)
        draw_row(app, grid, (es_rect){in.x, table.y + 1 + (int)y, in.w, 1}, &c, top + y, ends);
    if (foot > 0)
        draw_foot(app, grid, (es_rect){in.x, in.y + in.h - foot, in.w, foot});
    es_grid_set_clip(grid, old);
}

/* The line and the data set under the cursor. */
static bool place(const es_app *app, char *out, size_t capacity) {
    if (app->sets == NULL || app->sets->count == 0)
        return false;
    if (app->sets->line < app->sets->rows)
        about_row(app, out, capacity);
    else
        about_set(app, out, capacity);
    return true;
}

static const char *signs(const es_app *app) {
    return app->sets != NULL && app->sets->said ? "▌ candidates for another data set" : NULL;
}

const es_view es_view_sets = {
    .brief = "Sets", .alone = true, .draw = draw, .place = place, .signs = signs};
