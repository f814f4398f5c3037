/* Makes keys, pastes and mouse reports (SGR 1006) of what ncurses delivers character by character.
 */
#include "tui_terminal.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
    PASTE_MAX = 64 * 1024,
    MOUSE_WHEEL = 64,     /* bit of a button's number */
    MOUSE_MODIFIERS = 28, /* Shift, Alt, Ctrl */
    MOUSE_FARTHEST = 9999
};
static const double ALONE = 0.5; /* seconds until an ESC has nothing to do with what follows */
static const double TORN = 0.1;  /* seconds that the rest of a key's bytes is waited for */
static const double PASTE_PATIENCE = 1.0; /* seconds until a paste without an end counts as ended */

void es_reader_init(es_reader *r, es_typed (*next)(void *context), void *context) {
    *r = (es_reader){.next = next, .context = context, .alone = -1e9};
}

void es_reader_free(es_reader *r) {
    es_buf_free(&r->paste);
}

static es_typed next(es_reader *r) {
    return r->next(r->context);
}

static uint32_t key_of_character(uint32_t c) {
    if (c == '\n')
        return ES_KEY_ENTER;
    return c == '\b' ? ES_KEY_BACKSPACE : c;
}

static void hold_key(es_reader *r, uint32_t key) {
    if (r->held_at == r->held_count)
        r->held_at = r->held_count = 0;
    if (key != 0 && r->held_count < ES_HELD_KEYS)
        r->held[r->held_count++] = key;
}

/* Keeps a typed character or key until it is known what it belongs to. */
static void hold_typed(es_reader *r, es_typed typed) {
    hold_key(r, typed.kind == ES_TYPED_CHARACTER ? key_of_character(typed.code)
                : typed.kind == ES_TYPED_KEY     ? typed.code
                                                 : 0);
}

/* '[' or 'O' behind an ESC, and nothing yet behind that: a key of which a slow link brings the rest
 * later, or typed by hand, which shows when nothing comes. */
static void wait_for_rest(es_reader *r, uint32_t c, bool escape, double now) {
    r->torn = c;
    r->torn_escape = escape;
    r->torn_at = now;
}

/* It was typed by hand. */
static void give_up_rest(es_reader *r) {
    if (r->torn_escape)
        hold_key(r, ES_KEY_ESC);
    hold_key(r, r->torn);
    r->torn = 0;
}

double es_reader_deadline(const es_reader *r) {
    return r->torn != 0 ? r->torn_at + TORN
           : r->pasting ? r->paste_time + PASTE_PATIENCE
                        : (double)INFINITY;
}

/* Behind an ESC that is no known key: an answer of the terminal, or a control sequence of which
 * nothing is known; its bytes must not act as keys. False: the ESC is a key. What was read and is
 * none of it is kept for the next call. */
static bool begin_sequence(es_reader *r) {
    double now = es_clock_now();
    es_typed first = next(r);
    if (first.kind == ES_TYPED_NOTHING) {
        r->alone = now;
        return false;
    }
    if (first.kind != ES_TYPED_CHARACTER ||
        !es_answers_begin(&r->answers, first.code, now, false)) {
        hold_typed(r, first);
        return false;
    }
    es_typed second = next(r);
    if (second.kind == ES_TYPED_NOTHING && !r->answers.asked &&
        (first.code == '[' || first.code == 'O')) {
        r->answers.reading = ES_ANSWER_NONE;
        wait_for_rest(r, first.code, true, now);
        return true;
    }
    if (second.kind == ES_TYPED_NOTHING) { /* typed by hand, or the beginning of an answer */
        r->answers.reading = ES_ANSWER_NONE;
        if (!es_answers_begin(&r->answers, first.code, now, true))
            hold_typed(r, first);
        return false;
    }
    if (second.kind != ES_TYPED_CHARACTER ||
        es_answers_take(&r->answers, second.code, now) != ES_TAKEN) {
        r->answers.reading = ES_ANSWER_NONE;
        hold_typed(r, second);
    }
    return true;
}

/* Ends a paste and returns its text. */
static es_input end_paste(es_reader *r) {
    r->pasting = false;
    es_buf_puts(&r->paste, "");
    if (r->paste.failed || r->paste.length == 0)
        return (es_input){.kind = ES_INPUT_NONE};
    return (es_input){.kind = ES_INPUT_PASTE, .text = r->paste.data};
}

