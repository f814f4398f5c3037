/* Colours that colour-blind readers and grey printers can tell apart: for communities, and along a
 * scale of values. */
#include "canvas.h"

#include <math.h>
#include <stdio.h>

es_rgb es_rgb_mix(es_rgb a, es_rgb b, double share) {
    return (es_rgb){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g),
                    a.b + share * (b.b - a.b)};
}

static double linear(double v) {
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* Relative luminance (WCAG 2), 0 to 1. */
static double rgb_luminance(es_rgb c) {
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

es_rgb es_rgb_on(es_rgb colour) {
    return rgb_luminance(colour) > 0.179 ? (es_rgb){0, 0, 0} : (es_rgb){1, 1, 1};
}

es_rgb es_group_colour(const es_canvas *c, unsigned group) {
    /* M. Okabe and K. Ito, "Color Universal Design", 2008, without black, which is left to text;
     * then shades and greys chosen so that any two of the sixteen are 0.07 apart in Oklab for every
     * kind of eye */
    static const es_rgb colours[ES_GROUP_COLOURS] = {
        {0.902, 0.624, 0.000}, {0.337, 0.706, 0.914}, {0.000, 0.620, 0.451}, {0.835, 0.369, 0.000},
        {0.000, 0.447, 0.698}, {0.800, 0.475, 0.655}, {0.941, 0.894, 0.259}, {0.400, 0.400, 0.400},
        {0.459, 0.203, 0.000}, {0.700, 0.834, 0.909}, {0.000, 0.268, 0.419}, {0.936, 0.756, 0.350},
        {0.626, 0.277, 0.000}, {0.700, 0.700, 0.700}, {0.000, 0.358, 0.558}, {0.300, 0.300, 0.300},
    };
    if (group == 0)
        return c->ink.faint;
    const es_picture_colours *theme = c->style->colours;
    unsigned several = theme ? ES_PICTURE_GROUPS : ES_GROUP_COLOURS;
    unsigned round = (group - 1) / several, at = (group - 1) % several;
    /* further rounds are darker and lighter by turns, each nearer to black or white than before */
    unsigned nearer = (round + 1) / 2;
    double share = round == 0 ? 0 : 1 - pow(round % 2 ? 0.48 : 0.4, (double)nearer);
    es_rgb end = round % 2 ? (es_rgb){0, 0, 0} : (es_rgb){1, 1, 1};
    return es_rgb_mix(theme ? es_rgb_hex(theme->group[at]) : colours[at], end, share);
}

void es_put_group_mark(const es_canvas *c, unsigned group, double x, double y, double r) {
    static const double diamond[][2] = {{0, -1.35}, {1.35, 0}, {0, 1.35}, {-1.35, 0}},
                        square[][2] = {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
                        triangle[][2] = {{0, -1.3}, {1.25, 0.95}, {-1.25, 0.95}};
    static const struct {
        const double (*corner)[2];
        size_t corners;
    } shapes[] = {{NULL, 0}, {square, 4}, {triangle, 3}, {diamond, 4}};
    size_t shape = group == 0 ? 0 : (group - 1) / ES_GROUP_MARK_EVERY % 4;
    if (shape == 0) {
        es_put_disc(c, x, y, r);
        return;
    }
    for (size_t k = 0; k < shapes[shape].corners; k++)
        cairo_line_to(c->cr, x + r * shapes[shape].corner[k][0],
                      y + r * shapes[shape].corner[k][1]);
    cairo_close_path(c->cr);
    cairo_fill(c->cr);
}

void es_put_group_bar(const es_canvas *c, const unsigned *group, size_t count, double cell,
                      double x, double y, bool down) {
    char text[16];
    for (size_t i = 0, end = 0; i < count; i = end) {
        while (end < count && group[end] == group[i])
            end++;
        double from = cell * (double)i, length = cell * (double)(end - i);
        es_rgb colour = es_group_colour(c, group[i]);
        es_ink_set(c, colour);
        es_put_rectangle(c, down ? x : x + from, down ? y + from : y,
                         down ? ES_GROUP_BAR : length - 0.4, down ? length - 0.4 : ES_GROUP_BAR);
        (void)snprintf(text, sizeof text, "%u", group[i]);
        if (group[i] == 0 || length < 6)
            continue;
        es_ink_set(c, es_rgb_on(colour));
        es_put_text(c, down ? x + ES_GROUP_BAR / 2 : x + from + length / 2,
                    down ? y + from + length / 2 : y + ES_GROUP_BAR / 2, 5.5, ES_ALIGN_CENTRE,
                    text);
    }
}

/* Equally spaced stops, mixed in sRGB. */
static es_rgb along(const es_rgb *stop, size_t stops, double share) {
    double at = share * (double)(stops - 1);
    size_t i = (size_t)at < stops - 1 ? (size_t)at : stops - 2;
    return es_rgb_mix(stop[i], stop[i + 1], at - (double)i);
}

static es_rgb of_stops(const uint32_t *stops, size_t count, double share) {
    es_rgb stop[ES_PICTURE_STOPS];
    for (size_t i = 0; i < count; i++)
        stop[i] = es_rgb_hex(stops[i]);
    return along(stop, count, share);
}
_Static_assert((int)ES_GRADIENT_STOPS <= (int)ES_PICTURE_STOPS, "a gradient fits");

es_rgb es_heat_colour(const es_canvas *c, es_heat_map map, const es_gradient *gradient,
                      double share) {
    /* viridis at ninths (S. van der Walt and N. Smith) */
    static const es_rgb viridis[] = {
        {0.267, 0.005, 0.329}, {0.279, 0.175, 0.483}, {0.230, 0.322, 0.546},
        {0.173, 0.449, 0.558}, {0.128, 0.567, 0.551}, {0.158, 0.684, 0.502},
        {0.369, 0.789, 0.383}, {0.678, 0.864, 0.190}, {0.993, 0.906, 0.144},
    };
    static const es_rgb on_light[] = {{0.02, 0.24, 0.48}, {0.13, 0.44, 0.71}, {0.57, 0.77, 0.87},
                                      {0.95, 0.95, 0.95}, {0.98, 0.74, 0.50}, {0.85, 0.42, 0.06},
                                      {0.50, 0.20, 0.02}};
    static const es_rgb on_dark[] = {{0.65, 0.85, 0.98}, {0.35, 0.62, 0.85}, {0.18, 0.36, 0.55},
                                     {0.17, 0.18, 0.20}, {0.52, 0.29, 0.08}, {0.84, 0.48, 0.14},
                                     {1.00, 0.80, 0.52}};
    /* C. Brewer's YlGnBu: from nearly the paper to navy, lightness falling all the way */
    static const es_rgb print[] = {
        {1.000, 1.000, 0.851}, {0.929, 0.973, 0.694}, {0.780, 0.914, 0.706},
        {0.498, 0.804, 0.733}, {0.255, 0.714, 0.769}, {0.114, 0.569, 0.753},
        {0.133, 0.369, 0.659}, {0.145, 0.204, 0.580}, {0.031, 0.114, 0.345},
    };
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const es_picture_colours *theme = c->style->colours;
    if (map == ES_HEAT_DIVERGING && theme != NULL)
        return of_stops(theme->two_sided, theme->two_sided_stops, share);
    if (map == ES_HEAT_DIVERGING)
        return along(c->style->dark ? on_dark : on_light, 7, share);
    if (gradient != NULL)
        return of_stops(gradient->stop, gradient->stops, share);
    if (theme != NULL)
        return of_stops(theme->heat, theme->heat_stops, share);
    return c->style->dark ? along(viridis, sizeof viridis / sizeof *viridis, share)
                          : along(print, sizeof print / sizeof *print, share);
}
