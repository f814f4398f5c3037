/* What figures stand on: a page to draw on, fonts and shaping, colours, places of names. */
#ifndef ES_FIGURE_CANVAS_H
#define ES_FIGURE_CANVAS_H

#include "drawing.h"
#include "figure.h"

/* Letters for every script: the first font of a figure has Latin, Greek and Cyrillic; what it lacks
 * comes from whichever installed font has it, a run of letters at a time. A letter that no font
 * has is drawn as a box. */

typedef struct es_fonts es_fonts;

es_status es_fonts_new(es_fonts **out, es_error *err);
void es_fonts_free(es_fonts *fonts);

/** The name of the first font as this system has it, fit for an attribute; NULL: unknown. Lives as
 * long as `fonts`. */
const char *es_fonts_family(es_fonts *fonts);
/** Different letters of what has been measured or set that no font has. */
size_t es_fonts_missing(const es_fonts *fonts);
/** How far `text` reaches, in units of cr. */
double es_fonts_width(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text);
/** The outlines of `text`, appended to the path from the current point on. */
void es_fonts_path(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text);
/** Sets `text` (UTF-8) from the current point on. */
void es_fonts_show(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text);

/* A page to draw on, the same for svg, pdf and png.
 *
 *     es_canvas c;
 *     ES_TRY(es_canvas_init(&c, style, ES_FIGURE_SINGLE, err));   measures text, draws nothing yet
 *     double height = ...;                                        of the figure, from that
 *     ES_TRY(es_canvas_page(&c, height, format, out, err));       (0, 0): its upper left corner
 *     ... draw ...
 *     st = es_canvas_finish(&c, err);                             the bytes are in out
 * done:
 *     es_canvas_deinit(&c);
 */

#define ES_PI 3.14159265358979323846
#define ES_FONT_SMALL 7.0
#define ES_FONT_NORMAL 7.5
#define ES_FONT_TITLE 9.0
#define ES_LINE_THIN 0.5
#define ES_LINE_NORMAL 0.9

typedef struct es_rgb {
    double r, g, b;
} es_rgb;

/* What the two themes differ in. */
typedef struct es_ink {
    es_rgb paper, text, faint, grid, accent, second, third;
} es_ink;

typedef struct es_canvas {
    cairo_t *cr;
    cairo_surface_t *surface;
    es_fonts *fonts;
    const es_figure_style *style;
    es_ink ink;
    double width, height; /* of the figure inside the margins */
    es_picture format;
    es_buf *out;
    es_buf note; /* below the figure */
    es_buf *
        texts; /* of svg: elements that follow what Cairo has drawn, so that letters stay letters */
} es_canvas;

es_status es_canvas_init(es_canvas *canvas, const es_figure_style *style, double usual_width,
                         es_error *err);
es_status es_canvas_page(es_canvas *canvas, double height, es_picture format, es_buf *out,
                         es_error *err);
es_status es_canvas_finish(es_canvas *canvas, es_error *err);
void es_canvas_deinit(es_canvas *canvas);
/** Before the page: one sentence more below the figure. */
void es_canvas_note(es_canvas *canvas, const char *sentence);
/** Before the page: so many names have no place in it; the note says so. */
void es_canvas_unnamed(es_canvas *canvas, size_t count);
/** The same of rows of which nothing is known. */
void es_canvas_unknown(es_canvas *canvas, size_t count);

/* ---- colours ---- */

es_rgb es_rgb_hex(uint32_t colour); /* 0xRRGGBB */
void es_ink_set(const es_canvas *canvas, es_rgb colour);
void es_ink_set_alpha(const es_canvas *canvas, es_rgb colour, double alpha);

/* ---- text ---- */

typedef enum es_align { ES_ALIGN_LEFT, ES_ALIGN_CENTRE, ES_ALIGN_RIGHT } es_align;

double es_text_room(const es_canvas *canvas, double size, const char *text);
/** Its middle line at y, in the current colour. */
void es_put_text(const es_canvas *canvas, double x, double y, double size, es_align align,
                 const char *text);
