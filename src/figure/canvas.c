/* The page on Cairo: margins, title and note, text with fonts for every script, scales with round
 * numbers. What is svg, pdf or png is decided in one place. */
#include "canvas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN 5.0
#define NOTE_LEADING 8.6
#define HALO 2.2
#define TITLE_GAP 3.5
#define PNG_SCALE (300.0 / 72)

static const es_ink light = {.paper = {1, 1, 1},
                             .text = {0.08, 0.08, 0.08},
                             .faint = {0.38, 0.38, 0.38},
                             .grid = {0.88, 0.88, 0.88},
                             .accent = {0, 0.447, 0.698},
                             .second = {0.835, 0.369, 0},
                             .third = {0, 0.62, 0.451}};
static const es_ink dark = {.paper = {0.09, 0.10, 0.12},
                            .text = {0.93, 0.93, 0.93},
                            .faint = {0.65, 0.66, 0.68},
                            .grid = {0.24, 0.25, 0.28},
                            .accent = {0.337, 0.706, 0.914},
                            .second = {0.902, 0.624, 0},
                            .third = {0.2, 0.8, 0.62}};

es_rgb es_rgb_hex(uint32_t colour) {
    return (es_rgb){(double)(colour >> 16 & 0xff) / 255, (double)(colour >> 8 & 0xff) / 255,
                    (double)(colour & 0xff) / 255};
}

static es_ink ink_of(const es_figure_style *style) {
    const es_picture_colours *theme = style->colours;
    if (theme == NULL)
        return style->dark ? dark : light;
    return (es_ink){.paper = es_rgb_hex(theme->paper),
                    .text = es_rgb_hex(theme->text),
                    .faint = es_rgb_hex(theme->faint),
                    .grid = es_rgb_hex(theme->grid),
                    .accent = es_rgb_hex(theme->line[0]),
                    .second = es_rgb_hex(theme->line[1]),
                    .third = es_rgb_hex(theme->line[2])};
}

/* ---- the page ---- */

