/* Colours where a terminal has few: which depth it has, nearest colours in Oklab (Ottosson 2020),
 * how a colour looks to colour-blind eyes, and the steps of a colour map that can be distinguished.
 */
#include "tui_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- how many ---- */

static bool lists_rgb(const char *features) {
    for (const char *at = features; at && (at = strstr(at, "RGB")); at += 3)
        if ((at == features || at[-1] == ',') && (at[3] == ',' || at[3] == '\0' || at[3] == '\n'))
            return true;
    return false;
}

static es_depth depth_of_count(int colors) {
    if (colors >= 1 << 24)
        return ES_DEPTH_RGB;
    if (colors >= 256)
        return ES_DEPTH_256;
    if (colors >= 16)
        return ES_DEPTH_16;
    return colors >= 8 ? ES_DEPTH_8 : ES_DEPTH_MONO;
}

/* The depth that --color asks for, at most what the terminal can do; -1 for auto. */
static int asked_depth(const es_depth_facts *facts, char reason[160]) {
    static const struct {
        const char *name;
        es_depth depth;
    } choices[] = {{"never", ES_DEPTH_MONO},
                   {"16", ES_DEPTH_16},
                   {"256", ES_DEPTH_256},
                   {"rgb", ES_DEPTH_RGB}};
    es_depth most = facts->rgb_entry ? ES_DEPTH_RGB : depth_of_count(facts->colors);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (strcmp(choices[i].name, facts->option) != 0)
            continue;
        bool less = choices[i].depth > most;
        snprintf(reason, 160,
                 less ? "--color=%s, but the terminal's entry has no more" : "--color=%s",
                 choices[i].name);
        return (int)(less ? most : choices[i].depth);
    }
    return -1;
}

es_status es_depth_choose(const es_depth_facts *facts, es_depth *depth, char reason[160],
                          es_error *err) {
    if (facts->option && strcmp(facts->option, "auto") != 0) {
        int asked = asked_depth(facts, reason);
        if (asked < 0)
            return es_fail(err, ES_EINVAL,
                           "--color is \"%s\"; it can be never, auto, 16, 256 or rgb",
                           facts->option);
        *depth = (es_depth)asked;
        return ES_OK;
    }
    bool announced = facts->colorterm && (strcmp(facts->colorterm, "truecolor") == 0 ||
                                          strcmp(facts->colorterm, "24bit") == 0);
    *depth = depth_of_count(facts->colors);
    if (facts->no_color && facts->no_color[0]) {
        *depth = ES_DEPTH_MONO;
        snprintf(reason, 160, "NO_COLOR is set");
    } else if (facts->tmux_features && lists_rgb(facts->tmux_features) && facts->rgb_entry) {
        *depth = ES_DEPTH_RGB;
        snprintf(reason, 160, "tmux says that its terminal has 24-bit colour");
    } else if (announced && !facts->tmux_features && facts->rgb_entry) {
        *depth = ES_DEPTH_RGB;
        snprintf(reason, 160, "COLORTERM=%s", facts->colorterm);
    } else {
        snprintf(reason, 160, "the terminal's entry has %d colours%s",
                 facts->colors > 0 ? facts->colors : 0,
                 announced && !facts->rgb_entry ? " (24-bit announced, but our entry is missing)"
                                                : "");
    }
    return ES_OK;
}

const char *es_depth_name(es_depth depth) {
    static const char *const names[] = {"no colour", "8 colours", "16 colours", "256 colours",
                                        "24-bit colour"};
    return (unsigned)depth <= ES_DEPTH_RGB ? names[depth] : "";
}

/* ---- spaces ---- */

