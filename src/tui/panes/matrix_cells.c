/* The cells of the matrix. Colour shows the value, and every state has a glyph of its own. In cells
 * of one row the glyph is a ramp in the cell's own colour, so that it carries the value where
 * colours are few; with two rows in a character it is the shape that the two colours make. */
#include "tui_panes.h"
#include "app_state.h"
#include "app_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FLASH 0.3

/* ---- Tiles ---- */

es_tile es_heatmap_pair(const es_heatmap_view *m, size_t row, size_t column) {
    const es_app *app = m->app;
    size_t source = m->list->item[row], target = m->list->item[column];
    es_tile tile = {.kind = TILE_PENDING, .value = (double)NAN};
    if (app->set.transposed) {
        size_t swap = source;
        source = target;
        target = swap;
    }
    if (source == target) {
        tile.kind = TILE_SELF;
        return tile;
    }
    if (m->metric == ES_METRIC_MEASURE) { /* known or not whatever is estimated */
        tile.value = es_metric_value(app, m->metric, source, target);
        tile.kind = isfinite(tile.value) ? TILE_VALUE : TILE_PENDING;
        const char *caveat = es_pair_caveat(app, app->set.matrix, source, target);
        tile.caveat = caveat != NULL;
        tile.saturated = caveat != NULL && strcmp(caveat, ES_MEASURE_SATURATED) == 0;
        return tile;
    }
    switch (es_app_pair_state(app, source, target)) {
    case ES_PAIR_RUNNING:
        tile.kind = TILE_RUNNING;
        break;
    case ES_PAIR_FAILED:
        tile.kind = TILE_FAILED;
        break;
    case ES_PAIR_DONE:
        tile.value = es_metric_value(app, m->metric, source, target);
        if (isfinite(tile.value))
            tile.kind = TILE_VALUE;
        tile.preview = !m->unrefined && es_refine_preview(app, source, target);
        tile.decided = es_metric_of_rows(m->metric) &&
                       es_heat_deciding(app, source, target, NULL, NULL) != ES_NONE;
        break;
    default:
        break;
    }
    tile.flash = source == app->newest_source && target == app->newest_target &&
                 app->now - app->newest_at < FLASH;
    return tile;
}

/* A pair into the mean of its block. */
static void add_pair(es_tile *mean, const es_tile *tile, size_t *known) {
    if (tile->kind == TILE_VALUE) {
        mean->value += tile->value;
        mean->preview = mean->preview || tile->preview;
        mean->caveat = mean->caveat || tile->caveat;
        mean->saturated = mean->saturated || tile->saturated;
        mean->decided = mean->decided || tile->decided;
        (*known)++;
    } else if (tile->kind == TILE_FAILED && mean->kind == TILE_PENDING)
        mean->kind = TILE_FAILED;
}

/* True if the cells are values of one estimator's results, which are then read in place. */
static bool is_plain(const es_heatmap_view *m) {
    const es_app *app = m->app;
    return m->metric == ES_METRIC_IS && app->results != NULL && app->results != app->merged &&
           app->entry != ES_NONE && app->source->results[app->entry] == app->results;
}

/* The mean of a block of such cells, of what counts for one. */
static void add_plain(const es_heatmap_view *m, size_t row, size_t column, es_tile *mean,
                      size_t *known) {
    const es_results *r = m->app->results;
    const size_t *item = m->list->item, *position = m->app->position;
    size_t pool = m->g.pool, count = m->list->count;
    size_t row_end = (row + 1) * pool < count ? (row + 1) * pool : count,
           column_end = (column + 1) * pool < count ? (column + 1) * pool : count;
    for (size_t i = row * pool; i < row_end; i++)
        for (size_t p = position[item[i]], j = column * pool; p != ES_NONE && j < column_end; j++) {
            size_t q = position[item[j]],
                   cell = m->app->set.transposed ? q * r->m + p : p * r->m + q;
            if (q == ES_NONE || i == j)
                continue;
            if (r->state[cell] == ES_PAIR_DONE && isfinite(r->is[cell])) {
                mean->value += r->is[cell];
                mean->decided |= r->deciding != NULL && r->deciding[cell] != UINT32_MAX;
                (*known)++;
            } else if (r->state[cell] == ES_PAIR_FAILED && mean->kind == TILE_PENDING)
                mean->kind = TILE_FAILED;
        }
}