/* Appends what Cairo writes to a buffer. */
static cairo_status_t append_bytes(void *context, const unsigned char *bytes, unsigned length) {
    es_buf *out = context;
    es_buf_add(out, bytes, length);
    return out->failed ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static es_status check_cairo(cairo_status_t status, es_error *err) {
    if (status == CAIRO_STATUS_SUCCESS)
        return ES_OK;
    if (status == CAIRO_STATUS_NO_MEMORY || status == CAIRO_STATUS_WRITE_ERROR)
        return es_no_memory(err);
    return es_fail(err, ES_EUNSUPPORTED, "figure: %s", cairo_status_to_string(status));
}

/* Starts drawing with the same letter widths on every surface. */
static es_status set_up_drawing(es_canvas *c, es_error *err) {
    c->cr = cairo_create(c->surface);
    /* letters have the same width on every surface and at every scale */
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(c->cr, options);
    cairo_font_options_destroy(options);
    cairo_set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
    return check_cairo(cairo_status(c->cr), err);
}

es_status es_canvas_init(es_canvas *c, const es_figure_style *style, double usual_width,
                         es_error *err) {
    double width = style->width > 0 ? style->width : usual_width;
    *c = (es_canvas){.style = style, .ink = ink_of(style), .width = width - 2 * MARGIN};
    if (!(width >= ES_FIGURE_NARROWEST && width <= ES_FIGURE_WIDEST))
        return es_fail(err, ES_EINVAL, "a figure is %g to %g inches wide, not %g",
                       ES_FIGURE_NARROWEST / 72, ES_FIGURE_WIDEST / 72, width / 72);
    es_status st = es_fonts_new(&c->fonts, err);
    if (st != ES_OK)
        return st;
    es_buf_puts(&c->note, style->note ? style->note : "");
    c->texts = es_alloc_zero(1, sizeof *c->texts);
    if (c->texts == NULL)
        return es_no_memory(err);
    c->surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    return set_up_drawing(c, err);
}

void es_canvas_unnamed(es_canvas *c, size_t count) {
    if (count > 0)
        es_buf_printf(&c->note, "%s%zu %s left out where there is no room.",
                      c->note.length ? " " : "", count, count == 1 ? "name is" : "names are");
}

void es_canvas_note(es_canvas *c, const char *sentence) {
    es_buf_printf(&c->note, "%s%s", c->note.length ? " " : "", sentence);
}

void es_canvas_unknown(es_canvas *c, size_t count) {
    if (count > 0)
        es_buf_printf(&c->note, "%sOf %zu nothing is known.", c->note.length ? " " : "", count);
}

static void put(const es_canvas *c, double x, double y, double angle, double size, bool bold,
                es_align align, const char *text);

/* Text broken into lines between words: their number; drawn where `draw`, the middle of the first
 * at y. A word that is too long for a line keeps one to itself. */
static size_t set_lines(const es_canvas *c, const es_text_lines *how, double x, double y, bool draw,
                        const char *text) {
    const char *at = text;
    size_t lines = 0;
    while (at && *at) {
        char line[512] = {0};
        size_t taken = 0;
        for (size_t end = 0; end < sizeof line - 1 && at[end];) {
            end += strcspn(at + end, " ");
            if (end >= sizeof line)
                end = sizeof line - 1;
            memcpy(line, at, end);
            line[end] = '\0';
            if (taken > 0 &&
                es_fonts_width(c->fonts, c->cr, how->size, how->bold, line) > how->width)
                break;
            taken = end;
            end += at[end] == ' ';
        }
        memcpy(line, at, taken);
        line[taken] = '\0';
        if (draw)
            put(c, x, y + how->leading * (double)lines, 0, how->size, how->bold, how->align, line);
        at += taken + (at[taken] == ' ');
        lines++;
    }
    return lines;
}

double es_lines_height(const es_canvas *c, const es_text_lines *how, const char *text) {
    return how->leading * (double)set_lines(c, how, 0, 0, false, text);
}

void es_put_lines(const es_canvas *c, const es_text_lines *how, double x, double y,
                  const char *text) {
    (void)set_lines(c, how, x, y + how->leading / 2, true, text);
}

static es_text_lines note_lines(const es_canvas *c) {
    return (es_text_lines){
        .size = ES_FONT_SMALL, .width = c->width, .leading = NOTE_LEADING, .align = ES_ALIGN_LEFT};
}

static es_text_lines title_lines(const es_canvas *c) {
    return (es_text_lines){.size = ES_FONT_TITLE,
                           .width = c->width,
                           .leading = 11.5,
                           .align = ES_ALIGN_LEFT,
                           .bold = true};
}

static cairo_surface_t *open_surface(es_picture format, double width, double height, es_buf *out) {
    cairo_surface_t *surface = NULL;
    switch (format) {
    case ES_PICTURE_SVG:
        surface = cairo_svg_surface_create_for_stream(append_bytes, out, width, height);
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PT);
        break;
    case ES_PICTURE_PDF:
        surface = cairo_pdf_surface_create_for_stream(append_bytes, out, width, height);
        /* Cairo would write the time of day: the same numbers give the same file */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                       "2000-01-01T00:00:00Z");
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR,
                                       "embedscope " ES_VERSION);
        break;
    case ES_PICTURE_PNG:
        surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width * PNG_SCALE),
                                             (int)ceil(height * PNG_SCALE));
        break;
    }
    return surface;
}

void es_ink_set(const es_canvas *c, es_rgb colour) {
    cairo_set_source_rgb(c->cr, colour.r, colour.g, colour.b);
}

void es_ink_set_alpha(const es_canvas *c, es_rgb colour, double alpha) {
    cairo_set_source_rgba(c->cr, colour.r, colour.g, colour.b, alpha);
}

/* What has been measured so far are the names and the title. */
static void note_missing(es_canvas *c) {
    size_t count = es_fonts_missing(c->fonts);
    if (count > 0)
        es_buf_printf(&c->note, "%s%zu %s in no font of this machine and shown as a box.",
                      c->note.length ? " " : "", count, count == 1 ? "letter is" : "letters are");
}

