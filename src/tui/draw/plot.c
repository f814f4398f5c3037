/* Dots, lines and labels in cells of the grid, in braille, quadrants or ASCII, and axes with round
 * ticks. */
#include "tui_draw.h"

#include <math.h>
#include <stdlib.h>

/* Quadrants by the bits 1 upper left, 2 upper right, 4 lower left, 8 lower right. */
static const uint16_t quadrants[16] = {0x20,   0x2598, 0x259D, 0x2580, 0x2596, 0x258C,
                                       0x259E, 0x259B, 0x2597, 0x259A, 0x2590, 0x259C,
                                       0x2584, 0x2599, 0x259F, 0x2588};
static const int dots_wide[] = {2, 2, 1}, dots_high[] = {4, 2, 1};

es_plot es_plot_begin(es_grid *grid, es_rect rect, es_plot_style style, es_role role) {
    rect.w = rect.w > 0 ? rect.w : 0;
    rect.h = rect.h > 0 ? rect.h : 0;
    es_grid_fill(grid, rect, role, ' ');
    return (es_plot){grid, rect, style, rect.w * dots_wide[style], rect.h * dots_high[style]};
}

int es_plot_column(const es_plot *plot, int x) {
    return plot->rect.x + x / dots_wide[plot->style];
}

int es_plot_row(const es_plot *plot, int y) {
    return plot->rect.y + y / dots_high[plot->style];
}

static es_cell *cell_of(const es_plot *plot, int x, int y) {
    if (x < 0 || y < 0 || x >= plot->w || y >= plot->h)
        return NULL;
    return es_grid_at(plot->grid, es_plot_column(plot, x), es_plot_row(plot, y));
}

static bool is_blank(const es_cell *cell) {
    return cell->width == 1 && (cell->code[0] == 0 || cell->code[0] == ' ');
}

/* The dots in a cell as bits; -1: something else is there. */
static int dots_in(const es_plot *plot, const es_cell *cell) {
    uint32_t code = cell->code[0];
    if (is_blank(cell))
        return 0;
    if (plot->style == ES_PLOT_BRAILLE)
        return code >= 0x2800 && code <= 0x28FF ? (int)(code - 0x2800) : -1;
    for (int bits = 1; plot->style == ES_PLOT_BLOCKS && bits < 16; bits++)
        if (code == quadrants[bits])
            return bits;
    return plot->style == ES_PLOT_ASCII && code == '.' ? 1 : -1;
}