static es_input read_paste(es_reader *r) {
    es_typed typed;
    while ((typed = next(r)).kind != ES_TYPED_NOTHING) {
        r->paste_time = es_clock_now();
        if (typed.kind == ES_TYPED_PASTE_END)
            return end_paste(r);
        char bytes[4];
        if (typed.kind == ES_TYPED_CHARACTER && r->paste.length < PASTE_MAX)
            es_buf_add(&r->paste, bytes, es_utf8_encode(typed.code, bytes));
    }
    if (es_clock_now() - r->paste_time > PASTE_PATIENCE)
        return end_paste(r);
    return (es_input){.kind = ES_INPUT_NONE};
}

/* One character behind "ESC [ <": of "button;column;row" and 'M', or 'm' for a release. Any other
 * character ends the report, and what has not arrived yet is not waited for. Presses of the first
 * button and the wheel mean something; true with *out filled. */
static bool read_mouse(es_reader *r, uint32_t c, es_input *out) {
    if (c >= '0' && c <= '9') {
        int *number = &r->number[r->number_at];
        if (*number <= MOUSE_FARTHEST)
            *number = *number * 10 + (int)(c - '0');
        return false;
    }
    if (c == ';' && r->number_at < 2) {
        r->number_at++;
        return false;
    }
    r->pointing = false;
    int button = r->number[0] & ~MOUSE_MODIFIERS;
    bool wheel = button == MOUSE_WHEEL || button == MOUSE_WHEEL + 1;
    if (c != 'M' || r->number_at != 2 || (!wheel && button != 0))
        return false;
    *out = (es_input){.kind = ES_INPUT_MOUSE,
                      .mouse = !wheel                  ? ES_MOUSE_CLICK
                               : button == MOUSE_WHEEL ? ES_MOUSE_WHEEL_UP
                                                       : ES_MOUSE_WHEEL_DOWN,
                      .x = r->number[1] - 1,
                      .y = r->number[2] - 1};
    return true;
}

static es_input key_input(uint32_t key) {
    return (es_input){.kind = ES_INPUT_KEY, .key = key};
}

/* What "ESC [ number letter" or "ESC O letter" stands for; 0: nothing that we know. */
static uint32_t key_of_sequence(int number, uint32_t last) {
    static const struct {
        uint32_t last;
        int number; /* before '~' */
        uint32_t key;
    } keys[] = {
        {'A', 0, ES_KEY_UP},      {'B', 0, ES_KEY_DOWN},      {'C', 0, ES_KEY_RIGHT},
        {'D', 0, ES_KEY_LEFT},    {'H', 0, ES_KEY_HOME},      {'F', 0, ES_KEY_END},
        {'Z', 0, ES_KEY_BACKTAB}, {'~', 1, ES_KEY_HOME},      {'~', 2, ES_KEY_INSERT},
        {'~', 3, ES_KEY_DELETE},  {'~', 4, ES_KEY_END},       {'~', 5, ES_KEY_PAGE_UP},
        {'~', 7, ES_KEY_HOME},    {'~', 6, ES_KEY_PAGE_DOWN}, {'~', 8, ES_KEY_END},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].last == last && (last != '~' || keys[i].number == number))
            return keys[i].key;
    return 0;
}

static bool is_number(uint32_t c) {
    return (c >= '0' && c <= '9') || c == ';' || c == ':';
}

static void begin_mouse(es_reader *r) {
    r->pointing = true;
    r->number_at = 0;
    memset(r->number, 0, sizeof r->number);
}

/* ---- CSI u: keys as kitty and others send them ---- */

enum { SHIFT = 1, ALT = 2, CTRL = 4, RELEASED = 3, PRIVATE_FIRST = 57344, PRIVATE_LAST = 63743 };

/* Keys of the number pad, which have code points of their own. */
static uint32_t pad_key(uint32_t code) {
    static const uint32_t keys[] = {ES_KEY_LEFT,    ES_KEY_RIGHT,     ES_KEY_UP,   ES_KEY_DOWN,
                                    ES_KEY_PAGE_UP, ES_KEY_PAGE_DOWN, ES_KEY_HOME, ES_KEY_END,
                                    ES_KEY_INSERT,  ES_KEY_DELETE};
    enum { ZERO = 57399, ENTER = 57414, LEFT = 57417 };
    return code >= ZERO && code < ZERO + 10   ? '0' + code - ZERO
           : code == ENTER                    ? ES_KEY_ENTER
           : code >= LEFT && code < LEFT + 10 ? keys[code - LEFT]
                                              : 0;
}

