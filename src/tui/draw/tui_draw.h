/* Drawing on a grid of cells: widths, colours, names, text, plots. */
#ifndef ES_TUI_DRAW_H
#define ES_TUI_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "app_look.h"
#include "app_bindings.h"

/* Columns that characters and texts take on a terminal. */

/** 0, 1 or 2; what must not be drawn counts 1, as the sign that takes its place does. */
int es_code_width(uint32_t code);
/** Of a UTF-8 text after cleaning. */
int es_text_width(const char *utf8);

/* Names of embedders in fields that are too narrow for them: cut so that no two read the same
 * (base.h), and kept so for the widths of a frame. */

typedef struct es_shown_names es_shown_names;
typedef enum es_shown_kind { ES_SHOWN_COLUMNS, ES_SHOWN_ASCII } es_shown_kind;

/** The names that are distinguished from now on, into *names, which is NULL at first; copied when
 * they have changed. Out of memory: NULL, and names are cut as any text. name(context, i): 0 <= i <
 * n.
 */
void es_shown_names_set(es_shown_names **names, size_t n,
                        const char *(*name)(const void *context, size_t i), const void *context);
/** Is it one of the names (NULL: there are none), what is shown of it in the room of `w` by a ruler
 *  that is the same for all of one kind and room; else NULL. */
const char *es_shown_name(es_shown_names *names, const char *utf8, int w, es_shown_kind kind,
                          const es_ruler *ruler);
void es_shown_names_free(es_shown_names *names); /* NULL is allowed */

/* Colours for terminals that have fewer than a theme asks for: how many there are, which of them is
 * nearest, and which steps of a colour map can be distinguished. Pure functions; no terminal. */

typedef enum es_depth {
    ES_DEPTH_MONO,
    ES_DEPTH_8,
    ES_DEPTH_16,
    ES_DEPTH_256,
    ES_DEPTH_RGB
} es_depth;

/** What the choice of depth rests on. Any string may be NULL (not set). */
typedef struct es_depth_facts {
    const char *option;        /* --color: never auto 16 256 rgb */
    const char *no_color;      /* $NO_COLOR */
    const char *colorterm;     /* $COLORTERM */
    const char *tmux_features; /* tmux's client_termfeatures; NULL outside tmux */
    int colors;                /* what the terminal's entry has; < 8: none */
    bool rgb_entry;            /* our own entry for 24-bit colour can be loaded */
} es_depth_facts;

/** The first rule that applies: --color, NO_COLOR, 24 bits announced by COLORTERM or by tmux (and
 * an entry to send them with), the terminal's own count. *reason: one line for the log and doctor.
 *  ES_EINVAL: an unknown --color. */
es_status es_depth_choose(const es_depth_facts *facts, es_depth *depth, char reason[160],
                          es_error *err);
const char *es_depth_name(es_depth depth); /* "24-bit", "256 colours", ... */

/** Oklab (Ottosson 2020): equal distances look about equally different. */
typedef struct es_lab {
    double l, a, b; /* l: 0 black to 1 white */
} es_lab;

es_lab es_lab_of(uint32_t rgb);
uint32_t es_rgb_of(es_lab lab); /* nearest colour inside sRGB's cube, clipped */
double es_lab_distance(es_lab a, es_lab b);

/** The standard values of the 256-colour palette: 16 of xterm, the 6x6x6 cube, 24 greys. */
uint32_t es_palette_rgb(uint8_t index);
/** Index of the palette colour nearest to 0xRRGGBB in Oklab, 16 to 255: the first 16 differ between
 *  terminals. */
uint8_t es_nearest_256(uint32_t rgb);

/** Contrast of WCAG 2.1: 1 to 21. */
double es_contrast(uint32_t a, uint32_t b);

