/* Names of the roles, as theme files have them. */
#include "app_look.h"

#include <string.h>

static const char *const NAMES[ES_ROLE_COUNT] = {
#define X(id, name) name,
    ES_ROLES(X)
#undef X
};

const char *es_role_name(es_role role) {
    return (unsigned)role < ES_ROLE_COUNT ? NAMES[role] : "";
}

es_role es_role_find(const char *name) {
    size_t role = es_text_index(NAMES, ES_ROLE_COUNT, name);
    return role < ES_ROLE_COUNT ? (es_role)role : ES_ROLE_COUNT;
}

/* Colour maps to choose from in place of the theme's: es_gradients, and what terminals of 256
 * colours take for them, which tests look at. */

_Static_assert((int)ES_COLORMAPS == ES_GRADIENTS + 1, "the theme's own, and each gradient");
_Static_assert((int)ES_GRADIENT_STOPS <= ES_MAP_STOPS, "a gradient fits into a map");

const char *const es_colormap_names[ES_COLORMAPS + 1] = {"theme", "viridis", "cividis",
                                                         "magma", "grey",    NULL};

/* By gradient; none: computed from the stops. */
static const struct {
    uint8_t index[ES_MAP_STEPS];
    size_t n;
} in_256[ES_GRADIENTS] = {
    {{53, 54, 24, 30, 36, 72, 78, 113, 149, 185, 227}, 11},
    {{17, 18, 24, 60, 66, 102, 108, 144, 150, 186, 222, 227}, 12},
    {{0}, 0},
    {{236, 237, 239, 240, 242, 243, 245, 246, 248, 249, 251, 252, 254, 255}, 14},
};

void es_colormap_choose(es_theme *theme, size_t number) {
    if (number == 0 || number >= ES_COLORMAPS)
        return;
    const es_gradient *gradient = &es_gradients[number - 1];
    es_colormap *map = &theme->maps[ES_MAP_HEAT]; /* its glyphs stay */
    memcpy(map->stops, gradient->stop, gradient->stops * sizeof *gradient->stop);
    map->n_stops = gradient->stops;
    memcpy(map->c256, in_256[number - 1].index, sizeof map->c256);
    map->n_c256 = in_256[number - 1].n;
}
