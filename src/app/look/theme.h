/* Themes: what the roles look like. A theme is a small text file (themes/default-dark.theme is a
 * complete one):
 *
 *     name = Nord                  # before the first section: name, variant, inherits,
 *     inherits = default-dark      # borders, glyphs, colours (all, 16, none)
 *     [palette]                    # names for colours; a child's names win in its parents too
 *     frost = #88c0d0
 *     [roles]                      # role = fg [on bg] [bold|underline|reverse]
 *     key = frost bold
 *     [roles.16]                   # the same for 16 and 8 colours
 *     [roles.mono]                 # attributes, where there is no colour
 *     [colormap heat]              # sequential; [colormap asym] diverging
 *     stops = #440154 #21918c #fde725
 *     c256 = 53 54 25 60           # optional: tuned steps of the 256 colours
 *     ramp = " .:-=+*#%@"          # characters where colours are too few
 *
 * A colour is #rrggbb, #rgb, default (the terminal's own), black, red, green, yellow, blue,
 * magenta, cyan, white (bright-black and so on), a number 0 to 255, or a palette name. What is not
 * said comes from the role text (foreground) and from the role background (background). '#' starts
 * a comment at the start of a line, or after two blanks and before one. */
#ifndef ES_APP_THEME_H
#define ES_APP_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "role.h"

/** 0xRRGGBB, ES_COLOUR_INDEX + 0..255, or ES_COLOUR_DEFAULT. */
typedef int32_t es_colour;
enum { ES_COLOUR_DEFAULT = -1, ES_COLOUR_INDEX = 0x1000000 };

enum { ES_ATTR_BOLD = 1, ES_ATTR_UNDERLINE = 2, ES_ATTR_REVERSE = 4 };

typedef struct es_style {
    es_colour fg, bg;
    uint8_t attrs;
} es_style;

/** A theme has its styles three times: for 256 colours and more, for 16 and 8, and for none. */
typedef enum es_style_set {
    ES_STYLES_FULL,
    ES_STYLES_16,
    ES_STYLES_MONO,
    ES_STYLES_COUNT
} es_style_set;

typedef enum es_theme_map { ES_MAP_HEAT, ES_MAP_ASYM, ES_MAP_COUNT } es_theme_map;

enum { ES_MAP_STOPS = 16, ES_MAP_STEPS = 32, ES_MAP_RAMP = 16, ES_THEME_PATH = 512 };

typedef struct es_colormap {
    uint32_t stops[ES_MAP_STOPS]; /* 0xRRGGBB, low to high; evenly spaced */
    size_t n_stops;
    uint8_t c256[ES_MAP_STEPS]; /* indices 16..255; none: computed from the stops */
    size_t n_c256;
    uint32_t ramp[ES_MAP_RAMP]; /* code points, low to high */
    size_t n_ramp;
} es_colormap;

typedef enum es_variant { ES_VARIANT_ANY, ES_VARIANT_DARK, ES_VARIANT_LIGHT } es_variant;
typedef enum es_borders {
    ES_BORDERS_ROUNDED,
    ES_BORDERS_SQUARE,
    ES_BORDERS_HEAVY,
    ES_BORDERS_ASCII
} es_borders;
typedef enum es_glyphs { ES_GLYPHS_BRAILLE, ES_GLYPHS_BLOCK, ES_GLYPHS_ASCII } es_glyphs;

typedef enum es_palette { ES_PALETTE_ALL, ES_PALETTE_16, ES_PALETTE_NONE } es_palette;

/** A plain value: copy it freely, nothing to free. */
typedef struct es_theme {
    char id[64];              /* "nord": the file's name without .theme */
    char name[64];            /* "Nord" */
    char path[ES_THEME_PATH]; /* where it was read; "" for the built-in one */
    es_variant variant;
    es_borders borders;
    es_glyphs glyphs;
    es_palette colours; /* more than this the theme does not want */
    es_style styles[ES_STYLES_COUNT][ES_ROLE_COUNT];
    es_colormap maps[ES_MAP_COUNT];
} es_theme;

#endif