typedef enum es_vision {
    ES_VISION_NORMAL,
    ES_VISION_DEUTAN,
    ES_VISION_PROTAN,
    ES_VISION_TRITAN,
    ES_VISION_COUNT
} es_vision;
/** How the colour looks without green or red cones (Vienot, Brettel and Mollon 1999), or without
 *  blue ones (Machado, Oliveira and Fernandes 2009, tritanomaly of severity 1). */
uint32_t es_simulate(uint32_t rgb, es_vision vision);

/** The colours that a map's 256 levels are shown with. Neighbouring levels share a step, so that a
 *  screen needs few colour pairs. */
typedef struct es_steps {
    es_colour colours[64]; /* low to high */
    size_t count;          /* 0: too few colours, use the ramp */
} es_steps;

/** 64 steps in 24 bits; in 256 colours the theme's own list, or the colours nearest to the stops
 *  without repeats. Lightness strictly rises (or falls) along a sequential map, rises to the middle
 *  and falls again along a diverging one (or the reverse); what breaks this is left out. */
es_steps es_steps_of(const es_colormap *map, bool diverging, es_depth depth);
/** For steps of 16 colours on a dark background: cyan, green and yellow in place of darker ones. */
void es_steps_on_dark(es_steps *steps);
/** Step of level 0..255. */
es_colour es_steps_at(const es_steps *steps, uint8_t level);
/** The same steps half way to the background (Oklab), for values that are a preview; in 256 colours
 *  greys of that lightness, so that none draws the eye more than what it previews. Its colour may
 *  be the terminal's own: then black or white, whichever is further from `text`. */
es_steps es_steps_dim(const es_steps *steps, es_colour background, es_colour text, es_depth depth);

/** A theme's colour as a terminal of this depth shows it: default, an index, or 0xRRGGBB. */
es_colour es_colour_at_depth(es_colour colour, es_depth depth);
/** The style of a role at a depth; in 8 colours the bright ones become bold. */
es_style es_style_at_depth(const es_theme *theme, es_role role, es_depth depth);
/** The background of a role's style, of (ES_ROLE_COUNT): where it says none of its own, that of
 * what it stands on, unless it could not be read there. */
es_colour es_style_ground(const es_style *styles, size_t role, size_t ground);

/* The cell grid that every view draws into. It knows widths and roles, not colours or terminals:
 * the tests compare it as text, term_curses.c shows it. */

/** A colour that is not a role's own: a step of a colour map, or another role's foreground. */
typedef uint16_t es_paint;
enum {
    ES_PAINT_NONE = 0,         /* as the role says */
    ES_PAINT_HEAT = 0x1000,    /* + 0..255 along the sequential map */
    ES_PAINT_DIVERGE = 0x2000, /* + 0..255 along the diverging map, 128 = middle */
    ES_PAINT_ROLE = 0x4000,    /* + es_role: that role's foreground */
    ES_PAINT_DIM = 0x8000      /* with a step of a map: half way to the background */
};

enum { ES_CELL_CODES = 4 };

typedef struct es_cell {
    uint32_t code[ES_CELL_CODES]; /* base character and combining marks, 0-terminated; 0 = blank */
    uint8_t width;                /* 1 or 2; 0 = right half of a wide character */
    uint8_t role;                 /* es_role */
    uint8_t ground; /* es_role whose background shows where the role has none of its own */
    es_paint fg, bg;
    bool reverse;
} es_cell;

typedef struct es_click_area {
    es_rect rect;
    es_click means;
    size_t value;
} es_click_area;

typedef struct es_grid {
    int w, h;
    es_cell *cells; /* (h, w) */
    es_rect clip;   /* drawing outside is dropped */
    bool ascii;     /* only ASCII may be drawn: es_grid_text maps what it knows, '?' for the rest */
    int cursor_x, cursor_y; /* where the terminal's cursor rests; -1: hidden */
    bool cursor_visible;
    es_click_area *click_areas; /* what a click means; later ones lie over earlier ones */
    size_t n_click_areas, click_area_capacity;
    es_shown_names *names; /* that fields tell apart; NULL: none */
} es_grid;