es_status es_canvas_page(es_canvas *c, double height, es_picture format, es_buf *out,
                         es_error *err) {
    bool titled = c->style->title && c->style->title[0];
    const es_text_lines title = title_lines(c), note = note_lines(c);
    (void)es_lines_height(c, &title, titled ? c->style->title : NULL);
    note_missing(c);
    double top = titled ? es_lines_height(c, &title, c->style->title) + TITLE_GAP : 0;
    double below = c->note.length ? 4 + es_lines_height(c, &note, c->note.data) : 0;
    double page_width = c->width + 2 * MARGIN, page_height = top + height + below + 2 * MARGIN;
    cairo_destroy(c->cr);
    cairo_surface_destroy(c->surface);
    c->cr = NULL;
    c->format = format;
    c->out = out;
    c->height = height;
    c->surface = open_surface(format, page_width, page_height, out);
    es_status st = check_cairo(cairo_surface_status(c->surface), err);
    if (st == ES_OK)
        st = set_up_drawing(c, err);
    if (st != ES_OK)
        return st;
    if (format == ES_PICTURE_PDF && (titled || c->style->name[0]))
        cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_TITLE,
                                       titled ? c->style->title : c->style->name);
    if (format == ES_PICTURE_PNG)
        cairo_scale(c->cr, PNG_SCALE, PNG_SCALE);
    es_ink_set(c, c->ink.paper);
    cairo_paint(c->cr);
    cairo_translate(c->cr, MARGIN, MARGIN);
    if (titled) {
        es_ink_set(c, c->ink.text);
        es_put_lines(c, &title, 0, 0, c->style->title);
    }
    es_ink_set(c, c->ink.faint);
    if (c->note.length)
        es_put_lines(c, &note, 0, top + height + 4, c->note.data);
    cairo_translate(c->cr, 0, top);
    es_ink_set(c, c->ink.text);
    return check_cairo(cairo_status(c->cr), err);
}

/* Cairo numbers the group around a document through all the documents of a process; the same figure
 * is to be the same bytes wherever it is drawn. */
static void drop_number(const es_canvas *c) {
    static const char group[] = "<g id=\"surface";
    char *at = c->out->data ? strstr(c->out->data, group) : NULL;
    if (at == NULL)
        return;
    at += sizeof group - 1;
    size_t digits = strspn(at, "0123456789");
    memmove(at, at + digits, strlen(at + digits) + 1);
    c->out->length -= digits;
}

/* The texts in front of the end of the document. */
static void add_texts(const es_canvas *c) {
    static const char end[] = "</svg>";
    const char *last = NULL;
    es_buf rest = {0};
    for (const char *at = c->out->data; at && (at = strstr(at, end)) != NULL; at++)
        last = at;
    if (last == NULL || c->texts->length == 0)
        return;
    es_buf_puts(&rest, last);
    c->out->length = (size_t)(last - c->out->data);
    /* That by which texts were measured, or they would reach beyond their room. */
    const char *family = es_fonts_family(c->fonts);
    es_buf_puts(c->out, "<g font-family=\"");
    if (family != NULL && strcmp(family, "DejaVu Sans") != 0)
        es_buf_printf(c->out, "'%s', ", family);
    es_buf_puts(c->out, "'DejaVu Sans', Verdana, sans-serif\">\n");
    es_buf_add(c->out, c->texts->data, c->texts->length);
    es_buf_puts(c->out, "</g>\n");
    es_buf_add(c->out, rest.data, rest.length);
    c->out->failed |= rest.failed || c->texts->failed;
    es_buf_free(&rest);
}

