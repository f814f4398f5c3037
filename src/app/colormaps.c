/* Colour maps to choose from in place of the theme's. All rise in lightness and keep their values
 * apart for colour-blind eyes, which es_theme_check looks at; dark ends are lifted where they would
 * vanish on black. */
#include <string.h>

#include "theme.h"

const char *const es_colormap_names[ES_COLORMAPS + 1] = {"theme", "viridis", "cividis",
                                                         "magma", "grey",    NULL};

static const es_colormap maps[ES_COLORMAPS] = {
    [1] = {.stops = {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58,
                     0xb5de2b, 0xfde725},
           .n_stops = 10,
           .c256 = {53, 54, 24, 30, 36, 72, 78, 113, 149, 185, 227},
           .n_c256 = 11},
    [2] = {.stops = {0x00306f, 0x31446b, 0x575d6d, 0x7c7b78, 0xa59c74, 0xd2c060, 0xffea46},
           .n_stops = 7,
           .c256 = {17, 18, 24, 60, 66, 102, 108, 144, 150, 186, 222, 227},
           .n_c256 = 12},
    [3] = {.stops = {0x221150, 0x5f187f, 0x982d80, 0xd3436e, 0xf8765c, 0xfebb81, 0xfcfdbf},
           .n_stops = 7},
    [4] = {.stops = {0x303030, 0xeeeeee},
           .n_stops = 2,
           .c256 = {236, 237, 239, 240, 242, 243, 245, 246, 248, 249, 251, 252, 254, 255},
           .n_c256 = 14},
};

size_t es_colormap_find(const char *name) {
    size_t i = 0;
    while (i < ES_COLORMAPS && strcmp(es_colormap_names[i], name) != 0)
        i++;
    return i;
}

void es_colormap_choose(es_theme *theme, size_t number) {
    if (number == 0 || number >= ES_COLORMAPS)
        return;
    es_colormap *map = &theme->maps[ES_MAP_HEAT];
    es_colormap own = *map;
    *map = maps[number];
    memcpy(map->ramp, own.ramp, sizeof map->ramp); /* glyphs are the theme's in any case */
    map->n_ramp = own.n_ramp;
}
