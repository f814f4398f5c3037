/* Recognises a terminal's answers among what is typed: a small automaton over control sequences
 * that may come late or in pieces. */
#include "tui_terminal.h"

#include <stdlib.h>
#include <string.h>

static const double PATIENCE = 1.0; /* seconds without a character: the sequence is over */
static const double LONGEST = 2.0;  /* seconds that one can take, or keys would be lost for ever */

/* ---- what they mean ---- */

/* Up to four hexadecimal digits, of which all ones are full intensity. */
static bool read_channel(const char **text, unsigned *out) {
    char *end;
    unsigned long value = strtoul(*text, &end, 16);
    size_t digits = (size_t)(end - *text);
    if (digits < 1 || digits > 4 || (**text == '+' || **text == '-' || **text == ' '))
        return false;
    *out = (unsigned)(value * 255 / ((1UL << (4 * digits)) - 1));
    *text = end;
    return true;
}

es_background es_answer_background(const char *text) {
    unsigned rgb[3];
    bool alpha = strncmp(text, "11;rgba:", 8) == 0;
    if (!alpha && strncmp(text, "11;rgb:", 7) != 0)
        return ES_BACKGROUND_UNKNOWN;
    const char *at = text + (alpha ? 8 : 7);
    for (int i = 0; i < 3; i++) {
        if ((i > 0 && *at++ != '/') || !read_channel(&at, &rgb[i]))
            return ES_BACKGROUND_UNKNOWN;
    }
    if (*at != (alpha ? '/' : '\0'))
        return ES_BACKGROUND_UNKNOWN;
    uint32_t colour = rgb[0] << 16 | rgb[1] << 8 | rgb[2];
    return es_contrast(colour, 0x000000) > es_contrast(colour, 0xFFFFFF) ? ES_BACKGROUND_LIGHT
                                                                         : ES_BACKGROUND_DARK;
}

static void understand_csi(es_answers *a) {
    char last = a->text[a->length - 1];
    if (a->text[1] != '?')
        return;
    if (last == 'c')
        a->complete = true;
    /* 1 set, 2 reset, 3 always set; 0 unknown, 4 never */
    if (strncmp(a->text, "[?2026;", 7) == 0 && strcmp(a->text + 8, "$y") == 0)
        a->sync = a->text[7] >= '1' && a->text[7] <= '3';
    if (a->complete)
        a->asked = false;
}

static void understand_osc(es_answers *a) {
    es_background background = es_answer_background(a->text + 1);
    if (background != ES_BACKGROUND_UNKNOWN)
        a->background = background;
}

/* ---- reading ---- */

/* What is too long is read, but cannot be understood. */
static void keep(es_answers *a, uint32_t c) {
    if (a->length + 1 < ES_ANSWER_MOST)
        a->text[a->length++] = c < 0x80 ? (char)c : '?';
    a->text[a->length] = '\0';
}

bool es_answers_begin(es_answers *a, uint32_t c, double now, bool alone) {
    if (c == ']' ? !a->asked : c != '[' && c != 'O')
        return false;
    if (alone && (!a->asked || c == 'O'))
        return false;
    a->reading = c == ']' ? ES_ANSWER_OSC : ES_ANSWER_CSI;
    a->unsure = alone;
    a->began = a->last = now;
    a->length = 0;
    keep(a, c);
    return true;
}

/* Reads the next byte of a terminal's answer that begins with ESC [. */
static es_taken take_csi(es_answers *a, uint32_t c) {
    keep(a, c);
    if (c >= 0x20 && c < 0x40 && a->length < 64)
        return ES_TAKEN;
    a->reading = ES_ANSWER_NONE;
    if (c < 0x20 || c > 0x7E)
        return ES_TAKEN_NOT;
    understand_csi(a);
    return ES_TAKEN;
}

/* Reads the next byte of a terminal's answer that begins with ESC ]. */
static es_taken take_osc(es_answers *a, uint32_t c) {
    if (a->reading == ES_ANSWER_OSC_ESC || c == '\a') {
        a->reading = ES_ANSWER_NONE;
        understand_osc(a);
        return c == '\\' || c == '\a' ? ES_TAKEN : ES_TAKEN_NOT;
    }
    if (c == 27) {
        a->reading = ES_ANSWER_OSC_ESC;
        return ES_TAKEN;
    }
    if (c < 0x20) {
        a->reading = ES_ANSWER_NONE;
        return ES_TAKEN_NOT;
    }
    keep(a, c);
    return ES_TAKEN;
}

es_taken es_answers_take(es_answers *a, uint32_t c, double now) {
    if (a->reading == ES_ANSWER_NONE)
        return ES_TAKEN_NOT;
    if (now - a->last > PATIENCE || now - a->began > LONGEST) {
        a->reading = ES_ANSWER_NONE;
        return ES_TAKEN_NOT;
    }
    a->last = now;
    if (a->unsure && c != (a->reading == ES_ANSWER_CSI ? '?' : '1')) {
        a->reading = ES_ANSWER_NONE;
        return ES_TAKEN_KEYS;
    }
    a->unsure = false;
    return a->reading == ES_ANSWER_CSI ? take_csi(a, c) : take_osc(a, c);
}
