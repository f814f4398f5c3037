/* Runs by the Unicode bidirectional algorithm (UAX 9) and by script, glyphs by the font's own
 * tables in its design units, so that letters have the same width at every scale. */
#include "shaping.h"

#include <cairo-ft.h>
#include <fribidi.h>
#include <hb-ft.h>
#include <hb.h>

#include "alloc.h"

bool es_shaping_needed(uint32_t u) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x0300, 0x036f}, /* marks */
        {0x0590, 0x08ff}, /* Hebrew, Arabic, Syriac, ... */
        {0x0900, 0x109f}, /* India, Sri Lanka, Thai, Lao, Tibetan, Myanmar */
        {0x1780, 0x18af}, /* Khmer, Mongolian */
        {0x1a20, 0x1cff}, {0x200c, 0x200f},   {0xa800, 0xabff},   {0xfb1d, 0xfdff},
        {0xfe70, 0xfeff}, {0x10800, 0x10fff}, {0x11000, 0x11fff}, {0x1e800, 0x1eeff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (u >= ranges[i].first && u <= ranges[i].last)
            return true;
    return false;
}

/* Levels (n); without memory all from left to right. */
static bool find_levels(const uint32_t *letter, size_t n, FriBidiLevel *level) {
    FriBidiCharType *type = es_alloc(n, sizeof *type);
    FriBidiBracketType *bracket = es_alloc(n, sizeof *bracket);
    FriBidiParType paragraph = FRIBIDI_PAR_ON;
    bool ok = type && bracket;
    for (size_t i = 0; i < n; i++)
        level[i] = 0;
    if (ok) {
        fribidi_get_bidi_types(letter, (FriBidiStrIndex)n, type);
        fribidi_get_bracket_types(letter, (FriBidiStrIndex)n, type, bracket);
        ok = fribidi_get_par_embedding_levels_ex(type, bracket, (FriBidiStrIndex)n, &paragraph,
                                                 level) > 0;
    }
    es_free(type);
    es_free(bracket);
    return ok;
}

/* Marks, digits and punctuation go with what they stand behind. */
static hb_script_t script_of(uint32_t letter, hb_script_t before) {
    hb_script_t script = hb_unicode_script(hb_unicode_funcs_get_default(), letter);
    return script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED ? before : script;
}

/* Rule L2: from the highest level down, runs of at least that level are turned around. */
static void reorder(es_shaped_run *run, size_t count, const FriBidiLevel *level) {
    FriBidiLevel highest = 0;
    for (size_t r = 0; r < count; r++)
        highest = level[run[r].at] > highest ? level[run[r].at] : highest;
    for (FriBidiLevel turn = highest; turn > 0; turn--)
        for (size_t from = 0; from < count; from++) {
            size_t to = from;
            while (to < count && level[run[to].at] >= turn)
                to++;
            for (size_t a = from, b = to; a + 1 < b; a++) {
                es_shaped_run held = run[a];
                run[a] = run[--b];
                run[b] = held;
            }
            from = to;
        }
}

size_t es_shaping_runs(const uint32_t *letter, const int *font, size_t n, es_shaped_run *run) {
    FriBidiLevel *level = es_alloc(n + 1, sizeof *level);
    size_t count = 0;
    hb_script_t script = HB_SCRIPT_COMMON;
    if (level == NULL || !find_levels(letter, n, level)) {
        es_free(level);
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        script = script_of(letter[i], script);
        bool same = i > 0 && level[i] == level[i - 1] && font[i] == font[i - 1] &&
                    (unsigned)script == run[count - 1].script;
        if (same)
            run[count - 1].length++;
        else
            run[count++] = (es_shaped_run){i, 1, font[i], (unsigned)script, level[i] % 2 == 0};
    }
    reorder(run, count, level);
    es_free(level);
    return count;
}

double es_shaping_set(cairo_t *cr, double size, const uint32_t *letter, const es_shaped_run *run,
                      double x, double y, cairo_glyph_t *glyph, size_t most, size_t *count) {
    cairo_scaled_font_t *scaled = cairo_get_scaled_font(cr);
    FT_Face ft = cairo_ft_scaled_font_lock_face(scaled);
    double advance = 0;
    unsigned glyphs = 0;
    *count = 0;
    if (ft == NULL)
        return 0;
    hb_face_t *face = hb_ft_face_create_referenced(ft);
    hb_font_t *font = hb_font_create(face);
    hb_buffer_t *buffer = hb_buffer_create();
    double unit = size / (double)hb_face_get_upem(face);
    hb_buffer_add_utf32(buffer, letter + run->at, (int)run->length, 0, (int)run->length);
    hb_buffer_set_direction(buffer, run->rightwards ? HB_DIRECTION_LTR : HB_DIRECTION_RTL);
    hb_buffer_set_script(buffer, (hb_script_t)run->script);
    hb_buffer_set_language(buffer, hb_language_from_string("und", -1));
    hb_shape(font, buffer, NULL, 0);
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &glyphs);
    const hb_glyph_position_t *at = hb_buffer_get_glyph_positions(buffer, NULL);
    for (unsigned g = 0; g < glyphs; g++) {
        if (glyph != NULL && *count < most)
            glyph[(*count)++] = (cairo_glyph_t){
                info[g].codepoint, x + advance + unit * at[g].x_offset, y - unit * at[g].y_offset};
        advance += unit * at[g].x_advance;
    }
    hb_buffer_destroy(buffer);
    hb_font_destroy(font);
    hb_face_destroy(face);
    cairo_ft_scaled_font_unlock_face(scaled);
    return advance;
}
