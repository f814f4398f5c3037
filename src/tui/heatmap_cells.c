/* The cells of the matrix. Colour shows the value, and every state has a glyph of its own; in cells
 * of one row the glyph is a ramp in the cell's own colour, so that it carries the value where
 * colours are few. */
#include "heatmap.h"

#include <math.h>
#include <string.h>

#define FLASH 0.3

/* ---- Tiles
 * ------------------------------------------------------------------------------------------------
 */

es_tile es_heatmap_pair(const es_heatmap *m, size_t row, size_t column) {
    const es_app *app = m->app;
    size_t source = m->list->item[row], target = m->list->item[column];
    es_tile tile = {TILE_PENDING, (double)NAN, false, false, false};
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
        tile.doubt = es_measure_doubt(app, app->set.matrix, source, target) != NULL;
        return tile;
    }
    switch (es_heat_state(app, source, target)) {
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
        tile.preview = es_refine_preview(app, source, target);
        break;
    default:
        break;
    }
    tile.flash = source == app->newest_source && target == app->newest_target &&
                 app->now - app->newest_at < FLASH;
    return tile;
}

es_tile es_heatmap_tile(const es_heatmap *m, size_t row, size_t column) {
    size_t pool = m->g.pool, count = m->list->count, known = 0;
    if (row >= m->g.total || column >= m->g.total)
        return (es_tile){TILE_NONE, (double)NAN, false, false, false};
    if (pool == 1)
        return es_heatmap_pair(m, row, column);
    es_tile mean = {row == column ? TILE_SELF : TILE_PENDING, 0, false, false, false};
    for (size_t r = row * pool; r < (row + 1) * pool && r < count; r++)
        for (size_t c = column * pool; c < (column + 1) * pool && c < count; c++) {
            es_tile tile = es_heatmap_pair(m, r, c);
            if (tile.kind == TILE_VALUE) {
                mean.value += tile.value;
                mean.preview = mean.preview || tile.preview;
                mean.doubt = mean.doubt || tile.doubt;
                known++;
            } else if (tile.kind == TILE_FAILED && mean.kind == TILE_PENDING)
                mean.kind = TILE_FAILED;
        }
    if (known > 0) {
        mean.kind = TILE_VALUE;
        mean.value /= (double)known;
    }
    return mean;
}

es_paint es_heatmap_paint(const es_heatmap *m, const es_tile *tile) {
    int step = es_limits_step(m->limits, tile->value);
    return (es_paint)((m->diverging ? ES_PAINT_DIVERGE : ES_PAINT_HEAT) + step +
                      (tile->preview || tile->doubt ? ES_PAINT_DIM : 0));
}

static es_role tile_role(const es_tile *tile) {
    switch (tile->kind) {
    case TILE_SELF:
        return ES_ROLE_CELL_SELF;
    case TILE_FAILED:
        return ES_ROLE_CELL_FAILED;
    case TILE_RUNNING:
        return ES_ROLE_STATE_RUNNING;
    case TILE_PENDING:
        return ES_ROLE_CELL_PENDING;
    default:
        return tile->flash                    ? ES_ROLE_CELL_FLASH
               : tile->preview || tile->doubt ? ES_ROLE_TEXT_DIM
                                              : ES_ROLE_TEXT;
    }
}

static uint32_t tile_glyph(const es_tile *tile, bool ascii) {
    switch (tile->kind) {
    case TILE_SELF:
        return ascii ? '\\' : 0x2572;
    case TILE_FAILED:
        return ascii ? 'x' : 0xd7;
    case TILE_RUNNING:
        return ascii ? 'o' : 0x2218;
    case TILE_PENDING:
        return ascii ? '.' : 0xb7;
    default:
        return ' ';
    }
}

uint32_t es_heatmap_ramp(int step, bool ascii) {
    static const uint32_t shades[] = {0x2591, 0x2592, 0x2593, 0x2588};
    static const char ramp[] = "-~:;=+*#%@"; /* none of them is a state's glyph */
    return ascii ? (uint32_t)ramp[step * 10 / 256] : shades[step * 4 / 256];
}

/* ---- Cells
 * --------------------------------------------------------------------------------------------------
 */

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

/* A colour for text on a step of a map: the far end of the sequential one. */
static es_paint contrast(int step, bool diverging) {
    bool light = diverging ? step > 64 && step < 192 : step >= 128;
    return (es_paint)(ES_PAINT_HEAT + (light ? 0 : 255));
}

static void draw_digits(const es_heatmap *m, es_rect r, const es_tile *tile, es_role role,
                        int step) {
    char text[32];
    int digits = r.w >= 7 ? 3 : 2;
    es_metric_format(m->metric, tile->value, digits, text, sizeof text);
    bool dim = tile->preview || tile->doubt;
    if (dim && (int)strlen(text) < r.w)
        memmove(text + 1, text, strlen(text) + 1), text[0] = tile->doubt ? '?' : '~';
    int width = (int)strlen(text), x = r.x + (r.w - width) / 2, y = r.y + (r.h - 1) / 2;
    es_grid_fill(m->grid, r, role, ' ');
    es_grid_text(m->grid, x, y, role, text);
    /* On a dimmed colour the back end chooses what can be read. */
    es_heatmap_fill(m->grid, r, dim ? ES_PAINT_NONE : contrast(step, m->diverging),
                    es_heatmap_paint(m, tile));
}