es_tile es_heatmap_tile(const es_heatmap_view *m, size_t row, size_t column) {
    size_t pool = m->g.pool, count = m->list->count, known = 0;
    if (row >= m->g.total || column >= m->g.total)
        return (es_tile){.kind = TILE_NONE, .value = (double)NAN};
    if (pool == 1)
        return es_heatmap_pair(m, row, column);
    es_tile mean = {.kind = row == column ? TILE_SELF : TILE_PENDING};
    if (is_plain(m))
        add_plain(m, row, column, &mean, &known);
    else
        for (size_t r = row * pool; r < (row + 1) * pool && r < count; r++)
            for (size_t c = column * pool; c < (column + 1) * pool && c < count; c++) {
                es_tile tile = es_heatmap_pair(m, r, c);
                add_pair(&mean, &tile, &known);
            }
    if (known > 0) {
        mean.kind = TILE_VALUE;
        mean.value /= (double)known;
    }
    return mean;
}

/* True if the value is a preview or carries a caveat. */
static bool heatmap_tentative(const es_tile *tile);

es_paint es_heatmap_paint(const es_heatmap_view *m, const es_tile *tile) {
    int step = es_limits_step(m->limits, tile->value);
    return (es_paint)((m->diverging ? ES_PAINT_DIVERGE : ES_PAINT_HEAT) + step +
                      (heatmap_tentative(tile) ? ES_PAINT_DIM : 0));
}

static bool heatmap_tentative(const es_tile *tile) {
    return tile->kind == TILE_VALUE && (tile->preview || tile->caveat || tile->decided);
}

static bool is_decided(const es_tile *tile) {
    return tile->kind == TILE_VALUE && tile->decided;
}

static bool is_saturated(const es_tile *tile) {
    return tile->kind == TILE_VALUE && tile->saturated;
}

/* The sign beside a tentative value: ! one row decides it, ^ its ceiling, ? a caveat of the
 * estimator, ~ a preview. */
static char tentative_sign(const es_tile *tile) {
    return tile->decided ? '!' : tile->saturated ? '^' : tile->caveat ? '?' : '~';
}

es_role es_heatmap_role(const es_tile *tile) {
    switch (tile->kind) {
    case TILE_SELF:
        return ES_ROLE_CELL_SELF;
    case TILE_FAILED:
        return ES_ROLE_CELL_FAILED;
    case TILE_RUNNING:
        return ES_ROLE_STATE_RUNNING;
    case TILE_PENDING:
        return ES_ROLE_CELL_PENDING;
    case TILE_SATURATED:
    case TILE_DECIDED:
        return ES_ROLE_WARNING;
    default:
        return tile->flash               ? ES_ROLE_CELL_FLASH
               : heatmap_tentative(tile) ? ES_ROLE_TEXT_DIM
                                         : ES_ROLE_TEXT;
    }
}

uint32_t es_heatmap_glyph(es_tile_kind kind) {
    switch (kind) {
    case TILE_SELF:
        return 0x2572;
    case TILE_FAILED:
        return 0xd7;
    case TILE_RUNNING:
        return 0x2218;
    case TILE_PENDING:
        return 0xb7;
    case TILE_SATURATED:
        return '^';
    case TILE_DECIDED:
        return '!';
    default:
        return ' ';
    }
}

uint32_t es_heatmap_ramp(int step, bool ascii) {
    static const uint32_t shades[] = {0x2591, 0x2592, 0x2593, 0x2588};
    static const char ramp[] = "-:;=+*&#%@"; /* none of them is a state's glyph */
    return ascii ? (uint32_t)ramp[step * 10 / 256] : shades[step * 4 / 256];
}