es_status es_canvas_finish(es_canvas *c, es_error *err) {
    es_status st = check_cairo(cairo_status(c->cr), err);
    if (st == ES_OK && c->format == ES_PICTURE_PNG)
        st = check_cairo(cairo_surface_write_to_png_stream(c->surface, append_bytes, c->out), err);
    cairo_destroy(c->cr);
    c->cr = NULL;
    cairo_surface_finish(c->surface);
    if (st == ES_OK)
        st = check_cairo(cairo_surface_status(c->surface), err);
    if (st == ES_OK && c->format == ES_PICTURE_SVG) {
        drop_number(c);
        add_texts(c);
    }
    return st == ES_OK ? es_buf_check(c->out, err) : st;
}

void es_canvas_deinit(es_canvas *c) {
    if (c->cr)
        cairo_destroy(c->cr);
    if (c->surface) {
        cairo_surface_finish(
            c->surface); /* its last bytes go to `out`, which must still be there */
        cairo_surface_destroy(c->surface);
    }
    es_fonts_free(c->fonts);
    es_buf_free(&c->note);
    if (c->texts)
        es_buf_free(c->texts);
    es_free(c->texts);
    *c = (es_canvas){0};
}

/* ---- text ---- */

double es_text_room(const es_canvas *c, double size, const char *text) {
    return es_fonts_width(c->fonts, c->cr, size, false, text);
}

static void put_xml(es_buf *out, const char *text) {
    for (; *text; text++)
        if (*text == '&' || *text == '<' || *text == '>')
            es_buf_puts(out, *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : "&gt;");
        else
            es_buf_putc(out, *text);
}

/* A text of svg as an element of its own, from the current point on and as wide as it was measured,
 * whatever font shows it: it can be searched, copied and edited. */
static void keep_text(const es_canvas *c, double x, double y, double size, bool bold, bool halo,
                      const char *text) {
    cairo_matrix_t m;
    double r = 0, g = 0, b = 0, alpha = 1,
           width = es_fonts_width(c->fonts, c->cr, size, bold, text);
    cairo_get_matrix(c->cr, &m);
    (void)cairo_pattern_get_rgba(cairo_get_source(c->cr), &r, &g, &b, &alpha);
    cairo_matrix_transform_point(&m, &x, &y);
    es_buf_printf(c->texts, "<text ");
    if (fabs(m.yx) > 0)
        es_buf_printf(c->texts, "transform=\"matrix(%.4g %.4g %.4g %.4g %.2f %.2f)\"", m.xx, m.yx,
                      m.xy, m.yy, x, y);
    else
        es_buf_printf(c->texts, "x=\"%.2f\" y=\"%.2f\"", x, y);
    es_buf_printf(c->texts, " font-size=\"%.4g\"%s fill=\"#%02x%02x%02x\"", size,
                  bold ? " font-weight=\"bold\"" : "", (unsigned)lround(r * 255),
                  (unsigned)lround(g * 255), (unsigned)lround(b * 255));
    if (alpha < 1)
        es_buf_printf(c->texts, " fill-opacity=\"%.3g\"", alpha);
    if (halo)
        es_buf_printf(c->texts,
                      " stroke=\"#%02x%02x%02x\" stroke-width=\"%g\" stroke-opacity=\"0.85\" "
                      "stroke-linejoin=\"round\" paint-order=\"stroke\"",
                      (unsigned)lround(c->ink.paper.r * 255),
                      (unsigned)lround(c->ink.paper.g * 255),
                      (unsigned)lround(c->ink.paper.b * 255), HALO);
    if (width > 0)
        es_buf_printf(c->texts, " textLength=\"%.2f\" lengthAdjust=\"spacingAndGlyphs\"", width);
    es_buf_puts(c->texts, ">");
    put_xml(c->texts, text);
    es_buf_puts(c->texts, "</text>\n");
}

/* The paper shows around the letters, so that lines behind them do not run into them. */
static void put_halo(const es_canvas *c, double x, double y, double size, bool bold,
                     const char *text) {
    cairo_pattern_t *ink = cairo_pattern_reference(cairo_get_source(c->cr));
    cairo_move_to(c->cr, x, y);
    es_fonts_path(c->fonts, c->cr, size, bold, text);
    es_ink_set_alpha(c, c->ink.paper, 0.85);
    cairo_set_line_width(c->cr, HALO);
    cairo_stroke(c->cr);
    cairo_set_source(c->cr, ink);
    cairo_pattern_destroy(ink);
}