/* The cursor must show on any colour: brackets around the cell, in a role of their own. */
static void draw_cursor(const es_heatmap *m, es_rect r) {
    int y = r.y + (r.h - 1) / 2;
    const char *one = m->grid->ascii ? "X" : "◆";
    if (r.w < 2)
        es_grid_text(m->grid, r.x, y, ES_ROLE_CURSOR, one);
    else {
        es_cell *left = es_grid_at(m->grid, r.x, y), *right = es_grid_at(m->grid, r.x + r.w - 1, y);
        es_paint a = left == NULL ? 0 : left->bg, b = right == NULL ? 0 : right->bg;
        es_grid_text(m->grid, r.x, y, ES_ROLE_CURSOR, "[");
        es_grid_text(m->grid, r.x + r.w - 1, y, ES_ROLE_CURSOR, "]");
        if (left != NULL)
            left->bg = a;
        if (right != NULL)
            right->bg = b;
    }
}

/* A preview has a glyph too: colours may be few. The back end chooses what shows on its colour. */
void es_heatmap_mark(const es_heatmap *m, es_rect r, es_paint colour, uint32_t glyph) {
    es_rect last = {r.x + r.w - 1, r.y + (r.h - 1) / 2, 1, 1};
    es_grid_fill(m->grid, last, ES_ROLE_TEXT_DIM, glyph);
    es_heatmap_fill(m->grid, last, ES_PAINT_NONE, colour);
}

static void draw_cell(const es_heatmap *m, size_t row, size_t column) {
    es_tile tile = es_heatmap_tile(m, m->app->list[ES_LIST_HEAT].top + row, m->app->left + column);
    es_rect r = {m->x + (int)column * m->g.cell_w, m->y + (int)row * m->g.cell_h, m->g.cell_w,
                 m->g.cell_h};
    es_role role = tile_role(&tile);
    int step = es_limits_step(m->limits, tile.value);
    if (tile.kind == TILE_VALUE && m->g.digits)
        draw_digits(m, r, &tile, role, step);
    else if (tile.kind == TILE_VALUE) {
        es_grid_fill(m->grid, r, role, es_heatmap_ramp(step, m->grid->ascii));
        es_heatmap_fill(m->grid, r, es_heatmap_paint(m, &tile), es_heatmap_paint(m, &tile));
        if ((tile.preview || tile.doubt) && r.w > 1)
            es_heatmap_mark(m, r, es_heatmap_paint(m, &tile), tile.doubt ? '?' : '~');
    } else if (tile.kind == TILE_SELF)
        es_grid_fill(m->grid, r, role, tile_glyph(&tile, m->grid->ascii));
    else {
        es_grid_fill(m->grid, r, role, ' ');
        es_grid_fill(m->grid, (es_rect){r.x + (r.w - 1) / 2, r.y + (r.h - 1) / 2, 1, 1}, role,
                     tile_glyph(&tile, m->grid->ascii));
    }
    if (tile.flash)
        es_heatmap_fill(m->grid, r, ES_PAINT_NONE, ES_PAINT_NONE);
    if (row == m->row_at && column == m->column_at)
        draw_cursor(m, r);
}

static es_paint half_paint(const es_heatmap *m, const es_tile *tile, bool cursor) {
    if (cursor)
        return (es_paint)(ES_PAINT_ROLE + ES_ROLE_CURSOR);
    if (tile->kind == TILE_NONE)
        return ES_PAINT_NONE;
    if (tile->kind != TILE_VALUE || tile->flash)
        return (es_paint)(ES_PAINT_ROLE + (int)tile_role(tile));
    return es_heatmap_paint(m, tile);
}

/* Two rows in one cell. Two equal states show their glyph, anything else half blocks. */
static void draw_half(const es_heatmap *m, size_t line, size_t column) {
    size_t top = m->app->list[ES_LIST_HEAT].top + 2 * line, left = m->app->left + column;
    es_tile upper = es_heatmap_tile(m, top, left), lower = es_heatmap_tile(m, top + 1, left);
    int x = m->x + (int)column, y = m->y + (int)line;
    bool here = column == m->column_at, up = here && 2 * line == m->row_at,
         down = here && 2 * line + 1 == m->row_at;
    bool plain = upper.kind != TILE_VALUE &&
                 (lower.kind == upper.kind || lower.kind == TILE_NONE) && !up && !down;
    if (plain)
        es_grid_fill(m->grid, (es_rect){x, y, 1, 1}, tile_role(&upper),
                     tile_glyph(&upper, m->grid->ascii));
    else
        es_grid_half(m->grid, x, y,
                     upper.preview || lower.preview || upper.doubt || lower.doubt ? ES_ROLE_TEXT_DIM
                                                                                  : ES_ROLE_TEXT,
                     half_paint(m, &upper, up), half_paint(m, &lower, down));
}

void es_heatmap_draw_cells(const es_heatmap *m) {
    if (m->g.half)
        for (size_t line = 0; line < (m->rows + 1) / 2; line++)
            for (size_t c = 0; c < m->columns; c++)
                draw_half(m, line, c);
    else
        for (size_t r = 0; r < m->rows; r++)
            for (size_t c = 0; c < m->columns; c++)
                draw_cell(m, r, c);
}