/* The ramp of tentative values where a cell is one character: another than that of the others. */
static uint32_t tentative_ramp(int step, bool ascii) {
    static const uint32_t quarters[] = {0x2598, 0x259a, 0x2599, 0x25a0};
    return ascii ? (uint32_t)('0' + step * 10 / 256) : quarters[step * 4 / 256];
}

/* ---- Cells ---- */

/* Counts the tiles by kind, for the legend below the matrix. */
static void count_tile(es_heatmap_view *m, const es_tile *tile) {
    m->shown[tile->kind]++;
    m->shown[TILE_DECIDED] += is_decided(tile);
    m->shown[TILE_SATURATED] += is_saturated(tile);
    m->tentative += heatmap_tentative(tile) && !is_decided(tile) && !is_saturated(tile);
}

void es_heatmap_fill(es_grid *grid, es_rect r, es_paint fg, es_paint bg) {
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++) {
            es_cell *cell = es_grid_at(grid, x, y);
            if (cell != NULL) {
                cell->fg = fg;
                cell->bg = bg;
            }
        }
}

/* What is too wide for its cell with one digit: "2e308". */
static void shorten(double value, char *text, size_t capacity) {
    (void)snprintf(text, capacity, "%.0e", value);
    char *plus = strchr(text, '+');
    if (plus != NULL)
        memmove(plus, plus + 1, strlen(plus));
}

static void draw_digits(const es_heatmap_view *m, es_rect r, const es_tile *tile) {
    char text[32];
    es_role role = es_heatmap_role(tile);
    int digits = r.w >= 7 ? 3 : 2;
    es_metric_format(m->metric, tile->value, digits, text, sizeof text);
    if ((int)strlen(text) > r.w)
        shorten(tile->value, text, sizeof text);
    bool dim = heatmap_tentative(tile);
    if (dim && (int)strlen(text) < r.w)
        memmove(text + 1, text, strlen(text) + 1), text[0] = tentative_sign(tile);
    int width = (int)strlen(text), x = r.x + (r.w - width) / 2, y = r.y + (r.h - 1) / 2;
    es_grid_fill(m->grid, r, role, ' ');
    es_grid_text(m->grid, x, y, role, text);
    /* The back end finds what can be read on the colour. */
    es_heatmap_fill(m->grid, r, ES_PAINT_NONE, es_heatmap_paint(m, tile));
}

static bool is_blank(es_grid *grid, int x, int y) {
    const es_cell *cell = es_grid_at(grid, x, y);
    return cell == NULL || cell->code[0] == 0 || cell->code[0] == ' ';
}

/* The cursor must show on any colour: brackets around the cell, in a role of their own. A number
 * that needs all of the cell is selected as a whole: without its sign it would be another one. */
static void draw_cursor(const es_heatmap_view *m, es_rect r, bool number) {
    int y = r.y + (r.h - 1) / 2, end = r.x + r.w - 1;
    const char *one = m->grid->ascii ? "X" : "◆";
    if (r.w < 2) {
        es_grid_text(m->grid, r.x, y, ES_ROLE_CURSOR, one);
        return;
    }
    if (number && (!is_blank(m->grid, r.x, y) || !is_blank(m->grid, end, y))) {
        es_grid_role(m->grid, r, ES_ROLE_SELECTION);
        es_heatmap_fill(m->grid, r, ES_PAINT_NONE, ES_PAINT_NONE);
        return;
    }
    es_cell *left = es_grid_at(m->grid, r.x, y), *right = es_grid_at(m->grid, end, y);
    es_paint a = left == NULL ? 0 : left->bg, b = right == NULL ? 0 : right->bg;
    es_grid_text(m->grid, r.x, y, ES_ROLE_CURSOR, "[");
    es_grid_text(m->grid, end, y, ES_ROLE_CURSOR, "]");
    if (left != NULL)
        left->bg = a;
    if (right != NULL)
        right->bg = b;
}

