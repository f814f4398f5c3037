/* What is decided before ncurses starts: the locale, the terminal names to try, our entries for
 * 24-bit colour, and what the environment says about colours. */
#include "tui_terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "engine_place.h"

/* ---- locale ---- */

static const char *env(const char *name) {
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

static const char *asked_locale(void) {
    const char *all = env("LC_ALL"), *ctype = env("LC_CTYPE"), *lang = env("LANG");
    return all ? all : ctype ? ctype : lang;
}

static bool says_utf8(const char *name) {
    const char *dot = name ? strchr(name, '.') : NULL;
    return dot && (strncasecmp(dot, ".utf-8", 6) == 0 || strncasecmp(dot, ".utf8", 5) == 0);
}

static bool is_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool es_setup_locale(char about[96]) {
    const char *asked = asked_locale();
    char shown[40] = "C";
    if (asked)
        es_text_clean_into(shown, sizeof shown, asked, strlen(asked));
    bool known = setlocale(LC_ALL, "") != NULL;
    if (known && is_utf8()) {
        snprintf(about, 96, "UTF-8");
    } else if (!known && says_utf8(asked) && setlocale(LC_ALL, "C.UTF-8") && is_utf8()) {
        snprintf(about, 96, "UTF-8 (C.UTF-8; %s is not installed)", shown);
    } else {
        if (!known)
            setlocale(LC_ALL, "C");
        snprintf(about, 96, "ASCII (locale %s%s)", shown, known ? "" : ", not installed");
        setlocale(LC_NUMERIC, "C");
        return false;
    }
    setlocale(LC_NUMERIC, "C");
    return true;
}

/* ---- terminal names ---- */

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_like_xterm(const char *term) {
    static const char *const like[] = {"xterm", "alacritty", "foot",    "ghostty", "wezterm",
                                       "kitty", "contour",   "konsole", "vte",     "gnome"};
    for (size_t i = 0; i < sizeof like / sizeof *like; i++)
        if (starts_with(term, like[i]))
            return true;
    return false;
}

es_asks es_setup_asks(const char *term) {
    bool inside = env("TMUX") || env("STY");
    bool muxed = term && (starts_with(term, "tmux") || starts_with(term, "screen"));
    if (!term || (!muxed && !is_like_xterm(term)))
        return ES_ASK_NOTHING;
    return inside || muxed ? ES_ASK_ABOUT_SYNC : ES_ASK_ALL;
}

size_t es_setup_terms(const char *term, const char *names[3]) {
    size_t count = 0;
    if (!term || !term[0] || strcmp(term, "dumb") == 0)
        return 0;
    names[count++] = term;
    if (is_like_xterm(term)) {
        names[count++] = "xterm-256color";
        return count;
    }
    if (starts_with(term, "tmux") || starts_with(term, "screen")) {
        names[count++] = "screen-256color";
        names[count++] = "screen";
    }
    return count;
}

const char *es_setup_rgb_entry(const char *term, char *dir) {
    const char *name = "xterm-embedscope-rgb";
    if (starts_with(term, "tmux"))
        name = "tmux-embedscope-rgb";
    else if (starts_with(term, "screen"))
        name = "screen-embedscope-rgb";
    else if (starts_with(term, "linux") || starts_with(term, "vt") || starts_with(term, "rxvt"))
        return NULL;
    char *shared = NULL;
    (void)es_path_shared("terminfo", &shared, NULL);
    const char *const places[] = {shared, ES_BUILD_TERMINFO_DIR};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        char path[ES_THEME_PATH];
        int length = places[i] ? snprintf(path, sizeof path, "%s/%c/%s", places[i], name[0], name)
                               : ES_THEME_PATH;
        if (length < (int)sizeof path && access(path, R_OK) == 0) {
            snprintf(dir, ES_THEME_PATH, "%s", places[i]);
            found = name;
        }
    }
    es_free(shared);
    return found;
}

es_depth_facts es_setup_facts(const char *option, char features[256]) {
    es_depth_facts facts = {
        .option = option, .no_color = env("NO_COLOR"), .colorterm = env("COLORTERM")};
    features[0] = '\0';
    if (env("TMUX")) {
        static const char *const ask[] = {"tmux", "display-message", "-p", "#{client_termfeatures}",
                                          NULL};
        if (!es_spawn(ask, NULL, 0, features, 256, 0.3))
            features[0] = '\0';
        facts.tmux_features = features;
    }
    return facts;
}

