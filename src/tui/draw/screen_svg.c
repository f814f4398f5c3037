/* A screen as an SVG file: backgrounds merged along a line, text in one element a run, blocks and
 * braille as shapes, since fonts leave gaps between them. */
#include "screen_svg.h"

#include "buf.h"
#include "colour.h"
#include "text.h"

/* Size of a cell in the picture's units; a font of 14 units is 8.43 wide in the usual fonts. */
static const double cell_w = 8.43, cell_h = 17, margin = 8, dot = 2.4;

typedef struct look {
    uint32_t fg, bg;
    bool bold, underline;
} look;

typedef struct picture {
    const es_grid *grid;
    const es_theme *theme;
    uint32_t text, background; /* what "default" means where there is no terminal */
    es_buf buf;
} picture;

static uint32_t rgb_of(es_colour colour, uint32_t otherwise) {
    if (colour == ES_COLOUR_DEFAULT)
        return otherwise;
    return colour >= ES_COLOUR_INDEX ? es_palette_rgb((uint8_t)(colour - ES_COLOUR_INDEX))
                                     : (uint32_t)colour;
}

static bool is_level(es_paint paint) {
    return !(paint & ES_PAINT_ROLE) && (paint & (ES_PAINT_HEAT | ES_PAINT_DIVERGE));
}

/* The mean of two colours, channel by channel. */
static uint32_t halfway(uint32_t a, uint32_t b) {
    return (a & b) + (((a ^ b) & 0xFEFEFE) >> 1);
}

static uint32_t painted(const picture *p, es_paint paint, uint32_t otherwise) {
    if (paint & ES_PAINT_ROLE)
        return rgb_of(p->theme->styles[ES_STYLES_FULL][(paint & 0xFFF) % ES_ROLE_COUNT].fg,
                      p->text);
    if (!is_level(paint))
        return otherwise;
    uint32_t level =
        es_map_at(&p->theme->maps[paint & ES_PAINT_DIVERGE ? ES_MAP_ASYM : ES_MAP_HEAT],
                  (paint & 0xFF) / 255.0);
    return paint & ES_PAINT_DIM ? halfway(level, p->background) : level;
}

static look look_of(const picture *p, const es_cell *cell) {
    const es_style *styles = p->theme->styles[ES_STYLES_FULL], *style = &styles[cell->role];
    es_colour ground = es_style_ground(styles, cell->role, cell->ground);
    look l = {painted(p, cell->fg, rgb_of(style->fg, p->text)),
              painted(p, cell->bg, rgb_of(ground, p->background)),
              (style->attrs & ES_ATTR_BOLD) != 0, (style->attrs & ES_ATTR_UNDERLINE) != 0};
    if (is_level(cell->bg) && !cell->fg)
        l.fg = es_contrast(l.bg, 0xFFFFFF) > es_contrast(l.bg, 0) ? 0xFFFFFF : 0;
    if (((style->attrs & ES_ATTR_REVERSE) != 0) != cell->reverse) {
        uint32_t swap = l.fg;
        l.fg = l.bg;
        l.bg = swap;
    }
    return l;
}

static void put_rect(picture *p, double x, double y, double w, double h, uint32_t colour) {
    es_buf_printf(&p->buf,
                  "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\"/>\n",
                  x, y, w, h, (unsigned)colour);
}

static void put_code(es_buf *buf, uint32_t code) {
    char bytes[4];
    if (code == '<' || code == '>' || code == '&')
        es_buf_puts(buf, code == '<' ? "&lt;" : code == '>' ? "&gt;" : "&amp;");
    else
        es_buf_add(buf, bytes, es_utf8_encode(code, bytes));
}

/* Which quarters of a cell a block fills: 1 upper left, 2 upper right, 4 and 8 below. */
static unsigned quarters(const es_cell *cell) {
    static const uint8_t from_2596[10] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};
    uint32_t code = cell->code[0];
    return code == 0x2580                     ? 3
           : code == 0x2584                   ? 12
           : code >= 0x2596 && code <= 0x259F ? from_2596[code - 0x2596]
                                              : 0;
}

static bool is_braille(const es_cell *cell) {
    return cell->width > 0 && cell->code[0] >= 0x2800 && cell->code[0] <= 0x28FF;
}

static bool is_ink(const es_cell *cell) {
    return cell->width > 0 && cell->code[0] > ' ' && quarters(cell) == 0 && !is_braille(cell);
}

/* An ASCII character alone in its cell. */
static bool is_plain(const es_cell *cell) {
    return cell->width == 1 && cell->code[0] < 0x7F && cell->code[1] == 0;
}

static bool is_combined(const es_cell *cell) {
    return cell->width > 0 && cell->code[1] != 0;
}

static bool same(look a, look b) {
    return a.fg == b.fg && a.bold == b.bold && a.underline == b.underline;
}

/* One rectangle per run of equal colour, a little wider than its cells so that no seam shows. */
static void put_backgrounds(picture *p, int y) {
    const es_cell *row = p->grid->cells + (size_t)y * (size_t)p->grid->w;
    for (int x = 0, end; x < p->grid->w; x = end) {
        uint32_t colour = look_of(p, &row[x]).bg;
        for (end = x + 1; end < p->grid->w && look_of(p, &row[end]).bg == colour;)
            end++;
        if (colour != p->background)
            put_rect(p, margin + x * cell_w, margin + y * cell_h, (end - x) * cell_w + 0.3,
                     cell_h + 0.3, colour);
    }
}

