/* The cell grid that every view draws into. It knows widths and roles, not colours or terminals:
 * the tests compare it as text, term_curses.c shows it. */
#ifndef ES_TUI_GRID_H
#define ES_TUI_GRID_H

#include "app_bindings.h"
#include "app_look.h"
#include "shown_names.h"
#include "width.h"

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

/** What stands for the part of a text that a field of w columns has no room for. */
const char *es_grid_gap(const es_grid *grid, int w);
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

#endif
