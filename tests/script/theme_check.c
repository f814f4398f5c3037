/* Checks a theme by numbers: contrast (WCAG 2.1) of text, selection and marks, steps of the colour
 * maps, and classes as colour-blind eyes see them. */
#include "theme_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct contrast_rule {
    uint8_t role;
    double least;
} contrast_rule;

/* WCAG asks 4.5 of text; 3 of what is recognised rather than read: lines that carry meaning, large
 * marks, hints. Lines and shadows that only decorate are free. */
static const contrast_rule CONTRAST[] = {
    {ES_ROLE_TEXT, 4.5},
    {ES_ROLE_TEXT_DIM, 4.5},
    {ES_ROLE_TEXT_STRONG, 4.5},
    {ES_ROLE_LINK, 4.5},
    {ES_ROLE_ERROR, 4.5},
    {ES_ROLE_WARNING, 4.5},
    {ES_ROLE_SUCCESS, 4.5},
    {ES_ROLE_INFO, 4.5},
    {ES_ROLE_HEADER, 4.5},
    {ES_ROLE_HEADER_TAB, 4.5},
    {ES_ROLE_HEADER_TAB_ACTIVE, 4.5},
    {ES_ROLE_FOOTER, 4.5},
    {ES_ROLE_KEY, 4.5},
    {ES_ROLE_KEY_LABEL, 4.5},
    {ES_ROLE_BORDER_FOCUS, 3},
    {ES_ROLE_TITLE, 4.5},
    {ES_ROLE_TITLE_FOCUS, 4.5},
    {ES_ROLE_OVERLAY, 4.5},
    {ES_ROLE_SELECTION, 4.5},
    {ES_ROLE_SELECTION_BLUR, 4.5},
    {ES_ROLE_CURSOR, 4.5},
    {ES_ROLE_MARK, 4.5},
    {ES_ROLE_MATCH, 4.5},
    {ES_ROLE_MATCH_CURRENT, 4.5},
    {ES_ROLE_COLUMN_HEADER, 4.5},
    {ES_ROLE_COLUMN_SORTED, 4.5},
    {ES_ROLE_ROW_ALT, 4.5},
    {ES_ROLE_ROW_HELD, 4.5},
    {ES_ROLE_STATE_READY, 4.5},
    {ES_ROLE_STATE_RUNNING, 4.5},
    {ES_ROLE_STATE_QUEUED, 4.5},
    {ES_ROLE_STATE_DONE, 4.5},
    {ES_ROLE_STATE_FAILED, 4.5},
    {ES_ROLE_STATE_STALE, 4.5},
    {ES_ROLE_STATE_PAUSED, 4.5},
    {ES_ROLE_CELL_FAILED, 3},
    {ES_ROLE_AXIS, 3},
    {ES_ROLE_TICK, 4.5},
    {ES_ROLE_POINT, 3},
    {ES_ROLE_POINT_CURSOR, 4.5},
    {ES_ROLE_POINT_MARK, 3},
    {ES_ROLE_FIT, 3},
    {ES_ROLE_INTERVAL, 3},
    {ES_ROLE_DELTA_UP, 4.5},
    {ES_ROLE_DELTA_DOWN, 4.5},
    {ES_ROLE_TIE, 4.5},
    {ES_ROLE_BEST, 4.5},
    {ES_ROLE_COMMUNITY_1, 3},
    {ES_ROLE_COMMUNITY_2, 3},
    {ES_ROLE_COMMUNITY_3, 3},
    {ES_ROLE_COMMUNITY_4, 3},
    {ES_ROLE_COMMUNITY_5, 3},
    {ES_ROLE_COMMUNITY_6, 3},
    {ES_ROLE_COMMUNITY_7, 3},
    {ES_ROLE_COMMUNITY_8, 3},
    {ES_ROLE_PROMPT, 4.5},
    {ES_ROLE_PROMPT_HINT, 4.5},
    {ES_ROLE_TOAST, 4.5},
};

