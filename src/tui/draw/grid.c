/* The cell grid: text with wide and combining characters, ASCII in place of what a terminal cannot
 * show, blocks, panes, and the places that a click means something at. */
#include "tui_draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    REPLACEMENT = 0xFFFD,
    UPPER_HALF = 0x2580,
    PRINTF_MAX = 2048, /* bytes of one formatted piece of text; a line of a screen fits */
    GRID_MAX = 32767   /* cells in one direction: the terminal's own limit */
};

/* ---- size, clip, cells ---- */

static void clear_cell(es_cell *cell, es_role role) {
    *cell = (es_cell){.width = 1, .role = (uint8_t)role, .ground = ES_ROLE_BACKGROUND};
}

bool es_grid_resize(es_grid *grid, int w, int h) {
    w = w < 0 ? 0 : w > GRID_MAX ? GRID_MAX : w;
    h = h < 0 ? 0 : h > GRID_MAX ? GRID_MAX : h;
    es_cell *cells = es_alloc((size_t)w * (size_t)h, sizeof *cells);
    if (!cells)
        return false;
    es_free(grid->cells);
    grid->cells = cells;
    grid->w = w;
    grid->h = h;
    es_grid_clear(grid);
    return true;
}

void es_grid_free(es_grid *grid) {
    es_free(grid->cells);
    es_free(grid->click_areas);
    es_shown_names_free(grid->names);
    *grid = (es_grid){.cursor_x = -1, .cursor_y = -1};
}

void es_grid_clear(es_grid *grid) {
    for (size_t i = 0; i < (size_t)grid->w * (size_t)grid->h; i++)
        clear_cell(&grid->cells[i], ES_ROLE_BACKGROUND);
    grid->clip = (es_rect){0, 0, grid->w, grid->h};
    grid->cursor_x = grid->cursor_y = -1;
    grid->cursor_visible = false;
    grid->n_click_areas = 0;
}

static es_rect intersect(es_rect a, es_rect b) {
    int left = a.x > b.x ? a.x : b.x;
    int top = a.y > b.y ? a.y : b.y;
    long right_a = (long)a.x + a.w, right_b = (long)b.x + b.w;
    long bottom_a = (long)a.y + a.h, bottom_b = (long)b.y + b.h;
    long w = (right_a < right_b ? right_a : right_b) - left;
    long h = (bottom_a < bottom_b ? bottom_a : bottom_b) - top;
    return (es_rect){left, top, w > 0 ? (int)w : 0, h > 0 ? (int)h : 0};
}

es_rect es_grid_clip(es_grid *grid, es_rect rect) {
    es_rect old = grid->clip;
    grid->clip = intersect(old, rect);
    return old;
}

void es_grid_set_clip(es_grid *grid, es_rect clip) {
    grid->clip = intersect((es_rect){0, 0, grid->w, grid->h}, clip);
}

/* ---- what a click means ---- */

void es_grid_click_area(es_grid *grid, es_rect rect, es_click means, size_t value) {
    es_click_area *areas =
        es_grow(grid->click_areas, grid->n_click_areas, &grid->click_area_capacity, sizeof *areas);
    if (!areas)
        return;
    grid->click_areas = areas;
    grid->click_areas[grid->n_click_areas++] =
        (es_click_area){intersect(grid->clip, rect), means, value};
}

es_mouse es_grid_mouse(const es_grid *grid, es_mouse_kind kind, int x, int y) {
    es_mouse mouse = {.kind = kind};
    for (int i = 0; i < ES_CLICK_COUNT; i++)
        mouse.at[i] = SIZE_MAX;
    for (size_t i = 0; i < grid->n_click_areas; i++) {
        const es_click_area *area = &grid->click_areas[i];
        const es_rect *r = &area->rect;
        if (x < r->x || y < r->y || x >= r->x + r->w || y >= r->y + r->h)
            continue;
        for (int k = 0; area->means == ES_CLICK_COVER && k < ES_CLICK_COUNT; k++)
            mouse.at[k] = SIZE_MAX;
        mouse.at[area->means] = area->value;
    }
    return mouse;
}

/* ---- cells ---- */