/* The middle of lower-case letters and digits together is about 0.35 of the size above the line. */
static void put_any(const es_canvas *c, double x, double y, double angle, double size, bool bold,
                    bool halo, es_align align, const char *text) {
    if (text == NULL || text[0] == '\0')
        return;
    double share = align == ES_ALIGN_LEFT ? 0 : align == ES_ALIGN_CENTRE ? 0.5 : 1;
    double width = share > 0 ? es_fonts_width(c->fonts, c->cr, size, bold, text) : 0;
    cairo_save(c->cr);
    cairo_translate(c->cr, x, y);
    cairo_rotate(c->cr, angle);
    if (c->out != NULL && c->format == ES_PICTURE_SVG) {
        keep_text(c, -share * width, 0.35 * size, size, bold, halo, text);
    } else {
        if (halo)
            put_halo(c, -share * width, 0.35 * size, size, bold, text);
        cairo_move_to(c->cr, -share * width, 0.35 * size);
        es_fonts_show(c->fonts, c->cr, size, bold, text);
        cairo_new_path(c->cr);
    }
    cairo_restore(c->cr);
}

static void put(const es_canvas *c, double x, double y, double angle, double size, bool bold,
                es_align align, const char *text) {
    put_any(c, x, y, angle, size, bold, false, align, text);
}

void es_put_haloed(const es_canvas *c, double x, double y, double size, es_align align,
                   const char *text) {
    put_any(c, x, y, 0, size, false, true, align, text);
}

void es_put_text(const es_canvas *c, double x, double y, double size, es_align align,
                 const char *text) {
    put(c, x, y, 0, size, false, align, text);
}

void es_put_bold(const es_canvas *c, double x, double y, double size, es_align align,
                 const char *text) {
    put(c, x, y, 0, size, true, align, text);
}

void es_put_turned(const es_canvas *c, double x, double y, double size, es_align align,
                   const char *text) {
    put(c, x, y, -(ES_PI / 2), size, false, align, text);
}

/* Where a letter begins, at or before `at`. */
static size_t letter_at(const char *text, size_t at) {
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    return at;
}

/* The first `head` bytes of text (length) and its last ones, `kept` in all, an ellipsis between. */
static void elide(const char *text, size_t length, size_t kept, bool middle,
                  char out[ES_TEXT_FIT]) {
    size_t head = letter_at(text, middle ? kept - kept * 2 / 5 : kept);
    size_t tail = length;
    if (middle && kept > head) {
        tail = length - (kept - head);
        while (tail < length && ((unsigned char)text[tail] & 0xc0) == 0x80)
            tail++;
    }
    (void)snprintf(out, ES_TEXT_FIT, "%.*s…%s", (int)head, text, text + tail);
}

/* Shortens a text to the room by an ellipsis at its end, or in its middle. */
static const char *shorten_text(const es_canvas *c, double size, const char *text, double room,
                                bool middle, char out[ES_TEXT_FIT]) {
    char clean[ES_TEXT_FIT];
    text = text ? text : "";
    size_t length = es_text_clean_into(clean, ES_TEXT_FIT - 4, text, strlen(text));
    if (length == strlen(text) && es_text_room(c, size, clean) <= room) {
        memcpy(out, clean, length + 1);
        return out;
    }
    for (size_t kept = length; kept > 0; kept--) {
        elide(clean, length, kept - 1, middle, out);
        if (es_text_room(c, size, out) <= room)
            return out;
    }
    (void)snprintf(out, ES_TEXT_FIT, "…");
    return out;
}

const char *es_text_fit(const es_canvas *c, double size, const char *text, double room,
                        char out[ES_TEXT_FIT]) {
    return shorten_text(c, size, text, room, false, out);
}

