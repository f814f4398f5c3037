/* What a cell of the grid looks like on a terminal: its role and paint become colours that the
 * terminal has, its character one that theme and terminal can show. No terminal in here. */
#ifndef ES_TUI_TERM_LOOK_H
#define ES_TUI_TERM_LOOK_H

#include "colour.h"
#include "grid.h"
#include "theme.h"

typedef struct es_look {
    bool ascii;     /* nothing beyond ASCII; the caller sets it */
    es_depth depth; /* what the theme uses of the terminal's colours */
    es_theme theme;
    es_style styles[ES_ROLE_COUNT];
    es_steps steps[ES_MAP_COUNT], dim_steps[ES_MAP_COUNT];
} es_look;

/** Take a theme, for a terminal that has so many colours. */
void es_look_set(es_look *look, const es_theme *theme, es_depth has);

typedef struct es_glyph {
    uint32_t code; /* the base character; combining marks are the cell's */
    es_colour fg, bg;
    uint8_t attrs; /* ES_ATTR_... */
} es_glyph;
void es_look_cell(const es_look *look, const es_cell *cell, es_glyph *out);

#endif