/* The key of a code point and bits of SHIFT, ALT and CTRL; 0: none that we know. */
static uint32_t key_of_code(uint32_t code, unsigned held) {
    bool small = code >= 'a' && code <= 'z', letter = small || (code >= 'A' && code <= 'Z');
    if (code >= PRIVATE_FIRST && code <= PRIVATE_LAST)
        return pad_key(code);
    if ((held & ALT) != 0 || code == 0 || code > 0x10FFFF)
        return 0;
    if ((held & CTRL) != 0)
        return letter ? (code & 0x1F) : code == '[' ? ES_KEY_ESC : code == ES_KEY_ENTER ? code : 0;
    if ((held & SHIFT) != 0 && code == ES_KEY_TAB)
        return ES_KEY_BACKTAB;
    return (held & SHIFT) != 0 && small ? code - 'a' + 'A' : code;
}

/* "97:65;5:1u" behind ESC [: the code point, if known the one with Shift; modifiers plus 1, and
 * whether the key was pressed, repeated or released. */
static uint32_t key_of_unicode(const char *text) {
    char *end;
    unsigned long code = strtoul(text, &end, 10), held = 0, shifted = 0, event = 0;
    if (end == text)
        return 0;
    if (*end == ':')
        shifted = strtoul(end + 1, &end, 10);
    if (*end == ':')
        (void)strtoul(end + 1, &end, 10);
    if (*end == ';')
        held = strtoul(end + 1, &end, 10);
    if (*end == ':')
        event = strtoul(end + 1, &end, 10);
    held = held > 0 ? held - 1 : 0;
    if (event == RELEASED || code > 0x10FFFF)
        return 0;
    bool takes = shifted > 0 && shifted <= 0x10FFFF && (held & (SHIFT | CTRL)) == SHIFT;
    return key_of_code((uint32_t)(takes ? shifted : code), (unsigned)held);
}

/* A sequence has ended that nobody asked for. */
static void take_unicode(const es_answers *a, es_input *out) {
    bool known = a->reading == ES_ANSWER_NONE && a->length > 2 && a->text[0] == '[' &&
                 a->text[a->length - 1] == 'u' && a->text[1] != '?';
    uint32_t key = known ? key_of_unicode(a->text + 1) : 0;
    if (key != 0)
        *out = key_input(key);
}

/* Behind an ESC that a slow link has torn off, and `typed` behind '[' or 'O': not typed by hand,
 * and one key at most. `escape`: the ESC was not given on as a key. */
static void late_sequence(es_reader *r, uint32_t c, es_typed typed, bool escape, double now,
                          es_input *out) {
    int number = 0;
    size_t length = 0;
    char text[32] = ""; /* what has come, for a key by its code point */
    bool character = typed.kind == ES_TYPED_CHARACTER;
    if (character && typed.code == '?' && es_answers_begin(&r->answers, c, now, true)) {
        (void)es_answers_take(&r->answers, typed.code, now);
        return;
    }
    if (character && c == '[' && typed.code == '<') {
        begin_mouse(r);
        return;
    }
    if (!character || (!is_number(typed.code) && key_of_sequence(0, typed.code) == 0)) {
        wait_for_rest(r, c, escape, now);
        give_up_rest(r);
        hold_typed(r, typed);
        return;
    }
    for (bool first = true; typed.kind == ES_TYPED_CHARACTER && is_number(typed.code);) {
        if (length + 1 < sizeof text)
            text[length++] = (char)typed.code;
        first = first && typed.code != ';'; /* what follows tells Shift and the like */
        if (first && number < MOUSE_FARTHEST)
            number = 10 * number + (int)(typed.code - '0');
        typed = next(r);
    }
    text[length] = '\0';
    uint32_t key = typed.kind != ES_TYPED_CHARACTER ? 0
                   : typed.code == 'u'              ? key_of_unicode(text)
                                                    : key_of_sequence(number, typed.code);
    if (key != 0)
        *out = key_input(key);
}

/* '[' or 'O' soon behind an ESC that was given on as a key. */
static void late_begin(es_reader *r, uint32_t c, double now, es_input *out) {
    es_typed typed = next(r);
    if (typed.kind != ES_TYPED_NOTHING)
        late_sequence(r, c, typed, false, now, out);
    else if (!es_answers_begin(&r->answers, c, now, true))
        wait_for_rest(r, c, false, now);
}

/* A character that may belong to an answer, or begin one. True: it does. *out: a key, if it was
 * found to be one. */
