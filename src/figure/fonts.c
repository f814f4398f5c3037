/* Text by Pango: fonts for every script, letters that join, stack or run from right to left. */
#include "canvas.h"

#include <math.h>
#include <string.h>

/* A metric twin of Helvetica where there is one, else what the system takes for sans. */
static const char family[] = "Helvetica";

enum { MISSING_MOST = 64 }; /* different letters that are counted */

struct es_fonts {
    PangoContext *context;
    PangoLayout *layout;
    PangoFontDescription *font;
    PangoFontDescription *found; /* what `family` is on this system; NULL: unknown */
    PangoGlyph missing[MISSING_MOST];
    size_t n_missing;
};

es_status es_fonts_new(es_fonts **out, es_error *err) {
    es_status st = es_drawing_load(err);
    if (st != ES_OK)
        return st;
    es_fonts *fonts = es_alloc_zero(1, sizeof *fonts);
    PangoFontMap *map = pango_cairo_font_map_new(); /* GLib ends the program if memory runs out */
    if (fonts == NULL) {
        g_object_unref(map);
        return es_no_memory(err);
    }
    fonts->context = pango_font_map_create_context(map);
    g_object_unref(map);
    pango_context_set_round_glyph_positions(fonts->context, FALSE);
    fonts->font = pango_font_description_from_string(family);
    fonts->layout = pango_layout_new(fonts->context);
    pango_layout_set_single_paragraph_mode(fonts->layout, TRUE);
    *out = fonts;
    return ES_OK;
}

void es_fonts_free(es_fonts *fonts) {
    if (fonts == NULL)
        return;
    pango_font_description_free(fonts->found);
    pango_font_description_free(fonts->font);
    g_object_unref(fonts->layout);
    g_object_unref(fonts->context);
    es_free(fonts);
}

const char *es_fonts_family(es_fonts *fonts) {
    PangoFont *font = fonts->found ? NULL : pango_context_load_font(fonts->context, fonts->font);
    if (font != NULL) {
        fonts->found = pango_font_describe(font);
        g_object_unref(font);
    }
    const char *name = fonts->found ? pango_font_description_get_family(fonts->found) : NULL;
    return name && strpbrk(name, "'\"<>&;,") ? NULL : name;
}

static void note_missing(es_fonts *fonts, PangoGlyph glyph) {
    for (size_t i = 0; i < fonts->n_missing; i++)
        if (fonts->missing[i] == glyph)
            return;
    if (fonts->n_missing < MISSING_MOST)
        fonts->missing[fonts->n_missing++] = glyph;
}

/* The line of `text`, and how far it reaches. */
static PangoLayoutLine *set(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text,
                            double *width) {
    PangoRectangle reach;
    pango_font_description_set_weight(fonts->font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(fonts->font, size * PANGO_SCALE);
    pango_layout_set_font_description(fonts->layout, fonts->font);
    pango_layout_set_text(fonts->layout, text, -1);
    pango_cairo_update_layout(cr, fonts->layout);
    PangoLayoutLine *line = pango_layout_get_line_readonly(fonts->layout, 0);
    pango_layout_line_get_extents(line, NULL, &reach);
    *width = (double)reach.width / PANGO_SCALE;
    if (pango_layout_get_unknown_glyphs_count(fonts->layout) == 0)
        return line;
    for (const GSList *run = line->runs; run; run = run->next) {
        const PangoGlyphString *glyphs = ((const PangoLayoutRun *)run->data)->glyphs;
        for (int i = 0; i < glyphs->num_glyphs; i++)
            if (glyphs->glyphs[i].glyph & PANGO_GLYPH_UNKNOWN_FLAG)
                note_missing(fonts, glyphs->glyphs[i].glyph);
    }
    return line;
}

size_t es_fonts_missing(const es_fonts *fonts) {
    return fonts->n_missing;
}

double es_fonts_width(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text) {
    double width = 0;
    (void)set(fonts, cr, size, bold, text, &width);
    return width;
}

void es_fonts_path(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text) {
    double width = 0;
    pango_cairo_layout_line_path(cr, set(fonts, cr, size, bold, text, &width));
}

void es_fonts_show(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text) {
    double width = 0, x, y;
    cairo_get_current_point(cr, &x, &y);
    pango_cairo_show_layout_line(cr, set(fonts, cr, size, bold, text, &width));
    cairo_move_to(cr, x + width, y);
}

/* The short names of the terminal's columns, measured in points. */

typedef struct ruling {
    const es_canvas *canvas;
    double size;
} ruling;

static double room_of(const void *context, const char *utf8) {
    const ruling *r = context;
    return es_text_room(r->canvas, r->size, utf8);
}

es_status es_fitted_names_make(const es_canvas *c, double size, const char *const *name, size_t n,
                               double room, es_fitted_names *out, es_error *err) {
    const ruling r = {c, size};
    const es_ruler ruler = {room_of, &r, "…"};
    es_status st = ES_OK;
    const char **whole = es_alloc(n + 1, sizeof *whole);
    es_fitted_names made = {.text = es_alloc_zero(n + 1, sizeof *made.text), .n = n};
    ES_FAIL_IF(whole == NULL || made.text == NULL, es_no_memory(err));
    for (size_t i = 0; i < n; i++)
        whole[i] = name[i] ? name[i] : "";
    ES_TRY(es_short_names_make(whole, n, room, &ruler, made.text, err));
    for (size_t i = 0; i < n; i++) { /* joined letters are narrower than one by one */
        if (strcmp(made.text[i], whole[i]) == 0 || es_text_room(c, size, whole[i]) > room)
            continue;
        char *kept = es_strdup(whole[i]);
        if (kept == NULL) {
            es_short_names_free(made.text, n);
            st = es_no_memory(err);
            goto done;
        }
        es_free(made.text[i]);
        made.text[i] = kept;
    }
    for (size_t i = 0; i < n; i++)
        made.widest = fmax(made.widest, es_text_room(c, size, made.text[i]));
    *out = made;
    made = (es_fitted_names){0};
done:
    es_free(whole);
    es_free(made.text);
    return st;
}

void es_fitted_names_deinit(es_fitted_names *names) {
    if (names->text)
        es_short_names_free(names->text, names->n);
    es_free(names->text);
    *names = (es_fitted_names){0};
}