/* The filled quarters of blocks, above or below: runs as well. */
static void put_quarters(picture *p, int y, bool below) {
    const es_cell *row = p->grid->cells + (size_t)y * (size_t)p->grid->w;
    int start = 0;
    uint32_t colour = 0;
    bool open = false;
    for (int q = 0; q <= 2 * p->grid->w; q++) { /* half a cell each */
        bool filled = q < 2 * p->grid->w && quarters(&row[q / 2]) & (below ? 4U : 1U)
                                                                        << (unsigned)(q % 2);
        uint32_t own = filled ? look_of(p, &row[q / 2]).fg : 0;
        if (open && (!filled || own != colour))
            put_rect(p, margin + start * cell_w / 2, margin + (y + below * 0.5) * cell_h,
                     (q - start) * cell_w / 2 + (filled ? 0.3 : 0), cell_h / 2, colour);
        if (filled && (!open || own != colour))
            start = q;
        open = filled;
        colour = own;
    }
}

/* Dots as squares of one path a run: lines stay whole, whatever the font makes of braille. */
static void put_braille(picture *p, int y) {
    static const uint8_t bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const es_cell *row = p->grid->cells + (size_t)y * (size_t)p->grid->w;
    for (int x = 0, end; x < p->grid->w; x = end) {
        end = x + 1;
        if (!is_braille(&row[x]) || row[x].code[0] == 0x2800)
            continue;
        uint32_t colour = look_of(p, &row[x]).fg;
        while (end < p->grid->w && is_braille(&row[end]) && look_of(p, &row[end]).fg == colour)
            end++;
        es_buf_printf(&p->buf, "<path fill=\"#%06x\" d=\"", (unsigned)colour);
        for (int i = x; i < end; i++)
            for (int k = 0, down = 0, right = 0; k < 8; k++, right = k % 2, down = k / 2)
                if (row[i].code[0] & bit[down][right])
                    es_buf_printf(&p->buf, "M%.1f %.1fh%.1fv%.1fh-%.1fz",
                                  margin + (i + right * 0.5 + 0.25) * cell_w - dot / 2,
                                  margin + (y + down * 0.25 + 0.125) * cell_h - dot / 2, dot, dot,
                                  dot);
        es_buf_puts(&p->buf, "\"/>\n");
    }
}

/* Where the characters of a run begin: one by one where a font may not have them, or another one
 * has them wider; else the run's length does. */
static void put_places(picture *p, const es_cell *row, int x, int end) {
    bool plain = true;
    for (int i = x; i < end; i++)
        plain = plain && is_plain(&row[i]);
    es_buf_printf(&p->buf, "<text x=\"%.2f", margin + x * cell_w);
    for (int i = x + 1; i < end && !plain; i++)
        if (row[i].width > 0)
            es_buf_printf(&p->buf, " %.2f", margin + i * cell_w);
    es_buf_puts(&p->buf, "\"");
    if (plain)
        es_buf_printf(&p->buf, " textLength=\"%.2f\"", (end - x) * cell_w);
}

/* Characters, in runs of equal look. What is made of several codes is a run of its own: a list of
 * places counts codes. */
static void put_text(picture *p, int y) {
    const es_cell *row = p->grid->cells + (size_t)y * (size_t)p->grid->w;
    for (int x = 0, end; x < p->grid->w; x = end) {
        end = x + 1;
        if (!is_ink(&row[x]))
            continue;
        look l = look_of(p, &row[x]);
        while (end < p->grid->w &&
               (row[end].width == 0 || (is_ink(&row[end]) && !is_combined(&row[x]) &&
                                        !is_combined(&row[end]) && same(look_of(p, &row[end]), l))))
            end++;
        put_places(p, row, x, end);
        es_buf_printf(&p->buf, " y=\"%.2f\" fill=\"#%06x\"%s%s>", margin + (y + 0.76) * cell_h,
                      (unsigned)l.fg, l.bold ? " font-weight=\"bold\"" : "",
                      l.underline ? " text-decoration=\"underline\"" : "");
        for (int i = x; i < end; i++)
            for (int k = 0; row[i].width > 0 && k < ES_CELL_CODES && row[i].code[k]; k++)
                put_code(&p->buf, row[i].code[k]);
        es_buf_puts(&p->buf, "</text>\n");
    }
}

char *es_screen_svg(const es_grid *grid, const es_theme *theme) {
    bool light = theme->variant == ES_VARIANT_LIGHT;
    const es_style *base = &theme->styles[ES_STYLES_FULL][ES_ROLE_BACKGROUND];
    const es_style *text = &theme->styles[ES_STYLES_FULL][ES_ROLE_TEXT];
    picture p = {.grid = grid, .theme = theme};
    p.background = rgb_of(base->bg, light ? 0xFFFFFF : 0x1C1C1C);
    p.text = rgb_of(text->fg, light ? 0x1C1C1C : 0xDADADA);
    double w = grid->w * cell_w + 2 * margin, h = grid->h * cell_h + 2 * margin;
    es_buf_printf(&p.buf,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "viewBox=\"0 0 %.0f %.0f\" font-family=\"'DejaVu Sans Mono','Menlo',monospace\" "
                  "font-size=\"14\" xml:space=\"preserve\">\n",
                  w, h, w, h);
    es_buf_printf(&p.buf, "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"#%06x\"/>\n",
                  (unsigned)p.background);
    for (int y = 0; y < grid->h; y++) {
        put_backgrounds(&p, y);
        put_quarters(&p, y, false);
        put_quarters(&p, y, true);
        put_braille(&p, y);
        put_text(&p, y);
    }
    es_buf_puts(&p.buf, "</svg>\n");
    if (!p.buf.failed)
        return p.buf.data;
    es_buf_free(&p.buf);
    return NULL;
}
