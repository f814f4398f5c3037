/* Chooses for each letter a font that has it, through fontconfig, and sets runs of letters; those
 * that join or turn around are shaped (shaping.h). */
#include "fonts.h"

#include <string.h>

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>

#include "alloc.h"
#include "shaping.h"

/* A metric twin of Helvetica where there is one, else what the system takes for sans. */
static const char family[] = "Helvetica";

enum { SPARES = 8 };

/* The fonts of one weight. */
typedef struct weight {
    FcPattern *first;  /* what `family` is on this system; NULL: unknown */
    FcFontSet *others; /* best first; NULL until something is missing in `first` */
    struct {
        int font; /* its place among the others */
        cairo_font_face_t *face;
    } spare[SPARES];
    int spares;
    bool asked, searched;
} weight;

struct es_fonts {
    weight of[2];       /* normal, bold */
    FcCharSet *missing; /* letters that no font has; NULL: none so far */
};

enum { FIRST = -1 }; /* in place of a place among the others */

es_status es_fonts_new(es_fonts **out, es_error *err) {
    es_fonts *fonts = es_alloc_zero(1, sizeof *fonts);
    if (fonts == NULL)
        return es_no_memory(err);
    *out = fonts;
    return ES_OK;
}

void es_fonts_free(es_fonts *fonts) {
    if (fonts == NULL)
        return;
    for (int bold = 0; bold < 2; bold++) {
        weight *w = &fonts->of[bold];
        for (int i = 0; i < w->spares; i++)
            cairo_font_face_destroy(w->spare[i].face);
        if (w->others != NULL)
            FcFontSetDestroy(w->others);
        if (w->first != NULL)
            FcPatternDestroy(w->first);
    }
    if (fonts->missing != NULL)
        FcCharSetDestroy(fonts->missing);
    es_free(fonts);
}