static const double CLASS_DISTANCE = 0.045; /* Oklab; about four just noticeable steps */
static const double ENDS_DISTANCE = 0.15;   /* of a diverging map's two ends */
static const double LEVEL_DISTANCE = 0.02;  /* of neighbours among LEVELS values of a map */
static const double ARMS_SHARE = 0.75;      /* of that, in proportion, on the way to the ends */
static const double SALIENCE = 0.02;        /* by which a preview may seem to stand out more */
enum { LEVELS = 8 };

/* What must look different, and what from. Glyphs and columns help, but nobody should need them. */
static const struct {
    uint8_t role, other;
} DISTINCT[] = {
    {ES_ROLE_SELECTION, ES_ROLE_TEXT},
    {ES_ROLE_SELECTION, ES_ROLE_SELECTION_BLUR},
    {ES_ROLE_SELECTION, ES_ROLE_OVERLAY},
    {ES_ROLE_SELECTION_BLUR, ES_ROLE_TEXT},
    {ES_ROLE_CURSOR, ES_ROLE_TEXT},
    {ES_ROLE_MARK, ES_ROLE_TEXT},
    {ES_ROLE_MATCH, ES_ROLE_TEXT},
    {ES_ROLE_MATCH_CURRENT, ES_ROLE_MATCH},
    {ES_ROLE_MATCH_CURRENT, ES_ROLE_SELECTION},
    {ES_ROLE_HEADER_TAB_ACTIVE, ES_ROLE_HEADER_TAB},
    {ES_ROLE_COLUMN_HEADER, ES_ROLE_TEXT},
    {ES_ROLE_COLUMN_SORTED, ES_ROLE_COLUMN_HEADER},
    {ES_ROLE_BORDER_FOCUS, ES_ROLE_BORDER},
    {ES_ROLE_TITLE_FOCUS, ES_ROLE_TITLE},
    {ES_ROLE_KEY, ES_ROLE_KEY_LABEL},
    {ES_ROLE_TEXT_STRONG, ES_ROLE_TEXT},
    {ES_ROLE_ERROR, ES_ROLE_TEXT},
    {ES_ROLE_STATE_FAILED, ES_ROLE_STATE_DONE},
    {ES_ROLE_CELL_FAILED, ES_ROLE_CELL_PENDING},
    {ES_ROLE_CROSSHAIR, ES_ROLE_TEXT},
    {ES_ROLE_POINT_CURSOR, ES_ROLE_POINT},
    {ES_ROLE_TOAST, ES_ROLE_TEXT},
};
/* The value of a colour at a depth; false for the terminal's own colours. */
static bool known_rgb(es_colour colour, es_depth depth, uint32_t *rgb) {
    colour = es_colour_at_depth(colour, depth);
    if (colour == ES_COLOUR_DEFAULT || (colour >= ES_COLOUR_INDEX && colour < ES_COLOUR_INDEX + 16))
        return false;
    *rgb = colour >= ES_COLOUR_INDEX ? es_palette_rgb((uint8_t)(colour - ES_COLOUR_INDEX))
                                     : (uint32_t)colour;
    return true;
}

/* 0 where it cannot be known. */
static double role_contrast(const es_theme *theme, es_role role, es_depth depth) {
    const es_style *style = &theme->styles[ES_STYLES_FULL][role];
    uint32_t fg, bg;
    if (!known_rgb(style->fg, depth, &fg) || !known_rgb(style->bg, depth, &bg))
        return 0;
    return es_contrast(fg, bg);
}

static size_t check_contrast(const es_theme *theme, es_depth depth, es_buf *report) {
    size_t found = 0;
    for (size_t i = 0; i < sizeof CONTRAST / sizeof *CONTRAST; i++) {
        es_role role = (es_role)CONTRAST[i].role;
        double contrast = role_contrast(theme, role, depth);
        if (contrast > 0 && contrast < CONTRAST[i].least) {
            es_buf_printf(report, "%s: contrast %.2f in %s, needs %.1f\n", es_role_name(role),
                          contrast, es_depth_name(depth), CONTRAST[i].least);
            found++;
        }
    }
    return found;
}

