/* Colours for terminals that have fewer than a theme asks for: how many there are, which of them is
 * nearest, and which steps of a colour map can be distinguished. Pure functions; no terminal. */
#ifndef ES_TUI_COLOUR_H
#define ES_TUI_COLOUR_H

#include "app_look.h"

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
/** Index of the nearest of the first 16 palette colours, in Oklab. */
uint8_t es_nearest_16(uint32_t rgb);

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
/** Colour of the map itself at 0..1. */
uint32_t es_map_at(const es_colormap *map, double at);

/** A theme's colour as a terminal of this depth shows it: default, an index, or 0xRRGGBB. */
es_colour es_colour_at_depth(es_colour colour, es_depth depth);
/** The style of a role at a depth; in 8 colours the bright ones become bold. */
es_style es_style_at_depth(const es_theme *theme, es_role role, es_depth depth);
/** The background of a role's style, of (ES_ROLE_COUNT): where it says none of its own, that of
 * what it stands on, unless it could not be read there. */
es_colour es_style_ground(const es_style *styles, size_t role, size_t ground);

#endif
