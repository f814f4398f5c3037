/* A screen as an SVG file: backgrounds merged along a line, text in one element a run, blocks and
 * braille as shapes, since fonts leave gaps between them. */
#include "tui_terminal.h"

/* Size of a cell in the picture's units; a font of 14 units is 8.43 wide in the usual fonts. */
static const double cell_w = 8.43, cell_h = 17, margin = 8, dot = 2.4;

/* A cell as a terminal shows it, its colours in 24 bits. */
typedef struct drawn {
    uint32_t code, fg, bg;
    bool bold, underline;
    const es_cell *cell; /* its width and combining marks */
} drawn;

typedef struct picture {
    int w, h;
    drawn *cells;    /* (h, w) */
    uint32_t ground; /* behind them all */
    es_buf buf;
} picture;

/* A colour in 24 bits; `otherwise` for the default of a terminal, which a picture does not have. */
static uint32_t rgb_of(es_colour colour, uint32_t otherwise) {
    if (colour == ES_COLOUR_DEFAULT)
        return otherwise;
    return colour >= ES_COLOUR_INDEX ? es_palette_rgb((uint8_t)(colour - ES_COLOUR_INDEX))
                                     : (uint32_t)colour;
}

static drawn drawn_of(const es_look *look, const es_cell *cell, uint32_t text, uint32_t ground) {
    es_glyph glyph;
    es_look_cell(look, cell, &glyph);
    bool turned = (glyph.attrs & ES_ATTR_REVERSE) != 0;
    uint32_t fg = rgb_of(glyph.fg, text), bg = rgb_of(glyph.bg, ground);
    return (drawn){.code = glyph.code,
                   .fg = turned ? bg : fg,
                   .bg = turned ? fg : bg,
                   .bold = (glyph.attrs & ES_ATTR_BOLD) != 0,
                   .underline = (glyph.attrs & ES_ATTR_UNDERLINE) != 0,
                   .cell = cell};
}

/* All cells; false: out of memory. */
static bool look_at(picture *p, const es_grid *grid, const es_look *look) {
    bool light = look->theme.variant == ES_VARIANT_LIGHT;
    size_t count = (size_t)grid->w * (size_t)grid->h;
    uint32_t text = rgb_of(look->styles[ES_ROLE_TEXT].fg, light ? 0x1C1C1C : 0xDADADA);
    *p = (picture){.w = grid->w, .h = grid->h, .cells = es_alloc(count + 1, sizeof *p->cells)};
    p->ground = rgb_of(look->styles[ES_ROLE_BACKGROUND].bg, light ? 0xFFFFFF : 0x1C1C1C);
    for (size_t i = 0; p->cells && i < count; i++)
        p->cells[i] = drawn_of(look, &grid->cells[i], text, p->ground);
    return p->cells != NULL;
}

static const drawn *row_of(const picture *p, int y) {
    return p->cells + (size_t)y * (size_t)p->w;
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

static void put_cell(es_buf *buf, const drawn *d) {
    if (d->cell->width > 0)
        put_code(buf, d->code);
    for (int k = 1; d->cell->width > 0 && k < ES_CELL_CODES && d->cell->code[k]; k++)
        put_code(buf, d->cell->code[k]);
}

/* Which quarters of a cell a block fills: 1 upper left, 2 upper right, 4 and 8 below. */
static unsigned quarters(const drawn *d) {
    static const uint8_t from_2596[10] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};
    uint32_t code = d->code;
    return code == 0x2580                     ? 3
           : code == 0x2584                   ? 12
           : code >= 0x2596 && code <= 0x259F ? from_2596[code - 0x2596]
                                              : 0;
}

static bool is_braille(const drawn *d) {
    return d->cell->width > 0 && d->code >= 0x2800 && d->code <= 0x28FF;
}

static bool is_ink(const drawn *d) {
    return d->cell->width > 0 && d->code > ' ' && quarters(d) == 0 && !is_braille(d);
}

/* An ASCII character alone in its cell. */
static bool is_plain(const drawn *d) {
    return d->cell->width == 1 && d->code < 0x7F && d->cell->code[1] == 0;
}

static bool is_combined(const drawn *d) {
    return d->cell->width > 0 && d->cell->code[1] != 0;
}

static bool same(const drawn *a, const drawn *b) {
    return a->fg == b->fg && a->bold == b->bold && a->underline == b->underline;
}

/* One rectangle per run of equal colour, a little wider than its cells so that no seam shows. */
static void put_backgrounds(picture *p, int y) {
    const drawn *row = row_of(p, y);
    for (int x = 0, end; x < p->w; x = end) {
        uint32_t colour = row[x].bg;
        for (end = x + 1; end < p->w && row[end].bg == colour;)
            end++;
        if (colour != p->ground)
            put_rect(p, margin + x * cell_w, margin + y * cell_h, (end - x) * cell_w + 0.3,
                     cell_h + 0.3, colour);
    }
}