static double to_linear(unsigned byte) {
    double v = (double)byte / 255;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static unsigned from_linear(double v) {
    v = v <= 0 ? 0 : v >= 1 ? 1 : v;
    v = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
    return (unsigned)lrint(v * 255);
}

static void split_rgb(uint32_t rgb, double linear[3]) {
    for (int i = 0; i < 3; i++)
        linear[i] = to_linear(rgb >> (16 - 8 * i) & 0xFF);
}

static uint32_t join_rgb(const double linear[3]) {
    return (uint32_t)from_linear(linear[0]) << 16 | (uint32_t)from_linear(linear[1]) << 8 |
           (uint32_t)from_linear(linear[2]);
}

es_lab es_lab_of(uint32_t rgb) {
    double c[3];
    split_rgb(rgb, c);
    double l = cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
    double m = cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
    double s = cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
    return (es_lab){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                    1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                    0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

uint32_t es_rgb_of(es_lab lab) {
    double l = lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b;
    double m = lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b;
    double s = lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    const double c[3] = {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                         -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                         -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
    return join_rgb(c);
}

double es_lab_distance(es_lab a, es_lab b) {
    double l = a.l - b.l, x = a.a - b.a, y = a.b - b.b;
    return sqrt(l * l + x * x + y * y);
}

double es_contrast(uint32_t a, uint32_t b) {
    double x[3], y[3];
    split_rgb(a, x);
    split_rgb(b, y);
    double la = 0.2126 * x[0] + 0.7152 * x[1] + 0.0722 * x[2];
    double lb = 0.2126 * y[0] + 0.7152 * y[1] + 0.0722 * y[2];
    return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

uint32_t es_simulate(uint32_t rgb, es_vision vision) {
    if (vision == ES_VISION_NORMAL)
        return rgb;
    double c[3];
    split_rgb(rgb, c);
    if (vision == ES_VISION_TRITAN) {
        const double blind[3] = {1.255528 * c[0] - 0.076749 * c[1] - 0.178779 * c[2],
                                 -0.078411 * c[0] + 0.930809 * c[1] + 0.147602 * c[2],
                                 0.004733 * c[0] + 0.691367 * c[1] + 0.303900 * c[2]};
        return join_rgb(blind);
    }
    /* Both matrices leave blue alone and give red and green one common value. */
    double red = vision == ES_VISION_DEUTAN ? 0.29275 : 0.11238;
    double leak = vision == ES_VISION_DEUTAN ? -0.02234 : 0.00401;
    double common = red * c[0] + (1 - red) * c[1];
    const double seen[3] = {common, common, leak * c[0] - leak * c[1] + c[2]};
    return join_rgb(seen);
}

/* ---- the 256 colours ---- */

uint32_t es_palette_rgb(uint8_t index) {
    static const uint32_t first[16] = {0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD,
                                       0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00,
                                       0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF};
    static const uint8_t cube[6] = {0, 95, 135, 175, 215, 255};
    if (index < 16)
        return first[index];
    if (index >= 232) {
        uint32_t grey = 8 + 10 * (uint32_t)(index - 232);
        return grey << 16 | grey << 8 | grey;
    }
    unsigned c = index - 16U;
    return (uint32_t)cube[c / 36] << 16 | (uint32_t)cube[c / 6 % 6] << 8 | cube[c % 6];
}

/* Returns the palette index in [first, last] that looks most like rgb. */
static uint8_t nearest_index(uint32_t rgb, int first, int last) {
    es_lab wanted = es_lab_of(rgb);
    double best = INFINITY;
    int found = first;
    for (int i = first; i <= last; i++) {
        double distance = es_lab_distance(wanted, es_lab_of(es_palette_rgb((uint8_t)i)));
        if (distance < best) {
            best = distance;
            found = i;
        }
    }
    return (uint8_t)found;
}

uint8_t es_nearest_256(uint32_t rgb) {
    return nearest_index(rgb, 16, 255);
}

/* Index of the nearest of the first 16 palette colours, in Oklab. */
static uint8_t nearest_16(uint32_t rgb) {
    return nearest_index(rgb, 0, 15);
}

/* ---- colour maps ---- */

/* Colour of the map itself at 0..1. */
static uint32_t map_at(const es_colormap *map, double at) {
    if (map->n_stops == 0)
        return 0;
    double position = (at <= 0 ? 0 : at >= 1 ? 1 : at) * (double)(map->n_stops - 1);
    size_t i = (size_t)position;
    if (i + 1 >= map->n_stops)
        return map->stops[map->n_stops - 1];
    double t = position - (double)i;
    es_lab a = es_lab_of(map->stops[i]), b = es_lab_of(map->stops[i + 1]);
    return es_rgb_of((es_lab){a.l + t * (b.l - a.l), a.a + t * (b.a - a.a), a.b + t * (b.b - a.b)});
}

static double index_lightness(uint8_t index) {
    return es_lab_of(es_palette_rgb(index)).l;
}

/* Add steps for the map from `low` to `high` whose lightness goes on in the direction of `sign`. */
static void add_nearest(es_steps *steps, const es_colormap *map, double low, double high,
                        double sign) {
    enum { SAMPLES = 128 };
    for (int i = 0; i <= SAMPLES && steps->count < 64; i++) {
        uint8_t index = es_nearest_256(map_at(map, low + (high - low) * i / SAMPLES));
        if (steps->count > 0) {
            es_colour last = steps->colours[steps->count - 1];
            double gain = index_lightness(index) - index_lightness((uint8_t)(last & 0xFF));
            if (last == ES_COLOUR_INDEX + index || gain * sign < 1e-4)
                continue;
        }
        steps->colours[steps->count++] = ES_COLOUR_INDEX + index;
    }
}

static double map_direction(const es_colormap *map, double low, double high) {
    return es_lab_of(map_at(map, high)).l >= es_lab_of(map_at(map, low)).l ? 1 : -1;
}

/* Both arms get the same number of steps around one middle, or the middle would not be 0. */
static void add_diverging(es_steps *steps, const es_colormap *map) {
    es_steps left = {.count = 0}, right = {.count = 0};
    double direction = map_direction(map, 0, 0.5);
    add_nearest(&left, map, 0.5, 0, -direction);
    add_nearest(&right, map, 0.5, 1, -direction);
    size_t arm = left.count < right.count ? left.count : right.count;
    arm = arm > 31 ? 31 : arm;
    for (size_t i = 0; i < arm; i++) {
        size_t from = arm < 2 ? 0 : (arm - 1 - i) * (left.count - 1) / (arm - 1);
        steps->colours[steps->count++] = left.colours[from];
    }
    for (size_t i = 1; i < arm; i++)
        steps->colours[steps->count++] = right.colours[i * (right.count - 1) / (arm - 1)];
}

/* Nearest colours would be greys: the 16 are too few. Of a map that has hues, colours that show on
 * black and on white, whose lightness goes the way of the map. */
static void add_sixteen(es_steps *steps, const es_colormap *map, bool diverging) {
    enum { STEPS = 5 };
    static const uint8_t rising[STEPS] = {4, 12, 5, 2, 6}, both[STEPS] = {4, 12, 8, 9, 1};
    bool up = map_direction(map, 0, 1) > 0;
    es_lab middle = es_lab_of(map_at(map, 0.25));
    if (!diverging && hypot(middle.a, middle.b) < 0.02)
        return; /* a map of greys is the terminal's own colour */
    for (; steps->count < STEPS; steps->count++)
        steps->colours[steps->count] = ES_COLOUR_INDEX + (diverging ? both[steps->count]
                                                          : up      ? rising[steps->count]
                                                               : rising[STEPS - 1 - steps->count]);
}

void es_steps_on_dark(es_steps *steps) {
    static const uint8_t brighter[16] = {[2] = 10, [5] = 6, [6] = 11};
    for (size_t i = 0; i < steps->count; i++) {
        es_colour index = steps->colours[i] - ES_COLOUR_INDEX;
        if (index >= 0 && index < 16 && brighter[index] != 0)
            steps->colours[i] = ES_COLOUR_INDEX + brighter[index];
    }
}

es_steps es_steps_of(const es_colormap *map, bool diverging, es_depth depth) {
    es_steps steps = {.count = 0};
    if (depth == ES_DEPTH_RGB) {
        steps.count = diverging ? 63 : 64; /* an odd number has a middle */
        for (size_t i = 0; i < steps.count; i++)
            steps.colours[i] = (es_colour)map_at(map, (double)i / (double)(steps.count - 1));
    } else if (depth == ES_DEPTH_256 && map->n_c256 > 0) {
        steps.count = map->n_c256;
        for (size_t i = 0; i < steps.count; i++)
            steps.colours[i] = ES_COLOUR_INDEX + map->c256[i];
    } else if (depth == ES_DEPTH_256 && diverging) {
        add_diverging(&steps, map);
    } else if (depth == ES_DEPTH_256) {
        add_nearest(&steps, map, 0, 1, map_direction(map, 0, 1));
    } else if (depth == ES_DEPTH_16 && map->n_stops > 0)
        add_sixteen(&steps, map, diverging);
    return steps;
}

static uint32_t rgb_of_colour(es_colour colour) {
    return colour >= ES_COLOUR_INDEX ? es_palette_rgb((uint8_t)(colour - ES_COLOUR_INDEX))
                                     : (uint32_t)colour;
}

/* The grey of 256 colours whose lightness is nearest: between two of the cube's few colours lies
 * none of them, and the nearest is often the brighter. */
static es_colour nearest_grey(double lightness) {
    int found = 16;
    double best = INFINITY;
    for (int index = 231; index <= 256; index++) {
        int grey = index == 256 ? 16 : index; /* white, 24 greys, black */
        double distance = fabs(index_lightness((uint8_t)grey) - lightness);
        if (distance < best) {
            best = distance;
            found = grey;
        }
    }
    return ES_COLOUR_INDEX + found;
}

es_steps es_steps_dim(const es_steps *steps, es_colour background, es_colour text, es_depth depth) {
    es_steps dim = *steps;
    bool dark = text == ES_COLOUR_DEFAULT || es_lab_of(rgb_of_colour(text)).l > 0.5;
    uint32_t behind = background != ES_COLOUR_DEFAULT ? rgb_of_colour(background)
                      : dark                          ? 0x000000
                                                      : 0xFFFFFF;
    es_lab b = es_lab_of(behind);
    for (size_t i = 0; i < steps->count; i++) {
        es_lab a = es_lab_of(rgb_of_colour(steps->colours[i]));
        es_lab middle = {(a.l + b.l) / 2, (a.a + b.a) / 2, (a.b + b.b) / 2};
        dim.colours[i] = depth == ES_DEPTH_256
                             ? nearest_grey(middle.l)
                             : es_colour_at_depth((es_colour)es_rgb_of(middle), depth);
    }
    return dim;
}

es_colour es_steps_at(const es_steps *steps, uint8_t level) {
    if (steps->count == 0)
        return ES_COLOUR_DEFAULT;
    return steps->colours[(size_t)level * steps->count / 256];
}

/* ---- styles ---- */

es_colour es_colour_at_depth(es_colour colour, es_depth depth) {
    if (colour == ES_COLOUR_DEFAULT || depth == ES_DEPTH_MONO)
        return ES_COLOUR_DEFAULT;
    bool indexed = colour >= ES_COLOUR_INDEX;
    int index = colour - ES_COLOUR_INDEX;
    switch (depth) {
    case ES_DEPTH_RGB: /* our entry takes numbers below 8 as indices: the rest is sent as RGB */
        return indexed && index >= 8 ? (es_colour)es_palette_rgb((uint8_t)index) : colour;
    case ES_DEPTH_256:
        return indexed ? colour : ES_COLOUR_INDEX + es_nearest_256((uint32_t)colour);
    default:
        if (!indexed || index >= 16)
            index = nearest_16(indexed ? es_palette_rgb((uint8_t)index) : (uint32_t)colour);
        return ES_COLOUR_INDEX + index;
    }
}

es_style es_style_at_depth(const es_theme *theme, es_role role, es_depth depth) {
    es_style_set set = depth == ES_DEPTH_MONO ? ES_STYLES_MONO
                       : depth <= ES_DEPTH_16 ? ES_STYLES_16
                                              : ES_STYLES_FULL;
    es_style style = theme->styles[set][role];
    style.fg = es_colour_at_depth(style.fg, depth);
    style.bg = es_colour_at_depth(style.bg, depth);
    if (depth != ES_DEPTH_8)
        return style;
    if (style.fg == ES_COLOUR_INDEX + 8) { /* grey: black would be invisible */
        style.fg = ES_COLOUR_DEFAULT;
    } else if (style.fg > ES_COLOUR_INDEX + 8) {
        style.fg -= 8;
        style.attrs |= ES_ATTR_BOLD;
    }
    if (style.bg >= ES_COLOUR_INDEX + 8)
        style.bg -= 8;
    return style;
}

es_colour es_style_ground(const es_style *styles, size_t role, size_t ground) {
    const es_style *style = &styles[role], *below = &styles[ground];
    bool own = style->bg != styles[ES_ROLE_BACKGROUND].bg;
    return own || style->fg == below->bg ? style->bg : below->bg;
}

/* A theme's colours for pictures: which role stands for what of a figure. */

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