/* Maps the roles and paints of cells to the colours and attributes that a terminal has. */

/* False of a theme that leaves its colours to the terminal, too. */
static bool is_dark(const es_theme *theme) {
    es_colour text = theme->styles[ES_STYLES_FULL][ES_ROLE_TEXT].fg;
    return text != ES_COLOUR_DEFAULT && text < ES_COLOUR_INDEX && es_lab_of((uint32_t)text).l > 0.5;
}

void es_look_set(es_look *look, const es_theme *theme, es_depth has) {
    static const es_depth most[] = {ES_DEPTH_RGB, ES_DEPTH_16, ES_DEPTH_MONO};
    if (&look->theme != theme)
        look->theme = *theme;
    look->depth = has < most[theme->colours] ? has : most[theme->colours];
    for (int role = 0; role < ES_ROLE_COUNT; role++)
        look->styles[role] = es_style_at_depth(theme, (es_role)role, look->depth);
    for (int map = 0; map < ES_MAP_COUNT; map++) {
        look->steps[map] = es_steps_of(&theme->maps[map], map == ES_MAP_ASYM, look->depth);
        if (look->depth == ES_DEPTH_16 && is_dark(theme))
            es_steps_on_dark(&look->steps[map]);
        look->dim_steps[map] = es_steps_dim(&look->steps[map], look->styles[ES_ROLE_BACKGROUND].bg,
                                            look->styles[ES_ROLE_TEXT].fg, look->depth);
        for (size_t i = 0; i < look->dim_steps[map].count && look->depth == ES_DEPTH_16; i++)
            look->dim_steps[map].colours[i] = look->styles[ES_ROLE_TEXT_DIM].fg;
    }
}

/* Returns the colour that a paint stands for: a role's, or a step of a colour map. */
static es_colour colour_of_paint(const es_look *look, es_paint paint, es_colour otherwise) {
    if (paint & ES_PAINT_ROLE) {
        unsigned role = paint & 0xFFF;
        return role < ES_ROLE_COUNT ? look->styles[role].fg : otherwise;
    }
    if (paint & (ES_PAINT_HEAT | ES_PAINT_DIVERGE)) {
        int map = paint & ES_PAINT_DIVERGE ? ES_MAP_ASYM : ES_MAP_HEAT;
        const es_steps *steps = paint & ES_PAINT_DIM ? &look->dim_steps[map] : &look->steps[map];
        return steps->count ? es_steps_at(steps, (uint8_t)(paint & 0xFF)) : otherwise;
    }
    return otherwise;
}

static bool is_level(es_paint paint) {
    return !(paint & ES_PAINT_ROLE) && (paint & (ES_PAINT_HEAT | ES_PAINT_DIVERGE));
}

/* A cell where colours are too few. */
typedef struct coarse {
    uint32_t code;  /* character of the map's ramp that stands for its values; 0: none */
    es_paint paint; /* their mean */
} coarse;

static coarse coarse_of(const es_look *look, const es_cell *cell) {
    unsigned sum = 0, count = 0;
    es_paint map = is_level(cell->bg) ? cell->bg : cell->fg;
    if (is_level(cell->fg) && (cell->code[0] == 0x2580 || !is_level(cell->bg))) {
        sum += cell->fg & 0xFF;
        count++;
    }
    if (is_level(cell->bg)) {
        sum += cell->bg & 0xFF;
        count++;
    }
    const es_colormap *ramp = &look->theme.maps[map & ES_PAINT_DIVERGE ? ES_MAP_ASYM : ES_MAP_HEAT];
    if (count == 0)
        return (coarse){0, ES_PAINT_NONE};
    uint32_t code = ramp->n_ramp == 0 ? 0 : ramp->ramp[sum / count * ramp->n_ramp / 256];
    return (coarse){code, (es_paint)(map - (map & 0xFF) + sum / count)};
}