static FcPattern *pattern_of(bool bold) {
    FcPattern *pattern = FcPatternCreate();
    if (pattern == NULL)
        return NULL;
    FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
    FcPatternAddInteger(pattern, FC_WEIGHT, bold ? FC_WEIGHT_BOLD : FC_WEIGHT_NORMAL);
    FcConfigSubstitute(NULL, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    return pattern;
}

static bool has(FcPattern *font, FcChar32 letter) {
    FcCharSet *letters = NULL;
    return FcPatternGetCharSet(font, FC_CHARSET, 0, &letters) == FcResultMatch &&
           FcCharSetHasChar(letters, letter);
}

/* What the first font is on this system, once. */
static void ask(weight *w, bool bold) {
    FcPattern *pattern = w->asked ? NULL : pattern_of(bold);
    FcResult result;
    w->asked = true;
    if (pattern != NULL) {
        w->first = FcFontMatch(NULL, pattern, &result);
        FcPatternDestroy(pattern);
    }
}

const char *es_fonts_family(es_fonts *fonts) {
    FcChar8 *name = NULL;
    ask(&fonts->of[0], false);
    if (fonts->of[0].first == NULL ||
        FcPatternGetString(fonts->of[0].first, FC_FAMILY, 0, &name) != FcResultMatch)
        return NULL;
    for (const FcChar8 *at = name; *at != '\0'; at++)
        if (strchr("'\"<>&;,", *at) != NULL)
            return NULL;
    return (const char *)name;
}

/* The font for a letter: FIRST, or a place among the others. Asking the system takes milliseconds,
 * so it is done when it must be. */
static int font_for(es_fonts *fonts, bool bold, FcChar32 letter) {
    weight *w = &fonts->of[bold];
    FcResult result;
    if (letter < 0x80)
        return FIRST;
    ask(w, bold);
    if (w->first == NULL || has(w->first, letter))
        return FIRST;
    if (!w->searched) {
        FcPattern *pattern = pattern_of(bold);
        w->searched = true;
        if (pattern != NULL) {
            w->others = FcFontSort(NULL, pattern, FcTrue, NULL, &result);
            FcPatternDestroy(pattern);
        }
    }
    for (int i = 0; w->others != NULL && i < w->others->nfont; i++)
        if (has(w->others->fonts[i], letter))
            return i;
    if (fonts->missing == NULL)
        fonts->missing = FcCharSetCreate();
    if (fonts->missing != NULL)
        (void)FcCharSetAddChar(fonts->missing, letter);
    return FIRST;
}

/* NULL where it cannot be had. */
static cairo_font_face_t *face_of(weight *w, bool bold, int font) {
    for (int i = 0; i < w->spares; i++)
        if (w->spare[i].font == font)
            return w->spare[i].face;
    if (w->spares == SPARES)
        return NULL;
    FcPattern *pattern = pattern_of(bold);
    FcPattern *chosen =
        pattern != NULL ? FcFontRenderPrepare(NULL, pattern, w->others->fonts[font]) : NULL;
    cairo_font_face_t *face = chosen != NULL ? cairo_ft_font_face_create_for_pattern(chosen) : NULL;
    if (chosen != NULL)
        FcPatternDestroy(chosen);
    if (pattern != NULL)
        FcPatternDestroy(pattern);
    if (face != NULL && cairo_font_face_status(face) != CAIRO_STATUS_SUCCESS) {
        cairo_font_face_destroy(face);
        face = NULL;
    }
    if (face != NULL) {
        w->spare[w->spares].font = font;
        w->spare[w->spares++].face = face;
    }
    return face;
}

static void choose(weight *w, cairo_t *cr, double size, bool bold, int font) {
    cairo_font_face_t *face = font == FIRST ? NULL : face_of(w, bold, font);
    if (face != NULL)
        cairo_set_font_face(cr, face);
    else
        cairo_select_font_face(cr, family, CAIRO_FONT_SLANT_NORMAL,
                               bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

/* The run of letters of one font at the start of `text`: its length; 0 at the end. */
static size_t run_at(es_fonts *fonts, bool bold, const char *text, int *font) {
    size_t length = 0, left = strlen(text);
    while (left > 0) {
        FcChar32 letter;
        int size = FcUtf8ToUcs4((const FcChar8 *)text + length, &letter, left > 8 ? 8 : (int)left);
        if (size <= 0) { /* no UTF-8: Cairo shall say so */
            size = 1;
            letter = ' ';
        }
        int own = font_for(fonts, bold, letter);
        if (length == 0)
            *font = own;
        else if (own != *font)
            break;
        length += (size_t)size;
        left -= (size_t)size;
    }
    return length;
}

enum { RUN = 512 };

typedef enum how_walked { MEASURED, SHOWN, OUTLINED } how_walked;

/* The advance of all runs, drawn or as outlines. */
static double walk(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text,
                   how_walked how) {
    weight *w = &fonts->of[bold];
    double width = 0;
    int font = FIRST;
    for (size_t length; (length = run_at(fonts, bold, text, &font)) > 0; text += length) {
        char run[RUN];
        cairo_text_extents_t extents;
        if (length >= RUN) { /* whole letters only */
            length = RUN - 1;
            while (length > 1 && ((unsigned char)text[length] & 0xc0) == 0x80)
                length--;
        }
        memcpy(run, text, length);
        run[length] = '\0';
        choose(w, cr, size, bold, font);
        cairo_text_extents(cr, run, &extents);
        width += extents.x_advance;
        if (how == SHOWN)
            cairo_show_text(cr, run);
        else if (how == OUTLINED)
            cairo_text_path(cr, run);
    }
    return width;
}

size_t es_fonts_missing(const es_fonts *fonts) {
    return fonts->missing != NULL ? FcCharSetCount(fonts->missing) : 0;
}

/* ---- what must be shaped ---- */

enum { LETTERS = 256 };

/* Letters (LETTERS) of the beginning of a text: how many. *shaped: one of them needs shaping. */
static size_t read_letters(const char *text, uint32_t *letter, bool *shaped) {
    size_t n = 0, left = strlen(text);
    *shaped = false;
    while (left > 0 && n < LETTERS) {
        FcChar32 u = ' ';
        int size = FcUtf8ToUcs4((const FcChar8 *)text, &u, left > 8 ? 8 : (int)left);
        size = size > 0 ? size : 1;
        *shaped = *shaped || es_shaping_needed(u);
        letter[n++] = u;
        text += size;
        left -= (size_t)size;
    }
    *shaped = *shaped && left == 0; /* longer ones are set letter by letter */
    return n;
}

/* As walk, for texts whose letters join or turn around; below 0: it could not be done. */
static double walk_shaped(es_fonts *fonts, cairo_t *cr, double size, bool bold,
                          const uint32_t *letter, size_t n, how_walked how) {
    enum { GLYPHS = 4 * LETTERS };
    int font[LETTERS];
    es_shaped_run run[LETTERS];
    cairo_glyph_t glyph[GLYPHS];
    double x = 0, y = 0, width = 0;
    for (size_t i = 0; i < n; i++)
        font[i] = font_for(fonts, bold, letter[i]);
    size_t runs = es_shaping_runs(letter, font, n, run);
    if (runs == 0)
        return -1;
    if (how != MEASURED)
        cairo_get_current_point(cr, &x, &y);
    for (size_t r = 0; r < runs; r++) {
        size_t count = 0;
        choose(&fonts->of[bold], cr, size, bold, run[r].font);
        width += es_shaping_set(cr, size, letter, &run[r], x + width, y,
                                how == MEASURED ? NULL : glyph, GLYPHS, &count);
        if (how == SHOWN)
            cairo_show_glyphs(cr, glyph, (int)count);
        else if (how == OUTLINED)
            cairo_glyph_path(cr, glyph, (int)count);
    }
    if (how != MEASURED)
        cairo_move_to(cr, x + width, y);
    return width;
}

static double set(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text,
                  how_walked how) {
    uint32_t letter[LETTERS];
    bool shaped = false;
    size_t n = read_letters(text, letter, &shaped);
    double width = shaped ? walk_shaped(fonts, cr, size, bold, letter, n, how) : -1;
    return width >= 0 ? width : walk(fonts, cr, size, bold, text, how);
}

double es_fonts_width(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text) {
    return set(fonts, cr, size, bold, text, MEASURED);
}

void es_fonts_path(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text) {
    (void)set(fonts, cr, size, bold, text, OUTLINED);
}

void es_fonts_show(es_fonts *fonts, cairo_t *cr, double size, bool bold, const char *text) {
    (void)set(fonts, cr, size, bold, text, SHOWN);
}