static bool take_answer(es_reader *r, uint32_t c, es_input *out) {
    double now = es_clock_now();
    switch (es_answers_take(&r->answers, c, now)) {
    case ES_TAKEN:
        take_unicode(&r->answers, out);
        return true;
    case ES_TAKEN_KEYS:
        hold_typed(r, (es_typed){.kind = ES_TYPED_CHARACTER, .code = c});
        *out = key_input((uint32_t)r->answers.text[0]);
        return true;
    case ES_TAKEN_NOT:
        break;
    }
    if (c == ES_KEY_ESC)
        return begin_sequence(r);
    bool alone = now - r->alone < ALONE;
    r->alone = -1e9;
    if (!alone)
        return false;
    if (c == '[' || c == 'O') {
        late_begin(r, c, now, out);
        return true;
    }
    return es_answers_begin(&r->answers, c, now, true);
}

/* What came later than the beginning of its sequence. */
static void end_torn(es_reader *r, es_typed typed, es_input *out) {
    uint32_t begun = r->torn;
    r->torn = 0;
    late_sequence(r, begun, typed, r->torn_escape, es_clock_now(), out);
}

/* A character outside of pastes; *out: what it means, if that is something. */
static void take_character(es_reader *r, uint32_t c, es_input *out) {
    if (r->pointing)
        (void)read_mouse(r, c, out);
    else if (r->torn != 0)
        end_torn(r, (es_typed){.kind = ES_TYPED_CHARACTER, .code = c}, out);
    else if (!take_answer(r, c, out))
        *out = key_input(key_of_character(c));
}

/* Adds what was typed to the input: a key, mouse event, paste or answer. */
static void take_key(es_reader *r, es_typed typed, es_input *out) {
    r->pointing = false;
    r->answers.reading = ES_ANSWER_NONE;
    switch (typed.kind) {
    case ES_TYPED_MOUSE:
        begin_mouse(r);
        break;
    case ES_TYPED_PASTE_BEGIN:
        es_buf_clear(&r->paste);
        r->pasting = true;
        r->paste_time = es_clock_now();
        break;
    case ES_TYPED_KEY:
        if (typed.code != 0)
            *out = key_input(typed.code);
        break;
    default:
        break;
    }
}

static bool is_late(const es_reader *r) {
    return es_clock_now() - r->torn_at > TORN;
}

static es_input read_on(es_reader *r) {
    es_typed typed;
    if (r->torn != 0 && is_late(r))
        give_up_rest(r);
    if (r->held_at < r->held_count)
        return key_input(r->held[r->held_at++]);
    while (!r->pasting && (typed = next(r)).kind != ES_TYPED_NOTHING) {
        es_input out = {.kind = ES_INPUT_NONE};
        if (r->torn != 0 &&
            (typed.kind != ES_TYPED_CHARACTER || typed.code == ES_KEY_ESC || is_late(r)))
            give_up_rest(r); /* another key began */
        bool before = r->held_at < r->held_count;
        if (typed.kind == ES_TYPED_CHARACTER)
            take_character(r, typed.code, &out);
        else
            take_key(r, typed, &out);
        if (before && out.kind == ES_INPUT_KEY)
            hold_key(r, out.key);
        else if (out.kind != ES_INPUT_NONE)
            return out;
        if (r->held_at < r->held_count)
            return key_input(r->held[r->held_at++]);
    }
    return r->pasting ? read_paste(r) : (es_input){.kind = ES_INPUT_NONE};
}

es_input es_reader_read(es_reader *r) {
    if (r->early_at < r->early_count)
        return key_input(r->early[r->early_at++]);
    return read_on(r);
}

es_background es_reader_background(es_reader *r, int fd, double seconds) {
    double until = es_clock_now() + seconds, left;
    es_answers *a = &r->answers;
    while (a->asked && a->background == ES_BACKGROUND_UNKNOWN &&
           (left = until - es_clock_now()) > 0) {
        struct pollfd input = {.fd = fd, .events = POLLIN};
        if (poll(&input, 1, (int)(left * 1e3) + 1) > 0 && !(input.revents & POLLIN))
            break;
        for (es_input in; (in = read_on(r)).kind != ES_INPUT_NONE;)
            if (in.kind == ES_INPUT_KEY && r->early_count < ES_EARLY_KEYS)
                r->early[r->early_count++] = in.key;
    }
    return a->background;
}

/* Recognises a terminal's answers among what is typed: a small automaton over control sequences
 * that may come late or in pieces. */

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