void es_put_bold(const es_canvas *canvas, double x, double y, double size, es_align align,
                 const char *text);
/** Turned to be read from below; (x, y) is its left, middle or right end, its middle line at x. */
void es_put_turned(const es_canvas *canvas, double x, double y, double size, es_align align,
                   const char *text);
/** The same with paper around the letters, for names that stand on lines. */
void es_put_haloed(const es_canvas *canvas, double x, double y, double size, es_align align,
                   const char *text);

/** How text is broken into lines, between words. */
typedef struct es_text_lines {
    double size, width, leading;
    es_align align;
    bool bold;
} es_text_lines;
/** NULL and the empty text have none. */
double es_lines_height(const es_canvas *canvas, const es_text_lines *how, const char *text);
/** The first line's upper edge is y. */
void es_put_lines(const es_canvas *canvas, const es_text_lines *how, double x, double y,
                  const char *text);

/** Cut to the room, with an ellipsis; room for 256 bytes. Returns out. */
enum { ES_TEXT_FIT = 256 };
const char *es_text_fit(const es_canvas *canvas, double size, const char *text, double room,
                        char out[ES_TEXT_FIT]);
/** The same for names, which differ at their ends: what lies before the end is left out. */
const char *es_name_fit(const es_canvas *canvas, double size, const char *name, double room,
                        char out[ES_TEXT_FIT]);

/* ---- lines and axes ---- */

void es_put_line(const es_canvas *canvas, double x0, double y0, double x1, double y1, double width);
void es_put_disc(const es_canvas *canvas, double x, double y, double radius);
void es_put_rectangle(const es_canvas *canvas, double x, double y, double w, double h);

/** Widens *low to *high so that it holds the value, if that is known. Begin with INFINITY,
 * -INFINITY.
 */
void es_widen(double value, double *low, double *high);

/** A scale from numbers to points. */
typedef struct es_scale {
    double low, high; /* values */
    double from, to;  /* points; `from` belongs to `low` */
    double step;
    int decimals; /* of its numbers */
    bool log;     /* values are logarithms to base 2, of which numbers show the powers */
} es_scale;

/** Ends at multiples of a step of 1, 2, 2.5 or 5 times a power of ten, at most `most` of them.
 *  Without two different finite ends: around them, from 0 to 1 at worst. */
es_scale es_scale_make(double low, double high, int most);
/** The same with whole steps, for counts and ranks. */
es_scale es_scale_make_whole(double low, double high, int most);
/** Multiples of the step from end to end. */
size_t es_scale_ticks(const es_scale *axis);
double es_scale_at(const es_scale *axis, double value);
/** Which ticks have numbers, so that none touches the next; that of 0 is among them. */
typedef struct es_stride {
    size_t every, first;
} es_stride;
es_stride es_scale_stride(const es_canvas *canvas, const es_scale *axis, bool across);
bool es_stride_has(es_stride stride, size_t tick);

/** Ticks with numbers and a title: below y, or left of x. `grid`: thin lines as far as that. */
void es_put_scale_below(const es_canvas *canvas, const es_scale *axis, double y, double grid,
                        const char *title);
void es_put_scale_left(const es_canvas *canvas, const es_scale *axis, double x, double grid,
                       const char *title);
#define ES_SCALE_BELOW 28.0 /* height that an axis below takes, with a title of one line */
/** The same with this title, which is broken into lines where it must. */
double es_scale_below_height(const es_canvas *canvas, const char *title);
#define ES_SCALE_LEFT 34.0 /* width that an axis on the left takes */

/* Colours of communities and of values. */

es_rgb es_rgb_mix(es_rgb a, es_rgb b, double share_of_b);
/** Black or white, whichever is easier to read on it. */
es_rgb es_rgb_on(es_rgb colour);
enum { ES_GROUP_COLOURS = 16, ES_GROUP_MARK_EVERY = 8 };
/** Of community 1, 2, ...: sixteen colours that colour-blind eyes keep apart, Okabe and Ito's
 * first, or a theme's eight; from then on the same darker, then lighter, and so on: no two
 * communities share one.
 * `faint` without. */