/** Resize to w x h (both may be 0) and blank. ES_ENOMEM leaves the old grid. */
bool es_grid_resize(es_grid *grid, int w, int h);
void es_grid_free(es_grid *grid);
/** Blank everything with ES_ROLE_BACKGROUND, full clip, hidden cursor. */
void es_grid_clear(es_grid *grid);
/** Narrow the clip to `rect`; returns the old one for es_grid_set_clip. */
es_rect es_grid_clip(es_grid *grid, es_rect rect);
void es_grid_set_clip(es_grid *grid, es_rect clip);

/** True if two cells show the same. */
bool es_cell_equal(const es_cell *a, const es_cell *b);
/** One cell, or NULL outside the grid. */
es_cell *es_grid_at(es_grid *grid, int x, int y);
/** UTF-8 text from (x, y) to the right; combining marks join the cell before; wide characters take
 *  two cells and are replaced by a space where only one is left. Returns the columns used. */
int es_grid_text(es_grid *grid, int x, int y, es_role role, const char *utf8);
int es_grid_printf(es_grid *grid, int x, int y, es_role role, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/** As es_grid_text in exactly `w` columns: padded, or shortened with an ellipsis in the middle
 *  (names carry size and version at their end), one of es_grid_set_names so that it reads as no
 *  other of them does. align: -1 left, 0 centre, 1 right. */
void es_grid_field(es_grid *grid, int x, int y, int w, int align, es_role role, const char *utf8);
/** The names that es_grid_field is to tell apart in this and the next frames (es_shown_names_set).
 */
void es_grid_set_names(es_grid *grid, size_t n, const char *(*name)(const void *context, size_t i),
                       const void *context);
/** Is it one of the names, what is shown of it in `w` columns; else NULL. */
const char *es_grid_short_name(es_grid *grid, const char *utf8, int w);
void es_grid_fill(es_grid *grid, es_rect rect, es_role role, uint32_t code);
/** As es_grid_fill with blanks, and what is drawn there from now on stands on that ground. */
void es_grid_ground(es_grid *grid, es_rect rect, es_role role);
/** Change role of existing cells (a selected row), keeping characters; paints are kept. */
void es_grid_role(es_grid *grid, es_rect rect, es_role role);

/** Note what a click inside `rect` (as far as it is in the clip) means. Out of memory: nothing. */
void es_grid_click_area(es_grid *grid, es_rect rect, es_click means, size_t value);
/** What is at (x, y): the topmost of each kind. */
es_mouse es_grid_mouse(const es_grid *grid, es_mouse_kind kind, int x, int y);

/** Two matrix rows in one cell: upper and lower half block with two paints. In ASCII grids, and
 * where a terminal has few colours, the back end shows `ramp` characters instead. */
void es_grid_half(es_grid *grid, int x, int y, es_role role, es_paint upper, es_paint lower);
/** The same with another block: a half, or quarters (U+2596 to U+259F). */
void es_grid_block(es_grid *grid, int x, int y, es_role role, uint32_t code, es_paint fg,
                   es_paint bg);

/** A pane: border (heavy and ROLE_BORDER_FOCUS when focused; plain lines in ASCII), title in the
 * top border, `right` at its right end, `bottom` in the bottom border's right end; NULLs allowed.
 *  Returns the inside. Total for any rectangle, down to nothing. */
es_rect es_grid_pane(es_grid *grid, es_rect rect, bool focused, const char *title,
                     const char *right, const char *bottom);

/** As drawn in this grid: ASCII needs several columns where a sign is spelled out ("<=", "+-"). */
int es_grid_width(const es_grid *grid, const char *utf8);
int es_grid_code_width(const es_grid *grid, uint32_t code);
/** The ASCII character that stands for it in one cell: lines, blocks, arrows, letters with marks.
 *  Texts spell some signs out instead (es_grid_width). */
uint32_t es_code_ascii(uint32_t code);

/** Text dump: h lines, trailing blanks cut. Role dump: one letter a cell, legend at the end. Both
 * for goldens and :dump. Free with es_free. */
char *es_grid_dump_text(const es_grid *grid);
char *es_grid_dump_roles(const es_grid *grid);

/* Names of embedders in several lines, where one is too short for them. */

/** A name in the lines of r, broken behind a sign where that leaves room for the rest, its end in
 * the last line. */
void es_grid_wrapped(es_grid *grid, es_rect r, es_role role, const char *name);

/* Dots and lines in a part of the grid: 2 x 4 dots a cell in braille; 2 x 2 in quadrant blocks
 * where the font may lack braille; one character a cell in ASCII. The grid itself holds the dots,
 * so there is nothing to allocate or to end; what is drawn later gives a cell its colour. */

typedef enum es_plot_style { ES_PLOT_BRAILLE, ES_PLOT_BLOCKS, ES_PLOT_ASCII } es_plot_style;

typedef struct es_plot {
    es_grid *grid;
    es_rect rect; /* cells; what falls outside is dropped */
    es_plot_style style;
    int w, h; /* dots */
} es_plot;

/** Blanks the rectangle. */
es_plot es_plot_begin(es_grid *grid, es_rect rect, es_plot_style style, es_role role);
/** The cell that holds a dot. */
int es_plot_column(const es_plot *plot, int x);
int es_plot_row(const es_plot *plot, int y);

/** One dot, counted from the top left. */
void es_plot_dot(const es_plot *plot, int x, int y, es_role role);
/** A dot that stays behind: cells with points keep their colour, cells with text stay as they are.
 */
void es_plot_under(const es_plot *plot, int x, int y, es_role role);
/** Dots behind everything, every `step`-th of the way from one end to the other. */
void es_plot_line(const es_plot *plot, int x0, int y0, int x1, int y1, int step, es_role role);
/** 2 x 2 dots in braille, a square in blocks, in ASCII "o", or "8" where points share a character.
 */
void es_plot_point(const es_plot *plot, int x, int y, es_role role);
/** A glyph in place of the dots of a cell. */
void es_plot_glyph(const es_plot *plot, int x, int y, es_role role, const char *glyph);
/** Text beside a dot (right, left, above, below, then at its corners: the first place that covers
 * nothing); false: no place is free, nothing was drawn. */
bool es_plot_label(const es_plot *plot, int x, int y, es_role role, const char *text);

/** An axis over `dots` dots, with a margin so that points at its ends are whole. */
typedef struct es_axis {
    double low, high; /* first and last dot */
    int dots;
} es_axis;
es_axis es_axis_make(double low, double high, int dots);
/** The dot of a value; outside -1 .. dots for values far outside. */
int es_axis_dot(const es_axis *axis, double value);
double es_axis_value(const es_axis *axis, int dot);
/** Distance of ticks at 1, 2 or 5 times a power of ten, so that there are `most` at most. */
double es_axis_step(const es_axis *axis, int most);
/** Ticks are at k * step for first <= k <= last; none (first > last) where that cannot be. */
void es_axis_ticks(const es_axis *axis, double step, long *first, long *last);
/** Decimals that tell ticks apart. */
int es_axis_digits(double step);

/* A theme's colours for pictures on paper. */

/** ES_EUNSUPPORTED: a theme of the terminal's own colours, which have no value. `remarks` gets a
 * line for each colour with too little contrast to the paper. */
es_status es_theme_picture(const es_theme *theme, es_picture_colours *out, es_buf *remarks,
                           es_error *err);

/** The same of a theme by name or path; errors as es_theme_load. A role that this program does not
 * know is a remark, too. */
es_status es_theme_picture_load(const char *name, const char *theme_dir, es_picture_colours *out,
                                es_buf *remarks, es_error *err);

#endif