static const char *const VISIONS[ES_VISION_COUNT] = {"ordinary", "deuteranopic", "protanopic",
                                                     "tritanopic"};

static size_t check_classes(const es_theme *theme, es_depth depth, es_buf *report) {
    size_t found = 0;
    const es_style *styles = theme->styles[ES_STYLES_FULL];
    for (int vision = 0; vision < ES_VISION_COUNT; vision++)
        for (int i = ES_ROLE_COMMUNITY_1; i <= ES_ROLE_COMMUNITY_8; i++)
            for (int j = i + 1; j <= ES_ROLE_COMMUNITY_8; j++) {
                uint32_t a, b;
                if (!known_rgb(styles[i].fg, depth, &a) || !known_rgb(styles[j].fg, depth, &b))
                    continue;
                double distance = es_lab_distance(es_lab_of(es_simulate(a, (es_vision)vision)),
                                                  es_lab_of(es_simulate(b, (es_vision)vision)));
                if (distance < CLASS_DISTANCE) {
                    es_buf_printf(report, "%s and %s: %.3f apart to %s eyes in %s, needs %.3f\n",
                                  es_role_name((es_role)i), es_role_name((es_role)j), distance,
                                  VISIONS[vision], es_depth_name(depth), CLASS_DISTANCE);
                    found++;
                }
            }
    return found;
}

static uint32_t step_rgb(es_colour colour) {
    return colour >= ES_COLOUR_INDEX ? es_palette_rgb((uint8_t)(colour - ES_COLOUR_INDEX))
                                     : (uint32_t)colour;
}

/* Lightness must keep its direction from step to step, between `first` and `last`. */
static bool is_monotone(const es_steps *steps, size_t first, size_t last, es_vision vision) {
    double direction = 0;
    for (size_t i = first; i < last; i++) {
        double gain = es_lab_of(es_simulate(step_rgb(steps->colours[i + 1]), vision)).l -
                      es_lab_of(es_simulate(step_rgb(steps->colours[i]), vision)).l;
        if (direction * gain < -0.004 || fabs(gain) < 1e-6)
            return false;
        direction = gain;
    }
    return true;
}

/* The map's lightness and colour at a few values, as every kind of eye sees them. */
static size_t check_levels(const es_steps *heat, es_depth depth, es_buf *report) {
    for (int vision = 0; vision < ES_VISION_COUNT; vision++) {
        es_lab before = {0};
        for (int level = 0; level < LEVELS; level++) {
            es_colour colour = es_steps_at(heat, (uint8_t)(level * 255 / (LEVELS - 1)));
            es_lab lab = es_lab_of(es_simulate(step_rgb(colour), (es_vision)vision));
            if (level > 0 && es_lab_distance(lab, before) < LEVEL_DISTANCE) {
                es_buf_printf(report,
                              "colormap heat: values %d and %d of %d are %.3f apart to %s eyes in "
                              "%s, needs %.3f\n",
                              level, level + 1, LEVELS, es_lab_distance(lab, before),
                              VISIONS[vision], es_depth_name(depth), LEVEL_DISTANCE);
                return 1;
            }
            before = lab;
        }
    }
    return 0;
}

/* A preview must not draw the eye more than the value that it waits for: neither further from the
 * background nor more coloured. */