static int bit_of(const es_plot *plot, int x, int y) {
    static const uint8_t braille[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (plot->style == ES_PLOT_BRAILLE)
        return braille[y % 4][x % 2];
    return plot->style == ES_PLOT_BLOCKS ? 1 << (x % 2 + 2 * (y % 2)) : 1;
}

static void put_dots(const es_plot *plot, es_cell *cell, int bits, es_role role) {
    cell->code[0] = plot->style == ES_PLOT_BRAILLE  ? 0x2800 + (uint32_t)bits
                    : plot->style == ES_PLOT_BLOCKS ? quadrants[bits]
                                                    : '.';
    cell->role = (uint8_t)role;
}

void es_plot_dot(const es_plot *plot, int x, int y, es_role role) {
    es_cell *cell = cell_of(plot, x, y);
    int dots = cell == NULL ? -1 : dots_in(plot, cell);
    if (dots >= 0)
        put_dots(plot, cell, dots | bit_of(plot, x, y), role);
}

void es_plot_under(const es_plot *plot, int x, int y, es_role role) {
    es_cell *cell = cell_of(plot, x, y);
    int dots = cell == NULL ? -1 : dots_in(plot, cell);
    if (dots >= 0)
        put_dots(plot, cell, dots | bit_of(plot, x, y), dots == 0 ? role : (es_role)cell->role);
}

void es_plot_line(const es_plot *plot, int x0, int y0, int x1, int y1, int step, es_role role) {
    int dx = abs(x1 - x0), dy = abs(y1 - y0), far = dx > dy ? dx : dy;
    for (int i = 0; i <= far; i += step) {
        double part = far == 0 ? 0 : (double)i / far;
        es_plot_under(plot, x0 + (int)lround(part * (x1 - x0)), y0 + (int)lround(part * (y1 - y0)),
                      role);
    }
}

void es_plot_point(const es_plot *plot, int x, int y, es_role role) {
    if (plot->style == ES_PLOT_BRAILLE) {
        for (int i = 0; i < 4; i++)
            es_plot_dot(plot, x + i % 2, y + i / 2, role);
        return;
    }
    if (plot->style == ES_PLOT_BLOCKS) {
        es_plot_glyph(plot, x, y, role, "■");
        return;
    }
    es_cell *cell = cell_of(plot, x, y);
    if (cell == NULL || (dots_in(plot, cell) < 0 && cell->code[0] != 'o'))
        return;
    cell->code[0] = cell->code[0] == 'o' ? '8' : 'o';
    cell->role = (uint8_t)role;
}

void es_plot_glyph(const es_plot *plot, int x, int y, es_role role, const char *glyph) {
    if (cell_of(plot, x, y) != NULL)
        es_grid_text(plot->grid, es_plot_column(plot, x), es_plot_row(plot, y), role, glyph);
}

/* Room for w columns with a blank on either side. */
static bool is_free(const es_plot *plot, int column, int row, int w) {
    es_rect r = plot->rect;
    if (column < r.x || column + w > r.x + r.w || row < r.y || row >= r.y + r.h)
        return false;
    for (int x = column - 1; x <= column + w; x++) {
        bool inside = x >= r.x && x < r.x + r.w;
        const es_cell *cell = inside ? es_grid_at(plot->grid, x, row) : NULL;
        bool margin = x < column || x == column + w;
        if (cell != NULL && !is_blank(cell) && !(margin && dots_in(plot, cell) > 0))
            return false;
    }
    return true;
}

bool es_plot_label(const es_plot *plot, int x, int y, es_role role, const char *text) {
    int w = es_text_width(text), column = es_plot_column(plot, x), row = es_plot_row(plot, y);
    int last = es_plot_column(plot, x + (plot->style == ES_PLOT_ASCII ? 0 : 1));
    enum { PLACES = 8 };
    const int at[PLACES][2] = {{last + 2, row},           {column - 1 - w, row},
                               {column - w / 2, row - 1}, {column - w / 2, row + 1},
                               {last + 1, row - 1},       {last + 1, row + 1},
                               {column - w, row - 1},     {column - w, row + 1}};
    if (w == 0 || cell_of(plot, x, y) == NULL)
        return false;
    for (int i = 0; i < PLACES; i++)
        if (is_free(plot, at[i][0], at[i][1], w)) {
            es_grid_text(plot->grid, at[i][0], at[i][1], role, text);
            return true;
        }
    return false;
}

/* ---- Axes ---- */

es_axis es_axis_make(double low, double high, int dots) {
    double margin = high > low ? 0.05 * (high - low) : low == 0 ? 1 : 0.05 * fabs(low);
    return (es_axis){low - margin, high + margin, dots};
}

int es_axis_dot(const es_axis *axis, double value) {
    double at = (value - axis->low) / (axis->high - axis->low) * (axis->dots - 1);
    return !(at > -1) ? -1 : at > axis->dots ? axis->dots : (int)lround(at);
}

double es_axis_value(const es_axis *axis, int dot) {
    return axis->low + (axis->high - axis->low) * dot / (axis->dots > 1 ? axis->dots - 1 : 1);
}

double es_axis_step(const es_axis *axis, int most) {
    static const double nice[] = {1, 2, 5, 10};
    double rough = (axis->high - axis->low) / (most > 1 ? most : 1);
    double ten = pow(10, floor(log10(rough)));
    for (int i = 0; i < 3; i++)
        if (nice[i] * ten >= rough)
            return nice[i] * ten;
    return nice[3] * ten;
}

void es_axis_ticks(const es_axis *axis, double step, long *first, long *last) {
    double low = ceil(axis->low / step), high = floor(axis->high / step);
    bool sane = fabs(low) < 1e15 && fabs(high) < 1e15 && high - low < 1e4;
    *first = sane ? (long)low : 1;
    *last = sane ? (long)high : 0;
}

int es_axis_digits(double step) {
    if (!isfinite(step) || !(step > 0))
        return 0;
    int digits = (int)-floor(log10(step) + 1e-9);
    return digits < 0 ? 0 : digits > 6 ? 6 : digits;
}
