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
#ifndef ES_FIGURE_CANVAS_H
#define ES_FIGURE_CANVAS_H

#include <cairo.h>

#include "figure.h"
#include "fonts.h"

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

/** A scale from numbers to points. */
typedef struct es_scale {
    double low, high; /* values */
    double from, to;  /* points; `from` belongs to `low` */
    double step;
    int decimals; /* of its numbers */
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

#endif