static size_t check_previews(const es_theme *theme, const es_steps *steps, const char *map,
                             es_depth depth, es_buf *report) {
    const es_style *text = &theme->styles[ES_STYLES_FULL][ES_ROLE_TEXT];
    uint32_t behind;
    if (!known_rgb(theme->styles[ES_STYLES_FULL][ES_ROLE_BACKGROUND].bg, depth, &behind))
        return 0;
    es_steps dim = es_steps_dim(steps, (es_colour)behind, text->fg, depth);
    es_lab ground = es_lab_of(behind);
    for (size_t i = 0; i < steps->count; i++) {
        es_lab a = es_lab_of(step_rgb(steps->colours[i])), b = es_lab_of(step_rgb(dim.colours[i]));
        if (es_lab_distance(b, ground) <= es_lab_distance(a, ground) + SALIENCE &&
            hypot(b.a, b.b) <= hypot(a.a, a.b) + SALIENCE)
            continue;
        es_buf_printf(
            report,
            "colormap %s: the preview of step %zu of %zu stands out more than the step in "
            "%s\n",
            map, i + 1, steps->count, es_depth_name(depth));
        return 1;
    }
    return 0;
}

/* Values as far above the middle of a diverging map as others are below it, for every eye. */
static size_t check_arms(const es_steps *asym, es_depth depth, es_buf *report) {
    for (int vision = 0; vision < ES_VISION_COUNT; vision++)
        for (int level = 64; level < 128; level += 32) { /* nearer to 0 few colours have one step */
            uint32_t low = es_simulate(step_rgb(es_steps_at(asym, (uint8_t)(127 - level))),
                                       (es_vision)vision),
                     high = es_simulate(step_rgb(es_steps_at(asym, (uint8_t)(128 + level))),
                                        (es_vision)vision);
            double distance = es_lab_distance(es_lab_of(low), es_lab_of(high)),
                   least = ENDS_DISTANCE * level / 128 * ARMS_SHARE;
            if (distance < least) {
                es_buf_printf(report,
                              "colormap asym: %+d and %+d of 128 are %.3f apart to %s eyes in %s, "
                              "needs %.3f\n",
                              level, -level, distance, VISIONS[vision], es_depth_name(depth),
                              least);
                return 1;
            }
        }
    return 0;
}

static size_t check_maps(const es_theme *theme, es_depth depth, es_buf *report) {
    size_t found = 0;
    es_steps heat = es_steps_of(&theme->maps[ES_MAP_HEAT], false, depth);
    es_steps asym = es_steps_of(&theme->maps[ES_MAP_ASYM], true, depth);
    if (heat.count < 8) {
        es_buf_printf(report, "colormap heat: only %zu steps in %s, needs 8\n", heat.count,
                      es_depth_name(depth));
        found++;
    }
    for (int vision = 0; heat.count > 1 && vision < ES_VISION_COUNT; vision++)
        if (!is_monotone(&heat, 0, heat.count - 1, (es_vision)vision)) {
            es_buf_printf(report,
                          "colormap heat: lightness does not rise (or fall) at every step to %s "
                          "eyes in %s\n",
                          VISIONS[vision], es_depth_name(depth));
            found++;
        }
    if (heat.count >= 8)
        found += check_levels(&heat, depth, report);
    found += check_previews(theme, &heat, "heat", depth, report);
    found += check_previews(theme, &asym, "asym", depth, report);
    if (asym.count < 5) {
        es_buf_printf(report, "colormap asym: only %zu steps in %s, needs 5\n", asym.count,
                      es_depth_name(depth));
        return found + 1;
    }
    found += check_arms(&asym, depth, report);
    for (int vision = 0; vision < ES_VISION_COUNT; vision++) {
        uint32_t low = es_simulate(step_rgb(asym.colours[0]), (es_vision)vision);
        uint32_t high = es_simulate(step_rgb(asym.colours[asym.count - 1]), (es_vision)vision);
        double distance = es_lab_distance(es_lab_of(low), es_lab_of(high));
        if (distance < ENDS_DISTANCE) {
            es_buf_printf(report, "colormap asym: its ends are %.3f apart to %s eyes in %s\n",
                          distance, VISIONS[vision], es_depth_name(depth));
            found++;
        }
    }
    return found;
}

