#include "testing.h"
#include "tui_terminal.h"

/* What is left of `text`, of which the first byte follows an ESC, as keys. */
static const char *keys_of(es_answers *a, const char *text, double now, bool alone) {
    static char keys[400];
    size_t used = 0;
    size_t from = es_answers_begin(a, (unsigned char)text[0], now, alone) ? 1 : 0;
    for (const char *c = text + from; *c; c++) {
        es_taken taken = es_answers_take(a, (unsigned char)*c, now);
        if (taken == ES_TAKEN_KEYS)
            keys[used++] = a->text[0];
        if (taken != ES_TAKEN)
            keys[used++] = *c;
    }
    keys[used] = '\0';
    return keys;
}

TEST(background__reads__what_terminals_say) {
    static const struct {
        const char *text;
        es_background background;
    } cases[] = {{"11;rgb:ffff/ffff/ffff", ES_BACKGROUND_LIGHT},
                 {"11;rgb:0000/0000/0000", ES_BACKGROUND_DARK},
                 {"11;rgb:fd/f6/e3", ES_BACKGROUND_LIGHT},
                 {"11;rgb:f/f/f", ES_BACKGROUND_LIGHT},
                 {"11;rgb:002b/0036/0042", ES_BACKGROUND_DARK},
                 {"11;rgba:ffff/ffff/ffff/8000", ES_BACKGROUND_LIGHT},
                 {"11;rgb:ffff/ffff/ffff/8000", ES_BACKGROUND_UNKNOWN},
                 {"11;rgba:ffff/ffff/ffff", ES_BACKGROUND_UNKNOWN},
                 {"11;rgb:fffff/ffff/ffff", ES_BACKGROUND_UNKNOWN},
                 {"11;rgb:-1/ffff/ffff", ES_BACKGROUND_UNKNOWN},
                 {"11;rgb:ffff/ffff", ES_BACKGROUND_UNKNOWN},
                 {"11;rgb:ffff/ffff/", ES_BACKGROUND_UNKNOWN},
                 {"10;rgb:ffff/ffff/ffff", ES_BACKGROUND_UNKNOWN},
                 {"", ES_BACKGROUND_UNKNOWN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(es_answer_background(cases[i].text), cases[i].background);
}

TEST(answers__are_taken__and_understood) {
    es_answers a = {.asked = true};
    assert_string_equal(keys_of(&a, "]11;rgb:ffff/ffff/ffff\033\\", 1, false), "");
    assert_int_equal(a.background, ES_BACKGROUND_LIGHT);
    assert_true(a.asked);
    assert_string_equal(keys_of(&a, "[?2026;2$y", 1, false), "");
    assert_true(a.sync);
    assert_string_equal(keys_of(&a, "[?64;1;2cj", 1, false), "j");
    assert_false(a.asked);
    static const char *const not [] = {"[?2026;0$y", "[?2026;4$y", "[?2027;2$y", "[?2026;22$y",
                                       "[2026;2$y"};
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++) {
        es_answers other = {.asked = true};
        assert_string_equal(keys_of(&other, not [i], 1, false), "");
        assert_false(other.sync);
    }
}

TEST(answers__leave__keys_alone) {
    es_answers a = {0}; /* nothing was asked */
    assert_string_equal(keys_of(&a, "]11", 1, false), "]11");
    assert_string_equal(keys_of(&a, "x", 1, false), "x");
    assert_string_equal(keys_of(&a, "[1;6Pj", 1, false), "j"); /* a key that nobody knows */
    assert_string_equal(keys_of(&a, "[j", 1, true), "[j");
    a.asked = true;
    assert_string_equal(keys_of(&a, "]2", 1, true), "]2"); /* typed by hand behind Esc */
    assert_string_equal(keys_of(&a, "[2", 1, true), "[2");
    assert_string_equal(keys_of(&a, "]11;rgb:0/0/0\aj", 1, true), "j");
    assert_int_equal(a.background, ES_BACKGROUND_DARK);
}

TEST(answers__end__when_nothing_more_comes) {
    es_answers a = {.asked = true};
    assert_string_equal(keys_of(&a, "]11;rgb:ff", 1, false), "");
    assert_int_equal(es_answers_take(&a, 'f', 1.5), ES_TAKEN);
    assert_int_equal(es_answers_take(&a, 'f', 2.6), ES_TAKEN_NOT); /* too long a pause */
    assert_int_equal(es_answers_take(&a, 'f', 2.6), ES_TAKEN_NOT);
    assert_true(es_answers_begin(&a, ']', 10, false));
    for (int i = 0; i < 600; i++) /* longer than there is room for */
        assert_int_equal(es_answers_take(&a, '2', 10.5), ES_TAKEN);
    assert_int_equal(es_answers_take(&a, '2', 11.4), ES_TAKEN);
    assert_int_equal(es_answers_take(&a, '2', 12.1), ES_TAKEN_NOT); /* no end in sight */
    assert_true(es_answers_begin(&a, ']', 20, false));
    assert_int_equal(es_answers_take(&a, '\r', 20), ES_TAKEN_NOT); /* never part of an answer */
    assert_int_equal(a.background, ES_BACKGROUND_UNKNOWN);
}