bool es_cell_equal(const es_cell *a, const es_cell *b) {
    return memcmp(a->code, b->code, sizeof a->code) == 0 && a->width == b->width &&
           a->role == b->role && a->ground == b->ground && a->fg == b->fg && a->bg == b->bg &&
           a->reverse == b->reverse;
}

es_cell *es_grid_at(es_grid *grid, int x, int y) {
    if (x < 0 || y < 0 || x >= grid->w || y >= grid->h)
        return NULL;
    return &grid->cells[(size_t)y * (size_t)grid->w + (size_t)x];
}

static bool in_clip(const es_grid *grid, int x, int y) {
    const es_rect *clip = &grid->clip;
    return x >= clip->x && y >= clip->y && x - clip->x < clip->w && y - clip->y < clip->h;
}

/* A wide character must not lose one of its halves only: what remains of it becomes a blank. */
static void release_wide(es_grid *grid, int x, int y) {
    es_cell *cell = es_grid_at(grid, x, y);
    es_cell *other = NULL;
    if (cell->width == 2)
        other = es_grid_at(grid, x + 1, y);
    else if (cell->width == 0)
        other = es_grid_at(grid, x - 1, y);
    if (other) {
        other->width = 1;
        memset(other->code, 0, sizeof other->code);
    }
    cell->width = 1;
}

/* The cell at (x, y), emptied and ready for a new character; NULL outside the clip. */
static es_cell *take_cell(es_grid *grid, int x, int y, es_role role) {
    if (!in_clip(grid, x, y))
        return NULL;
    release_wide(grid, x, y);
    es_cell *cell = es_grid_at(grid, x, y);
    uint8_t ground = cell->ground;
    clear_cell(cell, role);
    cell->ground = ground;
    return cell;
}

/* ---- ASCII ---- */

/* Letters with marks, U+00C0 to U+00FF, without them. */
static const char LATIN[] = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYPsaaaaaaaceeeeiiiidnooooo/ouuuuypy";

/* Box drawing, U+2500 to U+257F: the heavy and double horizontals stay distinct, so that the focus
 * of a pane shows without colour. */
static char ascii_box(uint32_t code) {
    if (code == 0x2500 || code == 0x2504 || code == 0x2508 || code == 0x254C || code == 0x2574 ||
        code == 0x2576)
        return '-';
    if (code == 0x2501 || code == 0x2505 || code == 0x2509 || code == 0x254D || code == 0x2550 ||
        code == 0x2578 || code == 0x257A || code == 0x257C || code == 0x257E)
        return '=';
    if (code == 0x2502 || code == 0x2503 || code == 0x2506 || code == 0x2507 || code == 0x250A ||
        code == 0x250B || code == 0x254E || code == 0x254F || code == 0x2551 || code == 0x2575 ||
        code == 0x2577 || code == 0x2579 || code == 0x257B || code == 0x257D || code == 0x257F)
        return '|';
    if (code == 0x2571)
        return '/';
    if (code == 0x2572)
        return '\\';
    return code == 0x2573 ? 'X' : '+';
}

/* Braille, U+2800 to U+28FF: by the number of dots, high or low in the cell for few of them. */
static char ascii_braille(uint32_t code) {
    unsigned dots = code & 0xFF, count = 0;
    for (unsigned bit = 0; bit < 8; bit++)
        count += dots >> bit & 1;
    if (count == 0)
        return ' ';
    if (count <= 2)
        return (dots & 0x1B) == dots ? '\'' : '.';
    return count <= 4 ? ':' : '#';
}

/* What one character cannot say: a bound or an error without its sign would be another statement.
 */
static const char *ascii_spelling(uint32_t code) {
    static const struct {
        uint16_t code;
        char spelling[6];
    } spellings[] = {
        {0x00B1, "+-"},    {0x03B3, "gamma"}, {0x03C1, "rho"}, {0x03C4, "tau"}, {0x2026, ".."},
        {0x2190, "<-"},    {0x2192, "->"},    {0x2194, "<>"},  {0x2225, "||"},  {0x2260, "!="},
        {0x21B5, "Enter"}, {0x2261, "=="},    {0x2264, "<="},  {0x2265, ">="},
    };
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (spellings[i].code == code)
            return spellings[i].spelling;
    return NULL;
}

