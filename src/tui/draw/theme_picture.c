/* A theme's colours for pictures: which role stands for what of a figure. */
#include "tui_draw.h"

#include <string.h>

/* What WCAG asks of text, and of what is recognised rather than read. */
static const double TEXT_CONTRAST = 4.5, MARK_CONTRAST = 3;

static uint32_t rgb_of(es_colour colour, uint32_t otherwise) {
    if (colour == ES_COLOUR_DEFAULT)
        return otherwise;
    return colour >= ES_COLOUR_INDEX ? es_palette_rgb((uint8_t)(colour - ES_COLOUR_INDEX))
                                     : (uint32_t)colour;
}

typedef struct painter {
    const es_theme *theme;
    const es_picture_colours *to;
    es_buf *remarks;
} painter;

/* Returns the colour of a role on paper; too low a contrast is remarked. */
static uint32_t readable_colour(const painter *p, es_role role, double least) {
    uint32_t colour = rgb_of(p->theme->styles[ES_STYLES_FULL][role].fg, p->to->text);
    double contrast = es_contrast(colour, p->to->paper);
    if (contrast < least)
        es_buf_printf(p->remarks, "theme %s: %s: contrast %.2f to the paper, needs %.1f\n",
                      p->theme->id, es_role_name(role), contrast, least);
    return colour;
}

es_status es_theme_picture(const es_theme *theme, es_picture_colours *out, es_buf *remarks,
                           es_error *err) {
    /* any two of them are apart for every kind of eye, as the check asks of communities */
    static const es_role lines[3] = {ES_ROLE_COMMUNITY_2, ES_ROLE_COMMUNITY_1, ES_ROLE_COMMUNITY_3};
    const es_colormap *heat = &theme->maps[ES_MAP_HEAT], *asym = &theme->maps[ES_MAP_ASYM];
    bool light = theme->variant == ES_VARIANT_LIGHT;
    es_picture_colours own = {0};
    const painter p = {theme, &own, remarks};
    if (theme->colours != ES_PALETTE_ALL)
        return es_fail(err, ES_EUNSUPPORTED,
                       "the theme %s has the terminal's own colours, which pictures do not know: "
                       "take one with colours of its own",
                       theme->id);
    own.paper =
        rgb_of(theme->styles[ES_STYLES_FULL][ES_ROLE_BACKGROUND].bg, light ? 0xFFFFFF : 0x1C1C1C);
    own.dark = es_contrast(own.paper, 0xFFFFFF) > es_contrast(own.paper, 0);
    own.text = own.dark ? 0xDADADA : 0x1C1C1C; /* where the theme leaves it to the terminal */
    own.text = readable_colour(&p, ES_ROLE_TEXT, TEXT_CONTRAST);
    own.faint = readable_colour(&p, ES_ROLE_TEXT_DIM, TEXT_CONTRAST);
    own.grid = readable_colour(&p, ES_ROLE_GRID, 0);
    for (int g = 0; g < ES_PICTURE_GROUPS; g++)
        own.group[g] = readable_colour(&p, (es_role)(ES_ROLE_COMMUNITY_1 + g), MARK_CONTRAST);
    for (int k = 0; k < 3; k++)
        own.line[k] = own.group[lines[k] - ES_ROLE_COMMUNITY_1];
    memcpy(own.heat, heat->stops, sizeof own.heat);
    memcpy(own.two_sided, asym->stops, sizeof own.two_sided);
    own.heat_stops = heat->n_stops;
    own.two_sided_stops = asym->n_stops;
    *out = own;
    return es_buf_check(remarks, err);
}

es_status es_theme_picture_load(const char *name, const char *theme_dir, es_picture_colours *out,
                                es_buf *remarks, es_error *err) {
    es_theme theme;
    es_error unknown = {0};
    ES_PASS(es_theme_load(name, theme_dir, &theme, &unknown, err));
    if (unknown.code != ES_OK)
        es_buf_printf(remarks, "%s\n", unknown.message);
    return es_theme_picture(&theme, out, remarks, err);
}