void es_heatmap_draw_value(const es_heatmap_view *m, es_rect r, const es_tile *tile) {
    es_paint colour = es_heatmap_paint(m, tile);
    es_role role = es_heatmap_role(tile);
    int step = es_limits_step(m->limits, tile->value);
    bool ascii = m->grid->ascii, tentative = heatmap_tentative(tile);
    es_rect last = {r.x + r.w - 1, r.y + (r.h - 1) / 2, 1, 1};
    es_grid_fill(m->grid, r, role, es_heatmap_ramp(step, ascii));
    es_heatmap_fill(m->grid, r, colour, colour);
    if (!tentative)
        return;
    es_grid_fill(m->grid, last, role,
                 r.w < 2 && !tile->decided && !tile->saturated ? tentative_ramp(step, ascii)
                                                               : (uint32_t)tentative_sign(tile));
    es_heatmap_fill(m->grid, last, ES_PAINT_NONE, colour); /* the back end finds what shows on it */
}

static void draw_cell(es_heatmap_view *m, size_t row, size_t column) {
    es_tile tile = es_heatmap_tile(m, m->top + row, m->left + column);
    es_rect r = {m->x + (int)column * m->g.cell_w, m->y + (int)row * m->g.cell_h, m->g.cell_w,
                 m->g.cell_h};
    es_role role = es_heatmap_role(&tile);
    uint32_t glyph = es_heatmap_glyph(tile.kind);
    count_tile(m, &tile);
    if (tile.kind == TILE_VALUE && m->g.digits)
        draw_digits(m, r, &tile);
    else if (tile.kind == TILE_VALUE)
        es_heatmap_draw_value(m, r, &tile);
    else if (tile.kind == TILE_SELF)
        es_grid_fill(m->grid, r, role, glyph);
    else {
        es_rect middle = {r.x + (r.w - 1) / 2, r.y + (r.h - 1) / 2, 1, 1};
        es_grid_fill(m->grid, r, role, ' ');
        es_grid_fill(m->grid, middle, role, glyph);
    }
    if (tile.flash && !m->g.digits && !m->app->coarse && !m->grid->ascii)
        es_grid_fill(m->grid, r, role, 0x2588);
    if (tile.flash)
        es_heatmap_fill(m->grid, r, ES_PAINT_NONE, ES_PAINT_NONE);
    if (row == m->row_at && column == m->column_at)
        draw_cursor(m, r, tile.kind == TILE_VALUE && m->g.digits);
}

/* ---- Two rows in a character ---- */

/* What one of the two shows. */
typedef struct es_half {
    es_paint paint; /* ES_PAINT_NONE: nothing */
    bool tentative; /* gives half of its place to the other one */
} es_half;

static es_half half_of(const es_heatmap_view *m, const es_tile *tile, bool cursor) {
    es_half half = {ES_PAINT_NONE, false};
    if (cursor)
        half.paint = (es_paint)(ES_PAINT_ROLE + ES_ROLE_CURSOR);
    else if (tile->flash || tile->kind == TILE_SELF || tile->kind == TILE_FAILED ||
             tile->kind == TILE_RUNNING)
        half.paint = (es_paint)(ES_PAINT_ROLE + (int)es_heatmap_role(tile));
    else if (tile->kind == TILE_VALUE)
        half = (es_half){es_heatmap_paint(m, tile), heatmap_tentative(tile)};
    return half;
}

/* A value that counts fills its half. A tentative one fills a quarter, the upper one to the left,
 * the lower one to the right, so that the outline tells which of the two it is. Of two tentative
 * ones the upper is in full colour: equal values still make a pattern. */