uint32_t es_code_ascii(uint32_t code) {
    static const struct {
        uint16_t code;
        char ascii;
    } pairs[] = {
        {0x00A0, ' '}, {0x00A7, 'S'}, {0x00AB, '<'},  {0x00B2, '2'},  {0x00B5, 'u'}, {0x00B7, '.'},
        {0x00BB, '>'}, {0x03BC, 'u'}, {0x03C3, 's'},  {0x2010, '-'},  {0x2011, '-'}, {0x2012, '-'},
        {0x2013, '-'}, {0x2014, '-'}, {0x2018, '\''}, {0x2019, '\''}, {0x201C, '"'}, {0x201D, '"'},
        {0x2022, '*'}, {0x2191, '^'}, {0x2193, 'v'},  {0x21B5, '/'},  {0x2212, '-'}, {0x2248, '~'},
        {0x2282, '<'}, {0x2283, '>'}, {0x23F8, '"'},  {0x25A0, '#'},  {0x25AA, '#'}, {0x25B2, '^'},
        {0x25B4, '^'}, {0x25B6, '>'}, {0x25B8, '+'},  {0x25BC, 'v'},  {0x25BE, '-'}, {0x25C0, '<'},
        {0x25C6, '*'}, {0x25CB, 'o'}, {0x25CF, '*'},  {0x25C7, 'o'},  {0x25D1, 'o'}, {0x25D4, 'o'},
        {0x25D5, 'o'}, {0x2218, 'o'}, {0x0394, 'D'},  {0x25D0, 'o'},  {0x2605, '*'}, {0x26A0, '!'},
        {0x2713, 'v'}, {0x2714, 'v'}, {0x2717, 'x'},  {0x2718, 'x'},  {0x276F, '>'}, {0x27F3, '@'},
        {0x00D7, 'x'},
    };
    if (code < 0x80)
        return code;
    const char *spelling = ascii_spelling(code);
    if (spelling)
        return (unsigned char)spelling[0];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].code == code)
            return (unsigned char)pairs[i].ascii;
    if (code >= 0xC0 && code <= 0xFF)
        return (unsigned char)LATIN[code - 0xC0];
    if (code >= 0x2500 && code <= 0x257F)
        return (unsigned char)ascii_box(code);
    if (code >= 0x2581 && code <= 0x2588) /* lower blocks: bars and spark lines */
        return (unsigned char)"_..:-=+#"[code - 0x2581];
    if (code >= 0x2589 && code <= 0x258F) /* left blocks: the growing end of a bar */
        return (unsigned char)"#==--::"[code - 0x2589];
    if (code >= 0x2591 && code <= 0x2593)
        return (unsigned char)".+#"[code - 0x2591];
    if (code >= 0x2580 && code <= 0x259F)
        return '#';
    if (code >= 0x2800 && code <= 0x28FF)
        return (unsigned char)ascii_braille(code);
    return '?';
}

/* The ramp that stands for colours in an ASCII grid. */
static uint32_t ascii_ramp(es_paint upper, es_paint lower) {
    static const char ramp[] = " .:-=+*#%@";
    unsigned sum = 0, count = 0;
    const es_paint both[2] = {upper, lower};
    for (int i = 0; i < 2; i++)
        if (both[i] & (ES_PAINT_HEAT | ES_PAINT_DIVERGE)) {
            sum += both[i] & 0xFF;
            count++;
        }
    return count ? (uint32_t)(unsigned char)ramp[sum / count * 10 / 256] : ' ';
}

/* ---- text ---- */

int es_grid_code_width(const es_grid *grid, uint32_t code) {
    const char *spelling = grid->ascii ? ascii_spelling(code) : NULL;
    return spelling ? (int)strlen(spelling) : es_code_width(code);
}

int es_grid_width(const es_grid *grid, const char *utf8) {
    int width = 0;
    for (size_t left = strlen(utf8); left > 0;) {
        uint32_t code;
        size_t used = es_utf8_decode(utf8, left, &code);
        width += es_grid_code_width(grid, code);
        utf8 += used;
        left -= used;
    }
    return width;
}