const char *es_name_fit(const es_canvas *c, double size, const char *name, double room,
                        char out[ES_TEXT_FIT]) {
    return shorten_text(c, size, name, room, true, out);
}

/* ---- lines ---- */

void es_put_line(const es_canvas *c, double x0, double y0, double x1, double y1, double width) {
    cairo_set_line_width(c->cr, width);
    cairo_move_to(c->cr, x0, y0);
    cairo_line_to(c->cr, x1, y1);
    cairo_stroke(c->cr);
}

void es_put_disc(const es_canvas *c, double x, double y, double radius) {
    cairo_new_sub_path(c->cr);
    cairo_arc(c->cr, x, y, radius, 0, 2 * ES_PI);
    cairo_fill(c->cr);
}

void es_put_rectangle(const es_canvas *c, double x, double y, double w, double h) {
    cairo_rectangle(c->cr, x, y, w, h);
    cairo_fill(c->cr);
}

/* ---- axes ---- */

/* Steps, and what they are divided by, are numbers still. */
static const double MOST_ON_AXIS = 1e100, LEAST_ON_AXIS = 1e-100;

void es_widen(double value, double *low, double *high) {
    if (isfinite(value)) {
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

es_scale es_scale_make(double low, double high, int most) {
    static const double steps[] = {1, 2, 2.5, 5, 10};
    if (!isfinite(low) || !isfinite(high)) {
        low = isfinite(low) ? low : isfinite(high) ? high : 0;
        high = low;
    }
    double largest = fmin(fmax(fabs(low), fabs(high)), MOST_ON_AXIS);
    low = fmax(low, -MOST_ON_AXIS);
    high = fmin(high, MOST_ON_AXIS);
    if (!(high - low > fmax(LEAST_ON_AXIS, 1e-12 * largest))) { /* steps would be rounding */
        double around = largest > LEAST_ON_AXIS ? largest / 2 : 0.5;
        low -= around;
        high += around;
    }
    double rough = (high - low) / (most > 1 ? most - 1 : 1);
    double power = pow(10, floor(log10(rough)));
    double step = 10 * power;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= rough * (1 - 1e-9)) {
            step = steps[i] * power;
            break;
        }
    es_scale axis = {.step = step};
    axis.low = floor(low / step + 1e-9) * step;
    axis.high = ceil(high / step - 1e-9) * step;
    double digits = -floor(log10(step) + 1e-9);
    double last = step * pow(10, digits); /* 2.5 needs one more */
    axis.decimals = (int)(digits > 0 ? digits : 0) + (fabs(last - 2.5) < 1e-6 && digits >= 0);
    return axis;
}

es_scale es_scale_make_whole(double low, double high, int most) {
    es_scale scale = es_scale_make(low, high, most);
    if (scale.step < 1 || scale.decimals > 0) {
        scale.step = scale.step < 1 ? 1 : scale.step > 2 ? 5 : 2;
        scale.low = floor(low / scale.step + 1e-9) * scale.step;
        scale.high = fmax(ceil(high / scale.step - 1e-9) * scale.step, scale.low + scale.step);
        scale.decimals = 0;
    }
    return scale;
}

double es_scale_at(const es_scale *axis, double value) {
    double share = (value - axis->low) / (axis->high - axis->low);
    return axis->from + share * (axis->to - axis->from);
}

size_t es_scale_ticks(const es_scale *axis) {
    return (size_t)lround((axis->high - axis->low) / axis->step) + 1;
}

/* Writes the label of tick i and returns its place on the axis. */
static double tick_label(const es_scale *axis, size_t i, char *text, size_t capacity) {
    double value = axis->low + (double)i * axis->step;
    if (fabs(value) < axis->step / 1e6)
        value = 0;
    bool plain = axis->step < 1e7 && axis->decimals <= 15;
    if (axis->log) {
        (void)snprintf(text, capacity, "%.4g", exp2(value));
        return es_scale_at(axis, value);
    }
    (void)snprintf(text, capacity, plain ? "%s%.*f" : "%s%.*g", value < 0 ? "−" : "",
                   plain ? axis->decimals : 6, fabs(value));
    return es_scale_at(axis, value);
}

es_stride es_scale_stride(const es_canvas *c, const es_scale *axis, bool across) {
    char text[64];
    double room = across ? 0 : ES_FONT_SMALL + 1, least = across ? 5 : 0;
    size_t ticks = es_scale_ticks(axis);
    for (size_t i = 0; across && i < ticks; i++) {
        (void)tick_label(axis, i, text, sizeof text);
        room = fmax(room, es_text_room(c, ES_FONT_SMALL, text));
    }
    double apart = ticks > 1 ? fabs(axis->to - axis->from) / (double)(ticks - 1) : room + least;
    es_stride stride = {.every = (size_t)fmax(1, ceil((room + least) / apart - 1e-9))};
    double zero = -axis->low / axis->step; /* keeps its number */
    if (zero > -0.5 && zero < (double)ticks - 0.5)
        stride.first = (size_t)lround(fmax(zero, 0)) % stride.every;
    return stride;
}

bool es_stride_has(es_stride stride, size_t tick) {
    return tick % stride.every == stride.first;
}

static es_text_lines below_lines(const es_canvas *c) {
    return (es_text_lines){
        .size = ES_FONT_NORMAL, .width = c->width, .leading = 9, .align = ES_ALIGN_CENTRE};
}

double es_scale_below_height(const es_canvas *c, const char *title) {
    const es_text_lines how = below_lines(c);
    return ES_SCALE_BELOW + fmax(0, es_lines_height(c, &how, title) - how.leading);
}

void es_put_scale_below(const es_canvas *c, const es_scale *axis, double y, double grid,
                        const char *title) {
    char text[64];
    const es_stride stride = es_scale_stride(c, axis, true);
    for (size_t i = 0; i < es_scale_ticks(axis); i++) {
        double x = tick_label(axis, i, text, sizeof text);
        es_ink_set(c, c->ink.grid);
        es_put_line(c, x, y, x, grid, ES_LINE_THIN);
        es_ink_set(c, c->ink.text);
        es_put_line(c, x, y, x, y + 2.5, ES_LINE_THIN);
        if (es_stride_has(stride, i))
            es_put_text(c, x, y + 8, ES_FONT_SMALL, ES_ALIGN_CENTRE, text);
    }
    es_put_line(c, axis->from, y, axis->to, y, ES_LINE_THIN);
    if (title) {
        const es_text_lines how = below_lines(c);
        double room = fmin(es_text_room(c, ES_FONT_NORMAL, title), c->width);
        double middle = fmin((axis->from + axis->to) / 2, c->width - room / 2);
        if (middle - room / 2 < 0)
            middle = c->width / 2;
        es_put_lines(c, &how, middle, y + 15.5, title);
    }
}

void es_put_scale_left(const es_canvas *c, const es_scale *axis, double x, double grid,
                       const char *title) {
    char text[64], fitted[ES_TEXT_FIT];
    const es_stride stride = es_scale_stride(c, axis, false);
    for (size_t i = 0; i < es_scale_ticks(axis); i++) {
        double y = tick_label(axis, i, text, sizeof text);
        es_ink_set(c, c->ink.grid);
        es_put_line(c, x, y, grid, y, ES_LINE_THIN);
        es_ink_set(c, c->ink.text);
        es_put_line(c, x, y, x - 2.5, y, ES_LINE_THIN);
        if (es_stride_has(stride, i))
            es_put_text(c, x - 4.5, y, ES_FONT_SMALL, ES_ALIGN_RIGHT, text);
    }
    es_put_line(c, x, axis->from, x, axis->to, ES_LINE_THIN);
    if (title)
        es_put_turned(c, x - 29, (axis->from + axis->to) / 2, ES_FONT_NORMAL, ES_ALIGN_CENTRE,
                      es_text_fit(c, ES_FONT_NORMAL, title, fabs(axis->to - axis->from), fitted));
}