/* Braille dots to quadrant blocks, for fonts that draw braille as boxes. */
static uint32_t quadrants(uint32_t code) {
    static const uint16_t blocks[16] = {' ',    0x2598, 0x259D, 0x2580, 0x2596, 0x258C,
                                        0x259E, 0x259B, 0x2597, 0x259A, 0x2590, 0x259C,
                                        0x2584, 0x2599, 0x259F, 0x2588};
    unsigned dots = code & 0xFF;
    static const unsigned parts[4] = {0x03, 0x18, 0x44,
                                      0xA0}; /* upper left, upper right, lower ... */
    unsigned index = 0;
    for (unsigned i = 0; i < 4; i++)
        if (dots & parts[i])
            index |= 1U << i;
    return blocks[index];
}

static uint32_t themed_code(const es_look *look, uint32_t code) {
    static const uint16_t round[4] = {0x256D, 0x256E, 0x2570, 0x256F};
    static const uint16_t square[4] = {0x250C, 0x2510, 0x2514, 0x2518};
    static const uint16_t heavy[4] = {0x250F, 0x2513, 0x2517, 0x251B};
    bool line = code >= 0x2500 && code <= 0x257F, braille = code > 0x2800 && code <= 0x28FF;
    if (code == 0x2800)
        return ' ';
    if (braille && look->theme.glyphs != ES_GLYPHS_BRAILLE)
        return look->theme.glyphs == ES_GLYPHS_BLOCK ? quadrants(code) : es_code_ascii(code);
    if (!line || look->theme.borders == ES_BORDERS_ROUNDED)
        return code;
    if (look->theme.borders == ES_BORDERS_ASCII)
        return es_code_ascii(code);
    for (int i = 0; i < 4; i++)
        if (code == round[i])
            return look->theme.borders == ES_BORDERS_HEAVY ? heavy[i] : square[i];
    if (look->theme.borders == ES_BORDERS_HEAVY && (code == 0x2500 || code == 0x2502))
        return code + 1;
    return code;
}

/* Black or white: a digit or the cursor must show on every step of a colour map. */
static es_colour readable_on(const es_look *look, es_colour bg) {
    uint32_t rgb =
        bg >= ES_COLOUR_INDEX ? es_palette_rgb((uint8_t)(bg - ES_COLOUR_INDEX)) : (uint32_t)bg;
    bool white = es_contrast(rgb, 0xFFFFFF) > es_contrast(rgb, 0x000000);
    return es_colour_at_depth(white ? 0xFFFFFF : 0x000000, look->depth);
}

void es_look_cell(const es_look *look, const es_cell *cell, es_glyph *out) {
    const es_style *style = &look->styles[cell->role];
    es_colour ground = es_style_ground(look->styles, cell->role, cell->ground);
    es_colour fg = colour_of_paint(look, cell->fg, style->fg),
              bg = colour_of_paint(look, cell->bg, ground);
    uint32_t code = cell->code[0] ? cell->code[0] : ' ';
    bool few = look->depth < ES_DEPTH_256;
    if (few && (is_level(cell->fg) || is_level(cell->bg))) { /* a colour and a character */
        coarse shown = coarse_of(look, cell);
        if ((code == 0x2580 || code == ' ') && shown.code != 0)
            code = shown.code;
        fg = colour_of_paint(look, shown.paint, style->fg);
        bg = ground;
    } else if (code == 0x2580 && fg == bg) {
        code = ' ';
    } else if (code >= 0x2596 && code <= 0x259F && fg == bg) {
        bg = ground; /* few colours made them equal, but the shape says something */
        if (fg == bg)
            fg = colour_of_paint(look, (es_paint)(cell->fg & ~ES_PAINT_DIM), style->fg);
    } else if (!few && is_level(cell->bg) && !cell->fg && code != ' ') {
        fg = readable_on(look, bg);
    }
    code = themed_code(look, code);
    if (look->ascii && code > 0x7E)
        code = es_code_ascii(code);
    bool reverse = ((style->attrs & ES_ATTR_REVERSE) != 0) != cell->reverse;
    *out = (es_glyph){
        .code = code,
        .fg = fg,
        .bg = bg,
        .attrs = (uint8_t)((style->attrs & ~ES_ATTR_REVERSE) | (reverse ? ES_ATTR_REVERSE : 0))};
}