/* Put a base character of `width` columns at x; false when the clip hides it. */
static bool put_base(es_grid *grid, int x, int y, es_role role, uint32_t code, int width) {
    if (code == 0)
        code = ' ';
    if (es_text_is_unsafe(code))
        code = REPLACEMENT;
    if (grid->ascii) {
        code = es_code_ascii(code);
        for (int i = 0; i < width; i++) {
            es_cell *cell = take_cell(grid, x + i, y, role);
            if (cell)
                cell->code[0] = code;
        }
        return true;
    }
    es_cell *left = take_cell(grid, x, y, role);
    if (width < 2) {
        if (left)
            left->code[0] = code;
        return left != NULL;
    }
    es_cell *right = take_cell(grid, x + 1, y, role);
    if (!left || !right)
        return false; /* only one column is left: it stays blank */
    left->code[0] = code;
    left->width = 2;
    right->width = 0;
    return true;
}

static void add_mark(es_cell *cell, uint32_t code) {
    if (cell->code[0] == 0)
        cell->code[0] = ' ';
    for (int i = 1; i < ES_CELL_CODES; i++)
        if (cell->code[i] == 0) {
            cell->code[i] = code;
            return;
        }
}

/* Variation selectors and the joiner of pictures change the width of what some terminals draw. */
static bool is_drawn(const es_cell *before, uint32_t mark) {
    return !(mark >= 0xFE00 && mark <= 0xFE0F) && !(mark == 0x200D && before->width == 2);
}

/* Draw text[0..length) from (x, y); columns used. */
static int put_text(es_grid *grid, int x, int y, es_role role, const char *text, size_t length) {
    int column = 0;
    es_cell *last = NULL; /* where a combining mark goes */
    while (length > 0) {
        uint32_t code;
        size_t used = es_utf8_decode(text, length, &code);
        text += used;
        length -= used;
        const char *spelling = grid->ascii ? ascii_spelling(code) : NULL;
        for (; spelling && *spelling; spelling++)
            put_base(grid, x + column++, y, role, (unsigned char)*spelling, 1);
        if (spelling) {
            last = NULL;
            continue;
        }
        int width = es_code_width(code);
        if (width == 0) {
            if (last && !grid->ascii && is_drawn(last, code))
                add_mark(last, code);
            continue;
        }
        last = put_base(grid, x + column, y, role, code, width) ? es_grid_at(grid, x + column, y)
                                                                : NULL;
        column += width;
    }
    return column;
}

int es_grid_text(es_grid *grid, int x, int y, es_role role, const char *utf8) {
    return put_text(grid, x, y, role, utf8, strlen(utf8));
}

int es_grid_printf(es_grid *grid, int x, int y, es_role role, const char *format, ...) {
    char text[PRINTF_MAX];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length < 0)
        return 0;
    return es_grid_text(grid, x, y, role, text);
}

/* Bytes of text[0..length) that fit into `columns` from its start; *width: the columns they take.
 * Marks that follow the last character belong to it. */
static size_t fit_head(const es_grid *grid, const char *text, size_t length, int columns,
                       int *width) {
    size_t at = 0;
    *width = 0;
    while (at < length) {
        uint32_t code;
        size_t used = es_utf8_decode(text + at, length - at, &code);
        int w = es_grid_code_width(grid, code);
        if (*width + w > columns)
            break;
        *width += w;
        at += used;
    }
    return at;
}

/* The first byte of the longest end of the text that fits into `columns`. */
static size_t fit_tail(const es_grid *grid, const char *text, size_t length, int columns,
                       int *width) {
    int left = es_grid_width(grid, text);
    size_t at = 0;
    while (at < length) {
        uint32_t code;
        size_t used = es_utf8_decode(text + at, length - at, &code);
        int w = es_grid_code_width(grid, code);
        if (left <= columns && w > 0)
            break; /* never start with a mark that lost its character */
        left -= w;
        at += used;
    }
    *width = left;
    return at;
}

/* What stands for the part of a text that a field of w columns has no room for. */
static const char *grid_gap(const es_grid *grid, int w) {
    return grid->ascii && w < 6 ? "~" : "…"; /* in ASCII: two dots, where there is room */
}