/* The filled quarters of blocks, above or below: runs as well. */
static void put_quarters(picture *p, int y, bool below) {
    const drawn *row = row_of(p, y);
    int start = 0;
    uint32_t colour = 0;
    bool open = false;
    for (int q = 0; q <= 2 * p->w; q++) { /* half a cell each */
        bool filled = q < 2 * p->w && quarters(&row[q / 2]) & (below ? 4U : 1U)
                                                                  << (unsigned)(q % 2);
        uint32_t own = filled ? row[q / 2].fg : 0;
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
    const drawn *row = row_of(p, y);
    for (int x = 0, end; x < p->w; x = end) {
        end = x + 1;
        if (!is_braille(&row[x]) || row[x].code == 0x2800)
            continue;
        uint32_t colour = row[x].fg;
        while (end < p->w && is_braille(&row[end]) && row[end].fg == colour)
            end++;
        es_buf_printf(&p->buf, "<path fill=\"#%06x\" d=\"", (unsigned)colour);
        for (int i = x; i < end; i++)
            for (int k = 0, down = 0, right = 0; k < 8; k++, right = k % 2, down = k / 2)
                if (row[i].code & bit[down][right])
                    es_buf_printf(&p->buf, "M%.1f %.1fh%.1fv%.1fh-%.1fz",
                                  margin + (i + right * 0.5 + 0.25) * cell_w - dot / 2,
                                  margin + (y + down * 0.25 + 0.125) * cell_h - dot / 2, dot, dot,
                                  dot);
        es_buf_puts(&p->buf, "\"/>\n");
    }
}

/* Where the characters of a run begin: one by one where a font may not have them, or another one
 * has them wider; else the run's length does. */
static void put_places(picture *p, const drawn *row, int x, int end) {
    bool plain = true;
    for (int i = x; i < end; i++)
        plain = plain && is_plain(&row[i]);
    es_buf_printf(&p->buf, "<text x=\"%.2f", margin + x * cell_w);
    for (int i = x + 1; i < end && !plain; i++)
        if (row[i].cell->width > 0)
            es_buf_printf(&p->buf, " %.2f", margin + i * cell_w);
    es_buf_puts(&p->buf, "\"");
    if (plain)
        es_buf_printf(&p->buf, " textLength=\"%.2f\"", (end - x) * cell_w);
}

/* Characters, in runs of equal look. What is made of several codes is a run of its own: a list of
 * places counts codes. */
static void put_text(picture *p, int y) {
    const drawn *row = row_of(p, y);
    for (int x = 0, end; x < p->w; x = end) {
        end = x + 1;
        if (!is_ink(&row[x]))
            continue;
        while (end < p->w &&
               (row[end].cell->width == 0 || (is_ink(&row[end]) && !is_combined(&row[x]) &&
                                              !is_combined(&row[end]) && same(&row[end], &row[x]))))
            end++;
        put_places(p, row, x, end);
        es_buf_printf(&p->buf, " y=\"%.2f\" fill=\"#%06x\"%s%s>", margin + (y + 0.76) * cell_h,
                      (unsigned)row[x].fg, row[x].bold ? " font-weight=\"bold\"" : "",
                      row[x].underline ? " text-decoration=\"underline\"" : "");
        for (int i = x; i < end; i++)
            put_cell(&p->buf, &row[i]);
        es_buf_puts(&p->buf, "</text>\n");
    }
}

char *es_screen_svg(const es_grid *grid, const es_look *look) {
    double w = grid->w * cell_w + 2 * margin, h = grid->h * cell_h + 2 * margin;
    picture p;
    if (!look_at(&p, grid, look))
        return NULL;
    es_buf_printf(&p.buf,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "viewBox=\"0 0 %.0f %.0f\" font-family=\"'DejaVu Sans Mono','Menlo',monospace\" "
                  "font-size=\"14\" xml:space=\"preserve\">\n",
                  w, h, w, h);
    es_buf_printf(&p.buf, "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"#%06x\"/>\n",
                  (unsigned)p.ground);
    for (int y = 0; y < p.h; y++) {
        put_backgrounds(&p, y);
        put_quarters(&p, y, false);
        put_quarters(&p, y, true);
        put_braille(&p, y);
        put_text(&p, y);
    }
    es_buf_puts(&p.buf, "</svg>\n");
    es_free(p.cells);
    return es_buf_take(&p.buf);
}