/* With few colours or none, roles are distinguished by those and by attributes. */
static size_t check_distinct(const es_theme *theme, es_depth depth, es_buf *report) {
    size_t found = 0;
    for (size_t i = 0; i < sizeof DISTINCT / sizeof *DISTINCT; i++) {
        es_style a = es_style_at_depth(theme, (es_role)DISTINCT[i].role, depth);
        es_style b = es_style_at_depth(theme, (es_role)DISTINCT[i].other, depth);
        if (a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs) {
            es_buf_printf(report, "%s looks like %s in %s\n",
                          es_role_name((es_role)DISTINCT[i].role),
                          es_role_name((es_role)DISTINCT[i].other), es_depth_name(depth));
            found++;
        }
    }
    return found;
}

size_t es_theme_check(const es_theme *theme, es_buf *report) {
    static const es_depth most[] = {ES_DEPTH_RGB, ES_DEPTH_16, ES_DEPTH_MONO};
    size_t found = 0;
    for (int depth = ES_DEPTH_MONO; depth <= (int)most[theme->colours]; depth++)
        found += check_distinct(theme, (es_depth)depth, report);
    if (theme->colours != ES_PALETTE_ALL)
        return found; /* the terminal's own colours: no contrast to compute */
    for (int depth = ES_DEPTH_256; depth <= ES_DEPTH_RGB; depth++)
        found += check_contrast(theme, (es_depth)depth, report) +
                 check_classes(theme, (es_depth)depth, report) +
                 check_maps(theme, (es_depth)depth, report);
    return found;
}

es_status es_theme_check_file(const char *file, const char *theme_dir, es_buf *out, size_t *found,
                              es_error *err) {
    es_theme theme;
    es_error unknown = {0};
    char here[ES_THEME_PATH];
    size_t length = strlen(file);
    bool is_file = length > 6 && strcmp(file + length - 6, ".theme") == 0 && !strchr(file, '/');
    (void)snprintf(here, sizeof here, "./%s",
                   file); /* es_theme_load takes a bare word for a name */
    es_status st = es_theme_load(is_file ? here : file, theme_dir, &theme, &unknown, err);
    if (st != ES_OK)
        return st;
    es_theme_table(&theme, out);
    es_buf_putc(out, '\n');
    *found = es_theme_check(&theme, out);
    if (unknown.code != ES_OK) {
        es_buf_printf(out, "%s\n", unknown.message);
        ++*found;
    }
    if (*found == 0)
        es_buf_puts(out, "No findings.\n");
    else
        es_buf_printf(out, "%zu finding%s.\n", *found, *found == 1 ? "" : "s");
    return es_buf_check(out, err);
}

void es_theme_table(const es_theme *theme, es_buf *out) {
    es_buf_printf(out, "%s (%s)\n%-20s %10s %10s\n", theme->name,
                  theme->path[0] ? theme->path : "built in", "role", "24-bit", "256");
    for (int role = 0; role < ES_ROLE_COUNT; role++) {
        es_buf_printf(out, "%-20s", es_role_name((es_role)role));
        for (int depth = ES_DEPTH_RGB; depth >= ES_DEPTH_256; depth--) {
            double contrast = role_contrast(theme, (es_role)role, (es_depth)depth);
            if (contrast > 0)
                es_buf_printf(out, " %10.2f", contrast);
            else
                es_buf_printf(out, " %10s", "own");
        }
        es_buf_putc(out, '\n');
    }
    for (int depth = ES_DEPTH_256; depth <= ES_DEPTH_RGB; depth++) {
        es_steps heat = es_steps_of(&theme->maps[ES_MAP_HEAT], false, (es_depth)depth);
        es_steps asym = es_steps_of(&theme->maps[ES_MAP_ASYM], true, (es_depth)depth);
        es_buf_printf(out, "%s: heat has %zu steps, asym %zu\n", es_depth_name((es_depth)depth),
                      heat.count, asym.count);
    }
}