void es_grid_set_names(es_grid *grid, size_t n, const char *(*name)(const void *context, size_t i),
                       const void *context) {
    es_shown_names_set(&grid->names, n, name, context);
}

static double columns_of(const void *context, const char *utf8) {
    return es_grid_width(context, utf8);
}

const char *es_grid_short_name(es_grid *grid, const char *utf8, int w) {
    const es_ruler ruler = {columns_of, grid, grid_gap(grid, w)};
    return es_shown_name(grid->names, utf8, w, grid->ascii ? ES_SHOWN_ASCII : ES_SHOWN_COLUMNS,
                         &ruler);
}

void es_grid_field(es_grid *grid, int x, int y, int w, int align, es_role role, const char *utf8) {
    if (w <= 0)
        return;
    size_t length = strlen(utf8);
    int width = es_grid_width(grid, utf8);
    const char *name = width > w ? es_grid_short_name(grid, utf8, w) : NULL;
    es_grid_fill(grid, (es_rect){x, y, w, 1}, role, ' ');
    if (name != NULL) {
        utf8 = name;
        length = strlen(name);
        width = es_grid_width(grid, name);
    }
    if (width <= w) {
        int offset = align < 0 ? 0 : align > 0 ? w - width : (w - width) / 2;
        put_text(grid, x + offset, y, role, utf8, length);
        return;
    }
    const char *gap = grid_gap(grid, w);
    int gap_width = es_grid_width(grid, gap), head_width, tail_width;
    int tail_columns = w < 6 ? 0 : (w - gap_width) * 2 / 5;
    size_t tail = fit_tail(grid, utf8, length, tail_columns, &tail_width);
    size_t head = fit_head(grid, utf8, length, w - gap_width - tail_width, &head_width);
    put_text(grid, x, y, role, utf8, head);
    es_grid_text(grid, x + head_width, y, role, gap);
    put_text(grid, x + head_width + gap_width, y, role, utf8 + tail, length - tail);
}

void es_grid_fill(es_grid *grid, es_rect rect, es_role role, uint32_t code) {
    int width = es_code_width(code) == 2 && !grid->ascii ? 2 : 1;
    es_rect visible = intersect(rect, grid->clip);
    for (int y = visible.y; y < visible.y + visible.h; y++)
        for (int x = visible.x; x < visible.x + visible.w; x += width)
            put_base(grid, x, y, role, code, width);
}

void es_grid_ground(es_grid *grid, es_rect rect, es_role role) {
    es_rect visible = intersect(rect, grid->clip);
    es_grid_fill(grid, rect, role, ' ');
    for (int y = visible.y; y < visible.y + visible.h; y++)
        for (int x = visible.x; x < visible.x + visible.w; x++)
            es_grid_at(grid, x, y)->ground = (uint8_t)role;
}

void es_grid_role(es_grid *grid, es_rect rect, es_role role) {
    es_rect visible = intersect(rect, grid->clip);
    for (int y = visible.y; y < visible.y + visible.h; y++)
        for (int x = visible.x; x < visible.x + visible.w; x++)
            es_grid_at(grid, x, y)->role = (uint8_t)role;
}

void es_grid_half(es_grid *grid, int x, int y, es_role role, es_paint upper, es_paint lower) {
    es_cell *cell = take_cell(grid, x, y, role);
    if (!cell)
        return;
    cell->code[0] = grid->ascii ? ascii_ramp(upper, lower) : UPPER_HALF;
    cell->fg = upper;
    cell->bg = lower;
}

void es_grid_block(es_grid *grid, int x, int y, es_role role, uint32_t code, es_paint fg,
                   es_paint bg) {
    es_cell *cell = take_cell(grid, x, y, role);
    if (!cell)
        return;
    cell->code[0] = grid->ascii ? ascii_ramp(fg, bg) : code;
    cell->fg = fg;
    cell->bg = bg;
}

/* ---- panes ---- */