static void draw_blocks(es_grid *grid, int x, int y, es_half upper, es_half lower) {
    static const uint32_t right_below = 0x2597, upper_left = 0x2598, diagonal = 0x259a,
                          but_right_below = 0x259b, but_upper_left = 0x259f, below = 0x2584;
    es_paint a = upper.paint, b = lower.paint, none = ES_PAINT_NONE;
    es_role role = upper.tentative || lower.tentative ? ES_ROLE_TEXT_DIM : ES_ROLE_TEXT;
    if (upper.tentative && lower.tentative)
        es_grid_block(grid, x, y, role, diagonal, (es_paint)(a & ~ES_PAINT_DIM), b);
    else if (upper.tentative && b == none)
        es_grid_block(grid, x, y, role, upper_left, a, none);
    else if (upper.tentative)
        es_grid_block(grid, x, y, role, but_upper_left, b, a);
    else if (lower.tentative && a == none)
        es_grid_block(grid, x, y, role, right_below, b, none);
    else if (lower.tentative)
        es_grid_block(grid, x, y, role, but_right_below, a, b);
    else if (a == none) /* as a foreground "nothing" would be drawn in the text's colour */
        es_grid_block(grid, x, y, role, below, b, none);
    else
        es_grid_half(grid, x, y, role, a, b);
}

void es_heatmap_draw_two(const es_heatmap_view *m, int x, int y, const es_tile *upper,
                         const es_tile *lower) {
    draw_blocks(m->grid, x, y, half_of(m, upper, false), half_of(m, lower, false));
}

/* Which of the two shows a glyph for both of them: one that failed, one that runs, one whose value
 * is a single row's, or two alike. */
static const es_tile *told_by_glyph(const es_tile *a, const es_tile *b) {
    static const es_tile_kind first[] = {TILE_FAILED, TILE_RUNNING};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (a->kind == first[i] || b->kind == first[i])
            return a->kind == first[i] ? a : b;
    if (is_decided(a) || is_decided(b))
        return is_decided(a) ? a : b;
    bool alike = a->kind != TILE_VALUE && (b->kind == a->kind || b->kind == TILE_NONE);
    return alike ? a : NULL;
}

static void draw_half(es_heatmap_view *m, size_t line, size_t column) {
    size_t top = m->top + 2 * line, left = m->left + column;
    es_tile upper = es_heatmap_tile(m, top, left), lower = es_heatmap_tile(m, top + 1, left);
    int x = m->x + (int)column, y = m->y + (int)line;
    bool here = column == m->column_at, up = here && 2 * line == m->row_at,
         down = here && 2 * line + 1 == m->row_at;
    const es_tile *told = told_by_glyph(&upper, &lower);
    count_tile(m, &upper);
    count_tile(m, &lower);
    if (up || down) { /* the cursor is a whole half; the legend says what is under it */
        es_half a = half_of(m, &upper, up), b = half_of(m, &lower, down);
        a.tentative = b.tentative = false;
        draw_blocks(m->grid, x, y, a, b);
    } else if (told != NULL) {
        es_rect r = {x, y, 1, 1};
        const es_tile *other = told == &upper ? &lower : &upper;
        es_tile sign = {.kind = is_decided(told) ? TILE_DECIDED : told->kind, .flash = told->flash};
        es_grid_fill(m->grid, r, es_heatmap_role(&sign), es_heatmap_glyph(sign.kind));
        if (other->kind == TILE_VALUE)
            es_heatmap_fill(m->grid, r, ES_PAINT_NONE, es_heatmap_paint(m, other));
    } else
        es_heatmap_draw_two(m, x, y, &upper, &lower);
}

void es_heatmap_draw_cells(es_heatmap_view *m) {
    if (m->g.half)
        for (size_t line = 0; line < (m->rows + 1) / 2; line++)
            for (size_t c = 0; c < m->columns; c++)
                draw_half(m, line, c);
    else
        for (size_t r = 0; r < m->rows; r++)
            for (size_t c = 0; c < m->columns; c++)
                draw_cell(m, r, c);
}