es_rgb es_group_colour(const es_canvas *canvas, unsigned group);
/** A point of a group: a disc of radius r for the first eight, then a square, a triangle, a
 * diamond, so that the shape tells what colours do not. */
void es_put_group_mark(const es_canvas *canvas, unsigned group, double x, double y, double r);
#define ES_GROUP_BAR 6.0
/** A bar beside count lines (`down`) or above count columns, `cell` wide each, of group[i]: one
 * stretch for neighbours of one group, with its number where that fits. */
void es_put_group_bar(const es_canvas *canvas, const unsigned *group, size_t count, double cell,
                      double x, double y, bool down);
/** share from 0 to 1 (cut to it). Sequential: more is further from the paper, light or dark.
 * Diverging: blue over the middle to orange. A theme has its own, as on the screen. */
es_rgb es_heat_colour(const es_canvas *canvas, es_heat_map map, const es_gradient *gradient,
                      double share);

/* Names of points, put beside them so that none overlaps another name or point. */

typedef struct es_label {
    double px, py; /* the point that is named */
    double radius; /* of its disc */
    double w, h;   /* of the text */
    double x, y;   /* out: its upper left corner */
    bool placed;   /* out: false where there is no room; then it is left out */
} es_label;

typedef struct es_area {
    double x, y, w, h;
} es_area;

/** Every label near its point, inside the area, clear of all other points (labels with w = 0 are
 *  points without a name), labels and the lines that lead to them, which do not cross. First come,
 * first served, then all are looked at anew four times; what still overlaps is not placed.
 * Deterministic, no allocation. O(n^2). */
void es_labels_place(es_label *label, size_t n, es_area area);
/** The longest name beside one of n points of a picture so wide: the more, the shorter. */
double es_label_room(double width, size_t n);
/** How many have a name and no place. */
size_t es_labels_left_out(const es_label *label, size_t n);

/** True if the label is so far from its point that a line must join them, from `from` to `to`. */
bool es_label_leads(const es_label *label, double from[2], double to[2]);

/* Which points of a group one hull may hold together without reaching over another group. */

typedef struct es_spot {
    double x, y;
} es_spot;

/** Convex hull of p (n), which is sorted, into hull (2 n + 2): A. M. Andrew's monotone chain, 1979.
 *  Returns its corners. */
size_t es_hull_of(es_spot *p, size_t n, es_spot *hull);

/** piece[i] (n): the first point of the hull that point i belongs to. Every point begins alone;
 *  those of one group (from 1; points of 0 stay alone) are joined, the nearest first, unless the
 *  hull around both came nearer than `air` to a hull of others, or nearer than it is. So no hull
 *  covers a point of another group. Deterministic. ES_ENOMEM. */
es_status es_hull_pieces(const es_spot *at, const unsigned *group, size_t n, double air,
                         size_t *piece, es_error *err);

/* Lines of a dendrogram, for whatever stands beside its leaves. */

typedef enum es_branch_side {
    ES_BRANCH_LEFT,  /* of its leaves, which go down from y; they end at x */
    ES_BRANCH_ABOVE, /* its leaves go right from x; they end at y */
    ES_BRANCH_RIGHT  /* of its leaves, which go down from y; they begin at x */
} es_branch_side;

/** Leaves are `pitch` apart in the tree's order, the highest merge is `length` away from them. In
 *  the current colour. ES_ENOMEM. */
es_status es_put_branches(const es_canvas *canvas, const es_linkage *tree, double pitch,
                          double length, es_branch_side side, double x, double y, es_error *err);

/* Names of a figure in the room that there is, so that no two read the same. */

typedef struct es_fitted_names {
    char **text; /* (n) */
    size_t n;
    double widest; /* of the texts */
} es_fitted_names;

/** Each name in at most `room` at this size (es_short_names_make); NULL stands for an empty one. */
es_status es_fitted_names_make(const es_canvas *canvas, double size, const char *const *name,
                               size_t n, double room, es_fitted_names *out, es_error *err);
void es_fitted_names_deinit(es_fitted_names *names); /* all zero bytes is allowed */

#endif