static void draw_frame(es_grid *grid, es_rect r, bool focused, es_role role) {
    static const uint32_t plain[] = {0x2500, 0x2502, 0x256D, 0x256E, 0x2570, 0x256F};
    static const uint32_t heavy[] = {0x2501, 0x2503, 0x250F, 0x2513, 0x2517, 0x251B};
    const uint32_t *line = focused ? heavy : plain;
    int right = r.x + r.w - 1, bottom = r.y + r.h - 1;
    es_grid_fill(grid, (es_rect){r.x, r.y, r.w, 1}, role, line[0]);
    es_grid_fill(grid, (es_rect){r.x, bottom, r.w, 1}, role, line[0]);
    es_grid_fill(grid, (es_rect){r.x, r.y, 1, r.h}, role, line[1]);
    es_grid_fill(grid, (es_rect){right, r.y, 1, r.h}, role, line[1]);
    es_grid_fill(grid, (es_rect){r.x, r.y, 1, 1}, role, line[2]);
    es_grid_fill(grid, (es_rect){right, r.y, 1, 1}, role, line[3]);
    es_grid_fill(grid, (es_rect){r.x, bottom, 1, 1}, role, line[4]);
    es_grid_fill(grid, (es_rect){right, bottom, 1, 1}, role, line[5]);
}

/* " text " in a border line at column x, at most `room` columns; columns used. */
static int border_text(es_grid *grid, int x, int y, int room, es_role role, const char *text) {
    int width = es_grid_width(grid, text) + 2;
    if (width > room)
        width = room;
    if (width < 3)
        return 0;
    es_grid_text(grid, x, y, role, " ");
    es_grid_field(grid, x + 1, y, width - 2, -1, role, text);
    es_grid_text(grid, x + width - 1, y, role, " ");
    return width;
}

es_rect es_grid_pane(es_grid *grid, es_rect rect, bool focused, const char *title,
                     const char *right, const char *bottom) {
    if (rect.w < 2 || rect.h < 2)
        return (es_rect){rect.x, rect.y, 0, 0};
    es_role border = focused ? ES_ROLE_BORDER_FOCUS : ES_ROLE_BORDER;
    es_role caption = focused ? ES_ROLE_TITLE_FOCUS : ES_ROLE_TITLE;
    es_role aside = focused ? ES_ROLE_BORDER_FOCUS : ES_ROLE_TEXT_DIM;
    draw_frame(grid, rect, focused, border);
    int room = rect.w - 4, used = 0; /* a corner and a dash on both sides */
    if (title && *title)
        used = border_text(grid, rect.x + 2, rect.y, room, caption, title);
    if (right && *right && es_grid_width(grid, right) + 3 <= room - used) {
        int width = es_grid_width(grid, right) + 2;
        border_text(grid, rect.x + rect.w - 2 - width, rect.y, width, aside, right);
    }
    if (bottom && *bottom && room > 0) {
        int width = es_grid_width(grid, bottom) + 2;
        width = width < room ? width : room;
        border_text(grid, rect.x + rect.w - 2 - width, rect.y + rect.h - 1, width, aside, bottom);
    }
    return (es_rect){rect.x + 1, rect.y + 1, rect.w - 2, rect.h - 2};
}

/* Screens as text files, for goldens and for :dump. */

static void put_cell(es_buf *buf, const es_cell *cell) {
    if (cell->code[0] == 0) {
        es_buf_putc(buf, ' ');
        return;
    }
    for (int i = 0; i < ES_CELL_CODES && cell->code[i]; i++) {
        char bytes[4];
        es_buf_add(buf, bytes, es_utf8_encode(cell->code[i], bytes));
    }
}

static bool is_blank(const es_cell *cell) {
    return cell->width == 1 && (cell->code[0] == 0 || cell->code[0] == ' ') && cell->code[1] == 0;
}

/* The text, handed over; "" rather than NULL for an empty grid. */
static char *finish(es_buf *buf) {
    es_buf_puts(buf, "");
    return es_buf_take(buf);
}

