/* Heatmap: the matrix of all pairs. Colour shows the value, and every state has a glyph of its own;
 * in cells of one row the glyph is a ramp in the cell's own colour, so that it carries the value
 * where colours are few. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw.h"

#define FLASH 0.3

typedef struct es_matrix {
    const es_app *app;
    es_grid *grid;
    es_geometry g;
    const es_list *list;
    const es_limits *limits;
    es_metric metric;
    bool diverging;
    int x, y;                 /* of the first cell */
    size_t rows, columns;     /* drawn, of the items from top and left */
    size_t row_at, column_at; /* cursor, as indices of drawn cells; ES_NONE */
} es_matrix;

/* One drawn cell: a pair, or the mean of a block in the overview. */
typedef struct es_tile {
    enum { TILE_NONE, TILE_SELF, TILE_PENDING, TILE_RUNNING, TILE_FAILED, TILE_VALUE } kind;
    double value;
    bool flash, preview; /* the overview's mean is a preview when any of its cells is */
    bool doubt;          /* a measure that says little here; so with the mean */
} es_tile;

/* ---- Tiles
 * ------------------------------------------------------------------------------------------------
 */

static es_tile pair_tile(const es_matrix *m, size_t row, size_t column) {
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

static es_tile tile_at(const es_matrix *m, size_t row, size_t column) {
    size_t pool = m->g.pool, count = m->list->count, known = 0;
    if (row >= m->g.total || column >= m->g.total)
        return (es_tile){TILE_NONE, (double)NAN, false, false, false};
    if (pool == 1)
        return pair_tile(m, row, column);
    es_tile mean = {row == column ? TILE_SELF : TILE_PENDING, 0, false, false, false};
    for (size_t r = row * pool; r < (row + 1) * pool && r < count; r++)
        for (size_t c = column * pool; c < (column + 1) * pool && c < count; c++) {
            es_tile tile = pair_tile(m, r, c);
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

static es_paint tile_paint(const es_matrix *m, const es_tile *tile) {
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

static uint32_t ramp_glyph(int step, bool ascii) {
    static const uint32_t shades[] = {0x2591, 0x2592, 0x2593, 0x2588};
    static const char ramp[] = "-~:;=+*#%@"; /* none of them is a state's glyph */
    return ascii ? (uint32_t)ramp[step * 10 / 256] : shades[step * 4 / 256];
}

/* ---- Cells
 * --------------------------------------------------------------------------------------------------
 */

static void paint(es_grid *grid, es_rect r, es_paint fg, es_paint bg) {
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

static void draw_digits(const es_matrix *m, es_rect r, const es_tile *tile, es_role role,
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
    paint(m->grid, r, dim ? ES_PAINT_NONE : contrast(step, m->diverging), tile_paint(m, tile));
}

/* The cursor must show on any colour: brackets around the cell, in a role of their own. */
static void draw_cursor(const es_matrix *m, es_rect r) {
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
static void draw_preview(const es_matrix *m, es_rect r, es_paint colour, uint32_t glyph) {
    es_rect last = {r.x + r.w - 1, r.y + (r.h - 1) / 2, 1, 1};
    es_grid_fill(m->grid, last, ES_ROLE_TEXT_DIM, glyph);
    paint(m->grid, last, ES_PAINT_NONE, colour);
}

static void draw_cell(const es_matrix *m, size_t row, size_t column) {
    es_tile tile = tile_at(m, m->app->list[ES_LIST_HEAT].top + row, m->app->left + column);
    es_rect r = {m->x + (int)column * m->g.cell_w, m->y + (int)row * m->g.cell_h, m->g.cell_w,
                 m->g.cell_h};
    es_role role = tile_role(&tile);
    int step = es_limits_step(m->limits, tile.value);
    if (tile.kind == TILE_VALUE && m->g.digits)
        draw_digits(m, r, &tile, role, step);
    else if (tile.kind == TILE_VALUE) {
        es_grid_fill(m->grid, r, role, ramp_glyph(step, m->grid->ascii));
        paint(m->grid, r, tile_paint(m, &tile), tile_paint(m, &tile));
        if ((tile.preview || tile.doubt) && r.w > 1)
            draw_preview(m, r, tile_paint(m, &tile), tile.doubt ? '?' : '~');
    } else if (tile.kind == TILE_SELF)
        es_grid_fill(m->grid, r, role, tile_glyph(&tile, m->grid->ascii));
    else {
        es_grid_fill(m->grid, r, role, ' ');
        es_grid_fill(m->grid, (es_rect){r.x + (r.w - 1) / 2, r.y + (r.h - 1) / 2, 1, 1}, role,
                     tile_glyph(&tile, m->grid->ascii));
    }
    if (tile.flash)
        paint(m->grid, r, ES_PAINT_NONE, ES_PAINT_NONE);
    if (row == m->row_at && column == m->column_at)
        draw_cursor(m, r);
}

static es_paint half_paint(const es_matrix *m, const es_tile *tile, bool cursor) {
    if (cursor)
        return (es_paint)(ES_PAINT_ROLE + ES_ROLE_CURSOR);
    if (tile->kind == TILE_NONE)
        return ES_PAINT_NONE;
    if (tile->kind != TILE_VALUE || tile->flash)
        return (es_paint)(ES_PAINT_ROLE + (int)tile_role(tile));
    return tile_paint(m, tile);
}

/* Two rows in one cell. Two equal states show their glyph, anything else half blocks. */
static void draw_half(const es_matrix *m, size_t line, size_t column) {
    size_t top = m->app->list[ES_LIST_HEAT].top + 2 * line, left = m->app->left + column;
    es_tile upper = tile_at(m, top, left), lower = tile_at(m, top + 1, left);
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

/* ---- Labels
 * ---------------------------------------------------------------------------------------------------
 */

static void draw_label(const es_matrix *m, int x, int y, size_t item, bool cursor) {
    const es_app *app = m->app;
    bool match = app->search[0] != '\0' && es_select_matches(app, app->search, item);
    es_role role = cursor ? ES_ROLE_SELECTION : match ? ES_ROLE_MATCH : ES_ROLE_TEXT;
    if (cursor)
        es_grid_text(m->grid, x, y, ES_ROLE_CROSSHAIR, "❯");
    if (app->marked[item])
        es_grid_text(m->grid, x + 1, y, ES_ROLE_MARK, "●");
    es_grid_field(m->grid, x + 2 + m->g.tree_w, y, m->g.label_w - 2 - m->g.tree_w - m->g.bar_w, -1,
                  role, es_app_model(app, item)->name);
}

static size_t group_at(const es_matrix *m, size_t index) {
    index *= m->g.pool;
    return index < m->list->count ? es_tree_group(m->app, m->list->item[index]) : ES_NONE;
}

/* Ordered by community: its colour as a bar beside the rows and over the columns. */
static void draw_bars(const es_matrix *m) {
    const es_app *app = m->app;
    int step = m->g.half ? 2 : 1, height = m->g.half ? 1 : m->g.cell_h;
    if (app->set.order != ES_ORDER_COMMUNITY || app->tree.found == NULL)
        return;
    for (size_t c = 0; c < m->columns; c++) {
        size_t group = group_at(m, app->left + c);
        for (int k = 0; group != ES_NONE && k < m->g.cell_w; k++)
            es_grid_text(m->grid, m->x + (int)c * m->g.cell_w + k, m->y - 1,
                         es_draw_community(app, group), m->grid->ascii ? "_" : "▂");
    }
    for (size_t r = 0; r < m->rows; r += (size_t)step) {
        size_t group = group_at(m, m->list->top + r);
        for (int k = 0; group != ES_NONE && k < height; k++)
            es_grid_text(m->grid, m->x - 1, m->y + (int)r / step * height + k,
                         es_draw_community(app, group), m->grid->ascii ? "|" : "▌");
    }
}

/* What a click means. In the overview a place stands for a block: for its first pair. */
static void note_spots(const es_matrix *m, es_rect in) {
    size_t step = m->g.half ? 2 : 1, pool = m->g.pool, count = m->list->count;
    int height = m->g.half ? 1 : m->g.cell_h;
    for (size_t r = 0; r < m->rows; r += step) {
        size_t at = (m->list->top + r) * pool;
        es_rect line = {in.x, m->y + (int)(r / step) * height, in.w, height};
        if (at < count)
            es_grid_spot(m->grid, line, ES_SPOT_ITEM, m->list->item[at]);
        if (m->g.half && at + 1 < count)
            es_grid_spot(m->grid, line, ES_SPOT_OTHER, m->list->item[at + 1]);
    }
    for (size_t c = 0; c < m->columns; c++) {
        size_t at = (m->app->left + c) * pool;
        es_rect column = {m->x + (int)c * m->g.cell_w, m->y, m->g.cell_w, in.y + in.h - m->y};
        if (at < count)
            es_grid_spot(m->grid, column, ES_SPOT_TARGET, m->list->item[at]);
    }
}

static void draw_row_labels(const es_matrix *m, int x) {
    const es_app *app = m->app;
    size_t step = m->g.half ? 2 : 1, pool = m->g.pool, top = m->list->top;
    int height = m->g.half ? 1 : m->g.cell_h;
    for (size_t r = 0; r < m->rows; r += step) {
        size_t at = top + r;
        int y = m->y + (int)(r / step) * height + (height - 1) / 2;
        bool cursor = m->row_at != ES_NONE && m->row_at >= r && m->row_at < r + step;
        size_t item = cursor && app->cursor != ES_NONE ? app->cursor
                      : at * pool < m->list->count     ? m->list->item[at * pool]
                                                       : ES_NONE;
        if (item != ES_NONE)
            draw_label(m, x, y, item, cursor);
    }
}

/* Where a community begins, if its block has room for its number. */
static void draw_group_heads(const es_matrix *m, int y) {
    const es_app *app = m->app;
    for (size_t c = 0; c < m->columns;) {
        size_t group = group_at(m, app->left + c), first = c;
        char label[16];
        while (c < m->columns && group_at(m, app->left + c) == group)
            c++;
        if (group == ES_NONE)
            continue;
        es_tree_label(app, group, label, sizeof label);
        if ((int)strlen(label) < (int)(c - first) * m->g.cell_w)
            es_grid_text(m->grid, m->x + (int)first * m->g.cell_w, y, es_draw_community(app, group),
                         label);
    }
}

/* Line 1: names. Wide cells name every column, narrow ones the cursor's. Line 2: marks and cursor.
 */
static void draw_heads(const es_matrix *m, es_rect in) {
    const es_app *app = m->app;
    int y = in.y, end = in.x + in.w;
    if (m->g.cell_w >= 5 && m->g.pool == 1)
        for (size_t c = 0; c < m->columns; c++) {
            size_t item = m->list->item[app->left + c];
            es_role role = c == m->column_at ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
            es_grid_field(m->grid, m->x + (int)c * m->g.cell_w, y, m->g.cell_w - 1, 0, role,
                          es_app_model(app, item)->name);
        }
    else if (app->set.order == ES_ORDER_COMMUNITY && app->tree.found != NULL)
        draw_group_heads(m, y);
    for (size_t c = 0; c < m->columns; c++) {
        size_t index = (app->left + c) * m->g.pool;
        int x = m->x + (int)c * m->g.cell_w + (m->g.cell_w - 1) / 2;
        if (c == m->column_at)
            es_grid_text(m->grid, x, y + 1, ES_ROLE_CROSSHAIR, "▼");
        else if (index < m->list->count && app->marked[m->list->item[index]])
            es_grid_text(m->grid, x, y + 1, ES_ROLE_MARK, "●");
    }
    if (m->column_at == ES_NONE || app->column == ES_NONE || m->g.cell_w >= 5)
        return;
    const char *name = es_app_model(app, app->column)->name;
    int width = es_text_width(name), x = m->x + (int)m->column_at * m->g.cell_w - width / 2;
    x = x + width > end ? end - width : x;
    x = x < in.x + 3 ? in.x + 3 : x;
    es_grid_field(m->grid, x, y, width < end - x ? width : end - x, -1, ES_ROLE_SELECTION, name);
}

/* ---- Profiles
 * ----------------------------------------------------------------------------------------------------
 */

/* Mean of the known cells of a drawn row or column; NAN when none is known. */
static double mean_of(const es_matrix *m, size_t index, bool row) {
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < m->list->count; i++)
        for (size_t j = index * m->g.pool; j < (index + 1) * m->g.pool && j < m->list->count; j++) {
            es_tile tile = row ? pair_tile(m, j, i) : pair_tile(m, i, j);
            if (tile.kind == TILE_VALUE) {
                sum += tile.value;
                known++;
            }
        }
    return known == 0 ? (double)NAN : sum / (double)known;
}

static void draw_column_profile(const es_matrix *m, int x, int y) {
    const char *what = "column means";
    int room = m->g.label_w - 3;
    es_grid_field(m->grid, x + 2, y, room, -1, ES_ROLE_TEXT_DIM, what);
    for (size_t c = 0; c < m->columns; c++) {
        double mean = mean_of(m, m->app->left + c, false);
        int step = es_limits_step(m->limits, mean);
        for (int k = 0; k < m->g.cell_w - (m->g.cell_w > 2); k++)
            if (isfinite(mean))
                es_draw_level(m->grid, m->x + (int)c * m->g.cell_w + k, y, ES_ROLE_SPARK, step);
    }
}

static void draw_row_profile(const es_matrix *m, int x, int w) {
    size_t step = m->g.half ? 2 : 1;
    int height = m->g.half ? 1 : m->g.cell_h;
    for (size_t r = 0; r < m->rows; r += step) {
        double mean = mean_of(m, m->list->top + r, true);
        double other = step == 2 && m->list->top + r + 1 < m->g.total
                           ? mean_of(m, m->list->top + r + 1, true)
                           : mean;
        double both = isfinite(mean) && isfinite(other) ? (mean + other) / 2
                      : isfinite(mean)                  ? mean
                                                        : other;
        int y = m->y + (int)(r / step) * height + (height - 1) / 2;
        if (isfinite(both))
            es_draw_bar(m->grid, x, y, w, es_limits_step(m->limits, both) / 255.0, ES_ROLE_SPARK,
                        ES_ROLE_BACKGROUND);
        for (int i = 0; isfinite(both) && i < w; i++) { /* the empty part of a profile is blank */
            es_cell *cell = es_grid_at(m->grid, x + i, y);
            if (cell != NULL && cell->role == ES_ROLE_BACKGROUND)
                cell->code[0] = ' ';
        }
    }
}

/* ---- Legend
 * ------------------------------------------------------------------------------------------------------
 */

static void draw_scale(const es_matrix *m, int x, int y, int w) {
    char low[32], high[32], least[32], most[32];
    const es_limits *l = m->limits;
    es_metric_format(m->metric, l->low, 2, low, sizeof low);
    es_metric_format(m->metric, l->high, 2, high, sizeof high);
    es_metric_format(m->metric, l->least, 2, least, sizeof least);
    es_metric_format(m->metric, l->most, 2, most, sizeof most);
    if (l->known == 0) {
        es_grid_text(m->grid, x, y, ES_ROLE_TEXT_DIM, "no cell is known yet");
        return;
    }
    int at = x + es_grid_printf(m->grid, x, y, ES_ROLE_TEXT, "%s ", low), width = w >= 60 ? 16 : 10;
    for (int i = 0; i < width; i++) {
        int step = i * 255 / (width - 1);
        es_rect r = {at + i, y, 1, 1};
        es_paint p = (es_paint)((m->diverging ? ES_PAINT_DIVERGE : ES_PAINT_HEAT) + step);
        es_grid_fill(m->grid, r, ES_ROLE_TEXT, ramp_glyph(step, m->grid->ascii));
        paint(m->grid, r, p, p);
    }
    at += width;
    at += es_grid_printf(m->grid, at, y, ES_ROLE_TEXT, " %s", high);
    char note[96];
    if (l->robust)
        (void)snprintf(note, sizeof note,
                       w >= 60 ? "   5th to 95th percentile, clipped %s…%s" : "  p5-p95 of %s…%s",
                       least, most);
    else
        (void)snprintf(note, sizeof note, "   full range");
    if (at + es_grid_width(m->grid, note) <= x + w)
        es_grid_text(m->grid, at, y, ES_ROLE_TEXT_DIM, note);
}

/* What dimmed cells are; nothing when there are none. */
static int draw_preview_key(const es_matrix *m, int x, int y) {
    const es_app *app = m->app;
    if (app->previews == 0)
        return 0;
    es_tile tile = {TILE_VALUE, (m->limits->low + 2 * m->limits->high) / 3, false, true, false};
    es_paint sample = tile_paint(m, &tile);
    es_rect r = {x, y, 2, 1};
    es_grid_fill(m->grid, r, ES_ROLE_TEXT_DIM, ramp_glyph(170, m->grid->ascii));
    paint(m->grid, r, sample, sample);
    draw_preview(m, r, sample, '~');
    return 3 + es_grid_printf(m->grid, x + 3, y, ES_ROLE_TEXT, "preview: %s  ",
                              app->source->title(app->source->context, 0));
}

static void draw_legend(const es_matrix *m, es_rect in) {
    const es_app *app = m->app;
    int x = in.x + 1, y = in.y + in.h - 3, w = in.w - 2;
    char value[32], text[256];
    draw_scale(m, x, y, w);
    const char *states = m->grid->ascii ? ". pending  o running  x failed  \\ self"
                                        : "· pending  ∘ running  × failed  ╲ self";
    const char *way = app->set.transposed
                          ? "column → row: how much of the row the column simulates"
                          : "row → column: how much of the column the row simulates";
    if (es_app_lower(app))
        way = app->set.transposed ? "column → row: error of the row, lower is better"
                                  : "row → column: error of the column, lower is better";
    const char *doubt = NULL;
    if (m->metric == ES_METRIC_MEASURE) {
        states = m->grid->ascii ? ". not known  ? says little" : "· not known  ? says little";
        way = app->source->measure_caveat(app->source->context, true, app->set.matrix);
        way = way == NULL ? "" : way;
    }
    int used = m->metric == ES_METRIC_MEASURE ? 0 : draw_preview_key(m, x, y + 1);
    used += es_grid_text(m->grid, x + used, y + 1, ES_ROLE_TEXT_DIM, states);
    if (m->metric == ES_METRIC_MEASURE && used + 13 <= w)
        es_grid_field(m->grid, x + used + 3, y + 1, w - used - 3, -1, ES_ROLE_TEXT_DIM, way);
    else if (used + 3 + es_grid_width(m->grid, way) <= w)
        es_grid_text(m->grid, x + used + 3, y + 1, ES_ROLE_TEXT_DIM, way);
    if (app->cursor == ES_NONE || app->column == ES_NONE)
        return;
    size_t source = app->set.transposed ? app->column : app->cursor,
           target = app->set.transposed ? app->cursor : app->column;
    double v = es_metric_value(app, m->metric, source, target),
           se = es_metric_value(app, ES_METRIC_SE, source, target);
    es_metric_format(m->metric, v, 3, value, sizeof value);
    if (m->metric == ES_METRIC_MEASURE && source != target)
        doubt = es_measure_doubt(app, app->set.matrix, source, target);
    if (source != target && doubt != NULL)
        (void)snprintf(text, sizeof text, "%s  ? %.80s", value, doubt);
    else if (source == target)
        (void)snprintf(text, sizeof text, "self");
    else if (!isfinite(v) && m->metric == ES_METRIC_MEASURE)
        (void)snprintf(text, sizeof text, "not known");
    else if (!isfinite(v)) {
        static const char *const states_text[] = {"pending", "running", "reverse not known",
                                                  "failed"};
        (void)snprintf(text, sizeof text, "%s", states_text[es_heat_state(app, source, target)]);
    } else if (m->metric == ES_METRIC_IS && isfinite(se))
        (void)snprintf(text, sizeof text, "%s ±%.3f", value, 1.959964 * se);
    else
        (void)snprintf(text, sizeof text, "%s", value);
    if (isfinite(v) && source != target && m->metric != ES_METRIC_MEASURE &&
        es_refine_preview(app, source, target)) {
        size_t length = strlen(text);
        (void)snprintf(text + length, sizeof text - length, " preview");
    }
    int width = es_grid_width(m->grid, text);
    es_draw_pair(m->grid, x, y + 2, w - width - 2, ES_ROLE_TEXT_STRONG,
                 es_app_model(app, source)->name, es_app_model(app, target)->name);
    es_grid_text(m->grid, in.x + in.w - 1 - width, y + 2, ES_ROLE_TEXT_STRONG, text);
}

/* ---- The pane
 * -------------------------------------------------------------------------------------------------------
 */

static size_t at_most(size_t a, size_t b) {
    return a < b ? a : b;
}

static es_matrix matrix_make(const es_app *app, es_grid *grid, es_rect in) {
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_matrix m = {.app = app,
                   .grid = grid,
                   .g = es_heat_geometry(app, in),
                   .list = list,
                   .metric = app->set.metric};
    m.limits = &app->limits[m.metric];
    m.diverging = es_metric_diverging(m.metric);
    m.x = in.x + m.g.label_w;
    m.y = in.y + m.g.head_h;
    m.rows = at_most(m.g.rows, m.g.total - at_most(list->top, m.g.total));
    m.columns = at_most(m.g.columns, m.g.total - at_most(app->left, m.g.total));
    size_t row = es_select_index(app, ES_LIST_HEAT, app->cursor),
           column = es_select_index(app, ES_LIST_HEAT, app->column);
    m.row_at = row == ES_NONE || row / m.g.pool < list->top ? ES_NONE : row / m.g.pool - list->top;
    m.column_at = column == ES_NONE || column / m.g.pool < app->left
                      ? ES_NONE
                      : column / m.g.pool - app->left;
    return m;
}

static void bottom_text(const es_matrix *m, bool wide, char *out, size_t capacity) {
    const es_app *app = m->app;
    const es_results *r = app->results;
    size_t n = m->list->count, hidden = es_select_hidden(app), used = 0;
    size_t all = r == NULL ? 0 : es_app_pairs(app);
    if (m->g.pool > 1)
        used += (size_t)snprintf(out + used, capacity - used, "overview: mean of %zu×%zu cells",
                                 m->g.pool, m->g.pool);
    else if (m->rows < n || m->columns < n)
        used += (size_t)snprintf(
            out + used, capacity - used,
            wide ? "rows %zu–%zu, columns %zu–%zu of %zu" : "%zu–%zu, %zu–%zu of %zu",
            m->list->top + 1, m->list->top + m->rows, app->left + 1, app->left + m->columns, n);
    else
        used += (size_t)snprintf(out + used, capacity - used, "%zu×%zu", n, n);
    if (m->g.half && m->g.pool == 1)
        used += (size_t)snprintf(out + used, capacity - used, " · every 2nd name");
    if (all > 0 && r->done < all)
        used +=
            (size_t)snprintf(out + used, capacity - used, wide ? " · %.0f%% known" : " · %.0f%%",
                             floor(100.0 * (double)r->done / (double)all));
    if (r && app->previews > 0)
        used += (size_t)snprintf(out + used, capacity - used,
                                 wide ? " · %zu of %zu pairs refined" : " · %zu/%zu refined",
                                 app->refined, r->m * (r->m - 1));
    if (hidden > 0)
        (void)snprintf(out + used, capacity - used, " · %zu hidden", hidden);
}

static void draw_matrix(const es_app *app, es_grid *grid, es_rect pane) {
    es_rect in = es_layout_inside(pane);
    const es_list *list = &app->list[ES_LIST_HEAT];
    char title[128], right[160], bottom[200] = "";
    bool focused = app->focus[app->view] == ES_PANE_MAIN, wide = pane.w >= 70;
    es_matrix m = matrix_make(app, grid, in);
    bool nothing = list->count == 0 || app->results == NULL;
    (void)snprintf(title, sizeof title, "%s%s, %s",
                   !wide || app->set.metric != ES_METRIC_IS ? ""
                   : es_app_lower(app)                      ? "Reconstruction "
                                                            : "Information sufficiency ",
                   es_metric_title(app, app->set.metric),
                   app->set.transposed ? "column → row" : "row → column");
    size_t used = (size_t)snprintf(right, sizeof right, "%sorder: %s",
                                   app->set.transposed && wide ? "transposed · " : "",
                                   es_order_title(app->set.order));
    if (app->set.filter[0] != '\0')
        used += (size_t)snprintf(right + used, sizeof right - used, " · filter: %.60s",
                                 app->set.filter);
    if (app->frozen || app->order_stale)
        (void)snprintf(right + used, sizeof right - used, app->frozen ? " · frozen" : " · held");
    if (!nothing)
        bottom_text(&m, wide, bottom, sizeof bottom);
    in = es_grid_pane(grid, pane, focused, title, right, bottom);
    if (in.h < 1)
        return;
    if (nothing) {
        if (!es_draw_nothing(app, grid, in))
            es_draw_empty(grid, in, "No pair is known yet",
                          "r starts the estimation; cells fill while it runs.");
        return;
    }
    es_rect old = es_grid_clip(grid, in);
    int lines = m.g.half ? (int)(m.rows + 1) / 2 : (int)m.rows * m.g.cell_h,
        right_end = m.x + (int)m.columns * m.g.cell_w;
    if (m.g.half)
        for (size_t line = 0; line < (m.rows + 1) / 2; line++)
            for (size_t c = 0; c < m.columns; c++)
                draw_half(&m, line, c);
    else
        for (size_t r = 0; r < m.rows; r++)
            for (size_t c = 0; c < m.columns; c++)
                draw_cell(&m, r, c);
    note_spots(&m, in);
    draw_row_labels(&m, in.x);
    if (m.g.tree_w > 0)
        es_draw_dendrogram(app, grid, (es_rect){in.x + 2, m.y, m.g.tree_w, lines}, &m.g);
    draw_bars(&m);
    draw_heads(&m, in);
    if (m.y + lines + 4 <= in.y + in.h)
        draw_column_profile(&m, in.x, m.y + lines);
    int spare = in.x + in.w - right_end - 2;
    if (spare >= 5)
        draw_row_profile(&m, right_end + 1, spare < 8 ? spare : 8);
    draw_legend(&m, in);
    es_grid_set_clip(grid, old);
}

/* In a layout without room for the extremes pane's width, the colours' scale is explained there. */
static void draw_scale_pane(const es_app *app, es_grid *grid, es_rect pane) {
    const es_limits *l = &app->limits[app->set.metric];
    char text[32];
    es_rect in = es_grid_pane(grid, pane, false, "Matrix", NULL, NULL);
    es_pen pen = es_pen_begin(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h}, 0);
    if (l->known > 0) {
        es_metric_format(app->set.metric, l->median, 3, text, sizeof text);
        es_pen_line(&pen, ES_ROLE_TEXT, "median %s", text);
        es_metric_format(app->set.metric, l->most, 3, text, sizeof text);
        es_pen_line(&pen, ES_ROLE_TEXT, "most   %s", text);
        es_metric_format(app->set.metric, l->least, 3, text, sizeof text);
        es_pen_line(&pen, ES_ROLE_TEXT, "least  %s", text);
    }
    if (app->progress.failed > 0)
        es_pen_line(&pen, ES_ROLE_STATE_FAILED, "%zu failed, 7 lists", app->progress.failed);
    es_pen_line(&pen, ES_ROLE_TEXT_DIM,
                grid->ascii ? "Enter: all of a cell" : "↵ all about a cell");
    es_pen_end(&pen);
}

void es_view_heatmap_draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    const es_rect *pane = layout->pane;
    if (pane[ES_PANE_MAIN].w > 0)
        draw_matrix(app, grid, pane[ES_PANE_MAIN]);
    if (pane[ES_PANE_SIDE].w > 0)
        es_inspect_cell(app, grid, pane[ES_PANE_SIDE], app->focus[app->view] == ES_PANE_SIDE);
    if (pane[ES_PANE_EXTRA].h > 2 && layout->size == ES_LAYOUT_WIDE)
        es_inspect_extremes(app, grid, pane[ES_PANE_EXTRA]);
    else if (pane[ES_PANE_EXTRA].h > 2)
        draw_scale_pane(app, grid, pane[ES_PANE_EXTRA]);
    if (pane[ES_PANE_THREADS].h > 2)
        es_draw_threads(app, grid, pane[ES_PANE_THREADS]);
}