char *es_grid_dump_text(const es_grid *grid) {
    es_buf buf = {0};
    for (int y = 0; y < grid->h; y++) {
        const es_cell *row = grid->cells + (size_t)y * (size_t)grid->w;
        int end = grid->w;
        while (end > 0 && is_blank(&row[end - 1]))
            end--;
        for (int x = 0; x < end; x++)
            if (row[x].width > 0)
                put_cell(&buf, &row[x]);
        es_buf_putc(&buf, '\n');
    }
    return finish(&buf);
}

/* One printable character for each role, in the order of the enum. */
static const char LETTERS[] = ".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "!#$%&*+,-/:;<=>?@^_|~";
_Static_assert(sizeof LETTERS > ES_ROLE_COUNT, "every role needs a letter");

char *es_grid_dump_roles(const es_grid *grid) {
    es_buf buf = {0};
    bool used[ES_ROLE_COUNT] = {false};
    for (int y = 0; y < grid->h; y++) {
        const es_cell *row = grid->cells + (size_t)y * (size_t)grid->w;
        int end = grid->w;
        while (end > 0 && row[end - 1].role == ES_ROLE_BACKGROUND)
            end--;
        for (int x = 0; x < grid->w; x++)
            used[row[x].role] = true;
        for (int x = 0; x < end; x++)
            es_buf_putc(&buf, LETTERS[row[x].role]);
        es_buf_putc(&buf, '\n');
    }
    for (int role = 0; role < ES_ROLE_COUNT; role++)
        if (used[role])
            es_buf_printf(&buf, "%c %s\n", LETTERS[role], es_role_name((es_role)role));
    for (int y = 0; y < grid->h; y++)
        for (int x = 0; x < grid->w; x++)
            if (grid->cells[(size_t)y * (size_t)grid->w + (size_t)x].reverse)
                es_buf_printf(&buf, "reversed %d,%d\n", x, y);
    return finish(&buf);
}

/* Names in several lines. */

/* Bytes of the first letter with the marks on it. */
static size_t letter_bytes(const char *text) {
    uint32_t code;
    size_t left = strlen(text), bytes = es_utf8_decode(text, left, &code);
    while (bytes < left) {
        size_t more = es_utf8_decode(text + bytes, left - bytes, &code);
        if (es_code_width(code) > 0)
            break;
        bytes += more;
    }
    return bytes;
}

enum { LETTER = 48 }; /* bytes of a letter that are drawn */

/* Bytes that a line of w columns takes of the text, whose rest has to fit into `below` lines. */
static size_t line_bytes(const es_grid *grid, const char *text, int w, int below) {
    size_t at = 0, sign = 0;
    int width = 0, rest = es_grid_width(grid, text);
    while (text[at] != '\0') {
        char letter[LETTER];
        size_t bytes = letter_bytes(text + at);
        (void)snprintf(letter, sizeof letter, "%.*s", (int)(bytes < LETTER ? bytes : LETTER - 1),
                       text + at);
        int own = es_grid_width(grid, letter);
        if (width + own > w && at > 0)
            return sign > 0 ? sign : at;
        width += own;
        at += bytes;
        if (strchr("-_/.: ", text[at - 1]) != NULL && rest - width <= below * w)
            sign = at;
    }
    return at;
}

static int wrap_names(es_grid *grid, es_rect r, int skip, es_role role, const char *text) {
    int lines = 0;
    for (; *text != '\0' && lines < r.h; lines++) {
        char line[256];
        size_t bytes = line_bytes(grid, text, r.w, r.h - lines - 1);
        (void)snprintf(line, sizeof line, "%.*s", (int)(bytes < sizeof line ? bytes : 255), text);
        if (skip >= 0)
            es_grid_field(grid, r.x, r.y + skip + lines, r.w, 0, role, line);
        text += bytes;
    }
    return lines;
}

void es_grid_wrapped(es_grid *grid, es_rect r, es_role role, const char *name) {
    if (r.w < 1 || r.h < 1)
        return;
    if (r.h == 1) {
        es_grid_field(grid, r.x, r.y, r.w, 0, role, name);
        return;
    }
    const char *cut = es_grid_short_name(grid, name, r.w * r.h);
    name = cut != NULL ? cut : name;
    es_grid_fill(grid, r, role, ' ');
    (void)wrap_names(grid, r, r.h - wrap_names(grid, r, -1, role, name), role, name);
}
